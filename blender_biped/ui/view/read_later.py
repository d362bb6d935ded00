"""What takes a while to read of the scene: read when it may have changed, outside of drawing, a part at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

import bpy
from bpy.app.handlers import persistent

from ...base.errors import BipedError
from ...base.patience import UnfinishedError, patient
from ..base import changes
from ..base.status import redraw
from ..job.mapping import character_object

Of = TypeVar("Of")

_SHARE = 5.0  # reading takes at most one of so many seconds
_PORTIONS = 0.05  # s between two portions of reading
_PLAYING = 0.25  # s between two looks whether the animation still plays: what was read stays meanwhile
_OWN = (
    bpy.types.Object, bpy.types.Mesh, bpy.types.Curve, bpy.types.MetaBall, bpy.types.Collection, bpy.types.Action,
)  # fmt: skip


class ReadLater(Generic[Of]):
    """Something about the panel's character in its scene that is read when somebody asks for it after a change.

    handlers: who is to be called after a change, an undo, a redo and a load, by Blender's names of these.
    """

    def __init__(self, find: Callable[[bpy.types.Context, Any], Of], views: bool = False) -> None:
        """find: reads it for a character. views: whether it is drawn in 3D views, not in their sidebars alone."""
        self._find, self._views = find, views
        self._following = False
        self._next = 0.0  # on the clock of time.monotonic
        self._of: Hashable = None
        self._found: Of | None = None
        self._old = True

        @persistent  # type: ignore[untyped-decorator]
        def changed(_scene: Any, depsgraph: Any = None) -> None:
            if not self._old and any(isinstance(entry.id, _OWN) for entry in getattr(depsgraph, "updates", ())):
                self._old = True

        @persistent  # type: ignore[untyped-decorator]
        def aged(*_of_blender: Any) -> None:
            self._old = True

        @persistent  # type: ignore[untyped-decorator]
        def lost(*_of_blender: Any) -> None:
            self.forget()

        self.handlers: dict[str, Any] = {
            "depsgraph_update_post": changed, "undo_post": aged, "redo_post": aged, "load_post": lost,
        }  # fmt: skip
        self._aged, self._timer = aged, lambda: self._read_soon()

    @property
    def found(self) -> Of | None:
        """What was read last, whoever it is of; None for nothing."""
        return self._found

    def start(self) -> None:
        """Follow changes."""
        if not self._following:
            self._following = True
            for name, handler in self.handlers.items():
                getattr(bpy.app.handlers, name).append(handler)
            changes.listen(self._aged)

    def stop(self) -> None:
        """Follow them no more, and forget what was read."""
        if self._following:
            self._following = False
            for name, handler in self.handlers.items():
                getattr(bpy.app.handlers, name).remove(handler)
            changes.listen_no_more(self._aged)
        if bpy.app.timers.is_registered(self._timer):
            bpy.app.timers.unregister(self._timer)
        self.forget()

    def forget(self) -> None:
        """Know nothing."""
        self._of, self._found, self._old = None, None, True

    def known(self, context: Any) -> Of | None:
        """Return what is known of the panel's character, None for nothing yet; have it read where it may be another."""
        armature = character_object(context)
        if armature is None:
            return None
        own = self._of == _key(context.scene, armature)
        if self._old or not own:
            self._request()
        return self._found if own else None

    def read_now(self, context: bpy.types.Context) -> None:
        """Read it, if it may be another. Raises BipedError and UnfinishedError as reading does."""
        armature = character_object(context)
        if armature is None:
            return
        of = _key(context.scene, armature)
        if self._old or self._of != of:
            begun = time.monotonic()
            found = self._find(context, armature)
            self._of, self._found, self._old = of, found, False
            now = time.monotonic()
            self._next = now + _SHARE * (now - begun)

    def _request(self) -> None:
        """Have it read soon: when Blender is not in the middle of a change, and not too often."""
        if not bpy.app.background and not bpy.app.timers.is_registered(self._timer):
            bpy.app.timers.register(self._timer, first_interval=max(self._next - time.monotonic(), 0.0))

    def _read_soon(self) -> float | None:
        """Read it and have it drawn: as a timer calls it. Of much a part, and soon the next one."""
        screen = bpy.context.screen
        if screen is not None and screen.is_animation_playing:
            return _PLAYING
        try:
            with patient():
                self.read_now(bpy.context)
        except UnfinishedError:
            return _PORTIONS
        except (BipedError, ReferenceError):
            return None
        redraw(views=self._views)
        return None


def _key(scene: bpy.types.Scene, armature: Any) -> Hashable:
    """Return what it is of. Blender tells nobody that a timeline marker has changed, which may say a style."""
    return scene.session_uid, armature.session_uid, tuple((mark.frame, mark.name) for mark in scene.timeline_markers)
