"""A treadmill: an empty that moves as the ground does under a walk in place, for backgrounds."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ...base.errors import DataError
from ...base.spatial import Array
from ...motion.cycle import Cycle
from ...motion.motion import Motion
from ...motion.travel import travel
from ..base.reading import frame_rate, metres, read_armature, standing_place, stretch_of
from .action import assign, new_action
from .choices import Shown
from .keyframes import Frames, frames_of
from .marks import beside

_UNEVEN = 1e-3  # of a scale


def lay_treadmill(armature: Any, motion: Motion, walk: Shown, start: int) -> bpy.types.Object:
    """Return the character's treadmill, keyed for a walk: a new empty, or its own of an earlier bake.

    What is parented to it where it begins moves under the character as the ground did. A stride that repeats has it go
    on evenly for ever. Raises DataError for an armature that is scaled unevenly.
    """
    scene = bpy.context.scene
    stretch = stretch_of(armature)
    size = abs(float(np.linalg.det(stretch))) ** (1.0 / 3.0)
    if np.abs(stretch @ stretch.T / size**2 - np.eye(3)).max() > _UNEVEN or np.linalg.det(stretch) < 0.0:
        raise DataError(f"{armature.name!r} is scaled unevenly or mirrored, and gets no treadmill: apply its scale.")
    rest, facing = standing_place(read_armature(armature, metres(scene)), motion.character)
    if walk.cycle:
        frames = np.array([start, start + walk.cycle.frames])
        places, turns = _steady(walk.cycle, facing)
    else:
        frames = frames_of(motion, scene, start)
        places, turns = _under(motion, (frames - start) / frame_rate(scene), np.asarray(rest), facing)
    own = _own(armature)
    _key(own, frames, places @ stretch[:2, :2].T / metres(scene), turns, walk.cycle is not None)
    return own


def _under(motion: Motion, times: Array, rest: Array, facing: float) -> tuple[Array, Array]:
    """Return what takes a place of the walk to where it is under the body: shifts (F, 2), m, turns (F,), rad.

    rest (2,), facing: where the body walks in place, and to where.
    """
    place, heading = travel(motion)
    at = np.column_stack([np.interp(times, motion.times, column) for column in place.T])
    turns = facing - np.interp(times, motion.times, heading)
    c, s = np.cos(turns), np.sin(turns)
    turned = np.column_stack((c * at[:, 0] - s * at[:, 1], s * at[:, 0] + c * at[:, 1]))
    return rest[:2] - turned, turns


def _steady(cycle: Cycle, facing: float) -> tuple[Array, Array]:
    """Return the same of a stride that repeats, where it begins and where it ends."""
    back = -cycle.travel * np.array([np.cos(facing), np.sin(facing)])
    return np.stack((np.zeros(2), back)), np.zeros(2)


def _own(armature: Any) -> bpy.types.Object:
    """Return the character's treadmill in its scene: a new one where it has none that is its own."""
    own = armature.biped.treadmill
    shared = own and any(other.biped.treadmill == own for other in bpy.data.objects if other != armature)
    if own is None or own.library or shared:
        own = bpy.data.objects.new(f"{armature.name} Treadmill", None)
        own.empty_display_type = "ARROWS"
        armature.biped.treadmill = own
    if own not in bpy.context.scene.objects.values():
        beside(armature, bpy.context.scene).objects.link(own)
    return own


def _key(own: Any, frames: Frames, places: Array, turns: Array, on: bool) -> None:
    """Give a treadmill keys, in a new action in place of its own. on: it goes on as it ends."""
    before = own.animation_data.action if own.animation_data else None
    own.rotation_mode = "XYZ"
    draft = new_action(own, "Travel")
    for path, index, values in (
        ("location", 0, places[:, 0]), ("location", 1, places[:, 1]), ("rotation_euler", 2, turns),
    ):  # fmt: skip
        curve = draft.holder.fcurves.new(path, index=index)
        curve.keyframe_points.add(len(frames))
        curve.keyframe_points.foreach_set("co", np.column_stack((frames, values)).astype(np.float32).ravel())
        curve.keyframe_points.foreach_set("interpolation", [1] * len(frames))  # linear
        curve.extrapolation = "LINEAR" if on else "CONSTANT"
        curve.update()
    assign(own, draft)
    if before and before != draft.action and before.users <= 1 and before.name.startswith(f"{own.name} Travel"):
        bpy.data.actions.remove(before)
    scene = bpy.context.scene
    scene.frame_set(scene.frame_current, subframe=scene.frame_subframe)
