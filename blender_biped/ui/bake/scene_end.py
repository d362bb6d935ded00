"""The scene's end: moved back for a walk that is longer, and forth again when a shorter one takes its place."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import bpy

from ..base.fcurves import frame_range
from ..base.frames import stretching
from .way_back import WayBack

_KEPT = ("end_before", "end_extended")


def end_with(scene: bpy.types.Scene, armature: bpy.types.Object, last: int, back: WayBack | None = None) -> None:
    """Let a scene last until it shows frame ``last``, where an armature's new walk ends, or to where it ended before.

    It ends where the user had it end, unless a walk goes on: this one, or what another character's bake made that may
    extend the scene too. An end that the user has set since stays. back: notes how the end is put back.
    """
    kept = scene.biped
    ours = kept.is_property_set("end_extended") and scene.frame_end == kept.end_extended
    before = kept.end_before if ours else scene.frame_end
    needed = max(last, *(end for other in scene.objects for end in _ends(other, other == armature)))
    needed = math.ceil(needed * stretching(scene) - 1e-6)
    if back:
        _keep_end(scene, back)
    scene.frame_end = max(before, needed)
    if needed > before:
        kept.end_before, kept.end_extended = before, needed
    else:
        kept.property_unset("end_before")
        kept.property_unset("end_extended")


def _keep_end(scene: bpy.types.Scene, back: WayBack) -> None:
    """Note where a scene ends, and what is kept of that."""
    kept, end = scene.biped, scene.frame_end
    numbers = {name: getattr(kept, name) if kept.is_property_set(name) else None for name in _KEPT}

    def put_back() -> None:
        scene.frame_end = end
        for name, number in numbers.items():
            if number is None:
                kept.property_unset(name)
            else:
                setattr(kept, name, number)

    back.note(put_back)


def _ends(owner: Any, baked: bool) -> Iterator[int]:
    """Yield where the walks end that bakes gave an object and that may extend the scene; 0 at least.

    baked: whether its action, if it has one, is the new walk's, whose end is known.
    """
    yield 0
    data = owner.animation_data
    if owner.type != "ARMATURE" or not data or not owner.biped.walk.extend:
        return
    if data.action and data.action.biped.digest and not baked:
        yield round(frame_range(data.action)[1])
    for strip in (strip for track in data.nla_tracks if not track.mute for strip in track.strips):
        action = strip.action
        if action and action.biped.digest and not strip.mute and not action.use_cyclic:  # a stride goes on to the end
            yield round(strip.frame_end)
