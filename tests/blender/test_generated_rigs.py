"""Rigs that are made here, as those of other programs are: mapped, and baked exactly, on any machine.

Bones renamed after each naming convention, Rigify's metarigs, and both through the files of other programs. For rigs
that nobody here made see test_zoo, which needs ../shared.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest

from blender_biped.character.body import build_character
from blender_biped.character.mapping import RigMap
from blender_biped.character.model import ROLES, SIDES
from blender_biped.character.roles import map_bones
from blender_biped.ui.bake.accuracy import bake_error
from blender_biped.ui.bake.keyframes import Root, bake
from blender_biped.ui.base.reading import metres, read_armature
from tests.blender.scenes import character_of, gentle_motion, make_rig, wild_motion
from tests.character.namings import NAMINGS, named
from tests.marks import long_but
from tools.base.quiet import quiet
from tools.scene.files import open_file

MM, DEGREES = 0.05, 0.02  # as in test_bake
FILE_MM = 0.2  # what a file keeps of a bone's place is single precision once more
ROOTS: tuple[Root, ...] = ("HIPS", "OBJECT")


def renamed_rig(convention: str) -> Any:
    """Return an armature object of an adult whose bones have the names of a convention, and rolls of any size."""
    armature = make_rig(convention, helpers=False, seed=1)
    for bone in armature.data.bones:
        bone.name = named(convention, bone.name)
    return armature


def metarig(kind: str) -> Any:
    """Return one of Rigify's metarigs."""
    import addon_utils  # found once bpy is loaded

    with quiet():
        addon_utils.enable("rigify", default_set=True)
        getattr(bpy.ops.object, f"armature_{kind}_metarig_add")()
    return bpy.context.object


def mapping(armature: Any) -> RigMap:
    """Return which bones are found to be what."""
    bpy.context.view_layer.update()
    return map_bones(read_armature(armature, metres(bpy.context.scene)))


def gentle_error(armature: Any) -> tuple[float, float]:
    """Bake something like a walk and return the bake error, (mm, degrees)."""
    motion = gentle_motion(character_of(armature), 0.5)
    done = bake(armature, motion)
    return bake_error(armature, motion, done.frames.tolist())


# --- mapped ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("convention", NAMINGS)
def test_each_convention_is_found_in_blender_too(convention: str) -> None:
    found = mapping(renamed_rig(convention))
    assert found.convention == convention
    assert tuple(found.bones) == ROLES
    for role, bone in (("pelvis", "spine"), ("thigh.L", "thigh.L"), ("shin.R", "shin.R"), ("hand.L", "hand.L")):
        assert found.bones[role] == (named(convention, bone),)


@pytest.mark.parametrize("kind", ["human", "basic_human"])
def test_rigify_s_metarigs_are_mapped_in_full(kind: str) -> None:
    found = mapping(metarig(kind))
    assert found.convention == "Rigify metarig"
    assert tuple(found.bones) == ROLES
    assert found.bones["pelvis"] == ("spine",)
    assert found.bones["chest"][0] == "spine.003"
    for side in SIDES:
        assert found.bones[f"toes.{side}"] == (f"toe.{side}",)
        assert found.heels[side] == (f"heel.02.{side}",)


# --- baked -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("root", long_but(ROOTS, "HIPS"))
@pytest.mark.parametrize("convention", NAMINGS)
def test_a_bake_is_exact_on_each_convention(convention: str, root: Root) -> None:
    armature = renamed_rig(convention)
    motion = wild_motion(character_of(armature), duration=0.5)
    done = bake(armature, motion, 1, root)
    far, turned = bake_error(armature, motion, done.frames.tolist())
    assert far <= MM and turned <= DEGREES and done.notes == ()


@pytest.mark.parametrize("root", long_but(ROOTS, "HIPS"))
@pytest.mark.parametrize("kind", ["human", "basic_human"])
def test_a_bake_is_exact_on_rigify_s_metarigs(kind: str, root: Root) -> None:
    armature = metarig(kind)
    motion = wild_motion(character_of(armature), duration=0.5)
    done = bake(armature, motion, 1, root)
    far, turned = bake_error(armature, motion, done.frames.tolist())
    assert far <= MM and turned <= DEGREES


def turned(armature: Any) -> None:
    armature.rotation_euler, armature.location = (0.0, 0.0, 1.0), (2.0, 0.0, 0.0)


def small(armature: Any) -> None:
    turned(armature)
    armature.scale = (0.3, 0.3, 0.3)


def on_an_uneven_parent(armature: Any) -> None:
    turned(armature)
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.scale, armature.parent = (1.0, 1.2, 0.8), parent


@pytest.mark.parametrize("carry", long_but([turned, small, on_an_uneven_parent], on_an_uneven_parent))
@pytest.mark.parametrize("make", [lambda: metarig("human"), lambda: renamed_rig("Unreal Engine")])
def test_a_bake_is_exact_whatever_carries_the_rig(make: Callable[[], Any], carry: Callable[[Any], None]) -> None:
    armature = make()
    armature.rotation_mode = "XYZ"
    carry(armature)
    far, off = gentle_error(armature)
    assert far <= 1.0 and off <= 0.1


def test_a_rig_with_solvers_is_freed_of_them_by_the_action() -> None:
    armature = make_rig(helpers=False)
    for side in SIDES:
        armature.pose.bones[f"shin.{side}"].constraints.new("IK").chain_count = 2
    motion = wild_motion(character_of(armature), duration=0.5)
    done = bake(armature, motion)
    far, turned = bake_error(armature, motion, done.frames.tolist())
    assert far <= MM and turned <= DEGREES
    assert len(done.notes) == 1 and "turns off" in done.notes[0]
    assert "IK on shin.L, IK on shin.R" in done.notes[0]


# --- through files ---------------------------------------------------------------------------------------------------


def write(file: Path) -> None:
    """Write the scene as a file of another program."""
    with quiet():
        if file.suffix == ".fbx":
            bpy.ops.export_scene.fbx(filepath=str(file), object_types={"ARMATURE"}, add_leaf_bones=False)
        else:
            bpy.ops.export_scene.gltf(filepath=str(file.with_suffix(".glb")), export_format="GLB")
            file.with_suffix(".glb").replace(file)


@pytest.mark.parametrize(
    ("convention", "kind"),
    [("Mixamo / MotionBuilder / CMU", "fbx"), ("Unreal Engine", "glb"), ("VRM / Unity humanoid", "vrm")],
)
def test_a_rig_from_a_file_is_mapped_and_baked(convention: str, kind: str, tmp_path: Path) -> None:
    before = character_of(renamed_rig(convention))
    write(tmp_path / f"rig.{kind}")
    open_file(tmp_path / f"rig.{kind}")
    armature = next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")
    found = mapping(armature)
    assert found.convention == convention and tuple(found.bones) == ROLES
    rig = read_armature(armature, metres(bpy.context.scene))
    assert build_character(rig, found).leg_length == pytest.approx(before.leg_length, rel=1e-3)
    motion = gentle_motion(character_of(armature), 0.5)
    done = bake(armature, motion)
    far, turned = bake_error(armature, motion, done.frames.tolist())
    assert far <= FILE_MM and turned <= DEGREES
