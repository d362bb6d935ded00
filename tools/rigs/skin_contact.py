# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands in the body's skin, legs in each other's and skin under the ground, while a baked walk plays. Needs bpy.

On the meshes as Blender shows them, all modifiers included, at some frames. A point belongs to the link that carries
most of it. Thighs in each other do not count: those of people who walk press each other. Nor does what hands hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from blender_biped.base.spatial import Array
from blender_biped.character.model import SIDES, Character
from blender_biped.motion import measures
from blender_biped.ui.base.frames import frame_kept, show_frame
from blender_biped.ui.base.reading import metres, read_armature, stretch_of
from blender_biped.ui.base.skins import follows
from tools.rigs.inside import any_inside, some

_LOOKS = 150  # frames that are looked at, at most: enough for one of them to be less than a hundredth
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


@dataclass(frozen=True)
class _Look:
    """One frame. hands, legs: whether they are in skin. low: height of the lowest point, m; None without points."""

    hands: bool
    legs: bool
    low: float | None


def contact_figures(
    armature: bpy.types.Object, body: Character, frames: Sequence[int], ground: float
) -> dict[str, float | None]:
    """Return what the skin touches at some of the scene's frames, as figures: None where there is no such skin.

    ``hands_in_skin_percent``, ``legs_in_skin_percent``: shares of the frames in which skin of a forearm or hand is
    inside the skin of hips, belly and thighs; and skin of a shin or foot inside that of the other leg.
    ``lowest_skin_mm``: how deep the lowest point of the skin is under ``ground``, m, at worst; ``rest_skin_mm``: in the
    rest pose. Both are for a leg of measures.LEG, and below 0 above the ground.
    The scene's current frame is set back afterwards.
    """
    parts = _parts(armature, body)
    hands = _meeting(parts, body, [f"{part}.{side}" for part in ("forearm", "hand") for side in SIDES], _BODY)
    legs = [
        _meeting(parts, body, [f"{part}.{side}" for part in ("shin", "foot", "toes")],
                 [f"{part}.{other}" for part in ("thigh", "shin", "foot", "toes")])
        for side, other in (SIDES, SIDES[::-1])
    ]  # fmt: skip
    seen: list[_Look] = []
    with frame_kept(bpy.context.scene):
        for frame in frames[:: max(1, -(-len(frames) // _LOOKS))]:
            show_frame(bpy.context.scene, float(frame))
            places = [_places(part.thing) for part in parts]
            touching = _meets(hands, parts, places), any(_meets(leg, parts, places) for leg in legs)
            seen.append(_Look(*touching, _lowest(armature, parts, places)))
    with _in_rest(armature):
        rest = _lowest(armature, parts, [_places(part.thing) for part in parts])
    size = 1000.0 * measures.LEG / body.leg_length
    lows = [look.low for look in seen if look.low is not None]
    return {
        "hands_in_skin_percent": _percent([look.hands for look in seen]) if _is_there(hands) else None,
        "legs_in_skin_percent": _percent([look.legs for look in seen]) if all(map(_is_there, legs)) else None,
        "lowest_skin_mm": size * (ground - min(lows)) if lows else None,
        "rest_skin_mm": size * (ground - rest) if rest is not None else None,
    }


def _percent(those: Sequence[bool]) -> float | None:
    return 100.0 * sum(those) / len(those) if those else None


@contextmanager
def _in_rest(armature: bpy.types.Object) -> Iterator[None]:
    """Show an armature in its rest pose."""
    before = armature.data.pose_position
    armature.data.pose_position = "REST"
    bpy.context.view_layer.update()
    try:
        yield
    finally:
        armature.data.pose_position = before
        bpy.context.view_layer.update()


def _lowest(armature: bpy.types.Object, parts: Sequence[_Part], places: Sequence[Array | None]) -> float | None:
    """Return how high the lowest point of the body's skin is, m, without the object's stretch; None without points."""
    unit = metres(bpy.context.scene) / stretch_of(armature)[2, 2]
    skins = [own for part, own in zip(parts, places, strict=True) if own is not None and (part.roles >= 0).any()]
    return min((unit * float(own[:, 2].min()) for own in skins), default=None)


def _parts(armature: bpy.types.Object, body: Character) -> list[_Part]:
    """Return the meshes of an armature that are shown, or all where none is."""
    bpy.context.view_layer.update()
    found = [thing for thing in bpy.context.view_layer.objects if thing.type == "MESH" and follows(thing, armature)]
    found = [thing for thing in found if thing.visible_get()] or found
    link_of = _links_of(armature, body)
    return _without_held([part for thing in found if (part := _part(thing, armature, link_of)) is not None], body)


def _without_held(parts: Sequence[_Part], body: Character) -> list[_Part]:
    """Return the meshes without links for what hands hold: whole things on a hand that has a skin besides."""
    hands = [body.index(role) for role in ("hand.L", "hand.R") if body.has(role)]
    skins = {link for part in parts if not _is_whole(part.thing) for link in hands if link in part.roles}
    return [
        replace(part, roles=np.full_like(part.roles, -1)) if _is_whole(part.thing) and part.roles[0] in skins else part
        for part in parts
    ]


def _is_whole(thing: Any) -> bool:
    """Return whether one bone carries all of a mesh."""
    return bool(thing.parent_type == "BONE")


def _links_of(armature: bpy.types.Object, body: Character) -> dict[str, int]:
    """Return the link of each bone: its own, or that of a bone that it follows or hangs on; -1 for none."""
    rig = read_armature(armature, metres(bpy.context.scene))
    found = {bone: i for i, link in enumerate(body.links) for bone in link.bones}

    def link_of(name: str, seen: frozenset[str]) -> int:
        if name not in found and name in rig.index and name not in seen:
            bone = rig.bones[rig.index[name]]
            above = (*bone.follows, *((rig.bones[bone.parent].name,) if bone.parent >= 0 else ()))
            links = (link_of(other, seen | {name}) for other in above)
            found[name] = next((link for link in links if link >= 0), -1)
        return found.get(name, -1)

    return {bone.name: link_of(bone.name, frozenset()) for bone in rig.bones}


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
