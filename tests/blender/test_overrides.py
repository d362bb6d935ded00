"""Library overrides: an overridden rig is mapped and styled as any other, and keeps that in its file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import pytest

import blender_biped
from blender_biped.klaw.walk import walk
from blender_biped.ui.job.mapping import walk_of
from blender_biped.ui.job.request import read_request
from blender_biped.ui.settings import kept_override
from blender_biped.ui.settings.kept_mapping import rig_map_of
from blender_biped.ui.settings.picking import bones_of, drop_bones, pick_bone
from tests.blender.scenes import make_curve, make_rig, shared_rig
from tests.blender.scripted import answer_at_once
from tests.blender.test_three_characters import added
from tests.marks import long_but

CHOICES = {"root": "ROOT_BONE", "key_step": 2, "pace": "EXACT", "body_parts": {"LEGS"}, "mirror": False}


@pytest.fixture(params=[False, True], ids=["library is not mapped", "library is mapped"])
def overridden(request: Any, tmp_path: Path) -> Any:
    """An overridden rig in the scene, active; in its library it is mapped or not."""
    rig = make_rig("Hero")
    if request.param:
        bpy.ops.biped.map_bones()
        rig.biped.doubts.add().text = "the library's doubt"
        rig.biped.doubts.add().text = "another"
    collection = bpy.data.collections.new("Hero")
    bpy.context.scene.collection.children.link(collection)
    collection.objects.link(rig)
    bpy.context.scene.collection.objects.unlink(rig)
    linked(tmp_path)
    return chosen()


def linked(tmp_path: Path) -> None:
    """Save the file as a library, and link its collection into an empty one, overridden."""
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"), check_existing=False)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (_, wanted):
        wanted.collections = ["Hero"]
    bpy.context.scene.collection.children.link(wanted.collections[0])
    wanted.collections[0].override_hierarchy_create(bpy.context.scene, bpy.context.view_layer, do_fully_editable=True)


def chosen() -> Any:
    own = next(o for o in bpy.context.scene.objects if o.override_library)
    bpy.context.view_layer.objects.active = own
    return own


def reopened(tmp_path: Path) -> Any:
    """Save the file, open it again, return the overridden rig."""
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"), check_existing=False)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    return chosen()


def test_an_overridden_rig_is_mapped_styled_baked_and_opened_again(
    overridden: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bpy.ops.biped.map_bones() == {"FINISHED"}
    settings = walk_of(bpy.context)
    settings.path, settings.controller = make_curve([(0.0, 0.0, 0.0), (3.0, 0.0, 0.0)]), "klaw"
    for name, value in CHOICES.items():
        setattr(overridden.biped, name, value)
    before, character = rig_map_of(overridden), read_request(bpy.context).job.character
    assert before and len(before.bones) == 18 and not before.doubts
    own = reopened(tmp_path)
    assert {name: getattr(own.biped, name) for name in CHOICES} == CHOICES
    assert rig_map_of(own) == before and read_request(bpy.context).job.character == character
    answer_at_once(monkeypatch, lambda job, *_: walk(job))
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    again = reopened(tmp_path)
    assert again.animation_data.action.name == "Hero Walk" and rig_map_of(again) == before


def test_what_is_picked_on_an_overridden_rig_is_kept(overridden: Any, tmp_path: Path) -> None:
    bpy.ops.biped.map_bones()
    overridden.biped.mirror = False
    pick_bone(overridden, "hand.L", "finger.L")
    drop_bones(overridden, "toes.R")
    pick_bone(overridden, "hand.R", "finger.R", first=False)
    before = bones_of(overridden)
    assert before["hand.L"] == ("finger.L",) and "toes.R" not in before
    assert before["hand.R"] == ("hand.R", "finger.R")
    for _ in range(2):
        own = reopened(tmp_path)
        assert bones_of(own) == before
    bpy.ops.biped.map_bones()  # what was picked stays
    assert bones_of(own)["hand.L"] == ("finger.L",)
    own.biped.keep_picked = False
    bpy.ops.biped.map_bones()
    assert bones_of(own)["hand.L"] == ("hand.L",)
    assert bones_of(reopened(tmp_path))["hand.L"] == ("hand.L",)


def test_the_extension_can_be_registered_twice() -> None:
    blender_biped.unregister()
    blender_biped.register()
    assert bpy.types.Object.bl_rna.properties["biped"].is_overridable


def test_the_walk_of_an_overridden_rig_is_its_own(overridden: Any, tmp_path: Path) -> None:
    bpy.ops.biped.map_bones()
    walk = overridden.biped.walk
    walk.path, walk.controller, walk.preset = make_curve([(0.0, 0.0, 0.0), (3.0, 0.0, 0.0)]), "klaw", "march"
    walk.speed, walk.stop, walk.fields_klaw.attributes_max_knee = 1.3, False, 1.0
    for name in ("controller", "preset", "speed", "stop", "path"):
        assert walk.is_property_overridable_library(name), name  # else Blender grays it out
    assert walk.fields_klaw.is_property_overridable_library("attributes_max_knee")
    before = read_request(bpy.context).job
    own = reopened(tmp_path).biped.walk
    assert (own.controller, own.preset, own.stop, own.speed) == ("klaw", "march", False, pytest.approx(1.3))
    assert own.fields_klaw.attributes_max_knee == pytest.approx(1.0) and own.path.name == "Way"
    assert read_request(bpy.context).job == before


@pytest.mark.parametrize("name", long_but(["rigify_human_generated.blend", "cesiumman_a.glb"], "cesiumman_a.glb"))
def test_overridden_characters_of_other_makers_walk_and_keep_that(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    armature = added(shared_rig(name), "Hero")
    collection = bpy.data.collections.new("Hero")
    bpy.context.scene.collection.children.link(collection)
    for thing in list(bpy.context.scene.collection.objects):
        if thing == armature or thing.find_armature() == armature:
            collection.objects.link(thing)
            bpy.context.scene.collection.objects.unlink(thing)
    linked(tmp_path)
    own = chosen()
    assert bpy.ops.biped.map_bones() == {"FINISHED"}
    walk_settings = own.biped.walk
    walk_settings.path = make_curve([(0.0, 0.0, 0.0), (3.0, 0.0, 0.0)])
    walk_settings.controller, walk_settings.preset, own.biped.key_step = "klaw", "sneak", 2
    before, job = rig_map_of(own), read_request(bpy.context).job
    own = reopened(tmp_path)
    assert (own.biped.walk.controller, own.biped.walk.preset, own.biped.key_step) == ("klaw", "sneak", 2)
    assert rig_map_of(own) == before
    after = read_request(bpy.context).job
    assert after.speed == pytest.approx(job.speed, rel=1e-9)  # of the body, which is read anew
    assert replace(after, character=job.character, speed=job.speed) == job
    assert after.character.masses == pytest.approx(job.character.masses, rel=1e-6)  # Blender keeps single precision
    assert after.character.offsets == pytest.approx(job.character.offsets, abs=1e-9)
    answer_at_once(monkeypatch, lambda job, *_: walk(job))
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    again = reopened(tmp_path)
    assert again.animation_data.action.name == "Hero Walk" and rig_map_of(again) == before


@pytest.mark.parametrize(
    "text",
    ["{", "[]", "null", "7", '{"object": ["Hero", ""]}', '{"parts": 3, "walk": [1, "a"], "convention": 1e999}',
     '{"walk": {"path": {"object": [[], {}]}, "speed": "fast"}, "parts": [{"name": []}], "confidence": {"a": 1}}',
     '{"key_step": ' + "9" * 400 + "}", "[" * 100_000, '{"a":' * 60 + "1" + "}" * 60],
)  # fmt: skip
@pytest.mark.parametrize("overridden", long_but([False, True], True), indirect=True)
def test_a_crafted_text_of_what_an_override_keeps_is_passed_over(overridden: Any, text: str, tmp_path: Path) -> None:
    setattr(overridden, kept_override.TEXT, text)
    kept_override.give_back()
    own = reopened(tmp_path)
    own.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (3.0, 0.0, 0.0)])
    bpy.ops.biped.map_bones()
    assert len(bones_of(own)) == 18


def test_what_the_library_has_as_well_is_not_kept_twice(overridden: Any) -> None:
    kept_override.keep()
    assert not getattr(overridden, kept_override.TEXT)  # so that a change of the library is seen
