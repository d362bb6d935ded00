"""Feedback-error learning: what is reacted with is learnt, mirrored and held; softness, and pushes, that end it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.spatial import Array
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.legs import LEFT, RIGHT
from blender_biped.control.shared.tracking import Tracker
from blender_biped.control.simbicon.anticipation import MOST, Anticipation
from blender_biped.control.simbicon.settings import Softness, read_gait
from blender_biped.job import Job, Push
from blender_biped.motion.measures import report
from blender_biped.preset.declared import with_values
from blender_biped.preset.preset import Preset, preset
from blender_biped.simulate import simulate
from blender_biped.world.path import Path

STEP, STEPS = 0.005, 60
BODY = standard_character()
COUNT = len(BODY.links)
FRAMES = np.tile(np.eye(3), (COUNT + 1, 1, 1))
LEARNING = Softness(learning=0.2)


def fresh() -> Anticipation:
    return Anticipation(BODY, Tracker(BODY, read_gait(preset("simbicon", "walk").values).gains), STEP)


def walked(one: Anticipation, passes: int, need: Array, settings: Softness = LEARNING, start: float = 0.0) -> Array:
    """Let a body that needs a torque (L, 3) in a left stance react with what of it is missing; return what that is.

    Each pass of the one state is on the other leg.
    """
    given = np.zeros((COUNT, 3))
    missing = need
    for k in range(passes):
        stance = LEFT if k % 2 == 0 else RIGHT
        wanted = need if stance == LEFT else mirrored(need)
        for i in range(STEPS):
            before = missing = wanted - given
            tracking = before.copy()
            one.add(tracking, FRAMES, start + (k * STEPS + i) * STEP, (0, stance), i * STEP, settings)
            given = tracking - before
        given = mirrored(given)
    return missing


def mirrored(torque: Array) -> Array:
    roles = [link.role for link in BODY.links]
    twins = [
        roles.index(r[:-1] + {"L": "R", "R": "L"}[r[-1]]) if r[-2:] in (".L", ".R") else roles.index(r) for r in roles
    ]
    return torque[twins] * (-1.0, 1.0, -1.0)


def needed(role: str, torque: tuple[float, float, float]) -> Array:
    found = np.zeros((COUNT, 3))
    found[BODY.index(role)] = torque
    return found


@pytest.mark.parametrize("role", ["pelvis", "chest", "upper_arm.L"])
def test_what_steps_react_with_is_given_beforehand_on_both_sides(role: str) -> None:
    need = needed(role, (2.0, 3.0, -1.0))
    missing = walked(fresh(), 40, need)
    assert np.abs(missing).max() < 0.02 * np.abs(need).max()


def test_legs_and_what_is_out_of_proportion_stay_to_be_reacted_to() -> None:
    legs = needed("shin.L", (0.0, 30.0, 0.0))
    np.testing.assert_allclose(np.abs(walked(fresh(), 20, legs)).max(), 30.0)
    one = fresh()
    hard = needed("pelvis", (0.0, 400.0, 0.0))
    left = np.abs(walked(one, 80, hard)).max()
    stiffness = read_gait(preset("simbicon", "walk").values).gains["root"][0]
    assert left == pytest.approx(400.0 - MOST * stiffness, rel=0.05)


def test_a_soft_body_reacts_less_until_it_is_pushed() -> None:
    soft = Softness(softness=0.5, learning=0.2, reaction=0.1)
    one = fresh()
    walked(one, 40, needed("pelvis", (0.0, 5.0, 0.0)), soft)
    now, push = 40 * STEPS * STEP, needed("pelvis", (0.0, 150.0, 0.0))
    reacted = []
    for i in range(STEPS):
        tracking = push.copy()
        one.add(tracking, FRAMES, now + i * STEP, (0, LEFT), i * STEP, soft)
        reacted.append(float(tracking[0, 1]))
    assert reacted[0] < 0.6 * 150.0
    assert reacted[-1] > 0.95 * 150.0  # after the time to react


@pytest.mark.long
def test_a_learning_walk_holds_its_trunk_stiller() -> None:
    path = Path([[0.0, 0.0], [60.0, 0.0]])
    walk = preset("simbicon", "walk")

    def sway(style: Preset) -> float:
        motion = simulate(Job(BODY, path, style, 1.0, stop=False, duration=16.0))
        late = motion.rotations[motion.times > 10.0, 0]
        return float(np.degrees(np.std(2.0 * np.arcsin(late[:, 2]))))

    learning = replace(walk, values=with_values(walk.values, {"soft.learning": 0.1}))
    assert sway(learning) < 0.5 * sway(walk)


@pytest.mark.long
def test_a_soft_walk_bears_a_push() -> None:
    walk = preset("simbicon", "walk")
    soft = replace(walk, values=with_values(walk.values, {"soft.softness": 0.5}))
    push = Push("chest", 9.0, 0.1, (0.0, 150.0, 0.0))
    job = Job(BODY, Path([[0.0, 0.0], [60.0, 0.0]]), soft, 1.0, stop=False, duration=13.0, pushes=(push,))
    assert not report(simulate(job), job)["fell"]
