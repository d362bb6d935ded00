"""How far apart legs pass and stand: as far as the skin of feet and shins wants it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.character.armature import Armature
from blender_biped.character.model import Character
from blender_biped.character.reading import character_from_json
from blender_biped.character.roles import map_bones
from blender_biped.character.skin import skin_from
from blender_biped.character.standard import standard_armature, standard_character
from blender_biped.motion.similarity import at_reference_size
from tests.character.test_hanging import built, tube


def shod(radius: float, part: str = "foot", scale: float = 1.0) -> Armature:
    """Return the standard armature with a skin of a radius, m, on parts of both legs."""
    rig = standard_armature()
    names = [map_bones(rig).bones[f"{part}.{side}"][0] for side in "LR"]
    bones = [rig.bones[rig.index[name]] for name in names]
    parts = [tube(bone.head, bone.tail, radius) for bone in bones]
    points, owners = np.concatenate(parts), np.repeat([0, 1], len(parts[0]))
    skin = skin_from(points, np.zeros((0, 2), dtype=int), names, np.arange(len(points)), owners, np.ones(len(points)))
    return replace(rig, skin=skin, world=np.diag((scale, scale, scale, 1.0)) @ rig.world)


def ankles(body: Character) -> float:
    """Return how far apart a body's ankles are as it stands, m."""
    origins = body.standing()[0]
    return abs(float(origins[body.index("foot.L")][1] - origins[body.index("foot.R")][1]))


def test_broad_shoes_pass_and_stand_farther_apart() -> None:
    narrow, broad = (built(shod(radius)) for radius in (0.03, 0.05))
    assert broad.feet_apart - narrow.feet_apart == pytest.approx(0.04, abs=0.01)
    assert 0.1 < broad.feet_apart < broad.legs_apart + 1e-9 < ankles(broad)


def test_boots_that_are_broad_at_the_knee_stand_farther_apart_than_they_pass() -> None:
    rig = shod(0.07, "shin")
    assert rig.skin is not None
    x, _, z = rig.skin.points.T
    thin = np.where(z < 0.3, np.copysign(0.5 * ankles(built(rig)), x), x)
    body = built(replace(rig, skin=replace(rig.skin, points=np.column_stack((thin, rig.skin.points[:, 1:])))))
    assert body.feet_apart < 0.05 < body.legs_apart < ankles(body)


def test_no_skin_wants_legs_no_farther_apart_than_they_stand() -> None:
    body = built(shod(0.4))
    assert body.feet_apart == body.legs_apart == pytest.approx(ankles(body))


def test_a_body_without_skin_has_no_distance_of_its_own() -> None:
    body = standard_character()
    assert (body.feet_apart, body.legs_apart) == (0.0, 0.0)


def test_the_distance_has_the_body_s_size() -> None:
    once, twice = built(shod(0.05)), built(shod(0.05, scale=2.0))
    assert twice.feet_apart == pytest.approx(2.0 * once.feet_apart)
    assert at_reference_size(twice).feet_apart == pytest.approx(at_reference_size(once).feet_apart)


def test_it_is_kept_with_the_character_and_older_ones_have_none() -> None:
    data = built(shod(0.05)).as_json()
    assert character_from_json(data).feet_apart == data["feet_apart"] > 0.0
    del data["feet_apart"], data["legs_apart"]
    assert character_from_json(data).legs_apart == 0.0
