"""Rigs that nobody here made: what is mapped, and joints where the rig's own bones put them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from blender_biped.character.armature import Armature
from blender_biped.character.model import ROLES, SIDES, Character
from blender_biped.character.reading import character_from_json
from blender_biped.character.roles import map_bones
from tests.character.humanoid import character
from tests.character.test_body import standing_error
from tests.shared import rig_file


@pytest.fixture(scope="module")
def bpy() -> Iterator[Any]:
    blender = pytest.importorskip("bpy")
    yield blender
    blender.ops.wm.read_factory_settings(use_empty=True)


def armature(bpy: Any, file: str, name: str = "") -> Armature:
    """Return an armature of a file; the first one when no name is given."""
    from blender_biped.ui.base.reading import read_armature  # imports bpy

    bpy.ops.wm.open_mainfile(filepath=str(rig_file(file)), use_scripts=False)
    found = [o for o in bpy.data.objects if o.type == "ARMATURE" and name in ("", o.name)]
    return read_armature(found[0], 1.0)


def assert_stands(rig: Armature, found: Character) -> None:
    """Check that the rig's joints are where the character's are, and that it stands as a body does."""
    assert standing_error(rig, found) < 1e-5 * found.leg_length  # Blender's bones are single precision
    assert character_from_json(found.as_json()) == found
    origins, rotations = found.standing()
    com = found.masses @ found.com_positions(origins, rotations) / found.mass
    assert 0.5 < com[2] / found.stand_height / 1.87 < 0.62  # 1.87: an adult's stature to hip height
    for side in SIDES:
        hip, knee, ankle, ball = (found.index(f"{part}.{side}") for part in ("thigh", "shin", "foot", "toes"))
        np.testing.assert_allclose(origins[[knee, ankle], :2], origins[[hip, hip], :2], atol=1e-6 * found.leg_length)
        assert origins[ball, 0] > origins[ankle, 0] + 0.1 * found.leg_length
        foot, toes = found.links[ankle].shape, found.links[ball].shape
        assert origins[ankle, 2] + foot.center[2] - foot.half[2] == pytest.approx(0.0, abs=1e-9)
        assert origins[ball, 2] + toes.center[2] - toes.half[2] == pytest.approx(0.0, abs=1e-9)
        for part in ("forearm", "hand"):
            at, shoulder = (origins[found.index(f"{p}.{side}")] for p in (part, "upper_arm"))
            np.testing.assert_allclose(at[:2], shoulder[:2], atol=1e-6 * found.leg_length)


@pytest.mark.parametrize(
    ("file", "name"), [("rigify_basic_human_metarig.blend", ""), ("rigify_human_generated.blend", "metarig")]
)
def test_rigify_metarigs(bpy: Any, file: str, name: str) -> None:
    rig = armature(bpy, file, name)
    found = map_bones(rig)
    assert found.convention == "Rigify metarig"
    assert dict(found.bones) == {
        "pelvis": ("spine",),
        "abdomen": ("spine.001", "spine.002"),
        "chest": ("spine.003", "shoulder.L", "shoulder.R"),
        "head": ("spine.004", "spine.005", "spine.006"),
        **{f"toes.{s}": (f"toe.{s}",) for s in SIDES},
        **{f"{p}.{s}": (f"{p}.{s}",) for s in SIDES for p in ("upper_arm", "forearm", "hand", "thigh", "shin", "foot")},
    }
    assert found.heels == {s: (f"heel.02.{s}",) for s in SIDES}
    body = character(rig)
    assert_stands(rig, body)
    bones = {bone.name: bone for bone in rig.bones}
    thigh, shin = (
        np.linalg.norm(bones[a].head - bones[b].head) for a, b in (("thigh.L", "shin.L"), ("shin.L", "foot.L"))
    )
    assert body.leg_length == pytest.approx(thigh + shin + bones["foot.L"].head[2], abs=1e-6)
    assert body.links[body.index("foot.L")].offset[2] == pytest.approx(-shin, abs=1e-6)


CONVENTIONS = {
    "mpfb_mixamo_adult.blend": "Mixamo / MotionBuilder / CMU",
    "mpfb_cmu_mb_adult.blend": "Mixamo / MotionBuilder / CMU",
    "derived_cm_yup_yaw90.blend": "Mixamo / MotionBuilder / CMU",
    "mpfb_gameengine_female.blend": "Unreal Engine",
    "mpfb_default_full_dm.blend": "MakeHuman / MPFB default",
    "vrmaddon_basic_armature.blend": "VRM / Unity humanoid",
}


@pytest.mark.parametrize("file", CONVENTIONS)
def test_rigs_of_other_conventions(bpy: Any, file: str) -> None:
    rig = armature(bpy, file)
    found = map_bones(rig)
    assert found.convention == CONVENTIONS[file]
    assert tuple(found.bones) == ROLES
    assert_stands(rig, character(rig))


def test_the_same_person_in_centimetres_lying_and_turned(bpy: Any) -> None:
    upright = character(armature(bpy, "mpfb_mixamo_adult.blend"))
    derived = character(armature(bpy, "derived_cm_yup_yaw90.blend"))
    np.testing.assert_allclose(derived.offsets, upright.offsets, atol=1e-5)
    assert derived.stand_height == pytest.approx(upright.stand_height, abs=1e-5)


def test_a_generated_rig_stands_as_its_metarig(bpy: Any) -> None:
    found = map_bones(rig := armature(bpy, "rigify_human_generated.blend", "rig"))
    assert found.convention == "Rigify (generated rig)"
    assert found.bones["thigh.L"] == ("ORG-thigh.L",)
    metarig = character(armature(bpy, "rigify_human_generated.blend", "metarig"))
    np.testing.assert_allclose(character(rig).offsets, metarig.offsets, atol=1e-5)


def test_a_rig_whose_limbs_are_carried_by_their_twist_bones(bpy: Any) -> None:
    """It is the Mixamo rig under other names."""
    rig = armature(bpy, "made_autorigpro_export.blend")
    found = map_bones(rig)
    assert found.bones["thigh.L"] == ("thigh_twist.l", "thigh_stretch.l")
    assert found.bones["upper_arm.L"] == ("c_arm_twist_offset.l", "arm_stretch.l")
    assert_stands(rig, body := character(rig))
    plain = character(armature(bpy, "mpfb_mixamo_adult.blend"))
    assert body.leg_length == pytest.approx(plain.leg_length, rel=1e-4)
    np.testing.assert_allclose(body.offsets, plain.offsets, atol=0.01 * plain.leg_length)
