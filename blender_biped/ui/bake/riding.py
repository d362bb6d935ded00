"""Paths that move in the course of a walk: with what carries the character, or by themselves."""

from __future__ import annotations

from typing import Any, Literal

import bpy
import numpy as np
from numpy.typing import NDArray

from ...base.errors import DataError
from ...base.spatial import Array
from ..base.frames import frame_kept, show_frame
from ..base.reading import curve_points, metres
from .spaces import is_carried, parent_space

Moves = Literal["", "rides", "moves"]

_LOOKS = 5  # frames of the walk at which a path is looked at
_STILL = 1e-3  # of a leg: what moves by less lies still


def path_moves(armature: Any, frames: NDArray[np.int_], leg: float) -> Moves:
    """Return how the path of an armature moves in the frames (F,) of its walk: "" for one that lies still.

    "rides": just as what carries the armature. leg: its length, m. The scene's current frame is set back afterwards.
    """
    curve, scene = armature.biped.walk.path, bpy.context.scene
    if curve is None or curve.type != "CURVE" or not _may_move(curve):
        return ""
    unit, limit = metres(scene), _STILL * leg
    moved, rides = False, True
    try:
        with frame_kept(scene):
            first, begun = _points(curve, unit), np.linalg.inv(parent_space(armature))
            for frame in frames[np.linspace(0, len(frames) - 1, _LOOKS).astype(int)]:
                show_frame(scene, float(frame))
                now, carried = _points(curve, unit), parent_space(armature) @ begun
                moved |= not _near(now, first, limit)
                rides &= _near(now, first @ carried[:3, :3].T + unit * carried[:3, 3], limit)
    except DataError:  # it is no line any more
        return "moves"
    return ("rides" if rides else "moves") if moved else ""


def _may_move(curve: Any) -> bool:
    data = curve.data
    return bool(curve.animation_data or data.animation_data or data.shape_keys or curve.modifiers or is_carried(curve))


def _points(curve: Any, unit: float) -> Array:
    return curve_points(curve, bpy.context.evaluated_depsgraph_get(), unit)


def _near(one: Array, other: Array, limit: float) -> bool:
    return one.shape == other.shape and bool(np.abs(one - other).max() <= limit)
