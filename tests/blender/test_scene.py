"""Walks that answer the scene: pushes by their keys, winds by theirs, in one step of undo."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.ui.bake.result import result_lines, result_of
from blender_biped.ui.base.status import status
from blender_biped.ui.job.found import found_lines
from blender_biped.ui.job.request import read_request
from blender_biped.ui.panels.fall_operators import fallen
from tests.blender.scenes import contents, make_curve, make_rig


@pytest.fixture
def hero() -> Any:
    """A character that walks 6 m along -Y, where it faces, without other tries."""
    rig = make_rig()
    rig.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (0.0, -6.0, 0.0)])
    rig.biped.walk.fall_back = False
    bpy.context.view_layer.objects.active = rig
    return rig


def add_push(frame: int, direction: str = "BACK", part: str = "LEFT_SHOULDER") -> Any:
    bpy.context.scene.frame_set(frame)
    armature = bpy.context.view_layer.objects.active
    assert bpy.ops.biped.add_push(direction=direction, part=part) == {"FINISHED"}
    arrow = bpy.context.view_layer.objects.active
    bpy.context.view_layer.objects.active = armature
    bpy.context.scene.frame_set(1)
    return arrow


def add_field(kind: str, strength: float, turn: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Any:
    bpy.ops.object.effector_add(type=kind, location=(1.0, 2.0, 1.0), rotation=turn)
    made = bpy.context.active_object
    made.field.strength = strength
    return made


def job_of(hero: Any) -> Any:
    return read_request(bpy.context, hero).job


def texts(hero: Any) -> list[str]:
    return [line.text for line in found_lines(bpy.context, hero)]


# --- pushes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("direction", "force"),
    [("AHEAD", (0, -250, 0)), ("BACK", (0, 250, 0)), ("LEFT", (250, 0, 0)), ("RIGHT", (-250, 0, 0))],
)
def test_a_push_acts_where_and_when_it_is_keyed(hero: Any, direction: str, force: tuple[float, ...]) -> None:
    add_push(73, direction)
    bpy.context.view_layer.update()
    (push,) = job_of(hero).pushes
    assert np.allclose(push.force, force, atol=1e-3)
    assert (push.role, push.time, push.length) == ("chest", pytest.approx(3.0), pytest.approx(0.2))
    chest = read_request(bpy.context, hero).job.character
    assert push.point == chest.links[chest.index("upper_arm.L")].offset
    assert texts(hero) == ["Pushes at frames 73"]


def test_each_key_is_a_push_and_more_objects_are_more_pushes(hero: Any) -> None:
    arrow = add_push(73)
    arrow.biped.push.force = 100.0
    arrow.keyframe_insert("biped.push.force", frame=97)
    add_push(49, part="HEAD")
    pushes = job_of(hero).pushes
    assert [(push.role, round(push.time, 3), round(abs(push.force[1]))) for push in pushes] == [
        ("head", 2.0, 250), ("chest", 3.0, 250), ("chest", 4.0, 100),
    ]  # fmt: skip


def test_what_does_nothing_is_said(hero: Any) -> None:
    arrow = add_push(73)
    arrow.animation_data_clear()
    hero.biped.walk.frame_start = 50
    add_push(20)
    request = read_request(bpy.context, hero)
    assert request.job.pushes == ()
    assert any("has no key" in note for note in request.notes) and any("before the walk" in n for n in request.notes)
    assert any("has no key" in text for text in texts(hero))


def test_another_character_s_push_is_not_its_own(hero: Any) -> None:
    add_push(73).biped.push.character = make_rig("Other")
    assert job_of(hero).pushes == () and texts(hero) == ["Nothing but the flat ground"]


def test_without_size_it_points_nowhere(hero: Any) -> None:
    add_push(73).scale = (0.0, 0.0, 0.0)
    with pytest.raises(DataError, match="points nowhere"):
        read_request(bpy.context, hero)


def test_klaw_says_that_pushes_do_nothing(hero: Any) -> None:
    add_push(73)
    hero.biped.walk.controller_name, hero.biped.walk.preset_name = "klaw", "walk"
    request = read_request(bpy.context, hero)
    assert request.job.pushes == () and any("do nothing to it" in note for note in request.notes)


@pytest.mark.long
def test_a_push_makes_it_stagger_and_undo_takes_the_walk_back(hero: Any) -> None:
    """At three frames, of which two must be survived: walks are chaotic."""
    arrived, slowed, tried = 0, 0, 0
    hero.biped.walk.controller = "generalized"
    bpy.ops.ed.undo_push(message="begin")
    for frame in (80, 85, 90):
        if arrived == 2:
            break
        tried += 1
        add_push(frame)
        bpy.ops.ed.undo_push(message="before")
        before = contents()
        assert bpy.ops.biped.bake_walk() == {"FINISHED"}
        hero = bpy.data.objects["Rig"]
        result = result_of(hero)
        assert result is not None
        arrived += result.summary.outcome == "arrived"
        heads = []
        for at in (frame, frame + 12):
            bpy.context.scene.frame_set(at)
            heads.append(hero.matrix_world @ hero.pose.bones["spine"].head)
        slowed += -(heads[1].y - heads[0].y) < 0.35  # m in half a second; it would have gone 0.55
        bpy.context.scene.frame_set(1)
        bpy.ops.ed.undo_push(message="Bake Walk")
        bpy.ops.ed.undo()
        assert contents() == before
        for thing in [o for o in bpy.data.objects if o.biped.push.active]:
            bpy.data.objects.remove(thing)
        hero = bpy.data.objects["Rig"]
        bpy.context.view_layer.objects.active = hero
    assert arrived == 2 and slowed == tried


@pytest.mark.long
def test_natural_walking_staggers_recovers_arrives_and_undo_takes_all_back(hero: Any) -> None:
    """The default controller, pushed from behind; where it falls, once more at another frame: walks are chaotic."""
    assert hero.biped.walk.controller == "natural"
    bpy.ops.ed.undo_push(message="begin")
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    calm = {frame: hips(frame + 24) for frame in (73, 66)}
    bpy.ops.ed.undo_push(message="Bake Walk")
    bpy.ops.ed.undo()
    for frame in calm:
        bpy.context.view_layer.objects.active = bpy.data.objects["Rig"]
        arrow = add_push(frame, "AHEAD").name
        bpy.ops.ed.undo_push(message="before")
        before = contents()
        assert bpy.ops.biped.bake_walk() == {"FINISHED"}
        result = result_of(bpy.data.objects["Rig"])
        assert result is not None and result.summary.fallback is None
        arrived = result.summary.outcome == "arrived"
        assert np.linalg.norm(hips(frame + 24) - calm[frame]) > 0.15  # m: it staggers
        bpy.context.scene.frame_set(1)
        bpy.ops.ed.undo_push(message="Bake Walk")
        bpy.ops.ed.undo()
        assert contents() == before and result_of(bpy.data.objects["Rig"]) is None
        bpy.data.objects.remove(bpy.data.objects[arrow])
        if arrived:
            break
    assert arrived


def hips(frame: int) -> Any:
    """Return where the hips are at a frame."""
    bpy.context.scene.frame_set(frame)
    rig = bpy.data.objects["Rig"]
    return np.array(rig.matrix_world @ rig.pose.bones["spine"].head)


@pytest.mark.long
def test_a_fall_as_a_ragdoll_is_baked_as_a_choice_and_undone(hero: Any) -> None:
    hero.biped.walk.controller_name, hero.biped.walk.preset_name = "simbicon", "walk"
    hero.biped.walk.fall_back = True  # the choice counts before it
    assert not hero.biped.walk.ragdoll and job_of(hero).ragdoll == 0.0
    hero.biped.walk.ragdoll = True
    add_push(60).biped.push.force = 900.0
    arrow = next(o for o in bpy.data.objects if o.biped.push.active)
    arrow.keyframe_insert("biped.push.force", frame=60)
    bpy.ops.ed.undo_push(message="before")
    before = contents()
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    hero = bpy.data.objects["Rig"]
    result = result_of(hero)
    assert result is not None and result.summary.fallback is None
    assert (result.summary.outcome, result.summary.lies) == ("fell", True)
    assert result_lines(result, bpy.context.scene.unit_settings)[0].icon == "CHECKMARK"
    assert status.level == "INFO" and "falls as a ragdoll" in status.message and "lies still" in status.message
    assert fallen(hero) is None  # nothing is offered for what was chosen
    first, last = (int(frame) for frame in result.action.frame_range)
    assert first < result.action.biped.fell_frame < last
    heads = []
    for frame in (last - 6, last):
        bpy.context.scene.frame_set(frame)
        bones = [hero.pose.bones[name] for name in ("spine", "forearm.L", "foot.L", "hand.R")]
        heads.append([list(hero.matrix_world @ bone.head) for bone in bones])
    assert np.abs(np.array(heads[0]) - np.array(heads[1])).max() < 0.02
    assert max(head[2] for head in heads[1]) < 0.5
    bpy.context.scene.frame_set(1)
    bpy.ops.ed.undo_push(message="Bake Walk")
    bpy.ops.ed.undo()
    assert contents() == before and result_of(bpy.data.objects["Rig"]) is None


def test_klaw_has_no_ragdoll(hero: Any) -> None:
    hero.biped.walk.ragdoll = True
    hero.biped.walk.controller_name, hero.biped.walk.preset_name = "klaw", "walk"
    assert job_of(hero).ragdoll == 0.0


# --- winds -----------------------------------------------------------------------------------------------------------


def test_a_wind_has_its_keyed_strength_and_direction(hero: Any) -> None:
    wind = add_field("WIND", 0.0, (0.0, 0.5 * math.pi, 0.0))
    for frame, strength in ((25, 0.0), (49, 40.0)):
        wind.field.strength = strength
        wind.keyframe_insert("field.strength", frame=frame)
    (own,) = job_of(hero).world.winds
    assert own.kind == "wind" and np.allclose(own.direction, (1.0, 0.0, 0.0), atol=1e-6)
    assert own.strength(0.0) == own.strength(1.0) == 0.0
    assert own.strength(1.5) == pytest.approx(20.0, abs=0.5) and own.strength(9.0) == pytest.approx(40.0)
    assert any(text.startswith("Wind ") for text in texts(hero))


def test_a_force_pushes_away_and_other_fields_are_left_alone(hero: Any) -> None:
    add_field("FORCE", 30.0)
    add_field("TURBULENCE", 30.0)
    (own,) = job_of(hero).world.winds
    assert own.kind == "force" and np.allclose(own.place, (1.0, 2.0, 1.0))
    assert own.force((2.0, 2.0, 1.0), 0.0)[0] > 0.0 == own.force((2.0, 2.0, 1.0), 0.0)[1]


def test_blender_s_units_are_the_job_s_metres(hero: Any) -> None:
    field = add_field("FORCE", 30.0)
    field.field.use_max_distance, field.field.distance_max = True, 4.0
    bpy.context.scene.unit_settings.scale_length = 0.5
    (own,) = job_of(hero).world.winds
    assert np.allclose(own.place, (0.5, 1.0, 0.5)) and (own.unit, own.reach) == (0.5, 2.0)
