from __future__ import annotations

import numpy as np
import pytest

from blender_biped.base.spatial import quaternion_conjugate, quaternion_product, rotation_vector, yaw
from blender_biped.motion import gait_events
from blender_biped.motion.travel import in_place, moved, travel
from blender_biped.world.path import Path
from tests.motion.synthetic import Walk, walked

# What a mean over a stride of T = 1 s makes of an acceleration a: it is off by a T^2 / 24. The walk starts and stops
# with 2 m/s2.
CUT = 2.0 / 24.0

CIRCLE = Path(3.0 * np.column_stack((np.cos(np.linspace(0.0, 6.0, 200)), np.sin(np.linspace(0.0, 6.0, 200)))))


def test_travel_is_where_the_walker_goes_without_its_sway() -> None:
    motion, _ = walked(CIRCLE)
    place, heading = travel(motion)
    assert np.linalg.norm(place - motion.root[:, :2], axis=1).max() < 1.01 * CUT
    assert place[[0, -1]] == pytest.approx(motion.root[[0, -1], :2])
    assert heading == pytest.approx(np.unwrap(yaw(motion.rotations[:, 0])), abs=0.12)


def test_in_place_neither_travels_nor_turns_and_keeps_every_pose() -> None:
    motion, _ = walked(CIRCLE, Walk(bob=0.04))
    still = in_place(motion)
    assert np.linalg.norm(still.root[:, :2], axis=1).max() < 1.01 * CUT
    assert np.abs(yaw(still.rotations[:, 0])).max() < 0.12
    assert still.root[:, 2] == pytest.approx(motion.root[:, 2], abs=1e-12)
    for i, link in enumerate(motion.character.links[1:], start=1):
        ours, theirs = (
            quaternion_product(quaternion_conjugate(m.rotations[:, link.parent]), m.rotations[:, i])
            for m in (still, motion)
        )
        off = rotation_vector(quaternion_product(quaternion_conjugate(ours), theirs))
        assert np.abs(off).max() < 1e-9


def test_in_place_a_standing_foot_slides_back_at_the_speed_of_the_walk() -> None:
    motion, job = walked(Path([[0.0, 0.0], [6.0, 3.0]]))
    still = in_place(motion)
    begin, end = gait_events.steady_span(motion, job) or (0.0, 0.0)
    stance = next(s for s in gait_events.stances(still, 0) if begin < s.start and s.end < end)
    inside = (still.times > stance.start + 0.02) & (still.times < stance.end - 0.02)
    slide = np.gradient(gait_events.ball_track(still, 0), still.times, axis=0)[inside]
    assert slide == pytest.approx(np.tile((-job.speed, 0.0, 0.0), (len(slide), 1)), abs=0.01 * job.speed)


def test_moved_turns_then_shifts_everything() -> None:
    motion, _ = walked(Path([[1.0, 0.0], [4.0, 0.0]]))
    elsewhere = moved(motion, (5.0, 7.0), np.pi / 2.0)
    x, y, z = motion.origins[40].T
    assert elsewhere.origins[40] == pytest.approx(np.column_stack((5.0 - y, 7.0 + x, z)))
    assert elsewhere.command[:, 1] == pytest.approx(motion.command[:, 1] + np.pi / 2.0)
