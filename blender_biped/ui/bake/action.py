"""Channels to a Blender action, with slots or without, in portions between which a window can be drawn."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ..base.fcurves import SLOTTED, curve_holder
from .channels import Channel
from .rig import bone_path
from .way_back import WayBack
from .written import LastBake, forget_marks, keep_written

_LEFT = "Replaced"  # name of an action that another one replaces, until it is removed
_ALIGNED = 3  # the handle type's number
_THIRD = 1.0 / 3.0  # of the way to the next key: a handle there makes the curve a cubic over time


@dataclass
class Draft:
    """An action that a bake writes to before anything uses what is new in it.

    action: the one that is written to. slot: what in it, None before Blender 4.4. replaced: what becomes ``action``
    in the end, with all its users. own: whether the action is the draft's, to be removed where it comes to nothing.
    paths: the data paths in it that an earlier bake wrote.
    """

    action: Any
    slot: Any
    replaced: Any = None
    own: bool = True
    paths: frozenset[str] = frozenset()

    @property
    def holder(self) -> Any:
        """What holds the curves that are written."""
        return curve_holder(self.action, self.slot)

    def drop(self) -> None:
        """Remove what was written, unless Blender did so, as when another file is opened."""
        try:
            if self.own:
                bpy.data.actions.remove(self.action)
            else:
                self.action.slots.remove(self.slot)
        except ReferenceError:
            pass

    def finish(self, back: WayBack) -> None:
        """Let the action take the name and the users of the one that it replaces, which goes at the end."""
        replaced, action = self.replaced, self.action
        if replaced is None:
            return
        name, kept = replaced.name, replaced.use_fake_user

        def put_back() -> None:
            action.use_fake_user = False
            action.user_remap(replaced)
            action.name = _LEFT  # else it would keep the name from the other
            replaced.name, replaced.use_fake_user = name, kept

        back.note(put_back)
        back.at_end(lambda: bpy.data.actions.remove(replaced))
        replaced.use_fake_user = False
        replaced.user_remap(action)
        replaced.name = _LEFT
        action.name, action.use_fake_user = name, kept
        self.replaced = None


def new_action(armature: bpy.types.Object, what: str = "Walk") -> Draft:
    """Return a new, empty action for an object, not yet used by anything. what: the last word of its name."""
    action = bpy.data.actions.new(f"{armature.name} {what}")
    if not SLOTTED:
        return Draft(action, None)
    slot = action.slots.new(id_type="OBJECT", name=armature.name)
    action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(slot, ensure=True)
    return Draft(action, slot)


def new_slot(armature: bpy.types.Object, action: Any) -> Draft:
    """Return a new, empty slot of an action, not yet used by anything. For Blender 4.4 and later."""
    slot = action.slots.new(id_type="OBJECT", name=armature.name)
    layer = action.layers[0] if action.layers else action.layers.new("Layer")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    strip.channelbag(slot, ensure=True)
    return Draft(action, slot, own=False)


def without_last(written: LastBake, kept: Collection[str]) -> Draft:
    """Return a copy of the action of an earlier bake without what that one wrote, to take the action's place.

    kept: bones that keep it.
    """
    prefixes = tuple(f"{bone_path(name)}." for name in kept)
    stay = frozenset(path for path in written.paths if path.startswith(prefixes))
    copy = written.action.copy()
    slot = None
    if SLOTTED:
        slot = next(s for s in copy.slots if s.identifier == written.slot.identifier)
    draft = Draft(copy, slot, replaced=written.action, paths=stay)
    holder = draft.holder
    for curve in [c for c in holder.fcurves if c.data_path in written.paths - stay]:
        holder.fcurves.remove(curve)
    for group in [g for g in holder.groups if not len(g.channels)]:
        holder.groups.remove(group)
    copy.use_frame_range = copy.use_cyclic = False
    forget_marks(copy)
    return draft


def write(draft: Draft, channels: Sequence[Channel], cyclic: bool) -> Generator[float, None, None]:
    """Write channels to a draft, and keep what was written with it; yield the share that is written.

    cyclic: the curves repeat without end. Their first and last keys are equal then.
    """
    holder = draft.holder
    groups = {group.name: group for group in holder.groups}
    for count, channel in enumerate(channels, start=1):
        group = groups.get(channel.group)
        if group is None:
            group = groups[channel.group] = holder.groups.new(channel.group)
        for place, index in enumerate(channel.indices):
            curve = holder.fcurves.new(channel.data_path, index=index)
            curve.group = group
            _write_keys(curve, channel, place)
            if cyclic and not channel.held:
                curve.modifiers.new("CYCLES")
            curve.update()  # once: handles, and with a cycle those at the ends
        yield count / len(channels)
    if cyclic and draft.own:
        frames = [int(f) for c in channels if c.at is not None and not c.held for f in (c.at[0], c.at[-1])]
        draft.action.use_frame_range = draft.action.use_cyclic = True
        draft.action.frame_start, draft.action.frame_end = min(frames), max(frames)
    keep_written(draft.action, draft.slot, draft.paths | {channel.data_path for channel in channels})


def _write_keys(curve: Any, channel: Channel, place: int) -> None:
    """Give a new curve the keys of a channel's column. New keys are Bezier with automatic, clamped handles."""
    assert channel.at is not None
    count = len(channel.at)
    points = np.empty((count, 2), dtype=np.float32)
    points[:, 0], points[:, 1] = channel.at, channel.values[:, place]
    keys = curve.keyframe_points
    keys.add(count)
    keys.foreach_set("co", points.ravel())
    if channel.held:
        keys[0].interpolation = "CONSTANT"
    elif channel.slopes is not None:
        widths = np.diff(channel.at, prepend=channel.at[0] - 1, append=channel.at[-1] + 1) * _THIRD
        types = np.full(count, _ALIGNED, dtype=np.int32)
        for name, offset in (("handle_left", -widths[:-1]), ("handle_right", widths[1:])):
            handles = points.copy()
            handles[:, 0] += offset
            handles[:, 1] += offset * channel.slopes[:, place]
            keys.foreach_set(f"{name}_type", types)
            keys.foreach_set(name, handles.ravel())


def assign(armature: bpy.types.Object, draft: Draft) -> None:
    """Let what was written play. The action before it stays in the file."""
    data = armature.animation_data or armature.animation_data_create()
    before = data.action
    if before and before != draft.action and before.users <= 1 and not before.library:
        before.use_fake_user = True
    if before != draft.action:
        data.action = draft.action
    if SLOTTED:
        data.action_slot = draft.slot
    data.action_blend_type, data.action_influence, data.action_extrapolation = "REPLACE", 1.0, "HOLD"


def layered_paths(armature: bpy.types.Object) -> set[str]:
    """Return the data paths that the armature's NLA strips move."""
    data = armature.animation_data
    if not data or not data.use_nla:
        return set()
    strips = [strip for track in data.nla_tracks if not track.mute for strip in track.strips if not strip.mute]
    return {curve.data_path for strip in strips if strip.action for curve in _all_curves(strip.action)}


def _all_curves(action: bpy.types.Action) -> list[Any]:
    if not SLOTTED:
        return list(action.fcurves)
    return [c for layer in action.layers for s in layer.strips for bag in s.channelbags for c in bag.fcurves]
