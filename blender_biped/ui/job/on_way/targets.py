"""Rows of the targets of hands (``Object.biped.target``): what is reached, picked up, pushed, pulled and set down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import bpy

from ....control.registry import idle_hands
from ...base.language import translated
from ...base.solids import MESHES
from ...settings.target_properties import ACTS, TAKINGS
from ..targets import aimed_at
from .row import Offer, Removal, Row, RowKind, ShownWalk

_ICONS = {"REACH": "VIEW_PAN", "SET_DOWN": "IMPORT", "PICK_UP": "EXPORT", "PUSH": "FORWARD", "PULL": "BACK"}
_LABELS = {name: label for name, label, _ in (*ACTS, *TAKINGS)}


class HandTargets(RowKind):
    """The targets of the character, and everybody's."""

    name = "target"
    color = (0.15, 0.90, 0.80)

    def rows(self, shown: ShownWalk) -> Iterator[Row]:
        """Give a row for each; its place is the one of the path that is nearest to it."""
        kind = shown.kind
        for thing in aimed_at(shown.view_layer, shown.armature):
            place = shown.nearest(thing)
            idle = kind is not None and kind.hand_tasks is None
            yield Row(
                self,
                thing.name,
                shown.coming.time(place) if place is not None else float("inf"),
                place,
                data=thing,
                wrong=(idle_hands(kind, thing.name),) if kind and idle else (),
                counts=not idle,
                names=(thing.name,),
            )

    def text(self, shown: ShownWalk, row: Row) -> str:
        """Return what is done, and with which object."""
        return f"{row.data.name}: {translated(_LABELS[_act(row.data)])}"

    def icon(self, row: Row) -> str:
        """Return a sign of what is done."""
        return _ICONS[_act(row.data)]

    def draw(self, column: bpy.types.UILayout, shown: ShownWalk, row: Row) -> None:
        """Draw the settings of the target."""
        draw_target(column, row.data)

    def offers(self, shown: ShownWalk) -> Sequence[Offer]:
        """Return what hands can do with the selected mesh, and at the 3D cursor."""
        kind = shown.kind
        why = idle_hands(kind, "") if kind is not None and kind.hand_tasks is None else ""
        taking = [
            Offer(label, _ICONS[name], "biped.take_object", about, {"taking": name}, why)
            for name, label, about in TAKINGS
        ]
        acts = [
            Offer(label, _ICONS[name], "biped.add_target", about, {"act": name}, why) for name, label, about in ACTS
        ]
        return (*taking, *acts)

    def removal(self, row: Row) -> Removal:
        """Return the button that lets the object be no target any more."""
        return Removal("biped.remove_target", {"target": row.data.name})


def draw_target(column: bpy.types.UILayout, thing: Any) -> None:
    """Draw what an object is as a target."""
    target = thing.biped.target
    what = "taking" if thing.type in MESHES else "act"
    pushed = what == "taking" and target.taking == "PUSH"  # by both hands
    for name in (what, "character") if pushed else (what, "hands", "character"):
        column.prop(target, name)
    if what == "taking" and thing.rigid_body is not None:
        column.prop(thing.rigid_body, "mass")
        column.prop(thing.rigid_body, "friction")
    elif what == "taking":
        column.operator("biped.give_mass", icon="RIGID_BODY").object_name = thing.name


def _act(thing: Any) -> str:
    target = thing.biped.target
    return str(target.taking if thing.type in MESHES else target.act)
