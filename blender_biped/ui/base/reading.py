"""From Blender to plain data: an armature object to an Armature, a curve object to a Path."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import ArrayLike

from ...base.errors import DataError, RigError
from ...base.spatial import Array, quaternion_matrix
from ...character.armature import EVEN_SCALE, STANDS, Armature, Bone
from ...character.model import Character
from ...world.path import Path
from .skins import skin_of

_FLAT = 1e-6  # smallest scale in largest scales
_PLACING = ("COPY_TRANSFORMS", "COPY_LOCATION", "CHILD_OF", "ARMATURE")  # constraints that carry a bone along
_LEVEL = 1e-3  # slope that a stretched ground may get


def metres(scene: bpy.types.Scene) -> float:
    """Return the metres of one Blender unit."""
    return float(scene.unit_settings.scale_length)


def frame_rate(scene: bpy.types.Scene) -> float:
    """Return frames a second."""
    return float(scene.render.fps / scene.render.fps_base)


def stretch_of(armature: bpy.types.Object) -> Array:
    """Return how an object that is scaled unevenly, sheared or mirrored deforms what it carries (3, 3), in the world.

    Its matrix is the stretch times an evenly scaled one. The walk is simulated without the stretch, which keeps the
    ground level and the volume, and is shown with it, as everything else that the object carries.
    Raises RigError for an object without size, and for one whose stretch tilts the ground.
    """
    linear = np.array(armature.matrix_world.to_3x3(), dtype=float)
    if not np.isfinite(linear).all():
        raise RigError(f"Armature {armature.name!r}: its object transform is not a finite number; correct it.")
    left, sizes, _ = np.linalg.svd(linear)
    if sizes.min() <= _FLAT * sizes.max():
        raise RigError(flat_text(armature))
    if sizes.max() <= sizes.min() * (1.0 + EVEN_SCALE):
        stretch = np.eye(3)
    else:
        stretch = left @ np.diag(sizes / np.cbrt(np.prod(sizes))) @ left.T
    if np.abs(stretch[:2, 2]).max() > _LEVEL * stretch[2, 2]:
        raise RigError(
            f"Armature {armature.name!r} is scaled unevenly along axes that are not level, so its ground would be a "
            "slope: apply its rotation and scale in Object mode (Ctrl A, Rotation & Scale), its parent's first."
        )
    if np.linalg.det(linear) < 0.0:  # always across the same plane, however the object turns
        stretch[:, 0] *= -1.0
    return np.asarray(stretch, dtype=np.float64)


def flat_text(armature: bpy.types.Object) -> str:
    """Return what is wrong with an armature object without size, and what to do."""
    return f"Armature {armature.name!r} has a scale of zero: set it to 1 in Object mode."


def unstretched(stretch: Array) -> Array:
    """Return the matrix (4, 4) that takes the world to where the walk is simulated."""
    matrix = np.eye(4)
    matrix[:3, :3] = np.linalg.inv(stretch)
    return matrix


def read_armature(armature: bpy.types.Object, unit: float) -> Armature:
    """Return an armature object in its rest pose, in the world without its object's stretch, with its skin.

    unit: metres of one Blender unit. Raises RigError when it is being edited or its numbers are unusable.
    """
    if armature.mode == "EDIT":
        raise RigError(f"Armature {armature.name!r} is in Edit mode; leave it (Tab) first.")
    bones = list(armature.data.bones)
    places = {bone.name: i for i, bone in enumerate(bones)}
    return Armature(
        name=armature.name,
        bones=tuple(
            Bone(
                name=bone.name,
                parent=places[bone.parent.name] if bone.parent else -1,
                head=np.array(bone.head_local, dtype=float),
                tail=np.array(bone.tail_local, dtype=float),
                matrix=np.array(bone.matrix_local.to_3x3(), dtype=float),
                deform=bone.use_deform,
                follows=_followed(armature, bone.name),
            )
            for bone in bones
        ),
        world=np.diag((unit, unit, unit, 1.0))
        @ unstretched(stretch_of(armature))
        @ np.array(armature.matrix_world, dtype=float),
        skin=skin_of(armature),
    )


def _followed(armature: bpy.types.Object, name: str) -> tuple[str, ...]:
    """Return the bones of the same armature whose place a bone's constraints give it."""
    bone = armature.pose.bones.get(name)
    found: list[str] = []
    for constraint in bone.constraints if bone else ():
        if constraint.type not in _PLACING or constraint.mute or constraint.influence <= 0.0:
            continue
        targets = constraint.targets if constraint.type == "ARMATURE" else (constraint,)
        for target in targets:
            if getattr(target, "target", None) == armature:
                found.append(getattr(target, "subtarget", ""))
    return tuple(filter(None, found))


def sole_height(armature: Armature, character: Character) -> float:
    """Return the height of the lowest sole of the rig in its rest pose, world, m.

    Where that pose lies or hangs, its soles say nothing: then it is the height of the object's origin.
    """
    turn = armature.world[:3, :3] / armature.scale
    lowest = []
    heads = _rest_heads(armature, character)
    for i in character.soles:
        if turn[2] @ quaternion_matrix(character.links[i].rest)[:, 2] < STANDS:  # a foot's rest keeps the body's up
            return float(armature.world[2, 3])
        link, head = character.links[i], heads[i]
        start = armature.world[2, :3] @ head + armature.world[2, 3]
        lowest.append(float(start + link.shape.lowest(turn[2] @ quaternion_matrix(link.rest))))
    return min(lowest)


def _rest_heads(armature: Armature, character: Character) -> list[Array]:
    """Return where each link begins in the rest pose (3,), armature space; links without bones go with their parent."""
    heads: list[Array] = []
    for link in character.links:
        if link.bones:
            heads.append(armature.bones[armature.index[link.bones[0]]].head)
        else:
            above = character.links[link.parent]
            away = quaternion_matrix(above.rest) @ np.array(link.offset) / armature.scale
            heads.append(heads[link.parent] + away)
    return heads


def standing_place(armature: Armature, character: Character) -> tuple[Array, float]:
    """Return where the rig stands in its rest pose: the mid-hip's place (2,), world, m, and its heading, rad."""
    hips = character.links[0]
    axes = armature.world[:3, :3] / armature.scale @ quaternion_matrix(hips.rest)
    head = armature.world[:3, :3] @ armature.bones[armature.index[hips.bones[0]]].head + armature.world[:3, 3]
    middle = head - axes @ character.hip_bone_offset
    return middle[:2], float(np.arctan2(axes[1, 0], axes[0, 0]))


@dataclass(frozen=True)
class Chain:
    """One spline as a polyline: points (N, 3), m, world."""

    points: Array
    closed: bool

    @property
    def length(self) -> float:
        """Length on the ground, m; not a number when a point is none."""
        ring = np.concatenate((self.points, self.points[:1])) if self.closed else self.points
        return float(np.linalg.norm(np.diff(ring[:, :2], axis=0), axis=1).sum())


def read_path(
    curve: bpy.types.Object, depsgraph: bpy.types.Depsgraph, unit: float, reverse: bool = False, laps: int = 1
) -> tuple[Path, list[str]]:
    """Return the path on the ground of a curve object, and notes for the user.

    The curve is taken as it is shown: any spline type, with its modifiers and transform, without its
    thickness. Of several splines the longest one is the path. reverse: from its last point to its first.
    unit: metres of one Blender unit. laps: how often a closed one is walked round.
    Raises DataError when it has no points, one that is not a finite number, or is too short.
    """
    chain, notes = _longest(curve, depsgraph, unit, reverse)
    return Path(chain.points, chain.closed, laps), notes


@dataclass(frozen=True)
class ScenePath:
    """A path where its curve is in the scene. path: in m. arcs (N,), heights (N,): of one lap's points, m.

    unit: metres of one Blender unit.
    """

    path: Path
    arcs: Array
    heights: Array
    unit: float

    def places(self, arcs: ArrayLike) -> Array:
        """Return the places (K, 3) on the curve at arc lengths (K,), m, of all laps, in Blender units."""
        s = np.asarray(arcs, dtype=float)
        lap = self.path.length / self.path.laps
        inside = np.where(s >= self.path.length, lap, np.mod(s, lap))
        heights = np.interp(inside, self.arcs, self.heights)
        return np.column_stack((self.path.position(s), heights)) / self.unit


def read_way(
    curve: bpy.types.Object, depsgraph: bpy.types.Depsgraph, unit: float, reverse: bool = False, laps: int = 1
) -> ScenePath:
    """Return the path of a curve object where the curve is. Arguments and errors as of ``read_path``."""
    chain, _ = _longest(curve, depsgraph, unit, reverse)
    points = np.concatenate((chain.points, chain.points[:1])) if chain.closed else chain.points
    arcs = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(points[:, :2], axis=0), axis=1))))
    return ScenePath(Path(chain.points, chain.closed, laps), arcs, points[:, 2], unit)


def curve_points(curve: bpy.types.Object, depsgraph: bpy.types.Depsgraph, unit: float) -> Array:
    """Return the points (N, 3), m, of the spline of a curve object that is the path. Errors as of ``read_path``."""
    return _longest(curve, depsgraph, unit, False)[0].points


def _longest(
    curve: bpy.types.Object, depsgraph: bpy.types.Depsgraph, unit: float, reverse: bool
) -> tuple[Chain, list[str]]:
    """Return the spline that is the path, as it is walked, and notes for the user. Raises DataError."""
    chains = _chains(curve, depsgraph, unit)
    if not chains:
        raise DataError(f"The curve {curve.name!r} has no points: draw a path in Edit mode.")
    lengths = np.array([chain.length for chain in chains])
    longest = chains[int(lengths.argmax())]  # argmax takes NaN for the largest: Path refuses it by name
    notes = []
    if len(chains) > 1:
        notes.append(f"The curve has {len(chains)} splines: the longest one, {lengths.max():.1f} m, is the path.")
    return (Chain(longest.points[::-1], longest.closed) if reverse else longest), notes


def shown_length(curve: bpy.types.Object, depsgraph: bpy.types.Depsgraph, unit: float) -> float | None:
    """Return the length on the ground, m, of one lap of a curve as it is shown now; None where it is not shown.

    Cheap, and changes nothing: for panels. unit: metres of one Blender unit.
    """
    evaluated = curve.evaluated_get(depsgraph)
    chains = _mesh_chains(evaluated, depsgraph, unit) if evaluated.is_evaluated else None
    return max(chain.length for chain in chains) if chains else None


def _chains(curve: bpy.types.Object, depsgraph: bpy.types.Depsgraph, unit: float) -> list[Chain]:
    """Return the splines of a curve object, evaluated."""
    shown = curve.evaluated_get(depsgraph)
    if shown.is_evaluated:
        chains = _mesh_chains(shown, depsgraph, unit)
        if chains:
            return chains
    # A hidden curve is not evaluated, or is empty if it was before it was hidden, and a thick or filled one is a
    # surface: evaluate a thin, visible twin.
    if curve.mode == "EDIT":
        curve.update_from_editmode()  # for that only: Blender takes it for a change of the curve
    for modified in (True, False):
        with _thin_twin(curve, modified) as twin:
            now = bpy.context.evaluated_depsgraph_get()
            chains = _mesh_chains(twin.evaluated_get(now), now, unit)
        if chains is not None:
            return chains
    raise DataError(f"The curve {curve.name!r} is a surface: choose one that is a line.")


@contextmanager
def _thin_twin(curve: bpy.types.Object, modified: bool) -> Iterator[bpy.types.Object]:
    """Give a visible copy of a curve object that has no thickness, with or without its modifiers."""
    data, twin = curve.data.copy(), curve.copy()
    try:
        data.bevel_depth = data.extrude = data.offset = 0.0
        data.bevel_object = None
        data.bevel_mode = "ROUND"
        data.fill_mode = "NONE" if data.dimensions == "2D" else data.fill_mode
        twin.data = data
        twin.hide_viewport = False
        if not modified:
            twin.modifiers.clear()
        bpy.context.scene.collection.objects.link(twin)
        bpy.context.view_layer.update()
        yield twin
    finally:
        bpy.data.objects.remove(twin)
        bpy.data.curves.remove(data)


def _mesh_chains(evaluated: bpy.types.Object, depsgraph: bpy.types.Depsgraph, unit: float) -> list[Chain] | None:
    """Return the polylines of an evaluated curve object in order; None when it is a surface."""
    try:
        mesh = evaluated.to_mesh(preserve_all_data_layers=False, depsgraph=depsgraph)
    except RuntimeError:  # no geometry at all
        return []
    if mesh is None:
        return []
    try:
        if len(mesh.polygons):
            return None
        points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", points)
        edges = np.empty(2 * len(mesh.edges), dtype=np.int32)
        mesh.edges.foreach_get("vertices", edges)
    finally:
        evaluated.to_mesh_clear()
    world = np.array(evaluated.matrix_world, dtype=float)
    placed = unit * (points.reshape(-1, 3).astype(float) @ world[:3, :3].T + world[:3, 3])
    joined = {(int(a), int(b)) for a, b in np.sort(edges.reshape(-1, 2), axis=1)}
    breaks = [i for i in range(1, len(placed)) if (i - 1, i) not in joined]
    starts, ends = [0, *breaks], [*breaks, len(placed)]
    return [
        Chain(placed[a:b], closed=b - a > 2 and (a, b - 1) in joined)
        for a, b in zip(starts, ends, strict=True)
        if b - a > 1
    ]
