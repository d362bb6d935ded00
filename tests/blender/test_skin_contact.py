"""Hands in thighs and legs in legs are found on the skin that Blender shows, frame by frame."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.base.spatial import Array
from tests.blender.scenes import character_of, make_rig
from tools.rigs.skin_contact import contact_figures

FRAMES = range(1, 11)
_CORNERS = np.array([(x, y, z) for z in (-1.0, 1.0) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
_SIDES: list[tuple[int, ...]] = [(k, (k + 1) % 4, (k + 1) % 4 + 4, k + 4) for k in range(4)]
_ENDS: list[tuple[int, ...]] = [(3, 2, 1, 0), (4, 5, 6, 7)]


def box(middle: Array, half: Any, closed: bool) -> tuple[Array, list[tuple[int, ...]]]:
    """Return corners (8, 3) and faces of a box, open above and below or closed."""
    return np.asarray(middle + _CORNERS * half), _SIDES + (_ENDS if closed else [])


def skin(armature: Any, parts: dict[str, Any], name: str = "Skin") -> Any:
    """Give an armature one mesh: of each bone a box of middle, half and whether it is closed."""
    points: list[Any] = []
    faces: list[tuple[int, ...]] = []
    owners: dict[str, range] = {}
    for bone, (middle, half, closed) in parts.items():
        corners, own = box(np.array(middle), half, closed)
        faces += [tuple(i + len(points) for i in face) for face in own]
        owners[bone] = range(len(points), len(points) + 8)
        points += corners.tolist()
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    for bone, own_points in owners.items():
        thing.vertex_groups.new(name=bone).add(list(own_points), 1.0, "REPLACE")
    thing.modifiers.new("Armature", "ARMATURE").object = armature
    return thing


def middle_of(armature: Any, bone: str) -> Array:
    own = armature.data.bones[bone]
    return 0.5 * (np.array(own.head_local) + np.array(own.tail_local))


def moved(armature: Any, bone: str, way: Array, since: int) -> None:
    """Let a bone be ``way``, m, armature space, from its rest, from a frame on."""
    posed = armature.pose.bones[bone]
    rest = np.array(armature.data.bones[bone].matrix_local)[:3, :3]
    for frame, share in ((since - 1, 0.0), (since, 1.0)):
        posed.location = share * (rest.T @ way)
        posed.keyframe_insert("location", frame=frame)


def thighs(armature: Any) -> dict[str, Any]:
    """Return thighs as tubes that are open above and below, as a part cut out of a skin is."""
    return {f"thigh.{side}": (middle_of(armature, f"thigh.{side}"), (0.07, 0.07, 0.2), False) for side in "LR"}


@pytest.mark.parametrize(("bone", "since"), [("hand.L", 5), ("finger.L", 99)])  # what hangs on a hand is hand
def test_a_hand_in_a_thigh_is_counted_as_long_as_it_is_there(bone: str, since: int) -> None:
    armature = make_rig()
    body = character_of(armature)
    beside = middle_of(armature, "thigh.L") + np.array((0.2, 0.0, 0.0))
    thing = skin(armature, {**thighs(armature), bone: (beside, (0.01, 0.01, 0.02), True)})
    if since < 99:
        moved(armature, "hand.L", middle_of(armature, "thigh.L") - beside, since)
    found = contact_figures(armature, body, FRAMES)
    share = 100.0 * sum(frame >= since for frame in FRAMES) / len(FRAMES)
    assert found == {"hands_in_skin_percent": share, "legs_in_skin_percent": None}
    finer = thing.modifiers.new("Finer", "SUBSURF")  # weights are those of the points that are shown
    finer.subdivision_type, finer.levels = "SIMPLE", 1
    assert contact_figures(armature, body, FRAMES) == found


def test_a_shin_in_the_other_leg_is_counted_and_thigh_against_thigh_is_not() -> None:
    armature = make_rig()
    body = character_of(armature)
    legs = thighs(armature)
    apart = middle_of(armature, "shin.R") - middle_of(armature, "shin.L")
    for side in "LR":
        legs[f"shin.{side}"] = (middle_of(armature, f"shin.{side}"), (0.05, 0.05, 0.2), False)
        middle, _, closed = legs[f"thigh.{side}"]
        legs[f"thigh.{side}"] = (middle, (0.6 * abs(apart[0]), 0.07, 0.2), closed)  # they are in each other
    skin(armature, legs)
    assert contact_figures(armature, body, FRAMES) == {"hands_in_skin_percent": None, "legs_in_skin_percent": 0.0}
    moved(armature, "shin.L", 0.9 * apart, 6)
    assert contact_figures(armature, body, FRAMES)["legs_in_skin_percent"] == 50.0
    assert bpy.context.scene.frame_current == 1


def test_a_body_without_a_skin_has_no_share() -> None:
    armature = make_rig()
    assert set(contact_figures(armature, character_of(armature), FRAMES).values()) == {None}
