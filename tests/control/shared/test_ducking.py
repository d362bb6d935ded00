"""Ducking: how low a body gets, and how far it bends by how near it is."""

import numpy as np
import pytest

from blender_biped.character.figure import stature
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.ducking import BENDS, DEEPEST, LOOKS, LOWER, MARGIN, Ducking, ducks, heights, outline
from blender_biped.motion.similarity import at_reference_size
from blender_biped.world.obstacles import Crossed
from tests.control.bodies import CHARACTER, command, standing
from tools.trials.builds import Build
from tools.trials.obstacles import BODIES

BODY = standard_character()


def test_a_body_gets_lower_the_farther_it_ducks():
    table = heights(BODY)
    assert len(table) == LOOKS + 1 and table[0] == pytest.approx(stature(BODY))
    assert (np.diff(table) < 0.0).all()
    assert ducks(BODY).lowest == pytest.approx(DEEPEST * stature(BODY))


def test_who_has_longer_legs_gets_less_low():
    tall = Build(1.5, 1.0, 1.0, 1.0, 0.0).character()
    assert heights(tall)[-1] / stature(tall) > 1.05 * heights(BODY)[-1] / stature(BODY)
    assert ducks(tall).lowest > heights(tall)[-1]


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
    assert (found[34:42] == most).all()  # its head is before its hips
    assert shares(1.5).max() < most


def test_its_hips_are_lower_as_it_bends():
    ducking = Ducking([Crossed("beam", 4.0, 4.1, 1.3, 1.4, 4.0, 0.0, 0.0)], CHARACTER)
    assert ducking.lower == 0.0
    state = standing()
    state.origins += (4.0, 0.0, 0.0)
    ducking.command(command(), state)
    assert ducking.lower == pytest.approx(ducking.share * LOWER * CHARACTER.leg_length) and ducking.lower > 0.05
    assert {CHARACTER.links[link].role for link, _ in ducking.leans} == set(BENDS)


@pytest.mark.parametrize("name", list(BODIES))
def test_no_part_that_is_too_high_comes_under_a_beam_before_the_body_is_low_enough(name):
    body = at_reference_size(BODIES[name]())
    own, spare = outline(body), MARGIN * body.leg_length
    for share in (0.95, 0.9, 0.8, ducks(body).lowest / stature(body)):
        bottom = share * stature(body)
        ducking = Ducking([Crossed("beam", 4.0, 4.1, bottom, bottom + 0.1, 4.0, 0.0, 0.0)], body)
        state = standing()
        before, behind = ducks(body).way(bottom)
        for hips in np.arange(4.0 - before - 0.1, 4.1 + behind + 0.1, 0.02):
            state.origins[:] = (hips, 0.0, 0.0)
            ducking.command(command(), state)
            at = ducking.share * LOOKS
            tops, ahead, back = (own_at(table, at) for table in (own.tops, own.ahead, own.behind))
            under = (hips + ahead > 4.0) & (hips + back < 4.1)
            assert tops[under].max(initial=0.0) < bottom - 0.5 * spare, (share, hips)
            outside = not 4.0 - before < hips < 4.1 + behind
            assert not (outside and ducking.share > 1e-6)


def own_at(table, at):
    """Return the row of a table between two of its looks."""
    i = min(int(at), LOOKS - 1)
    return table[i] + (at - i) * (table[i + 1] - table[i])


def test_a_large_head_on_short_legs_is_low_sooner():
    adult, short = (
        ducks(body).way(DEEPEST * stature(body))[0] / body.leg_length
        for body in (BODY, BODIES["short legs, large head"]())
    )
    assert short > adult + 0.1


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
