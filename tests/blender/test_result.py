"""What a bake tells and adds: the figures on its action, footprints, markers. Without a window and without physics."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.job import Job
from blender_biped.motion import gait_events
from blender_biped.motion.motion import Motion
from blender_biped.motion.summary import Summary, summarised
from blender_biped.ui.bake import writing
from blender_biped.ui.bake.marks import lay_footprints
from blender_biped.ui.bake.result import result_lines, result_of
from blender_biped.ui.base.status import status
from blender_biped.ui.base.units import SPACE, length_text, speed_text
from blender_biped.ui.job.mapping import walk_of
from blender_biped.ui.panels.bake_panels import BIPED_PT_result
from blender_biped.ui.settings.kept_result import keep_summary, summary_of
from blender_biped.world.floor import Floor
from tests.blender.scenes import contents, make_curve, make_rig
from tests.blender.scripted import answer_at_once
from tests.motion.synthetic import Walk, walked

STRAIGHT = [(1.0, 2.0, 0.0), (6.0, 2.0, 0.0)]
SUMMARY = Summary(
    outcome="arrived", duration=15.7, cpu=3.86, fell_at=None, end_distance=0.1287, left=0.1, desired_speed=1.2,
    speed=1.1714, deviation_mean=0.0772, deviation_worst=0.165, slip_median=0.00298, slip_worst=0.00952, steps=23,
    cadence=108.9,
)  # fmt: skip
FALL = replace(SUMMARY, outcome="fell", fell_at=4.4, end_distance=None, left=6.7)


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Motion, Job]]:
    """The worker answers at once, with a walk that nobody simulated; returns the walks and their jobs."""
    made: list[tuple[Motion, Job]] = []

    def answer(job: Job, *_: object) -> Motion:
        motion = walked(job.path, Walk(speed=0.8 * job.speed), job.character)[0]
        made.append((replace(motion, root=motion.root + np.array([0.0, 0.0, job.ground])), job))
        return made[-1][0]

    answer_at_once(monkeypatch, answer)
    return made


@pytest.fixture
def falls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Motion, Job]]:
    """As ``walks``, but the walks fall after 2 s."""
    made: list[tuple[Motion, Job]] = []

    def answer(job: Job, *_: object) -> Motion:
        motion = walked(job.path, None, job.character)[0]
        sunk = np.outer(np.where(motion.times >= 2.0, -0.6, 0.0), (0.0, 0.0, 1.0))
        made.append((replace(motion, root=motion.root + sunk, outcome="fell"), job))
        return made[-1][0]

    answer_at_once(monkeypatch, answer)
    return made


@pytest.fixture
def ready() -> Any:
    """A rig and a straight path of 5 m, chosen in the panel, footprints and markers asked for; returns the rig."""
    armature = make_rig()
    settings = armature.biped.walk
    settings.path = make_curve(STRAIGHT)
    settings.footprints = settings.markers = True
    bpy.context.view_layer.update()
    status.end("", "INFO")
    return armature


def bake() -> None:
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    assert status.work is None


def lines(armature: Any) -> list[str]:
    result = result_of(armature)
    assert result is not None
    said = result_lines(result, bpy.context.scene.unit_settings)
    return [plain(f"{line.name}: {line.text}" if line.name else line.text) for line in said]


def plain(text: str) -> str:
    """Return a text with ordinary spaces."""
    return text.replace(SPACE, " ")


def with_result(summary: Summary, fell_frame: int | None = None) -> Any:
    """Return an armature with an empty action that has a summary."""
    armature = make_rig()
    armature.animation_data_create().action = bpy.data.actions.new("Rig Walk")
    keep_summary(armature.animation_data.action, summary, fell_frame)
    return armature


def corners(mesh: Any) -> list[np.ndarray[Any, Any]]:
    """Return the corners (N, 3) of each face of a mesh."""
    return [np.array([mesh.vertices[i].co for i in face.vertices]) for face in mesh.polygons]


# --- the figures -----------------------------------------------------------------------------------------------------


def test_a_bake_keeps_its_figures_on_its_action(ready: Any, walks: list[tuple[Motion, Job]]) -> None:
    assert result_of(ready) is None
    bake()
    kept, wanted = summary_of(ready.animation_data.action), summarised(*walks[0])
    assert kept is not None and kept.outcome == "arrived" and kept.steps == wanted.steps > 8
    assert kept.duration == pytest.approx(wanted.duration)
    assert (kept.speed, kept.deviation_worst) == pytest.approx((wanted.speed, wanted.deviation_worst), abs=1e-6)
    assert kept.fell_at is None


@pytest.mark.parametrize("summary", [SUMMARY, FALL, replace(SUMMARY, speed=None, deviation_mean=None, cadence=None)])
def test_figures_come_back_as_they_were_kept(summary: Summary) -> None:
    action = bpy.data.actions.new("Walk")
    assert summary_of(action) is None
    for before in (FALL, summary):  # what was kept before does not shine through
        keep_summary(action, before, None)
    found = summary_of(action)
    assert found is not None
    for name, value in vars(summary).items():
        kept = getattr(found, name)
        assert kept == (pytest.approx(value) if isinstance(value, float) else value), name


def test_figures_outlive_saving_and_loading(ready: Any, walks: list[tuple[Motion, Job]], tmp_path: Path) -> None:
    bake()
    said = lines(ready)
    file = str(tmp_path / "walk.blend")
    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.open_mainfile(filepath=file)
    assert lines(bpy.data.objects["Rig"]) == said
    bake()
    assert [o.name for o in bpy.data.objects if o.type == "MESH"] == ["Rig Footprints"]


def test_each_action_has_its_own_figures(ready: Any, walks: list[tuple[Motion, Job]]) -> None:
    ready.biped.pace, ready.biped.onto = "EXACT", "ACTION"
    bake()
    first = ready.animation_data.action
    walk_of(bpy.context).speed = 0.8
    bake()
    assert "of 0.8 m/s" in lines(ready)[1]
    assert first.use_fake_user and first.users == 1  # nothing but that keeps the old action
    ready.animation_data.action = first
    assert "of 1.2 m/s" in lines(ready)[1]
    ready.animation_data.action = bpy.data.actions.new("Idle")
    assert result_of(ready) is None and not BIPED_PT_result.poll(bpy.context)


def test_a_walk_pushed_down_to_the_nla_is_still_told_of(ready: Any, walks: list[tuple[Motion, Job]]) -> None:
    bake()
    data = ready.animation_data
    action = data.action
    data.nla_tracks.new().strips.new("Walk", 1, action)
    data.action = None
    result = result_of(ready)
    assert result is not None and result.action == action and not result.active
    assert BIPED_PT_result.poll(bpy.context)


def test_one_undo_takes_everything_back(ready: Any, walks: list[tuple[Motion, Job]]) -> None:
    bpy.ops.ed.undo_push(message="before")
    before = contents()
    bpy.ops.biped.bake_walk("EXEC_DEFAULT", True)
    assert "Rig Footprints" in bpy.data.objects and result_of(bpy.data.objects["Rig"])
    bpy.ops.ed.undo()
    assert contents() == before and not bpy.data.materials
    armature = bpy.data.objects["Rig"]
    assert result_of(armature) is None and armature.biped.footprints is None
    bpy.ops.ed.redo()
    assert result_of(bpy.data.objects["Rig"]) and bpy.data.objects["Rig"].biped.footprints


def test_no_armature_has_no_result(scene: Any) -> None:
    assert result_of(None) is None and not BIPED_PT_result.poll(bpy.context)
    with pytest.raises(RuntimeError, match="no walk that fell"):
        bpy.ops.biped.go_to_fall()


# --- in an animator's words ------------------------------------------------------------------------------------------


def test_what_the_panel_says() -> None:
    assert lines(with_result(SUMMARY)) == [
        "Reached the end: 13 cm from it",
        "Speed: 1.17 of 1.2 m/s",
        "Off the Path: 7.7 cm, at worst 17 cm",
        "Feet Slide: 3 mm, at worst 9.5 mm",
        "Steps: 23, 109 a minute",
        "Duration: 15.7 s, made in 3.9 s",
    ]


def test_what_the_panel_says_in_feet_and_inches(scene: Any) -> None:
    scene.unit_settings.system = "IMPERIAL"
    assert lines(with_result(SUMMARY))[:4] == [
        'Reached the end: 5.1" from it',
        "Speed: 3.84 of 3.94 ft/s",
        'Off the Path: 3", at worst 6.5"',
        "Feet Slide: 118 thou, at worst 374 thou",
    ]


def test_lengths_are_bare_numbers_in_blender_units_where_the_scene_has_no_units(scene: Any) -> None:
    units = scene.unit_settings
    units.system, units.scale_length = "NONE", 0.01
    assert (length_text(0.1287, units), speed_text(1.2, units)) == ("13", "120")


def test_lengths_are_real_whatever_the_scale_of_the_scene(scene: Any) -> None:
    units = scene.unit_settings
    for scale in (1.0, 0.01):
        units.scale_length = scale
        assert [plain(length_text(v, units)) for v in (3.2146, 0.1287, 0.00298)] == ["3.21 m", "13 cm", "3 mm"]
        assert plain(length_text(0.00002, units)) == "0 m"


@pytest.mark.parametrize(
    ("summary", "line", "icon"),
    [
        (SUMMARY, "Reached the end: 13 cm from it", "CHECKMARK"),
        (FALL, "Fell at frame 107 (4.4 s), 6.7 m before the end", "ERROR"),
        (replace(SUMMARY, outcome="unfinished", left=3.21), "Did not reach the end: 3.21 m left", "ERROR"),
        (replace(SUMMARY, outcome="stuck", left=3.21), "Steps on the spot: 3.21 m left", "ERROR"),
        (replace(SUMMARY, outcome="passed", end_distance=None), "Reached the end, still walking", "CHECKMARK"),
        (replace(SUMMARY, end_distance=None), "Reached the end, but does not stand still there", "ERROR"),
        (replace(SUMMARY, astray="end", end_distance=1.4), "Stands 1.4 m from the path's end", "ERROR"),
        (
            replace(SUMMARY, astray="path", deviation_worst=0.86),
            "Reached the end, but strayed up to 86 cm from the path",
            "ERROR",
        ),
    ],
)
def test_how_it_ended(summary: Summary, line: str, icon: str) -> None:
    result = result_of(with_result(summary, 107))
    assert result is not None
    first = result_lines(result, bpy.context.scene.unit_settings)[0]
    assert (plain(first.text), first.icon) == (line, icon)


def test_figures_that_do_not_apply_are_dashes_with_the_reason() -> None:
    none = replace(
        SUMMARY, speed=None, deviation_mean=None, deviation_worst=None, slip_median=None, slip_worst=None,
        steps=1, cadence=None,
    )  # fmt: skip
    assert lines(with_result(none))[1:5] == [
        "Speed: - of 1.2 m/s (no steady stretch)",
        "Off the Path: - (fewer than two steps)",
        "Feet Slide: - (no foot stood)",
        "Steps: 1",
    ]


# --- a fall ----------------------------------------------------------------------------------------------------------


def test_a_fall_is_told_and_gone_to(ready: Any, scene: Any, falls: list[tuple[Motion, Job]]) -> None:
    walk_of(bpy.context).frame_start = 11
    bake()
    frame = round(11 + 2.0 * 24)
    assert lines(ready)[0].startswith(f"Fell at frame {frame} (2.0 s), ")
    assert status.message.startswith("The character fell after 2.0 s")
    assert bpy.ops.biped.go_to_fall() == {"FINISHED"}
    assert scene.frame_current == frame
    strip = ready.animation_data.nla_tracks.new().strips.new("Walk", 1, ready.animation_data.action)
    ready.animation_data.action = None
    assert strip.action.biped.fell_frame == frame
    with pytest.raises(RuntimeError, match="in an NLA strip"):
        bpy.ops.biped.go_to_fall()


def test_a_walk_beside_its_path_is_told_of(ready: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_at_once(
        monkeypatch, lambda job, *_: walked(job.path, Walk(speed=0.8 * job.speed, offset=0.6), job.character)[0]
    )
    bake()
    assert lines(ready)[0] == "Stands 60 cm from the path's end"
    assert plain(status.message).startswith("Stands 60 cm from the path's end. Set a lower speed or another style")
    assert status.level == "WARNING"


def test_what_comes_after_a_fall_leaves_no_marks(ready: Any, falls: list[tuple[Motion, Job]]) -> None:
    bake()
    markers = ready.animation_data.action.pose_markers
    assert len(markers) == sum(time < 2.0 for time, _ in gait_events.strikes(falls[0][0]))
    assert max(m.frame for m in markers) <= 1 + 2 * 24


def test_a_walk_that_did_not_fall_has_no_fall_to_go_to(ready: Any, walks: list[tuple[Motion, Job]]) -> None:
    bake()
    with pytest.raises(RuntimeError, match="no walk that fell"):
        bpy.ops.biped.go_to_fall()


# --- markers ---------------------------------------------------------------------------------------------------------


def test_foot_strikes_are_marked_in_the_action_only(ready: Any, scene: Any, walks: list[tuple[Motion, Job]]) -> None:
    scene.timeline_markers.new("mine", frame=7)
    walk_of(bpy.context).frame_start, scene.render.fps = 21, 30
    bake()
    found = [(m.name, m.frame) for m in ready.animation_data.action.pose_markers]
    assert found == [("LR"[side], round(21 + 30 * time)) for time, side in gait_events.strikes(walks[0][0])]
    assert [m.name for m in scene.timeline_markers] == ["mine"]


def test_nothing_is_added_that_was_not_asked_for(ready: Any, scene: Any, walks: list[tuple[Motion, Job]]) -> None:
    walk_of(bpy.context).property_unset("footprints")
    walk_of(bpy.context).property_unset("markers")
    before = contents()["blocks"]
    bake()
    after = contents()["blocks"]
    assert {k: v for k, v in after.items() if k != "actions"} == {k: v for k, v in before.items() if k != "actions"}
    assert not bpy.data.materials and not ready.animation_data.action.pose_markers


# --- footprints ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", [1.0, 0.1])
def test_footprints_lie_where_the_feet_stood(scene: Any, walks: list[tuple[Motion, Job]], unit: float) -> None:
    scene.unit_settings.scale_length = unit
    armature = make_rig(edit=lambda bones: scaled(bones, 1.0 / unit))
    walk_of(bpy.context).path = make_curve([(x / unit, y / unit, 0.0) for x, y, _ in STRAIGHT])
    walk_of(bpy.context).footprints = True
    armature.location.z = 0.5 / unit
    bpy.context.view_layer.update()
    bake()
    laid = armature.biped.footprints
    motion, job = walks[0]
    prints = gait_events.footprints(motion)
    faces = corners(laid.data)
    assert len(faces) == len(prints) and laid.hide_render and laid.matrix_world.is_identity
    for face, polygon, mark in zip(faces, laid.data.polygons, prints, strict=True):
        assert unit * face[:, :2] == pytest.approx(gait_events.sole_outline(motion.character, mark), abs=1e-5)
        assert unit * face[:, 2] == pytest.approx(job.ground + 0.002 * motion.character.leg_length / 0.9, abs=1e-5)
        assert polygon.material_index == mark.side and polygon.normal.z > 0.99
    assert [m.name for m in laid.data.materials] == ["Rig Footprints Left", "Rig Footprints Right"]


def scaled(bones: Any, factor: float) -> None:
    for bone in bones:
        bone.head, bone.tail = bone.head * factor, bone.tail * factor


def test_a_bake_again_replaces_the_footprints(ready: Any, walks: list[tuple[Motion, Job]]) -> None:
    bake()
    laid = ready.biped.footprints
    count = len(laid.data.polygons)
    laid.name, laid.hide_render, laid.location.x = "Prints in Snow", False, 3.0
    laid.data.materials[0].diffuse_color = (1.0, 1.0, 1.0, 1.0)
    walk_of(bpy.context).speed = 0.8
    bake()
    assert [o for o in bpy.data.objects if o.type == "MESH"] == [laid] and len(bpy.data.meshes) == 1
    assert len(laid.data.polygons) > count and laid.matrix_world.is_identity
    assert len(bpy.data.materials) == 2 and tuple(laid.data.materials[0].diffuse_color) == (1.0, 1.0, 1.0, 1.0)
    assert not laid.hide_render  # how the user wants them is kept


def test_what_the_user_made_is_not_touched(ready: Any, scene: Any, walks: list[tuple[Motion, Job]]) -> None:
    mesh = bpy.data.meshes.new("Rig Footprints")
    mesh.from_pydata([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], [], [(0, 1, 2)])
    users = bpy.data.objects.new("Rig Footprints", mesh)
    scene.collection.objects.link(users)
    bake()
    bake()
    assert len(mesh.vertices) == 3 and users.data == mesh and not mesh.materials
    assert ready.biped.footprints != users and len([o for o in bpy.data.objects if o.type == "MESH"]) == 2


def test_deleted_footprints_come_back(ready: Any, scene: Any, walks: list[tuple[Motion, Job]]) -> None:
    for how in (delete_by_operator, lambda: bpy.data.objects.remove(ready.biped.footprints)):
        bake()
        assert ready.biped.footprints in scene.objects.values()
        how()
        assert not [o for o in scene.objects if o.type == "MESH"]
    bake()
    assert [o.name for o in bpy.data.objects if o.type == "MESH"] == ["Rig Footprints"]


def delete_by_operator() -> None:
    bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active.biped.footprints.select_set(True)
    bpy.ops.object.delete()


def test_two_characters_have_footprints_of_their_own(ready: Any, scene: Any, walks: list[tuple[Motion, Job]]) -> None:
    bake()
    first, twin = ready.biped.footprints, ready.copy()
    twin.data = ready.data.copy()
    scene.collection.objects.link(twin)
    assert twin.biped.footprints == first  # copied with everything else
    bpy.context.view_layer.objects.active = twin
    bake()
    assert twin.biped.footprints.name == "Rig.001 Footprints" and ready.biped.footprints == first
    bake()
    bpy.context.view_layer.objects.active = ready
    bake()
    assert sorted(o.name for o in bpy.data.objects if o.type == "MESH") == ["Rig Footprints", "Rig.001 Footprints"]


def test_they_are_where_the_armature_is(ready: Any, scene: Any, walks: list[tuple[Motion, Job]]) -> None:
    cast = bpy.data.collections.new("Cast")
    scene.collection.children.link(cast)
    cast.objects.link(ready)
    scene.collection.objects.unlink(ready)
    bake()
    assert list(ready.biped.footprints.users_collection) == [cast]


def test_footprints_that_are_edited_are_left_alone_and_the_walk_is_baked(
    ready: Any, walks: list[tuple[Motion, Job]]
) -> None:
    bake()
    laid = ready.biped.footprints
    bpy.context.scene.biped.armature, ready.biped.onto = ready, "ACTION"
    bpy.context.view_layer.objects.active = laid
    bpy.ops.object.mode_set(mode="EDIT")
    first = ready.animation_data.action
    bake()
    assert ready.animation_data.action != first and summary_of(ready.animation_data.action)
    assert "'Rig Footprints' is in Edit mode: leave it" in status.message and status.level == "WARNING"
    bpy.ops.object.mode_set(mode="OBJECT")


@pytest.mark.parametrize("what", ["lay_footprints", "mark_strikes", "keep_summary"])
def test_what_goes_wrong_on_top_does_not_lose_the_bake(
    ready: Any, walks: list[tuple[Motion, Job]], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("broken")

    monkeypatch.setattr(writing, what, broken)
    bake()
    assert ready.animation_data.action.name == "Rig Walk"
    assert "could not be added: broken" in status.message and status.level == "WARNING"


def test_a_character_that_was_linked_gets_its_footprints_in_the_scene(
    ready: Any, walks: list[tuple[Motion, Job]], tmp_path: Path
) -> None:
    cast = bpy.data.collections.new("Cast")
    bpy.context.scene.collection.children.link(cast)
    cast.objects.link(ready)
    bpy.context.scene.collection.objects.unlink(ready)
    file = tmp_path / "cast.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    with bpy.data.libraries.load(str(file), link=True) as (_, here):
        here.collections = ["Cast"]
    scene.collection.children.link(here.collections[0])
    own = here.collections[0].override_hierarchy_create(scene, bpy.context.view_layer)
    armature = next(o for o in own.all_objects if o.type == "ARMATURE")
    bpy.context.view_layer.objects.active = armature
    armature.biped.walk.path, armature.biped.walk.footprints = make_curve(STRAIGHT), True
    bpy.context.view_layer.update()
    bake()
    laid = armature.biped.footprints
    assert list(laid.users_collection) == [scene.collection] and not laid.library
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    assert lines(bpy.context.view_layer.objects.active)[0].startswith("Reached the end")
    bake()
    assert [o.name for o in bpy.data.objects if o.type == "MESH"] == ["Rig Footprints"]


def test_a_motion_without_a_step_leaves_an_empty_object(ready: Any) -> None:
    motion = walked(make_path(), None, None)[0]
    none = np.empty((0, 2))
    still = replace(motion, strikes=none, lifts=none, loads=np.zeros_like(motion.loads))
    assert len(lay_footprints(ready, still, Floor()).data.vertices) == 0


def make_path() -> Any:
    from blender_biped.world.path import Path as WorldPath

    return WorldPath([[0.0, 0.0], [5.0, 0.0]])


def test_a_refusal_goes_when_a_setting_changes_and_what_became_of_a_walk_stays(scene: Any) -> None:
    rig = make_rig()
    rig.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (3.0, 0.0, 0.0)])
    rig.biped.walk.controller, rig.biped.walk.start = "klaw", 9.0
    with pytest.raises(RuntimeError, match="start offset"):
        bpy.ops.biped.bake_walk()
    assert "start offset" in status.message
    rig.biped.walk.start = 0.0
    assert status.message == ""
    assert bpy.ops.biped.bake_walk() == {"FINISHED"} and status.message
    rig.biped.walk.start = 0.5
    assert status.message
