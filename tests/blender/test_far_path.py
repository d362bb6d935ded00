"""Paths that begin far from their character: told before the bake, with a button that brings both together."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.ui.job.outlook import outlook
from blender_biped.ui.panels.walk_panels import BIPED_PT_walk
from blender_biped.ui.view import walk_shown
from tests.blender.drawn import shown
from tests.blender.scenes import contents, make_curve, make_rig


@pytest.fixture
def hero(scene: Any) -> Any:
    """A character whose path begins 112 m from it."""
    rig = make_rig()
    rig.biped.walk.path = make_curve([(112.0, 3.0, 5.0), (120.0, 3.0, 5.0)])
    bpy.context.view_layer.update()
    return rig


def far(hero: Any) -> float:
    bpy.context.view_layer.update()
    return outlook(bpy.context, hero).far


def test_the_panel_says_how_far_before_the_bake(hero: Any) -> None:
    walk_shown.foreseen.read_now(bpy.context)
    said = shown(BIPED_PT_walk)
    assert "The path begins 112 m away" in said, said
    assert said.index("[Move to Path]") < said.index("[Bake Walk]")


def test_a_path_near_the_character_is_not_told_of(hero: Any) -> None:
    hero.biped.walk.path.location.x = -110.0
    assert far(hero) == 0.0


def test_walks_in_place_are_where_the_character_is(hero: Any) -> None:
    hero.biped.root = "IN_PLACE"
    assert far(hero) == 0.0
    hero.biped.root, hero.biped.one_stride = "HIPS", True
    assert far(hero) == 0.0


@pytest.mark.parametrize("moved", ["CHARACTER", "PATH"])
@pytest.mark.parametrize("turned", [False, True])
def test_the_button_moves_one_to_the_other_and_is_undone(hero: Any, moved: str, turned: bool) -> None:
    thing = hero.biped.walk.path if moved == "PATH" else hero
    other = hero if moved == "PATH" else hero.biped.walk.path
    if turned:  # beside, on a parent that is turned and scaled, from the path's end
        hero.biped.walk.reverse = True
        parent = bpy.data.objects.new("Carrier", None)
        bpy.context.scene.collection.objects.link(parent)
        parent.rotation_euler.z, parent.scale, parent.location = 0.8, (2.0, 2.0, 2.0), (1.0, 2.0, 0.0)
        thing.parent = parent
    bpy.context.view_layer.update()
    stays, height = np.array(other.matrix_world), thing.matrix_world.translation.z
    turn = np.array(thing.matrix_world.to_3x3())
    bpy.ops.ed.undo_push(message="before")
    before = contents()
    assert bpy.ops.biped.bring_together(moved=moved) == {"FINISHED"}
    assert far(hero) == 0.0 and math.isclose(thing.matrix_world.translation.z, height, abs_tol=1e-5)
    np.testing.assert_allclose(other.matrix_world, stays, atol=1e-6)
    np.testing.assert_allclose(thing.matrix_world.to_3x3(), turn, atol=1e-5)
    points = hero.biped.walk.path.data.splines[0].points
    begin = hero.biped.walk.path.matrix_world @ points[-1 if turned else 0].co.to_3d()
    assert (begin.xy - hero.matrix_world.translation.xy).length < 0.1  # the mid-hip is near the origin
    bpy.ops.ed.undo_push(message="Move")
    bpy.ops.ed.undo()
    assert contents() == before


def test_what_cannot_stay_where_it_is_moved_is_refused(hero: Any) -> None:
    hero.keyframe_insert("location", frame=1)
    with pytest.raises(RuntimeError, match="is animated: move its keys"):
        bpy.ops.biped.bring_together(moved="CHARACTER")
    hero.biped.walk.path.constraints.new("COPY_LOCATION").target = hero
    with pytest.raises(RuntimeError, match="has constraints: move what holds it"):
        bpy.ops.biped.bring_together(moved="PATH")
    hero.biped.walk.path = None
    with pytest.raises(RuntimeError, match="Choose a curve"):
        bpy.ops.biped.bring_together(moved="PATH")
