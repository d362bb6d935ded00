"""The mapping that an armature keeps (``Object.biped``): written, read, and what a user chose in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import bpy

from ...character.conventions import Names
from ...character.mapping import RigMap
from ...character.model import ROLES
from ...character.picking import with_picked
from .picking import TABLES, Table, bones_of, keep_doubts, names_in, put_names
from .properties import AUTO


def keep_rig_map(armature: bpy.types.Object, rig_map: RigMap, picked: Mapping[Table, Names] | None = None) -> None:
    """Keep a mapping on its armature. picked: the roles that a user picked, which may have no bones."""
    kept = armature.biped
    kept.convention, kept.confidence = rig_map.convention, rig_map.confidence
    kept.forward, kept.up = rig_map.forward or AUTO, rig_map.up or AUTO
    keep_doubts(kept.doubts, rig_map.doubts)
    tables: dict[Table, Mapping[str, Names]] = {"parts": rig_map.bones, "controls": rig_map.controls}
    for table, named in tables.items():
        roles = (picked or {}).get(table, ())
        parts = getattr(kept, table)
        _keep_parts(parts, {role: named.get(role, ()) for role in ROLES if role in named or role in roles})
        for part in parts:
            part.picked = part.name in roles
    for part in kept.parts:
        part.reason = rig_map.reasons.get(part.name, "")
    _keep_parts(kept.heels, rig_map.heels)


def rig_map_of(armature: bpy.types.Object) -> RigMap | None:
    """Return the mapping that is kept on an armature, or None."""
    kept = armature.biped
    bones = bones_of(armature)
    if not bones:
        return None
    return RigMap(
        convention=kept.convention or "hand",
        bones=bones,
        heels={heel.name: names_in(heel) for heel in kept.heels if names_in(heel)},
        reasons={part.name: part.reason for part in kept.parts if part.name in bones},
        missing=tuple(role for role in ROLES if role not in bones),
        confidence=round(kept.confidence, 6),  # Blender keeps single precision
        doubts=tuple(doubt.text for doubt in kept.doubts if doubt.text),
        controls=bones_of(armature, "controls"),
        forward=chosen_axis(kept.forward),
        up=chosen_axis(kept.up),
    )


def chosen_axis(choice: str) -> str:
    """Return an axis as a RigMap has it: "" for one that is to be found."""
    return "" if choice == AUTO else choice


def with_kept(armature: bpy.types.Object, found: RigMap) -> tuple[RigMap, dict[Table, Names]]:
    """Return a mapping that was found with what a user chose for the armature, and the roles that were picked."""
    kept = armature.biped
    chosen: dict[Table, dict[str, Names]] = {
        table: {part.name: names_in(part) for part in getattr(kept, table) if part.picked and kept.keep_picked}
        for table in TABLES
    }
    whole = with_picked(found, chosen["parts"], {part.name: part.reason for part in kept.parts})
    controls = {role: names for role, names in {**found.controls, **chosen["controls"]}.items() if names}
    forward, up = chosen_axis(kept.forward), chosen_axis(kept.up)
    return replace(whole, controls=controls, forward=forward, up=up), {t: tuple(roles) for t, roles in chosen.items()}


def _keep_parts(kept: Any, named: Mapping[str, Names]) -> None:
    kept.clear()
    for part in kept:  # a library override keeps what the library has
        put_names(part, named.get(part.name, ()))
    for name in [name for name in named if name not in kept]:
        part = kept.add()
        part.name = name
        put_names(part, named[name])
