"""How long a walk will be: as it was simulated where it was, else as it is foreseen, or from its path and speeds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import bpy

from ...job import Job
from ...motion.summary import Summary
from ..base.reading import frame_rate, metres, shown_length
from ..settings.fields import kind_chosen
from .gait_plan import Coming
from .on_way.row import ShownWalk
from .outlook import UNKNOWN, Outlook
from .own_speed import rule_of_walk
from .targets import aimed_at

_SLOWEST = 0.02  # m/s: what is slower gets nowhere
_STARTS, _STOPS = 0.6, 0.3  # s that starting and stopping add to length over speed at 1 m/s, in KLAW's walks
_BALANCED = 3.0  # times as long where a body must keep its balance, from walks of 8 m
_RUN = 1.2  # m/s: what is faster does not take longer
_HANDS = 6.0  # s for what is picked up or set down, from walks of an adult


@dataclass(frozen=True)
class Estimate:
    """A walk to come. length: of its way, m. seconds, frame: how long it lasts and its last frame, or None.

    walked: whether it lasted so long when it was simulated.
    """

    length: float
    seconds: float | None
    frame: int | None
    walked: bool = False


_walked: dict[int, tuple[Estimate, Estimate]] = {}
"""By the armature's session_uid: what was foreseen of its last walk, and how long that was."""


def stop() -> None:
    """Forget the walks."""
    _walked.clear()


def estimate(
    context: bpy.types.Context, armature: bpy.types.Object, known: Outlook = UNKNOWN, walked: Summary | None = None
) -> Estimate | None:
    """Return how long an armature's walk will be; None where it has no path that is to be seen. Cheap.

    known: of the walk. walked: how it went as it was simulated for the preview.
    """
    found = _foreseen(context, armature, known)
    if found is None:
        return None
    if walked is not None:
        return _as_walked(found, context, armature, walked)
    before, then = _walked.get(armature.session_uid, (None, None))
    return then if before == found else found


def keep_walked(context: bpy.types.Context, armature: bpy.types.Object, job: Job, summary: Summary) -> None:
    """Keep how long an armature's walk was, until another one is foreseen."""
    found = _foreseen(context, armature, Outlook.of(job))
    if found is not None:
        _walked[armature.session_uid] = found, _as_walked(found, context, armature, summary)


def _as_walked(found: Estimate, context: bpy.types.Context, armature: Any, summary: Summary) -> Estimate:
    frames = int(summary.duration * frame_rate(context.scene) + 1e-6)
    return replace(found, seconds=summary.duration, frame=armature.biped.walk.frame_start + frames, walked=True)


def _foreseen(context: bpy.types.Context, armature: bpy.types.Object, known: Outlook) -> Estimate | None:
    """Return how long an armature's walk will be before it is walked."""
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
    seconds = known.seconds
    if seconds is None:
        seconds = _by_its_path(context, armature, walk.start * metres(scene), length, speed)
    return Estimate(length, seconds, walk.frame_start + round(seconds * frame_rate(scene)))


def _by_its_path(
    context: bpy.types.Context, armature: bpy.types.Object, start: float, length: float, speed: float
) -> float:
    """Return how long it takes, s, by the speeds along its path and what its hands do. start, length: m. speed: m/s."""
    walk = armature.biped.walk
    along = ShownWalk(context.scene, context.view_layer, armature).plan.along
    kind = kind_chosen(walk)
    slow = _BALANCED if kind is not None and kind.walk is None else 1.0
    stands = sum(point.wait > 0.0 for point in along)
    edges = slow * (_STARTS * (1 + stands) + _STOPS * (walk.stop + stands)) * min(speed, _RUN)
    hands = _HANDS * len(aimed_at(context.view_layer, armature)) if kind and kind.hand_tasks is not None else 0.0
    return Coming(start, speed, along).time(start + length) + edges + hands
