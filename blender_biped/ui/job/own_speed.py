"""Which speeds a character's walk can have: from its style and its size, for the slider and the panel."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import bpy
import numpy as np

from ...base.errors import BipedError
from ...character.body import build_character
from ...character.model import Character
from ..base.reading import metres, read_armature
from ..base.styles import styles
from ..settings import speed_rule as shown_speeds
from ..settings.fields import style_or_none
from ..settings.kept_mapping import rig_map_of
from ..settings.speed_rule import SpeedRule
from .body import bones_state
from .mapping import mapping
from .pace import speed_rule

_DIGITS = 5  # of the armature's scale: it may travel and turn as an object, with rounding

_sizes: dict[int, tuple[Hashable, Character | None]] = {}
"""By the armature's session_uid: what its size follows from, and the character, whose mass is not the one that is set.

The slider asks while Blender evaluates an animation, when the meshes that a mass follows from must not be looked at.
"""


def start() -> None:
    """Let the sliders of speeds know the characters."""
    shown_speeds.use(rule_of_walk)


def stop() -> None:
    """Forget the characters."""
    shown_speeds.use_no_more()
    _sizes.clear()


def rule_of_walk(walk: Any, name: str = "") -> SpeedRule:
    """Return how the speed of a walk's settings depends on its style and its character. Never raises.

    name: of the style, "" for the panel's.
    """
    armature = walk.id_data.original
    try:
        style = styles(walk.controller_name).get(name) if name else style_or_none(walk)
        return speed_rule(style, armature.biped.pace, _character(armature)) if style else SpeedRule()
    except (BipedError, ReferenceError):  # the bake says what is wrong
        return SpeedRule()


def _character(armature: bpy.types.Object) -> Character | None:
    """Return the character that an armature is, as far as its size is concerned; None where that is not known."""
    last = _sizes.get(armature.session_uid)
    if armature.mode == "EDIT":
        return last[1] if last else None
    unit = metres(bpy.context.scene) if bpy.context.scene else 1.0
    kept, axes = rig_map_of(armature), (armature.biped.forward, armature.biped.up)
    state = (repr(kept), axes, bones_state(armature), _scale(armature), unit)
    if last is None or last[0] != state:
        try:
            found = build_character(read_armature(armature, unit), kept or mapping(armature, unit), None)
        except BipedError:
            found = None
        last = _sizes[armature.session_uid] = (state, found)
    return last[1]


def _scale(armature: bpy.types.Object) -> tuple[str, ...]:
    """Return what an object's transform does to lengths, whichever way it is turned."""
    axes = np.array(armature.matrix_world.to_3x3(), dtype=float)
    squares = axes.T @ axes
    largest = float(np.abs(squares).max()) or 1.0
    return (f"{largest:.{_DIGITS}g}", *(f"{number / largest:.{_DIGITS}f}" for number in squares.ravel()))
