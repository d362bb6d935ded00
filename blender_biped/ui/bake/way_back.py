"""The way back from what a bake has put to use, for when something goes wrong after that."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from ..base.fcurves import SLOTTED
from .rig import ROTATIONS

_CHANNELS = ("location", "scale", *ROTATIONS)
_PLAYS = ("action_blend_type", "action_influence", "action_extrapolation")
_STRIP = ("repeat", "action_frame_start", "action_frame_end", "frame_start_raw", "frame_end_raw")


class WayBack:
    """What puts back what a bake has changed, and what is done once nothing can go wrong any more."""

    def __init__(self) -> None:
        self._ways: list[Callable[[], object]] = []
        self._ends: list[Callable[[], object]] = []

    def note(self, way: Callable[[], object]) -> None:
        """Note how a change that follows is put back."""
        self._ways.append(way)

    def at_end(self, what: Callable[[], object]) -> None:
        """Note what is done by ``settle``."""
        self._ends.append(what)

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Put everything back where the context ends with an exception, or is closed."""
        try:
            yield
        except BaseException:
            self.take()
            raise

    def take(self) -> None:
        """Put everything back, the last change first. What cannot be put back does not stop the rest."""
        while self._ways:
            try:
                self._ways.pop()()
            except ReferenceError:  # Blender has removed it, as when another file is opened
                pass
            except Exception:
                traceback.print_exc()
        self._ends.clear()

    def settle(self) -> None:
        """Do what was left for the end. Nothing is put back after that."""
        self._ways.clear()
        while self._ends:
            self._ends.pop(0)()


def keep_pose(thing: Any, back: WayBack) -> None:
    """Note how an object stands and is posed, keyed or not: at other frames, what is not keyed is lost."""
    owners = (thing, *thing.pose.bones) if thing.pose else (thing,)
    pose = [(owner, {name: tuple(getattr(owner, name)) for name in _CHANNELS}) for owner in owners]

    def put_back() -> None:
        bpy.context.view_layer.update()  # plays the action, over what is not keyed
        for owner, channels in pose:
            for name, channel in channels.items():
                setattr(owner, name, channel)
        bpy.context.view_layer.update()

    back.note(put_back)


def keep_animation(thing: Any, paths: Iterable[str], back: WayBack) -> None:
    """Note how an object is animated, and what it has at the data paths that will be animated."""
    data = thing.animation_data
    values = [(path, _value(thing, path)) for path in dict.fromkeys(paths)]
    played = _Played(data) if data else None

    def put_back() -> None:
        if played:
            played.put_back()
        else:
            thing.animation_data_clear()
        scene = bpy.context.scene
        scene.frame_set(scene.frame_current, subframe=scene.frame_subframe)
        for path, value in values:
            _put(thing, path, value)

    back.note(put_back)


class _Played:
    """The action that an object plays, how, and its NLA strips."""

    def __init__(self, data: Any) -> None:
        self._data, self._action = data, data.action
        self._slot = data.action_slot if SLOTTED else None
        self._plays = {name: getattr(data, name) for name in _PLAYS}
        self._kept = data.action.use_fake_user if data.action else False
        self._tracks = len(data.nla_tracks)
        strips = [strip for track in data.nla_tracks for strip in track.strips]
        self._strips = [(strip, strip.action, {n: getattr(strip, n) for n in _STRIP}) for strip in strips]

    def put_back(self) -> None:
        """Play it again."""
        data = self._data
        while len(data.nla_tracks) > self._tracks:  # new ones are above all others
            data.nla_tracks.remove(data.nla_tracks[-1])
        for strip, action, numbers in self._strips:
            strip.action = action
            for name, number in (*numbers.items(), *numbers.items()):  # twice: begin and end clamp each other
                if getattr(strip, name) != number:
                    setattr(strip, name, number)
        data.action = self._action
        if self._action:
            if SLOTTED:
                data.action_slot = self._slot
            self._action.use_fake_user = self._kept
        for name, number in self._plays.items():
            setattr(data, name, number)


def _value(thing: Any, path: str) -> Any:
    """Return what an object has at a data path, None for nothing."""
    try:
        value = thing.path_resolve(path)
    except ValueError:
        return None
    return value if isinstance(value, bool | int | float | str) else tuple(value)


def _put(thing: Any, path: str, value: Any) -> None:
    """Give an object a value at a data path, where it has another one."""
    if value is None or _value(thing, path) == value:
        return
    if path.endswith('"]'):  # a custom property
        begin = path.rindex('["')
        owner = thing.path_resolve(path[:begin]) if begin else thing
        owner[bpy.utils.unescape_identifier(path[begin + 2 : -2])] = value
        return
    owner, _, name = path.rpartition(".")
    setattr(thing.path_resolve(owner) if owner else thing, name, value)
