"""Paths that begin far from where their character stands: the walk is there, and bones jump to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.spatial import Array
from ...character.armature import Armature
from ...character.model import Character
from ...job import Job
from ..base.fcurves import curves_of
from ..base.reading import standing_place, stretch_of

_FAR = 5.0  # legs from the character to its path from which it is said: nobody takes the one for the other's place


def way_to_path(rig: Armature, character: Character, job: Job) -> Array:
    """Return the way (2,), m, from where a rig stands to where its walk begins, without its object's stretch."""
    return np.asarray(job.path.position(job.start)) - standing_place(rig, character)[0]


def how_far(armature: Any, rig: Armature, job: Job) -> float:
    """Return how far from a character its walk begins, m in the world; 0 where that is near, or it walks in place."""
    settings = armature.biped
    if settings.one_stride or settings.root == "IN_PLACE":
        return 0.0
    away = float(np.linalg.norm(stretch_of(armature)[:2, :2] @ way_to_path(rig, job.character, job)))
    return away if away > _FAR * job.character.leg_length else 0.0


def why_held(thing: Any) -> str:
    """Return why an object cannot be moved for good, "" where it can."""
    if thing.library:
        return f"{thing.name!r} is linked from another file: make a library override of it first."
    if any(not one.mute and one.influence > 0.0 for one in thing.constraints):
        return f"{thing.name!r} has constraints: move what holds it."
    if any(curves_of(thing, path) for path in ("location", "delta_location")) or _driven(thing):
        return f"The place of {thing.name!r} is animated: move its keys."
    return ""


def _driven(thing: Any) -> Sequence[Any]:
    data = thing.animation_data
    return [own for own in data.drivers if own.data_path.startswith("location")] if data else []
