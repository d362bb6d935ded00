"""How fast a body walks by itself."""

from dataclasses import replace

import pytest

from blender_biped.character.armature import Armature
from blender_biped.character.body import build_character
from blender_biped.character.build import build_of
from blender_biped.character.model import Character
from blender_biped.character.natural_speed import ease, natural_speed
from blender_biped.character.reference import REFERENCE_LEG
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature, standard_character
from tools.measure.grid import characters


def body_of(rig: Armature) -> Character:
    return build_character(rig, map_bones(rig), None)


def test_speeds_grow_with_the_square_root_of_the_leg() -> None:
    adult = standard_character(stature=1.75)
    giant = standard_character(mass=None, stature=4.0 * 1.75)
    assert natural_speed(adult, 1.2) == pytest.approx(1.2 * (adult.leg_length / REFERENCE_LEG) ** 0.5)
    assert natural_speed(giant, 1.2) == pytest.approx(2.0 * natural_speed(adult, 1.2))


def test_very_wide_hips_make_slower() -> None:
    bodies = characters()
    assert ease(bodies["standard"]) == ease(bodies["wide-hips"]) == 1.0
    broad = standard_character()
    links = tuple(
        replace(k, offset=(k.offset[0], 4.0 * k.offset[1], k.offset[2])) if k.role.startswith("thigh") else k
        for k in broad.links
    )
    hips = 4.0 * abs(broad.links[broad.index("thigh.L")].offset[1]) / broad.leg_length
    assert hips > 0.15
    assert ease(replace(broad, links=links)) == pytest.approx((hips / 0.15) ** -0.75)


def test_short_soles_and_a_high_trunk_make_slower() -> None:
    short, tall = (body_of(standard_armature(**scales)) for scales in ({"foot_scale": 0.6}, {"trunk_scale": 1.6}))
    assert ease(short) == pytest.approx(build_of(short).short)
    assert 0.7 < ease(short) < 0.9
    height = float(tall.masses @ tall.com_positions(*tall.standing())[:, 2]) / tall.mass / tall.leg_length
    adult = standard_character()
    usual = float(adult.masses @ adult.com_positions(*adult.standing())[:, 2]) / adult.mass / adult.leg_length
    assert ease(tall) == pytest.approx((usual / height) ** 0.5)
    assert ease(tall) < 0.95


def test_a_tail_makes_slower() -> None:
    adult = standard_character()
    pelvis = adult.links[0]
    heavy = replace(adult, links=(replace(pelvis, mass=3.0 * pelvis.mass), *adult.links[1:]))
    share = 3.0 * pelvis.mass / heavy.mass
    assert ease(heavy) == pytest.approx(max(1.0 - 3.2 * (share - 0.15), 0.55))
    assert ease(heavy) < 1.0
