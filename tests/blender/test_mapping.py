"""The role table: picking bones, mirrored and taken away again; saving and loading; what stays, and what is undone."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import pytest

from blender_biped.character.mapping import RigMap
from blender_biped.character.model import ROLES
from blender_biped.character.roles import map_bones
from blender_biped.ui import api
from blender_biped.ui.base.status import remark
from blender_biped.ui.job.mapping import mapping, walk_of
from blender_biped.ui.job.request import read_request
from blender_biped.ui.panels import mapping_operators
from blender_biped.ui.panels.character_panels import summary
from blender_biped.ui.settings.kept_mapping import rig_map_of
from blender_biped.ui.settings.picking import bones_of, picker
from tests.blender.scenes import make_curve, make_rig
from tests.blender.test_operators import refusal, remove_legs

LEGS = ("thigh", "shin", "foot")


@pytest.fixture
def rig() -> Any:
    """A rig that nobody has mapped yet."""
    armature = make_rig()
    armature.select_set(True)
    return armature


def pick(armature: Any, role: str, bone: str, first: bool = True) -> None:
    """Pick a bone as the table's cell does."""
    setattr(armature.biped.pickers, picker(role, "parts", first), bone)


def kept(armature: Any) -> RigMap:
    found = rig_map_of(armature)
    assert found is not None
    return found


def told(armature: Any) -> str:
    return remark.on(armature)


# --- picking ---------------------------------------------------------------------------------------------------------


def test_every_cell_reads_and_writes_its_role(rig: Any) -> None:
    rig.biped.mirror = False
    names = rig.data.bones.keys()
    for table in ("parts", "controls"):
        for role, bone in zip(ROLES, names, strict=False):
            assert getattr(rig.biped.pickers, picker(role, table, True)) == ""
            setattr(rig.biped.pickers, picker(role, table, True), bone)
            assert getattr(rig.biped.pickers, picker(role, table, True)) == bone
            assert getattr(rig.biped.pickers, picker(role, table, False)) == ""
        assert bones_of(rig, table) == {role: (bone,) for role, bone in zip(ROLES, names, strict=False)}


def test_a_rig_can_be_mapped_by_hand_from_nothing(rig: Any) -> None:
    assert rig_map_of(rig) is None
    pick(rig, "pelvis", "spine")
    pick(rig, "chest", "spine.002")
    for part in LEGS:
        pick(rig, f"{part}.L", f"{part}.L")  # the right side follows
    walk_of(bpy.context).path = make_curve([(0.0, 0.0, 0.0), (4.0, 0.0, 0.0)])
    character = read_request(bpy.context).job.character
    assert [link.role for link in character.links if link.bones] == [
        "pelvis", "chest", "thigh.L", "shin.L", "foot.L", "thigh.R", "shin.R", "foot.R",
    ]  # fmt: skip
    assert summary(rig) == "By hand, 8 of 18 parts, 8 by hand"


def test_a_map_by_hand_that_is_not_whole_is_refused_by_the_bake(rig: Any) -> None:
    pick(rig, "pelvis", "spine")
    walk_of(bpy.context).path = make_curve([(0.0, 0.0, 0.0), (4.0, 0.0, 0.0)])
    assert "no bones are mapped to thigh.L, shin.L" in refusal()


def test_mirror_off_fills_one_side(rig: Any) -> None:
    rig.biped.mirror = False
    pick(rig, "thigh.L", "thigh.L")
    assert bones_of(rig) == {"thigh.L": ("thigh.L",)}


def test_a_bone_of_another_part_is_taken_from_it_and_told(rig: Any) -> None:
    bpy.ops.biped.map_bones()
    pick(rig, "thigh.L", "shin.L")
    assert bones_of(rig)["thigh.L"] == ("shin.L",) and bones_of(rig)["thigh.R"] == ("shin.R",)
    assert "shin.L" not in bones_of(rig) and "shin.R" not in bones_of(rig)
    assert "'shin.L' was taken from shin.L, which has no bones now" in told(rig)


def test_a_bone_that_is_not_there_is_not_kept(rig: Any) -> None:
    pick(rig, "thigh.L", "thigh.L")
    pick(rig, "thigh.L", "femur")
    assert bones_of(rig)["thigh.L"] == ("thigh.L",)
    assert (told(rig), remark.level) == ("Armature 'Rig' has no bone 'femur': pick one from the list.", "ERROR")
    other = make_rig("Other")
    assert told(other) == ""  # it is about the first one


def test_an_emptied_cell_clears_both_sides(rig: Any) -> None:
    bpy.ops.biped.map_bones()
    pick(rig, "toes.L", "")
    assert not {"toes.L", "toes.R"} & set(bones_of(rig))
    rig.biped.mirror = False
    pick(rig, "hand.L", "")
    assert "hand.L" not in bones_of(rig) and "hand.R" in bones_of(rig)


def test_further_bones_are_added_and_taken_away(rig: Any) -> None:
    bpy.ops.biped.map_bones()
    pick(rig, "hand.L", "finger.L", first=False)
    assert bones_of(rig)["hand.L"] == ("hand.L", "finger.L") and bones_of(rig)["hand.R"] == ("hand.R", "finger.R")
    assert bpy.ops.biped.clear_bones(role="hand.L", bone="finger.L") == {"FINISHED"}
    assert bones_of(rig)["hand.L"] == ("hand.L",) and bones_of(rig)["hand.R"] == ("hand.R",)
    assert bpy.ops.biped.clear_bones(role="hand.L") == {"FINISHED"}
    assert not {"hand.L", "hand.R"} & set(bones_of(rig))


def test_names_without_sides_are_mirrored_by_place(rig: Any) -> None:
    for bone in rig.data.bones:
        bone.name = f"Bone.{ord(bone.name[0])}.{len(bone.name)}"  # Blender numbers those that are the same
    names = {tuple(round(v, 4) for v in bone.head_local): bone.name for bone in rig.data.bones}
    left = next(name for (x, _, z), name in names.items() if x > 0.05 and 0.4 < z < 0.6)  # a knee
    x, y, z = next(head for head, name in names.items() if name == left)
    pick(rig, "shin.L", left)
    assert bones_of(rig) == {"shin.L": (left,), "shin.R": (names[-x, y, z],)}


@pytest.mark.parametrize("mode", ["POSE", "EDIT", "OBJECT"])
def test_the_active_bone_is_assigned(rig: Any, mode: str) -> None:
    rig.data.bones.active = rig.data.bones["shin.R"]
    bpy.ops.object.mode_set(mode=mode)
    assert bpy.ops.biped.assign_active_bone(role="shin.R") == {"FINISHED"}
    assert bones_of(rig) == {"shin.L": ("shin.L",), "shin.R": ("shin.R",)}
    assert bpy.ops.biped.assign_active_bone(role="chest", table="controls", first=False) == {"FINISHED"}
    assert bones_of(rig, "controls") == {"chest": ("shin.R", "shin.L")}


def test_there_is_no_active_bone(rig: Any) -> None:
    rig.data.bones.active = None
    assert "has no active bone: click one" in refusal(lambda: bpy.ops.biped.assign_active_bone(role="head"))


def test_a_bone_that_is_new_in_edit_mode(rig: Any) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    made = rig.data.edit_bones.new("tail")
    made.tail = (0.0, 1.0, 0.0)
    rig.data.edit_bones.active = made
    assert "'tail' is new: leave Edit mode" in refusal(lambda: bpy.ops.biped.assign_active_bone(role="head"))


def test_pickers_of_other_objects_do_nothing() -> None:
    curve = make_curve([(0.0, 0.0, 0.0), (4.0, 0.0, 0.0)])
    curve.biped.pickers.bone_head = "head"
    assert not curve.biped.parts


# --- Map Bones and what was picked -----------------------------------------------------------------------------------


def test_map_bones_keeps_what_was_picked(rig: Any) -> None:
    bpy.ops.biped.map_bones()
    rig.biped.forward = "-Y"
    pick(rig, "hand.L", "finger.L")
    pick(rig, "toes.L", "")
    bpy.ops.biped.map_bones()
    found = bones_of(rig)
    assert found["hand.L"] == ("finger.L",) and found["hand.R"] == ("finger.R",)
    assert "toes.L" not in found and "toes.R" not in found and found["shin.L"] == ("shin.L",)
    assert rig.biped.parts["hand.R"].reason == "mirrored from finger.L, picked by hand"
    assert rig.biped.forward == "-Y"
    assert summary(rig).endswith("4 by hand")
    rig.biped.keep_picked = False
    bpy.ops.biped.map_bones()
    assert bones_of(rig)["hand.L"] == ("hand.L",) and "toes.L" in bones_of(rig)
    assert not any(part.picked for part in rig.biped.parts)


def test_map_bones_keeps_picked_controls(rig: Any) -> None:
    rig.biped.pickers.control_bone_hand_L = "finger.L"
    bpy.ops.biped.map_bones()
    bpy.ops.biped.map_bones()
    assert bones_of(rig, "controls") == {"hand.L": ("finger.L",), "hand.R": ("finger.R",)}
    assert mapping(rig, 1.0).controls["hand.L"] == ("finger.L",)


def test_when_map_bones_refuses_the_picks_stay(rig: Any) -> None:
    pick(rig, "head", "spine.004")
    bpy.ops.object.mode_set(mode="EDIT")
    remove_legs(rig.data.edit_bones)
    bpy.ops.object.mode_set(mode="OBJECT")
    message = refusal(bpy.ops.biped.map_bones)
    assert "thigh.L" in message and told(rig) == message
    assert bones_of(rig) == {"head": ("spine.004",)}


def test_a_mapping_that_makes_no_body_is_kept_to_be_put_right(rig: Any) -> None:
    rig.scale = (100.0, 100.0, 100.0)
    assert bpy.ops.biped.map_bones() == {"FINISHED"}
    assert len(bones_of(rig)) == 18
    assert remark.level == "ERROR" and "stands 175 m tall" in told(rig)
    rig.scale = (1.0, 1.0, 1.0)
    bpy.ops.biped.map_bones()
    assert told(rig) == ""


def test_facing_is_told_before_the_bones_are_mapped(rig: Any) -> None:
    rig.biped.forward, rig.biped.up = "-Y", "Z"
    found = mapping(rig, 1.0)
    assert (found.forward, found.up) == ("-Y", "Z")
    bpy.ops.biped.map_bones()
    assert (kept(rig).forward, kept(rig).up) == ("-Y", "Z")
    rig.biped.forward = "AUTO"
    assert mapping(rig, 1.0).forward == ""


# --- undo ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("operator", ["assign", "clear", "load"])
def test_the_buttons_can_be_undone(rig: Any, operator: str, tmp_path: Path) -> None:
    bpy.ops.biped.map_bones()
    bpy.ops.biped.save_mapping(filepath=str(tmp_path / "rig.json"))
    if operator == "load":
        bpy.ops.biped.clear_bones(role="hand.L")
    rig.data.bones.active = rig.data.bones["finger.L"]
    before = bones_of(rig)
    bpy.ops.ed.undo_push(message="before")
    {
        "assign": lambda: bpy.ops.biped.assign_active_bone("EXEC_DEFAULT", True, role="hand.L"),
        "clear": lambda: bpy.ops.biped.clear_bones("EXEC_DEFAULT", True, role="hand.L"),
        "load": lambda: bpy.ops.biped.load_mapping("EXEC_DEFAULT", True, filepath=str(tmp_path / "rig.json")),
    }[operator]()
    assert bones_of(bpy.data.objects["Rig"]) != before
    bpy.ops.ed.undo()
    assert bones_of(bpy.data.objects["Rig"]) == before


# --- saving and loading ----------------------------------------------------------------------------------------------


def test_a_mapping_is_saved_and_loaded_for_another_rig(rig: Any, tmp_path: Path) -> None:
    file = tmp_path / "hero.json"
    bpy.ops.biped.map_bones()
    rig.biped.forward = "-Y"
    pick(rig, "hand.L", "finger.L")
    rig.biped.pickers.control_bone_head = "root"
    assert bpy.ops.biped.save_mapping(filepath=str(file)) == {"FINISHED"}
    saved = kept(rig)
    other = make_rig("Other")
    bpy.context.view_layer.objects.active = other
    assert bpy.ops.biped.load_mapping(filepath=str(file)) == {"FINISHED"}
    loaded = kept(other)
    assert (loaded.bones, loaded.heels, loaded.controls) == (saved.bones, saved.heels, saved.controls)
    assert (loaded.forward, loaded.up, loaded.convention) == ("-Y", "", saved.convention)
    bpy.ops.biped.map_bones()  # what was loaded was told by a user
    assert bones_of(other)["hand.L"] == ("finger.L",)
    assert json.loads(file.read_text())["version"] == 1


def test_a_mapping_for_another_rig_is_refused_by_the_names(rig: Any, tmp_path: Path) -> None:
    bpy.ops.biped.map_bones()
    bpy.ops.biped.save_mapping(filepath=str(tmp_path / "rig.json"))
    before = rig_map_of(rig)
    rig.data.bones["shin.L"].name = "calf"
    message = refusal(lambda: bpy.ops.biped.load_mapping(filepath=str(tmp_path / "rig.json")))
    assert "has no bones 'shin.L'. Nothing was loaded" in message and told(rig) == message
    assert rig_map_of(rig) == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[: len(text) // 2], "is not valid JSON"),
        (lambda text: text.replace('"version": 1', '"version": 2'), "version is 2"),
        (lambda text: text.replace('"pelvis"', '"tail"'), "'tail' is unknown"),
        (lambda text: text.replace('"-Y"', '"north"'), "'north' is unknown"),
    ],
)
def test_damaged_files_change_nothing(rig: Any, tmp_path: Path, change: Callable[[str], str], message: str) -> None:
    rig.biped.forward = "-Y"
    bpy.ops.biped.map_bones()
    file = tmp_path / "rig.json"
    bpy.ops.biped.save_mapping(filepath=str(file))
    before = rig_map_of(rig)
    file.write_text(change(file.read_text()))
    assert message in refusal(lambda: bpy.ops.biped.load_mapping(filepath=str(file)))
    assert rig_map_of(rig) == before


def test_files_that_cannot_be_read_or_written(rig: Any, tmp_path: Path) -> None:
    assert "Cannot read" in refusal(lambda: bpy.ops.biped.load_mapping(filepath=str(tmp_path / "none.json")))
    bpy.ops.biped.map_bones()
    assert "Cannot write" in refusal(lambda: bpy.ops.biped.save_mapping(filepath=str(tmp_path / "no" / "rig.json")))


def test_nothing_to_save(rig: Any) -> None:
    assert "has no mapping yet" in refusal(lambda: bpy.ops.biped.save_mapping(filepath="x.json"))


def test_confidence_and_doubts_are_kept_and_told(rig: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    doubts = ("The toes could be 'toe.L' or 'heel.02.L'.", "The chest could begin one bone lower.")
    monkeypatch.setattr(
        mapping_operators, "found_mapping", lambda rig: replace(map_bones(rig), confidence=0.82, doubts=doubts)
    )
    bpy.ops.biped.map_bones()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "rig.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "rig.blend"))
    found = kept(bpy.data.objects["Rig"])
    assert found.confidence == pytest.approx(0.82) and found.doubts == doubts
    words = summary(bpy.data.objects["Rig"]).replace("\N{NO-BREAK SPACE}", " ")
    assert words == "By Rigify metarig names, 18 of 18 parts, fairly sure (82 %)"


@pytest.mark.parametrize("confidence", [0.6, 0.75])
def test_a_mapping_that_is_not_sure_is_not_baked_in_silence(
    rig: Any, confidence: float, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Kept before the bake: its message says the doubts again, until a user picks. By a script, too."""
    doubt = "The toes could be 'toe.L' or 'heel.02.L'."
    monkeypatch.setattr(
        mapping_operators, "found_mapping", lambda rig: replace(map_bones(rig), confidence=confidence, doubts=(doubt,))
    )
    api.map_bones(rig)
    reported = capfd.readouterr().out
    assert "Warning: " in reported and doubt in reported
    assert api.doubts(rig) == (doubt,)
    walk_of(bpy.context).path = make_curve([(0.0, 0.0, 0.0), (4.0, 0.0, 0.0)])
    request = read_request(bpy.context)
    unsure = "The mapping of its bones is not sure (60 %): check it with Show Body."
    assert (unsure in request.warnings) == (doubt in request.warnings) == (confidence < 0.7)
    assert (doubt in request.notes) == (confidence >= 0.7)
    pick(rig, "head", "")
    request = read_request(bpy.context)
    assert doubt not in (*request.warnings, *request.notes)


def test_picks_are_held_against_what_a_body_is(rig: Any, tmp_path: Path) -> None:
    """A doubt comes with the pick that makes it and goes with the one that mends it; so with a file."""
    bpy.ops.biped.map_bones()
    assert not kept(rig).doubts
    rig.biped.mirror = False
    pick(rig, "shin.L", "forearm.L")
    said = "Left Shin (forearm.L) does not hang on Left Thigh (thigh.L)."
    assert said in kept(rig).doubts
    file = tmp_path / "map.json"
    bpy.ops.biped.save_mapping(filepath=str(file))
    pick(rig, "shin.L", "shin.L")
    assert said not in kept(rig).doubts
    bpy.ops.biped.load_mapping(filepath=str(file))
    assert said in kept(rig).doubts
    pick(rig, "thigh.L", "")
    assert said not in kept(rig).doubts  # there is no thigh to hang on
