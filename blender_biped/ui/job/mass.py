"""What a character weighs: by its size, as typed, or by the volume of its meshes."""

from __future__ import annotations

import hashlib

import bpy  # isort: skip (as a module, Blender has no bmesh before it)
import bmesh  # isort: skip
import numpy as np

from ...base.errors import DataError
from ..base.skins import follows

_WELD = 1e-4  # of a mesh's size: points that an exporter has split along its seams
_FLAT = 1e-4  # thickness of a mesh over its size, below which it is a sheet


def chosen_mass(armature: bpy.types.Object, unit: float) -> float | None:
    """Return the mass, kg, as the Body panel sets it; None for what is usual for the body's size.

    unit: metres of one Blender unit. Raises DataError when the meshes have no volume.
    """
    settings = armature.biped
    if settings.mass_from == "MESH":
        return settings.density * mesh_volume(armature, unit)
    return settings.mass_kg or None if settings.mass_from == "TYPED" else None


def mesh_volume(armature: bpy.types.Object, unit: float) -> float:
    """Return the volume, m3, of the visible meshes that an armature deforms, in their rest shape.

    Raises DataError when there is none, or one of them is open or flat.
    """
    meshes = deformed_meshes(armature)
    if not meshes:
        raise DataError(
            f"{armature.name!r} deforms no visible mesh that could be measured: show its meshes, or choose another "
            "Mass From."
        )
    return unit**3 * sum(_volume(thing) for thing in meshes)


def deformed_meshes(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the visible mesh objects that an armature deforms, or carries with one of its bones."""
    return [
        thing
        for thing in bpy.context.view_layer.objects
        if thing.type == "MESH" and not thing.biped.is_footprints and follows(thing, armature) and thing.visible_get()
    ]


def mesh_state(armature: bpy.types.Object) -> str:
    """Return a text that changes whenever the volume of the meshes of an armature may."""
    digest = hashlib.blake2b(digest_size=16)
    for thing in deformed_meshes(armature):
        points = np.empty(3 * len(thing.data.vertices), dtype=np.float32)
        thing.data.vertices.foreach_get("co", points)
        loops = np.empty(len(thing.data.loops), dtype=np.int32)
        thing.data.loops.foreach_get("vertex_index", loops)
        world = np.array(thing.matrix_world, dtype=float)
        digest.update(
            b"".join((thing.name.encode("utf-8", "surrogatepass"), points.tobytes(), loops.tobytes(), world.tobytes()))
        )
    return digest.hexdigest()


def _volume(thing: bpy.types.Object) -> float:
    """Return the volume of a closed mesh, in cubic Blender units. Raises DataError when it is open or flat."""
    mesh = bmesh.new()
    try:
        mesh.from_mesh(thing.data)
        mesh.transform(thing.matrix_world)
        points = np.array([v.co for v in mesh.verts]).reshape(-1, 3)
        if not np.isfinite(points).all():
            raise DataError(f"The mesh {thing.name!r} has a point that is not a finite number: delete it.")
        spread = points - points.mean(axis=0) if len(points) else np.zeros((1, 3))
        sizes = np.sqrt(np.linalg.eigvalsh(spread.T @ spread / len(spread)).clip(0.0))  # thinnest first
        if sizes[0] <= _FLAT * sizes[-1]:
            raise DataError(
                f"The mesh {thing.name!r} has no volume: hide it to leave it out, or choose another Mass From."
            )
        bmesh.ops.remove_doubles(mesh, verts=mesh.verts, dist=_WELD * sizes[-1])
        open_edges = sum(len(edge.link_faces) not in (0, 2) for edge in mesh.edges)
        if open_edges or not mesh.faces:
            raise DataError(
                f"The mesh {thing.name!r} is not closed ({open_edges} open or branching edges), so it has no volume: "
                "close it (in Edit mode, Mesh > Clean Up > Fill Holes), hide it to leave it out, or choose another "
                "Mass From."
            )
        bmesh.ops.recalc_face_normals(mesh, faces=mesh.faces)
        return float(mesh.calc_volume(signed=False))
    finally:
        mesh.free()
