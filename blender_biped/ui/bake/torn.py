"""Whether the skin holds together while a baked walk plays."""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ...character.skin import Skin, Torn
from ..base.reading import metres
from ..base.skins import skin_of
from .looks import look_at, posed_skin, rests_of

STRETCHED = 3.0
"""Times its length in rest beyond which an edge of the skin is torn."""


class Tearing:
    """How long the edges of an armature's skin become, as its bones are posed, by their weights alone."""

    def __init__(self, armature: bpy.types.Object, skin: Skin) -> None:
        self._armature, self._skin = armature, skin
        self._rests = rests_of(armature, skin)
        self._longest = np.zeros(len(skin.edges))

    def look(self, _frame: int, posed: bpy.types.Object) -> None:
        """Keep what is longer than before."""
        lengths = self._skin.edge_lengths(posed_skin(self._skin, posed, self._rests))
        self._longest = np.maximum(self._longest, lengths)

    @property
    def torn(self) -> Torn:
        """Which edges were stretched over STRETCHED times."""
        linear = np.array(self._armature.matrix_world.to_3x3())
        size = metres(bpy.context.scene) * float(np.cbrt(abs(np.linalg.det(linear))))
        return self._skin.torn(self._longest, STRETCHED, size)


def tearing(armature: bpy.types.Object) -> Tearing | None:
    """Return who looks whether an armature's skin is torn; None for one without skin."""
    skin = skin_of(armature)
    return Tearing(armature, skin) if skin is not None and len(skin.edges) else None


def torn_edges(armature: bpy.types.Object, frames: NDArray[np.int_]) -> Torn | None:
    """Return which edges of an armature's skin are stretched over STRETCHED times as scene ``frames`` are looked at.

    None for an armature without skin, and without frames. The scene's current frame is set back afterwards.
    """
    watcher = tearing(armature) if len(frames) else None
    if watcher is None:
        return None
    look_at(armature, frames, [watcher])
    return watcher.torn
