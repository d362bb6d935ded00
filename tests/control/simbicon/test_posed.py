"""Gaits from poses that were set: what becomes of a cycle, or of half of one, and what is refused."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.character.body import build_character
from blender_biped.character.model import Character
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature, standard_character
from blender_biped.control.shared.legs import LEFT, RIGHT, legs_of
from blender_biped.control.shared.root_torque import RootTorque
from blender_biped.control.simbicon.fitted import FittedGait
from blender_biped.control.simbicon.posed import PosedBalance, PosedCycle, posed_cycle, posed_values
from blender_biped.control.simbicon.settings import Gait, read_gait
from blender_biped.motion.motion import Motion
from blender_biped.preset.preset import preset
from tools.base.posing import LIMP, STEP, Foot, Set, posed

BODY = standard_character()
PLAIN = PosedBalance()
USUAL = preset("simbicon", "walk").values


def cycle(poses: Sequence[Set] = STEP, body: Character = BODY) -> PosedCycle:
    return posed_cycle(posed(body, poses))


def gait(poses: Sequence[Set] = STEP, balance: PosedBalance = PLAIN) -> Gait:
    return read_gait(json.loads(json.dumps(posed_values(cycle(poses), balance, USUAL))))


def swapped(one: Set) -> Set:
    return replace(one, left=one.right, right=one.left)


def bent(value: tuple[tuple[float, float], ...], end: int) -> float:
    return value[end if len(value) > 1 else 0][1]


def test_half_a_cycle_is_one_step_and_its_mirror_image() -> None:
    found = cycle()
    (step,) = found.steps
    assert found.count == len(STEP) and step.dwells == pytest.approx([0.2, 0.16, 0.18])
    first, last = step.poses[0], step.poses[-1]
    assert last["swing_thigh_pitch"] == pytest.approx(first["stance_thigh_pitch"], abs=1e-6)
    assert last["swing_shin_pitch"] == pytest.approx(first["stance_shin_pitch"], abs=1e-6)
    assert found.speed == pytest.approx(0.4 * 0.9 / 0.54, rel=0.02)


def test_poses_on_the_other_leg_are_the_same_step() -> None:
    left, right = cycle().steps[0], cycle([swapped(one) for one in STEP]).steps[0]
    for a, b in zip(left.poses, right.poses, strict=True):
        assert a == pytest.approx(b, abs=1e-6)


def test_a_last_pose_like_the_first_only_closes_the_cycle() -> None:
    closed = cycle([*STEP, replace(swapped(STEP[0]), time=0.6)])
    assert closed.count == len(STEP) and closed.steps[0].dwells == pytest.approx([0.2, 0.16, 0.24])


def test_a_last_pose_that_alone_lifts_its_foot_is_one_of_them_however_like_the_first() -> None:
    low = [STEP[0], Set(0.2, Foot(0.1), Foot(-0.1, 0.0, 0.2)), Set(0.36, Foot(-0.2, 0.0, 0.35), Foot(0.2, 0.025))]
    found = cycle(low)
    assert found.count == 3 and len(found.steps) == 1


def test_a_limp_has_two_steps_of_different_lengths() -> None:
    found = cycle(LIMP)
    left, right = found.steps
    assert left.dwells == pytest.approx([0.28, 0.27]) and right.dwells == pytest.approx([0.17, 0.24])
    states = gait(LIMP)
    assert states.graph(0, LEFT) != states.graph(0, RIGHT)
    assert [sum(s.dwell for s in states.graph(16, side)) for side in (LEFT, RIGHT)] == pytest.approx([0.55, 0.41])


def test_it_begins_where_the_left_leg_bears_whatever_comes_first() -> None:
    shifted = [*LIMP[2:], *(replace(one, time=one.time + 0.96) for one in LIMP[:2])]
    for a, b in zip(cycle(LIMP).steps, cycle([replace(o, time=o.time - 0.55) for o in shifted]).steps, strict=True):
        assert a.poses[0] == pytest.approx(b.poses[0], abs=1e-6)


def test_feedback_does_nothing_in_the_poses_themselves() -> None:
    balance = PosedBalance(hip=(0.4, 0.3), ankle=(0.6, 0.1))
    found = cycle()
    step, speed = found.steps[0], found.speed
    states = gait(balance=balance).keys[1][1]
    for i, state in enumerate(states):
        for end in (0, 1):
            answer = 0.4 * step.ahead[i + end] + 0.3 * speed
            swing = bent(state.angles["swing_thigh_pitch"], end) - math.degrees(answer)
            assert swing == pytest.approx(step.poses[i + end]["swing_thigh_pitch"], abs=0.1)


def test_on_the_spot_it_steps_under_the_hips() -> None:
    found = gait()
    standing, walking = (found.keys[i][1][-1].angles["swing_thigh_pitch"][-1][1] for i in (0, 1))
    feet = cycle().limb
    knee = found.keys[0][1][-1].angles["swing_shin_pitch"][-1][1]
    assert feet.ankle(standing, knee)[0] == pytest.approx(0.0, abs=0.01) and found.slowest == 0.0
    assert standing != pytest.approx(walking, abs=1.0)


def test_hips_are_carried_higher_over_the_same_feet() -> None:
    low, high = (gait(balance=PosedBalance(rise=rise)).keys[1][1][0].angles for rise in (0.0, 0.02))
    assert bent(high["stance_shin_pitch"], 0) < bent(low["stance_shin_pitch"], 0)
    pitch = [sum(bent(angles.get(f"stance_{part}_pitch", ((0.0, 0.0),)), 0) for part in ("thigh", "shin", "foot"))
             for angles in (low, high)]  # fmt: skip
    assert pitch[0] == pytest.approx(pitch[1], abs=0.1)


def test_poses_stay_as_they_are_on_other_builds() -> None:
    armature = standard_armature(foot_scale=2.0)
    long_feet = build_character(armature, map_bones(armature))
    legs = legs_of(long_feet)
    own = gait()
    fits = [
        FittedGait(g, long_feet, legs, RootTorque(long_feet, legs), 1 / 240) for g in (own, replace(own, posed=False))
    ]
    assert fits[0].graph(0, LEFT) == own.graph(0, LEFT) != fits[1].graph(0, LEFT)


def test_the_right_step_of_a_file_is_checked_like_the_left() -> None:
    values = posed_values(cycle(LIMP), PosedBalance(), USUAL)
    values["keys"][0]["right"] = [{"until": "time", "dwell": 0.0, "angles": {}}]
    with pytest.raises(DataError, match=r"keys\[0\].right: a gait needs a state that takes time"):
        read_gait(values)


@pytest.mark.parametrize(
    ("poses", "said"),
    [
        (STEP[:1], "There are 1 poses"),
        ([Set(0.0, Foot(0.1), Foot(-0.1)), Set(0.3, Foot(-0.1), Foot(0.1))], "a foot is lifted"),
        ([replace(one, time=20.0 * one.time) for one in STEP], "A step takes 10.96 s"),
        ([*LIMP, *(replace(one, time=one.time + 0.96) for one in LIMP)], "one cycle, or of half"),
    ],
)
def test_what_is_no_cycle_is_refused(poses: Sequence[Set], said: str) -> None:
    with pytest.raises(DataError, match=said):
        cycle(poses)


def test_where_the_poses_stand_in_the_world_does_not_matter() -> None:
    own = posed(BODY, LIMP)
    c, s = math.cos(0.35), math.sin(0.35)  # half of 0.7 rad
    w, x, y, z = np.moveaxis(own.rotations, -1, 0)
    rotations = np.stack((c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w), axis=-1)
    moved: Motion = replace(own, root=own.root + np.array((5.0, -3.0, 1.0)), rotations=rotations)
    for a, b in zip(posed_cycle(own).steps, posed_cycle(moved).steps, strict=True):
        assert a.poses[1] == pytest.approx(b.poses[1], abs=1e-5) and a.ahead == pytest.approx(b.ahead, abs=1e-6)
