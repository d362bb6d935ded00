"""The way in: which character the panel is about, what is offered as its path, a new one, and Blender's own menus."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.foreseen import seconds_of
from blender_biped.ui.base.units import SPACE
from blender_biped.ui.job.estimate import estimate
from blender_biped.ui.job.mapping import character_object, offered_path
from blender_biped.ui.job.outlook import UNKNOWN, outlook
from blender_biped.ui.job.request import read_request
from blender_biped.ui.panels.path_operators import draw_add_path, draw_bake
from blender_biped.ui.panels.walk_panels import BIPED_PT_walk
from blender_biped.world.shapes import SHAPES
from tests.blender.drawn import shown
from tests.blender.scenes import make_curve, make_rig

STRAIGHT = [(0.0, 0.0, 0.0), (8.0, 0.0, 0.0)]


def select(active: Any, *others: Any) -> None:
    for thing in bpy.context.view_layer.objects:
        thing.select_set(thing in (active, *others))
    bpy.context.view_layer.objects.active = active


def test_a_character_that_is_deleted_is_not_shown(scene: Any) -> None:
    kept, other = make_rig("Kept"), make_rig("Other")
    scene.biped.armature = kept
    bpy.context.view_layer.objects.active = None
    assert character_object(bpy.context) == kept
    scene.collection.objects.unlink(kept)  # as Blender's Delete does; the scene's pointer still has it
    assert character_object(bpy.context) == other
    scene.collection.objects.unlink(other)
    assert character_object(bpy.context) is None
    assert shown(BIPED_PT_walk)[0].startswith("Select an armature")


def test_a_character_in_a_collection_that_is_left_out_is_named(scene: Any) -> None:
    rig = make_rig()
    scene.biped.armature = rig
    away = bpy.data.collections.new("Away")
    scene.collection.children.link(away)
    scene.collection.objects.unlink(rig)
    away.objects.link(rig)
    bpy.context.view_layer.layer_collection.children["Away"].exclude = True
    bpy.context.view_layer.objects.active = None
    assert character_object(bpy.context) == rig
    with pytest.raises(RuntimeError, match="not in this view layer: include its collection"):
        bpy.ops.biped.bake_walk()


def test_a_curve_is_offered_as_the_path(scene: Any) -> None:
    rig, first, second = make_rig(), make_curve(STRAIGHT), make_curve(STRAIGHT)
    select(rig)
    assert offered_path(bpy.context, rig) is None and "[Use Selected Curve as Path]" not in shown(BIPED_PT_walk)
    with pytest.raises(RuntimeError, match="Select the character and one curve"):
        bpy.ops.biped.use_path()
    select(first)
    assert "[Use Selected Curve as Path]" in shown(BIPED_PT_walk)
    assert bpy.ops.biped.use_path() == {"FINISHED"} and rig.biped.walk.path == first
    select(second)
    assert offered_path(bpy.context, rig) is None  # active while there is a path: it may be for anything
    select(rig, first, second)
    assert bpy.ops.biped.use_path() == {"FINISHED"} and rig.biped.walk.path == second
    select(rig, first, second, make_curve(STRAIGHT))
    assert offered_path(bpy.context, rig) is None  # which one?


@pytest.mark.parametrize("shape", [name for name, _, _ in SHAPES])
def test_a_new_path_begins_at_the_feet_and_goes_where_the_character_faces(scene: Any, shape: str) -> None:
    rig = make_rig()
    rig.location, rig.rotation_euler.z = (3.0, -2.0, 0.0), 0.7
    bpy.context.view_layer.update()
    assert bpy.ops.biped.add_path(shape=shape, length=9.0) == {"FINISHED"}
    assert rig.biped.walk.path == bpy.context.object and scene.biped.armature == rig
    path = read_request(bpy.context).job.path
    assert path.length == pytest.approx(9.0, rel=0.01) and path.closed == (shape in ("CIRCLE", "RECTANGLE"))
    assert np.linalg.norm(path.points[0] - (3.0, -2.0)) < 0.1
    off = float(path.heading(0.02)) - (0.7 - 0.5 * math.pi)
    assert abs(math.remainder(off, math.tau)) < 0.1


def test_a_new_path_is_as_long_as_the_character_needs(scene: Any) -> None:
    rig = make_rig()
    bpy.ops.biped.add_path()
    adult = read_request(bpy.context).job.path.length
    bpy.context.view_layer.objects.active = rig
    rig.scale = (3.0, 3.0, 3.0)
    bpy.ops.biped.add_path()
    assert read_request(bpy.context).job.path.length == pytest.approx(3.0 * adult, rel=1e-3)
    scene.unit_settings.scale_length, rig.scale = 0.01, (100.0, 100.0, 100.0)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.biped.add_path()
    assert read_request(bpy.context).job.path.length == pytest.approx(adult, rel=1e-3)


def test_a_path_is_added_where_there_is_no_character(scene: Any) -> None:
    scene.cursor.location = (1.0, 2.0, 0.5)
    assert bpy.ops.biped.add_path() == {"FINISHED"}
    assert tuple(bpy.context.object.location) == pytest.approx((1.0, 2.0, 0.5))


def test_how_long_the_walk_will_be_is_told(scene: Any) -> None:
    rig = make_rig()
    walk = rig.biped.walk
    assert estimate(bpy.context, rig) is None
    walk.path = make_curve([(0.0, 0.0, 0.0), (0.0, 12.0, 5.0)])  # its height does not count
    walk.controller, walk.frame_start = "klaw", 11
    walk.speed = 1.2
    bpy.context.view_layer.update()
    found = estimate(bpy.context, rig)
    assert found and found.seconds and found.length == pytest.approx(12.0)
    assert found.seconds == pytest.approx(11.5, abs=0.7)
    assert found.frame == 11 + round(found.seconds * 24)
    assert any(text.startswith("12 m, about 11") for text in shown(BIPED_PT_walk))
    walk.start = 2.0
    assert (shorter := estimate(bpy.context, rig)) and shorter.length == pytest.approx(10.0)


def test_speeds_and_waits_along_the_path_and_what_hands_do_count_in_how_long_it_will_be(scene: Any) -> None:
    rig = make_rig()
    rig.biped.walk.path, rig.biped.pace = make_curve([(0.0, 0.0, 0.0), (20.0, 0.0, 0.0)]), "EXACT"
    rig.biped.walk.speed = 0.5
    bpy.context.view_layer.update()

    def seconds() -> float:
        found = estimate(bpy.context, rig)
        assert found and found.seconds
        return found.seconds

    slow = seconds()
    point = rig.biped.walk.points.add()
    point.place, point.own_speed, point.wait = 10.0, 1.0, 3.0
    assert seconds() == pytest.approx(slow - 10.0 + 3.0, abs=3.0)  # it stops and starts once more
    waits = seconds()
    bpy.ops.mesh.primitive_cube_add(size=0.3, location=(15.0, 0.0, 0.15))
    target = bpy.context.object.biped.target
    bpy.context.view_layer.objects.active, target.active = rig, True
    assert 3.0 < seconds() - waits < 12.0
    rig.biped.walk.controller = "simbicon"
    idle, target.active = seconds(), False  # its hands do nothing
    assert seconds() == pytest.approx(idle)


def test_what_was_simulated_stands_in_place_of_the_estimate(scene: Any) -> None:
    rig = make_rig()
    rig.biped.walk.path, rig.biped.walk.controller = make_curve([(0.0, 0.0, 0.0), (3.0, 0.0, 0.0)]), "klaw"
    bpy.context.view_layer.update()
    before = estimate(bpy.context, rig)
    assert before and not before.walked
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    after = estimate(bpy.context, rig)
    assert after and after.walked and after.frame == rig.animation_data.action.frame_range[1]
    assert not any("about" in text for text in shown(BIPED_PT_walk) if text.startswith("3 m, "))
    rig.biped.walk.speed = 0.9
    other = estimate(bpy.context, rig)
    assert other and not other.walked and other.seconds and after.seconds and other.seconds > after.seconds


def test_an_outlook_has_the_figure_of_the_whole_job(scene: Any) -> None:
    rig = make_rig()
    rig.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (4.0, 4.0, 0.0)])
    bpy.context.view_layer.update()
    known = outlook(bpy.context, rig)
    assert known.seconds == pytest.approx(seconds_of(read_request(bpy.context).job)) and known.refused == ""
    found = estimate(bpy.context, rig, known)
    assert found and found.seconds == known.seconds
    rig.biped.walk.path = None
    assert outlook(bpy.context, rig) == UNKNOWN


def test_a_path_that_doubles_back_is_named_before_the_bake(scene: Any) -> None:
    rig = make_rig()
    rig.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (0.0, 0.001, 0.0)])
    bpy.context.view_layer.update()
    assert not read_request(bpy.context).warnings and not outlook(bpy.context, rig).turns  # Natural turns there
    said = "The path doubles back within a step, 4 m along it: make the turn wider, or let the walk end there."
    rig.biped.walk.controller = "generalized"
    assert [text.replace(SPACE, " ") for text in read_request(bpy.context).warnings] == [said]
    assert outlook(bpy.context, rig).turns.replace(SPACE, " ") == said
    rig.biped.walk.controller = "klaw"
    assert not read_request(bpy.context).warnings and not outlook(bpy.context, rig).turns


def test_blenders_own_menus_have_the_buttons(scene: Any) -> None:
    assert draw_add_path in bpy.types.VIEW3D_MT_curve_add.draw._draw_funcs
    assert draw_bake in bpy.types.VIEW3D_MT_object_animation.draw._draw_funcs
