# SPDX-License-Identifier: GPL-3.0-or-later
"""How often hands are in the body's skin, and legs in each other's, while a baked walk plays. Needs bpy.

On the meshes as Blender shows them, all modifiers included, at some frames. A point belongs to the link that carries
most of it. Thighs in each other do not count: those of people who walk press each other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from blender_biped.base.spatial import Array
from blender_biped.character.model import SIDES, Character
from blender_biped.ui.base.frames import show_frame
from blender_biped.ui.base.skins import follows
from tools.rigs.inside import any_inside, some

_LOOKS = 60  # frames that are looked at, at most
_POINTS = 250  # of a limb's skin that are tried, at most
_BODY = ("pelvis", "abdomen", "thigh.L", "thigh.R")

Places = NDArray[np.int_]


@dataclass(frozen=True)
class _Part:
    """One mesh. roles (V,): places in the list of links, -1 for none. triangles (F, 3): its points."""

    thing: Any
    roles: Places
    triangles: Places


@dataclass(frozen=True)
class _Meeting:
    """Skin that may be inside other skin: points by mesh, and triangles by mesh, each as places in it."""

    points: Mapping[int, Places]
    triangles: Mapping[int, Places]


def contact_figures(armature: bpy.types.Object, body: Character, frames: Sequence[int]) -> dict[str, float | None]:
    """Return ``hands_in_skin_percent`` and ``legs_in_skin_percent``: shares of some of the scene's frames.

    Of those in which skin of a forearm or hand is inside the skin of hips, belly and thighs; and skin of a shin or foot
    inside that of the other leg. None where there is no such skin. The scene's current frame is set back afterwards.
    """
    parts = _parts(armature, body)
    hands = _meeting(parts, body, [f"{part}.{side}" for part in ("forearm", "hand") for side in SIDES], _BODY)
    legs = [
        _meeting(parts, body, [f"{part}.{side}" for part in ("shin", "foot", "toes")],
                 [f"{part}.{other}" for part in ("thigh", "shin", "foot", "toes")])
        for side, other in (SIDES, SIDES[::-1])
    ]  # fmt: skip
    scene = bpy.context.scene
    current, subframe = scene.frame_current, scene.frame_subframe
    looks = frames[:: max(1, -(-len(frames) // _LOOKS))]
    seen: list[tuple[bool, bool]] = []
    try:
        for frame in looks:
            show_frame(scene, float(frame))
            places = [_places(part.thing) for part in parts]
            seen.append((_meets(hands, parts, places), any(_meets(leg, parts, places) for leg in legs)))
    finally:
        scene.frame_set(current, subframe=subframe)
    known = _is_there(hands), all(_is_there(leg) for leg in legs)
    shares = [100.0 * sum(one[k] for one in seen) / len(seen) if seen and known[k] else None for k in (0, 1)]
    return {"hands_in_skin_percent": shares[0], "legs_in_skin_percent": shares[1]}


def _parts(armature: bpy.types.Object, body: Character) -> list[_Part]:
    """Return the meshes of an armature that are shown, or all where none is."""
    bpy.context.view_layer.update()
    found = [thing for thing in bpy.context.view_layer.objects if thing.type == "MESH" and follows(thing, armature)]
    found = [thing for thing in found if thing.visible_get()] or found
    link_of = _links_of(armature, body)
    return [part for thing in found if (part := _part(thing, armature, link_of)) is not None]


def _links_of(armature: bpy.types.Object, body: Character) -> dict[str, int]:
    """Return the link of each bone: its own, or that of the next bone above that has one."""
    own = {bone: i for i, link in enumerate(body.links) for bone in link.bones}
    found = {}
    for bone in armature.data.bones:
        above = (name for name in (bone.name, *(b.name for b in bone.parent_recursive)) if name in own)
        found[bone.name] = own.get(next(above, ""), -1)
    return found


def _part(thing: bpy.types.Object, armature: bpy.types.Object, link_of: Mapping[str, int]) -> _Part | None:
    scene = bpy.context.evaluated_depsgraph_get()
    shown = thing.evaluated_get(scene)
    mesh = shown.to_mesh(preserve_all_data_layers=True, depsgraph=scene)  # with weights
    try:
        if mesh is None or not len(mesh.vertices):
            return None
        mesh.calc_loop_triangles()
        triangles = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
        mesh.loop_triangles.foreach_get("vertices", triangles)
        if thing.parent == armature and thing.parent_type == "BONE":
            roles = np.full(len(mesh.vertices), link_of.get(thing.parent_bone, -1))
        else:
            links = {group.index: link_of[group.name] for group in thing.vertex_groups if group.name in link_of}
            roles = np.array([_carrier(vertex.groups, links) for vertex in mesh.vertices], dtype=int)
        return _Part(thing, roles, triangles.reshape(-1, 3).astype(int))
    finally:
        shown.to_mesh_clear()


def _carrier(groups: Any, links: Mapping[int, int]) -> int:
    """Return the link that carries most of a point, -1 for none. links: by the number of a vertex group."""
    shares: dict[int, float] = {}
    for element in groups:
        link = links.get(element.group, -1)
        shares[link] = shares.get(link, 0.0) + (element.weight if link >= 0 else 0.0)
    return max(shares, key=lambda link: shares[link], default=-1)


def _meeting(parts: Sequence[_Part], body: Character, limb: Collection[str], other: Collection[str]) -> _Meeting:
    """Return the skin of a limb, as some of its points, and of what it may be inside of. Both: roles of links."""
    moving, still = (
        np.array([body.index(role) for role in roles if body.has(role)], dtype=int) for roles in (limb, other)
    )
    points, triangles = {}, {}
    for k, part in enumerate(parts):
        if len(own := np.flatnonzero(np.isin(part.roles, moving))):
            points[k] = some(own, _POINTS)
        if len(part.triangles) and len(own := np.flatnonzero(np.isin(part.roles[part.triangles], still).all(axis=1))):
            triangles[k] = own
    return _Meeting(points, triangles)


def _is_there(one: _Meeting) -> bool:
    return bool(one.points) and bool(one.triangles)


def _meets(one: _Meeting, parts: Sequence[_Part], places: Sequence[Array | None]) -> bool:
    """Return whether any point is inside the skin, as it is now. Each mesh is a surface of its own."""
    for other, faces in one.triangles.items():
        ground = places[other]
        if ground is None or len(ground) != len(parts[other].roles):
            continue
        corners = ground[parts[other].triangles[faces]]
        for k, chosen in one.points.items():
            own = places[k]
            if own is not None and len(own) == len(parts[k].roles) and any_inside(own[chosen], corners):
                return True
    return False


def _places(thing: bpy.types.Object) -> Array | None:
    """Return where a mesh's points are shown (V, 3), world."""
    shown = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = shown.to_mesh()
    try:
        if mesh is None:
            return None
        flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", flat)
        world = np.array(shown.matrix_world, dtype=float)
        return np.asarray(flat.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3])
    finally:
        shown.to_mesh_clear()
