"""Reference orientations: from base frames to the world."""

import numpy as np

from blender_biped.base.spatial import axis_angle_quaternion, normalized, quaternion_matrix
from blender_biped.control.shared.frames import Frames, heading_rows
from blender_biped.control.shared.state import BodyState

RNG = np.random.default_rng(11)
COUNT = 4


def state():
    matrices = quaternion_matrix(
        axis_angle_quaternion(normalized(RNG.normal(size=(COUNT, 3))), RNG.uniform(0, 2, COUNT))
    )
    still = np.zeros((COUNT, 3))
    return BodyState(0.0, still, matrices, still, still, RNG.normal(size=(COUNT, 3)), np.zeros(COUNT))


def rows():
    turns = quaternion_matrix(axis_angle_quaternion(normalized(RNG.normal(size=(COUNT, 3))), RNG.uniform(0, 2, COUNT)))
    return np.concatenate((turns, RNG.normal(size=(COUNT, 3, 1))), axis=2)


def test_a_rotation_in_a_parent_s_frame_turns_with_the_parent():
    now, said, bases = state(), rows(), np.array([0, 0, 1, 2])
    frames = Frames(COUNT, 1)
    frames.follow(now, 0.3, 0.0)
    found = frames.reference(bases, said, 0.5)
    for i, base in enumerate(bases):
        assert np.allclose(found[i, :, :3], now.matrices[base] @ said[i, :, :3])
        assert np.allclose(found[i, :, 3], now.matrices[base] @ said[i, :, 3] / 0.5 + now.angular_velocities[base])


def test_a_heading_frame_is_upright_faces_the_heading_and_turns_with_it():
    frames, said = Frames(COUNT, 2), rows()
    frames.follow(state(), 0.3, 0.7, -1.2)
    found = frames.reference(np.array([COUNT, COUNT + 1, COUNT, COUNT]), said, 1.0)
    for link, heading in ((0, 0.7), (1, -1.2)):
        frame = np.reshape(heading_rows(heading), (3, 3))
        assert np.allclose(frame @ (1.0, 0.0, 0.0), (np.cos(heading), np.sin(heading), 0.0))
        assert np.allclose(found[link, :, :3], frame @ said[link, :, :3])
        assert np.allclose(found[link, :, 3], frame @ said[link, :, 3] + (0.0, 0.0, 0.3))
