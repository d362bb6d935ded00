"""Styles of captured runs: what presets say of them, how a body is held in one, how they are found and run."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from blender_biped.base.spatial import Array
from blender_biped.character.standard import standard_character
from blender_biped.control.natural.kind import NATURAL
from blender_biped.control.natural.making import CapturedMaking, making_of
from blender_biped.control.natural.run_making import STARTS, CapturedRunMaking
from blender_biped.control.natural.running.captured_poses import (
    CapturedFigures,
    CapturedPoses,
    ahead,
    captured_links,
)
from blender_biped.control.natural.running.poses import PeoplesPoses
from blender_biped.control.natural.running.table import run_table
from blender_biped.control.natural.running.timing import timing
from blender_biped.control.natural.steps.run_settings import Running
from blender_biped.control.natural.steps.settings import read_settings
from blender_biped.control.shared.legs import legs_of
from blender_biped.job import Job
from blender_biped.klaw.walk import NAME, walk
from blender_biped.motion.motion import Motion
from blender_biped.preset.preset import Preset, preset
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tests.motion import recorded
from tests.motion.synthetic_run import CONTACT, ELBOWS, LEAN, SPEED, STEP, WIDTH, ran

BODY = standard_character()
LEGS = legs_of(BODY)
STILL = np.tile(np.eye(3), (len(BODY.links), 1, 1))


@cache
def begun() -> CapturedRunMaking:
    making = making_of(ran(), "Mine", "an action")
    assert isinstance(making, CapturedRunMaking)
    return making


def style_of(making: CapturedRunMaking, **numbers: float) -> Preset:
    return making.styled({"timing": 1.0, "legs": 1.0, "lean": 1.0, **numbers})


def own_of(style: Preset) -> Running:
    own = read_settings(json.loads(json.dumps(style.as_json()))["values"]).run
    assert own.stride is not None
    return own


def test_a_walk_is_made_as_walks_are() -> None:
    motion = walk(Job(BODY, Path([[0.0, 0.0], [9.0, 0.0]]), preset(NAME, "walk"), 1.1, stop=False))
    assert isinstance(making_of(motion, "Mine", "an action"), CapturedMaking)
    assert NATURAL.making is making_of


def test_its_figures_are_those_that_it_was_made_with() -> None:
    style = style_of(begun())
    own, size = own_of(style), BODY.size
    assert style.values["usual"] == pytest.approx(SPEED / size**0.5, rel=0.02)
    now = timing(style.values["usual"], own)
    assert now.time == pytest.approx(STEP / size**0.5, rel=0.03)
    assert now.flight == pytest.approx((STEP - CONTACT) / size**0.5, abs=0.03)
    assert own.lean == pytest.approx(LEAN, abs=1.0) and own.elbows == pytest.approx(ELBOWS, abs=3.0)
    assert own.width == pytest.approx(WIDTH / size, abs=0.02)
    assert own.strike == pytest.approx(0.0, abs=2.0)  # it lands flat
    assert own.begins < style.values["usual"] < style.values["speeds"][1]


def held(own: Running, speed: float) -> Array:
    """Return the links' orientations over a stride, before arms and chest are asked to hold more against the legs."""
    assert own.stride is not None
    peoples = PeoplesPoses(BODY, LEGS, own, speed, timing(speed, own), STILL)
    return CapturedPoses(BODY, LEGS, own, own.stride, peoples).rotations(0.0)


def upper(rotations: Array) -> Array:
    return rotations[:, [i for i, link in enumerate(BODY.links) if link.part not in ("thigh", "shin", "foot", "toes")]]


def test_at_its_speed_a_body_is_held_as_captured() -> None:
    own = own_of(style_of(begun()))
    assert own.stride is not None
    speed = own.stride.speed
    now = held(own, speed)
    then = captured_links(BODY, own.stride, np.linspace(0.0, 1.0, len(now)))
    assert np.abs(upper(now) - upper(then)).max() < 0.05
    thigh = BODY.index("thigh.L")
    most = np.degrees([ahead(rotations[:, thigh]).max() for rotations in (now, then)])
    assert most[0] == pytest.approx(most[1], abs=3.0)


@pytest.mark.parametrize(
    ("number", "figure", "times"), [("heels", "knee", 0.8), ("knees", "thigh", 1.2), ("arms", "arm", 0.5)]
)
def test_a_style_s_numbers_scale_what_was_captured(number: str, figure: str, times: float) -> None:
    own = own_of(style_of(begun()))
    assert own.stride is not None
    speed = own.stride.speed
    found = []
    for much in (1.0, times):
        changed = replace(own, **{number: much * getattr(own, number)})
        found.append(getattr(CapturedFigures(BODY, held(changed, speed)), figure))
    assert found[1] / found[0] == pytest.approx(times, rel=0.12)


def test_far_slower_its_legs_go_as_people_s() -> None:
    own = own_of(style_of(begun()))
    slow = 0.5 * SPEED
    legs = [i for leg in LEGS for i in (leg.thigh, leg.shin)]
    captured, peoples = (
        run_table(BODY, LEGS, one, slow, timing(slow, own), STILL) for one in (own, replace(own, stride=None))
    )
    assert np.allclose(captured.rotations[:, legs], peoples.rotations[:, legs], atol=1e-9)


def test_what_falls_is_followed_by_what_is_calmer_until_there_is_nothing_left() -> None:
    making = making_of(ran(), "Mine", "an action")
    shares, leans, walks = [], [], 0
    while not making.done:
        asked = making.ask()
        leans.append(asked[-1].preset.values["running"]["lean"])
        walks = len(asked)
        making.tell([None] * len(asked))
        shares.append(making.progress)
    assert shares == sorted(shares) and shares[-1] == 1.0
    assert walks == 2 * len(STARTS) and abs(leans[-1] - Running().lean) < abs(LEAN - Running().lean)
    assert f"fell or strayed in {walks} of {walks}" in making.style().description


def test_the_nearest_that_stands_is_taken() -> None:
    making = making_of(ran(), "Mine", "an action")
    making.tell([arrived(job) for job in making.ask()])
    spread = making.ask()
    assert {job.seed for job in spread} == set(STARTS)
    making.tell([arrived(job) for job in spread])
    assert making.done
    own = own_of(making.style())
    assert own.legs == 1.0 and own.flight == own_of(style_of(begun())).flight
    assert making.style().values["running"]["stride"]["likeness"] == [0.0, 0.0, 0.0]  # it has taken no step


def arrived(job: Job) -> Motion:
    """Return a body that is carried along a job's path."""
    motion = ran(2)
    root = motion.root.copy()
    root[:, :2] = job.path.position(np.linspace(0.0, job.path.length, len(root)))
    return replace(motion, root=root, outcome="arrived")


def flown(motion: Motion) -> float:
    """Return the share of the time in which no foot bears."""
    return float((motion.loads.sum(axis=1) < 1e-6).mean())


@pytest.mark.parametrize("seed", [1, 2])
def test_it_runs(seed: int) -> None:
    style = style_of(begun(), timing=0.25, legs=0.5)
    motion = simulate(Job(BODY, Path([(0.0, 0.0), (18.0, 0.0)]), style, SPEED, seed=seed))
    assert motion.outcome == "arrived" and flown(motion) > 0.1


@pytest.mark.long
@pytest.mark.parametrize(
    ("load", "numbers"),
    [(recorded.active_run, {"timing": 0.75, "legs": 0.5}), (recorded.humanoid_run, {"lean": 0.4})],
)
def test_captured_runs_are_run(load, numbers: dict[str, float]) -> None:
    making = making_of(load()[0], "Mine", "an action")
    assert isinstance(making, CapturedRunMaking)
    style = style_of(making, **numbers)
    motion = simulate(Job(BODY, Path([(0.0, 0.0), (32.0, 0.0)]), style, style.values["usual"] * BODY.size**0.5))
    assert motion.outcome == "arrived" and flown(motion) > 0.15
