"""Ducking: how low a body gets, and how far it bends by how near it is."""

import numpy as np
import pytest

from blender_biped.character.figure import stature
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.ducking import BENDS, DEEPEST, LOOKS, LOWER, Ducking, heights, lowest
from blender_biped.world.course import Crossed
from tests.control.bodies import CHARACTER, command, standing
from tools.trials.builds import Build

BODY = standard_character()


def test_a_body_gets_lower_the_farther_it_ducks():
    table = heights(BODY)
    assert len(table) == LOOKS + 1 and table[0] == pytest.approx(stature(BODY))
    assert (np.diff(table) < 0.0).all()
    assert lowest(BODY) == pytest.approx(DEEPEST * stature(BODY))


def test_who_has_longer_legs_gets_less_low():
    tall = Build(1.5, 1.0, 1.0, 1.0, 0.0).character()
    assert heights(tall)[-1] / stature(tall) > 1.05 * heights(BODY)[-1] / stature(BODY)
    assert lowest(tall) > heights(tall)[-1]


def shares(bottom):
    """Return how far it ducks with the hips every 0.1 m along a path with a beam at 4 m."""
    ducking = Ducking([Crossed("beam", 4.0, 4.1, bottom, bottom + 0.1, 4.0, 0.0, 0.0)], CHARACTER)
    found = []
    for x in np.arange(0.0, 8.0, 0.1):
        state = standing()
        state.origins += (x, 0.0, 0.0)
        given = ducking.command(command(1.2), state)
        assert given.speed <= 1.2 and (given.speed == 1.2) == (ducking.share == 0.0)
        found.append(ducking.share)
    return np.array(found)


def test_it_bends_before_the_beam_and_rises_behind_it():
    found = shares(1.3)
    most = found.max()
    assert found[0] == found[-1] == 0.0 and 0.0 < most < 1.0
    assert (found[34:43] == most).all()  # its head is before its hips
    assert shares(1.5).max() < most


def test_its_hips_are_lower_as_it_bends():
    ducking = Ducking([Crossed("beam", 4.0, 4.1, 1.3, 1.4, 4.0, 0.0, 0.0)], CHARACTER)
    assert ducking.lower == 0.0
    state = standing()
    state.origins += (4.0, 0.0, 0.0)
    ducking.command(command(), state)
    assert ducking.lower == pytest.approx(ducking.share * LOWER * CHARACTER.leg_length) and ducking.lower > 0.05
    assert {CHARACTER.links[link].role for link, _ in ducking.leans} == set(BENDS)


def test_it_does_not_bend_while_it_steps_over_something():
    beam = Crossed("beam", 4.0, 4.1, 1.3, 1.4, 4.0, 0.0, 0.0)
    for x in (3.0, 4.0, 5.0):
        bar = Crossed("bar", x, x + 0.1, 0.0, 0.25, x, 0.0, 0.0)
        ducking, found = Ducking([beam], CHARACTER, [bar]), []
        for hips in np.arange(x - 0.5, x + 0.55, 0.05):
            state = standing()
            state.origins += (hips, 0.0, 0.0)
            ducking.command(command(), state)
            found.append(ducking.share)
        assert min(found) == max(found) > 0.0
