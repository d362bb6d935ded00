"""The path of the panel's character as it is shown: read when it has changed, outside of drawing."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ...base.errors import BipedError
from ..base.reading import ScenePath, metres, read_way
from ..base.status import redraw
from ..job.mapping import character_object

_HANDLERS = ("undo_post", "redo_post", "load_post")


@dataclass
class _LastWay:
    """The way that was read last, and what it is of; None where it cannot be walked."""

    of: Hashable = None
    way: ScenePath | None = None
    old: bool = True


_known = _LastWay()


def start() -> None:
    """Follow what changes the path."""
    bpy.app.handlers.depsgraph_update_post.append(_changed)
    for name in _HANDLERS:
        getattr(bpy.app.handlers, name).append(_lost)


def stop() -> None:
    """Follow it no more."""
    global _known
    for handlers, handler in (
        (bpy.app.handlers.depsgraph_update_post, _changed),
        *((getattr(bpy.app.handlers, name), _lost) for name in _HANDLERS),
    ):
        if handler in handlers:
            handlers.remove(handler)
    if bpy.app.timers.is_registered(_read):
        bpy.app.timers.unregister(_read)
    _known = _LastWay()


def shown_way(context: bpy.types.Context) -> ScenePath | None:
    """Return the path of the panel's character, None while it is not known; for draw functions."""
    armature = character_object(context)
    walk = armature.biped.walk if armature else None
    if walk is None or walk.path is None:
        return None
    if _known.old or _known.of != _key(walk, context):
        request_reading()
    return _known.way if _known.of is not None and _known.of == _key(walk, context) else None


def request_reading() -> None:
    """Have the path read soon: when Blender is not in the middle of a change."""
    if not bpy.app.background and not bpy.app.timers.is_registered(_read):
        bpy.app.timers.register(_read, first_interval=0.0)


def read_now(context: bpy.types.Context) -> ScenePath | None:
    """Read the path of the panel's character if it is not known, and return it."""
    global _known
    armature = character_object(context)
    walk = armature.biped.walk if armature else None
    if walk is None or walk.path is None:
        return None
    key = _key(walk, context)
    if _known.old or _known.of != key:
        way = None
        if walk.path.name in context.view_layer.objects and walk.path.visible_get():
            try:
                depsgraph = context.evaluated_depsgraph_get()
                way = read_way(walk.path, depsgraph, metres(context.scene), walk.reverse, walk.laps)
            except BipedError:  # the bake says what is wrong
                way = None
        _known = _LastWay(key, way, False)
    return _known.way


def _key(walk: Any, context: bpy.types.Context) -> Hashable:
    return walk.path.session_uid, walk.reverse, walk.laps, metres(context.scene)


def _read() -> None:
    """Read the path and have it drawn: as a timer calls it."""
    read_now(bpy.context)
    redraw(views=True)


@persistent  # type: ignore[untyped-decorator]
def _changed(_scene: Any, depsgraph: Any = None) -> None:
    """Note that the path may be another: as Blender calls it after every change."""
    if _known.old or bpy.context.scene is None:
        return
    armature = character_object(bpy.context)
    path = armature.biped.walk.path if armature else None
    if path is None:
        return
    own = {path, path.data}
    if any(entry.id.original in own for entry in getattr(depsgraph, "updates", ())):
        _known.old = True


@persistent  # type: ignore[untyped-decorator]
def _lost(*_of_blender: Any) -> None:
    """Note that all may be another: as Blender calls it after an undo and for another file."""
    global _known
    _known = _LastWay()
