"""What is known of a walk before it is baked: why it cannot be, and how long it will take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import bpy

from ...base.errors import BipedError
from ...control.registry import kind_in
from ...foreseen import seconds_of
from ...job import Job
from ..base.reading import metres, shown_length
from .body import walking_body
from .far_path import how_far
from .found import answered
from .request import bare_job, request_of, turns_text
from .unlisted import Across, across_path


@dataclass(frozen=True)
class Outlook:
    """What a walk will be. refused: why it cannot be baked, "" while it can, or that is not known.

    seconds: how long it takes, None where that is not known. across: the meshes that it would go through. turns: where
    its path doubles back, and what to do, "" where it does not. stands: where another style stands in for one that
    cannot go there. far: how far from the character it begins, m, 0 where that is near.
    """

    refused: str = ""
    seconds: float | None = None
    across: tuple[Across, ...] = ()
    turns: str = ""
    stands: tuple[str, ...] = ()
    far: float = 0.0

    @classmethod
    def of(cls, job: Job) -> Outlook:
        """Return that of a job that can be baked."""
        try:
            ways = kind_in(job).stand_ins
            return cls(seconds=seconds_of(job), stands=ways(job) if ways else ())
        except BipedError:
            return cls()


UNKNOWN = Outlook()


def outlook(context: bpy.types.Context, armature: Any) -> Outlook:
    """Return what is known of a character's walk in its scene.

    The scene is evaluated, and what hands do is planned: not for drawing. Where nothing is in the scene that a walk
    answers to, what a panel finds itself is all that it is refused for, and nothing is known of a curve that cannot be
    read as it is shown.
    """
    curve, there = armature.biped.walk.path, answered(context.scene, context.view_layer, armature)
    if curve is None or not (there or reads_at_once(context, curve)):
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
    turns = turns_text(job, context.scene.unit_settings)[1]
    far = how_far(armature, body.rig, job)
    return replace(found, across=across_path(context, job), turns=turns, far=far)


def reads_at_once(context: bpy.types.Context, curve: Any) -> bool:
    """Return whether a curve is read without a change of the scene, after which it would be read once more.

    One that is edited has to be brought up to date, and of a thick or hidden one a thin twin is made.
    """
    depsgraph = context.view_layer.depsgraph
    known = curve.type == "CURVE" and curve.mode != "EDIT" and depsgraph is not None
    return known and shown_length(curve, depsgraph, metres(context.scene)) is not None
