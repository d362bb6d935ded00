"""What a bake can add to its keyframes: markers at the foot strikes, and an object with the footprints."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ...base.errors import DataError
from ...base.spatial import Array
from ...character.reference import REFERENCE_LEG
from ...motion import gait_events
from ...motion.motion import Motion
from ...world.floor import Floor
from ..base.reading import frame_rate, metres, stretch_of

_ABOVE_GROUND = 0.002  # of a leg of REFERENCE_LEG metres: high enough not to flicker with a floor, too low to be seen
_SIDES = (("Left", (0.85, 0.36, 0.20, 1.0)), ("Right", (0.20, 0.45, 0.75, 1.0)))  # material, viewport colour


def mark_strikes(action: bpy.types.Action, motion: Motion, start: int) -> None:
    """Give an action a pose marker, "L" or "R", at each foot strike. start: the frame of the motion's begin."""
    rate = frame_rate(bpy.context.scene)
    for time, side in gait_events.strikes(motion):
        action.pose_markers.new(gait_events.SIDES[side]).frame = round(start + time * rate)


def lay_footprints(armature: bpy.types.Object, motion: Motion, floor: Floor) -> bpy.types.Object:
    """Lay the footprints of a motion on the ground, and return the object that has them.

    They are stretched as the armature's object stretches the walk.
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
        _collection(armature, scene).objects.link(laid)
    prints = gait_events.footprints(motion)
    outlines = [gait_events.sole_outline(motion.character, mark) for mark in prints]
    above = _ABOVE_GROUND * motion.character.leg_length / REFERENCE_LEG
    laid_out = [np.column_stack((outline, floor.heights(outline) + above)) for outline in outlines]
    _fill(laid.data, laid_out, [mark.side for mark in prints], stretch_of(armature) / metres(scene))
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


def _collection(armature: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Collection:
    """Return the armature's collection in the scene, or the scene's own where that one belongs to a library."""
    inside = {scene.collection, *scene.collection.children_recursive}
    fit = (c for c in armature.users_collection if c in inside and not c.library and not c.override_library)
    return next(fit, scene.collection)


def _fill(mesh: bpy.types.Mesh, outlines: list[Any], sides: list[int], units: Array) -> None:
    """Put one face for each outline (N, 3), m, in place of what a mesh has; materials by side.

    units (3, 3): takes metres to Blender units.
    """
    points = [outline @ units.T for outline in outlines]
    ends = np.cumsum([0, *(len(o) for o in outlines)]).tolist()
    faces = [list(range(a, b)) for a, b in pairwise(ends)]
    mesh.clear_geometry()
    mesh.from_pydata(np.concatenate(points).tolist() if points else [], [], faces)
    mesh.polygons.foreach_set("material_index", sides)
    mesh.update()
