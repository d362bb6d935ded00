"""The footprints of the walk that is shown, as they can be edited: those of the preview, else of the baked walk."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ...base.errors import BipedError
from ...character.reference import REFERENCE_LEG
from ...motion import gait_events
from ...motion.footholds import met_by
from ...motion.trail import MotionTrail
from ..base.reading import metres
from ..job.mapping import character_object
from ..job.prints_plan import state_of, world_of
from ..settings.edited_prints import FARTHEST
from ..settings.kept_result import baked_actions
from . import preview, way

_SAME = 2.4
"""Times as far as a print is moved at most: so far from its edited place a print of the same foot is that one's."""


@dataclass(frozen=True)
class ShownPrint:
    """A footprint in the scene. side: L or R. place: of the ball, in Blender units. along: m along the path."""

    side: str
    place: tuple[float, float, float]
    along: float


@dataclass
class _Last:
    """The prints that were shown last, and what they are of."""

    of: Hashable = None
    prints: tuple[ShownPrint, ...] = ()


_last = _Last()


def forget() -> None:
    """Forget which prints were shown."""
    global _last
    _last = _Last()


def shown_prints(context: Any) -> tuple[ShownPrint, ...]:
    """Return the prints of the panel's character; while its walk is simulated anew those that it had before.

    For draw functions: nothing is read but what is known.
    """
    global _last
    armature, found = character_object(context), way.shown_way(context)
    if armature is None or found is None:
        return ()
    walk = preview.shown() if context.scene.biped.show_preview else None
    if isinstance(walk, MotionTrail) and preview.is_whole():
        key: Hashable = (armature.session_uid, id(walk))
        if key != _last.of:
            _last = _Last(key, _of_preview(walk, found))
        return _last.prints
    if context.scene.biped.show_preview and _last.of is not None and _last.of[0] == armature.session_uid:  # type: ignore[index]
        return _last.prints
    steps = next((own.biped.footsteps for own in baked_actions(armature) if own.biped.footsteps), ())
    key = (armature.session_uid, len(steps), *(tuple(own.place) for own in steps[:2]))
    if key != _last.of:
        _last = _Last(key, _of_bake(steps, found))
    return _last.prints


def _of_preview(walk: MotionTrail, found: Any) -> tuple[ShownPrint, ...]:
    job, stretch = preview.state().job, preview.state().stretch
    if job is None:
        return ()
    marks = gait_events.footprints(walk.motion)
    places = np.array([mark.place for mark in marks]).reshape(-1, 2)
    high = np.column_stack((places, job.floor.heights(places))) @ stretch.T
    arcs = found.path.followed(found.unit * high)
    return tuple(
        ShownPrint(gait_events.SIDES[mark.side], tuple(place), arc)
        for mark, place, arc in zip(marks, high.tolist(), arcs, strict=True)
    )


def _of_bake(steps: Any, found: Any) -> tuple[ShownPrint, ...]:
    """Return the footsteps that a bake keeps; of a walk in place none has a place."""
    places = np.array([tuple(own.place) for own in steps]).reshape(-1, 3)
    if not places.any():
        return ()
    arcs = found.path.followed(found.unit * places)
    return tuple(
        ShownPrint(own.side, tuple(place), arc) for own, place, arc in zip(steps, places.tolist(), arcs, strict=True)
    )


def reach(context: Any, armature: Any) -> float:
    """Return how far a character's prints are moved at most, in Blender units."""
    job = preview.state().job
    size = job.character.size if job else _size(armature)
    return FARTHEST * size / float(metres(context.scene))


def _size(armature: Any) -> float:
    """Return how large a character is beside one with legs of REFERENCE_LEG, as its footprints' walk had it."""
    from ..job.body import walking_body  # it looks at the whole rig

    body = walking_body(armature, bpy.context.scene)
    return body.character.leg_length / REFERENCE_LEG if body.character else 1.0


def free_prints(context: Any, armature: Any) -> list[ShownPrint]:
    """Return the shown prints that are not those of edited ones."""
    edited, near = armature.biped.walk.prints, _SAME * reach(context, armature)
    return [
        own
        for own in shown_prints(context)
        if not any(one.side == own.side and math.dist(one.was, own.place) < near for one in edited)
    ]


def states(context: Any, armature: Any) -> list[tuple[str, float]]:
    """Return what became of each edited print: in the preview where that is whole, else in the last bake."""
    prints, job = armature.biped.walk.prints, preview.state().job
    walk = preview.shown() if context.scene.biped.show_preview else None
    if not (job and isinstance(walk, MotionTrail) and preview.is_whole() and len(job.footholds) == len(prints)):
        return [(own.state, own.off) for own in prints]
    try:
        back = np.linalg.inv(world_of(armature, context.scene))
    except BipedError:
        return [(own.state, own.off) for own in prints]
    met = met_by(gait_events.footprints(walk.motion), job.footholds, job.character)
    moved = [
        math.dist((back @ np.array(own.place))[:2], one.desired.place) > 1e-4
        for own, one in zip(prints, met, strict=True)
    ]
    return [("NEW", 0.0) if new else state_of(one) for new, one in zip(moved, met, strict=True)]
