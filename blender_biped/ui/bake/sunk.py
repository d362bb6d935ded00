"""Whether tail and head go through the ground while a baked walk plays."""

from __future__ import annotations

from collections.abc import Collection

import bpy
import numpy as np

from ...base.errors import RigError
from ...base.spatial import Array
from ...character.armature import Armature
from ...character.clearance import TOUCHING, Sunk, dangling
from ...character.mapping import RigMap
from ...character.model import Character
from ...character.skin import Skin
from ...world.floor import Floor
from ..base.reading import metres, read_armature, stretch_of, unstretched
from ..job.mapping import mapping
from .looks import posed_skin, rests_of


class _LowPart:
    """One part of the body: its skin as it is posed, or where it has none, the heads of its bones."""

    def __init__(self, armature: bpy.types.Object, names: Collection[str], skin: Skin | None) -> None:
        self._names = sorted(names)
        self._skin = skin.part(names) if skin is not None else None
        self._rests = rests_of(armature, self._skin) if self._skin is not None else {}

    def points(self, posed: bpy.types.Object) -> Array:
        """Return its points (N, 3) now, armature space."""
        if self._skin is not None:
            return posed_skin(self._skin, posed, self._rests)
        return np.array([posed.pose.bones[name].head for name in self._names], dtype=float)


class Sinking:
    """How deep tail and head go into the ground.

    floor: of the walk as it is shown: where it was simulated, without the stretch of the armature's object.
    """

    def __init__(self, armature: bpy.types.Object, rig: Armature, rig_map: RigMap, leg: float, floor: Floor) -> None:
        parts = dangling(rig, rig_map)
        self._parts = {part: _LowPart(armature, names, rig.skin) for part, names in parts.items() if names}
        self._from_world = metres(bpy.context.scene) * unstretched(stretch_of(armature))[:3, :3]
        self._floor, self._least = floor, TOUCHING * leg
        self.sunk: Sunk | None = None

    def look(self, frame: int, posed: bpy.types.Object) -> None:
        """Keep what is deeper than all before."""
        world = np.array(posed.matrix_world, dtype=float)
        for name, part in self._parts.items():
            places = (part.points(posed) @ world[:3, :3].T + world[:3, 3]) @ self._from_world.T
            depth = float((self._floor.heights(places) - places[:, 2]).max())
            if depth > max(self._least, self.sunk.depth if self.sunk else 0.0):
                self.sunk = Sunk(name, depth, frame)


def sinking(armature: bpy.types.Object, character: Character, floor: Floor) -> Sinking | None:
    """Return who looks whether a baked armature's tail and head are in the ground; None where it has no such bones."""
    unit = metres(bpy.context.scene)
    try:
        rig = read_armature(armature, unit)
        return Sinking(armature, rig, mapping(armature, unit), character.leg_length, floor)
    except RigError:  # it is baked already: what it is made of is not to be told any more
        return None
