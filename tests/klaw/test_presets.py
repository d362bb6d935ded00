"""KLAW's styles: over their speeds, on other bodies, and nearer to captured people than its usual walk."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from itertools import product

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.job import Job
from blender_biped.klaw.attributes import read_style
from blender_biped.klaw.walk import walk
from blender_biped.motion import measures
from blender_biped.motion.motion import Motion
from blender_biped.preset.cue import Cue
from blender_biped.preset.preset import RESEARCH, Preset, presets, speeds_of
from blender_biped.world.path import Path
from tests.klaw.test_manner import standing_toes
from tests.marks import long_but
from tests.shared import shared
from tools.measure.styles import CLIPS, captured, farther, look

STYLES = {style.name: style for style in presets("klaw") if style.shelf != RESEARCH}
BODIES = {
    "adult": standard_character(),
    "child": standard_character(22.0, stature=1.15),
    "giant": standard_character(400.0, stature=2.9),
}


@cache
def walked_at(name: str, which: str, body: str) -> tuple[Motion, Job]:
    speeds = speeds_of(STYLES[name])
    assert speeds is not None
    size = BODIES[body].leg_length / 0.9
    speed = getattr(speeds, which) * np.sqrt(size)
    bend = [[0.0, 0.0], [3.0 * size, 0.0], [5.0 * size, 1.0 * size]]
    job = Job(BODIES[body], Path(bend), STYLES[name], speed)
    return walk(job), job


def test_there_are_twenty_styles_and_each_says_what_it_is_for() -> None:
    assert len(STYLES) >= 20
    assert len({style.label for style in STYLES.values()}) == len(STYLES)
    for style in STYLES.values():
        speeds = speeds_of(style)
        assert speeds is not None and speeds.slowest < speeds.usual < speeds.fastest
        assert ". For " in style.description or ": the " in style.description, style.name


def test_no_two_styles_are_alike() -> None:
    def told(style: Preset) -> dict[str, object]:
        own = read_style(style.values)
        return {**asdict(own.manner), **asdict(own.attributes)}

    every = [told(style) for style in STYLES.values()]
    for i, one in enumerate(every):
        for other in every[i + 1 :]:
            assert sum(one[key] != other[key] for key in one) >= 5


@pytest.mark.parametrize(
    ("name", "which"),
    long_but(product(STYLES, ("slowest", "usual", "fastest")), *((name, "usual") for name in sorted(STYLES)[::3])),
)
def test_a_style_walks_at_all_of_its_speeds(name: str, which: str) -> None:
    motion, job = walked_at(name, which, "adult")
    sound(name, motion, job)
    shake = measures.shake(motion, job)
    assert shake is not None and shake < 2.0


@pytest.mark.parametrize(("name", "body"), long_but(product(STYLES, ("child", "giant")), ("limp", "child")))
def test_a_style_walks_on_other_bodies(name: str, body: str) -> None:
    sound(name, *walked_at(name, "usual", body))


@pytest.mark.parametrize(
    ("first", "second"),
    long_but(
        [("sad", "limp"), ("proud", "shy"), ("walk", "zombie"), ("limp", "sneak"), ("tiptoe", "heavy")],
        ("tiptoe", "heavy"),
    ),
)
def test_from_style_to_style_nothing_jumps(first: str, second: str) -> None:
    job = Job(BODIES["adult"], Path([[0.0, 0.0], [8.0, 0.0]]), STYLES[first], 1.2, cues=(Cue(2.5, STYLES[second]),))
    motion = walk(job)
    assert np.abs(np.diff(motion.rotations, axis=0)).max() < 0.12
    body = motion.character
    for role in ("head", "hand.L", "hand.R", "pelvis"):
        places = motion.origins[:, body.index(role)]
        assert np.abs(np.diff(places, n=2, axis=0)).max() * 120.0**2 < 120.0, role


def sound(name: str, motion: Motion, job: Job) -> None:
    """Assert that a walk arrives on planted feet."""
    size = job.character.leg_length
    assert motion.outcome == "arrived" and measures.fell_at(motion, job) is None
    assert np.isfinite(motion.rotations).all() and np.isfinite(motion.root).all()
    assert measures.penetration(motion, job) == pytest.approx(0.0, abs=1e-3)
    if read_style(STYLES[name].values).manner.tiptoe:
        slides = [np.ptp(place, axis=0).max() for side in (0, 1) for place in standing_toes(motion, side)]
        assert slides and max(slides) < 1e-6 * size
    else:
        assert measures.foot_slip(motion, job)[1] == pytest.approx(0.0, abs=1e-3)
    arrived, (deviation, _) = measures.arrival(motion, job), measures.path_deviation(motion, job)
    assert arrived is not None and arrived < 0.25 * size
    assert deviation is None or deviation < 0.12 * size


@pytest.mark.parametrize("name", long_but(CLIPS, "old", "toddler"))
def test_a_style_is_nearer_to_captured_people_than_the_usual_walk(name: str) -> None:
    assert farther(name, captured(shared("facts/styles.md"))) == {}


def test_the_usual_walk_itself_is_no_style() -> None:
    usual = look("walk")
    assert abs(usual.trunk) < 1.0 and abs(usual.head) < 1.0
    assert 100.0 < usual.cadence < 115.0
