"""Points along the path: from what is set to the job, what is said of it, buttons, handles. Nothing is simulated."""

from __future__ import annotations

import re
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.limits import MAX_EVENTS
from blender_biped.job import Job
from blender_biped.motion.arrivals import Arrival
from blender_biped.preset.preset import preset, speeds_of
from blender_biped.ui.bake.result import arrivals_text
from blender_biped.ui.base.reading import read_way
from blender_biped.ui.base.status import status
from blender_biped.ui.base.units import SPACE
from blender_biped.ui.job.points_plan import PointsPlan, point_text
from blender_biped.ui.job.request import read_request
from blender_biped.ui.panels.on_way_panel import BIPED_PT_on_way
from blender_biped.ui.settings.path_points import in_order
from blender_biped.ui.view import path_handles, preview, way
from blender_biped.world.path_points import PathPoint
from tests.blender.drawn import shown
from tests.blender.scenes import fcurves, make_curve, make_rig


@pytest.fixture
def walk(scene: Any) -> Any:
    """The walk of a mapped character along 10 m straight ahead, at 24 frames a second from frame 1 on."""
    armature = make_rig()
    armature.biped.walk.path = make_curve([(0.0, 0.0, 0.5), (4.0, 0.0, 0.5), (10.0, 0.0, 2.0)])
    armature.biped.pace = "EXACT"
    bpy.ops.biped.map_bones()
    return armature.biped.walk


def add(walk: Any, place: float, **values: Any) -> Any:
    point = walk.points.add()
    point.place, point.timing = place, values.pop("timing", "SAME")
    for name, value in values.items():
        setattr(point, name, value)
    return point


def job() -> Job:
    return read_request(bpy.context).job


def notes() -> str:
    return " ".join(read_request(bpy.context).notes).replace(SPACE, " ")


def test_points_become_those_of_the_job_in_the_order_of_their_places(walk: Any) -> None:
    add(walk, 6.0, timing="FRAME", frame=217, wait=2.0)
    add(walk, 2.0, timing="SPEED", speed_mps=0.8, ease=0.5)
    add(walk, 8.0)  # says nothing
    found = job().along
    assert found[0].speed == pytest.approx(0.8) and (found[0].place, found[0].ease) == (2.0, 0.5)
    assert found[1:] == (PathPoint(6.0, time=9.0, wait=2.0),)
    assert not notes()


def test_a_walk_without_points_is_as_before(walk: Any) -> None:
    assert job().along == () and job().cues == ()


def test_places_are_in_the_units_of_the_scene_and_along_the_stretched_character(walk: Any) -> None:
    add(walk, 5.0, timing="SPEED", speed_mps=0.8, ease=1.0)
    walk.id_data.scale = (2.0, 2.0, 1.0)
    try:
        found = job()
    except DataError:
        pytest.skip("this stretch makes a slope")
    assert found.along[0].place == pytest.approx(0.5 * found.path.length)
    walk.id_data.scale = (1.0, 1.0, 1.0)
    bpy.context.scene.unit_settings.scale_length = 0.5
    found = job()
    assert found.path.length == pytest.approx(5.0) and found.along[0].place == pytest.approx(2.5)
    assert found.along[0].ease == pytest.approx(0.5) and found.along[0].speed == pytest.approx(0.8)


@pytest.mark.parametrize(("values", "said"), [
    ({"place": 11.0, "wait": 1.0}, "Point at 11 m: it is beyond the path's end at 10 m and does not count."),
    ({"place": 4.0, "timing": "FRAME", "frame": 1}, "Frame 1 is not after frame 1"),
    ({"place": 4.0, "timing": "FRAME", "frame": -50}, "Frame -50 is not after frame 1"),
    ({"place": 0.0, "timing": "FRAME", "frame": 50}, "The walk begins there"),
    ({"place": 4.0, "style_name": "kick"}, "There is no style 'kick' of Natural Walking: choose another one."),
])  # fmt: skip
def test_what_does_not_count_is_left_out_and_said(walk: Any, values: dict[str, Any], said: str) -> None:
    add(walk, **values)
    assert said in notes()
    found = job()
    assert found.along == () and found.cues == ()
    way.read_now(bpy.context)  # as a timer does soon
    said = said.removeprefix("Point at 11 m: ")  # in the panel it stands at the point
    assert any(said in text for text in shown(BIPED_PT_on_way))


def test_a_frame_before_that_of_the_point_before_it_does_not_count(walk: Any) -> None:
    add(walk, 3.0, timing="FRAME", frame=97, wait=2.0)
    add(walk, 5.0, timing="FRAME", frame=121)
    assert [point.time for point in job().along] == [4.0]
    assert "Frame 121 is not after frame 145, at which the walk is before it." in notes()


def test_the_default_walk_changes_its_style_at_points_at_once_or_little_by_little(walk: Any) -> None:
    add(walk, 2.0, style_name="sad", timing="SPEED", speed_mps=0.7)
    add(walk, 5.0, style_name="happy", change_over=3.0)
    first, second = job().cues
    assert (first.preset.name, first.place, first.ease) == ("sad", 2.0, 0.0)
    assert (second.preset.name, second.place, second.ease) == ("happy", 5.0, 3.0)
    assert [(point.place, round(point.speed, 6)) for point in job().along] == [(2.0, 0.7)] and not notes()


def test_a_style_that_is_chosen_at_a_point_begins_at_its_usual_speed(walk: Any) -> None:
    point = add(walk, 2.0)
    point.style = "jog"
    usual = speeds_of(preset("natural", "jog"))
    assert usual is not None and (point.timing, point.own_speed) == ("SPEED", pytest.approx(job().along[0].speed))
    assert job().along[0].speed == pytest.approx(usual.usual * job().character.size ** 0.5)
    point.own_speed = 2.6
    point.style = "SAME"
    assert (point.timing, point.own_speed) == ("SPEED", pytest.approx(2.6))
    point.timing = "FRAME"
    point.style = "sad"
    assert point.timing == "FRAME"


def test_the_speed_of_a_point_is_the_characters_own_as_the_panels_is(walk: Any) -> None:
    armature = bpy.context.object
    armature.biped.pace, armature.scale = "BY_SIZE", (0.25, 0.25, 0.25)
    bpy.context.view_layer.update()
    point = add(walk, 2.0, timing="SPEED")
    point.speed = walk.speed = 0.5
    found = job()
    assert found.along[0].speed == pytest.approx(0.5) == found.speed and point.speed_mps == walk.speed_mps > 0.8
    assert point_text(point, bpy.context.scene).replace(SPACE, " ") == "0.5 m/s"
    point.speed = 9.0
    own = speeds_of(preset("natural", "default"))
    assert own is not None
    most = own.fastest * found.character.size**0.5
    assert f"9 m/s is too fast for Natural: it goes at {most:.3g} m/s." in notes()


def test_a_marker_changes_the_style_of_the_default_walk_and_its_own_speed_stays_free(walk: Any) -> None:
    walk.speed_mps = 4.5  # faster than the style is for: it is walked, as ever
    bpy.context.scene.timeline_markers.new("Sad", frame=49)
    found = job()
    assert [(cue.preset.name, cue.time) for cue in found.cues] == [("sad", 2.0)]
    assert found.speed == pytest.approx(4.5) and found.cues[0].speed < 1.0


def test_what_a_style_cannot_do_is_said_where_it_is_walked(walk: Any) -> None:
    walk.controller, walk.preset = "simbicon", "walk"
    add(walk, 2.0, style_name="run", timing="SPEED", speed_mps=9.0)
    add(walk, 4.0, wait=2.0)
    add(walk, 9.0, timing="FRAME", frame=25)
    found, said = job(), notes()
    assert "9 m/s is too fast for Run: it goes at 2.54 m/s." in said
    assert "Run cannot stand on the way and walk on, so it does not wait (those that can are Walk, " in said
    assert "and Run goes at" in said and "it comes late" in said
    assert found.along[0].speed < 3.0 and not any(point.wait for point in found.along)
    assert [cue.preset.name for cue in found.cues][-1] == "run" and found.cues[-1].place == pytest.approx(2.0)
    walk.points[1].place = 1.0
    assert [point.wait for point in job().along if point.wait] == [2.0]


def test_limit_cycle_control_keeps_times_and_does_not_wait(walk: Any) -> None:
    walk.controller = "limit_cycle"
    add(walk, 4.0, timing="FRAME", frame=241, wait=1.0)
    assert job().along == (PathPoint(4.0, time=10.0),)
    assert "no style of Limit-Cycle Control can" in notes()


def test_a_change_of_style_passes_through_those_on_the_way(walk: Any) -> None:
    walk.controller, walk.preset = "limit_cycle", "bent_knee"
    add(walk, 4.0, style_name="ducking")
    found = job().cues
    assert [cue.preset.name for cue in found] == ["default", "ducking"]
    assert all(cue.place == pytest.approx(4.0) and cue.time == 0.0 for cue in found)


def test_where_steps_set_the_speed_no_point_does(walk: Any) -> None:
    walk.controller = "klaw"
    walk.given = "LENGTH"
    add(walk, 4.0, timing="SPEED", speed_mps=1.0, wait=1.0)
    assert job().along == (PathPoint(4.0, wait=1.0),)
    assert "Steps are set in place of the speed" in notes()


def test_where_points_set_speeds_those_of_markers_do_not_count(walk: Any) -> None:
    walk.controller = "simbicon"
    bpy.context.scene.timeline_markers.new("High Step 0.5 m/s", frame=49)
    assert job().cues[-1].speed == pytest.approx(0.5)
    add(walk, 9.0, style_name="crouch")
    found = job()
    assert [cue.preset.name for cue in found.cues] == ["high_step", "crouch"] and found.cues[0].speed > 0.0
    add(walk, 5.0, timing="SPEED", speed_mps=0.7)
    assert {cue.speed for cue in job().cues} == {0.0}
    walk.points[0].place = 0.5  # it comes there before the marker
    assert [cue.preset.name for cue in job().cues] == ["crouch", "high_step"]


def test_buttons_add_move_and_remove(walk: Any) -> None:
    assert not bpy.ops.biped.remove_path_point.poll()
    bpy.ops.biped.add_path_point()
    bpy.ops.biped.add_path_point()
    bpy.ops.biped.add_path_point(place=99.0)
    length = job().path.length
    assert [point.place for point in walk.points] == pytest.approx([0.5 * length, 0.25 * length, length], rel=1e-3)
    assert walk.points[0].speed_mps == pytest.approx(walk.speed_mps)
    walk.active_point = 1
    bpy.ops.biped.move_path_point(direction="DOWN")
    assert in_order(walk.points) == [0, 1, 2] and walk.active_point == 1
    assert bpy.ops.biped.move_path_point(direction="DOWN") == {"FINISHED"}
    assert in_order(walk.points) == [0, 2, 1]
    assert bpy.ops.biped.move_path_point(direction="DOWN") == {"CANCELLED"}
    bpy.ops.biped.remove_path_point()
    assert len(walk.points) == 2 and walk.active_point == 1
    bpy.ops.biped.remove_path_point()
    bpy.ops.biped.remove_path_point()
    assert len(walk.points) == 0 and walk.active_point == 0


def test_without_a_path_no_point_can_be_added(walk: Any) -> None:
    walk.path = None
    assert not bpy.ops.biped.add_path_point.poll()


def test_the_panel_shows_the_values_that_count(walk: Any) -> None:
    point = add(walk, 6.0, timing="SPEED")
    assert {"<Place>", "<Speed>", "<Ease>", "<Wait>"} <= set(shown(BIPED_PT_on_way))
    point.timing = "FRAME"
    said = shown(BIPED_PT_on_way)
    assert "<Frame>" in said and "<Speed>" not in said and "<Style>" in said and "<Change Over>" not in said
    point.style = "sad"
    assert "<Change Over>" in shown(BIPED_PT_on_way)
    walk.controller = "simbicon"
    said = shown(BIPED_PT_on_way)
    assert "<Style>" in said and "<Change Over>" not in said
    point.style = "SAME"
    walk.controller = "generalized"
    assert "<Style>" not in shown(BIPED_PT_on_way)
    walk.controller = "limit_cycle"
    assert "<Wait>" not in shown(BIPED_PT_on_way)


def test_a_point_says_what_happens_in_a_few_words(walk: Any) -> None:
    point = add(walk, 6.0, timing="SPEED", speed_mps=0.8, wait=1.5)
    scene = bpy.context.scene
    assert point_text(point, scene).replace(SPACE, " ") == "0.8 m/s, Wait 1.5 s"
    walk.controller = "simbicon"
    point.timing, point.frame, point.wait, point.style = "FRAME", 40, 0.0, "high_step"
    assert point_text(point, scene).replace(SPACE, " ") == "High Step, Frame 40"
    assert path_handles.handle_text(point, scene, True).replace(SPACE, " ") == "6 m: High Step, Frame 40"
    point.timing, point.style = "SAME", "SAME"
    assert point.style_name == "" and point_text(point, scene) == "As Before"


def test_styles_of_a_point_are_those_of_the_controller(walk: Any) -> None:
    point = add(walk, 6.0)
    walk.controller = "simbicon"
    items = [item.identifier for item in point.bl_rna.properties["style"].enum_items]  # those without a context
    point.style = "crouch"
    assert point.style_name == "crouch" and point.style == "crouch"
    walk.controller = "klaw"
    assert "no style 'crouch' of KLAW" in notes() and items is not None


def test_the_way_is_where_the_curve_is(walk: Any) -> None:
    depsgraph = bpy.context.evaluated_depsgraph_get()
    found = read_way(walk.path, depsgraph, 1.0)
    assert found.places([0.0, 4.0, 7.0, 10.0]) == pytest.approx(
        np.array([[0.0, 0.0, 0.5], [4.0, 0.0, 0.5], [7.0, 0.0, 1.25], [10.0, 0.0, 2.0]]), abs=1e-5
    )
    back = read_way(walk.path, depsgraph, 0.5, reverse=True)
    assert back.path.length == pytest.approx(5.0)
    assert back.places([0.0, 5.0]) == pytest.approx(np.array([[10.0, 0.0, 2.0], [0.0, 0.0, 0.5]]), abs=1e-5)


def test_the_way_of_a_ring_goes_round_as_often_as_it_is_walked(walk: Any) -> None:
    ring = make_curve([(0.0, 0.0, 0.0), (2.0, 0.0, 1.0), (2.0, 2.0, 0.0), (0.0, 2.0, 0.0)], closed=True)
    found = read_way(ring, bpy.context.evaluated_depsgraph_get(), 1.0, laps=3)
    assert found.path.length == pytest.approx(24.0)
    assert found.places([2.0, 10.0, 24.0]) == pytest.approx(
        np.array([[2.0, 0.0, 1.0], [2.0, 0.0, 1.0], [0.0, 0.0, 0.0]]), abs=1e-5
    )


def test_the_shown_way_follows_the_curve(walk: Any) -> None:
    add(walk, 6.0)
    first = way.read_now(bpy.context)
    assert first is not None and first.path.length == pytest.approx(10.0) and way.shown_way(bpy.context) is first
    assert way.read_now(bpy.context) is first
    walk.reverse = True
    turned = way.read_now(bpy.context)
    assert turned is not None and turned.places([0.0])[0][0] == pytest.approx(10.0)
    walk.path = make_curve([(0.0, 0.0, 0.0), (0.0, 3.0, 0.0)], name="Other")
    other = way.read_now(bpy.context)
    assert other is not None and other.path.length == pytest.approx(3.0)
    walk.path.hide_viewport = True
    walk.reverse = False
    assert way.read_now(bpy.context) is None


def test_the_preview_is_another_when_a_point_moves(walk: Any) -> None:
    add(walk, 6.0, timing="SPEED", speed_mps=0.5)
    bpy.context.scene.biped.show_preview = True
    before = preview.update(bpy.context)
    assert before is not None
    walk.points[0].place = 3.0
    after = preview.update(bpy.context)
    assert after is not None and after.duration > before.duration + 2.0


def test_the_bake_says_how_the_frames_of_points_were_kept() -> None:
    scene = bpy.context.scene
    found = [
        Arrival(PathPoint(2.0, time=2.0), 2.0, 0.01), Arrival(PathPoint(4.0, time=4.0), 4.5, -0.4),
        Arrival(PathPoint(6.0, time=6.0), None, -2.0),
    ]  # fmt: skip
    (line,) = arrivals_text(found, 1, scene)
    assert line.replace(SPACE, " ") == (
        "Points along the path: frame 49: in time, 1 cm off; frame 97: 12 frames late, 40 cm off; "
        "frame 145: 2 m before it, and never there."
    )
    assert arrivals_text([], 1, scene) == []


def test_points_are_copied_and_saved_with_their_character(walk: Any, tmp_path: Any) -> None:
    add(walk, 6.0, timing="FRAME", frame=77, wait=1.0)
    twin = walk.id_data.copy()
    bpy.context.scene.collection.objects.link(twin)
    twin.biped.walk.points[0].place = 2.0
    assert walk.points[0].place == 6.0
    name = walk.id_data.name
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "points.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "points.blend"))
    kept = bpy.data.objects[name].biped.walk.points
    assert [(p.place, p.timing, p.frame, p.wait) for p in kept] == [(6.0, "FRAME", 77, 1.0)]


def test_a_bake_waits_is_in_time_and_says_so(walk: Any) -> None:
    walk.controller = "klaw"
    add(walk, 4.0, timing="FRAME", frame=121)
    add(walk, 6.0, wait=2.0)
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    message = status.message.replace(SPACE, " ")
    assert re.search(r"Points along the path: frame 121: (in time|1 frame (late|early)), [\d.]+ (mm|cm) off\.", message)
    curve = next(c for c in fcurves(walk.id_data.animation_data.action) if c.data_path.endswith("location"))
    assert curve.range()[1] > 24 * (5.0 + 2.0 + 2.0 + 3.0)


class Counted:
    """A collection that counts how often something is looked up by its place, which takes as long as the place."""

    def __init__(self, own: Any) -> None:
        self.own, self.looked = own, 0

    def __len__(self) -> int:
        return len(self.own)

    def __iter__(self) -> Any:
        return iter(self.own)

    def __getitem__(self, place: int) -> Any:
        self.looked += 1
        return self.own[place]

    def foreach_get(self, name: str, values: Any) -> None:
        self.own.foreach_get(name, values)


def test_many_points_are_gone_through_once(walk: Any) -> None:
    for k in range(300):
        add(walk, 9.9 - 0.03 * k)
    seen = Counted(walk.points)
    assert in_order(seen) == list(range(300))[::-1] and seen.looked == 0
    plan = PointsPlan(wrong=dict.fromkeys(range(200), "it is wrong."))
    said = plan.notes(seen, bpy.context.scene)
    assert seen.looked == 0 and len(said) == 21 and said[-1].startswith("There is something wrong with 180 more points")


def test_more_points_than_are_walked_are_refused_before_they_are_looked_at(walk: Any) -> None:
    for _ in range(MAX_EVENTS):
        walk.points.add()
    job()
    with pytest.raises(RuntimeError, match="The path has as many points as it can have"):
        bpy.ops.biped.add_path_point()
    walk.points.add()
    with pytest.raises(DataError, match="has 1001 points along it; at most 1000 can be walked: remove some"):
        job()
    assert any("has 1001 points" in text for text in shown(BIPED_PT_on_way))
