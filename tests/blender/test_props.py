"""Obstacles and props of a scene: read with their Rigid Body settings, simulated, and baked as they were simulated."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import axis_angle_quaternion
from blender_biped.check import Checked
from blender_biped.control.registry import kind_in
from blender_biped.job import job_from_json, write_job
from blender_biped.motion.motion import RATE, Motion
from blender_biped.simulate import simulate
from blender_biped.ui.bake import writing
from blender_biped.ui.bake.keyframes import frames_of
from blender_biped.ui.bake.portions import finished
from blender_biped.ui.bake.props import prop_error
from blender_biped.ui.bake.writing import write_steps
from blender_biped.ui.base import solids
from blender_biped.ui.job import surroundings
from blender_biped.ui.job import things as job_things
from blender_biped.ui.job.found import found_lines
from blender_biped.ui.job.request import read_request
from blender_biped.ui.job.things import basis_of, start_matrix
from blender_biped.ui.panels import bake_operators
from blender_biped.world.crowded import MOST_TOGETHER
from blender_biped.world.things import MOST_POINTS
from tests.blender.scenes import contents, make_curve, make_rig
from tests.marks import long_but

MM, DEGREES = 1.0, 0.1


@pytest.fixture
def hero(scene: Any) -> Any:
    """A character that walks 4 m along -Y, without other tries, and the collections of the panel."""
    rig = make_rig()
    rig.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (0.0, -4.0, 0.0)])
    rig.biped.walk.fall_back = False
    for name in ("obstacles", "props"):
        own = bpy.data.collections.new(name.title())
        scene.collection.children.link(own)
        setattr(scene.biped, name, own)
    bpy.context.view_layer.objects.active = rig
    return rig


def add(kind: str, into: str, place: tuple[float, float, float], name: str, mass: float = 0.0, shape: str = "",
        **size: float) -> Any:  # fmt: skip
    hero = bpy.context.view_layer.objects.active
    getattr(bpy.ops.mesh, f"primitive_{kind}_add")(location=place, **size)
    made = bpy.context.active_object
    made.name = name
    for own in list(made.users_collection):
        own.objects.unlink(made)
    getattr(bpy.context.scene.biped, into).objects.link(made)
    if shape:
        bpy.ops.rigidbody.object_add()
        made.rigid_body.mass, made.rigid_body.collision_shape = mass, shape
    bpy.context.view_layer.objects.active = hero
    bpy.context.view_layer.update()
    return made


def things(hero: Any) -> dict[str, Any]:
    return {thing.name: thing for thing in read_request(bpy.context, hero).job.world.things}


def notes(hero: Any) -> str:
    return " ".join(read_request(bpy.context, hero).notes)


def baked_motion(monkeypatch: pytest.MonkeyPatch) -> list[Motion]:
    """Return the list that gets the motion of each bake."""
    found: list[Motion] = []
    from blender_biped.ui.bake.writing import write_steps

    def noted(context: Any, armature: Any, request: Any, motion: Motion) -> Any:
        found.append(motion)
        return (yield from write_steps(context, armature, request, motion))

    monkeypatch.setattr(bake_operators, "write_steps", noted)
    return found


# --- what is read ----------------------------------------------------------------------------------------------------


def test_rigid_body_settings_give_shape_mass_and_friction(hero: Any) -> None:
    box = add("cube", "props", (1.0, -1.0, 0.3), "Box", 5.0, "BOX", size=0.4)
    box.scale, box.rigid_body.friction = (1.0, 1.0, 1.5), 0.2
    add("uv_sphere", "props", (1.0, -2.0, 0.2), "Ball", 0.5, "SPHERE", radius=0.2)
    add("cylinder", "props", (1.0, -3.0, 0.5), "Pill", 2.0, "CAPSULE", radius=0.1, depth=1.0)
    add("cone", "obstacles", (1.0, -4.0, 0.5), "Cone", radius1=0.3, depth=1.0)
    bpy.context.view_layer.update()
    found = things(hero)
    assert found["Box"].solid.kind == "box" and np.allclose(found["Box"].solid.half, (0.2, 0.2, 0.3))
    assert (found["Box"].mass, found["Box"].friction) == (5.0, pytest.approx(0.2))
    assert found["Ball"].solid.radius == pytest.approx(0.2, abs=1e-3)
    assert np.allclose((found["Pill"].solid.radius, found["Pill"].solid.half[2]), (0.1, 0.4), atol=1e-3)
    assert found["Cone"].mass == 0.0 and found["Cone"].solid.kind == "hull"
    assert np.allclose(found["Cone"].place, (1.0, -4.0, 0.25), atol=0.01)  # a cone's middle is a quarter up
    texts = [line.text for line in found_lines(bpy.context, hero)]
    assert texts == ["1 obstacle", "3 props"]


def test_without_settings_a_prop_weighs_by_its_volume(hero: Any) -> None:
    add("cube", "props", (1.0, -1.0, 0.2), "Box", size=0.4)
    own = things(hero)["Box"]
    assert own.solid.kind == "hull" and len(own.solid.points) == 8
    assert own.mass == pytest.approx(0.4**3 * 300.0, rel=0.01)


def test_modifiers_turned_parents_and_units_count(hero: Any, scene: Any) -> None:
    scene.unit_settings.scale_length = 0.5
    hero.scale = (2.0, 2.0, 2.0)
    parent = bpy.data.objects.new("Parent", None)
    scene.collection.objects.link(parent)
    parent.matrix_world = Matrix.Rotation(math.pi / 2.0, 4, "Z") @ Matrix.Translation((3.0, 1.0, 1.0))
    box = add("cube", "obstacles", (0.0, 0.0, 0.0), "Box", size=1.0)
    box.parent = parent
    made = box.modifiers.new("Thick", "ARRAY")
    made.count, made.relative_offset_displace = 2, (0.0, 0.0, 1.0)
    bpy.context.view_layer.update()
    own = things(hero)["Box"]
    assert np.allclose(own.place, (-0.5, 1.5, 0.75), atol=1e-6)
    assert np.allclose(np.ptp(own.solid.corners, axis=0), (0.5, 0.5, 1.0), atol=1e-6)


def test_many_corners_become_few(hero: Any) -> None:
    add("ico_sphere", "props", (1.0, -1.0, 0.5), "Ball", subdivisions=5, radius=0.5)
    own = things(hero)["Ball"]
    assert len(own.solid.points) <= MOST_POINTS
    assert np.linalg.norm(own.solid.points, axis=1).min() > 0.49


def test_passive_and_animated_bodies_are_obstacles(hero: Any) -> None:
    add("cube", "props", (1.0, -1.0, 0.2), "Still", 1.0, "BOX", size=0.4).rigid_body.type = "PASSIVE"
    add("cube", "props", (1.0, -2.0, 0.2), "Led", 1.0, "BOX", size=0.4).rigid_body.kinematic = True
    assert [thing.mass for thing in things(hero).values()] == [0.0, 0.0]
    assert notes(hero).count("so it is an obstacle") == 2


# --- bad input: each its message or its right result -----------------------------------------------------------------


def test_a_prop_that_is_no_solid_is_taken_as_its_hull(hero: Any) -> None:
    """Non-manifold, with flipped faces and loose corners: the hull is what it was."""
    box = add("cube", "props", (1.0, -1.0, 0.2), "Box", 3.0, "CONVEX_HULL", size=0.4)
    mesh = box.data
    whole = things(hero)["Box"]
    places = [tuple(vertex.co) for vertex in mesh.vertices]
    faces = [tuple(face.vertices) for face in mesh.polygons][:5]
    mesh.clear_geometry()
    mesh.from_pydata([*places, (0.0, 0.0, 0.0)], [(0, 8)], [faces[0][::-1], *faces[1:], (0, 8, 6)])
    bpy.context.view_layer.update()
    own = things(hero)["Box"]
    assert np.allclose(sorted(own.solid.points), sorted(whole.solid.points)) and np.allclose(own.place, whole.place)


def test_a_prop_that_weighs_nothing_is_refused(hero: Any) -> None:
    box = add("cube", "props", (0.0, -1.0, 0.1), "Box", 0.0, "BOX", size=0.2)
    before = contents()
    with pytest.raises(DataError, match="'Box' weighs nothing: set its mass in Physics > Rigid Body"):
        read_request(bpy.context, hero)
    with pytest.raises(RuntimeError, match="weighs nothing"):
        bpy.ops.biped.bake_walk()
    box.rigid_body.mass = 4e-4
    with pytest.raises(DataError, match=r"'Box' weighs 0\.0004 kg, too little to be pushed about: set its mass"):
        read_request(bpy.context, hero)
    assert contents() == before
    box.rigid_body.mass = 0.001
    job = read_request(bpy.context, hero).job
    assert job_from_json(job.as_json()).world.things[0].mass == pytest.approx(1e-3)


@pytest.mark.long
def test_a_prop_of_a_gram_is_kicked(hero: Any) -> None:
    add("cube", "props", (0.0, -1.0, 0.1), "Box", 0.001, "BOX", size=0.2)
    job = read_request(bpy.context, hero).job
    motion = simulate(replace(job, duration=3.0))
    assert np.isfinite(motion.things).all() and motion.outcome != "fell"
    assert np.linalg.norm(motion.props[-1, 0, :2] - motion.props[0, 0, :2]) > 0.05


@pytest.mark.long
def test_a_prop_of_100_000_triangles_is_a_solid_of_few_corners(hero: Any) -> None:
    ball = add("uv_sphere", "props", (1.0, -1.0, 0.5), "Ball", segments=320, ring_count=160, radius=0.5)
    ball.data.calc_loop_triangles()
    assert len(ball.data.loop_triangles) > 100_000
    (own,) = things(hero).values()
    assert len(own.solid.points) <= MOST_POINTS and np.linalg.norm(own.solid.points, axis=1).min() > 0.49


def test_what_is_not_convex_is_said(hero: Any) -> None:
    add("torus", "props", (1.0, -1.0, 0.2), "Ring")
    assert "'Ring' is not convex" in notes(hero)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda o: setattr(o, "scale", (1.0, 1.0, 0.0)), "has no size"),
        (lambda o: o.constraints.new("COPY_LOCATION"), "has constraints"),
        (lambda o: o.data.clear_geometry(), "is flat"),
        (lambda o: o.data.vertices[0].co.__setitem__(0, math.nan), "not a finite number"),
    ],
)
def test_what_is_unusable_is_refused(hero: Any, spoil: Any, message: str) -> None:
    spoil(add("cube", "props", (1.0, -1.0, 0.2), "Box", size=0.4))
    bpy.context.view_layer.update()
    before = contents()
    with pytest.raises(DataError, match=message):
        read_request(bpy.context, hero)
    with pytest.raises(RuntimeError, match=message):
        bpy.ops.biped.bake_walk()
    assert contents() == before


def test_a_flat_prop_is_refused(hero: Any) -> None:
    add("plane", "props", (1.0, -1.0, 0.2), "Sheet")
    with pytest.raises(DataError, match="'Sheet' is flat"):
        read_request(bpy.context, hero)


def test_an_obstacle_in_the_way_is_refused_before_the_bake(hero: Any) -> None:
    post = add("cylinder", "obstacles", (0.1, -2.0, 0.5), "Post", radius=0.1, depth=1.0)
    with pytest.raises(DataError, match=r"'Post', 1\.9 m along the path, is 1\.00 m high"):
        read_request(bpy.context, hero)
    post.location.x = 0.6
    bpy.context.view_layer.update()
    assert read_request(bpy.context, hero).job.world.things


def test_what_is_stepped_over_and_ducked_under_is_said_and_what_is_too_high_refused(hero: Any) -> None:
    bar = add("cube", "obstacles", (0.0, -2.0, 0.1), "Bar", size=1.0)
    bar.scale = (1.0, 0.1, 0.2)
    assert "Steps over 'Bar', 0.20 m high" in notes(hero)
    beam = add("cube", "obstacles", (0.0, -2.6, 1.5), "Beam", size=1.0)
    beam.scale = (1.0, 0.1, 0.1)
    bpy.context.view_layer.update()
    assert "Steps over 'Bar'" in notes(hero) and "Ducks under 'Beam', 1.45 m above the ground" in notes(hero)
    hero.biped.walk.controller = "generalized"
    with pytest.raises(DataError, match=r"'Bar' and 'Beam', .* are too near to each other"):
        read_request(bpy.context, hero)
    hero.biped.walk.controller = "natural"
    bar.location.z = 1.6
    bpy.context.view_layer.update()
    assert "Ducks under 'Beam', 1.45 m above the ground" in notes(hero)
    bar.location.z = 0.1
    bar.scale.z = 1.0
    bpy.context.view_layer.update()
    with pytest.raises(DataError, match=r"'Bar', .* is 0\.60 m high; Natural Walking steps over"):
        read_request(bpy.context, hero)
    hero.biped.walk.controller = "simbicon"
    with pytest.raises(DataError, match=r"'Bar' is in the way"):
        read_request(bpy.context, hero)


@pytest.mark.parametrize("controller", long_but(["natural", "generalized", "simbicon"], "natural"))
def test_the_command_line_refuses_a_wall_with_the_words_of_the_panel(
    hero: Any, controller: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add("cube", "obstacles", (0.0, -2.0, 0.5), "Wall", size=1.0).scale = (2.0, 0.1, 1.0)
    bpy.context.view_layer.update()
    hero.biped.walk.controller = controller
    with pytest.raises(DataError, match="'Wall'") as refused:
        read_request(bpy.context, hero)
    with monkeypatch.context() as patch:  # as from a panel that looks at nothing
        patch.setattr(surroundings, "check", lambda job: Checked(kind_in(job)))
        write_job(read_request(bpy.context, hero).job, tmp_path / "job.json")
    command = (sys.executable, "-m", "blender_biped.simulate", str(tmp_path / "job.json"), str(tmp_path / "motion.npz"))
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    said = json.loads(done.stdout.splitlines()[-1])
    assert (done.returncode, said) == (1, {"type": "error", "message": str(refused.value), "refused": True})
    assert not (tmp_path / "motion.npz").exists()


def test_what_natural_walking_cannot_step_over_generalized_walking_does_where_it_can(hero: Any) -> None:
    deep = add("cube", "obstacles", (0.0, -2.0, 0.1), "Deep", size=1.0)
    deep.scale = (1.0, 0.2, 0.2)
    request = read_request(bpy.context, hero)
    assert request.job.preset.controller == "generalized"
    assert "cannot get over or under what is in the way: Generalized Walking steps over it" in notes(hero)


def test_a_prop_in_the_way_and_one_in_the_ground_are_named(hero: Any) -> None:
    add("cube", "props", (0.0, -2.0, 0.1), "Box", 1.5, "BOX", size=0.4)
    assert "'Box', 1.5 kg, is in the way" in notes(hero) and "0.10 m deep in the ground" in notes(hero)


def test_an_unevenly_scaled_rig_is_refused(hero: Any) -> None:
    add("cube", "props", (1.0, -1.0, 0.2), "Box", size=0.4)
    hero.scale = (1.0, 1.2, 1.0)
    with pytest.raises(DataError, match="scaled unevenly"):
        read_request(bpy.context, hero)


# --- what is baked ---------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_props_are_baked_as_they_were_simulated_in_one_step_of_undo(hero: Any, monkeypatch: Any) -> None:
    found = baked_motion(monkeypatch)
    add("cube", "props", (0.08, -1.5, 0.08), "Box", 0.5, "BOX", size=0.16).rotation_euler = (0.0, 0.0, 0.3)
    ball = add("uv_sphere", "props", (-0.1, -2.3, 0.1), "Ball", 0.3, "SPHERE", radius=0.1)
    ball.rotation_mode, ball.delta_location = "QUATERNION", (0.2, 0.0, 0.0)
    ball.location.x -= 0.2
    add("cube", "props", (2.0, -2.0, 0.1), "Far", 0.5, "BOX", size=0.2)
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="before")
    before, job = contents(), read_request(bpy.context, hero).job
    firsts = {name: start_matrix(bpy.data.objects[name]) for name in ("Box", "Ball", "Far")}
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    frames = frames_of(found[0], bpy.context.scene, 1)
    for i, thing in enumerate(job.world.loose):
        far, turned = prop_error(
            bpy.data.objects[thing.name], found[0].props[:, i], found[0], frames, firsts[thing.name]
        )
        assert 1000.0 * far < MM and math.degrees(turned) < DEGREES, thing.name
    ways = np.linalg.norm(found[0].props[-1, :, :3] - found[0].props[0, :, :3], axis=1)
    assert ways[0] > 0.1 and ways[1] > 0.1 > ways[2]
    assert all(bpy.data.objects[name].rigid_body.kinematic for name in firsts)  # else Blender would let them fall
    # Baked again from another frame it begins where it began, and takes the place of its last motion.
    bpy.context.scene.frame_set(int(frames[-1]))
    again = read_request(bpy.context, bpy.data.objects["Rig"]).job
    assert np.allclose(again.world.loose[0].place, job.world.loose[0].place, atol=1e-5)
    actions = len(bpy.data.actions)
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    assert len(bpy.data.actions) == actions
    bpy.context.scene.frame_set(1)
    bpy.ops.ed.undo_push(message="Bake Walk")
    bpy.ops.ed.undo()
    assert contents() == before and not bpy.data.objects["Box"].rigid_body.kinematic


def moved_props(hero: Any, count: int = 60) -> tuple[Any, Motion]:
    """Return the request of a walk and a motion in which all its props rise by 0.5 m while the character stands."""
    request = read_request(bpy.context, hero)
    loose = request.job.world.loose
    turn = axis_angle_quaternion([0.0, 0.0, 1.0], 0.0)
    begin = np.array([[*thing.place, *turn] for thing in loose])
    tracks = np.tile(begin, (count, 1, 1))
    tracks[:, :, 2] += np.linspace(0.0, 0.5, count)[:, None]
    motion = standing_motion(request.job.character, count)
    return request, replace(motion, things=tracks.reshape(count, -1))


def test_what_hands_did_not_take_stands_first_in_the_message(hero: Any) -> None:
    hero.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (0.0, -2.0, 0.0)])
    box = add("cube", "props", (0.0, -2.4, 0.08), "Box", 2.0, "BOX", size=0.16)
    box.biped.target.active = True
    bpy.context.view_layer.update()
    request, taken = moved_props(hero)
    left = replace(taken, things=np.tile(taken.things[:1], (len(taken.things), 1)))
    missed, done = (finished(write_steps(bpy.context, hero, request, motion)) for motion in (left, taken))
    assert "'Box' was not taken: " in missed.outcome and missed.message.startswith(missed.outcome)
    assert missed.level == "WARNING"
    assert "not taken" not in done.message


@pytest.mark.parametrize("again", [False, True])
def test_whenever_writing_ends_early_nothing_is_changed_though_there_are_props(hero: Any, again: bool) -> None:
    add("cube", "props", (1.0, -1.5, 0.1), "Box", 0.5, "BOX", size=0.2)
    add("cube", "props", (2.0, -1.5, 0.1), "Held", 0.5, "BOX", size=0.2).parent = hero
    bpy.context.view_layer.update()
    request, motion = moved_props(hero)
    if again:  # then Replace Last Walk removes the action before
        finished(write_steps(bpy.context, hero, request, motion))
        request, motion = moved_props(hero)
    before = repr(contents())
    written = None
    for portions in range(1, 1000, 7):
        steps, shares = write_steps(bpy.context, hero, request, motion), [0.0]
        try:
            shares += [next(steps) for _ in range(portions)]
        except StopIteration as end:
            written = end.value
            break
        assert shares == sorted(shares)
        steps.close()
        assert repr(contents()) == before, portions
    assert written is not None and portions > 40 and "2 of 2 props moved." in written.notes
    bpy.context.scene.frame_set(12)
    heights = [bpy.data.objects[name].matrix_world.translation.z for name in ("Box", "Held")]
    assert heights == pytest.approx([0.566, 0.566], abs=0.005)


def test_what_goes_wrong_with_props_that_play_changes_nothing(hero: Any, monkeypatch: Any) -> None:
    box = add("cube", "props", (1.0, -1.5, 0.1), "Box", 0.5, "BOX", size=0.2)
    add("cube", "props", (2.0, -1.5, 0.1), "Held", 0.5, "BOX", size=0.2).parent = hero
    bpy.context.view_layer.update()
    scene = bpy.context.scene
    scene.frame_end = 3
    request, motion = moved_props(hero, 30)
    before, seen = repr(contents()), []

    def late(*_: Any) -> None:
        seen.append((scene.frame_end, box.animation_data.action.name, box.rigid_body.kinematic))
        raise ZeroDivisionError

    monkeypatch.setattr(writing, "look_at", late)
    with pytest.raises(ZeroDivisionError):
        finished(write_steps(bpy.context, hero, request, motion))
    assert len(seen) == 1 and seen[0][0] > 3 and seen[0][1:] == ("Box Motion", True)
    assert repr(contents()) == before and not box.rigid_body.kinematic and hero.animation_data is None
    assert not scene.biped.is_property_set("end_extended")


def test_the_error_measures_what_is_wrong(hero: Any) -> None:
    box = add("cube", "props", (1.0, -1.0, 0.1), "Box", size=0.2)
    first, frames = start_matrix(box), np.array([1])
    track = np.tile([1.0, -1.0, 0.1, *axis_angle_quaternion([0.0, 0.0, 1.0], 0.0)], (int(RATE), 1))
    job = read_request(bpy.context, hero).job
    motion = standing_motion(job.character, len(track))
    assert max(prop_error(box, track, motion, frames, first)) < 1e-3
    box.location.x += 0.01
    box.rotation_euler.z = 0.1
    far, turned = prop_error(box, track, motion, frames, first)
    assert far == pytest.approx(0.01, rel=0.01) and turned == pytest.approx(0.1, rel=0.01)


def standing_motion(character: Any, count: int) -> Motion:
    zeros = np.zeros((count, 2))
    origins, rotations = character.standing()
    return Motion(
        character=character, times=np.arange(count) / RATE, root=np.tile(origins[0], (count, 1)),
        rotations=np.tile(rotations, (count, 1, 1)), loads=zeros, torques=np.zeros((count, len(rotations), 3)),
        strikes=np.zeros((0, 2)), lifts=np.zeros((0, 2)), command=np.zeros((count, 3)), cpu=0.0, outcome="arrived",
    )  # fmt: skip


@pytest.mark.parametrize("mode", ["QUATERNION", "AXIS_ANGLE", "XYZ", "ZXY"])
def test_where_a_prop_begins_is_found_as_blender_would_place_it(hero: Any, mode: str) -> None:
    box = add("cube", "props", (1.0, 2.0, 3.0), "Box", size=0.4)
    box.rotation_mode, box.scale, box.delta_scale = mode, (1.0, 2.0, 0.5), (0.5, 1.5, 1.0)
    box.rotation_quaternion, box.rotation_axis_angle = (0.6, 1.2, -0.4, 0.9), (0.7, 1.0, 2.0, -1.0)
    box.rotation_euler, box.delta_rotation_euler = (0.3, -0.8, 1.1), (0.2, 0.4, -0.3)
    box.delta_location, box.delta_rotation_quaternion = (0.1, -0.2, 0.3), (0.8, 0.0, 0.6, 0.0)
    numbers = {
        name: list(getattr(box, name))
        for name in ("location", "rotation_quaternion", "rotation_axis_angle", "rotation_euler")
    }
    assert basis_of(box, numbers) == pytest.approx(np.array(box.matrix_basis), abs=1e-5)


def ball(name: str, segments: int, radius: float = 0.2) -> Any:
    import bmesh  # which is there once bpy is

    made = bmesh.new()
    bmesh.ops.create_uvsphere(made, u_segments=2 * segments, v_segments=segments, radius=radius)
    mesh = bpy.data.meshes.new(name)
    made.to_mesh(mesh)
    made.free()
    found = bpy.data.objects.new(name, mesh)
    found.location = (2.0, 0.0, radius)
    bpy.context.scene.biped.props.objects.link(found)
    return found


def counted_hulls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the number of points of each hull that is made."""
    made: list[int] = []
    convex = solids.convex_of

    def counted(points: Any) -> Any:
        made.append(len(points))
        return convex(points)

    monkeypatch.setattr(solids, "convex_of", counted)
    return made


def test_a_hull_is_made_once_however_many_there_are(hero: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for k in range(80):
        ball(f"Ball {k}", 4, 0.1 + 0.001 * k).location = (2.0, 0.4 * k - 15.0, 0.2)
    bpy.context.view_layer.update()
    made = counted_hulls(monkeypatch)
    first = read_request(bpy.context).job
    again = read_request(bpy.context).job
    assert len(made) == 80 and again.world.things == first.world.things


def test_a_hull_of_many_points_is_that_of_the_outermost_ones(hero: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ball("Ball", 60)
    cube = np.array([(x, y, z) for x in (-0.2, 0.2) for y in (-0.2, 0.2) for z in (-0.2, 0.2)])
    inside = np.random.default_rng(1).uniform(-0.2, 0.2, (3000, 3))
    made = counted_hulls(monkeypatch)
    points, _ = solids.convex_of_many(np.concatenate((inside, cube)))
    assert {tuple(point) for point in np.round(points, 6).tolist()} == {tuple(point) for point in cube.tolist()}
    bpy.context.view_layer.update()
    read_request(bpy.context)
    assert max(made) <= 2 * MOST_POINTS


def test_meshes_of_too_many_points_are_refused_before_they_are_read(hero: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (solids, job_things):
        monkeypatch.setattr(module, "MOST_VERTICES", 300)
    ball("Ball", 8).location.y = 2.0
    bpy.context.view_layer.update()
    read_request(bpy.context)
    ball("Other", 16).location.y = -2.0
    bpy.context.view_layer.update()
    with pytest.raises(DataError, match=r"'Other' has 482 vertices, with which .* more than 300 together: .*Decimate"):
        read_request(bpy.context)


def test_props_in_one_place_are_refused(hero: Any) -> None:
    mesh = ball("Ball", 4).data
    for k in range(MOST_TOGETHER):
        other = bpy.data.objects.new(f"Other {k}", mesh)
        other.location = (2.0 + 0.001 * k, 0.0, 0.2)
        bpy.context.scene.biped.props.objects.link(other)
    bpy.context.view_layer.update()
    with pytest.raises(DataError, match=f"There are {MOST_TOGETHER + 1} props in one place.*move them apart"):
        read_request(bpy.context)
    bpy.data.objects["Other 0"].location.x = 4.0
    bpy.context.view_layer.update()
    read_request(bpy.context)
