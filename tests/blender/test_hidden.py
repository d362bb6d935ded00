"""Rigs that are hidden in viewports: a bake is what it would be if they were shown."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from blender_biped.ui.bake.accuracy import bake_error
from blender_biped.ui.bake.keyframes import bake
from blender_biped.ui.bake.torn import torn_edges
from blender_biped.ui.base.hidden import evaluated
from tests.blender.scenes import character_of, contents, make_rig, wild_motion

MM, DEGREES = 0.05, 0.02  # as in test_bake


@pytest.fixture
def moved(scene: Any) -> Any:
    """Return a rig in a collection of its own, on an empty that moves and turns in the frames of the walk."""
    rig = make_rig()
    home = bpy.data.collections.new("Rigs")
    scene.collection.children.link(home)
    home.objects.link(rig)
    scene.collection.objects.unlink(rig)
    carrier = bpy.data.objects.new("Carrier", None)
    scene.collection.objects.link(carrier)
    for frame, place in ((1, 0.0), (20, 2.0)):
        carrier.location.x = carrier.rotation_euler.z = place
        carrier.keyframe_insert("location", frame=frame)
        carrier.keyframe_insert("rotation_euler", frame=frame)
    rig.parent = carrier
    scene.frame_set(1)
    return rig


@pytest.mark.parametrize("how", ["object", "collection", "eye", "shown"])
def test_a_hidden_rig_that_is_carried_gets_the_keys_of_one_that_is_shown(moved: Any, how: str) -> None:
    motion = wild_motion(character_of(moved))
    home = bpy.data.collections["Rigs"]
    layer = bpy.context.view_layer.layer_collection.children["Rigs"]
    holder = {"object": moved, "collection": home, "eye": layer, "shown": bpy.data.curves.new("None", "CURVE")}[how]
    if how != "shown":
        holder.hide_viewport = True
    bpy.context.view_layer.update()
    objects = [thing.name for thing in bpy.data.objects]
    done = bake(moved, motion)
    assert done.notes == () and [thing.name for thing in bpy.data.objects] == objects
    moved.hide_viewport = home.hide_viewport = layer.hide_viewport = False
    far, turned = bake_error(moved, motion, done.frames.tolist())
    assert far <= MM and turned <= DEGREES


def test_the_skin_of_a_hidden_rig_is_looked_at(scene: Any) -> None:
    rig = make_rig()
    bone = rig.data.bones["hand.L"]
    mesh = bpy.data.meshes.new("Skin")
    mesh.from_pydata([bone.head_local, bone.tail_local, bone.tail_local + bone.x_axis], [], [(0, 1, 2)])
    skin = bpy.data.objects.new("Skin", mesh)
    scene.collection.objects.link(skin)
    skin.vertex_groups.new(name="hand.L").add([1, 2], 1.0, "REPLACE")
    skin.vertex_groups.new(name="spine").add([0], 1.0, "REPLACE")
    skin.modifiers.new("Armature", "ARMATURE").object = rig
    done = bake(rig, wild_motion(character_of(rig)))
    shown = torn_edges(rig, done.frames)
    rig.hide_viewport = skin.hide_viewport = True
    bpy.context.view_layer.update()
    assert shown is not None and shown.edges and torn_edges(rig, done.frames) == shown


def test_nothing_is_left_of_looking_at_what_is_hidden(moved: Any) -> None:
    moved.hide_viewport = True
    bpy.context.view_layer.update()
    before = contents()
    with pytest.raises(KeyError), evaluated(moved):
        raise KeyError
    assert contents() == before
    with evaluated(moved):
        bpy.ops.wm.read_factory_settings(use_empty=True)
