"""Actions on top of each other: curves taken over from the action before, and NLA strips."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import bpy

from ..base.fcurves import SLOTTED, copy_curve, curve_holder, frame_range, keyed_curves
from .action import Draft
from .rig import bone_path
from .way_back import WayBack


def take_over(armature: Any, into: Any, bones: Collection[str]) -> None:
    """Copy what the armature's present action does with ``bones``, and the keys of its walk, to a new one's curves.

    And what it does with the object's constraints: these were where the walk's place was found.

    into: what holds these, see ``curve_holder``.
    """
    data = armature.animation_data
    if not data:
        return
    for curve in keyed_curves(armature).values():
        copy_curve(curve, into)
    source = curve_holder(data.action, data.action_slot if SLOTTED else None) if data.action else None
    prefixes = tuple(f'pose.bones["{bpy.utils.escape_identifier(name)}"]' for name in bones)
    for curve in source.fcurves if source else ():
        if curve.data_path.startswith((*prefixes, 'constraints["')):
            copy_curve(curve, into)


def fit_range(draft: Draft, first: int, last: int) -> list[str]:
    """Let an action last from one frame of a walk to the other, though bones that keep their animation may be keyed on.

    For strips and exporters, which take an action's range; one that others have slots in stays. Returns what was done.
    """
    action = draft.action
    begin, end = (float(frame) for frame in action.curve_frame_range)
    if not draft.own or action.use_frame_range or (begin >= first and end <= last):
        return []
    action.use_frame_range = True
    action.frame_start, action.frame_end = first, last
    return [
        "The action's frame range is the walk's; what keeps its own animation has keys at frames "
        f"{begin:.0f} to {end:.0f}."
    ]


def fingers_text(draft: Draft, fingers: Collection[str]) -> list[str]:
    """Return whether fingers go on with an animation that they had, in a sentence. fingers: those that may."""
    prefixes = tuple(f"{bone_path(name)}." for name in fingers)
    if prefixes and any(curve.data_path.startswith(prefixes) for curve in draft.holder.fcurves):
        return ["Fingers keep the animation that they had: delete its keys to have hands relaxed."]
    return []


def lay_strip(armature: Any, action: Any, start: int, additive: bool, until: int | None = None) -> list[str]:
    """Let an action play as an NLA strip from frame ``start`` on, above all that the armature has.

    The present action becomes a strip in a track of its own. until: the frame that the strip repeats to.
    Returns what keeps the strip from playing.
    """
    data = armature.animation_data or armature.animation_data_create()
    if data.action:
        _push_down(data)
    strip = _new_strip(data, action, action.slots[0] if SLOTTED else None, start)
    strip.blend_type = "COMBINE" if additive else "REPLACE"
    strip.extrapolation = "HOLD_FORWARD"  # before the walk, what is below shows
    length = strip.frame_end - strip.frame_start
    if until is not None and length > 0.0:
        strip.repeat = max(1.0, (until - start) / length)
    notes = []
    if not data.use_nla:
        notes.append("The armature's NLA is switched off: switch it on in the NLA editor to see the walk.")
    if any(track.is_solo for track in data.nla_tracks):
        notes.append("Another NLA track is set to solo: clear its star to see the walk.")
    return notes


def lay_muted(armature: Any, action: Any, start: int, back: WayBack) -> None:
    """Keep an action as an NLA strip from frame ``start`` on in a new track that is muted. back: notes how it goes."""
    made = armature.animation_data is None
    data = armature.animation_data or armature.animation_data_create()

    def take_away() -> None:
        data.nla_tracks.remove(track)
        if made:
            armature.animation_data_clear()

    strip = _new_strip(data, action, action.slots[0] if SLOTTED else None, start)
    track = data.nla_tracks[-1]
    track.mute = True
    strip.extrapolation = "HOLD_FORWARD"
    back.note(take_away)


def fit_strip(strip: Any, first: int, last: int, repeat: float) -> None:
    """Let a strip play its action's new range of frames, from where it began or as much later as that begins later.

    repeat: how often it plays it, as ``repeats`` says.
    """
    begin = _begin(strip, first)
    strip.action_frame_start, strip.action_frame_end = min(first, strip.action_frame_end), last
    strip.action_frame_start = first
    strip.repeat = repeat
    length = max((last - first) * strip.scale * repeat, 1.0)
    strip.frame_start_raw, strip.frame_end_raw = begin, begin + length


def repeats(strip: Any, first: int, last: int, cyclic: bool, until: int) -> float:
    """Return how often a strip is to play the walk from frame ``first`` to ``last`` that its action gets.

    One that repeated a stride plays a whole walk once, and repeats another stride until where it ended. A stride in
    place of a whole walk repeats until frame ``until``. How often a whole walk is repeated stays as it is set.

    cyclic: whether the new walk is a stride that repeats.
    """
    looped = bool(strip.action.use_cyclic)
    if not cyclic:
        return 1.0 if looped else float(strip.repeat)
    lasts = strip.frame_end - strip.frame_start if looped else until - _begin(strip, first)
    return float(max(1.0, lasts / max((last - first) * strip.scale, 1e-6)))


def _begin(strip: Any, first: int) -> float:
    """Return the frame at which a strip is to begin where its action's first frame is ``first``."""
    return float(strip.frame_start + (first - strip.action_frame_start) * strip.scale)


def _push_down(data: Any) -> None:
    """Make the active action a strip that does what it did, in a new track."""
    action, slot = data.action, data.action_slot if SLOTTED else None
    blend, influence, extrapolation = data.action_blend_type, data.action_influence, data.action_extrapolation
    data.action = None
    begin, end = frame_range(action)
    strip = _new_strip(data, action, slot, int(begin))
    if begin != int(begin):
        strip.frame_start_raw, strip.frame_end_raw = begin, end
    strip.blend_type, strip.extrapolation = blend, extrapolation
    if influence < 1.0:
        strip.use_animated_influence = True
        strip.influence = influence


def _new_strip(data: Any, action: Any, slot: Any, start: int) -> Any:
    """Return a strip of an action in a new track above all others."""
    track = data.nla_tracks.new()
    track.name = action.name
    strip = track.strips.new(action.name, start, action)
    if SLOTTED and strip.action_slot != slot:  # none for an action that moved nothing
        strip.action_slot = slot
    return strip
