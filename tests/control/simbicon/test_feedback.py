"""Balance feedback: equation 1 of Yin, Loken and van de Panne 2007."""

import numpy as np
import pytest

from blender_biped.control.shared.legs import LEFT, RIGHT
from blender_biped.control.simbicon.feedback import Feedback, balance_state, feedback_of
from tests.control.bodies import CHARACTER, LEGS, com_of, standing

ROWS = {"swing_thigh_pitch": (((0.0, 0.5),), ((0.0, 0.2),)), "swing_thigh_roll": (((0.0, 0.6),), ((0.0, 0.3),))}
HEADINGS = [0.0, 0.9, -2.4]


@pytest.mark.parametrize("d", [-0.2, 0.0, 0.1])
@pytest.mark.parametrize("v", [-0.5, 0.0, 1.0])
def test_equation_1(d, v):
    """theta_d = theta_d0 + c_d d + c_v v."""
    row = Feedback(link=3, axis=1, c_d=[0.5], c_v=[0.2], lateral=False)
    assert row.angle(0.3, d, v) == pytest.approx(0.5 * d + 0.2 * v)


def test_gains_that_change_over_the_state_are_followed():
    knots = ((0.0, 0.0), (1.0, 1.0))
    (row,) = feedback_of({"swing_thigh_roll": (knots, ((0.0, 0.0), (1.0, 0.0)))}, CHARACTER, LEFT)
    assert [row.angle(phase, 1.0, 0.0) for phase in (0.0, 0.5, 1.0)] == pytest.approx([0.0, 0.5, 1.0])


@pytest.mark.parametrize("stance", [LEFT, RIGHT])
def test_a_swing_thigh_follows_the_body_in_each_plane(stance):
    """Forward is a negative pitch: flexion; to the left is a positive roll, of either leg."""
    pitch, roll = feedback_of(ROWS, CHARACTER, stance)
    assert pitch.link == roll.link == LEGS[1 - stance].thigh
    assert not pitch.lateral and pitch.angle(0.0, 0.1, 0.0) < 0.0 and pitch.angle(0.0, 0.0, 1.0) < 0.0
    assert roll.lateral and roll.angle(0.0, 0.1, 0.0) > 0.0 and roll.angle(0.0, 0.0, 1.0) > 0.0


def turned(place, heading):
    x, y = place
    c, s = np.cos(heading), np.sin(heading)
    return c * x - s * y, s * x + c * y, 0.0


def seen(stance, both, heading=0.0, place=(0.0, 0.0), velocity=(0.0, 0.0)):
    x, y, _ = turned(place, heading)
    now = standing(heading=heading, place=(x, y, 0.0))
    return balance_state(now, LEGS, stance, both, heading, com_of(now), turned(velocity, heading))


@pytest.mark.parametrize("heading", HEADINGS)
def test_d_and_v_are_measured_from_the_stance_ankle_in_the_body_s_own_planes(heading):
    (ahead, left), _ = seen(LEFT, False, heading)
    (moved_ahead, moved_left), v = seen(LEFT, False, heading, (0.07, -0.02), (0.8, 0.1))
    assert (moved_ahead - ahead, moved_left - left) == pytest.approx((0.07, -0.02))
    assert v == pytest.approx((0.8, 0.1))
    assert left < -0.05  # the left ankle is to the left of the body


def test_mirrored_stances_have_mirrored_distances():
    (ahead, left), (forward, aside) = seen(LEFT, False, place=(0.05, 0.03), velocity=(0.5, 0.2))
    (other_ahead, other_left), other_v = seen(RIGHT, False, place=(0.05, -0.03), velocity=(0.5, -0.2))
    assert (other_ahead, other_left) == pytest.approx((ahead, -left))
    assert other_v == (forward, -aside)


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_hop_is_balanced_about_the_middle_of_both_feet(heading):
    (_, upright), _ = seen(LEFT, True, heading)
    (_, lean), _ = seen(LEFT, True, heading, (0.0, 0.05))
    assert upright == pytest.approx(0.0, abs=1e-6) and lean == pytest.approx(0.05)
    assert seen(RIGHT, True, heading, (0.0, 0.05))[0] == pytest.approx(seen(LEFT, True, heading, (0.0, 0.05))[0])
