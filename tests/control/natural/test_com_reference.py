"""The CoM reference: it comes back after two steps, in a bend too, and a first step ends on it."""

import cmath
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.natural.steps.com_reference import (
    DesiredSteps,
    Pendulum,
    begun,
    com_references,
    handover,
    rolled,
    rolled_at,
)
from blender_biped.control.natural.steps.settings import read_settings
from blender_biped.control.natural.steps.step_table import GRID, between
from blender_biped.control.natural.steps.strides import LOW_HEELS, Strides
from blender_biped.control.registry import preset
from blender_biped.control.shared.legs import legs_of
from blender_biped.motion.similarity import at_reference_size

GRAVITY = 9.81
CHARACTER = at_reference_size(standard_character())
LEGS = legs_of(CHARACTER)
STYLE = read_settings(preset("natural", "default").values).style
STRIDES = Strides(CHARACTER, STYLE, GRAVITY)
PENDULUM = Pendulum(LEGS, GRAVITY, CHARACTER.mass)


def way(speed, turn=0.0, drift=0.0):
    return DesiredSteps(speed, drift, turn, abs(STRIDES.tables(speed)[0].width))


@pytest.mark.parametrize("speed", [0.4, 0.9, 1.2, 1.6])
@pytest.mark.parametrize("turn", [0.0, 0.7, -0.5])
def test_steps_go_on_from_each_other(speed, turn):
    tables = STRIDES.tables(speed)
    found = com_references(PENDULUM, tables, way(speed, turn), 1.0)
    for side in (0, 1):
        own, other = found[side], found[1 - side]
        chord = speed * tables[side].time * cmath.exp(0.5j * own.turn)
        half = 0.5j * abs(tables[0].width) * (1 if side == 0 else -1)
        foothold = chord - half * (1.0 + cmath.exp(1j * own.turn))
        back = cmath.exp(-1j * own.turn)
        assert back * (own.place[-1] - foothold) == pytest.approx(other.place[0], abs=1e-6)
        assert back * own.velocity[-1] == pytest.approx(other.velocity[0], abs=1e-6)


def test_the_mean_speed_is_the_desired_one():
    tables = STRIDES.tables(1.2)
    left, _ = com_references(PENDULUM, tables, way(1.2), 1.0)
    assert (left.place[-1] - left.place[0]).real / tables[0].time == pytest.approx(1.2, abs=0.02)


@pytest.mark.parametrize("turn", [0.6, -0.6])
def test_in_a_bend_the_body_leans_inwards(turn):
    tables = STRIDES.tables(1.2)
    both = com_references(PENDULUM, tables, way(1.2, turn), 1.0)
    straight = com_references(PENDULUM, tables, way(1.2), 1.0)
    lean = np.mean([np.mean(a.place.imag - b.place.imag) for a, b in zip(both, straight, strict=True)])
    assert np.sign(lean) == np.sign(turn)
    # v omega = g tan(lean), and its feet are below it on average
    assert abs(lean) == pytest.approx(1.2 * 0.6 / both[0].frequency ** 2, rel=0.35)


def test_the_handover_puts_the_body_where_the_style_has_it():
    for speed in (0.8, 1.2):
        tables = STRIDES.tables(speed)
        share, other = (handover(PENDULUM, tables, way(speed), guess) for guess in (0.6, 1.6))
        assert share == pytest.approx(other, abs=0.005)  # wherever it is looked for
        found = com_references(PENDULUM, tables, way(speed), share)
        ahead = np.mean([np.mean(c.place.real - t.com[:, 0]) for c, t in zip(found, tables, strict=True)])
        assert abs(ahead) < 0.003


def test_a_first_step_ends_on_the_course_or_says_what_it_lacks():
    tables = STRIDES.tables(0.6)
    reference = com_references(PENDULUM, tables, way(0.6), 1.0)[0]
    room = complex(-0.06, -0.03), complex(0.12, 0.03)
    phase = tables[0].double
    near = complex(-0.02, -0.012), complex(0.1, 0.02)
    found, lacking = begun(PENDULUM, reference, tables, 0, phase, near, complex_wide())
    assert abs(lacking) < 1e-9
    assert found.capture[-1] == pytest.approx(reference.capture[-1], abs=0.005)
    i = round(phase * GRID)
    assert (found.place[i], found.velocity[i]) == (pytest.approx(near[0]), pytest.approx(near[1]))
    _, lacking = begun(PENDULUM, reference, tables, 0, phase, (complex(-0.02, -0.09), 0j), room)
    assert abs(lacking.imag) > 0.02  # its weight must be shifted first


def complex_wide():
    return complex(-9.0, -9.0), complex(9.0, 9.0)


def test_feet_are_rolled_from_heel_to_toes_and_less_when_slow():
    leg, phases = LEGS[0], np.linspace(0.0, 1.2, 13)
    fast = rolled(leg, phases, 1.2, 0.2)
    assert fast[0] < 0.0 < leg.ball < fast[-1] and (np.diff(fast) >= 0.0).all()
    slow = rolled(leg, phases, 0.0, 0.2)
    assert np.ptp(slow) == 0.0 and 0.0 < slow[0] < leg.ball
    back = rolled(leg, phases, -1.2, 0.2)
    assert back == pytest.approx(fast[::-1]) and back[0] > leg.ball  # from 0 to where the foot behind leaves the ground


def test_steps_back_are_those_ahead_played_backwards_on_lower_heels():
    for ahead, back in zip(
        STRIDES.tables(0.6), Strides(CHARACTER, STYLE, GRAVITY, backs=True).tables(0.6), strict=True
    ):
        assert back.time == pytest.approx(ahead.time) and back.double == pytest.approx(ahead.double)
        assert back.length == pytest.approx(-ahead.length, rel=0.05) and back.width == pytest.approx(
            ahead.width, abs=0.01
        )
        assert np.ptp(back.pelvis[:, 0]) == pytest.approx(np.ptp(ahead.pelvis[:, 0]), rel=0.05)
        assert (np.diff(back.pelvis[:, 0]) < 0.0).all()
    lands = ahead.pitches[round(ahead.double * GRID), 0]  # as it leaves the ground, going ahead
    assert back.pitches[-1, 0] == pytest.approx(LOW_HEELS * lands, abs=0.05) and lands > 0.5


@pytest.mark.parametrize("direction", [0.0, 90.0, 180.0, -90.0])
def test_a_course_goes_where_its_way_does(direction):
    onward = 0.3 * np.exp(1j * np.radians(direction))
    tables = Strides(CHARACTER, STYLE, GRAVITY, backs=direction == 180.0).tables(0.5)
    left, right = com_references(PENDULUM, tables, DesiredSteps(onward.real, onward.imag, 0.0, 0.3), 1.0)
    gone_both = sum(complex(c.place[-1] - c.place[0]) for c in (left, right))
    assert gone_both == pytest.approx(onward * sum(t.time for t in tables), abs=1e-6)


def test_tables_are_steps_of_the_desired_speed_mirrored_from_side_to_side():
    left, right = STRIDES.tables(1.13)
    assert left.length / left.time == pytest.approx(1.13, rel=0.02)
    assert left.time == pytest.approx(right.time) and left.width == pytest.approx(-right.width, abs=1e-6)
    assert left.pelvis[:, 1] == pytest.approx(-right.pelvis[:, 1], abs=1e-6)
    assert between(left.com, 2.0) == pytest.approx(left.com[-1])


def test_a_stagger_is_no_part_of_a_table():
    manner, attributes, constants = STYLE
    drunk = Strides(CHARACTER, (replace(manner, stagger=1.0), attributes, constants), GRAVITY)
    for a, b in zip(drunk.tables(1.0), STRIDES.tables(1.0), strict=True):
        assert a.rows == pytest.approx(b.rows)


@pytest.mark.parametrize("phase", [0.0, 0.3, 0.8, 1.0])
def test_the_capture_point_ends_where_the_course_has_it_and_what_is_off_grows(phase):
    tables = STRIDES.tables(1.2)
    reference = com_references(PENDULUM, tables, way(1.2), 1.0)[0]
    planned = (1.0 - phase) * tables[0].time
    assert reference.capture_ahead(phase, planned, 0j, planned) == pytest.approx(complex(reference.capture[-1]))
    off = reference.capture_ahead(phase, planned, 0.02j, planned) - complex(reference.capture[-1])
    assert off == pytest.approx(0.02j * np.exp(reference.frequency * planned))


def test_a_step_that_is_hurried_catches_the_body_sooner_and_nearer():
    tables = STRIDES.tables(1.2)
    reference = com_references(PENDULUM, tables, way(1.2), 1.0)[0]
    planned = 0.6 * tables[0].time
    late, soon = (reference.capture_ahead(0.4, planned, 0.1j, share * planned) for share in (1.0, 0.5))
    assert soon.imag < late.imag and soon.real < late.real


def test_the_posture_is_a_rotation_and_leans_as_the_style_does():
    slouched = read_settings({**preset("natural", "default").values, "manner": {"slouch": 20.0}}).style
    other = Strides(CHARACTER, slouched, GRAVITY)
    chest = CHARACTER.index("chest")
    for strides in (STRIDES, other):
        turn = strides.posture[chest]
        assert turn @ turn.T == pytest.approx(np.eye(3), abs=1e-9) and np.linalg.det(turn) > 0.0
    lean = np.degrees(np.arctan2(other.posture[chest, 0, 2], other.posture[chest, 2, 2]))
    usual = np.degrees(np.arctan2(STRIDES.posture[chest, 0, 2], STRIDES.posture[chest, 2, 2]))
    assert lean - usual == pytest.approx(20.0, abs=3.0)


def test_short_steps_swing_the_body_the_less():
    tables = STRIDES.tables(0.5)
    whole, short, none = (com_references(PENDULUM, tables, way(v), 1.0)[0] for v in (0.5, 0.25, 0.0))
    assert whole.share == pytest.approx(1.0, abs=0.02)
    assert short.share == pytest.approx(0.5, abs=0.02)
    assert none.share == 0.0
    sways = [float(np.ptp(c.velocity.real - np.linspace(c.velocity[0].real, c.velocity[-1].real, GRID + 1)))
             for c in (whole, none)]  # fmt: skip
    assert sways[1] < 0.7 * sways[0]


def test_what_swings_the_body_is_how_fast_its_momentum_changes():
    table = STRIDES.tables(1.2)[0]
    gained = np.cumsum(0.5 * (table.momentum_rates[1:] + table.momentum_rates[:-1]), axis=0) / GRID
    off = gained - (table.momenta[1:] - table.momenta[0])
    # KLAW's feet come down at once, and that is smoothed the most; feet that glide in throw the body half as hard.
    klaw = Strides(CHARACTER, STYLE, GRAVITY, level=False).tables(1.2)[0]
    swings, most = (np.ptp(one.momenta, axis=0).max() for one in (table, klaw))
    assert np.abs(off).max() < 0.05 * most and swings < 0.6 * most


@pytest.mark.parametrize("speed", [-1.2, 0.0, 0.5, 1.6])
def test_one_phase_is_rolled_as_many_are_bit_for_bit(speed):
    phases = np.concatenate((np.linspace(-0.2, 2.2, 97), (0.25, 0.5, 0.8, 1.0, 1.3)))
    found = [rolled_at(LEGS[0], phase, speed, 0.2) for phase in phases.tolist()]
    assert found == rolled(LEGS[0], phases, speed, 0.2).tolist()
