"""Hands in thighs, legs in legs and skin under the ground are found on what Blender shows, frame by frame."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.base.spatial import Array
from blender_biped.motion.measures import LEG
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


def contacts(armature: Any) -> dict[str, float | None]:
    """Return the shares of FRAMES in which hands and legs are in skin."""
    found = contact_figures(armature, character_of(armature), FRAMES, 0.0)
    return {name: share for name, share in found.items() if name.endswith("percent")}


def thighs(armature: Any) -> dict[str, Any]:
    """Return thighs as tubes that are open above and below, as a part cut out of a skin is."""
    return {f"thigh.{side}": (middle_of(armature, f"thigh.{side}"), (0.07, 0.07, 0.2), False) for side in "LR"}


@pytest.mark.parametrize(("bone", "since"), [("hand.L", 5), ("finger.L", 99)])  # what hangs on a hand is hand
def test_a_hand_in_a_thigh_is_counted_as_long_as_it_is_there(bone: str, since: int) -> None:
    armature = make_rig()
    beside = middle_of(armature, "thigh.L") + np.array((0.2, 0.0, 0.0))
    thing = skin(armature, {**thighs(armature), bone: (beside, (0.01, 0.01, 0.02), True)})
    if since < 99:
        moved(armature, "hand.L", middle_of(armature, "thigh.L") - beside, since)
    found = contacts(armature)
    share = 100.0 * sum(frame >= since for frame in FRAMES) / len(FRAMES)
    assert found == {"hands_in_skin_percent": share, "legs_in_skin_percent": None}
    finer = thing.modifiers.new("Finer", "SUBSURF")  # weights are those of the points that are shown
    finer.subdivision_type, finer.levels = "SIMPLE", 1
    assert contacts(armature) == found


def test_what_a_hand_holds_is_no_part_of_it() -> None:
    armature = make_rig()
    middle = middle_of(armature, "thigh.L")
    staff = skin(armature, {"hand.L": (middle, (0.01, 0.01, 0.02), True)}, "Staff")
    staff.vertex_groups.clear()
    staff.modifiers.clear()
    staff.parent, staff.parent_type, staff.parent_bone = armature, "BONE", "hand.L"
    bpy.context.view_layer.update()
    staff.matrix_world = np.eye(4)
    skin(armature, thighs(armature))
    assert contacts(armature)["hands_in_skin_percent"] == 100.0  # a hand that is a thing by itself
    skin(armature, {"hand.L": (middle + np.array((0.5, 0.0, 0.0)), (0.01, 0.01, 0.02), True)}, "Hand")
    assert contacts(armature)["hands_in_skin_percent"] == 0.0


def test_skin_on_a_bone_that_follows_another_is_that_ones() -> None:
    def deforming(bones: Any) -> None:
        own, hand = bones.new("deforms"), bones["hand.L"]
        own.head, own.tail, own.roll = hand.head, hand.tail, hand.roll

    armature = make_rig(edit=deforming)
    middle, beside = middle_of(armature, "thigh.L"), np.array((0.2, 0.0, 0.0))
    armature.pose.bones["deforms"].constraints.new("COPY_TRANSFORMS").target = armature
    armature.pose.bones["deforms"].constraints[0].subtarget = "hand.L"
    skin(armature, {**thighs(armature), "deforms": (middle + beside, (0.01, 0.01, 0.02), True)})
    moved(armature, "hand.L", -beside, 6)
    assert contacts(armature)["hands_in_skin_percent"] == 50.0


def test_a_shin_in_the_other_leg_is_counted_and_thigh_against_thigh_is_not() -> None:
    armature = make_rig()
    legs = thighs(armature)
    apart = middle_of(armature, "shin.R") - middle_of(armature, "shin.L")
    for side in "LR":
        legs[f"shin.{side}"] = (middle_of(armature, f"shin.{side}"), (0.05, 0.05, 0.2), False)
        middle, _, closed = legs[f"thigh.{side}"]
        legs[f"thigh.{side}"] = (middle, (0.6 * abs(apart[0]), 0.07, 0.2), closed)  # they are in each other
    skin(armature, legs)
    assert contacts(armature) == {"hands_in_skin_percent": None, "legs_in_skin_percent": 0.0}
    moved(armature, "shin.L", 0.9 * apart, 6)
    assert contacts(armature)["legs_in_skin_percent"] == 50.0
    assert bpy.context.scene.frame_current == 1


def test_a_body_without_a_skin_has_no_share() -> None:
    armature = make_rig()
    assert set(contact_figures(armature, character_of(armature), FRAMES, 0.0).values()) == {None}


@pytest.mark.parametrize("unit", [1.0, 0.1])
def test_skin_under_the_ground_is_as_deep_as_its_lowest_point_goes(unit: float) -> None:
    armature = make_rig()
    bpy.context.scene.unit_settings.scale_length = unit
    body = character_of(armature)
    size = 1000.0 * unit * LEG / body.leg_length  # mm of a leg of LEG in one Blender unit
    skin(armature, {"foot.L": ((0.1, -0.1, 0.05), (0.05, 0.1, 0.05), True)})  # it stands at a height of 0
    ground = 0.02  # Blender units
    found = contact_figures(armature, body, FRAMES, ground * unit)
    assert found["lowest_skin_mm"] == pytest.approx(found["rest_skin_mm"]) == pytest.approx(0.02 * size, rel=1e-4)
    moved(armature, "foot.L", np.array((0.0, 0.0, -0.03)), 6)
    found = contact_figures(armature, body, FRAMES, ground * unit)
    assert found["lowest_skin_mm"] == pytest.approx(0.05 * size, rel=1e-4)
    assert found["rest_skin_mm"] == pytest.approx(0.02 * size, rel=1e-4)
    assert contact_figures(armature, body, FRAMES, -0.1 * unit)["lowest_skin_mm"] == pytest.approx(
        -0.07 * size, rel=1e-4
    )
    assert armature.data.pose_position == "POSE"
