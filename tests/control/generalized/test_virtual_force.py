"""The virtual force: velocity tuning (Coros 2010, section 3.3)."""

import math
from dataclasses import replace

import pytest

from blender_biped.character.reference import GRAVITY
from blender_biped.control.generalized.settings import read_settings
from blender_biped.control.generalized.virtual_force import VirtualForce
from blender_biped.control.shared.legs import LEFT, RIGHT
from blender_biped.preset.preset import preset

MASS = 70.0
SETTINGS = read_settings(preset("generalized", "default").values)
FREE = replace(SETTINGS, force_limit=(99.0, 99.0))
PIVOT = (0.0, 0.0, 0.05)
HEADINGS = [0.0, 1.2, -2.0]


def turned(place, heading):
    x, y = place
    c, s = math.cos(heading), math.sin(heading)
    return c * x - s * y, s * x + c * y, 0.0


def force(heading=0.0, speed=1.0, stance=LEFT, com=(0.0, 0.0), velocity=(1.0, 0.0), settings=FREE):
    """Return the force ahead and to the left; com and velocity are so given too."""
    one = VirtualForce(settings, MASS, GRAVITY)
    x, y = one.walking(heading, speed, stance, PIVOT, turned(com, heading), turned(velocity, heading))
    ahead, left, _ = turned((x, y), -heading)
    return ahead, left


@pytest.mark.parametrize("heading", HEADINGS)
def test_ahead_it_is_the_gain_times_the_missing_speed(heading):
    ahead, _ = force(heading, speed=1.2, velocity=(0.9, 0.0))
    assert ahead == pytest.approx(MASS * SETTINGS.speed_gain * 0.3)


@pytest.mark.parametrize("heading", HEADINGS)
def test_sideways_it_pulls_half_the_walk_s_width_away_from_the_stance_foot(heading):
    for stance, side in ((LEFT, -1.0), (RIGHT, 1.0)):
        _, rest = force(heading, stance=stance, com=(0.3, side * 0.5 * SETTINGS.width))
        assert rest == pytest.approx(0.0, abs=1e-9)
        _, left = force(heading, stance=stance, com=(0.0, 0.05))
        assert left == pytest.approx(MASS * SETTINGS.sway_gain * (side * 0.5 * SETTINGS.width - 0.05))
    assert force(velocity=(1.0, 0.2))[1] - force()[1] == pytest.approx(-MASS * SETTINGS.sway_damping * 0.2)


def test_mirrored_states_have_mirrored_forces():
    ahead, left = force(stance=LEFT, com=(0.1, -0.04), velocity=(0.8, 0.1))
    assert force(stance=RIGHT, com=(0.1, 0.04), velocity=(0.8, -0.1)) == pytest.approx((ahead, -left))


@pytest.mark.parametrize("heading", HEADINGS)
def test_each_part_is_held_to_its_share_of_the_weight(heading):
    along, across = (MASS * GRAVITY * limit for limit in SETTINGS.force_limit)
    ahead, left = force(heading, speed=99.0, com=(0.0, -9.0), settings=SETTINGS)
    assert (ahead, left) == pytest.approx((along, across))
    x, y = VirtualForce(SETTINGS, MASS, GRAVITY).standing(heading, turned((-99.0, -99.0), heading)[:2])
    assert turned((x, y), -heading)[:2] == pytest.approx((-along, -across))


def test_standing_it_gives_the_mass_the_acceleration():
    assert VirtualForce(FREE, MASS, GRAVITY).standing(0.7, (0.5, -0.3)) == pytest.approx((35.0, -21.0))


@pytest.mark.parametrize("heading", HEADINGS)
def test_what_holds_a_standing_body_where_it_leans_comes_on_top(heading):
    one, falling = VirtualForce(SETTINGS, MASS, GRAVITY), 1.4
    most = MASS * SETTINGS.force_limit[0] * GRAVITY
    for lean in (1.0, -1.0):
        back = turned((-lean * 99.0, 0.0), heading)[:2]
        x, y = one.standing(heading, back, lean * falling)
        assert -lean * turned((x, y), -heading)[0] == pytest.approx(most + MASS * falling)
        x, y = one.standing(heading, (-back[0], -back[1]), lean * falling)  # on, whither it falls by itself
        assert lean * turned((x, y), -heading)[0] == pytest.approx(most)
