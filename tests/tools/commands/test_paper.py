"""The scenes of Coros 2010 as trials: which there are, how they are laid out in Blender, and what is said of them."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from blender_biped.check import check
from blender_biped.job import job_from_json
from blender_biped.world.blocked import world_corners
from tests.marks import long_but
from tools.base.command_table import TRIAL_PARTS
from tools.commands.trials import SOURCES
from tools.trials import paper
from tools.trials.obstacles import ADULT, BODIES

needs_blender = pytest.mark.skipif(importlib.util.find_spec("bpy") is None, reason="needs Blender as a module")
READ = """
import json, sys, bpy
from blender_biped.ui.job.request import read_request
from tools.scene.characters import A_POSE
from tools.scene.laid_out import laid_out
from tools.trials import paper
from tools.trials.obstacles import BUILDS
made = paper.job_of(*sys.argv[1:])
with laid_out(made, BUILDS[sys.argv[2]].armature(A_POSE)) as rig:
    read = read_request(bpy.context, rig).job
print("FOUND" + json.dumps([made.as_json(), read.as_json()]))
"""


def test_the_part_is_known_to_the_command_line() -> None:
    assert {"paper"} == set(paper.PARTS) <= set(TRIAL_PARTS) <= set(SOURCES)
    trials = paper.PARTS["paper"]()
    assert len(set(trials)) == len(trials) == 3 * len(paper.SCENES) == 39


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.long
def test_no_scene_is_refused(body: str) -> None:
    for scene in paper.SCENES:
        if not scene.endswith("to the right"):  # as to the left
            check(paper.job_of(scene, body))


@pytest.mark.parametrize("what", ["pushing", "pulling"])
@pytest.mark.long
def test_80_kg_go_both_ways(what: str) -> None:
    left, right = (paper.job_of(f"{what} to the {side}", ADULT) for side in paper.SIDES)
    assert left.world.targets[1].place[0] < 0.0 < right.world.targets[1].place[0]
    assert left.world.loose[0].mass == right.world.loose[0].mass == 80.0


@needs_blender
@pytest.mark.parametrize(
    ("scene", "body"),
    long_but(
        [("pulling to the left", "long legs, wide hips"), (paper.STAIRS, "short legs, large head")],
        (paper.STAIRS, "short legs, large head"),
    ),
)
@pytest.mark.long
def test_a_scene_is_read_from_blender_as_it_was_made(scene: str, body: str) -> None:
    done = subprocess.run([sys.executable, "-c", READ, scene, body], capture_output=True, text=True, check=True)
    made, read = json.loads(done.stdout.partition("FOUND")[2].splitlines()[0])
    one, other = (job_from_json(job) for job in (made, read))
    for made_thing, thing in zip(_named(one.world.things), _named(other.world.things), strict=True):
        for k in (0, -1):
            ends = [np.sort(world_corners(each), axis=0)[k] for each in (made_thing, thing)]
            assert np.allclose(ends[0], ends[1], atol=1e-4)
        assert (thing.mass, thing.friction) == pytest.approx((made_thing.mass, made_thing.friction), rel=1e-5)
    for made_target, target in zip(_named(one.world.targets), _named(other.world.targets), strict=True):
        assert (target.act, target.thing, target.hands) == (made_target.act, made_target.thing, made_target.hands)
    assert other.floor.height(*one.path.point(one.path.length)) == pytest.approx(
        one.floor.height(*one.path.point(one.path.length)), abs=1e-4
    )
    assert other.speed == pytest.approx(one.speed, rel=1e-5) and other.preset.name == one.preset.name
    assert np.allclose(other.path.point(other.path.length), one.path.point(one.path.length), atol=1e-3)
    assert other.character.mass == pytest.approx(one.character.mass, rel=1e-3)


def _named(found: Sequence[Any]) -> list[Any]:
    return sorted(found, key=lambda each: str(each.name if not getattr(each, "act", "") else each.act))


def test_it_is_said_how_scenes_ended() -> None:
    walks = [
        {"outcome": "arrived", "palms_mm": 0.04, "left_off_m": 0.02},
        {"outcome": "fell", "palms_mm": 1.5, "left_off_m": 1.2},
        {"outcome": "arrived", "palms_mm": None, "left_off_m": None},
    ]
    found: list[dict[str, Any]] = [
        {"group": ADULT, "scene": "pushing to the left", "refused": "", "walks": walks},
        {"group": ADULT, "scene": "picking up at 1.7 m", "refused": "", "walks": walks[2:]},
        {"group": ADULT, "scene": "over", "refused": "too high", "walks": []},
    ]
    pushed, picked, over = paper.report_lines("paper", found)[1:4]
    assert pushed.endswith("2 of 3 arrive, palms moved by 1.5 mm at most, loads 1.200 m off")
    assert picked.endswith("1 of 1 arrive") and over.endswith("refused: too high")
