"""From the scene to the forces of a job: pushes by their keys, and winds of force fields by their keyed strength."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ...base.errors import DataError
from ...base.limits import MAX_EVENTS, MAX_ROWS
from ...base.spatial import Array
from ...character.model import Character
from ...character.pushed import PARTS, pushed_at
from ...job import Push
from ...world.winds import MOST_WINDS, STRONGEST, Wind, WindKind
from ..base.choice import choice
from ..base.fcurves import curves_of, key_places

FIELDS: dict[str, WindKind] = {"WIND": "wind", "FORCE": "force"}
"""The force fields that blow, by Blender's names."""

_FORCE, _STRENGTH = "biped.push.force", "field.strength"
_MOST_KEYS = 1_000  # of a push or a field


@dataclass(frozen=True)
class Forces:
    """What acts on a walk. notes: what the user should know."""

    pushes: tuple[Push, ...] = ()
    winds: tuple[Wind, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Clock:
    """From frames to a walk's time. start: its first frame. rate: frames a second."""

    start: int
    rate: float

    def time(self, frame: float) -> float:
        """Return the time, s."""
        return (frame - self.start) / self.rate


def pushing(view_layer: bpy.types.ViewLayer, armature: bpy.types.Object) -> list[Any]:
    """Return the objects that push a character. Cheap enough for a panel's draw."""
    found = filter(None, view_layer.objects)
    return [o for o in found if o.biped.push.active and o.biped.push.character in (None, armature)]


def blowing(view_layer: bpy.types.ViewLayer) -> list[Any]:
    """Return the objects whose force fields blow. Cheap enough for a panel's draw."""
    found = filter(None, view_layer.objects)
    return [o for o in found if o.field is not None and o.field.type in FIELDS]


def push_keys(thing: Any) -> list[tuple[float, float]]:
    """Return the keys of a push: frame and force, N. Raises DataError for one that is no number."""
    curve = curves_of(thing, _FORCE).get(_FORCE)
    if curve is None:
        return []
    return [(float(frame), float(force)) for frame, force in key_places(curve)]


def read_forces(
    view_layer: bpy.types.ViewLayer, armature: Any, character: Character, clock: Clock, unit: float, stretch: Array
) -> Forces:
    """Return what acts on a character's walk.

    unit: metres of one Blender unit. stretch (3, 3): of the armature, which the walk is simulated without.
    Raises DataError for an object whose transform or numbers are unusable.
    """
    notes: list[str] = []
    flat = np.linalg.inv(stretch)
    pushes = [p for thing in pushing(view_layer, armature) for p in _pushes(thing, character, clock, flat, notes)]
    winds = [_wind(thing, clock, unit, flat, notes) for thing in blowing(view_layer)]
    if len(pushes) > MAX_EVENTS:
        raise DataError(
            f"There are {len(pushes)} pushes in all; at most {MAX_EVENTS} are walked with: take keys of Force away."
        )
    if len(winds) > MOST_WINDS:
        raise DataError(f"There are {len(winds)} force fields; at most {MOST_WINDS} blow on a walk: hide the others.")
    return Forces(tuple(sorted(pushes, key=lambda p: p.time)), tuple(winds), tuple(notes))


def _pushes(thing: Any, character: Character, clock: Clock, flat: Array, notes: list[str]) -> Iterator[Push]:
    own, keys = thing.biped.push, push_keys(thing)
    if not keys:
        notes.append(f"The push {thing.name!r} does nothing: its force has no key. Press I over it to key it.")
        return
    if len(keys) > _MOST_KEYS:
        raise DataError(f"The push {thing.name!r} has {len(keys)} keys; at most {_MOST_KEYS} are read: take some away.")
    where = pushed_at(character, choice(own, "part"))
    if where is None:
        label = next(part.label for part in PARTS if part.key == own.part)
        notes.append(f"The push {thing.name!r} does nothing: there is no {label}. Choose another part.")
        return
    _check_numbers(thing, own, ("length",))
    axis = flat @ arrow_axis(thing)
    axis /= np.linalg.norm(axis)
    for frame, force in keys:
        if clock.time(frame) < 0.0:
            notes.append(f"The push {thing.name!r} at frame {frame:g} is before the walk begins.")
        elif force:
            x, y, z = (force * axis).tolist()
            yield Push(where[0], clock.time(frame), own.length, (x, y, z), where[1])


def _wind(thing: Any, clock: Clock, unit: float, flat: Array, notes: list[str]) -> Wind:
    own = thing.field
    _check_numbers(thing, own, ("strength", "falloff_power", "distance_min", "distance_max"))
    strengths = _strengths(thing, clock)
    if any(abs(strength) > STRONGEST for _, strength in strengths):
        raise DataError(f"The field {thing.name!r} is too strong; set at most {STRONGEST:g}.")
    if own.noise or own.shape not in ("POINT", "PLANE"):
        notes.append(f"The field {thing.name!r} has noise or a shape, which a walk does not feel.")
    place = flat @ (unit * np.array(thing.matrix_world.translation, dtype=float))
    if not np.isfinite(place).all():
        raise DataError(f"The field {thing.name!r} has a broken transform (no finite numbers): clear it.")
    x, y, z = place.tolist()
    axis = flat @ arrow_axis(thing)
    a, b, c = (axis / np.linalg.norm(axis)).tolist()
    return Wind(
        name=thing.name,
        kind=FIELDS[own.type],
        place=(x, y, z),
        direction=(a, b, c),
        strengths=strengths,
        power=min(max(own.falloff_power, 0.0), 10.0),
        unit=unit,
        near=unit * own.distance_min if own.use_min_distance else 0.0,
        reach=unit * own.distance_max if own.use_max_distance else 0.0,
    )


def _strengths(thing: Any, clock: Clock) -> tuple[tuple[float, float], ...]:
    """Return the strength over time: at each frame from the first key to the last, where it has keys."""
    curve = curves_of(thing, _STRENGTH).get(_STRENGTH)
    if curve is None or not len(curve.keyframe_points):
        return ((0.0, float(thing.field.strength)),)
    frames = key_places(curve)[:, 0]
    first, last = int(np.floor(frames.min())), int(np.ceil(frames.max()))
    if last - first >= MAX_ROWS:
        raise DataError(f"The field {thing.name!r} has keys over {last - first} frames: take the farthest away.")
    return tuple((clock.time(frame), float(curve.evaluate(frame))) for frame in range(first, last + 1))


def _check_numbers(thing: Any, group: Any, names: Iterable[str]) -> None:
    """Raise DataError, with the object's name, for a number that is not finite, as a crafted file has it."""
    for name in names:
        if not math.isfinite(getattr(group, name)):
            label = group.bl_rna.properties[name].name
            raise DataError(f"{label} of {thing.name!r} is not a finite number: set it again.")


def arrow_axis(thing: Any) -> Array:
    """Return where an object's Z axis points (3,), world. Raises DataError where it does not."""
    axis = np.array(thing.matrix_world.col[2][:3], dtype=float)
    length = float(np.linalg.norm(axis))
    if not np.isfinite(length) or length <= 0.0:
        raise DataError(f"The object {thing.name!r} points nowhere: its scale is zero or no number; correct it.")
    return np.asarray(axis / length)
