"""What of a walk goes over to another character, or to another path: its settings, and the points along it."""

from __future__ import annotations

from typing import Any, Literal

import bpy
import numpy as np
from bpy.props import CollectionProperty, PointerProperty

from ..base.changes import one_change
from ..base.fcurves import KEYED, SLOTTED, copy_curve, curve_holder, keyed_curves
from .path_points import BIPED_PG_path_point
from .trying import set_all
from .walk_properties import BIPED_PG_walk

Fit = Literal["DISTANCE", "SHARE"]

_STAYS = ("active_point", "active_row", "active_print")


def copy_walk(source: bpy.types.Object, target: bpy.types.Object) -> None:
    """Give a character the settings of another one's walk, and its pace, with their keys; its path and points stay."""
    own, other = source.biped.walk, target.biped.walk
    with one_change():
        settings = {name: getattr(own, name) for name in _kept(BIPED_PG_walk) if name not in _STAYS}
        shown = settings.pop("fields_shown")
        set_all(other, settings)
        for group in _groups():
            for name in type(getattr(own, group)).__annotations__:
                setattr(getattr(other, group), name, getattr(getattr(own, group), name))
        other.fields_shown = shown
        target.biped.pace = source.biped.pace
        _copy_keys(source, target)


def copy_points(source: Any, target: Any, lengths: tuple[float, float], fit: Fit) -> int:
    """Give a walk the points of another one; return how many were left out since they are beyond the path's end.

    source, target: walks, or the same one. lengths: of the path before and of the one now, in the scene's units. fit:
    whether points keep their distance from the path's begin, or their share of its length.
    """
    share = lengths[1] / lengths[0] if fit == "SHARE" else 1.0
    names = [name for name in _kept(BIPED_PG_path_point) if name != "place"]
    points = [(share * p.place, {name: getattr(p, name) for name in names}) for p in source.points]
    kept = [(place, said) for place, said in points if fit == "SHARE" or place <= lengths[1]]
    with one_change():
        target.points.clear()
        for place, said in kept:
            made = target.points.add()
            made.place = min(place, lengths[1])
            for name, value in said.items():
                setattr(made, name, value)
        target.active_point = min(source.active_point, max(len(kept) - 1, 0))
        target.start = min(share * source.start, float(np.nextafter(np.float32(lengths[1]), np.float32(0.0))))
    return len(points) - len(kept)


def _kept(group: type[Any]) -> list[str]:
    """Return the names of a group's properties that keep a value of their own, neither pointers nor lists."""
    return [
        name
        for name, own in group.__annotations__.items()
        if own.function not in (PointerProperty, CollectionProperty) and "get" not in own.keywords
    ]


def _groups() -> list[str]:
    """Return the names of the sliders' groups."""
    return [
        name
        for name, own in BIPED_PG_walk.__annotations__.items()
        if own.function is PointerProperty and name.startswith("fields_")
    ]


def _copy_keys(source: bpy.types.Object, target: bpy.types.Object) -> None:
    """Give a character the keys of another one's walk, in its present action or a new one, in place of those it has."""
    curves = list(keyed_curves(source).values())
    had = keyed_curves(target)
    if not curves and not had:
        return
    data = target.animation_data or target.animation_data_create()
    if curves and data.action is None:
        action = bpy.data.actions.new(f"{target.name} Walk Keys")
        data.action = action
        if SLOTTED:
            slot = action.slots.new(id_type="OBJECT", name=target.name)
            action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(slot, ensure=True)
            data.action_slot = slot
    holder = curve_holder(data.action, data.action_slot if SLOTTED else None) if data.action else None
    if holder is None:
        return
    for curve in [own for own in holder.fcurves if own.data_path.startswith(KEYED)]:
        holder.fcurves.remove(curve)
    for curve in curves:
        copy_curve(curve, holder)
