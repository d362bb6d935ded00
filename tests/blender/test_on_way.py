"""One list of what happens on the way: points, markers and targets in one order, and what of them cannot be done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.motion.trail import MotionTrail
from blender_biped.ui.base.units import SPACE
from blender_biped.ui.job.body import body_of
from blender_biped.ui.job.gait_plan import Coming
from blender_biped.ui.job.on_way.row import Offer, Removal, Row, RowKind, ShownWalk, WalkedCourse
from blender_biped.ui.job.on_way.rows import active_row, kinds, offers, on_way, with_kind
from blender_biped.ui.job.request import read_request
from blender_biped.ui.panels.on_way_operators import BIPED_OT_take_object
from blender_biped.ui.panels.on_way_panel import BIPED_MT_on_way, BIPED_PT_on_way, window
from blender_biped.ui.view import path_handles, preview, walk_shown, way
from blender_biped.world.path_points import PathPoint
from tests.blender.drawn import shown as drawn
from tests.blender.scenes import contents, make_curve, make_rig


@pytest.fixture
def hero(scene: Any) -> Any:
    """A mapped character that walks 10 m straight ahead, at 24 frames a second from frame 1 on."""
    armature = make_rig("Hero")
    armature.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (10.0, 0.0, 0.0)])
    armature.biped.walk.speed_mps, armature.biped.pace = 1.0, "EXACT"
    bpy.ops.biped.map_bones()
    return armature


def point(hero: Any, place: float, **values: Any) -> Any:
    made = hero.biped.walk.points.add()
    made.place, made.timing = place, values.pop("timing", "SAME")
    for name, value in values.items():
        setattr(made, name, value)
    return made


def crate(x: float, name: str = "Crate", y: float = 0.0) -> Any:
    bpy.ops.mesh.primitive_cube_add(size=0.2, location=(x, y, 0.1))
    made = bpy.context.active_object
    made.name = name
    bpy.ops.rigidbody.object_add()
    made.rigid_body.mass = 5.0
    return made


def activate(thing: Any) -> None:
    for other in bpy.context.view_layer.objects.selected[:]:
        other.select_set(False)
    thing.select_set(True)
    bpy.context.view_layer.objects.active = thing
    bpy.context.view_layer.update()


def walk_now(refused: bool = False) -> ShownWalk:
    """Return the panel's walk with all that timers would have read by now."""
    way.read_now(bpy.context)
    path_handles.aimed.read_now(bpy.context)
    if refused:
        walk_shown.foreseen.forget()
        walk_shown.foreseen.read_now(bpy.context)
    found = walk_shown.shown_walk(bpy.context)
    assert found is not None
    return found


def told(refused: bool = False) -> list[tuple[str, str]]:
    """Return kind and text of each row."""
    shown = walk_now(refused)
    return [(row.kind.name, row.kind.text(shown, row).replace(SPACE, " ")) for row in on_way(shown).rows]


def reasons() -> dict[str, str]:
    """Return what is wrong with rows, by what they are called, and with none of them, by ""."""
    found = on_way(walk_now(refused=True))
    rows = {row.called: " ".join(row.wrong).replace(SPACE, " ") for row in found.rows if row.wrong}
    return {**rows, **({"": " ".join(found.notes)} if found.notes else {})}


def test_points_markers_and_targets_are_in_the_order_in_which_the_walk_comes_to_them(hero: Any, scene: Any) -> None:
    point(hero, 8.0, timing="SPEED", speed_mps=0.5)
    point(hero, 2.0, wait=3.0)
    crate(6.0).biped.target.active = True
    for name, frame in (("Sad", 25), ("Happy", 169), ("Explosion", 40)):  # after 1 s and 7 s
        scene.timeline_markers.new(name, frame=frame)
    activate(hero)
    assert [kind for kind, _ in told()] == ["begin", "marker", "point", "marker", "target", "point"]
    assert [text for _, text in told()][2:5] == ["Wait 3 s", told()[3][1], "Crate: Pick It Up"]
    assert told()[1][1].startswith("Sad, ") and told()[3][1].startswith("Happy, ")
    hero.biped.walk.points[1].wait = 0.0  # it is at 6 m after 6 s: before the second marker
    assert [kind for kind, _ in told()] == ["begin", "marker", "point", "target", "marker", "point"]


def test_the_jobs_styles_are_in_the_order_of_the_list(hero: Any, scene: Any) -> None:
    point(hero, 2.0, wait=8.0)
    point(hero, 4.0, style_name="sad")
    scene.timeline_markers.new("Happy", frame=169)  # while it waits
    assert [text.split(",")[0] for _, text in told()][1:] == ["Wait 8 s", "Happy", "Sad"]
    assert [cue.preset.name for cue in read_request(bpy.context).job.cues] == ["happy", "sad"]


def test_when_a_walk_comes_to_places_follows_from_speeds_waits_and_times() -> None:
    along = (PathPoint(4.0, speed=0.5, wait=2.0), PathPoint(5.0, time=10.0, wait=1.0), PathPoint(6.0, speed=2.0))
    coming = Coming(1.0, 1.0, along)
    assert [coming.time(place) for place in (0.0, 1.0, 3.0, 4.0)] == [-1.0, 0.0, 2.0, 3.0]
    assert [coming.time(place) for place in (4.5, 5.0)] == [7.5, 10.0]  # it leaves after 5 s, and is there in time
    assert [coming.time(place) for place in (5.5, 6.0, 10.0)] == [12.0, 13.0, 15.0]


def test_rows_are_found_without_a_path_and_nothing_is_written_by_drawing(hero: Any, scene: Any) -> None:
    point(hero, 2.0, wait=1.0)
    crate(6.0).biped.target.active = True
    scene.timeline_markers.new("Sad", frame=30)
    activate(hero)
    before = contents()
    drawn(BIPED_PT_on_way)
    drawn(BIPED_MT_on_way)
    hero.biped.walk.path = None
    assert {kind for kind, _ in told()} == {"begin", "point", "marker", "target"}
    hero.biped.walk.path = bpy.data.objects["Way"]
    assert contents() == before


# --- adding and removing ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("says", "text"), [
    ("SPEED", "1 m/s"), ("FRAME", "Frame 121"), ("WAIT", "Wait 2 s"), ("STYLE", None),
])  # fmt: skip
def test_a_point_of_each_kind_is_added_and_removed(hero: Any, says: str, text: str | None) -> None:
    assert bpy.ops.biped.add_path_point(says=says) == {"FINISHED"}
    (made,) = hero.biped.walk.points
    assert made.place == pytest.approx(5.0) and (text is None) == bool(made.style_name)
    assert text is None or told()[1] == ("point", text)
    assert not reasons()
    (row,) = [row for row in on_way(walk_now()).rows if row.kind.name == "point"]
    assert active_row(hero.biped.walk, on_way(walk_now()).rows) is not None
    assert remove(row) == {"FINISHED"} and len(hero.biped.walk.points) == 0


def remove(row: Row) -> Any:
    """Press the minus as the panel draws it for an active row."""
    bpy.ops.biped.choose_row(row=row.called)
    removal = row.kind.removal(row)
    assert removal is not None
    return getattr(bpy.ops.biped, removal.operator.partition(".")[2])(**removal.settings)


def test_markers_and_targets_are_added_and_removed(hero: Any, scene: Any) -> None:
    scene.frame_set(49)
    bpy.ops.biped.add_gait_marker(gait="sad")
    assert hero.biped.walk.active_row == "marker 0"
    activate(crate(4.0))
    scene.biped.armature = hero
    assert bpy.ops.biped.take_object(taking="PUSH") == {"FINISHED"}
    own = bpy.data.objects["Crate"].biped.target
    assert (own.active, own.taking, own.character) == (True, "PUSH", hero)
    scene.cursor.location = (7.0, 0.0, 1.0)
    bpy.ops.biped.add_target(act="REACH")
    assert hero.biped.walk.active_row == "target Target"
    assert [text.split(",")[0] for _, text in told()][1:] == ["Sad", "Crate: Push It", "Target: Reach It"]
    for row in on_way(walk_now()).rows[1:]:
        assert remove(row) == {"FINISHED"}
    assert [kind for kind, _ in told()] == ["begin"] and "Crate" in bpy.data.objects and not scene.timeline_markers
    assert bpy.ops.biped.remove_target(target="Crate") == {"CANCELLED"}


def test_choosing_a_row_is_undone_and_a_point_made_active_is_the_row(hero: Any, scene: Any) -> None:
    for place in (2.0, 4.0):
        point(hero, place)
    scene.timeline_markers.new("Sad", frame=30)
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.biped.choose_row("EXEC_DEFAULT", True, row="marker 0")
    walk = bpy.data.objects["Hero"].biped.walk
    found = active_row(walk, on_way(walk_now()).rows)
    assert found is not None and found.kind.name == "marker"
    bpy.ops.ed.undo()
    walk = bpy.data.objects["Hero"].biped.walk
    assert walk.active_row == ""
    walk.active_row = "marker 0"
    walk.active_point = 1  # by a handle, or a script
    found = active_row(walk, on_way(walk_now()).rows)
    assert found is not None and found.called == "point 1"


def test_a_mesh_that_is_no_skin_is_taken(hero: Any) -> None:
    assert not BIPED_OT_take_object.poll(bpy.context)  # nothing is selected but the character
    skin = crate(0.0, "Skin")
    skin.modifiers.new("Armature", "ARMATURE").object = hero
    activate(skin)
    assert not BIPED_OT_take_object.poll(bpy.context)
    box = crate(3.0)
    activate(hero)
    box.select_set(True)
    bpy.ops.biped.take_object()
    assert box.biped.target.active and box.biped.target.taking == "PICK_UP"


def test_what_the_controller_cannot_do_is_offered_in_grey_with_its_reason(hero: Any) -> None:
    assert all(not offer.why for own in offers(walk_now()) for offer in own)
    hero.biped.walk.controller = "limit_cycle"
    why = {offer.text: offer.why for own in offers(walk_now()) for offer in own}
    assert why["Wait"] == "Limit-Cycle Control cannot stand on the way and walk on." and not why["Speed"]
    assert why["Push It"].startswith("Limit-Cycle Control does nothing with its hands: choose Natural Walking")
    properties = SimpleNamespace(says="WAIT")
    from blender_biped.ui.panels.path_points_operators import BIPED_OT_add_path_point

    said = BIPED_OT_add_path_point.description(bpy.context, properties)
    assert said.startswith("The character stands at the point") and said.endswith("on the way and walk on.")
    with pytest.raises(RuntimeError, match="cannot stand on the way"):
        bpy.ops.biped.add_path_point(says="WAIT")
    assert len(hero.biped.walk.points) == 0


# --- what cannot be done ---------------------------------------------------------------------------------------------


def test_what_is_wrong_stands_at_its_row(hero: Any, scene: Any) -> None:
    point(hero, 12.0, wait=1.0)
    point(hero, 4.0, timing="SPEED", speed_mps=0.8)
    point(hero, 4.0, timing="SPEED", speed_mps=1.2)
    scene.timeline_markers.new("Sad 0.5 m/s", frame=40)
    found = reasons()
    assert "beyond the path's end at 10 m" in found["point 0"] and "point 1" not in found
    assert found["point 2"].startswith("Another point at this place sets another speed")
    assert found["marker 0"].startswith("Points along the path set speeds")
    assert "Another point at this place" in " ".join(read_request(bpy.context).notes)
    assert any("beyond the path's end" in text for text in drawn(BIPED_PT_on_way))


def test_a_target_that_the_walk_cannot_take_says_why_before_the_bake(hero: Any) -> None:
    box = crate(6.0)
    box.biped.target.active = True
    activate(hero)
    assert not reasons()
    box.rigid_body.mass = 60.0
    assert "weighs 60 kg" in reasons()["target Crate"]
    box.rigid_body.mass = 5.0
    hero.biped.walk.controller = "simbicon"
    assert "does nothing with its hands, so it cannot reach 'Crate'" in reasons()["target Crate"]
    assert "" not in reasons()  # it is said once


def test_a_rig_whose_bones_nobody_has_mapped_is_told_what_one_that_is_mapped_is(hero: Any, scene: Any) -> None:
    hero.scale = (0.5, 0.5, 0.5)  # its speeds are not an adult's
    hero.biped.pace = "BY_SIZE"
    point(hero, 2.0, timing="SPEED", speed_mps=1.2)
    crate(6.0).biped.target.active = True
    activate(hero)
    rows, wrong = told(refused=True), reasons()
    assert "weighs 5 kg; this body carries" in wrong["target Crate"]
    hero.biped.parts.clear()
    assert body_of(hero, scene) is None
    assert told(refused=True) == rows and reasons() == wrong


def test_a_style_that_takes_nothing_says_so_at_its_row(hero: Any, scene: Any) -> None:
    crate(8.0).biped.target.active = True
    activate(hero)
    scene.timeline_markers.new("Backward", frame=60)
    assert reasons()["marker 0"].startswith("Backward does not go ahead")


def test_what_is_no_rows_fault_is_a_note(hero: Any) -> None:
    obstacles = bpy.data.collections.new("Obstacles")
    bpy.context.scene.collection.children.link(obstacles)
    bpy.ops.mesh.primitive_cube_add(size=2.0, location=(5.0, 0.0, 1.0))
    obstacles.objects.link(bpy.context.active_object)
    bpy.context.scene.biped.obstacles = obstacles
    activate(hero)
    assert reasons()[""].startswith("The obstacle 'Cube', 4.0 m along the path, is 2.00 m high")


# --- places ----------------------------------------------------------------------------------------------------------


def test_a_target_has_a_mark_where_the_path_is_nearest_and_a_marker_where_the_walk_is_known(
    hero: Any, scene: Any
) -> None:
    crate(6.0, y=0.5).biped.target.active = True
    scene.timeline_markers.new("Sad", frame=49)
    activate(hero)
    found = walk_now()
    assert [(row.called, round(row.place or 0.0, 3)) for row in path_handles.others(found, True)] == [
        ("target Crate", 6.0)
    ]
    assert path_handles.others(found, False) == []
    known = ShownWalk(
        found.scene, found.view_layer, hero, found.way, course=WalkedCourse(np.array([0.0, 4.0]), np.array([0.0, 4.0]))
    )
    assert {row.called: row.place for row in path_handles.others(known, False)} == {"marker 0": 2.0}
    assert WalkedCourse(np.array([0.0, 4.0]), np.array([0.0, 4.0])).place(5.0) is None


def test_the_course_is_that_of_the_previewed_walk(hero: Any, scene: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    times = np.linspace(0.0, 8.0, 81)
    motion = SimpleNamespace(times=times, root=np.column_stack((times, 0.1 + 0.0 * times, 1.0 + 0.0 * times)))
    trail = MotionTrail.__new__(MotionTrail)
    object.__setattr__(trail, "motion", SimpleNamespace(**vars(motion), duration=8.0))
    monkeypatch.setattr(preview, "shown", lambda: trail)
    scene.timeline_markers.new("Sad", frame=73)
    assert walk_now().course is None  # the preview is off, and nothing is baked
    scene.biped.show_preview = True
    (row,) = [row for row in on_way(walk_now()).rows if row.kind.name == "marker"]
    assert row.place == pytest.approx(3.0, abs=1e-6)


def test_a_marker_is_where_the_baked_walk_was(hero: Any, scene: Any) -> None:
    hero.biped.walk.controller = "klaw"
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    scene.timeline_markers.new("March", frame=97)  # after 4 s
    (row,) = [row for row in on_way(walk_now()).rows if row.kind.name == "marker"]
    assert row.place is not None and 2.5 < row.place < 6.0
    scene.frame_set(97)
    assert row.place == pytest.approx((hero.matrix_world @ hero.pose.bones["spine"].head).x, abs=0.1)


# --- the list itself -------------------------------------------------------------------------------------------------


def test_of_many_rows_some_are_drawn_the_active_one_among_them(hero: Any) -> None:
    for k in range(40):
        point(hero, 0.2 * k)
    hero.biped.walk.active_point = 30
    rows = on_way(walk_now()).rows
    active = active_row(hero.biped.walk, rows)
    first, last = window(rows, active)
    assert last - first == 12 and active in rows[first:last]
    said = drawn(BIPED_PT_on_way)
    assert str(first) in said and str(len(rows) - last) in said and said.count("<Place>") == 13  # one of them below
    assert window(rows[:3], None) == (0, 3)


def test_the_rows_of_an_older_file_are_there(hero: Any, scene: Any, tmp_path: Any) -> None:
    point(hero, 6.0, timing="FRAME", frame=200, wait=1.0)
    scene.timeline_markers.new("Sad", frame=49)
    crate(9.0).biped.target.active = True
    activate(hero)
    hero.biped.walk.active_point = 0
    before = told()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    assert told() == before and len(before) == 4
    assert bpy.data.objects["Hero"].biped.walk.active_row == ""


def test_each_character_has_its_own_rows(hero: Any, scene: Any) -> None:
    twin = make_rig("Twin")
    twin.biped.walk.path = hero.biped.walk.path
    point(hero, 3.0)
    box = crate(6.0)
    box.biped.target.active, box.biped.target.character = True, twin
    scene.timeline_markers.new("Hero: Sad", frame=30)
    activate(hero)
    assert [kind for kind, _ in told()] == ["begin", "marker", "point"]
    activate(twin)
    assert [kind for kind, _ in told()] == ["begin", "target"]


class Jumps(RowKind):
    """A made-up kind: objects whose names begin with Jump."""

    name = "jump"

    def rows(self, shown: ShownWalk) -> Iterator[Row]:
        for thing in shown.scene.objects:
            if thing.name.startswith("Jump"):
                place = shown.nearest(thing)
                time = shown.coming.time(place) if place is not None else 0.0
                yield Row(self, thing.name, time, place, data=thing, wrong=("It is too high.",))

    def text(self, shown: ShownWalk, row: Row) -> str:
        return "Jumps"

    def icon(self, row: Row) -> str:
        return "SORT_DESC"

    def draw(self, column: Any, shown: ShownWalk, row: Row) -> None:
        column.prop(row.data, "location")

    def offers(self, shown: ShownWalk) -> Sequence[Offer]:
        return (Offer("Jump", "SORT_DESC", "object.empty_add", "It jumps"),)

    def removal(self, row: Row) -> Removal:
        return Removal("object.delete")


def test_a_kind_of_rows_is_one_class(hero: Any) -> None:
    empty = bpy.data.objects.new("Jump 1", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.location = (4.0, 0.0, 0.0)
    point(hero, 2.0)
    point(hero, 5.0)
    activate(hero)
    with with_kind(Jumps()):
        assert [kind for kind, _ in told()] == ["begin", "point", "jump", "point"]
        bpy.ops.biped.choose_row(row="jump Jump 1")
        said = drawn(BIPED_PT_on_way)
        assert {"Jumps", "It is too high.", "<Location>", "[Delete]"} <= set(said)
        assert "[Add Empty]" in drawn(BIPED_MT_on_way)
        assert [row.called for row in path_handles.others(walk_now(), False)] == ["jump Jump 1"]
        with pytest.raises(ValueError, match="'jump' already"), with_kind(Jumps()):
            pass
    assert all(kind.name != "jump" for kind in kinds()) and len(told()) == 3
