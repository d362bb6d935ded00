"""Whether the skin holds together while a baked walk plays."""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ...character.skin import Skin, Torn
from ..base.frames import frame_kept, show_frame
from ..base.hidden import evaluated
from ..base.reading import metres
from ..base.skins import skin_of

STRETCHED = 3.0
"""Times its length in rest beyond which an edge of the skin is torn."""

_EVERY = 10  # frames between two looks
_MOST = 100  # looks at a walk: a longer one is looked at less often


def torn_edges(armature: bpy.types.Object, frames: NDArray[np.int_]) -> Torn | None:
    """Return which edges of an armature's skin are stretched over STRETCHED times in any tenth of scene ``frames``.

    As its bones are posed there, by their weights alone; None for an armature without skin. The scene's current frame
    is set back afterwards.
    """
    skin = skin_of(armature)
    if skin is None or not len(skin.edges) or not len(frames):
        return None
    with evaluated(armature):
        return _torn_edges(armature, skin, frames)


def _torn_edges(armature: bpy.types.Object, skin: Skin, frames: NDArray[np.int_]) -> Torn:
    scene = bpy.context.scene
    rests = {name: np.linalg.inv(np.array(armature.data.bones[name].matrix_local, dtype=float)) for name in skin.names}
    longest = np.zeros(len(skin.edges))
    with frame_kept(scene):
        for frame in frames[:: max(_EVERY, -(-len(frames) // _MOST))]:
            show_frame(scene, float(frame))
            posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
            moves = {name: np.matmul(np.array(posed[name].matrix), rest) for name, rest in rests.items()}
            longest = np.maximum(longest, skin.edge_lengths(skin.posed(moves)))
    size = metres(scene) * float(np.cbrt(abs(np.linalg.det(np.array(armature.matrix_world.to_3x3())))))
    return skin.torn(longest, STRETCHED, size)
