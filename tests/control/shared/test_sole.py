"""Soles: where a foot can be pressed, and what its toes are held with."""

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.control.shared.sole import DOWN, ONTO_TOES, FootLoad, pressed, sole_of, toe_drops
from tests.control.shared.test_whole_body import CHARACTER, LEGS, standing

LEG, DROP = LEGS[0], toe_drops(CHARACTER, LEGS)[0]


def with_toes_up(height):
    """Return a body on flat soles but that the left toes' tip is that high above the ground, m."""
    state = standing()
    matrices, angle = state.matrices.copy(), height / LEG.toe_length
    c, s = np.cos(angle), np.sin(angle)
    matrices[LEG.toes] = ((c, 0.0, -s), (0.0, 1.0, 0.0), (s, 0.0, c))
    return replace(state, matrices=matrices)


def test_toes_that_do_not_touch_are_held_against_nothing():
    on_the_ground, above = (sole_of(with_toes_up(z), LEG, DROP, 0.4) for z in (0.0, 0.004))
    assert on_the_ground.tip_down == pytest.approx(1.0, abs=0.05)
    assert above.tip_down == 0.0
    middle = above.middle(LEG)
    contact = pressed(LEG, above, middle, 1.0, 0.0, FootLoad(on_toes=0.4, taking=0.6, load=700.0))
    joint = above.anchor + LEG.ball * above.ahead
    assert complex(*contact.borne[:2]) == pytest.approx(joint, abs=1e-9)  # no lever: they would be flicked down


def test_toes_come_to_take_their_share_as_the_pressure_comes_to_them():
    sole = replace(sole_of(with_toes_up(0.0), LEG, DROP, 0.2), high=LEG.ball + 0.05)
    load = FootLoad(on_toes=0.2, taking=0.4, load=700.0)
    shares = [
        pressed(LEG, sole, sole.anchor + (LEG.ball + ahead) * sole.ahead, 1.0, 0.0, load).on_toes
        for ahead in (0.0, 0.5 * ONTO_TOES, ONTO_TOES)
    ]
    assert shares == pytest.approx([0.2, 0.3, 0.4])


def test_a_foot_that_is_late_to_come_down_is_not_held_up_on_its_heel():
    sole = sole_of(with_toes_up(0.0), LEG, DROP, 0.0)
    on_heel = replace(sole, pitch=-0.2, low=LEG.heel, high=LEG.heel)

    def ahead(shift, late):
        contact = pressed(LEG, on_heel, sole.anchor, 1.0, 0.0, FootLoad(shift, load=700.0, late=late))
        return ((complex(*contact.place[:2]) - sole.anchor) / sole.ahead).real

    assert ahead(0.03, 0.0) == pytest.approx(LEG.heel + 0.03)  # its ankle bends the foot up against a full load
    assert ahead(0.03, 1.0) == pytest.approx(DOWN)  # it points it down, whatever bears on it
    assert ahead(0.03, 0.5) == pytest.approx(0.5 * (LEG.heel + 0.03 + DOWN))
    assert ahead(-LEG.heel + 0.1, 1.0) == pytest.approx(0.1)
