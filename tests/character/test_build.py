"""What of a body's build makes it easy or hard to balance."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blender_biped.character.body import build_character
from blender_biped.character.build import Build, build_of, sole_of
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature, standard_character
from blender_biped.motion.similarity import at_reference_size

PEOPLE = Build(wide=1.0, tall=1.0, short=1.0, narrow=1.0, long=1.0, broad=1.0)


def build(**scales: float) -> Build:
    rig = standard_armature(**scales)
    return build_of(build_character(rig, map_bones(rig), None))


def test_an_adult_of_any_size_is_built_as_people_are() -> None:
    assert build_of(standard_character()) == PEOPLE
    assert build(stature=0.4) == build(stature=7.0) == PEOPLE
    assert build(hip_scale=1.2, foot_scale=1.2) == build(hip_scale=0.6, foot_scale=0.8) == PEOPLE


def test_each_share_says_how_far_a_body_is_from_people() -> None:
    assert build(hip_scale=2.5).wide == pytest.approx(2.0, rel=0.01)
    assert build(trunk_scale=2.0).tall > 1.2
    assert 0.6 < build(foot_scale=0.5).short < 0.9
    assert build(foot_scale=2.0).long > 1.3 and build(foot_scale=2.0).broad > 1.3
    short_legs = build(leg_scale=0.5)
    assert short_legs.wide > 1.4 and short_legs.tall > 1.1 and short_legs.long > 1.3


def test_it_is_the_same_at_reference_size() -> None:
    rig = standard_armature(leg_scale=0.6, hip_scale=2.0, head_scale=3.0)
    body = build_character(rig, map_bones(rig), None)
    own, reference = build_of(body), build_of(at_reference_size(body))
    for name in Build.__dataclass_fields__:
        assert getattr(own, name) == pytest.approx(getattr(reference, name), rel=1e-9)


def test_of_toes_that_give_way_half_bears() -> None:
    body = standard_character()
    toes = body.index("toes.L")
    link = body.links[toes]
    stiff = replace(body, links=(*body.links[:toes], replace(link, joint="fixed"), *body.links[toes + 1 :]))
    soft, whole = sole_of(body, "L"), sole_of(stiff, "L")
    tip = link.shape.center[0] + link.shape.half[0]
    assert whole.toe - soft.toe == pytest.approx(0.5 * tip)
    assert whole.heel == soft.heel < 0.0 < soft.half_width
