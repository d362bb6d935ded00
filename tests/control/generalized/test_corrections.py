"""Corrections of a walk's torques: the way in which it stands chooses them."""

import numpy as np
import pytest

from blender_biped.control.generalized.corrections import GRID, Corrections
from blender_biped.control.generalized.motion_generator import UPRIGHT
from blender_biped.control.generalized.settings import read_settings
from blender_biped.control.shared.legs import LEFT, RIGHT
from blender_biped.control.shared.root_torque import RootTorque
from blender_biped.control.shared.tracking import Tracker
from blender_biped.preset.preset import preset
from tests.control.bodies import CHARACTER, COUNT, LEGS, standing

TRACKER = Tracker(CHARACTER, read_settings(preset("generalized", "default").values).gains)
LEVEL = [i for i, link in enumerate(CHARACTER.links) if link.role in UPRIGHT]
AXIAL = np.array([-1.0, 1.0, -1.0])  # a torque in a mirror


def corrections(step):
    return Corrections(TRACKER, LEGS, RootTorque(CHARACTER, LEGS), LEVEL, step)


@pytest.fixture(scope="module")
def usual():
    return corrections(1.0 / 360.0)


def torque():
    found = np.random.default_rng(4).normal(size=(COUNT, 3))
    found[0] = 0.0
    return found


def mirrored(torques):
    found = np.empty_like(torques)
    for i, link in enumerate(CHARACTER.links):
        role = link.role
        there = role[:-1] + {"L": "R", "R": "L"}[role[-1]] if role[-2:-1] == "." else role
        found[CHARACTER.index(there)] = torques[i] * AXIAL
    return found


@pytest.mark.parametrize(("weights", "alone"), [((1.0, 0.0), LEFT), ((0.75, 0.25), None), ((0.5, 0.5), None)])
def test_mirrored_torques_are_corrected_to_mirrored_ones(usual, weights, alone):
    found = usual.corrected(standing(), torque(), weights, alone)
    there = usual.corrected(standing(), mirrored(torque()), weights[::-1], None if alone is None else RIGHT)
    assert np.allclose(there, mirrored(found), atol=1e-6)


def test_the_shorter_the_step_the_less_is_corrected(usual):
    changes = []
    for one in (corrections(1e-7), corrections(1e-4), usual):
        changes.append(np.abs(one.corrected(standing(), torque(), (0.5, 0.5), None) - torque())[1:].max())
    assert changes == sorted(changes) and changes[0] < 1e-2 < changes[-1]


def test_shares_are_those_of_the_nearest_step(usual):
    near = usual.corrected(standing(), torque(), (0.5 + 0.3 / GRID, 0.5 - 0.3 / GRID), None)
    assert np.array_equal(near, usual.corrected(standing(), torque(), (0.5, 0.5), None))
    assert not np.allclose(near, usual.corrected(standing(), torque(), (1.0, 0.0), None))
