"""The Body panel and the overlay: mass and its sources, pace, facing, and the body where the bones are."""

from __future__ import annotations

import math
from typing import Any

import bpy  # isort: skip (as a module, Blender has no bmesh before it)
import bmesh  # isort: skip
import numpy as np
import pytest
from mathutils import Quaternion

from blender_biped.base.errors import DataError
from blender_biped.character.model import SIDES, Character
from blender_biped.character.reference import GRAVITY
from blender_biped.character.segments import STATURE
from blender_biped.character.standard import standard_character
from blender_biped.job import MAX_SPEED
from blender_biped.ui.base.reading import read_armature, sole_height
from blender_biped.ui.job.body import MappedRig, body_of, facing
from blender_biped.ui.job.body_doubts import shown_doubts
from blender_biped.ui.job.mapping import walk_of
from blender_biped.ui.job.mass import chosen_mass, mesh_volume
from blender_biped.ui.job.pace import paced
from blender_biped.ui.job.request import read_request
from blender_biped.ui.panels.character_panels import BIPED_PT_body
from blender_biped.ui.view import overlay
from blender_biped.ui.view.overlay import figure_of
from tests.blender.drawn import shown
from tests.blender.scenes import make_curve, make_rig
from tests.blender.test_operators import refusal

LEG = 0.9275  # m, of the rig


@pytest.fixture
def rig() -> Any:
    """A mapped rig and a path."""
    armature = make_rig()
    walk_of(bpy.context).path = make_curve([(0.0, 0.0, 0.0), (40.0, 0.0, 0.0)])
    bpy.ops.biped.map_bones()
    return armature


def cube(armature: Any, size: float = 1.0, name: str = "Cube") -> Any:
    """Return a cube that an armature deforms."""
    mesh = bpy.data.meshes.new(name)
    shape = bmesh.new()
    bmesh.ops.create_cube(shape, size=size)
    shape.to_mesh(mesh)
    shape.free()
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    thing.modifiers.new("Armature", "ARMATURE").object = armature
    bpy.context.view_layer.update()
    return thing


def body(armature: Any) -> MappedRig:
    found = body_of(armature, bpy.context.scene)
    assert found is not None
    return found


def whole(armature: Any) -> Any:
    found = body(armature).character
    assert found is not None
    return found


# --- what is doubtful ------------------------------------------------------------------------------------------------


def with_tail(down: float) -> Any:
    """Return a mapped rig on a path, with a tail whose bones go so far down, m, in all."""

    def edit(bones: Any) -> None:
        above, at = bones["spine"], np.array(bones["spine"].head)
        for k in range(6):
            bone = bones.new(f"tail.{k}")
            bone.head, bone.tail = at, at + np.array((0.0, 0.2, -down / 5.0))
            bone.parent, above, at = above, bone, np.array(bone.tail)

    armature = make_rig(edit=edit)
    walk_of(bpy.context).path = make_curve([(0.0, 0.0, 0.0), (40.0, 0.0, 0.0)])
    bpy.ops.biped.map_bones()
    return armature


@pytest.mark.parametrize(("down", "said"), [(0.0, []), (0.6, []), (1.4, ["Its tail hangs 4"])])
def test_a_tail_in_the_ground_is_told_before_the_bake(down: float, said: list[str]) -> None:
    armature = with_tail(down)
    doubts = shown_doubts(bpy.context, armature)
    assert [doubt[: len(start)] for doubt, start in zip(doubts, said, strict=True)] == said
    assert [text for text in read_request(bpy.context).warnings if "hangs" in text] == doubts


def test_people_have_nothing_doubtful(rig: Any) -> None:
    for controller in ("natural", "generalized", "simbicon", "klaw"):
        walk_of(bpy.context).controller = controller
        assert shown_doubts(bpy.context, rig) == []


# --- mass ------------------------------------------------------------------------------------------------------------


def test_mass_by_size_and_typed(rig: Any) -> None:
    assert rig.biped.mass_from == "SIZE"
    assert whole(rig).mass == pytest.approx(70.0)
    rig.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    assert whole(rig).mass == pytest.approx(560.0, rel=1e-5)
    rig.biped.mass = 100.0  # as a script does
    assert rig.biped.mass_from == "TYPED" and whole(rig).mass == pytest.approx(100.0)
    rig.biped.mass_from = "SIZE"
    assert read_request(bpy.context).job.character.mass == pytest.approx(560.0, rel=1e-5)


@pytest.mark.parametrize("unit", [1.0, 0.01])
def test_mass_of_the_mesh(rig: Any, unit: float) -> None:
    scene = bpy.context.scene
    scene.unit_settings.scale_length = unit
    rig.scale = (1.0 / unit,) * 3
    thing = cube(rig)
    thing.scale = (0.2 / unit, 0.5 / unit, 0.3 / unit)
    cube(rig, 0.1 / unit, "Eye").location = (0.0, 5.0, 0.0)
    rig.biped.mass_from = "MESH"
    bpy.context.view_layer.update()
    assert mesh_volume(rig, unit) == pytest.approx(0.031, rel=1e-5)
    assert whole(rig).mass == pytest.approx(1050.0 * 0.031, rel=1e-5)
    rig.biped.density = 2000.0
    assert whole(rig).mass == pytest.approx(62.0, rel=1e-5)
    bpy.data.objects["Eye"].hide_set(True)
    assert whole(rig).mass == pytest.approx(60.0, rel=1e-5)
    thing.data.vertices[0].co.x *= 2.0
    assert whole(rig).mass > 61.0  # a mesh that was edited is measured again


def test_faces_turned_inside_out_and_seams_do_not_matter(rig: Any) -> None:
    thing = cube(rig)
    shape = bmesh.new()
    shape.from_mesh(thing.data)
    bmesh.ops.reverse_faces(shape, faces=shape.faces[:3])
    bmesh.ops.split_edges(shape, edges=shape.edges[:])
    shape.to_mesh(thing.data)
    shape.free()
    assert len(thing.data.vertices) == 24
    assert mesh_volume(rig, 1.0) == pytest.approx(1.0)


def test_a_mesh_on_a_bone_counts_and_one_beside_the_rig_does_not(rig: Any) -> None:
    hat, tree = cube(rig, name="Hat"), cube(rig, 7.0, "Tree")
    for thing in (hat, tree):
        thing.modifiers.clear()
    hat.parent, hat.parent_type, hat.parent_bone = rig, "BONE", "spine.004"
    bpy.context.view_layer.update()
    assert mesh_volume(rig, 1.0) == pytest.approx(1.0, rel=1e-5)
    rig.pose.bones["spine.004"].custom_shape = hat  # the shape of a control is no part of the body
    with pytest.raises(DataError, match="deforms no visible mesh"):
        mesh_volume(rig, 1.0)


def opened(thing: Any) -> None:
    shape = bmesh.new()
    shape.from_mesh(thing.data)
    bmesh.ops.delete(shape, geom=shape.faces[:1], context="FACES")
    shape.to_mesh(thing.data)
    shape.free()


def flattened(thing: Any) -> None:
    thing.scale.z = 0.0


def emptied(thing: Any) -> None:
    thing.data.clear_geometry()


def spoilt(thing: Any) -> None:
    thing.data.vertices[0].co.x = math.nan


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (opened, r"'Cube' is not closed \(4 open or branching edges\).*Fill Holes.*hide it"),
        (flattened, "'Cube' has no volume: hide it"),
        (emptied, "'Cube' has no volume: hide it"),
        (spoilt, "not a finite number"),
    ],
)
def test_meshes_without_a_volume_are_refused_and_the_body_stays_visible(rig: Any, change: Any, message: str) -> None:
    change(cube(rig))
    bpy.context.view_layer.update()
    rig.biped.mass_from = "MESH"
    with pytest.raises(DataError, match=message):
        chosen_mass(rig, 1.0)
    assert refusal()
    assert body(rig).error and whole(rig).mass == pytest.approx(70.0)
    before = len(rig.biped.parts)
    bpy.ops.biped.map_bones()  # the mapping itself is as good as before
    assert len(rig.biped.parts) == before


# --- pace ------------------------------------------------------------------------------------------------------------


def test_the_pace_of_a_giant(rig: Any) -> None:
    rig.scale = (4.0, 4.0, 4.0)
    walk_of(bpy.context).speed_mps = 1.2
    size = 4.0 * LEG / 0.9
    for pace, speed, gravity in (
        ("BY_SIZE", 1.2 * math.sqrt(size), GRAVITY),
        ("EXACT", 1.2, GRAVITY),
        ("ADULT", 1.2 * size, GRAVITY * size),
    ):
        rig.biped.pace = pace
        job = read_request(bpy.context).job
        assert (job.speed, job.gravity) == pytest.approx((speed, gravity), rel=1e-5)


def legged(leg: float) -> Character:
    """Return a standard body with legs of a length, m."""
    own = standard_character()
    return standard_character(None, stature=STATURE * leg / own.leg_length)


def test_an_adult_walks_as_set_whatever_the_pace() -> None:
    for pace in ("BY_SIZE", "EXACT", "ADULT"):
        assert paced(pace, 1.3, legged(0.9)) == pytest.approx((1.3, GRAVITY))


def test_steps_look_alike_when_speed_and_gravity_go_with_the_size() -> None:
    """The Froude number v^2 / (g l) of By Size and Like an Adult is that of the adult."""
    for pace in ("BY_SIZE", "ADULT"):
        for leg in (0.1, 0.9, 5.0):
            speed, gravity = paced(pace, 1.2, legged(leg))
            assert speed**2 / (gravity * leg) == pytest.approx(1.2**2 / (GRAVITY * 0.9))


def test_a_speed_beyond_reason_is_refused(rig: Any) -> None:
    rig.scale = (20.0, 20.0, 20.0)
    walk_of(bpy.context).speed_mps, rig.biped.pace = MAX_SPEED, "ADULT"
    assert "lower it, or set another Pace" in refusal()


# --- facing, and what is shown ---------------------------------------------------------------------------------------


def test_facing_in_the_armatures_own_axes(rig: Any) -> None:
    assert facing(whole(rig)) == "-Y, up is Z"
    rig.rotation_euler = (0.3, 0.2, 1.0)
    bpy.context.view_layer.update()
    assert facing(whole(rig)) == "-Y, up is Z"


def test_the_body_is_built_again_only_when_something_changed(rig: Any) -> None:
    first = body(rig)
    rig.pose.bones["thigh.L"].rotation_quaternion = (0.9, 0.4, 0.0, 0.0)
    bpy.context.view_layer.update()
    assert body(rig) is first
    for change in (
        lambda: setattr(rig, "scale", (1.1, 1.1, 1.1)),
        lambda: bpy.ops.biped.clear_bones(role="toes.L"),
        lambda: setattr(rig.biped, "mass", 50.0),
    ):
        change()
        bpy.context.view_layer.update()
        again = body(rig)
        assert again is not first and again.character
        first = again


def test_nothing_is_mapped_or_not_all_or_a_bone_is_gone(rig: Any) -> None:
    assert body_of(make_rig("Other"), bpy.context.scene) is None
    bpy.context.view_layer.objects.active = rig
    rig.data.bones["shin.L"].name = "calf"
    assert "no bone 'shin.L'" in body(rig).error and figure_of(rig, bpy.context.scene) is None
    bpy.ops.biped.clear_bones(role="thigh.L")
    assert "no bones are mapped to thigh.L, thigh.R" in body(rig).error


# --- the overlay -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", [1.0, 0.01])
def test_the_overlay_is_where_the_bones_are(rig: Any, unit: float) -> None:
    bpy.context.scene.unit_settings.scale_length = unit
    rig.scale = (1.0 / unit,) * 3
    rig.location, rig.rotation_euler = (3.0 / unit, -1.0 / unit, 0.5 / unit), (0.1, 0.2, 2.0)
    rig.pose.bones["thigh.L"].rotation_quaternion = Quaternion((1.0, 0.0, 0.0), -0.6)
    rig.pose.bones["shin.L"].rotation_quaternion = Quaternion((1.0, 0.0, 0.0), 0.9)
    rig.pose.bones["spine"].location = (0.1, 0.2, -0.1)
    bpy.context.view_layer.update()
    drawn = figure_of(rig, bpy.context.scene)
    assert drawn is not None
    scale = 1.0 / unit
    hinges = drawn.hinges.mean(axis=1)
    for bone in ("shin", "foot", "forearm"):
        for side in SIDES:
            joint = np.array(rig.matrix_world @ rig.pose.bones[f"{bone}.{side}"].head)
            assert np.linalg.norm(hinges - joint, axis=1).min() < 1e-5 * scale
    left = drawn.lines["L"].reshape(-1, 3)
    for bone in ("thigh.L", "shin.L", "upper_arm.L", "hand.L"):  # the capsule's lines are around the joint
        joint = np.array(rig.matrix_world @ rig.pose.bones[bone].head)
        assert np.linalg.norm(left - joint, axis=1).min() < 0.12 * scale
    ankle, knee = (np.array(rig.matrix_world @ rig.pose.bones[f"{b}.L"].head) for b in ("foot", "shin"))
    at = whole(rig).index("shin.L")
    radius = whole(rig).links[at].shape.radius * scale
    shin = left[[bool(_near_line(p, knee, ankle) <= 1.02 * radius) for p in left]]
    along = (ankle - knee) / np.linalg.norm(ankle - knee)
    assert ((shin - knee) @ along).min() == pytest.approx(-radius, abs=0.3 * radius)


def _near_line(point: Any, start: Any, end: Any) -> float:
    along = (end - start) / np.linalg.norm(end - start)
    beside = (point - start) - ((point - start) @ along) * along
    return float(np.linalg.norm(beside))


def test_a_pose_that_cannot_be_drawn_draws_nothing(rig: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rig.pose.bones["shin.L"].location = (math.nan, 0.0, 0.0)
    bpy.context.view_layer.update()
    bpy.context.scene.biped.show_body = True
    drawn: list[Any] = []
    monkeypatch.setattr(overlay, "batches_of", drawn.append)
    monkeypatch.setattr(overlay, "bpy", _InAView())
    overlay.draw_body()
    assert drawn == []


def test_what_is_drawn_is_made_again_when_the_pose_changes(rig: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    def noted(whole: Any) -> list[Any]:
        made.append(whole)
        return []  # nothing that would need a GPU

    monkeypatch.setattr(overlay, "batches_of", noted)
    monkeypatch.setattr(overlay, "bpy", _InAView())
    overlay.draw_body()
    assert not made  # it is off
    bpy.context.scene.biped.show_body = True
    overlay.draw_body()
    overlay.draw_body()
    assert len(made) == 1
    rig.pose.bones["thigh.L"].rotation_quaternion = Quaternion((1.0, 0.0, 0.0), 0.5)
    bpy.context.view_layer.update()
    overlay.draw_body()
    assert len(made) == 2 and not np.allclose(made[0].lines["L"], made[1].lines["L"])
    rig.hide_set(True)
    overlay.draw_body()
    bpy.data.objects.remove(rig)
    overlay.draw_body()
    assert len(made) == 2


class _InAView:
    """Blender as the overlay's handler sees it while a 3D view is drawn."""

    class _Context:
        space_data = type("Space", (), {"overlay": type("Overlay", (), {"show_overlays": True})})
        scene = property(lambda _self: bpy.context.scene)
        view_layer = property(lambda _self: bpy.context.view_layer)

    context = _Context()


def test_without_a_window_nothing_is_hooked_into_blender() -> None:
    assert bpy.app.background and not overlay.is_hooked()
    overlay.start()
    overlay.stop()
    assert not overlay.is_hooked()


def test_a_body_is_not_kept_over_another_file(rig: Any) -> None:
    kept = body(rig)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    again = make_rig()
    assert body_of(again, bpy.context.scene) is None
    assert kept.rig is not None and kept.character is not None  # plain data: nothing of Blender's


def test_the_stature_is_that_of_the_skin_where_the_head_has_some(rig: Any) -> None:
    def stature() -> str:
        said = shown(BIPED_PT_body)
        return said[said.index("Stature") + 1]

    head = rig.data.bones[rig.biped.parts["head"].bones[0].name]
    by_bones, simulated = stature(), body(rig).character
    assert simulated is not None
    hat = cube(rig, 0.2)
    hat.vertex_groups.new(name=head.name).add(range(8), 1.0, "REPLACE")
    hat.location = rig.matrix_world @ head.head_local
    hat.location.z += 0.4
    bpy.context.view_layer.update()
    top = float((rig.matrix_world @ head.head_local).z) + 0.5
    sole = sole_height(read_armature(rig, 1.0), simulated)
    assert by_bones != stature() and abs(float(stature().partition(" ")[0]) - (top - sole)) < 0.01
    assert str(body(rig).character) == str(simulated)  # what is simulated is as before
