"""The demo's report for people: what is held against a limit, and that no slow machine is blamed on the walk."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blender_biped.character.standard import standard_character
from blender_biped.job import Job
from blender_biped.motion.measures import report
from blender_biped.preset.preset import preset
from blender_biped.world.path import Path
from tests.motion.synthetic import Walk, walked
from tools.demo.report import report_lines
from tools.demo.walk import DemoWalk


@pytest.fixture(scope="module")
def usual() -> DemoWalk:
    """A walk that takes an usual time of an usual machine."""
    path = Path([[0.0, 0.0], [6.0, 0.0]])
    job = Job(standard_character(), path, preset("generalized", "default"))
    motion = walked(path, Walk(speed=1.0), job.character)[0]
    figures = report(motion, job, "straight") | {"outcome": "arrived", "cpu_s_per_s": 0.09}
    return DemoWalk(job, motion, figures, (), (), 0.03, 200, 20_000, yardstick_s=0.06, plain_s=0.01)


def slower(walk: DemoWalk, by: float) -> DemoWalk:
    """Return what is reported of the same walk on a machine that takes longer for everything."""
    figures = walk.figures | {"cpu_s_per_s": by * walk.figures["cpu_s_per_s"]}
    return replace(
        walk, figures=figures, write_s=by * walk.write_s, yardstick_s=by * walk.yardstick_s, plain_s=by * walk.plain_s
    )


def line(walk: DemoWalk, words: str) -> str:
    (found,) = (text for text in report_lines(walk) if text.strip().startswith(words))
    return found


@pytest.mark.parametrize("words", ["CPU time", "writing the action"])
def test_times_are_held_against_other_work_of_the_same_run(usual: DemoWalk, words: str) -> None:
    for by in (0.3, 1.0, 10.0):
        assert line(slower(usual, by), words).endswith(": ok)")


def test_what_takes_longer_than_it_should_is_too_much(usual: DemoWalk) -> None:
    dear = replace(usual, figures=usual.figures | {"cpu_s_per_s": 0.5}, write_s=0.5)
    assert line(dear, "CPU time").endswith("(8.3 yardsticks, at most 2: TOO MUCH)")
    assert line(dear, "writing the action").endswith("(50.0 times plain keys, at most 10: TOO MUCH)")


def test_a_limit_is_for_the_median_of_the_starts(usual: DemoWalk) -> None:
    worse = usual.figures | {"arrival_m": 5.0}
    assert line(replace(usual, figures=worse), "distance").endswith("at most 0.3: TOO MUCH)")
    found = line(replace(usual, figures=worse, others=(usual.figures, usual.figures)), "distance")
    assert "5.00 m" in found and found.endswith("at most 0.3: ok)")
