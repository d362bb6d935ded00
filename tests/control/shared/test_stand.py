"""The stand that controllers share: what it pushes with, on a body that is held."""

from typing import Any

import numpy as np
import pytest

from blender_biped.character.reference import GRAVITY
from blender_biped.control.generalized.settings import read_settings
from blender_biped.control.limit_cycle.settings import read_limit_cycle
from blender_biped.control.shared import stand as stand_module
from blender_biped.control.shared.angles import turn_matrices
from blender_biped.control.shared.clock import ControlTime
from blender_biped.control.shared.ground import ANKLES_ALONE, GroundReaction
from blender_biped.control.shared.root_torque import RootTorque
from blender_biped.control.shared.stand import Aim, Stand, assembled, joints_alone, standing_pose
from blender_biped.control.shared.standing import Feet
from blender_biped.control.shared.tracking import Tracker
from blender_biped.preset.preset import preset
from tests.control.bodies import CHARACTER, COUNT, LEGS, com_of, standing

STEP = 1.0 / 360.0
STILL = (0.0, 0.0, 0.0)


def torques(place=STILL, root_torque=None, onto=None, state=None, **aim):
    """Return the torques (L, 3) on a body that leans by ``place`` over its feet, m; or on one as it is."""
    gains = read_limit_cycle(preset("limit_cycle", "default").values).gains
    if state is not None:  # with a pelvis that is held upright
        gains = read_settings(preset("generalized", "default").values).gains
    tracker = Tracker(CHARACTER, gains)
    stand = Stand(CHARACTER, LEGS, tracker, root_torque, standing_pose(CHARACTER, LEGS, 0.0, 0.0), STEP)
    feet = Feet(CHARACTER, LEGS, GRAVITY, ControlTime.of(STEP), 0.0)
    footing = GroundReaction(CHARACTER, ANKLES_ALONE, LEGS, GRAVITY, STEP)
    state = standing(place=place) if state is None else state
    for _ in range(60):
        feet.feel(state)
    return stand.torques(state, feet, footing, Aim(0.0, 0.0, onto, 40.0, 14.0, **aim), com_of(state), STILL)


def ankles(torque):
    return sum(float(torque[leg.foot, 1]) for leg in LEGS)


def hips(torque):
    return sum(float(torque[leg.thigh, 0]) for leg in LEGS)


def test_ankles_push_back_what_leans_ahead():
    upright, ahead, behind = (ankles(torques((x, 0.0, 0.0))) for x in (0.05, 0.07, 0.03))  # over their middle
    assert behind < upright < ahead


def test_a_braced_body_pushes_as_hard_on_top_of_what_holds_it_where_it_leans():
    def held(place):
        return ankles(torques(place, braced=True)) - ankles(torques(place))

    plain, far = held((0.0, 0.0, 0.0)), held((0.1, 0.0, 0.0))
    assert plain == pytest.approx(0.0, abs=1.0)
    assert far > 0.08 * CHARACTER.mass * GRAVITY
    assert hips(torques((0.0, 0.05, 0.0), braced=True)) > 1.1 * hips(torques((0.0, 0.05, 0.0))) > 0.0


def rolled(apart):
    """Return how much of the torque that levels a rolled pelvis stays, N m, over feet so many times as far apart."""

    def own(turn, braced):
        state = standing()
        for leg in LEGS:
            state.origins[leg.foot, 1] *= apart
        state.matrices[0] = turn_matrices(np.array([[[turn, 0.0, 0.0]]]))[0, 0]
        return hips(torques(state=state, root_torque=RootTorque(CHARACTER, LEGS), braced=braced))

    return [abs(own(0.1, braced) - own(0.0, braced)) for braced in (False, True)]


def test_a_pelvis_over_feet_that_are_far_apart_is_held_level_for_it_rolls_as_it_sways():
    plain, braced = rolled(1.0)
    assert braced == pytest.approx(plain, rel=0.2)
    plain, braced = rolled(4.0)
    assert braced > 1.8 * plain > 0.0


def test_a_braced_body_s_light_foot_has_no_more_of_the_pelvis_torque_than_of_the_load(monkeypatch):
    found: list[list[Any]] = []
    whole = stand_module.assembled

    def seen(root_torque, tracking, weights, tracked):
        found[-1].append(weights)
        return whole(root_torque, tracking, weights, tracked)

    monkeypatch.setattr(stand_module, "assembled", seen)
    for braced in (False, True):
        found.append([])  # what comes after the first is for corrections
        torques(state=standing(loads=(0.25, 0.75)), root_torque=RootTorque(CHARACTER, LEGS), braced=braced)
    upright, light = (weights[0] for weights in found)
    assert upright == (0.5, 0.5)  # as the body is between its feet
    assert light == pytest.approx((1.0 / 3.0, 2.0 / 3.0), abs=0.03)  # a quarter to the half that the other one has


def test_hips_sway_it_over_the_foot_that_it_is_to_stand_on():
    middle, left, right = (hips(torques(onto=side)) for side in (None, 0, 1))
    assert left < middle < right


@pytest.mark.parametrize("root_torque", [None, RootTorque(CHARACTER, LEGS)])
def test_no_joint_drives_the_pelvis(root_torque):
    assert not torques((0.02, 0.01, 0.0), root_torque)[0].any()


def test_in_the_air_each_joint_has_its_own():
    tracking = np.arange(3.0 * COUNT).reshape(COUNT, 3) + 1.0
    found = assembled(RootTorque(CHARACTER, LEGS), tracking, (0.0, 0.0), (1.0, 1.0))
    assert np.array_equal(found, joints_alone(tracking))
    assert np.array_equal(found[1:], tracking[1:]) and not found[0].any()
