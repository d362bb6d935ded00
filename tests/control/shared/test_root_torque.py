"""From link torques to joint torques: what the hips make up for the pelvis."""

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.shared.legs import LEFT, RIGHT, legs_of
from blender_biped.control.shared.root_torque import RootTorque

CHARACTER = standard_character()
LEGS = legs_of(CHARACTER)
COUNT = len(CHARACTER.links)


@pytest.fixture
def root_torque():
    return RootTorque(CHARACTER, LEGS)


def taken_from_pelvis(torque):
    """Return what all joints at the pelvis take from it (3,)."""
    return sum(torque[i] for i, parent in enumerate(CHARACTER.parents) if parent == 0)


def tracking(seed=1):
    return np.random.default_rng(seed).normal(size=(COUNT, 3))


@pytest.mark.parametrize("weights", [(1.0, 0.0), (0.0, 1.0), (0.3, 0.7)])
def test_the_hips_make_up_what_the_pelvis_needs(root_torque, weights):
    """What all joints at the pelvis take from it sums to its own tracking torque (Yin 2007, section 3.2)."""
    tracked = tracking()
    torque = root_torque.assembled(tracked, weights, (1.0 - weights[LEFT], 1.0 - weights[RIGHT]))
    assert np.allclose(-taken_from_pelvis(torque), tracked[0])
    assert np.allclose(torque[0], 0.0)


def test_the_stance_hip_alone_answers_for_torso_and_swing_hip(root_torque):
    """tau_A = - tau_torso - tau_B, with what the waist takes too (Yin 2007, section 3.2)."""
    tracked = tracking()
    torque = root_torque.made_up((1.0, 0.0), (0.0, 1.0)) @ tracked
    swing, waist = LEGS[RIGHT].thigh, CHARACTER.index("abdomen")
    assert np.allclose(torque[LEGS[LEFT].thigh], -tracked[0] - tracked[swing] - tracked[waist])
    assert np.allclose(torque[swing], tracked[swing])


def test_half_a_weight_makes_up_half(root_torque):
    """A foot that bears too little to push against gives the pelvis only a part of what it needs."""
    tracked = tracking()
    whole = root_torque.made_up((1.0, 0.0), (0.0, 1.0)) @ tracked
    half = root_torque.made_up((0.5, 0.0), (0.5, 1.0)) @ tracked
    stance = LEGS[LEFT].thigh
    own = 0.5 * tracked[stance]
    missing = -tracked[0] - tracked[LEGS[RIGHT].thigh] - tracked[CHARACTER.index("abdomen")] - own
    assert np.allclose(half[stance], 0.5 * missing + own)
    assert not np.allclose(half[stance], whole[stance])
