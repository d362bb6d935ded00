"""What carries a character, whatever moves that, and what is said where something else moves it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import bpy
import pytest

from blender_biped.ui.bake.accuracy import bake_error
from blender_biped.ui.bake.keyframes import bake
from tests.blender.scenes import character_of, make_curve, make_rig, wild_motion

MM, DEGREES = 0.05, 0.02  # as in test_bake


def moving_empty(name: str = "Mover") -> Any:
    """Return an empty that moves and turns in the frames of the walk."""
    made = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(made)
    for frame, place in ((1, 0.0), (20, 1.0)):
        made.location.x = made.rotation_euler.z = place
        made.keyframe_insert("location", frame=frame)
        made.keyframe_insert("rotation_euler", frame=frame)
    return made


def on_a_bone(rig: Any) -> None:
    """Hang it on a bone that follows an empty, of an armature that has no animation of its own."""
    carrier = make_rig("Carrier")
    follows = carrier.pose.bones["hand.L"].constraints.new("COPY_TRANSFORMS")
    follows.target = moving_empty()
    rig.parent, rig.parent_type, rig.parent_bone = carrier, "BONE", "hand.L"


def on_a_vertex(rig: Any) -> None:
    """Hang it on a point that a hook moves."""
    mesh = bpy.data.meshes.new("Raft")
    mesh.from_pydata([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], [], [(0, 1, 2)])
    raft = bpy.data.objects.new("Raft", mesh)
    bpy.context.scene.collection.objects.link(raft)
    hook = raft.modifiers.new("Hook", "HOOK")
    hook.object = moving_empty()
    hook.vertex_indices_set([0, 1, 2])
    rig.parent, rig.parent_type, rig.parent_vertices = raft, "VERTEX_3", (0, 1, 2)


def on_a_parents_parent(rig: Any) -> None:
    """Hang it on an empty that hangs on a bone that is moved."""
    between = bpy.data.objects.new("Between", None)
    bpy.context.scene.collection.objects.link(between)
    on_a_bone(between)
    rig.parent = between


def by_a_constraint_of_its_own_action(rig: Any) -> None:
    """Let its own action key how far it follows."""
    follows = rig.constraints.new("COPY_LOCATION")
    follows.target = moving_empty()
    for frame, influence in ((1, 0.0), (20, 1.0)):
        follows.influence = influence
        follows.keyframe_insert("influence", frame=frame)


@pytest.mark.parametrize(
    "how",
    [on_a_bone, on_a_vertex, on_a_parents_parent, by_a_constraint_of_its_own_action],
    ids=lambda how: how.__name__,
)
def test_a_carrier_counts_whatever_moves_it(how: Callable[[Any], None], scene: Any) -> None:
    rig = make_rig()
    how(rig)
    bpy.context.view_layer.objects.active = rig
    scene.frame_set(1)
    motion = wild_motion(character_of(rig))
    done = bake(rig, motion)
    assert done.notes == ()
    far, turned = bake_error(rig, motion, done.frames.tolist())
    assert far <= MM and turned <= DEGREES


def drive(owner: Any, name: str, index: int, expression: str) -> None:
    driver = owner.driver_add(name, index).driver
    driver.type, driver.expression = "SCRIPTED", expression


def test_an_armature_that_is_moved_as_a_whole_is_said_with_what_may_do_it(scene: Any) -> None:
    rig = make_rig()
    drive(rig, "location", 0, "0.1 * (frame - 1)")
    motion = wild_motion(character_of(rig))
    (said,) = bake(rig, motion).notes
    assert "At frame 7 all of the armature is moved, by the object's own animation." in said
    rig.driver_remove("location", 0)
    drive(rig.pose.bones["shin.L"], "rotation_quaternion", 1, f"{math.sin(0.2)}")
    said = " ".join(bake(rig, motion).notes)
    assert "something else moves shin.L, and what hangs on that." in said


# --- paths that move -------------------------------------------------------------------------------------------------


def walked(rig: Any, way: Any) -> Any:
    rig.biped.walk.path = way
    bpy.context.view_layer.objects.active = rig
    bpy.context.scene.frame_set(1)
    return bake(rig, wild_motion(character_of(rig)))


def test_a_path_that_rides_on_what_carries_the_character_is_walked_there(scene: Any) -> None:
    rig, way, ship = make_rig(), make_curve([(0, 0, 0), (4, 0, 0)]), moving_empty()
    rig.parent = way.parent = ship
    done = walked(rig, way)
    assert done.notes == () and "it walks on that" in done.facts[0]
    places = []
    for frame in (1, 13, 20, 25):
        scene.frame_set(frame)
        posed = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        places.append(posed.pose.bones["spine"].head.copy())  # on the ship
    rig.parent = way.parent = None
    assert walked(rig, way).facts == ()
    for frame, place in zip((1, 13, 20, 25), places, strict=True):
        scene.frame_set(frame)
        posed = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        assert (posed.pose.bones["spine"].head - place).length < 1e-3


def _by_itself(way: Any, _rig: Any) -> None:
    way.parent = moving_empty()


def _its_points(way: Any, _rig: Any) -> None:
    point = way.data.splines[0].points[1]
    for frame, x in ((1, 4.0), (20, 5.0)):
        point.co.x = x
        point.keyframe_insert("co", frame=frame)


def _another_ship(way: Any, rig: Any) -> None:
    way.parent, rig.parent = moving_empty("One"), moving_empty("Two")
    rig.parent.scale = (1.0, 1.0, 1.0)
    rig.parent.location.y = 1.0
    rig.parent.keyframe_insert("location", frame=10)


@pytest.mark.parametrize("how", [_by_itself, _its_points, _another_ship])
def test_a_path_that_moves_otherwise_is_said(how: Any, scene: Any) -> None:
    rig, way = make_rig(), make_curve([(0, 0, 0), (4, 0, 0)])
    how(way, rig)
    assert walked(rig, way).notes == (
        "The path moves in the course of the walk, and was walked as it lay when the bake began.",
    )


def test_a_path_with_other_animation_lies_still(scene: Any) -> None:
    rig, way = make_rig(), make_curve([(0, 0, 0), (4, 0, 0)])
    for frame, time in ((1, 0.0), (100, 50.0)):  # for others, who follow it
        way.data.eval_time = time
        way.data.keyframe_insert("eval_time", frame=frame)
    assert walked(rig, way).notes == ()
