"""Footsteps of a baked walk: kept with its action, as markers with properties, and what each foot steps on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
from mathutils import Vector

from ...job import Job
from ...motion import gait_events
from ...motion.footsteps import footsteps
from ...motion.motion import Motion
from ..base.reading import frame_rate, metres, stretch_of
from ..base.skins import follows

_REACH = 0.15  # of the leg: so far above and below the sole it is looked for what it stands on
_MOST = 8  # things that are passed on the way down: skins, clothes, footprints


def keep_footsteps(armature: Any, action: Any, motion: Motion, job: Job, start: int, travels: bool) -> None:
    """Keep the footsteps of a walk with its action, in place of those it has.

    start: the frame of the motion's begin. travels: whether the motion goes where it is baked, on what is there.
    """
    scene = bpy.context.scene
    rate, space = frame_rate(scene), stretch_of(armature) / metres(scene)
    kept = action.biped.footsteps
    kept.clear()
    for own in footsteps(motion, job.floor, job.gravity):
        made = kept.add()
        made.frame, made.time, made.side = start + own.time * rate, own.time, gait_events.SIDES[own.side]
        made.strength = own.strength
        if travels:
            place = Vector(space @ own.place)
            made.place = place
            made.stepped_on = stepped_on(place, _REACH * motion.character.leg_length / metres(scene), armature)


def mark_strikes(action: Any) -> None:
    """Give an action a pose marker, "L" or "R", at each footstep that it keeps.

    Where this Blender lets markers have properties, each has its side, strength and what it steps on, too.
    """
    for own in action.biped.footsteps:
        marker = action.pose_markers.new(own.side)
        marker.frame = round(own.frame)
        try:
            marker["side"], marker["strength"], marker["stepped_on"] = own.side, own.strength, own.stepped_on
        except TypeError:  # newer ones do not
            continue


def stepped_on(place: Vector, reach: float, armature: Any) -> str:
    """Return the name of what is under a place of the scene, "" where nothing is. reach: how far it is looked for.

    Skins of characters, what hangs on the armature, and footprints are not stepped on.
    """
    depsgraph = bpy.context.evaluated_depsgraph_get()
    origin, left = place + Vector((0.0, 0.0, reach)), 2.0 * reach
    for _ in range(_MOST):
        hit, at, _, _, thing, _ = bpy.context.scene.ray_cast(depsgraph, origin, Vector((0.0, 0.0, -1.0)), distance=left)
        if not hit:
            return ""
        own = thing.original
        if not (own.biped.is_footprints or own.find_armature() is not None or follows(own, armature)):
            return str(own.name)
        passed = origin.z - at.z + 1e-4 * reach
        origin, left = origin - Vector((0.0, 0.0, passed)), left - passed
        if left <= 0.0:
            break
    return ""


def as_rows(steps: Sequence[Any]) -> list[dict[str, Any]]:
    """Return kept footsteps as plain data, in the order of time: what the files of sound have."""
    return [
        {
            "frame": round(own.frame, 3),
            "time_s": round(own.time, 5),
            "side": own.side,
            "strength": round(own.strength, 4),
            "x": round(own.place[0], 5),
            "y": round(own.place[1], 5),
            "z": round(own.place[2], 5),
            "object": own.stepped_on,
        }
        for own in steps
    ]
