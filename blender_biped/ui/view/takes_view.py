"""The takes of a walk, drawn in the 3D view: side by side across the way, each with its number above its head."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import blf
import bpy
import numpy as np
from bpy.app.handlers import persistent
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector

from ...base.errors import BipedError
from ...base.spatial import Array
from ...motion.motion import Motion
from ...motion.trail import MotionTrail, trail_of
from ...world.path import Path
from ..base.reading import metres, stretch_of
from ..job.mapping import character_object
from ..job.takes import Take, Takes, forget_takes, takes_of
from .batches import Batch, draw
from .preview import time_shown
from .walk_batches import body_batches, ground_batches

_APART = 1.1  # of the leg: from one to the next, farther than arms swing
_ABOVE = 0.25  # of the leg: of the number above the head joint
_SIZE = 14  # of the number, points
_WELL, _NOT_WELL = (1.0, 1.0, 1.0, 0.95), (1.0, 0.45, 0.35, 0.95)
_CLOSED = 0.05  # of a path: so near its begin an end shows no direction
_THINNED = 3  # samples to one that is looked at while a motion is not whole


@dataclass
class _DrawnTake:
    """What is drawn of a take. body: its place in time, ms, with what the GPU draws. head (3,): of the number."""

    motion: Motion
    trail: MotionTrail
    ground: list[Batch] | None = None
    body: tuple[int, list[Batch]] | None = None
    head: Array | None = None


_drawn: WeakKeyDictionary[Take, _DrawnTake] = WeakKeyDictionary()
_handles: list[Any] = []


def start() -> None:
    """Let Blender draw, and forget takes when another file is opened. Nothing is drawn without a window."""
    bpy.app.handlers.load_post.append(_forget)
    if not bpy.app.background:
        add = bpy.types.SpaceView3D.draw_handler_add
        _handles.extend((add(_draw, (), "WINDOW", "POST_VIEW"), add(_number, (), "WINDOW", "POST_PIXEL")))


def stop() -> None:
    """Draw no more, and forget the takes."""
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
    bpy.app.handlers.load_post.remove(_forget)
    _forget()


@persistent  # type: ignore[untyped-decorator]
def _forget(*_: Any) -> None:
    forget_takes()
    _drawn.clear()


def shown_takes(context: bpy.types.Context) -> Takes | None:
    """Return the takes that are drawn, those of the panel's character; None where none are."""
    armature = character_object(context)
    found = takes_of(armature.session_uid) if armature else None
    return found if found and found.present and not found.hidden else None


def asides(takes: Takes, stretch: Array) -> list[tuple[Take, Array]]:
    """Return the takes that are drawn, and by how much each is moved (3,), in the scene's units.

    They stand side by side across the line from the path's begin to its end, evenly on both sides of the path.
    stretch (3, 3): from metres to the scene's world.
    """
    present = takes.present
    found = []
    for place, take in enumerate(present):
        by = (0.5 * (takes.places - 1) - place) * _APART * take.motion.character.leg_length
        if not take.hidden:
            found.append((take, stretch @ (by * _left(take.job.path))))
    return found


def _left(path: Path) -> Array:
    """Return what is left (3,) of the line from a path's begin to its end; of its begin where it is closed."""
    x, y = np.array(path.point(path.length)) - np.array(path.point(0.0))
    if np.hypot(x, y) < _CLOSED * path.length:
        heading = path.direction(0.0, _CLOSED * path.length)
        x, y = np.cos(heading), np.sin(heading)
    return np.array((-y, x, 0.0)) / np.hypot(x, y)


def _of(take: Take) -> _DrawnTake:
    """Return what is drawn of a take, made anew where more of its motion has come."""
    own = _drawn.get(take)
    if own is None or own.motion is not take.motion:
        own = _DrawnTake(take.motion, trail_of(take.motion, take.job.floor, 1 if take.summary else _THINNED))
        _drawn[take] = own
    return own


def _now(context: bpy.types.Context) -> tuple[list[tuple[Take, Array]], Array] | None:
    """Return the takes to draw in a view, with how far each is moved, and the stretch; None for none."""
    takes = shown_takes(context)
    if takes is None or not context.space_data.overlay.show_overlays:
        return None
    stretch = stretch_of(character_object(context)) / metres(context.scene)
    return asides(takes, stretch), stretch


def _draw() -> None:
    """Draw, as Blender's 3D views call it; an exception would come again with every view."""
    import gpu

    context = bpy.context
    try:
        now = _now(context)
        if now is None:
            return
        time, (moved, stretch) = time_shown(context), now
        place = round(time * 1000.0)
        for take, aside in moved:
            own = _of(take)
            if own.ground is None:
                own.ground = ground_batches(own.trail, stretch)
            if own.body is None or own.body[0] != place:
                own.body = (place, body_batches(own.trail, time, stretch))
                own.head = stretch @ _top(own.trail, time)
            gpu.matrix.push()
            try:
                gpu.matrix.translate(aside)
                draw(own.ground + own.body[1])
            finally:
                gpu.matrix.pop()
    except (BipedError, ReferenceError):
        return


def _number() -> None:
    """Draw the numbers, as Blender's 3D views call it once they have drawn all else."""
    context = bpy.context
    try:
        now = _now(context)
        if now is None:
            return
        blf.size(0, _SIZE * context.preferences.system.ui_scale)
        for take, aside in now[0]:
            own = _drawn.get(take)
            if own is None or own.head is None:
                continue
            at = location_3d_to_region_2d(context.region, context.region_data, Vector(own.head + aside))
            if at is not None:
                text = f"{take.number}"
                blf.color(0, *(_NOT_WELL if take.summary and not take.well else _WELL))
                blf.position(0, at.x - 0.5 * blf.dimensions(0, text)[0], at.y, 0)
                blf.draw(0, text)
    except (BipedError, ReferenceError):
        return


def _top(trail: MotionTrail, time: float) -> Array:
    """Return where a take's number stands (3,), m: above its highest joint."""
    joints, _ = trail.place(time)
    return np.asarray(joints[np.argmax(joints[:, 2])] + (0.0, 0.0, _ABOVE * trail.character.leg_length))
