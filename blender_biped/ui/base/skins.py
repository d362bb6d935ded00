"""From Blender to plain data: the skin of an armature, of all meshes that it deforms or carries on a bone."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable

import bpy
import numpy as np

from ...base.spatial import Array
from ...character.skin import Numbers, Skin, skin_from

MOST_VERTICES = 50_000  # vertices of which weights are read: Blender hands them out one by one
_read: dict[int, tuple[Hashable, Skin | None]] = {}  # by the armature's session_uid: with what it was read from


def skin_of(armature: bpy.types.Object) -> Skin | None:
    """Return the skin of an armature in rest, None where it has none.

    It is read anew where a mesh has got other points; changed weights are seen after ``forget_skins``.
    """
    meshes = _meshes(armature)
    state = _state(armature, meshes)
    known = _read.get(armature.session_uid)
    if known is None or known[0] != state:
        known = _read[armature.session_uid] = (state, _skin(armature, meshes))
    return known[1]


def forget_skins() -> None:
    """Have all skins be read anew."""
    _read.clear()


def skin_state(armature: bpy.types.Object) -> Hashable:
    """Return what changes with a skin, as far as it is known without looking at its points: for panels."""
    return tuple((thing.data.session_uid, len(thing.data.vertices)) for thing in _meshes(armature))


def follows(thing: bpy.types.Object, armature: bpy.types.Object) -> bool:
    """Return whether an armature deforms an object, or carries it with one of its bones."""
    if thing.parent == armature and thing.parent_type in ("ARMATURE", "BONE"):
        # What hangs on a bone in a collection of shapes for bones is no part of the body.
        return not any(bone.custom_shape == thing for bone in armature.pose.bones)
    return any(m.type == "ARMATURE" and m.object == armature for m in thing.modifiers)


def _meshes(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the meshes that are an armature's skin: those that are shown, all where none is."""
    objects = [thing for thing in bpy.context.view_layer.objects if thing is not None and thing.type == "MESH"]
    found = [thing for thing in objects if not _is_footprints(thing) and follows(thing, armature)]
    found = [thing for thing in found if np.isfinite(np.array(thing.matrix_world, dtype=float)).all()]
    return [thing for thing in found if thing.visible_get()] or found


def _state(armature: bpy.types.Object, meshes: list[bpy.types.Object]) -> Hashable:
    digest = hashlib.blake2b(digest_size=16)
    for thing in meshes:
        points = np.empty(3 * len(thing.data.vertices), dtype=np.float32)
        thing.data.vertices.foreach_get("co", points)
        names = "\0".join((thing.name, thing.parent_bone, str(_is_half(thing)), *thing.vertex_groups.keys()))
        world = np.array(thing.matrix_world, dtype=float)
        digest.update(b"".join((points.tobytes(), world.tobytes(), names.encode("utf-8", "surrogatepass"))))
    deforming = [bone.name for bone in armature.data.bones if bone.use_deform]
    digest.update("\0".join(deforming).encode("utf-8", "surrogatepass"))
    return digest.hexdigest(), tuple(v for row in armature.matrix_world for v in row)


def _skin(armature: bpy.types.Object, meshes: list[bpy.types.Object]) -> Skin | None:
    deforming = {bone.name for bone in armature.data.bones if bone.use_deform}
    world = np.array(armature.matrix_world, dtype=float)
    if not meshes or not np.isfinite(world).all():
        return None
    own = np.linalg.pinv(world)
    place: dict[str, int] = {}
    points: list[Array] = []
    edges: list[Numbers] = []
    rows: list[tuple[int, int, float]] = []
    count = 0
    every = max(1, -(-sum(len(thing.data.vertices) for thing in meshes) // MOST_VERTICES))
    for thing in meshes:
        mesh = thing.data
        flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", flat)
        pairs = np.empty(2 * len(mesh.edges), dtype=np.int32)
        mesh.edges.foreach_get("vertices", pairs)
        matrix = _unposed(thing, armature) @ own @ np.array(thing.matrix_world, dtype=float)
        kept, joined = _some(pairs.reshape(-1, 2).astype(int), len(mesh.vertices), every)
        for mirrored in (False, True) if _is_half(thing) else (False,):
            local = flat.reshape(-1, 3)[kept] * ((-1.0 if mirrored else 1.0), 1.0, 1.0)
            points.append(local @ matrix[:3, :3].T + matrix[:3, 3])
            edges.append(joined + count)
            rows += _weights(thing, armature, deforming, place, count, kept.tolist(), mirrored)
            count += len(kept)
    if not rows:
        return None
    vertices, bones, weights = (np.array(column) for column in zip(*rows, strict=True))
    return skin_from(np.concatenate(points), np.concatenate(edges), tuple(place), vertices, bones, weights, every)


def _some(edges: Numbers, count: int, every: int) -> tuple[Numbers, Numbers]:
    """Return the vertices (K,) that are read, and edges (E, 2) between them: all, or one edge of so many and its ends.

    edges (N, 2): of ``count`` vertices.
    """
    if every == 1:
        return np.arange(count), edges
    kept, joined = np.unique(edges[::every], return_inverse=True)
    return kept, joined.reshape(-1, 2)


def _is_half(thing: bpy.types.Object) -> bool:
    """Return whether a Mirror modifier makes the other half of a mesh, across its own middle."""
    return any(
        m.type == "MIRROR" and m.show_viewport and m.use_axis[0] and m.mirror_object is None for m in thing.modifiers
    )


def _unposed(thing: bpy.types.Object, armature: bpy.types.Object) -> Array:
    """Return what brings an object that hangs on a bone from the bone's pose to its rest (4, 4), armature space."""
    bone = armature.pose.bones.get(thing.parent_bone) if thing.parent == armature else None
    pose = np.array(bone.matrix, dtype=float) if bone else np.eye(4)
    if bone is None or thing.parent_type != "BONE" or not np.isfinite(pose).all():
        return np.eye(4)
    return np.matmul(np.array(bone.bone.matrix_local, dtype=float), np.linalg.pinv(pose))


def _weights(
    thing: bpy.types.Object,
    armature: bpy.types.Object,
    deforming: set[str],
    place: dict[str, int],
    first: int,
    kept: list[int],
    mirrored: bool,
) -> list[tuple[int, int, float]]:
    """Return vertex, bone and weight of points of a mesh that bones carry; new bones get a place.

    kept: the vertices that are read; the first of them is number ``first``. mirrored: of the mesh's other half, whose
    bones have the names of the other side.
    """
    if thing.parent == armature and thing.parent_type == "BONE":
        if thing.parent_bone not in armature.data.bones:
            return []
        bone = place.setdefault(thing.parent_bone, len(place))
        return [(first + i, bone, 1.0) for i in range(len(kept))]
    names = {group.index: group.name for group in thing.vertex_groups}
    if mirrored:
        names = {index: bpy.utils.flip_name(name) for index, name in names.items()}
    bone_of = {index: place.setdefault(name, len(place)) for index, name in names.items() if name in deforming}
    own = thing.data.vertices
    return [
        (first + i, bone_of[element.group], element.weight)
        for i, vertex in enumerate(kept)
        for element in own[vertex].groups
        if element.weight > 0.0 and element.group in bone_of
    ]


def _is_footprints(thing: bpy.types.Object) -> bool:
    kept = getattr(thing, "biped", None)  # there is none before the extension is registered
    return bool(kept and kept.is_footprints)
