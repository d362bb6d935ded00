"""What of a body makes it doubtful, before the bake, that it walks well: how it stands, and who is to walk it."""

from __future__ import annotations

from typing import Any

import bpy

from ...character.clearance import BodyClearance
from ...character.model import Character
from ...control.kind import Kind
from ..base.units import length_text
from ..settings.fields import kind_chosen
from .body import walking_body

_BEND = "Bend it up in Edit mode, or in an action on top of the walk."
_STAND = "Move its feet below its body in Edit mode, or let KLAW walk it."


def shown_doubts(context: bpy.types.Context, armature: Any) -> list[str]:
    """Return what is doubtful about an armature's body and the controller that is chosen, for a panel: cheap."""
    body, kind = walking_body(armature, context.scene), kind_chosen(armature.biped.walk)
    if body.character is None:
        return []
    stands = standing_doubts(body.clearance, context.scene.unit_settings)
    return [*stands, *_walking_doubts(kind, body.character, body.clearance, context.scene.unit_settings)]


def standing_doubts(stands: BodyClearance, units: bpy.types.UnitSettings) -> list[str]:
    """Return what hangs into the ground, and what to do, a sentence each."""
    said = []
    if stands.tail > 0.0:
        said.append(f"Its tail hangs {length_text(stands.tail, units)} into the ground as it stands.")
    if stands.head > 0.0:
        said.append(f"Its head hangs {length_text(stands.head, units)} into the ground as it stands.")
    return [f"{text} {_BEND}" for text in said]


def _walking_doubts(
    kind: Kind | None, character: Character, stands: BodyClearance, units: bpy.types.UnitSettings
) -> list[str]:  # fmt: skip
    """Return why a simulated walk of a body may fall by itself, a sentence at most."""
    if kind is None or kind.controller is None:
        return []
    off = length_text(abs(stands.beside), units)
    if stands.beside > 0.0:
        return [" ".join((f"Its weight is {off} ahead of its feet, so it falls as it stands.", _STAND))]
    if stands.beside < 0.0:
        return [" ".join((f"Its weight is {off} behind its feet, so it falls as it stands.", _STAND))]
    doubt = kind.doubt(character) if kind.doubt else ""
    return [doubt] if doubt else []
