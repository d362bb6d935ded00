"""Sliders that follow a mix whose share is keyed or driven: an animation sets it, and calls nobody."""

from __future__ import annotations

from typing import Any

import bpy

from ..base.status import redraw
from .fields import follow_mix, is_behind

_PLAYING = 0.25  # s between two looks whether the animation still plays: sliders stay meanwhile


def request(walk: Any) -> None:
    """Have the sliders show what the mix is at this frame, once what is drawn is drawn. Cheap."""
    if is_behind(walk) and not walk.id_data.library and not bpy.app.timers.is_registered(follow):
        bpy.app.timers.register(follow, first_interval=0.0)


def stop() -> None:
    """Have nothing followed any more."""
    if bpy.app.timers.is_registered(follow):
        bpy.app.timers.unregister(follow)


def follow() -> float | None:
    """Let the sliders of all characters follow their mixes: as a timer calls it."""
    screen = bpy.context.screen
    if screen is not None and screen.is_animation_playing:
        return _PLAYING
    for thing in bpy.data.objects:
        if thing.type == "ARMATURE" and not thing.library and is_behind(thing.biped.walk):
            follow_mix(thing.biped.walk)
    redraw()
    return None
