"""What a walk meets in the scene, drawn in the 3D view: read when it may have changed, outside of drawing."""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ...base.errors import BipedError
from ...base.patience import UnfinishedError, patient
from ..base import changes
from ..base.status import redraw
from ..job.mapping import character_object
from ..job.marked import Group, Marks, marks_of
from .batches import Batch, batch, draw

COLORS: dict[Group, tuple[float, float, float]] = {
    "beside": (0.65, 0.65, 0.65),
    "over": (0.35, 0.90, 0.35),
    "under": (0.65, 0.45, 1.00),
    "refused": (1.00, 0.15, 0.10),
    "prop": (1.00, 0.85, 0.10),
    "target": (0.15, 0.90, 0.80),
    "wind": (0.55, 0.80, 1.00),
    "push": (1.00, 0.30, 0.65),
}
"""As the setting's description names them."""

_LINE, _FAINT = 0.9, 0.08  # opacities
_WIDTH = 2.0  # pixels
_SHARE = 5.0  # reading takes at most one of so many seconds
_PORTIONS = 0.05  # s between two portions of reading
_PLAYING = 0.25  # s between two looks whether the animation still plays: what is met stays meanwhile
_OWN = (
    bpy.types.Object, bpy.types.Mesh, bpy.types.Curve, bpy.types.MetaBall, bpy.types.Collection, bpy.types.Action,
)  # fmt: skip


@dataclass
class _LastFound:
    """What was read last: whose it is, and whether that may be another by now. batches: None until they are drawn."""

    of: Hashable = None
    marks: Marks | None = None
    batches: list[Batch] | None = None
    old: bool = True


_known = _LastFound()
_next_reading = 0.0  # on the clock of time.monotonic
_handle: Any = None


def start() -> None:
    """Let Blender report changes and draw. Nothing without a window."""
    global _handle
    if _handle is None and not bpy.app.background:
        _handle = bpy.types.SpaceView3D.draw_handler_add(draw_found, (), "WINDOW", "POST_VIEW")
        for name, handler in handlers().items():
            getattr(bpy.app.handlers, name).append(handler)
        changes.listen(_aged)


def stop() -> None:
    """Draw no more."""
    global _handle
    if _handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_handle, "WINDOW")
        _handle = None
        for name, handler in handlers().items():
            getattr(bpy.app.handlers, name).remove(handler)
    changes.listen_no_more(_aged)
    if bpy.app.timers.is_registered(_read):
        bpy.app.timers.unregister(_read)
    _lost()


def is_hooked() -> bool:
    """Return whether Blender calls the overlay."""
    return _handle is not None


def shown_marks() -> Marks | None:
    """Return what is drawn, None where nothing was read."""
    return _known.marks


def is_drawn() -> bool:
    """Return whether what was read last is with the GPU, to be drawn."""
    return _known.batches is not None


def read_now(context: bpy.types.Context) -> None:
    """Read what the walk of the panel's character meets, if that is not known."""
    global _known, _next_reading
    armature = character_object(context)
    if armature is None or not context.scene.biped.show_found:
        return
    of = _key(context.scene, armature)
    if _known.old or _known.of != of:
        begun = time.monotonic()
        _known = _LastFound(of, marks_of(context, armature), None, False)
        now = time.monotonic()
        _next_reading = now + _SHARE * (now - begun)


def draw_found() -> None:
    """Draw, as Blender's 3D views call it; an exception would come again with every view."""
    context = bpy.context
    try:
        if not context.scene.biped.show_found or not context.space_data.overlay.show_overlays:
            return
        armature = character_object(context)
        if armature is None:
            return
        if _known.old or _known.of != _key(context.scene, armature):
            _request_reading()
        if _known.marks is None or _known.of != _key(context.scene, armature):
            return
        if _known.batches is None:
            _known.batches = batches_of(_known.marks)
        if _known.batches:
            draw(_known.batches)
    except (BipedError, ReferenceError):
        return


def batches_of(marks: Marks) -> list[Batch]:
    """Return what the GPU draws of marks."""
    made = [batch(marks.faces[group], (*COLORS[group], _FAINT)) for group in COLORS if group in marks.faces]
    made += [batch(marks.lines[group], (*COLORS[group], _LINE), _WIDTH) for group in COLORS if group in marks.lines]
    return made


def _key(scene: bpy.types.Scene, armature: Any) -> Hashable:
    return scene.session_uid, armature.session_uid


def _request_reading() -> None:
    """Have it read soon: when Blender is not in the middle of a change, and not too often."""
    if not bpy.app.background and not bpy.app.timers.is_registered(_read):
        bpy.app.timers.register(_read, first_interval=max(_next_reading - time.monotonic(), 0.0))


def _read() -> float | None:
    """Read it and have it drawn: as a timer calls it. Of much a part, and soon the next one."""
    screen = bpy.context.screen
    if screen is not None and screen.is_animation_playing:
        return _PLAYING
    try:
        with patient():
            read_now(bpy.context)
    except UnfinishedError:
        return _PORTIONS
    except (BipedError, ReferenceError):
        return None
    redraw(views=True)
    return None


@persistent  # type: ignore[untyped-decorator]
def _changed(_scene: Any, depsgraph: Any = None) -> None:
    """Note that what is met may be another: as Blender calls it after every change."""
    if not _known.old and any(isinstance(entry.id, _OWN) for entry in getattr(depsgraph, "updates", ())):
        _known.old = True


@persistent  # type: ignore[untyped-decorator]
def _aged(*_of_blender: Any) -> None:
    """Note that what is met may be another: as Blender calls it after an undo, and settings when they are set."""
    _known.old = True


@persistent  # type: ignore[untyped-decorator]
def _lost(*_of_blender: Any) -> None:
    """Forget what was read: as Blender calls it for another file."""
    global _known
    _known = _LastFound()


def handlers() -> dict[str, Any]:
    """Return who is to be called after a change, an undo, a redo and a load, by Blender's names of these."""
    return {"depsgraph_update_post": _changed, "undo_post": _aged, "redo_post": _aged, "load_post": _lost}
