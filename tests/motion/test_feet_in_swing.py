"""Where feet point and how they swing, on motions whose angles and heights are given."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.spatial import Array, quaternion_product, rotate, yaw_quaternion
from blender_biped.character.standard import standard_character
from blender_biped.motion import measures
from tests.motion.synthetic import posed
from tests.motion.turned import STRIDE, Y, Z, standing, still, turned

SCALE = 0.90 / standard_character().leg_length


@pytest.mark.parametrize("degrees", [0.0, 7.0, -4.0])
@pytest.mark.parametrize("heading", [0.0, 2.5])
def test_feet_point_outwards_by_their_angle_whatever_the_way(degrees: float, heading: float) -> None:
    motion, job = standing(4.0)
    for side, sign in (("L", 1.0), ("R", -1.0)):
        motion = turned(motion, f"foot.{side}", Z, sign * degrees)
    turn = yaw_quaternion(heading)
    there = replace(
        motion, root=rotate(turn, motion.root), rotations=quaternion_product(turn, motion.rotations)
    )  # fmt: skip
    assert measures.toe_out(there, job) == pytest.approx(degrees, abs=0.01)


def test_toes_are_bent_by_their_angle() -> None:
    motion, job = standing(4.0)
    for side in "LR":
        motion = turned(motion, f"toes.{side}", Y, -15.0)
    assert measures.toe_bend(motion, job) == pytest.approx(15.0, abs=1e-6)


@pytest.mark.parametrize("ground", [0.0, 2.0])
def test_heights_are_those_over_the_ground(ground: float) -> None:
    motion, job = standing(4.0)
    raised, job = replace(motion, root=motion.root + np.array((0.0, 0.0, 0.02 + ground))), replace(job, ground=ground)
    assert measures.toe_clearance(raised, job) == pytest.approx(20.0 * SCALE, abs=0.01)
    assert measures.late_sole_height(raised, job) == pytest.approx(0.0, abs=0.01)  # it stands as high


def test_toes_count_as_they_pass_and_soles_as_they_come_down() -> None:
    motion, job = standing()
    swing = (motion.times / STRIDE % 1.0 - 0.62) / 0.38  # of the left foot
    low = np.where((swing > 0.45) & (swing < 0.55), 0.01, np.where(swing > 0.65, 0.05, 0.03))
    strikes, lifts = (events[events[:, 1] == 0.0] for events in (motion.strikes, motion.lifts))
    one = replace(motion, strikes=strikes, lifts=lifts, root=motion.root + np.outer(low, (0.0, 0.0, 1.0)))
    assert measures.toe_clearance(one, job) == pytest.approx(10.0 * SCALE, abs=0.01)
    assert measures.late_sole_height(one, job) == pytest.approx(20.0 * SCALE, abs=0.01)


@pytest.mark.parametrize("rate", [150.0, 400.0])
def test_a_sole_comes_down_as_fast_as_its_ankle_turns(rate: float) -> None:
    def angles(phase: Array) -> dict[str, Array]:
        toes_up = np.interp(phase, [0.0, 20.0 / rate / STRIDE, 0.7, 0.9, 1.0], [20.0, 0.0, 0.0, 20.0, 20.0])
        return still(phase) | {"ankle": toes_up}

    assert measures.foot_slap(*posed(angles, 6.0)) == pytest.approx(rate, rel=0.02)


def test_a_foot_that_strikes_flat_does_not_slap() -> None:
    assert measures.foot_slap(*standing(4.0)) == pytest.approx(0.0, abs=1e-6)
