"""Targets of a scene: what is picked up, carried and set down is baked as it was simulated, in one step of undo."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import quaternion_matrix
from blender_biped.control.shared.arms import arms_of
from blender_biped.ui.bake.keyframes import frames_of
from blender_biped.ui.bake.props import prop_error
from blender_biped.ui.job.found import found_lines
from blender_biped.ui.job.marked import marks_of
from blender_biped.ui.job.request import read_request
from blender_biped.ui.job.things import start_matrix
from blender_biped.ui.panels.scene_panel import BIPED_MT_scene_add
from tests.blender.drawn import shown
from tests.blender.scenes import contents, make_curve, make_rig
from tests.blender.test_props import DEGREES, MM, baked_motion


@pytest.fixture
def hero(scene: Any) -> Any:
    """A character that walks 3 m along -Y, without other tries, up to a crate on the floor that it picks up."""
    rig = make_rig()
    rig.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (0.0, -3.0, 0.0)])
    rig.biped.walk.fall_back = False
    bpy.ops.mesh.primitive_cube_add(size=0.2, location=(0.0, -3.4, 0.1))
    crate = bpy.context.active_object
    crate.name = "Crate"
    bpy.ops.rigidbody.object_add()
    crate.rigid_body.mass, crate.rigid_body.collision_shape = 5.0, "BOX"
    crate.biped.target.active = True
    bpy.context.view_layer.objects.active = rig
    bpy.context.view_layer.update()
    return rig


def add_target(place: tuple[float, float, float], act: str) -> Any:
    """Add an empty at a place by the panel's button."""
    bpy.context.scene.cursor.location = place
    assert bpy.ops.biped.add_target(act=act) == {"FINISHED"}
    empty = next(o for o in bpy.data.objects if o.type == "EMPTY" and o.biped.target.active)
    bpy.context.view_layer.objects.active = bpy.context.scene.biped.armature
    bpy.context.view_layer.update()
    return empty


def test_a_mesh_is_picked_up_and_an_empty_is_reached_or_set_down_at(hero: Any) -> None:
    hero.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (0.0, -6.0, 0.0)])
    empty = add_target((0.0, -6.42, 0.0), "SET_DOWN")
    request = read_request(bpy.context, hero)
    taken, put = sorted(request.job.world.targets, key=lambda target: target.act)
    assert (taken.act, taken.thing, taken.hands) == ("pick_up", "Crate", "auto")
    assert (put.act, put.name) == ("set_down", empty.name) and np.allclose(put.place, (0.0, -6.42, 0.0), atol=1e-6)
    assert "Picks up 'Crate' with both hands" in " ".join(request.notes)
    assert "2 targets" in [line.text for line in found_lines(bpy.context, hero)]
    empty.biped.target.active = False
    assert len(read_request(bpy.context, hero).job.world.targets) == 1


def test_what_a_target_stands_on_is_not_in_the_way_of_a_path_that_ends_before_it(hero: Any, scene: Any) -> None:
    bpy.data.objects["Crate"].location.z = 0.8
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, -3.45, 0.35))
    table = bpy.context.active_object
    table.name, table.scale = "Table", (1.2, 0.3, 0.7)
    own = bpy.data.collections.new("Obstacles")
    bpy.context.scene.collection.children.link(own)
    own.objects.link(table)
    bpy.context.scene.collection.objects.unlink(table)
    bpy.context.scene.biped.obstacles = own
    bpy.context.view_layer.objects.active = hero
    bpy.context.view_layer.update()
    job = read_request(bpy.context, hero).job
    assert job.preset.controller == "natural" and [thing.name for thing in job.world.things if not thing.loose]
    hero.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (0.0, -3.3, 0.0)])
    bpy.context.view_layer.update()
    with pytest.raises(DataError, match=r"'Table' is in the way.*end 0\.4 m short of what hands take"):
        read_request(bpy.context, hero)


@pytest.mark.parametrize(
    ("place", "said"),
    [
        pytest.param((2.0, -3.4, 0.1), "lead the path up to it", marks=pytest.mark.long),
        pytest.param((0.0, -3.4, 4.0), "out of reach by", marks=pytest.mark.long),
        ((0.0, -0.8, 0.1), "near to the walk's start|no room to stand"),
    ],
)
def test_what_is_out_of_reach_is_said_before_the_bake(hero: Any, place: Any, said: str) -> None:
    bpy.data.objects["Crate"].location = place
    bpy.context.view_layer.update()
    with pytest.raises(DataError, match=said):
        read_request(bpy.context, hero)


def test_what_is_too_heavy_below_the_ground_or_another_controllers_is_said(hero: Any) -> None:
    crate = bpy.data.objects["Crate"]
    crate.rigid_body.mass = 60.0
    with pytest.raises(DataError, match="weighs 60 kg"):
        read_request(bpy.context, hero)
    crate.rigid_body.mass, crate.location.z = 5.0, -0.5
    bpy.context.view_layer.update()
    with pytest.raises(DataError, match="below the ground"):
        read_request(bpy.context, hero)
    crate.location.z = 0.1
    hero.biped.walk.controller = "simbicon"
    bpy.context.view_layer.update()
    with pytest.raises(DataError, match="choose Natural Walking"):
        read_request(bpy.context, hero)


@pytest.mark.long
def test_a_crate_is_picked_up_and_baked_as_it_was_simulated(hero: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    crate = bpy.data.objects["Crate"]
    found, first = baked_motion(monkeypatch), start_matrix(crate)
    job = read_request(bpy.context, hero).job
    bpy.ops.ed.undo_push(message="before")
    before = contents()
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    (motion,) = found
    track, frames = motion.props[:, 0], frames_of(motion, bpy.context.scene, hero.biped.walk.frame_start)
    assert motion.outcome == "arrived" and track[-1, 2] - track[0, 2] > 0.5
    crate = bpy.data.objects["Crate"]
    far, turned = prop_error(crate, track, motion, frames, first)
    assert far < 1e-3 * MM and turned < np.radians(DEGREES)
    held = track[:, 2] - track[0, 2] > 0.02
    turns, props = quaternion_matrix(motion.rotations), quaternion_matrix(track[held, 3:])
    for arm in filter(None, arms_of(job.character)):
        palms = motion.origins[:, arm.hand] + np.einsum("tij,j->ti", turns[:, arm.hand], arm.held)
        own = np.einsum("tji,tj->ti", props, palms[held] - track[held, :3])
        assert np.linalg.norm(own - own[0], axis=1).max() < 0.02
        assert np.abs(own[0]).max() < 0.12  # at its sides
    bpy.context.scene.frame_set(1)
    bpy.ops.ed.undo_push(message="Bake Walk")
    bpy.ops.ed.undo()
    assert contents() == before and bpy.data.objects["Crate"].animation_data is None


def moved_over_the_ground(crate: Any, hero: Any, begins: float, ends: float, path: float) -> Any:
    """Make the crate one of 80 kg on a straight way, y in m; return the empty where it is to be left."""
    crate.location, crate.scale = (0.0, begins, 0.55), (4.0, 4.0, 5.5)
    crate.rigid_body.mass, crate.rigid_body.friction = 80.0, 0.2
    hero.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (0.0, path, 0.0)])
    return add_target((0.0, ends, 0.0), "SET_DOWN")


def test_a_crate_is_pushed_where_its_target_says_so(hero: Any) -> None:
    crate = bpy.data.objects["Crate"]
    crate.biped.target.taking = "PUSH"
    with pytest.raises(DataError, match="'Crate' is too low or too narrow to be pushed"):
        read_request(bpy.context, hero)
    empty = moved_over_the_ground(crate, hero, begins=-3.4, ends=-6.0, path=-5.0)
    request = read_request(bpy.context, hero)
    pushed, left = sorted(request.job.world.targets, key=lambda target: target.act)
    assert (pushed.act, pushed.thing) == ("push", "Crate") and left.name == empty.name
    notes = " ".join(request.notes)
    assert "Pushes 'Crate' over the ground" in notes and f"Leaves what it pushes at '{empty.name}'" in notes
    assert "is in the way" not in notes
    crate.rigid_body.mass = 200.0
    with pytest.raises(
        DataError, match=r"weighs 200 kg; at a friction of 0.2 this body pushes .* kg at most: make it lighter"
    ):
        read_request(bpy.context, hero)


def test_a_crate_behind_the_walk_is_pulled_where_its_target_says_so(hero: Any) -> None:
    crate = bpy.data.objects["Crate"]
    crate.biped.target.taking = "PULL"
    with pytest.raises(DataError, match="'Crate' is too low or too narrow to be pulled"):
        read_request(bpy.context, hero)
    empty = moved_over_the_ground(crate, hero, begins=0.97, ends=-2.0, path=-4.0)
    request = read_request(bpy.context, hero)
    pulled, left = sorted(request.job.world.targets, key=lambda target: target.act)
    assert (pulled.act, pulled.thing) == ("pull", "Crate") and left.name == empty.name
    notes = " ".join(request.notes)
    assert "Pulls 'Crate' over the ground" in notes and f"Leaves what it pulls at '{empty.name}'" in notes
    crate.biped.target.hands = "BOTH"
    with pytest.raises(DataError, match="is pulled with one hand"):
        read_request(bpy.context, hero)


def test_a_prop_gets_a_mass_by_a_button_and_weighs_what_it_did(hero: Any) -> None:
    bpy.ops.mesh.primitive_cube_add(size=0.3, location=(2.0, -2.0, 0.15))
    box = bpy.context.object
    box.name, box.biped.target.active = "Box", True
    bpy.context.view_layer.objects.active = hero
    bpy.context.view_layer.update()
    assert bpy.ops.biped.give_mass(object_name="Box") == {"FINISHED"}
    assert box.rigid_body.mass == pytest.approx(300.0 * 0.3**3) and box.rigid_body.friction == 0.5
    assert bpy.context.view_layer.objects.active == hero
    box.rigid_body.mass = 2.0
    assert bpy.ops.biped.give_mass(object_name="Box") == {"FINISHED"} and box.rigid_body.mass == 2.0
    with pytest.raises(RuntimeError, match="no object 'Gone'"):
        bpy.ops.biped.give_mass(object_name="Gone")


def test_what_is_too_heavy_is_red_and_all_that_is_wrong_is_said_at_once(hero: Any) -> None:
    crate = bpy.data.objects["Crate"]
    crate.biped.target.taking = "PUSH"
    moved_over_the_ground(crate, hero, begins=-3.4, ends=-6.0, path=-5.0)
    bpy.context.view_layer.update()
    assert "target" in marks_of(bpy.context, hero).lines and "refused" not in marks_of(bpy.context, hero).lines
    crate.rigid_body.mass, crate.rigid_body.friction = 200.0, 0.6
    bpy.context.view_layer.update()
    assert "refused" in marks_of(bpy.context, hero).lines
    with pytest.raises(DataError, match=r"weighs 200 kg; at a friction of 0\.6 .* would tip over"):
        read_request(bpy.context, hero)


def test_the_menu_of_the_scene_panel_adds_the_selected_meshes(hero: Any, scene: Any) -> None:
    bpy.ops.mesh.primitive_cube_add(size=0.3, location=(3.0, -2.0, 0.15))
    box = bpy.context.object
    for sort in ("ground", "obstacles"):
        assert bpy.ops.biped.list_selected(sort=sort) == {"FINISHED"}
        assert box.name in getattr(scene.biped, sort).objects
    bpy.ops.object.select_all(action="DESELECT")
    with pytest.raises(RuntimeError, match="Select the meshes first"):
        bpy.ops.biped.list_selected(sort="props")
    offered = shown(BIPED_MT_scene_add)
    for operator, count in (("Add Push", 1), ("Add Effector", 1), ("Add Selected Meshes", 3), ("Take Object", 3)):
        assert offered.count(f"[{operator}]") == count, offered
    assert offered.count("[Add Target]") == 2
