"""The walk of the panel's character with all that is known of it in drawing: for the list On the Way, and handles."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ...base.spatial import Array
from ...motion.trail import MotionTrail
from ...world.path import Path
from ..base.reading import ScenePath
from ..job.mapping import character_object
from ..job.on_way.row import ShownWalk, WalkedCourse
from ..job.refusal import refusal
from . import preview, way
from .read_later import ReadLater

_EVERY = 0.25  # s between two places of a course
_BACK, _AHEAD = 0.5, 3.0  # m of the path in which the next one is looked for

refused = ReadLater(refusal)
"""Why the walk cannot be baked: read while the list is shown."""

_last: tuple[Any, WalkedCourse | None] = (None, None)


def shown_walk(context: Any, foresee: bool = True) -> ShownWalk | None:
    """Return the walk of the panel's character, None without one. For draw functions: what is not known is read later.

    foresee: whether to have it looked whether it can be baked.
    """
    armature = character_object(context)
    if armature is None:
        return None
    found = way.shown_way(context)
    wrong = refused.known(context) if foresee and found else ""
    return ShownWalk(context.scene, context.view_layer, armature, found, wrong or "", _course(context, found))


def _course(context: Any, found: ScenePath | None) -> WalkedCourse | None:
    """Return where the walk is when, as the preview shows it; None without one."""
    global _last
    walk = preview.shown() if context.scene.biped.show_preview else None
    if walk is None or found is None or not walk.duration > _EVERY:
        return None
    if _last[0] is not walk:
        of = (walk.motion.times, walk.motion.root) if isinstance(walk, MotionTrail) else (walk.times, walk.line)
        times = np.arange(of[0][0], of[0][-1], _EVERY)
        hips = np.column_stack([np.interp(times, of[0], column) for column in of[1].T])
        hips = found.unit * hips @ preview.state().stretch.T
        _last = walk, WalkedCourse(times, _along(found.path, hips))
    return _last[1]


def _along(path: Path, places: Array) -> Array:
    """Return how far along a path places (T, 3), m, are, one after the other, so that it may cross itself."""
    at, found = path.nearest(places[0]), []
    for place in places:
        at = path.nearest(place, max(at - _BACK, 0.0), at + _AHEAD)
        found.append(at)
    return np.array(found)


def start() -> None:
    """Follow what may let a walk be refused. Nothing without a window."""
    if not bpy.app.background:
        refused.start()


def stop() -> None:
    """Forget what was known."""
    global _last
    _last = (None, None)
    refused.stop()
