from dataclasses import replace

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.natural.steps.settings import read_settings
from blender_biped.control.natural.steps.strides import PADS, Strides, lowered
from blender_biped.control.registry import preset
from blender_biped.control.shared import limb
from blender_biped.control.shared.legs import LEFT, RIGHT, legs_of
from blender_biped.motion.similarity import at_reference_size

CHARACTER = at_reference_size(standard_character())
LEGS = legs_of(CHARACTER)
TIPTOE = read_settings(preset("natural", "tiptoe").values).style
FLAT = replace(TIPTOE[0], tiptoe=0.0), *TIPTOE[1:]


def ball_of(table, leg, side, sample):
    """Return where a foot's toes' joint is above the sole, m: ahead, up."""
    pitch, (x, _, z) = table.pitches[sample, side], table.ankles[sample, side]
    ahead, down = leg.ball, -leg.ankle_height
    return x + ahead * np.cos(pitch) + down * np.sin(pitch), z - ahead * np.sin(pitch) + down * np.cos(pitch)


@pytest.mark.parametrize("speed", [0.4, 0.8])
@pytest.mark.parametrize("side", [LEFT, RIGHT])
def test_a_step_on_toes_stands_where_its_toes_are(side, speed):
    table, leg = Strides(CHARACTER, TIPTOE, 9.81).tables(speed)[side], LEGS[side]
    assert table.on_toes
    assert np.degrees(table.pitches[:, side]).min() > 30.0
    ahead, up = ball_of(table, leg, side, 24)
    assert ahead == pytest.approx(leg.ball, abs=0.003) and up == pytest.approx(0.0, abs=0.005)
    ahead, up = ball_of(table, LEGS[1 - side], 1 - side, -1)
    assert ahead == pytest.approx(table.length + leg.ball, abs=0.003) and up == pytest.approx(0.0, abs=0.005)


def test_a_body_on_its_toes_is_carried_over_them():
    table, leg = Strides(CHARACTER, TIPTOE, 9.81).tables(0.6)[LEFT], LEGS[LEFT]
    middle = leg.ball + PADS * leg.toe_length - 0.5 * table.double * table.length
    assert table.com[:, 0].mean() == pytest.approx(middle, abs=0.003)


def test_a_step_with_the_heels_lower_is_between_both():
    flat, up = (Strides(CHARACTER, style, 9.81).tables(0.6)[LEFT] for style in (FLAT, TIPTOE))
    assert not flat.on_toes and lowered(flat, up, 0.0, LEFT, LEGS) is flat
    half = lowered(flat, up, 0.5, LEFT, LEGS)
    assert half.on_toes
    assert np.allclose(half.pitches, 0.5 * (flat.pitches + up.pitches))
    # It is pressed at its ball already, so the body is over that.
    assert half.com[:, 0].mean() == pytest.approx(up.com[:, 0].mean(), abs=1e-6)
    drop = np.array([limb.drop(LEGS[LEFT], pitch) for pitch in half.pitches[:, LEFT]])
    assert np.allclose(half.ankles[:, LEFT, 2], drop, atol=0.005)
    landed = limb.drop(LEGS[RIGHT], half.pitches[-1, RIGHT])
    assert half.ankles[-1, RIGHT, 2] == pytest.approx(landed, abs=0.005)
