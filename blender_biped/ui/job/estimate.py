"""How long a walk will be, before anything is computed: from the length of the path and the speed."""

from __future__ import annotations

from dataclasses import dataclass

import bpy

from ..base.reading import frame_rate, metres, shown_length
from .own_speed import rule_of_walk

_SLOWEST = 0.02  # m/s: what is slower gets nowhere
_STARTS, _STOPS = 0.9, 1.1  # s that starting and stopping take at 1 m/s, beyond the path's length over the speed


@dataclass(frozen=True)
class Estimate:
    """A walk to come. length: of its way, m. seconds, frame: how long it lasts and its last frame, or None."""

    length: float
    seconds: float | None
    frame: int | None


def estimate(context: bpy.types.Context, armature: bpy.types.Object) -> Estimate | None:
    """Return how long an armature's walk will be; None where it has no path that is to be seen. Cheap."""
    walk, scene = armature.biped.walk, context.scene
    path, depsgraph = walk.path, context.view_layer.depsgraph
    lap = shown_length(path, depsgraph, metres(scene)) if path and depsgraph else None
    if lap is None:
        return None
    laps = walk.laps if any(spline.use_cyclic_u for spline in path.data.splines) else 1
    length = max(laps * lap - walk.start * metres(scene), 0.0)
    speed = rule_of_walk(walk).shown(walk.speed_mps)
    if speed < _SLOWEST:
        return Estimate(length, None, None)
    seconds = length / speed + speed * (_STARTS + (_STOPS if walk.stop else 0.0))
    return Estimate(length, seconds, walk.frame_start + round(seconds * frame_rate(scene)))
