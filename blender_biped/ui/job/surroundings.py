"""From the scene to the world of a job: what pushes and blows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import bpy

from ...control.registry import kind_in
from ...job import Job
from ...world.world import World
from ..base.reading import frame_rate, metres, stretch_of
from .forces import Clock, read_forces


def in_scene(context: bpy.types.Context, job: Job, armature: Any) -> tuple[Job, tuple[str, ...]]:
    """Return a job in the world that the scene describes, and what the user should know of that.

    Raises DataError for something in the scene that is unusable.
    """
    scene, layer = context.scene, context.view_layer
    clock = Clock(armature.biped.walk.frame_start, frame_rate(scene))
    forces = read_forces(layer, armature, job.character, clock, metres(scene), stretch_of(armature))
    if kind_in(job).controller is None:
        some = len(forces.pushes) + len(forces.winds)
        note = f"{kind_in(job).label} is no simulation of the body: pushes and winds do nothing to it."
        return job, ((note,) if some else ())
    return replace(job, pushes=forces.pushes, world=World(winds=forces.winds)), forces.notes
