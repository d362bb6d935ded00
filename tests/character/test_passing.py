"""How far apart legs pass and stand: as far as the skin of feet and shins wants it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.character.armature import Armature
from blender_biped.character.model import SIDES, Character
from blender_biped.character.reading import character_from_json
from blender_biped.character.roles import map_bones
from blender_biped.character.skin import skin_from
from blender_biped.character.standard import standard_armature, standard_character
from blender_biped.motion.similarity import at_reference_size
from tests.character.humanoid import UP, moved_bone, posed, remade, turn
from tests.character.test_hanging import built, tube


def shod(radius: float, part: str = "foot", scale: float = 1.0) -> Armature:
    """Return the standard armature with a skin of a radius, m, on parts of both legs."""
    rig = standard_armature()
    return replace(with_skin(rig, radius, part), world=np.diag((scale, scale, scale, 1.0)) @ rig.world)


def with_skin(rig: Armature, radius: float, part: str) -> Armature:
    """Return an armature with a skin of a radius, m, on parts of both legs."""
    names = [map_bones(rig).bones[f"{part}.{side}"][0] for side in "LR"]
    bones = [rig.bones[rig.index[name]] for name in names]
    parts = [tube(bone.head, bone.tail, radius) for bone in bones]
    points, owners = np.concatenate(parts), np.repeat([0, 1], len(parts[0]))
    skin = skin_from(points, np.zeros((0, 2), dtype=int), names, np.arange(len(points)), owners, np.ones(len(points)))
    return replace(rig, skin=skin)


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


def test_skin_that_is_in_the_other_leg_in_rest_may_be_so() -> None:
    body, bare = built(shod(0.4)), standard_character()
    assert body.legs_apart == pytest.approx(ankles(bare), abs=0.03)
    assert ankles(body) == pytest.approx(ankles(bare), abs=0.03)


def wide(radius: float) -> Armature:
    """Return the standard armature with legs far apart, and a skin of a radius, m, on its feet."""
    rig = remade(standard_armature(), lambda point: point * (3.0, 1.0, 1.0))
    return with_skin(rig, radius, "foot")


def test_legs_under_wide_hips_stand_no_wider_than_walks() -> None:
    slim, broad = built(wide(0.01)), built(wide(0.17))
    assert ankles(broad) == pytest.approx(ankles(slim), abs=1e-6)
    assert slim.legs_apart < 0.1 < broad.legs_apart == pytest.approx(ankles(broad))


def test_feet_that_are_turned_ahead_to_stand_do_so_clear_of_each_other() -> None:
    """Feet that point outwards in rest, with their heels together, would be in each other side by side."""
    rig = remade(standard_armature(), lambda point: point * (0.5, 1.0, 1.0))
    turned = {f"foot.{side}": turn(UP, sign * 40.0) for side, sign in (("L", 1.0), ("R", -1.0))}
    body = built(with_skin(posed(rig, turned), 0.045, "foot"))
    assert ankles(body) == pytest.approx(body.legs_apart, abs=2e-3)
    assert ankles(body) > ankles(built(rig)) + 0.01


def test_one_skin_over_both_legs_is_cloth() -> None:
    rig = shod(0.08, "shin")
    assert rig.skin is not None
    count = len(rig.skin.points) // 2
    sewn = np.stack((np.arange(count), count + np.arange(count)), axis=1)
    body = built(replace(rig, skin=replace(rig.skin, edges=sewn)))
    assert (body.feet_apart, body.legs_apart) == (0.0, 0.0) < (built(rig).feet_apart, built(rig).legs_apart)


@pytest.mark.parametrize("side", SIDES)
def test_a_foot_whose_toes_do_not_bend_points_to_their_joint(side: str) -> None:
    """An importer may let the last bone end anywhere."""
    rig = standard_armature()
    for k in SIDES:
        foot, toe = (rig.bones[rig.index[f"{part}.{k}"]] for part in ("foot", "toe"))
        joint = foot.head + 0.2 * (toe.head - foot.head)
        rig = moved_bone(
            moved_bone(rig, foot.name, foot.head, joint), toe.name, joint, joint + np.array((0.1, 0.0, 0.0))
        )
    body, usual = built(rig), standard_character()
    own = body.index(f"foot.{side}")
    assert body.links[body.index(f"toes.{side}")].joint == "fixed"
    assert body.links[own].rest == pytest.approx(usual.links[own].rest, abs=1e-6)


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
