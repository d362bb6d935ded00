"""The motion generator: reference orientations by phase (Coros 2010, section 3.1)."""

import numpy as np
import pytest

from blender_biped.control.generalized.motion_generator import AMPLITUDES, MotionGenerator, rows_of
from blender_biped.control.generalized.settings import read_settings
from blender_biped.control.shared.frames import Frames
from blender_biped.control.shared.legs import LEFT, RIGHT
from blender_biped.preset.preset import preset
from tests.control.bodies import CHARACTER, COUNT, LEGS, standing

SETTINGS = read_settings(preset("generalized", "default").values)
MIRROR = np.array([1.0, -1.0, 1.0])


def generator():
    return MotionGenerator(CHARACTER, SETTINGS.style, LEGS, SETTINGS.style_speed)


def frames(heading=0.0, leg=0.0):
    found = Frames(COUNT, 2)
    found.follow(standing(), 0.0, heading, leg)
    return found


def other(role):
    return role[:-1] + {"L": "R", "R": "L"}[role[-1]] if role[-2:-1] == "." else role


@pytest.mark.parametrize("phase", [0.0, 0.35, 0.9])
@pytest.mark.parametrize("trailing", [True, False])
def test_a_right_step_is_the_mirror_image_of_a_left_one(phase, trailing):
    one, still = generator(), frames()
    one.begin_step(1.2)
    left, right = (one.walking(still, stance, phase, trailing, 0.5) for stance in (LEFT, RIGHT))
    for link in CHARACTER.links:
        a, b = left[CHARACTER.index(link.role)], right[CHARACTER.index(other(link.role))]
        assert np.allclose(a[:, :3] * MIRROR * MIRROR[:, None], b[:, :3]), link.role
        assert np.allclose(-a[:, 3] * MIRROR, b[:, 3]), link.role  # angular velocity is an axial vector


def test_the_amplitude_goes_with_the_speed_between_its_bounds():
    one, found = generator(), []
    for speed in (0.0, 0.5, 1.0, 1.5, 99.0):
        one.begin_step(speed * SETTINGS.style_speed)
        found.append(one.amplitude)
    assert found == [AMPLITUDES[0], AMPLITUDES[2], AMPLITUDES[7], AMPLITUDES[-1], AMPLITUDES[-1]]


def test_upright_links_face_the_heading_and_the_trailing_thigh_its_leg_s():
    one = generator()
    one.begin_step(1.0)
    thigh, chest = LEGS[RIGHT].thigh, CHARACTER.index("chest")
    straight, turned = (one.walking(f, LEFT, 0.1, True, 0.5) for f in (frames(), frames(0.4, -0.3)))

    def about_z(angle):
        c, s = np.cos(angle), np.sin(angle)
        return np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))

    assert np.allclose(turned[chest, :, :3], about_z(0.4) @ straight[chest, :, :3])
    assert np.allclose(turned[thigh, :, :3], about_z(-0.3) @ straight[thigh, :, :3])


def test_rates_are_those_of_a_step_s_time():
    one, still = generator(), frames()
    one.begin_step(1.0)
    slow, fast = (one.walking(still, LEFT, 0.5, False, time)[:, :, 3] for time in (1.0, 0.5))
    assert np.allclose(fast, 2.0 * slow) and np.abs(slow).max() > 0.1


def test_standing_nothing_moves():
    assert np.allclose(generator().standing(frames())[:, :, 3], 0.0)


def test_rows_hold_the_rotation_and_the_spin():
    turn = np.arange(9.0)
    rows = np.array(rows_of(turn.tolist(), 0.4))
    assert np.array_equal(rows[:, :3], turn.reshape(3, 3)) and rows[:, 3].tolist() == [0.0, 0.0, 0.4]
