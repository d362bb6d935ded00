"""The skin is the judge: what the mapping would leave behind moves along, or is named; what tears is counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.character.body import build_character
from blender_biped.character.carrying import left_behind, with_skin_carried
from blender_biped.character.mapping import RigMap
from blender_biped.character.roles import map_bones
from blender_biped.ui.bake.accuracy import bake_error
from blender_biped.ui.bake.keyframes import bake
from blender_biped.ui.bake.result import result_lines, result_of
from blender_biped.ui.bake.rig import check_rig
from blender_biped.ui.bake.torn import torn_edges
from blender_biped.ui.base import skins
from blender_biped.ui.base.reading import read_armature
from blender_biped.ui.base.skins import forget_skins, skin_of
from blender_biped.ui.base.status import status
from blender_biped.ui.job.mapping import found_mapping, mapping
from blender_biped.ui.settings.kept_mapping import keep_rig_map, rig_map_of
from tests.blender.scenes import gentle_motion, make_curve, make_rig
from tests.blender.scripted import answer_at_once

POINTS = 6  # of each bone's tube, along it
Weights = Mapping[str, Mapping[str, float]]


def skinned(armature: Any, weights: Weights | None = None, bones: tuple[str, ...] = ()) -> Any:
    """Give an armature a skin of lines: points along each bone, joined to those of its parent.

    weights: of a bone's points, by the bones that carry them in its place; none for points that nothing carries.
    bones: those that get points; all below the hips as a rule.
    """
    points: list[Any] = []
    edges: list[tuple[int, int]] = []
    owners: list[Mapping[str, float]] = []
    last: dict[str, int] = {}
    names = bones or tuple(b.name for b in armature.data.bones if not b.name.startswith(("root", "torso", "spreader")))
    for bone in armature.data.bones:
        if bone.name not in names:
            continue
        first = len(points)
        above = next((a.name for a in bone.parent_recursive if a.name in last), None)
        for k in range(POINTS):
            share = (k + 0.5) / POINTS
            points.append(bone.head_local + share * (bone.tail_local - bone.head_local))
            owners.append((weights or {}).get(bone.name, {bone.name: 1.0}))
        edges += [(i, i + 1) for i in range(first, first + POINTS - 1)]
        if above:
            edges.append((last[above], first))
        last[bone.name] = len(points) - 1
    mesh = bpy.data.meshes.new("Skin")
    mesh.from_pydata(points, edges, [])
    thing = bpy.data.objects.new("Skin", mesh)
    bpy.context.scene.collection.objects.link(thing)
    thing.parent = armature
    for name in {name for own in owners for name in own}:
        group = thing.vertex_groups.new(name=name)
        for i, own in enumerate(owners):
            if name in own:
                group.add([i], own[name], "REPLACE")
    modifier = thing.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature
    bpy.context.view_layer.update()
    return thing


def baked_torn(armature: Any, rig_map: RigMap) -> tuple[int, bool, float]:
    """Bake something like a walk and return how many edges are torn, whether that is seen, and the bake error, mm."""
    rig = read_armature(armature, 1.0)
    motion = gentle_motion(build_character(rig, rig_map, None))
    done = bake(armature, motion)
    torn = torn_edges(armature, done.frames)
    assert torn is not None
    return torn.edges, torn.plain, bake_error(armature, motion, done.frames.tolist())[0]


def _target_feet(bones: Any) -> None:
    """Make the feet targets at the root, as game rigs with inverse kinematics have them."""
    for side in "LR":
        foot = bones[f"foot.{side}"]
        foot.parent, foot.name = bones["root"], f"FootIK.{side}"
        for child in ("toe", "heel.02"):
            bones.remove(bones[f"{child}.{side}"])


def _feet_at_root(bones: Any) -> None:
    for side in "LR":
        bones[f"foot.{side}"].parent = bones["root"]


def _body(bones: Any) -> None:
    """Let the hips hang on a bone with skin of its own, far from them."""
    body = bones["torso"]
    body.name = "Body"
    body.head, body.tail = (0.0, 0.1, 1.6), (0.0, 0.2, 1.7)


FOUR: Mapping[str, tuple[Callable[[Any], None] | None, Weights, tuple[str, ...]]] = {
    "feet that are targets": (_target_feet, {}, ("FootIK.L", "FootIK.R")),
    "the parent of the hips": (_body, {"spine.001": {"Body": 1.0}}, ("Body",)),
    "feet at the root": (_feet_at_root, {}, ()),
    "weights on the root": (
        None, {"spine.003": {"spine.003": 0.9, "root": 0.1}, "shin.L": {"shin.L": 0.95, "root": 0.05}}, ("root",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", FOUR)
def test_skin_is_not_left_behind(way: str) -> None:
    edit, weights, lost = FOUR[way]
    armature = make_rig(edit=edit)
    skinned(armature, weights)
    rig = read_armature(armature, 1.0)
    plain = map_bones(replace(rig, skin=None))  # as it was mapped without a look at the skin
    assert set(left_behind(rig, plain.bones)) == set(lost)
    whole = mapping(armature, 1.0)
    assert not left_behind(rig, whole.bones)
    for name in lost:
        role = next(role for role, names in whole.bones.items() if name in names)
        assert role == (f"foot.{name[-1]}" if name.startswith("Foot") else "pelvis")
    edges, seen, off = baked_torn(armature, whole)
    assert (edges, seen) == (0, False) and off < 0.05
    assert whole.bones["pelvis"][0] == "spine"


@pytest.mark.parametrize("way", ["the parent of the hips", "weights on the root"])
def test_what_is_left_behind_is_counted_as_torn(way: str) -> None:
    edit, weights, _ = FOUR[way]
    armature = make_rig(edit=edit)
    skinned(armature, weights)
    edges, seen, _ = baked_torn(armature, map_bones(read_armature(armature, 1.0)))
    assert edges > 1 and seen


def test_a_root_that_may_carry_the_travel_is_in_no_table(scene: Any) -> None:
    armature = make_rig()
    skinned(armature, {"spine.003": {"spine.003": 0.9, "root": 0.1}})
    found = found_mapping(read_armature(armature, 1.0))
    assert "root" not in found.bones["pelvis"]
    keep_rig_map(armature, found)
    assert mapping(armature, 1.0).bones["pelvis"] == (*found.bones["pelvis"], "root")
    armature.biped.root = "ROOT_BONE"
    assert mapping(armature, 1.0).bones == found.bones


def test_skin_without_a_side_of_its_own_goes_with_what_it_is_joined_to() -> None:
    """A plate on a knee hangs on the root: it is nearest to the shin, and joined to it."""

    def edit(bones: Any) -> None:
        plate = bones.new("plate")
        shin = bones["shin.R"]
        plate.head, plate.tail, plate.parent = shin.center, shin.tail, bones["root"]

    armature = make_rig(edit=edit)
    skinned(armature, {"shin.R": {"plate": 1.0}})
    whole = mapping(armature, 1.0)
    assert whole.bones["shin.R"] == ("shin.R", "plate")
    assert "plate carries skin" in whole.reasons["shin.R"]
    assert baked_torn(armature, whole)[0] == 0


def test_what_follows_by_a_constraint_is_carried_by_it() -> None:
    def edit(bones: Any) -> None:
        for name, parent in (("deform", "root"), ("lower", "deform")):
            made = bones.new(name)
            made.head, made.tail, made.parent = bones["shin.L"].head, bones["shin.L"].tail, bones[parent]

    armature = make_rig(edit=edit)
    skinned(armature, {"shin.L": {"lower": 1.0}})
    copy = armature.pose.bones["deform"].constraints.new("COPY_TRANSFORMS")
    copy.target, copy.subtarget = armature, "shin.L"
    rig = read_armature(armature, 1.0)
    assert not left_behind(rig, map_bones(rig).bones)
    copy.mute = True
    muted = read_armature(armature, 1.0)
    assert left_behind(muted, map_bones(muted).bones) == ("deform", "lower")


def test_weights_are_read_as_blender_deforms_by_them() -> None:
    """Weights of any size, points carried by nothing, meshes on a bone, an object that is moved and scaled."""
    armature = make_rig(scale=0.5)
    armature.location = (1.0, 2.0, 3.0)
    thing = skinned(armature, {"thigh.L": {"thigh.L": 0.2, "spine": 0.1}, "hand.L": {}, "foot.R": {"no bone": 1.0}})
    ball = bpy.data.objects.new("Ball", bpy.data.meshes.new("Ball"))
    ball.data.from_pydata([(0.0, 0.0, 0.0), (0.0, 0.1, 0.0)], [(0, 1)], [])
    bpy.context.scene.collection.objects.link(ball)
    ball.parent, ball.parent_type, ball.parent_bone = armature, "BONE", "spine.004"
    bpy.context.view_layer.update()
    skin = skin_of(armature)
    assert skin is not None and skin.loose == 2 * POINTS
    assert skin.amounts["thigh.L"] == pytest.approx(POINTS * 2.0 / 3.0)
    assert skin.amounts["spine.004"] == pytest.approx(POINTS + 2)
    bake(armature, gentle_motion(build_character(rig := read_armature(armature, 1.0), map_bones(rig), None)))
    bpy.context.scene.frame_set(20)
    graph = bpy.context.evaluated_depsgraph_get()
    posed = armature.evaluated_get(graph).pose.bones
    rests = {name: np.linalg.inv(np.array(armature.data.bones[name].matrix_local)) for name in skin.names}
    moved = skin.posed({name: np.matmul(np.array(posed[name].matrix), rest) for name, rest in rests.items()})
    shown = []
    for each in (ball, thing) if skin.points[0] @ skin.points[0] < 0 else (thing, ball):
        own = each.evaluated_get(graph)
        matrix = np.linalg.inv(np.array(armature.evaluated_get(graph).matrix_world)) @ np.array(own.matrix_world)
        shown += [matrix[:3, :3] @ np.array(v.co) + matrix[:3, 3] for v in own.data.vertices]
    order = np.lexsort(np.round(np.array(shown), 4).T), np.lexsort(np.round(moved, 4).T)
    np.testing.assert_allclose(np.array(shown)[order[0]], moved[order[1]], atol=1e-3)


def test_the_other_half_of_a_mirrored_mesh_is_skin_too() -> None:
    armature = make_rig()
    thing = skinned(armature, bones=("thigh.L", "shin.L", "spine"))
    half = skin_of(armature)
    assert half is not None and "shin.R" not in half.names
    thing.modifiers.new("Mirror", "MIRROR")
    whole = skin_of(armature)
    assert whole is not None and whole.amounts["shin.R"] == whole.amounts["shin.L"] == POINTS
    left, right = (whole.carried_by([f"shin.{side}"]) for side in "LR")
    np.testing.assert_allclose(right, left * (-1.0, 1.0, 1.0), atol=1e-6)
    assert len(whole.edges) == 2 * len(half.edges)


def test_changed_weights_are_seen_when_bones_are_mapped() -> None:
    armature = make_rig()
    thing = skinned(armature)
    before = skin_of(armature)
    thing.vertex_groups["foot.L"].name = "other"
    assert skin_of(armature) is not before
    same = skin_of(armature)
    thing.vertex_groups["foot.R"].remove([v.index for v in thing.data.vertices])
    assert skin_of(armature) is same
    forget_skins()
    again = skin_of(armature)
    assert again is not None and again.loose == 2 * POINTS


def test_of_a_huge_mesh_some_edges_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    armature = make_rig(edit=_body)
    skinned(armature, {"spine.001": {"Body": 1.0}})
    whole = skin_of(armature)
    monkeypatch.setattr(skins, "MOST_VERTICES", 50)
    forget_skins()
    some = skin_of(armature)
    assert whole is not None and some is not None
    assert len(some.edges) * some.every == pytest.approx(len(whole.edges), abs=some.every)
    assert len(some.points) <= 2 * len(some.edges) and set(some.amounts) <= set(whole.amounts)
    rows = {tuple(row) for row in np.round(whole.points, 6)}
    assert all(tuple(row) in rows for row in np.round(some.points, 6))
    assert "Body" in mapping(armature, 1.0).bones["pelvis"]


@pytest.mark.parametrize("which", ["armature", "mesh"])
def test_what_is_nowhere_has_no_skin(which: str) -> None:
    armature = make_rig()
    thing = skinned(armature)
    (armature if which == "armature" else thing).location.x = float("nan")
    bpy.context.view_layer.update()
    assert skin_of(armature) is None


def test_a_hidden_mesh_counts_where_no_other_is_shown() -> None:
    armature = make_rig()
    thing = skinned(armature)
    whole = skin_of(armature)
    thing.hide_set(True)
    assert whole is not None and len(skin_of(armature).points) == len(whole.points)  # type: ignore[union-attr]
    other = skinned(armature, bones=("spine",))
    assert len(skin_of(armature).points) == POINTS and other.visible_get()  # type: ignore[union-attr]


# --- told ------------------------------------------------------------------------------------------------------------


def ready(monkeypatch: pytest.MonkeyPatch, armature: Any) -> None:
    """Have Bake Walk answer at once with something like a walk."""
    from tests.motion.synthetic import walked

    armature.biped.walk.path = make_curve([(1.0, 2.0, 0.0), (5.0, 2.0, 0.0)])
    bpy.context.view_layer.objects.active = armature
    answer_at_once(monkeypatch, lambda job: walked(job.path, character=job.character)[0])


def test_the_result_says_whether_the_skin_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    armature = make_rig(edit=_body)
    skinned(armature, {"spine.001": {"Body": 1.0}, "hand.L": {}})
    ready(monkeypatch, armature)
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    assert f"{POINTS} points of the skin have no weights" in status.message and status.level == "WARNING"
    result = result_of(armature)
    assert result is not None and result.torn is not None and result.torn.plain  # the hand stays behind
    lines = {line.name: line for line in result_lines(result, bpy.context.scene.unit_settings)}
    assert lines["Skin"].text.startswith("Torn: 2 edges, by ")
    assert lines[""].text == "Reached the end, but the skin is torn" and lines[""].icon == "ERROR"
    assert "The skin is torn: 2 of its edges" in status.message
    kept = rig_map_of(armature)
    assert kept is not None and kept.bones["pelvis"][-1] == "Body"


def test_a_mapping_by_hand_is_completed_at_the_bake_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    armature = make_rig(edit=_body)
    skinned(armature, {"spine.001": {"Body": 1.0}})
    keep_rig_map(armature, map_bones(read_armature(armature, 1.0)))
    ready(monkeypatch, armature)
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    assert "These bones have skin and no body part, and move along: 'Body' with Pelvis." in status.message
    result = result_of(armature)
    assert result is not None and result.torn is not None and result.torn.edges == 0
    assert "Holds together" in [line.text for line in result_lines(result, bpy.context.scene.unit_settings)]


def test_hips_that_cannot_move_are_told_before_anything_is_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    def edit(bones: Any) -> None:
        hips, chest = bones["spine"], bones["spine.001"]
        chest.parent = None
        chest.tail = hips.head
        hips.parent, hips.use_connect = chest, True

    armature = make_rig(helpers=False, edit=edit)
    found = map_bones(read_armature(armature, 1.0))
    chest = tuple(name for name in found.bones["chest"] if name != "spine.001")
    rig_map = replace(found, bones={
        **found.bones, "pelvis": ("spine",), "abdomen": ("spine.001",), "chest": chest,
    })  # fmt: skip
    keep_rig_map(armature, rig_map)
    ready(monkeypatch, armature)
    monkeypatch.setattr("blender_biped.worker.Worker.start", lambda *_: pytest.fail("it was simulated"))
    with pytest.raises(RuntimeError, match=r"is connected to 'spine\.001', so it cannot move"):
        bpy.ops.biped.bake_walk()


def test_hips_connected_to_a_bone_of_their_own_are_carried_by_it() -> None:
    def edit(bones: Any) -> None:
        body = bones["torso"]
        body.name, body.head, body.tail = "Body", (0.0, 0.3, 0.9), bones["spine"].head
        bones["spine"].use_connect = True

    armature = make_rig(edit=edit)
    skinned(armature, {"spine.001": {"Body": 1.0}})
    whole = with_skin_carried(map_bones(rig := read_armature(armature, 1.0)), rig)
    assert "Body" in whole.bones["pelvis"]
    check_rig(armature, build_character(rig, whole, None), "HIPS", "FK")
    assert baked_torn(armature, whole)[:2] == (0, False)
