"""The walk of the panel's character with all that is known of it in drawing: for the list On the Way, and handles."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ...motion.trail import MotionTrail
from ..base.reading import ScenePath
from ..job.mapping import character_object
from ..job.on_way.row import ShownWalk, WalkedCourse
from ..job.outlook import UNKNOWN, Outlook, outlook, reads_at_once
from ..settings.kept_result import COURSE_EVERY, course_of
from . import preview, way
from .read_later import ReadLater

_EVERY = 0.25  # s between two places of a course

foreseen = ReadLater(outlook)
"""What is known of the walk before it is baked: read while a panel is shown that says it."""

_last: tuple[Any, WalkedCourse | None] = (None, None)


def shown_walk(context: Any, foresee: bool = True) -> ShownWalk | None:
    """Return the walk of the panel's character, None without one. For draw functions: what is not known is read later.

    foresee: whether to have it looked whether it can be baked.
    """
    armature = character_object(context)
    if armature is None:
        return None
    found = way.shown_way(context)
    known = foreseen.known(context) if foresee and found else None
    wrong = known.refused if known else ""
    return ShownWalk(context.scene, context.view_layer, armature, found, wrong, _course(context, found))


def known_of(context: Any) -> Outlook:
    """Return what is known of the walk of the panel's character: for draw functions, what is not is read later.

    Of a curve that is not read as it is shown nothing is: that would be read again and again while the panel is open.
    """
    armature = character_object(context)
    curve = armature.biped.walk.path if armature else None
    if curve is None or not reads_at_once(context, curve):
        return UNKNOWN
    return foreseen.known(context) or UNKNOWN


def _course(context: Any, found: ScenePath | None) -> WalkedCourse | None:
    """Return where the walk is when, as the preview shows it, else as it was baked; None without either."""
    global _last
    walk = preview.shown() if context.scene.biped.show_preview else None
    if found is None:
        return None
    if walk is None or not walk.duration > _EVERY:
        kept = course_of(character_object(context))
        return WalkedCourse(COURSE_EVERY * np.arange(len(kept)), found.path.length * np.array(kept)) if kept else None
    if _last[0] is not walk:
        of = (walk.motion.times, walk.motion.root) if isinstance(walk, MotionTrail) else (walk.times, walk.line)
        times = np.arange(of[0][0], of[0][-1], _EVERY)
        hips = np.column_stack([np.interp(times, of[0], column) for column in of[1].T])
        hips = found.unit * hips @ preview.state().stretch.T
        _last = walk, WalkedCourse(times, np.array(found.path.followed(hips)))
    return _last[1]


def start() -> None:
    """Follow what may let a walk be refused. Nothing without a window."""
    if not bpy.app.background:
        foreseen.start()


def stop() -> None:
    """Forget what was known."""
    global _last
    _last = (None, None)
    foreseen.stop()
