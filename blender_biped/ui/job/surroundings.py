"""From the scene to the world of a job: what stands and lies about, pushes and blows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ...base.errors import DataError
from ...base.once import Equals
from ...check import check, check_length
from ...control.registry import check_terrain, kind_in, kind_of
from ...control.way import check_way
from ...fallback import simpler
from ...job import Job
from ...world.passable import profile
from ...world.world import World
from ..base.reading import frame_rate, metres, stretch_of
from .forces import Clock, read_forces
from .ground import read_ground
from .targets import read_targets
from .things import notes_of_props, read_things


def in_scene(context: bpy.types.Context, job: Job, armature: Any) -> tuple[Job, tuple[str, ...]]:
    """Return a job in the world that the scene describes, and what the user should know of that.

    Raises DataError for something in the scene that is unusable, and for a job that cannot be walked there.
    """
    made, notes = placed(context, job, armature)
    found = check(made)
    props = () if found.kind.controller is None else notes_of_props(made)
    return made, (*notes, *(stop.text for stop in found.stops), *found.passing, *props)


JOBS = Equals[Job](8)
"""Those that were read last, and what they are walked by instead: their ways are looked at once."""


def placed(context: bpy.types.Context, job: Job, armature: Any) -> tuple[Job, tuple[str, ...]]:
    """Return a job in the world that the scene describes, whether it can be walked there or not, and notes.

    Raises DataError for a walk that takes too long, and for something in the scene that cannot be read.
    """
    check_length(job)  # first: to read what is along a way that is far too long would take long, too
    scene, layer = context.scene, context.view_layer
    clock = Clock(armature.biped.walk.frame_start, frame_rate(scene))
    forces = read_forces(layer, armature, job.character, clock, metres(scene), stretch_of(armature))
    around = read_things(scene, layer, metres(scene))
    ground = read_ground(scene, layer, job.path, metres(scene), job.ground)
    targets = read_targets(layer, armature, around.things, metres(scene))
    if (around.things or ground.terrain or targets) and not np.array_equal(stretch_of(armature), np.eye(3)):
        raise DataError(
            f"{armature.name!r} is scaled unevenly or mirrored, and cannot meet what is in the scene: apply its scale "
            "in Object mode (Ctrl A, Scale)."
        )
    if kind_in(job).controller is None:
        if ground.terrain is not None:
            job = replace(
                job, relief=profile(ground.terrain, job.path, job.ground), world=World(ground.terrain, ground.friction)
            )
        some = forces.pushes or forces.winds or around.things or targets
        note = f"{kind_in(job).label} is not simulated: pushes, winds, obstacles, props and targets do nothing to it."
        return JOBS.one(job), (*ground.notes, *((note,) if some else ()))
    world = World(things=around.things, winds=forces.winds, targets=targets)
    if ground.terrain is not None:
        world = replace(world, ground=ground.terrain, friction=ground.friction)
    made, notes = _by_who_can(JOBS.one(replace(job, pushes=forces.pushes, world=world)))
    return made, (*notes, *forces.notes, *around.notes, *ground.notes)


def _refused(check: Callable[[Job], object], job: Job) -> bool:
    """Return whether a check refuses a job: its controller cannot take the ground, or what is across the way."""
    try:
        check(job)
    except DataError:
        return True
    return False


def _simpler(job: Job) -> Job | None:
    other = simpler(job)
    return None if other is None else JOBS.one(other)


def _by_who_can(job: Job) -> tuple[Job, tuple[str, ...]]:
    """Return a job by its simpler controller, and that it is, where its own cannot take the ground or what is on it."""
    own = kind_in(job)
    able = kind_of(own.simpler) if own.simpler else own
    if job.world.ground is not None and able.terrain is not None and _refused(check_terrain, job):
        other = _simpler(job)
        if other is None or _refused(check_terrain, other):
            return job, ()  # nobody can: it is told what its own cannot
        note = f"{own.label} cannot walk on the ground of the scene: {able.label} walks on it."
    elif job.world.targets and own.hand_tasks is not None:
        return job, ()  # the other does nothing with its hands
    elif able.passing is not None and _refused(check_way, job):
        other = _simpler(job)
        if other is None or _refused(check_way, other):
            return job, ()  # nobody can: it is told what its own cannot
        note = f"{own.label} cannot get over or under what is in the way: {able.label} steps over it or ducks."
    else:
        return job, ()
    other = _simpler(job)  # not sooner: it reads the styles' files
    return (other, (note,)) if other is not None else (job, ())
