"""Rigify's human under the names of other programs, games and tongues: every bone is found, with no doubt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
import pytest

from blender_biped.base.errors import RigError
from blender_biped.character.armature import Armature
from blender_biped.character.body import build_character
from blender_biped.character.model import ROLES, SIDES
from blender_biped.character.roles import map_bones
from blender_biped.ui.base.reading import read_armature
from tests.blender.scenes import registered
from tests.character.humanoid import renamed
from tests.character.variants import MIDDLE, VARIANTS, names_of
from tests.marks import long_but
from tools.base.quiet import quiet


@pytest.fixture(autouse=True, scope="module")
def scene(factory_settings: None) -> Iterator[Any]:
    """One scene for all of these tests: they change nothing in it."""
    yield from registered()


SURE = 0.85  # of a mapping, from which the panel shows no warning


@pytest.fixture(scope="module")
def human() -> Armature:
    """Return Rigify's human metarig: with a face, fingers, two bones of the neck, and spreaders on the pelvis."""
    import addon_utils  # found once bpy is loaded

    with quiet():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        addon_utils.enable("rigify", default_set=True)
        bpy.ops.object.armature_human_metarig_add()
    return read_armature(bpy.context.object, 1.0)


def in_words_of(rig: Armature, variant: str) -> Armature:
    """Return Rigify's human with a variant's names, and names that say nothing for all that it has no name for."""
    names = names_of(variant)
    unknown = {bone.name: f"b{k}" for k, bone in enumerate(rig.bones)}
    return renamed(rig, unknown | names)


def test_there_are_many_of_them() -> None:
    assert len(VARIANTS) >= 25


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_bone_is_found_under_the_names_of(variant: str, human: Armature) -> None:
    rig, names = in_words_of(human, variant), names_of(variant)
    found = map_bones(rig)
    assert tuple(found.bones) == ROLES
    assert not found.doubts
    assert found.confidence > SURE
    pelvis, *trunk, neck, head = (names[bone] for bone in MIDDLE)
    assert found.bones["pelvis"][0] == pelvis
    assert [name for role in ("abdomen", "chest") for name in found.bones[role] if name in trunk] == trunk
    assert {neck, head} <= set(found.bones["head"])
    for side in SIDES:
        assert names[f"shoulder.{side}"] in found.bones["chest"]
        for role in ("upper_arm", "forearm", "hand", "thigh", "shin", "foot", "toes"):
            own = names[f"{'toe' if role == 'toes' else role}.{side}"]
            assert found.bones[f"{role}.{side}"][0] == own, role


@pytest.mark.parametrize("variant", long_but(VARIANTS, "Mixamo", "Chinese"))
def test_the_body_is_the_same_under_the_names_of(variant: str, human: Armature) -> None:
    rig = in_words_of(human, variant)
    body, plain = (build_character(one, map_bones(one), 70.0) for one in (rig, in_words_of(human, "Rigify")))
    assert body.leg_length == pytest.approx(plain.leg_length, rel=1e-3)
    assert body.stand_height == pytest.approx(plain.stand_height, rel=1e-3)


@pytest.mark.parametrize("variant", ["MMD", "Chinese", "Mixamo"])
def test_sides_that_names_swap_are_told(variant: str, human: Armature) -> None:
    """A mapping that trusts names alone walks backwards."""
    mirror = {f"{stem}.{side}": f"{stem}.{other}" for stem in ("thigh", "shin", "foot", "toe")
              for side, other in ("LR", "RL")}  # fmt: skip
    names = names_of(variant)
    swapped = {bone: names[mirror.get(bone, bone)] for bone in names}
    unknown = {bone.name: f"b{k}" for k, bone in enumerate(human.bones)}
    try:
        found = map_bones(renamed(human, unknown | swapped))
    except RigError as refused:
        assert "left" in str(refused) or "side" in str(refused)
    else:
        assert found.doubts
