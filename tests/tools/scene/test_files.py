"""Armatures from files: which one is chosen, and what is refused."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import blender_biped
from blender_biped.base.errors import BipedError
from tests.shared import shared
from tests.tools.blends import blend
from tools.scene import files

bpy = pytest.importorskip("bpy")


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Start from an empty scene, with the extension registered."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    blender_biped.register()
    yield
    blender_biped.unregister()
    bpy.ops.wm.read_factory_settings(use_empty=True)


def test_file_and_object_are_distinguished(tmp_path: Path) -> None:
    plain = tmp_path / "a.blend"
    plain.touch()
    assert files.split_object(str(plain)) == (plain, "")
    assert files.split_object(f"{plain}:My Rig") == (plain, "My Rig")


@pytest.mark.skipif(os.name == "nt", reason="no file is named so")
def test_a_file_may_have_a_colon_in_its_name(tmp_path: Path) -> None:
    odd = tmp_path / "b:c.blend"
    odd.touch()
    assert files.split_object(str(odd)) == (odd, "")
    assert files.split_object(f"{odd}:Rig") == (odd, "Rig")


@pytest.mark.parametrize("text", ["none.blend", "none.blend:Rig", "C:\\none.blend"])
def test_a_missing_file_is_named(text: str) -> None:
    with pytest.raises(BipedError, match=r"none\.blend"):
        files.split_object(text)


def test_the_armature_with_legs_is_chosen_and_named(tmp_path: Path) -> None:
    file = blend(tmp_path, Stick=False, Hero=True)
    said: list[str] = []
    assert files.chosen_armature(str(file), said.append).name == "Hero"
    assert "Hero" in said[0] and "Stick" in said[0]
    assert files.chosen_armature(f"{file}:Stick", said.append).name == "Stick" and len(said) == 1


def test_two_armatures_with_legs_need_a_name(tmp_path: Path) -> None:
    file = blend(tmp_path, One=True, Two=True)
    with pytest.raises(BipedError, match=r"several armatures.*:OBJECT \('One', 'Two'\)"):
        files.chosen_armature(str(file), print)
    with pytest.raises(BipedError, match="no armature 'Three'; it has 'One', 'Two'"):
        files.chosen_armature(f"{file}:Three", print)


def test_a_file_that_was_saved_in_edit_mode_is_read_as_any_other(tmp_path: Path) -> None:
    file = blend(tmp_path, Stick=False, Hero=True)
    files.open_file(file)
    bpy.context.view_layer.objects.active = bpy.data.objects["Hero"]
    bpy.data.objects["Stick"].select_set(True)  # edited with it
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.wm.save_mainfile()
    walker = files.chosen_armature(str(file), print)
    assert walker.name == "Hero" and {thing.mode for thing in bpy.data.objects} == {"OBJECT"}


def test_a_file_that_was_saved_while_its_path_was_edited_is_in_object_mode(tmp_path: Path) -> None:
    file = blend(tmp_path, Hero=True)
    files.open_file(file)
    bpy.ops.curve.primitive_nurbs_path_add(enter_editmode=True)
    bpy.ops.wm.save_mainfile()
    assert files.chosen_armature(str(file), print).name == "Hero" and bpy.context.mode == "OBJECT"


@pytest.mark.parametrize("name", ["vrm_cryptovoxels.vrm", "qs_Witch.glb", "ufbx_maya_human_ik_7400.fbx"])
def test_models_of_other_programs_open(name: str) -> None:
    armature = files.chosen_armature(str(shared(f"rigs/{name}")), print)
    assert armature.type == "ARMATURE" and len(armature.data.bones) > 40


def test_why_a_model_cannot_be_read_is_what_its_importer_said_last() -> None:
    said = 'Error: Python: Traceback:\n  File "x.py", line 5\nValueError: no model\nLocation: ops.py:109\n'
    assert files.reason_of(said) == "ValueError: no model"
    assert files.reason_of("Error: not a blend file") == "not a blend file"
    assert files.reason_of("Error: ") == "no reason given"
