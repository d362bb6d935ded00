"""The swing foot's way: clear of the ground, from where it points to where it should."""

from itertools import pairwise

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.generalized.settings import read_settings
from blender_biped.control.generalized.swing import CLEARANCE, SwingFoot, SwingStart
from blender_biped.control.shared.legs import LEFT, legs_of
from blender_biped.motion.similarity import at_reference_size
from blender_biped.preset.preset import preset

CHARACTER = at_reference_size(standard_character())
LEG = legs_of(CHARACTER)[LEFT]
SETTINGS = read_settings(preset("generalized", "default").values)
HIP = (0.0, 0.09, 0.9)


def swing(yaw=0.0):
    return SwingFoot(SETTINGS, LEG, LEFT, SwingStart((-0.3, 0.09, 0.2), 0.2, 0.0, yaw), 1.0)


def ankle(phase, drop, hip_height=0.9):
    moving = swing()
    angles = (-0.1, 0.9)
    moving.ankle(0.2, (0.3, 0.09), (0.0, 0.09, hip_height), 0.0, angles, drop, 0.0)
    return moving.ankle(phase, (0.3, 0.09), (0.0, 0.09, hip_height), 0.0, angles, drop, 0.0)


@pytest.mark.parametrize("phase", [0.4, 0.5, 0.6, 0.7, 0.8])
def test_a_foot_that_points_down_is_lifted_so_that_its_toes_clear_the_ground(phase):
    drop = 0.25
    assert ankle(phase, drop)[2] >= drop + CLEARANCE - 1e-9
    assert ankle(phase, drop, hip_height=0.8)[2] >= drop + CLEARANCE - 1e-9


def test_a_flat_foot_goes_its_own_way():
    free = ankle(0.5, 0.0)[2]
    assert free > CLEARANCE
    assert ankle(0.5, free - 2.0 * CLEARANCE)[2] == pytest.approx(free)


def test_it_comes_down_at_the_end():
    low = [ankle(phase, LEG.ankle_height)[2] for phase in (0.9, 1.0, 1.1)]
    assert low[0] > low[1] > low[2]
    assert low[2] < LEG.ankle_height


def test_the_foot_turns_from_where_it_stood_to_where_the_body_will_face():
    moving = swing(yaw=-0.4)
    assert moving.yaw(0.2, 0.1) == pytest.approx(-0.4)
    assert moving.yaw(1.0, 0.1) == pytest.approx(0.1)
    between = [moving.yaw(0.2 + 0.01 * k, 0.1) for k in range(81)]
    assert all(b >= a - 1e-12 for a, b in pairwise(between))


def test_the_first_targets_keep_the_spins_that_were_found():
    angular_velocities = np.full((len(CHARACTER.links), 3), 0.7)
    moving = swing()
    thigh, shin = moving.targets(HIP, (-0.3, 0.09, 0.2), 0.0, angular_velocities, 0.01)
    assert [row[3] for row in thigh] == [row[3] for row in shin] == [0.7, 0.7, 0.7]
    again, _ = moving.targets(HIP, (-0.29, 0.09, 0.2), 0.0, angular_velocities, 0.01)
    assert again[1][3] < 0.0  # the thigh swings forward, which is a negative pitch
