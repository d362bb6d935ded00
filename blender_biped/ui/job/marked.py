"""What a walk meets in the scene, as lines and faces to be drawn: how it meets each obstacle, targets, and forces."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import bpy
import numpy as np

from ...base.errors import BipedError
from ...base.spatial import Array
from ...character.armature import Armature
from ...character.model import Character
from ...character.reference import GRAVITY, REFERENCE_LEG, REFERENCE_MASS
from ...control.registry import stops_of
from ...control.way import meetings
from ...job import Job
from ...motion.gait_events import SIDES, Footprint, ball, sole_outline
from ...world.marks import arrow, blown, bounds, cross
from ...world.targets import TAKING
from ..base.reading import metres, stretch_of
from ..settings.fields import kind_chosen
from .body import walking_body
from .forces import arrow_axis, push_keys, pushing
from .request import bare_job
from .surroundings import placed
from .things import readable_things

Group = Literal["over", "under", "refused", "beside", "prop", "target", "push", "wind"]
"""What is drawn in one colour: obstacles by how they are met, and what else there is."""

_CROSS = 0.12  # of the leg: from a target's place to the ends of its lines
_APART = 1.3  # of the leg, between two arrows of a wind
_WEIGHS = 1.5  # of the leg: the arrow of a force as large as the body's weight
_HIGH = 1.2  # of the leg: how high these are above the ground


@dataclass(frozen=True, eq=False)
class Marks:
    """What is drawn, in the scene's own units, world. lines: ends (N, 2, 3). faces: corners (N, 3, 3), likewise."""

    lines: dict[Group, Array]
    faces: dict[Group, Array]


class _MarkLines:
    """Lines and faces by their groups, m, as they are found."""

    def __init__(self) -> None:
        self.lines: dict[Group, list[Array]] = {}
        self.faces: dict[Group, list[Array]] = {}

    def add(self, group: Group, lines: Array, faces: Array | None = None) -> None:
        self.lines.setdefault(group, []).append(lines)
        if faces is not None:
            self.faces.setdefault(group, []).append(faces)

    def marks(self, unit: float) -> Marks:
        """Return all of it. unit: metres of one Blender unit."""
        return Marks(
            {group: np.concatenate(parts) / unit for group, parts in self.lines.items()},
            {group: np.concatenate(parts) / unit for group, parts in self.faces.items()},
        )


def marks_of(context: bpy.types.Context, armature: Any) -> Marks:
    """Return what a character's walk meets. The scene is evaluated.

    Without a path or a body obstacles are drawn as those that it passes; what cannot be read is not drawn, and the bake
    says why. Nothing answers a walk that is no simulation.
    """
    unit, drawing = metres(context.scene), _MarkLines()
    kind = kind_chosen(armature.biped.walk)
    if kind is None or kind.controller is None:
        return drawing.marks(unit)
    body = walking_body(armature, context.scene)
    rig, character = body.rig, body.character
    job = _job(context, armature, rig, character) if rig and character else None
    _add_things(drawing, context, job, unit)
    _add_pushes(drawing, context, armature, character, unit)
    if job is not None:
        leg = job.character.leg_length
        for target in job.world.targets:
            if target.act not in TAKING:  # what is taken is a thing
                drawing.add("target", cross(target.place, _CROSS * leg))
        for lines in _standing(job):
            drawing.add("target", lines)
        stretch, height = stretch_of(armature), job.ground + _HIGH * leg
        for place, force in blown(job.world.winds, job.path, job.start, height, _APART * leg):
            drawing.add("wind", arrow(stretch @ place, stretch @ _drawn(force, job.character)))
    return drawing.marks(unit)


def _job(context: bpy.types.Context, armature: Any, rig: Armature, character: Character) -> Job | None:
    """Return the walk in its world, whether it can be walked or not; None where there is none yet."""
    try:
        return placed(context, bare_job(context, armature, rig, character)[0], armature)[0]
    except BipedError:
        return None


def _add_things(drawing: _MarkLines, context: bpy.types.Context, job: Job | None, unit: float) -> None:
    things = job.world.things if job else tuple(readable_things(context.scene, context.view_layer, unit))
    met = meetings(job) if job else {}
    taken = {target.thing for target in job.world.targets} if job else set()
    refused = _refusal(job) if taken and job else ""
    for thing in things:
        group: Group = met.get(thing.name, "beside")
        if thing.loose:
            group = "target" if thing.name in taken else "prop"
            group = "refused" if repr(thing.name) in refused else group
        drawing.add(group, *bounds(thing))


def _refusal(job: Job) -> str:
    """Return why hands cannot do what they are to, "" where they can."""
    try:
        stops_of(job)
    except BipedError as error:
        return str(error)
    return ""


def _add_pushes(
    drawing: _MarkLines, context: bpy.types.Context, armature: Any, character: Character | None, unit: float
) -> None:
    """Add an arrow for each push, from where its object is, by its hardest key."""
    for thing in pushing(context.view_layer, armature):
        force = max((force for _, force in push_keys(thing)), key=abs, default=0.0)
        place = np.array(thing.matrix_world.translation, dtype=float)
        try:
            way = force * arrow_axis(thing)
        except BipedError:
            continue
        if force and np.isfinite(place).all():
            drawing.add("push", arrow(unit * place, _drawn(way, character)))


def _drawn(force: Array, character: Character | None) -> Array:
    """Return the way (3,), m, that is drawn for a force (3,), N: longer by its root, so that light ones are seen."""
    mass, leg = (character.mass, character.leg_length) if character else (REFERENCE_MASS, REFERENCE_LEG)
    size = float(np.linalg.norm(force))
    return np.asarray(force / size * _WEIGHS * leg * math.sqrt(size / (mass * GRAVITY)))


def _standing(job: Job) -> Iterator[Array]:
    """Give the outlines (N, 2, 3), m, of both feet at each place where the walk stands for what its hands do."""
    try:
        stops = stops_of(job)
    except BipedError:
        return
    body = job.character
    origins = body.standing()[0]
    for stop in stops:
        heading = job.path.direction(stop.place, 0.2 * body.leg_length / REFERENCE_LEG)
        ahead = np.array([math.cos(heading), math.sin(heading)])
        turn = np.column_stack((ahead, (-ahead[1], ahead[0])))
        for side, name in enumerate(SIDES):
            at = (origins[body.index(f"foot.{name}")] - origins[0] + ball(body, side))[:2]
            place = np.array(job.path.point(stop.place)) + turn @ at
            outline = sole_outline(body, Footprint(side, 0.0, place, heading))
            yield _ring(np.column_stack((outline, job.floor.heights(outline))))


def _ring(outline: Iterable[Array]) -> Array:
    """Return the lines (N, 2, 3) round an outline (N, 3)."""
    points = list(outline)
    return np.array(list(pairwise([*points, points[0]])))
