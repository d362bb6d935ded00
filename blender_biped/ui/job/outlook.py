"""What is known of a walk before it is baked: why it cannot be, and how long it will take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import bpy

from ...base.errors import BipedError
from ...foreseen import seconds_of
from ...job import Job
from .body import walking_body
from .found import answered
from .request import bare_job, request_of
from .unlisted import Across, across_path


@dataclass(frozen=True)
class Outlook:
    """What a walk will be. refused: why it cannot be baked, "" while it can, or that is not known.

    seconds: how long it takes, None where that is not known. across: the meshes that it would go through.
    """

    refused: str = ""
    seconds: float | None = None
    across: tuple[Across, ...] = ()

    @classmethod
    def of(cls, job: Job) -> Outlook:
        """Return that of a job that can be baked."""
        try:
            return cls(seconds=seconds_of(job))
        except BipedError:
            return cls()


UNKNOWN = Outlook()


def outlook(context: bpy.types.Context, armature: Any) -> Outlook:
    """Return what is known of a character's walk in its scene.

    The scene is evaluated, and what hands do is planned: not for drawing. Where nothing is in the scene that a walk
    answers to, what a panel finds itself is all that it is refused for.
    """
    curve, there = armature.biped.walk.path, answered(context.scene, context.view_layer, armature)
    if curve is None or (not there and curve.mode == "EDIT"):  # to read one that is edited changes it: again and again
        return UNKNOWN
    body = walking_body(armature, context.scene)
    if body.rig is None or body.character is None:
        return UNKNOWN
    try:
        job = request_of(context, armature, body.rig, body.character).job
        found = Outlook.of(job)
    except BipedError as error:
        found = Outlook(refused=str(error) if there else "")
        try:
            job = bare_job(context, armature, body.rig, body.character)[0]
        except BipedError:
            return found
    return replace(found, across=across_path(context, job))
