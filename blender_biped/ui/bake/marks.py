"""What a bake can lay on the ground: an object with the footprints, as outlines or as decals for pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ...base.errors import DataError
from ...base.spatial import Array
from ...character.model import Character
from ...character.reference import REFERENCE_LEG
from ...motion import gait_events
from ...motion.motion import Motion
from ...world.floor import Floor
from ..base.reading import metres, stretch_of

_ABOVE_GROUND = 0.002  # of a leg of REFERENCE_LEG metres: high enough not to flicker with a floor, too low to be seen
_OUTLINES, _DECALS = "Soles", "Decals"  # names of UV maps
_ROWS, _COLUMNS = 5, 3  # of points of a decal, along the foot and across
_GRID = np.array([(i / (_ROWS - 1), k / (_COLUMNS - 1)) for i in range(_ROWS) for k in range(_COLUMNS)])
_GRID_FACES = [
    [at, at + _COLUMNS, at + _COLUMNS + 1, at + 1]
    for at in (i * _COLUMNS + k for i in range(_ROWS - 1) for k in range(_COLUMNS - 1))
]
_SIDES = (("Left", (0.85, 0.36, 0.20, 1.0)), ("Right", (0.20, 0.45, 0.75, 1.0)))  # material, viewport colour


@dataclass(frozen=True)
class _Print:
    """One print.

    points (N, 2): m, world. faces: their points' places. uv (N, 2): across the sole from its inner side on, and from
    heel to toes, 0 to 1 each: one picture fits both feet. side: 0 left, 1 right.
    """

    points: Array
    faces: list[list[int]]
    uv: Array
    side: int


def lay_footprints(armature: bpy.types.Object, motion: Motion, floor: Floor, decals: bool = False) -> bpy.types.Object:
    """Lay the footprints of a motion on the ground, and return the object that has them.

    They are stretched as the armature's object stretches the walk. decals: lay rectangles around the soles that are
    rendered, and follow the ground, in place of the soles' outlines.
    It is the character's own from an earlier bake, or a new one beside the armature. Raises DataError when it is
    being edited.
    """
    scene = bpy.context.scene
    laid = _own_footprints(armature)
    if laid is not None and laid.mode == "EDIT":
        raise DataError(f"{laid.name!r} is in Edit mode: leave it (Tab) and bake again for new footprints.")
    if laid is None:
        laid = _new_footprints(armature)
    armature.biped.footprints = laid
    if laid not in scene.objects.values():  # new, or deleted by the user
        beside(armature, scene).objects.link(laid)
    above = _ABOVE_GROUND * motion.character.leg_length / REFERENCE_LEG
    prints = [_print_of(motion.character, mark, decals) for mark in gait_events.footprints(motion)]
    laid_out = [np.column_stack((own.points, floor.heights(own.points) + above)) for own in prints]
    if decals != (_DECALS in laid.data.uv_layers):
        laid.hide_render = not decals
    _fill(laid.data, laid_out, prints, stretch_of(armature) / metres(scene), decals)
    laid.matrix_world = Matrix.Identity(4)
    return laid


def _own_footprints(armature: bpy.types.Object) -> Any:
    """Return the footprints of an earlier bake, None where there are none that may be replaced."""
    # A library override forgets the pointer when its file is opened again.
    kept = armature.biped.footprints or bpy.data.objects.get(_name(armature))
    if kept is None or not kept.biped.is_footprints or kept.library or kept.data.library:
        return None
    # A copy of an armature points to the footprints of the one that it was copied from.
    shared = any(o.biped.footprints == kept for o in bpy.data.objects if o != armature)
    return None if shared and kept.name != _name(armature) else kept


def _new_footprints(armature: bpy.types.Object) -> bpy.types.Object:
    """Return a new, empty footprints object of a character, not yet in a collection."""
    name = _name(armature)
    mesh = bpy.data.meshes.new(name)
    for side, color in _SIDES:
        material = bpy.data.materials.new(f"{name} {side}")
        material.diffuse_color = color
        mesh.materials.append(material)
    made = bpy.data.objects.new(name, mesh)
    made.hide_render = made.biped.is_footprints = True
    return made


def _name(armature: bpy.types.Object) -> str:
    return f"{armature.name} Footprints"


def beside(armature: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Collection:
    """Return the armature's collection in the scene, or the scene's own where that one belongs to a library."""
    inside = {scene.collection, *scene.collection.children_recursive}
    fit = (c for c in armature.users_collection if c in inside and not c.library and not c.override_library)
    return next(fit, scene.collection)


def _print_of(body: Character, mark: gait_events.Footprint, decals: bool) -> _Print:
    """Return a print as its outline, or as the rectangle around that."""
    outline = gait_events.sole_outline(body, mark)
    c, s = np.cos(mark.heading), np.sin(mark.heading)
    turn = np.array([[c, -s], [s, c]])  # from along and across the foot to the world
    own = (outline - mark.place) @ turn
    low, size = own.min(axis=0), np.ptp(own, axis=0)
    share = _GRID if decals else (own - low) / size
    inner = share[:, 1] if mark.side == 1 else 1.0 - share[:, 1]  # the inner side of a right foot is its left one
    uv = np.column_stack((1.0 - inner, share[:, 0]))
    if not decals:
        return _Print(outline, [list(range(len(outline)))], uv, mark.side)
    return _Print((low + share * size) @ turn.T + mark.place, _GRID_FACES, uv, mark.side)


def _fill(mesh: bpy.types.Mesh, points: list[Any], prints: list[_Print], units: Array, decals: bool) -> None:
    """Put prints at their points (N, 3), m, in place of what a mesh has; materials by side.

    units (3, 3): takes metres to Blender units.
    """
    firsts = np.cumsum([0, *(len(own) for own in points)]).tolist()
    faces = [[first + i for i in face] for first, own in zip(firsts, prints, strict=False) for face in own.faces]
    mesh.clear_geometry()
    while mesh.uv_layers:
        mesh.uv_layers.remove(mesh.uv_layers[0])
    mesh.from_pydata(np.concatenate([own @ units.T for own in points]).tolist() if points else [], [], faces)
    mesh.polygons.foreach_set("material_index", [own.side for own in prints for _ in own.faces])
    layer = mesh.uv_layers.new(name=_DECALS if decals else _OUTLINES)
    if faces:
        uv = np.concatenate([own.uv for own in prints])
        layer.data.foreach_set("uv", uv[np.concatenate(faces)].astype(np.float32).ravel())
    mesh.update()
