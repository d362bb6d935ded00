"""From the scene to the targets of a job: what a walk reaches, picks up, pushes, pulls and sets down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import bpy
import numpy as np

from ...base.errors import DataError
from ...world.targets import MOST_TARGETS, Act, Hands, Target
from ...world.things import Thing
from ..base.choice import choice
from ..base.solids import MESHES

_ACTS: dict[str, Act] = {act.upper(): act for act in get_args(Act)}
_HANDS: dict[str, Hands] = {hands.upper(): hands for hands in get_args(Hands)}


def aimed_at(view_layer: bpy.types.ViewLayer, armature: Any) -> list[Any]:
    """Return the objects that are targets of a character; None for anybody's. Cheap enough for a panel's draw."""
    found = filter(None, view_layer.objects)
    return [
        o for o in found
        if o.biped.target.active and (armature is None or o.biped.target.character in (None, armature))
    ]  # fmt: skip


def read_targets(
    view_layer: bpy.types.ViewLayer, armature: Any, things: Sequence[Thing], unit: float
) -> tuple[Target, ...]:
    """Return the targets of a character. things: of the scene. unit: metres of one Blender unit.

    Raises DataError for an object that cannot be one.
    """
    objects = aimed_at(view_layer, armature)
    if len(objects) > MOST_TARGETS:
        raise DataError(f"There are {len(objects)} targets; at most {MOST_TARGETS} may be.")
    return tuple(_target(thing, things, unit) for thing in objects)


def _target(thing: Any, things: Sequence[Thing], unit: float) -> Target:
    own = thing.biped.target
    hands = _HANDS[choice(own, "hands")]
    if thing.type in MESHES:
        prop = next((other for other in things if other.name == thing.name), None)
        if prop is None or not prop.loose:
            raise DataError(
                f"The target {thing.name!r} cannot be taken, since it is an obstacle: move it to the collection of the "
                "props, and let its Rigid Body settings be active."
            )
        return Target(thing.name, _ACTS[choice(own, "taking")], prop.place, thing.name, hands)
    place = unit * np.array(thing.matrix_world.translation, dtype=float)
    if not np.isfinite(place).all():
        raise DataError(f"The target {thing.name!r} has a broken transform (no finite numbers): clear it.")
    x, y, z = place.tolist()
    return Target(thing.name, _ACTS[choice(own, "act")], (x, y, z), "", hands)
