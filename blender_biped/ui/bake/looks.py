"""Looks at a baked walk as it plays: some of its frames, each shown once for all who want to see them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import bpy
import numpy as np
from numpy.typing import NDArray

from ...base.spatial import Array
from ...character.skin import Skin
from ..base.frames import frame_kept, show_frame
from ..base.hidden import evaluated

_EVERY = 10  # frames between two looks
_MOST = 100  # looks at a walk: a longer one is looked at less often


class Watcher(Protocol):
    """Who wants to see an armature at some frames."""

    def look(self, frame: int, posed: bpy.types.Object) -> None:
        """Look at the evaluated armature at a frame."""


def look_at(armature: bpy.types.Object, frames: NDArray[np.int_], watchers: Sequence[Watcher]) -> None:
    """Show any tenth of scene ``frames``, a hundred at most; the scene's current frame is set back afterwards."""
    scene = bpy.context.scene
    with evaluated(armature), frame_kept(scene):
        for frame in frames[:: max(_EVERY, -(-len(frames) // _MOST))] if watchers else ():
            show_frame(scene, float(frame))
            posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
            for watcher in watchers:
                watcher.look(int(frame), posed)


def rests_of(armature: bpy.types.Object, skin: Skin) -> dict[str, Array]:
    """Return what brings each bone that carries a skin from its rest to the armature's origin (4, 4), by its name."""
    return {name: np.linalg.inv(np.array(armature.data.bones[name].matrix_local, dtype=float)) for name in skin.names}


def posed_skin(skin: Skin, posed: bpy.types.Object, rests: dict[str, Array]) -> Array:
    """Return the points (V, 3) of a skin as bones are posed, by their weights alone, armature space."""
    bones = posed.pose.bones
    return skin.posed({name: np.matmul(np.array(bones[name].matrix), rest) for name, rest in rests.items()})
