"""Turns of pelvis, chest and head and how arms are held, on motions whose angles are given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.spatial import Array, quaternion_product, yaw_quaternion
from blender_biped.job import Job
from blender_biped.motion import measures
from blender_biped.motion.measures import upper_body
from blender_biped.motion.motion import Motion
from tests.motion.turned import X, Y, Z, seen, standing, swaying, turned

Measure = Callable[[Motion, Job], float | None]


@pytest.mark.parametrize(
    ("measure", "role", "axis"),
    [
        (measures.pelvis_tilt, "pelvis", Y),
        (measures.chest_roll, "chest", X),
        (measures.head_roll, "head", X),
        (measures.head_nod, "head", Y),
        (measures.head_yaw, "head", Z),
    ],
)
def test_a_sway_of_known_amplitude_gives_its_range(measure: Measure, role: str, axis: Array) -> None:
    motion, job = standing()
    assert measure(motion, job) == pytest.approx(0.0, abs=1e-6)
    assert measure(turned(motion, role, axis, swaying(motion, 3.0)), job) == pytest.approx(6.0, abs=0.2)
    across = X if axis is not X else Y
    aside = turned(motion, role, across, swaying(motion, 3.0))
    assert measure(aside, job) == pytest.approx(0.0, abs=0.05)


def test_directions_are_those_of_the_words() -> None:
    motion, job = standing(3.0)
    assert upper_body.roll(seen(turned(motion, "chest", X, 5.0), job), "chest") == pytest.approx(5.0)  # left side up
    assert upper_body.pitch(seen(turned(motion, "chest", Y, -5.0), job), "chest") == pytest.approx(5.0)  # front up
    left = upper_body.turn(seen(turned(motion, "head", Z, swaying(motion, 5.0)), job), "head")
    assert np.corrcoef(left, swaying(motion, 1.0))[0, 1] > 0.9  # at the ends there is no stride to take the mean of


def test_the_path_s_own_turn_is_not_the_head_s() -> None:
    motion, job = standing()
    bend = yaw_quaternion(0.3 * motion.times)[:, None]
    along = replace(motion, rotations=quaternion_product(bend, motion.rotations))
    assert measures.head_yaw(along, job) == pytest.approx(0.0, abs=0.5)


@pytest.mark.parametrize("degrees", [0.0, 12.0])
def test_arms_are_out_by_their_angle_on_both_sides(degrees: float) -> None:
    motion, job = standing(4.0)
    for side, sign in (("L", 1.0), ("R", -1.0)):
        motion = turned(motion, f"upper_arm.{side}", X, sign * degrees)
    assert measures.arm_out(motion, job) == pytest.approx(degrees, abs=1e-6)
    crossed = measures.arm_out(turned(motion, "upper_arm.L", X, -2.0 * degrees), job)
    assert crossed is not None and abs(crossed) <= 0.25 * degrees  # one out, the other in


def test_elbows_are_bent_by_their_angle() -> None:
    motion, job = standing(4.0)
    for side in "LR":
        motion = turned(motion, f"forearm.{side}", Y, -30.0)
    assert measures.elbow_bend(motion, job) == pytest.approx(30.0, abs=1e-6)
