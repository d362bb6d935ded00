"""Objects that are scaled unevenly, sheared or mirrored: simulated without it, shown with it, exact in between."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.base.errors import RigError
from blender_biped.motion import gait_events
from blender_biped.ui.bake.accuracy import bake_error
from blender_biped.ui.bake.keyframes import Root, bake
from blender_biped.ui.bake.marks import lay_footprints
from blender_biped.ui.base.reading import read_armature, sole_height, stretch_of, unstretched
from blender_biped.ui.job.request import read_request
from blender_biped.world.floor import Floor
from tests.blender.scenes import character_of, contents, make_curve, make_rig, wild_motion
from tests.marks import long_but

MM, DEGREES = 0.05, 0.02  # as in test_bake


def parented(armature: Any, scale: tuple[float, float, float], turn: tuple[float, float, float]) -> Any:
    """Hang an armature on an empty, and return it."""
    carrier = bpy.data.objects.new("Carrier", None)
    bpy.context.scene.collection.objects.link(carrier)
    carrier.scale, carrier.rotation_euler = scale, turn
    armature.parent = carrier
    return carrier


def mirrored(armature: Any) -> None:
    armature.scale = (-1.0, 1.0, 1.0)


def uneven(armature: Any) -> None:
    armature.scale = (1.3, 0.8, 1.1)


def on_an_uneven_parent(armature: Any) -> None:
    parented(armature, (1.0, 1.2, 0.8), (0.0, 0.0, 0.6))


def on_a_mirrored_uneven_parent(armature: Any) -> None:
    parented(armature, (1.0, -1.2, 0.8), (0.0, 0.0, -0.6))


HOW = (mirrored, uneven, on_an_uneven_parent, on_a_mirrored_uneven_parent)


def placed(how: Callable[[Any], None]) -> Any:
    armature = make_rig(seed=1)
    armature.location, armature.rotation_euler = (-2.0, 3.0, 0.4), (0.0, 0.0, 2.1)
    how(armature)
    bpy.context.view_layer.update()
    return armature


@pytest.mark.parametrize("root", long_but(["HIPS", "ROOT_BONE", "OBJECT"], "HIPS"))
@pytest.mark.parametrize("how", HOW)
def test_what_is_shown_is_what_was_simulated_stretched(how: Callable[[Any], None], root: Root, scene: Any) -> None:
    armature = placed(how)
    motion = wild_motion(character_of(armature))
    if root == "OBJECT" and how is uneven:
        before = contents()
        with pytest.raises(RigError, match="its stretch would turn with it: choose Hips or Root Bone"):
            bake(armature, motion, 1, root)
        assert contents() == before
        return
    stretch = stretch_of(armature)
    done = bake(armature, motion, 1, root)
    frames = done.frames.tolist()
    far, turned = bake_error(armature, motion, frames)
    assert far <= MM and turned <= DEGREES
    assert len(done.notes) == 1 and done.notes[0].startswith("The object is scaled")
    sampled = motion.sampled((done.frames - 1.0) / 24.0)
    for i in (0, 11, len(frames) - 1):
        scene.frame_set(frames[i])
        for role in ("foot.L", "hand.R", "head"):
            k = motion.character.index(role)
            shown = armature.matrix_world @ armature.pose.bones[motion.character.links[k].bones[0]].head
            assert np.allclose(shown, stretch @ sampled.origins[i, k], atol=2e-4)


@pytest.mark.parametrize("how", HOW)
def test_without_its_stretch_the_object_is_scaled_evenly(how: Callable[[Any], None]) -> None:
    armature = placed(how)
    stretch = stretch_of(armature)
    even = (unstretched(stretch) @ np.array(armature.matrix_world))[:3, :3]
    assert np.allclose(even @ even.T, np.eye(3) * np.cbrt(np.linalg.det(even)) ** 2, atol=1e-6)
    assert np.linalg.det(even) > 0.0 and abs(np.linalg.det(stretch)) == pytest.approx(1.0)
    assert np.allclose(stretch[2, :2], 0.0, atol=1e-6) and np.allclose(stretch[:2, 2], 0.0, atol=1e-6)


@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (0.01, 0.01, 0.01), (1.0, 1.0005, 1.0)])
def test_an_evenly_scaled_object_has_none(scale: tuple[float, float, float]) -> None:
    armature = make_rig()
    armature.scale, armature.rotation_euler = scale, (0.3, 0.2, 1.0)
    bpy.context.view_layer.update()
    assert np.array_equal(stretch_of(armature), np.eye(3))


def test_a_stretch_that_tilts_the_ground_is_refused() -> None:
    armature = make_rig()
    parented(armature, (1.0, 1.0, 1.5), (0.3, 0.0, 0.0))
    bpy.context.view_layer.update()
    with pytest.raises(RigError, match="its ground would be a slope: apply its rotation and scale"):
        read_armature(armature, 1.0)


def test_a_stretch_that_changes_in_the_course_of_the_walk_is_refused(scene: Any) -> None:
    armature = make_rig()
    carrier = parented(armature, (1.0, 1.3, 1.0), (0.0, 0.0, 0.0))
    for frame, angle in ((1, 0.0), (20, 1.0)):
        carrier.rotation_euler.z = angle
        carrier.keyframe_insert("rotation_euler", frame=frame)
    scene.frame_set(1)
    motion, before = wild_motion(character_of(armature)), contents()
    with pytest.raises(RigError, match="stretched differently in the course of the walk"):
        bake(armature, motion)
    assert contents() == before


@pytest.mark.parametrize("how", HOW)
def test_the_ground_is_under_the_shown_soles(how: Callable[[Any], None]) -> None:
    armature = placed(how)
    rig, character = read_armature(armature, 1.0), character_of(armature)
    stretch = stretch_of(armature)
    low = min((armature.matrix_world @ bone.tail_local).z for bone in armature.data.bones)
    assert stretch[2, 2] * sole_height(rig, character) == pytest.approx(low, abs=0.05)


@pytest.mark.parametrize("how", HOW)
def test_footprints_are_stretched_as_the_walk(how: Callable[[Any], None]) -> None:
    armature = placed(how)
    motion = wild_motion(character_of(armature))
    laid = lay_footprints(armature, motion, Floor(0.25))
    marks = gait_events.footprints(motion)
    outlines = [gait_events.sole_outline(motion.character, mark) for mark in marks]
    assert outlines
    points = np.array([v.co for v in laid.data.vertices])
    wanted = np.concatenate(outlines) @ stretch_of(armature)[:2, :2].T
    assert np.allclose(points[:, :2], wanted, atol=1e-5)
    assert np.ptp(points[:, 2]) < 1e-6


@pytest.mark.parametrize("how", HOW)
def test_the_path_is_taken_where_the_simulation_is(how: Callable[[Any], None], scene: Any) -> None:
    armature = placed(how)
    bpy.context.view_layer.objects.active = armature
    armature.biped.walk.start = 1.0
    armature.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (4.0, 1.0, 0.0), (6.0, 5.0, 0.0)])
    job = read_request(bpy.context).job
    stretch = stretch_of(armature)
    shown = job.path.points @ stretch[:2, :2].T
    assert np.allclose(shown, [(0.0, 0.0), (4.0, 1.0), (6.0, 5.0)], atol=1e-6)
    drawn = math.hypot(4.0, 1.0) + math.hypot(2.0, 4.0)
    assert job.start == pytest.approx(job.path.length / drawn, rel=1e-6)


def _keyed_scale(carrier: Any, sizes: tuple[float, float]) -> None:
    for frame, size in zip((1, 20), sizes, strict=True):
        carrier.scale = (size,) * 3
        carrier.keyframe_insert("scale", frame=frame)


def _driven_scale(carrier: Any, sizes: tuple[float, float]) -> None:
    for axis in range(3):
        driver = carrier.driver_add("scale", axis).driver
        driver.type, driver.expression = "SCRIPTED", f"{sizes[0]} + (frame - 1) * {(sizes[1] - sizes[0]) / 19.0}"


@pytest.mark.parametrize("how", [_keyed_scale, _driven_scale])
@pytest.mark.parametrize("sizes", [(1.0, 1.5), (1.0, 0.6), (1.0, 1.0005)])
def test_a_carrier_that_grows_is_refused(how: Any, sizes: tuple[float, float], scene: Any) -> None:
    armature = make_rig()
    carrier = bpy.data.objects.new("Grow", None)
    scene.collection.objects.link(carrier)
    how(carrier, sizes)
    armature.parent = carrier
    scene.frame_set(1)
    motion = wild_motion(character_of(armature), 0, 19.0 / 24.0)
    if abs(sizes[1] - sizes[0]) < 1e-3:
        assert bake(armature, motion).notes == ()
        return
    least, most = sorted(sizes)
    before = contents()
    with pytest.raises(RigError, match=rf"changes its size during the walk \({least:.2f} to {most:.2f} times"):
        bake(armature, motion)
    assert contents() == before
