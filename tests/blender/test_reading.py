"""Curves and armatures as Blender has them, read as plain data."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from blender_biped.base.errors import DataError, RigError
from blender_biped.base.spatial import Array
from blender_biped.character.roles import map_bones
from blender_biped.ui.base.reading import metres, read_armature, read_path, sole_height, standing_place
from blender_biped.world.path import Path
from tests.blender.scenes import add_spline, character_of, contents, make_curve, make_rig

LINE = [(0.0, 0.0, 0.0), (2.0, 1.0, 0.5), (5.0, 0.0, 3.0)]
S_CURVE = [(0.0, 0.0, 0.0), (3.0, 1.5, 0.0), (8.0, -1.5, 0.0), (11.0, 0.0, 0.0)]


def path_of(curve: Any, **options: Any) -> Path:
    """Return the curve's path; reading it must change nothing."""
    bpy.context.view_layer.update()
    before = contents()
    path, notes = read_path(curve, bpy.context.evaluated_depsgraph_get(), 1.0, **options)
    assert notes == []
    assert contents() == before
    return path


def ground(points: Any) -> Array:
    return np.array(points)[:, :2]


# --- curves ----------------------------------------------------------------------------------------------------------


def test_a_poly_curve_is_its_ground_projection_from_first_to_last() -> None:
    path = path_of(make_curve(LINE))
    assert path.points == pytest.approx(ground(LINE))
    assert not path.closed


def test_reversed_it_is_walked_from_last_to_first() -> None:
    assert path_of(make_curve(LINE), reverse=True).points == pytest.approx(ground(LINE)[::-1])


@pytest.mark.parametrize("kind", ["BEZIER", "NURBS"])
def test_smooth_curves_are_followed(kind: str) -> None:
    curve = make_curve(S_CURVE, kind)
    path = path_of(curve)
    assert path.length == pytest.approx(curve.data.splines[0].calc_length(), rel=0.003)
    assert path.points[[0, -1]] == pytest.approx(ground(S_CURVE)[[0, -1]], abs=1e-5)
    assert len(path.points) > 10


def test_a_closed_curve_is_walked_round_as_often_as_set() -> None:
    square = [(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 2.0, 0.0), (0.0, 2.0, 0.0)]
    path = path_of(make_curve(square, closed=True), laps=3)
    assert path.closed and path.length == pytest.approx(24.0)
    assert path_of(make_curve(square), laps=3).length == pytest.approx(6.0)


def test_the_objects_transform_counts() -> None:
    curve = make_curve(LINE)
    curve.location, curve.rotation_euler, curve.scale = (1.0, 2.0, 3.0), (0.0, 0.0, math.pi / 2.0), (2.0, 1.0, 1.0)
    assert path_of(curve).points == pytest.approx(np.array([[1.0, 2.0], [0.0, 6.0], [1.0, 12.0]]), abs=1e-5)


def test_modifiers_count() -> None:
    curve = make_curve(LINE)
    hook = bpy.data.objects.new("Hook", None)
    bpy.context.scene.collection.objects.link(hook)
    modifier = curve.modifiers.new("Hook", "HOOK")
    modifier.object = hook
    modifier.vertex_indices_set([2])
    hook.location = (0.0, 4.0, 0.0)
    assert path_of(curve).points == pytest.approx(np.array([[0.0, 0.0], [2.0, 1.0], [5.0, 4.0]]), abs=1e-5)


@pytest.mark.parametrize(
    "dress",
    [
        lambda c: setattr(c.data, "bevel_depth", 0.2),
        lambda c: setattr(c.data, "extrude", 0.2),
        lambda c: setattr(c, "hide_viewport", True),
        lambda c: c.hide_set(True),
    ],
    ids=["thick", "extruded", "hidden in viewports", "hidden"],
)
def test_thick_and_hidden_curves_are_lines_all_the_same(dress: Callable[[Any], None]) -> None:
    curve = make_curve(LINE)
    dress(curve)
    assert path_of(curve).points == pytest.approx(ground(LINE), abs=1e-5)


def test_a_filled_flat_curve_is_its_outline() -> None:
    square = [(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 2.0, 0.0), (0.0, 2.0, 0.0)]
    curve = make_curve(square, closed=True)
    curve.data.dimensions = "2D"
    curve.data.fill_mode = "BOTH"
    assert path_of(curve).length == pytest.approx(8.0)


def test_of_several_splines_the_longest_is_walked_and_it_is_said() -> None:
    curve = make_curve(LINE)
    add_spline(curve.data, S_CURVE)
    path, notes = read_path(curve, bpy.context.evaluated_depsgraph_get(), 1.0)
    assert path.points == pytest.approx(ground(S_CURVE))
    assert notes == [f"The curve has 2 splines: the longest one, {path.length:.1f} m, is the path."]


def test_a_curve_that_is_being_edited_is_taken_as_it_is_now() -> None:
    curve = make_curve(LINE)
    bpy.context.view_layer.objects.active = curve
    bpy.ops.object.mode_set(mode="EDIT")
    curve.data.splines[0].points[2].co = (9.0, 0.0, 0.0, 1.0)
    path, _ = read_path(curve, bpy.context.evaluated_depsgraph_get(), 1.0)
    assert path.points[-1] == pytest.approx([9.0, 0.0])


def test_lengths_are_metres() -> None:
    path, _ = read_path(make_curve(LINE), bpy.context.evaluated_depsgraph_get(), 0.5)
    assert path.points == pytest.approx(0.5 * ground(LINE))


@pytest.mark.parametrize("kind", ["POLY", "BEZIER", "NURBS"])
def test_a_point_that_is_no_number_is_refused(kind: str) -> None:
    curve = make_curve(LINE, kind)
    spline = curve.data.splines[0]
    point = spline.bezier_points[1] if kind == "BEZIER" else spline.points[1]
    point.co[0] = math.nan
    before = str(contents())
    with pytest.raises(DataError, match="not a finite number"):
        read_path(curve, bpy.context.evaluated_depsgraph_get(), 1.0)
    assert str(contents()) == before


@pytest.mark.parametrize(
    "points, message",
    [
        ([(0.0, 0.0, 0.0), (0.001, 0.0, 0.0)], "0.001 m long on the ground: draw a curve of at least 0.01 m"),
        ([(0.0, 0.0, 0.0), (0.0, 0.0, 9.0)], "is 0 m long on the ground"),
        ([(0.0, 0.0, 0.0), (math.inf, 0.0, 0.0)], "at most 10000 m can be walked"),
    ],
    ids=["a millimetre", "straight up", "endless"],
)
def test_a_curve_that_cannot_be_walked_is_refused(points: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        path_of(make_curve(points))


def test_a_curve_without_points_is_refused() -> None:
    curve = bpy.data.objects.new("Empty", bpy.data.curves.new("Empty", "CURVE"))
    bpy.context.scene.collection.objects.link(curve)
    with pytest.raises(DataError, match="'Empty' has no points"):
        path_of(curve)


# --- armatures -------------------------------------------------------------------------------------------------------


def test_an_armature_is_its_rest_pose_in_metres(scene: Any) -> None:
    scene.unit_settings.scale_length = 0.01
    armature = make_rig(scale=100.0)
    armature.location = (100.0, 0.0, 0.0)
    armature.pose.bones["shin.L"].location = (0.0, 1.0, 0.0)
    bpy.context.view_layer.update()
    read = read_armature(armature, metres(scene))
    assert read.scale == pytest.approx(1.0)
    assert read.world[:3, 3] == pytest.approx([1.0, 0.0, 0.0])
    assert {b.name for b in read.bones} == {b.name for b in armature.data.bones}
    for bone in read.bones:
        own = armature.data.bones[bone.name]
        assert bone.head == pytest.approx(list(own.head_local), abs=1e-6)
        assert bone.tail == pytest.approx(list(own.tail_local), abs=1e-6)
        assert bone.matrix[:, 1] == pytest.approx(list((own.tail_local - own.head_local).normalized()), abs=1e-5)
        assert (read.bones[bone.parent].name if bone.parent >= 0 else None) == (own.parent.name if own.parent else None)


@pytest.mark.parametrize("height", [0.0, 1.25])
def test_the_ground_is_where_the_soles_are(height: float) -> None:
    armature = make_rig()
    armature.location.z = height
    character = character_of(armature)
    assert sole_height(read_armature(armature, 1.0), character) == pytest.approx(height, abs=1e-4)


def test_the_ground_does_not_depend_on_how_the_rig_is_laid_out() -> None:
    armature = make_rig(scale=0.01)
    armature.data.transform(Matrix.Rotation(math.pi / 2.0, 4, "X"))
    armature.rotation_euler.x = -math.pi / 2.0
    character = character_of(armature)
    assert sole_height(read_armature(armature, 1.0), character) == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize(
    ("turn", "lies"), [(math.pi, True), (math.pi / 2.0, True), (-2.0, True), (0.0, False), (0.6, False)]
)
@pytest.mark.parametrize("axis", ["X", "Y"])
def test_soles_of_a_rest_pose_that_lies_or_hangs_say_nothing_of_the_ground(axis: str, turn: float, lies: bool) -> None:
    armature = make_rig()
    armature.location.z = 0.5
    armature.data.transform(Matrix.Translation((0.0, 0.0, -1.0)))
    armature.data.transform(Matrix.Rotation(turn, 4, axis))
    bpy.context.view_layer.update()
    read, character = read_armature(armature, 1.0), character_of(armature)
    assert any("does not stand upright" in doubt for doubt in map_bones(read).doubts) == lies
    low = min((armature.matrix_world @ bone.tail_local).z for bone in armature.data.bones)
    assert sole_height(read, character) == pytest.approx(0.5 if lies else low, abs=0.15)
    if lies:
        assert sole_height(read, character) == pytest.approx(0.5, abs=1e-6)


def test_an_armature_that_is_being_edited_is_refused() -> None:
    armature = make_rig()
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RigError, match=r"Edit mode; leave it \(Tab\)"):
        read_armature(armature, 1.0)


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_where_a_rig_stands_is_below_its_hip_joints_and_faces_as_it_does(scale: float, scene: Any) -> None:
    scene.unit_settings.scale_length = 0.5
    armature = make_rig(scale=scale)
    armature.location, armature.rotation_euler.z = (6.0, -2.0, 1.0), 0.75
    bpy.context.view_layer.update()
    character = character_of(armature)
    place, heading = standing_place(read_armature(armature, metres(scene)), character)
    hips = [armature.matrix_world @ armature.data.bones[f"thigh.{side}"].head_local for side in "LR"]
    assert place == pytest.approx(0.5 * np.mean(hips, axis=0)[:2], abs=1e-5)
    assert heading == pytest.approx(0.75 - math.pi / 2.0, abs=1e-5)  # a rig faces -y
