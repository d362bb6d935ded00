from dataclasses import replace

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.natural.steps.settings import read_settings
from blender_biped.control.natural.steps.soft_steps import WAVES, soft_steps
from blender_biped.control.natural.steps.step_table import PADS, lowered
from blender_biped.control.natural.steps.strides import Strides
from blender_biped.control.registry import preset
from blender_biped.control.shared import limb
from blender_biped.control.shared.legs import LEFT, RIGHT, legs_of
from blender_biped.motion.similarity import at_reference_size

CHARACTER = at_reference_size(standard_character())
LEGS = legs_of(CHARACTER)
TIPTOE = read_settings(preset("natural", "tiptoe").values).style
NATURAL = read_settings(preset("natural", "default").values).style
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


def of_both_grounds(speed: float):
    """Return the steps as KLAW has them, for ground that is not level, and those for level ground."""
    return tuple(Strides(CHARACTER, NATURAL, 9.81, level=level).tables(speed) for level in (False, True))


@pytest.mark.parametrize("speed", [0.6, 1.2])
def test_on_level_ground_hips_rise_and_sink_more_softly_about_the_same_height(speed):
    sharp, soft = of_both_grounds(speed)
    for klaw, own in zip(sharp, soft, strict=True):
        assert own.mean_height == pytest.approx(klaw.mean_height, abs=1e-3)
        assert own.com[:, 2] - own.pelvis[:, 2] == pytest.approx(klaw.com[:, 2] - klaw.pelvis[:, 2], abs=1e-9)
        hardest = [np.abs(np.diff(table.pelvis[:, 2], 2)).max() for table in (klaw, own)]
        assert hardest[1] < 0.7 * hardest[0]
    assert soft[LEFT].pelvis[-1, 2] == pytest.approx(soft[RIGHT].pelvis[0, 2], abs=1e-3)  # one step leads to the next


def waves_of(tables):
    """Return heights of the hips over two steps, m, how far their waves go, m, and how they accelerate, m/s2."""
    heights = np.concatenate([table.pelvis[:-1, 2] for table in tables])
    sizes = 2.0 / len(heights) * np.abs(np.fft.rfft(heights))
    return heights, sizes, sizes * (2.0 * np.pi * np.arange(len(sizes)) / sum(table.time for table in tables)) ** 2


@pytest.mark.parametrize("speed", [0.6, 1.0, 1.6])
def test_legs_that_bear_are_pressed_no_harder_and_reach_no_farther_than_they_can(speed):
    (sharp, size, push), (soft, own, given) = (waves_of(tables) for tables in of_both_grounds(speed))
    assert own[2] <= min(WAVES.step * size[2], WAVES.highest + 0.001) + 1e-6  # the bounce that the style has
    assert given[4:8:2] == pytest.approx(np.minimum(push[4:8:2], WAVES.faster), abs=0.01)
    assert soft[0] <= sharp[0] + 1e-4  # as the foot strikes


def test_a_style_that_bounces_keeps_its_wave():
    tables = Strides(CHARACTER, NATURAL, 9.81, level=False).tables(1.6)
    calm, bouncing = (waves_of(soft_steps(CHARACTER, tables, bounce=bounce))[1][2] for bounce in (0.0, 0.8))
    assert calm == pytest.approx(WAVES.highest) and bouncing == pytest.approx(WAVES.step * waves_of(tables)[1][2])


@pytest.mark.parametrize("side", [LEFT, RIGHT])
def test_on_level_ground_the_foot_in_front_comes_down_more_slowly_from_the_same_tilt(side):
    klaw, own = (tables[side].pitches[:, side] for tables in of_both_grounds(1.3))
    assert own[0] == pytest.approx(klaw[0]) and own[0] < -0.2
    flat = [int(np.argmax(pitches > -0.005)) for pitches in (klaw, own)]
    assert flat[1] > 1.2 * flat[0]
    assert np.diff(own[: flat[1]]).max() < 0.85 * np.diff(klaw[: flat[0]]).max()
    assert own[flat[1] :] == pytest.approx(klaw[flat[1] :], abs=0.005)


@pytest.mark.parametrize("style", ["backward", "tiptoe"])
def test_steps_that_come_down_toes_first_are_klaws(style):
    own = read_settings(preset("natural", style).values)
    both = (Strides(CHARACTER, own.style, 9.81, own.backs, level).tables(0.5) for level in (False, True))
    for klaw, found in zip(*both, strict=True):
        assert np.array_equal(klaw.pelvis, found.pelvis) and np.array_equal(klaw.pitches, found.pitches)


def test_steps_of_quick_bends_are_klaws():
    soft, own = (Strides(CHARACTER, NATURAL, 9.81, level=level) for level in (True, False))
    for speed, turn in ((1.5, 0.0), (0.8, 0.6)):  # straight ahead, or slow
        assert np.array_equal(soft.tables(speed, turn)[LEFT].ankles, soft.tables(speed)[LEFT].ankles)
    bend, straight, klaw = soft.tables(1.5, 0.6)[LEFT], soft.tables(1.5)[LEFT], own.tables(1.5)[LEFT]
    assert bend.glides == 0.0 < straight.glides
    np.testing.assert_allclose(bend.rotations, klaw.rotations, atol=1e-12)
    between = soft.tables(1.5, 0.2)[LEFT]
    assert 0.0 < between.glides < straight.glides
