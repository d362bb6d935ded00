"""Loads, moments and power, on motions whose forces are given."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.spatial import Array, quaternion_product, rotate, yaw_quaternion
from blender_biped.character.reference import GRAVITY
from blender_biped.job import Job
from blender_biped.motion import measures
from blender_biped.motion.motion import Motion
from tests.motion.synthetic import posed
from tests.motion.turned import STRIDE, Y, standing, still


def test_peaks_and_trough_of_a_load_are_found() -> None:
    motion, job = standing()
    weight = motion.character.mass * GRAVITY
    curve = np.array([(0.0, 0.0), (0.15, 1.2), (0.3, 0.7), (0.5, 1.1), (0.62, 0.0), (1.0, 0.0)])
    cycles = (motion.times[:, None] / STRIDE - (0.0, 0.5)) % 1.0
    loads = weight * np.interp(cycles, *curve.T)
    assert measures.load_peaks(replace(motion, loads=loads), job) == pytest.approx((1.2, 0.7, 1.1), abs=0.02)
    doubled = replace(job, gravity=2.0 * GRAVITY)
    assert measures.load_peaks(replace(motion, loads=loads), doubled) == pytest.approx((0.6, 0.35, 0.55), abs=0.01)


def with_torque(motion: Motion, part: str, torque: Array) -> Motion:
    """Return a motion with a torque (T, 3), N m, on both sides' joints of a part."""
    torques = motion.torques.copy()
    for side in "LR":
        torques[:, motion.character.index(f"{part}.{side}")] = torque
    return replace(motion, torques=torques)


@pytest.mark.parametrize(("part", "sign"), [("thigh", -1.0), ("shin", 1.0)])  # y turns down towards behind
@pytest.mark.parametrize("heading", [0.0, 1.0])
def test_a_moment_flexes_by_its_share_across_the_joint(part: str, sign: float, heading: float) -> None:
    motion, job = standing(4.0)
    pushed = with_torque(motion, part, np.tile(50.0 * Y, (len(motion.times), 1)))
    turn = yaw_quaternion(heading)
    there = replace(
        pushed, root=rotate(turn, pushed.root), rotations=quaternion_product(turn, pushed.rotations),
        torques=rotate(turn, pushed.torques),
    )  # fmt: skip
    found = measures.moment(there, job, part)
    assert found == pytest.approx(np.full(101, sign * 50.0 / motion.character.mass))
    assert measures.moment(motion, job, part) is None


def swinging(along: float) -> tuple[Motion, Job]:
    """Return legs that swing by 20 degrees to either side, 30 N m on hips along or against the way they turn."""
    motion, job = posed(lambda phase: still(phase) | {"hip": 20.0 * np.sin(2.0 * np.pi * phase)}, 8.0)
    torques = motion.torques.copy()
    for k, side in enumerate("LR"):
        back = -np.cos(2.0 * np.pi * (motion.times / STRIDE - 0.5 * k))  # about y; flexing turns the other way
        torques[:, motion.character.index(f"thigh.{side}")] = along * 30.0 * np.outer(np.sign(back), Y)
    return replace(motion, torques=torques), job


def test_power_is_what_torques_do_along_the_way_and_not_against_it() -> None:
    motion, job = swinging(1.0)
    power = 2.0 * 30.0 * 4.0 * np.radians(20.0) / STRIDE  # both legs; there and back, twice the range a stride
    assert measures.positive_power(motion, job) == pytest.approx(power / motion.character.mass, rel=0.02)
    assert measures.positive_power(*swinging(-1.0)) == pytest.approx(0.0, abs=0.02)
    assert measures.positive_power(*standing(4.0)) is None
