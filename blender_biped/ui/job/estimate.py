"""How long a walk will be, before anything is computed: from the path, the speeds along it, and what hands do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy

from ..base.reading import frame_rate, metres, shown_length
from ..settings.fields import kind_chosen
from .gait_plan import Coming
from .on_way.row import ShownWalk
from .own_speed import rule_of_walk
from .targets import aimed_at

_SLOWEST = 0.02  # m/s: what is slower gets nowhere
_STARTS, _STOPS = 0.6, 0.3  # s that starting and stopping add to length over speed at 1 m/s, in KLAW's walks
_BALANCED = 5.0  # times as long where a body must keep its balance, from walks of 8 m
_RUN = 1.2  # m/s: what is faster does not take longer
_HANDS = 7.0  # s for what is picked up or set down, from walks of an adult


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
    lap = shown_length(path, depsgraph, metres(scene)) if path and path.type == "CURVE" and depsgraph else None
    if lap is None:
        return None
    laps = walk.laps if any(spline.use_cyclic_u for spline in path.data.splines) else 1
    length = max(laps * lap - walk.start * metres(scene), 0.0)
    speed = rule_of_walk(walk).shown(walk.speed_mps)
    if speed < _SLOWEST:
        return Estimate(length, None, None)
    start = walk.start * metres(scene)
    along = ShownWalk(scene, context.view_layer, armature).plan.along
    seconds = Coming(start, speed, along).time(start + length) + _extra(walk, speed)
    kind = kind_chosen(walk)
    if kind is not None and kind.hand_tasks is not None:
        seconds += _HANDS * len(aimed_at(context.view_layer, armature))
    return Estimate(length, seconds, walk.frame_start + round(seconds * frame_rate(scene)))


def _extra(walk: Any, speed: float) -> float:
    """Return the time, s, that a walk of a speed, m/s, takes to start and stop."""
    kind = kind_chosen(walk)
    slow = _BALANCED if kind is not None and kind.walk is None else 1.0
    return slow * (_STARTS + (_STOPS if walk.stop else 0.0)) * min(speed, _RUN)
