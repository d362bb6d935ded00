"""Swings whose feet glide in over the ground: thigh and shin turn evenly, and begin and end as KLAW has it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.natural.steps.gliding import EFFORT, GLIDING, EvenSwing, ankles_of, glided, leg_angles
from blender_biped.control.natural.steps.settings import read_settings
from blender_biped.control.natural.steps.soft_steps import soft_steps
from blender_biped.control.natural.steps.step_table import GRID
from blender_biped.control.natural.steps.strides import Strides
from blender_biped.control.registry import preset
from blender_biped.control.shared import limb
from blender_biped.control.shared.legs import LEFT, RIGHT, legs_of
from blender_biped.motion.similarity import at_reference_size

CHARACTER = at_reference_size(standard_character())
LEGS = legs_of(CHARACTER)
NATURAL = read_settings(preset("natural", "default").values).style
SPEEDS = pytest.mark.parametrize("speed", [0.6, 1.0, 1.4])
SIDES = pytest.mark.parametrize("side", [LEFT, RIGHT])


def steps(speed, level=True):
    return Strides(CHARACTER, NATURAL, 9.81, level=level).tables(speed)


def lift_off(table):
    return math.ceil(table.double * GRID)


def ankles_from_links(table, leg):
    """Return where thigh and shin have the ankle (G + 1, 3), m."""
    hips = table.pelvis + table.rotations[:, 0] @ CHARACTER.offsets[leg.thigh]
    thigh, shin = table.rotations[:, leg.thigh], table.rotations[:, leg.shin]
    return hips + thigh @ CHARACTER.offsets[leg.shin] + shin @ CHARACTER.offsets[leg.foot]


@SPEEDS
@SIDES
def test_thigh_and_shin_are_where_the_ankle_is(speed, side):
    table, leg = steps(speed)[1 - side], LEGS[side]
    off = (ankles_from_links(table, leg) - table.ankles[:, side])[lift_off(table) :, [0, 2]]
    assert np.abs(off).max() < 0.006  # a leg that leans aside reaches a little less far


@SPEEDS
@SIDES
def test_they_turn_more_evenly_than_klaws(speed, side):
    klaw, own = (steps(speed, level)[1 - side] for level in (False, True))
    leg, swing = LEGS[side], slice(lift_off(own) + 2, GRID)
    hardest = [np.abs(table.angular_accelerations[swing, leg.thigh, 1]).max() for table in (klaw, own)]
    assert hardest[1] < 0.7 * hardest[0]
    angles = np.arctan2(-own.rotations[:, leg.thigh, 0, 2], own.rotations[:, leg.thigh, 2, 2])[swing]
    back = angles[int(angles.argmax()) :]  # ahead, and back once
    assert np.maximum(np.diff(back), 0.0).sum() < np.radians(1.5)
    assert np.diff(angles[: int(angles.argmax())]).min() > -0.002


@SPEEDS
@SIDES
def test_the_foot_clears_the_ground_glides_and_ends_in_klaws_strike(speed, side):
    klaw, own = (steps(speed, level)[1 - side] for level in (False, True))
    leg, first = LEGS[side], lift_off(own)
    low = own.ankles[:, side, 2] - [limb.drop(leg, pitch) for pitch in own.pitches[:, side]]
    done = (np.arange(GRID + 1) - first) / (GRID - first)
    assert low[first + 1 : -1].min() > 0.0
    late = low[(done > GLIDING.low) & (done < 1.0 - GLIDING.lands)]
    assert late.min() > GLIDING.late - 0.001 and late.max() < GLIDING.late + GLIDING.room + 0.003
    assert own.ankles[first, side] == pytest.approx(klaw.ankles[first, side])
    assert own.ankles[-1, side] - own.length * np.eye(3)[0] == pytest.approx(
        klaw.ankles[-1, side] - klaw.length * np.eye(3)[0], abs=0.002
    )
    assert own.length == pytest.approx(klaw.length, abs=0.01)
    assert own.ankles[:, side, 2] + own.lower == pytest.approx(klaw.ankles[:, side, 2], abs=1e-9)


def late_knee(speed, side):
    """Return how much farther than at its strike a knee is bent late in its swing (K,), degrees."""
    table, leg = steps(speed)[1 - side], LEGS[side]
    thigh, shin = table.rotations[:, leg.thigh], table.rotations[:, leg.shin]
    knee = np.degrees(np.arccos(np.clip(np.einsum("ti,ti->t", thigh[:, :, 2], shin[:, :, 2]), -1.0, 1.0)))
    done = (np.arange(GRID + 1) - lift_off(table)) / (GRID - lift_off(table))
    return knee[(done > EFFORT.fully) & (done < 1.0)] - knee[-1]


@SPEEDS
@SIDES
def test_the_knee_is_straight_before_the_heel_strikes(speed, side):
    assert np.abs(late_knee(speed, side)).max() < 4.0


def test_knees_of_who_stops_are_let_down_bent():
    count, leg = 12, LEGS[LEFT]
    hips = np.stack((np.linspace(0.0, 0.4, count + 3), np.full(count + 3, 0.75)), axis=1)
    ankles = np.stack((np.linspace(-0.4, 0.7, count + 3), np.full(count + 3, 0.1)), axis=1)
    for speed, straightens in ((EFFORT.stops, False), (EFFORT.walks, True)):
        swing = EvenSwing(leg, hips, ankles, (np.zeros(count), np.ones(count)), 0.4 / (count + 2) / speed)
        bent = np.concatenate((np.full(count, 0.3), np.zeros(count)))
        assert swing.missing(bent)[0][4 * count : 5 * count].any() == straightens


@SPEEDS
def test_rates_are_those_of_the_links(speed):
    table, leg = steps(speed)[LEFT], LEGS[RIGHT]
    links, swing = [leg.thigh, leg.shin], slice(lift_off(table) + 2, GRID - 1)
    real = limb.angular_velocity(table.rotations[2:, links], table.rotations[:-2, links], 2.0 / GRID)
    assert np.abs(table.angular_velocities[1:-1, links] - real)[swing].max() < 0.05


def test_the_left_step_mirrors_the_right_one():
    left, right = steps(1.2)
    assert left.ankles[:, RIGHT, [0, 2]] == pytest.approx(right.ankles[:, LEFT, [0, 2]], abs=1e-3)
    assert left.lower == pytest.approx(right.lower, abs=1e-3)


def test_feet_that_land_flat_or_all_but_stand_are_let_down_as_klaw_has_them():
    tables = steps(1.0, level=False)
    flat = tuple(replace(table, pitches=np.maximum(table.pitches, -GLIDING.heel)) for table in tables)
    assert glided(CHARACTER, LEGS[RIGHT], RIGHT, flat) is flat[0]
    slow = tuple(replace(table, time=table.length / GLIDING.slow) for table in tables)
    assert glided(CHARACTER, LEGS[RIGHT], RIGHT, slow) is slow[0]
    half = glided(CHARACTER, LEGS[RIGHT], RIGHT, tuple(
        replace(table, time=2.0 * table.length / (GLIDING.slow + GLIDING.fast)) for table in tables
    ))  # fmt: skip
    assert half.glides == pytest.approx(0.5)
    assert 0.0 < half.lower.max() < soft_steps(CHARACTER, tables)[LEFT].lower.max()


def test_angles_and_ankles_are_each_others_inverse():
    leg, hips = LEGS[LEFT], np.zeros((4, 2))
    ankles = np.array(((0.3, -0.7), (-0.4, -0.6), (0.0, -0.5), (0.1, -0.8)))
    assert ankles_of(leg, hips, leg_angles(leg, hips, ankles)) == pytest.approx(ankles)
    knee = leg_angles(leg, hips, ankles) @ (1.0, -1.0)
    assert (knee > 0.0).all()  # and no knee bends the wrong way


def test_the_slopes_are_those_of_what_is_missing():
    leg, count = LEGS[LEFT], 12
    rng = np.random.default_rng(1)
    hips = np.stack((np.linspace(0.0, 0.4, count + 3), np.full(count + 3, 0.85)), axis=1)
    ankles = np.stack((np.linspace(-0.4, 0.7, count + 3), 0.1 + 0.02 * rng.random(count + 3)), axis=1)
    low = rng.uniform(0.08, 0.12, count)
    swing = EvenSwing(leg, hips, ankles, (low, low + 0.01), 0.01)
    values = swing.start.T.ravel() + 0.1 * rng.normal(size=2 * count)
    slopes, small = swing.missing(values)[1](), 1e-6
    for k, step in enumerate(small * np.eye(2 * count)):
        off = (swing.missing(values + step)[0] - swing.missing(values - step)[0]) / (2.0 * small)
        assert slopes[:, k] == pytest.approx(off, rel=1e-4, abs=1e-3)


@pytest.mark.parametrize(("name", "high"), [("march", 0.25), ("happy", 0.01)])
def test_knees_that_a_style_lifts_are_lifted(name, high):
    style = read_settings(preset("natural", name).values).style
    klaw, own = (Strides(CHARACTER, style, 9.81, level=level).tables(1.3) for level in (False, True))
    for side in (LEFT, RIGHT):
        ankles = [tables[1 - side].ankles[:, side, 2] for tables in (klaw, own)]
        assert ankles[1].max() - LEGS[side].ankle_height > high
        assert name != "march" or ankles[0].max() - ankles[1].max() < 0.03


def test_the_higher_a_foot_is_lifted_the_less_it_glides():
    shares = [GLIDING.share(-0.3, 1.2, over) for over in (0.05, 0.12, 0.16, 0.2, 0.3)]
    assert shares == sorted(shares, reverse=True)
    assert shares[:2] == [1.0, 1.0] and 0.0 < shares[2] < 1.0 and shares[3:] == [0.0, 0.0]


def test_they_are_lifted_less_in_bends():
    style = read_settings(preset("natural", "march").values).style
    walks = Strides(CHARACTER, style, 9.81)
    highest = [max(float(t.ankles[:, :, 2].max()) for t in walks.tables(1.0, turn)) for turn in (0.0, 0.2, 0.4)]
    assert highest[0] - highest[1] > 0.03 and highest[1] - highest[2] > 0.03
