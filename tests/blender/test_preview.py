"""The live preview: what it shows, when it is made again, and what it says where there is none."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.base.spatial import Array
from blender_biped.klaw.preview import Preview
from blender_biped.klaw.walk import walk
from blender_biped.motion import gait_events, measures
from blender_biped.motion.motion import Motion
from blender_biped.motion.summary import Summary
from blender_biped.motion.trail import MotionTrail
from blender_biped.ui.base import changes
from blender_biped.ui.base.reading import frame_rate, metres, stretch_of
from blender_biped.ui.base.units import SPACE
from blender_biped.ui.job.request import read_request
from blender_biped.ui.panels import walk_panels
from blender_biped.ui.settings.kept_mapping import rig_map_of
from blender_biped.ui.settings.preferences import worker_python
from blender_biped.ui.view import preview, simulation
from blender_biped.ui.view.planned import planned_prints
from blender_biped.ui.view.preview_text import walk_text
from blender_biped.ui.view.walk_batches import ground_lines
from blender_biped.worker import Worker, run
from tests.blender.drawn import shown as panel
from tests.blender.scenes import contents, make_curve, make_rig
from tests.marks import long_but


@pytest.fixture
def rig(scene: Any) -> Iterator[Any]:
    armature = make_rig()
    armature.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (7.0, 2.0, 0.0)])
    bpy.ops.biped.map_bones()
    scene.biped.show_preview = True
    yield armature
    preview.stop()


def shown() -> Any:
    bpy.context.view_layer.update()
    found = preview.update(bpy.context)
    while found and not found.whole:
        found = preview.update(bpy.context)
    return found


def said() -> str:
    return preview.message(bpy.context).text


def test_klaws_preview_is_the_walk_that_is_baked(rig: Any, scene: Any) -> None:
    rig.biped.walk.controller = "klaw"
    found, motion = shown(), walk(read_request(bpy.context).job)
    assert found.duration == pytest.approx(motion.duration, abs=0.06)
    assert found.steps == len(gait_events.strikes(motion))
    places = np.array([ring.mean(axis=0) for ring, _ in found.prints])
    marks = np.array([mark.place for mark in gait_events.footprints(motion)])
    away = np.linalg.norm(places[:, None, :2] - marks[None], axis=2).min(axis=1)
    assert away.max() < 0.08  # an outline's middle is not the ball
    at = motion.sampled(found.times[:: len(found.times) // 9]).origins[:, 0]
    assert found.origins[:: len(found.times) // 9, 0] == pytest.approx(at, abs=0.02)


@pytest.mark.parametrize(("controller", "style"), [("generalized", "default"), ("simbicon", "walk")])
def test_a_walk_of_any_controller_has_a_preview(rig: Any, scene: Any, controller: str, style: str) -> None:
    rig.biped.walk.controller, rig.biped.walk.preset = controller, style
    rig.biped.walk.speed_mps = 1.0
    found = shown()
    assert found.line[-1, :2] == pytest.approx((7.0, 2.0), abs=0.1)
    assert found.duration == pytest.approx(7.6 / 1.0, abs=2.5)
    assert said().startswith(f"KLAW's steps until the walk is simulated: {found.steps} steps in")


def test_it_follows_the_curve_and_the_settings_and_is_not_made_again_for_nothing(rig: Any, scene: Any) -> None:
    first = shown()
    assert shown() is first
    rig.biped.walk.path.location = (0.0, 3.0, 0.0)
    moved = shown()
    assert moved.line[:, 1] == pytest.approx(first.line[:, 1] + 3.0, abs=0.02)
    rig.biped.walk.speed_mps = 0.6
    slower = shown()
    assert slower.duration > 1.3 * moved.duration
    assert shown() is slower
    bpy.context.scene.biped.show_preview = False
    assert shown() is None and said() == ""


@pytest.mark.parametrize(
    ("given", "speed", "length", "frequency"),
    [
        ("SPEED_LENGTH", 1.0, 0.5, 120.0),
        ("SPEED_FREQUENCY", 1.0, 60.0 / 90.0, 90.0),
        ("LENGTH_FREQUENCY", 0.9, 0.6, 90.0),
        ("LENGTH", None, 0.6, None),
        ("FREQUENCY", None, None, 90.0),
    ],
)
def test_klaw_takes_the_steps_of_the_panel(
    rig: Any, scene: Any, given: str, speed: float | None, length: float | None, frequency: float | None
) -> None:
    rig.biped.walk.controller, rig.biped.walk.given = "klaw", given
    rig.biped.walk.speed_mps, rig.biped.walk.step_length = speed or 3.0, length or 0.7
    rig.biped.walk.step_frequency, rig.biped.pace = frequency or 80.0, "EXACT"
    rig.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (9.0, 0.0, 0.0)])
    job = read_request(bpy.context).job
    motion = walk(job)
    found = measures.steady_speed(motion, job), motion_step(motion), measures.cadence(motion, job)
    for value, desired in zip(found, (speed, length, frequency), strict=True):
        assert value == pytest.approx(desired, rel=0.01) if desired else value
    assert shown().steps == len(gait_events.strikes(motion)) and preview.message(bpy.context).icon == "TIME"


def motion_step(motion: Motion) -> float:
    """Return how far the feet of a straight walk are set down before each other, m."""
    places = [mark.place[0] for mark in gait_events.footprints(motion)[4:-4]]
    return float(np.diff(places).mean())


def test_steps_that_nobody_can_walk_are_told(rig: Any, scene: Any) -> None:
    rig.biped.walk.controller, rig.biped.walk.given, rig.biped.walk.step_length = "klaw", "SPEED_LENGTH", 3.0
    assert shown() is None
    assert "more than this body can walk with" in said()


def test_a_walk_that_is_too_fast_is_shown_at_a_persons_fastest(rig: Any, scene: Any) -> None:
    rig.biped.walk.speed_mps = 6.0
    found = shown()
    assert found.speed < 3.0
    assert "the fastest that people walk" in said()


def test_what_is_missing_is_said(rig: Any, scene: Any) -> None:
    curve = rig.biped.walk.path
    rig.biped.walk.path = None
    assert shown() is None
    assert said() == "Choose a curve to walk along, or press New Path."
    rig.biped.walk.path = curve
    assert shown() is not None
    bpy.data.objects.remove(rig)
    assert shown() is None and "There is no character" in said()


def test_lines_are_in_the_scenes_units(rig: Any, scene: Any) -> None:
    metric = ground_lines(shown(), np.eye(3))
    assert {name for name, ends in metric.items() if len(ends)} == {"way", "L", "R"}
    assert np.ptp(metric["way"][..., 0]) == pytest.approx(7.0, abs=0.3)
    scene.unit_settings.scale_length = 0.5  # of half the size in metres, the same in the scene
    found = shown()
    assert np.ptp(found.line[:, 0]) == pytest.approx(3.5, abs=0.1)
    halved = ground_lines(found, stretch_of(rig) / metres(scene))
    assert np.ptp(halved["way"][..., 0]) == pytest.approx(7.0, abs=0.3)


def test_it_is_drawn_at_the_frame_that_is_shown(rig: Any, scene: Any) -> None:
    found = shown()
    begin, _ = found.place(0.0)
    later, _ = found.place(2.0)
    assert later[0, 0] > begin[0, 0] + 0.8
    before, _ = found.place(-1.0)
    after, _ = found.place(1e6)
    assert np.array_equal(before, begin) and np.array_equal(after, found.origins[-1])


def test_without_a_window_nothing_is_hooked_into_blender() -> None:
    assert not preview.is_hooked()
    preview.start()
    assert not preview.is_hooked() and preview.scene_changed not in bpy.app.handlers.depsgraph_update_post
    preview.stop()


def test_only_what_a_walk_depends_on_has_it_made_again(rig: Any, scene: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    updates: list[Any] = []
    monkeypatch.setattr(preview, "request_update", lambda: updates.append(1))
    other = make_curve([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)])
    preview.scene_changed(scene, bpy.context.evaluated_depsgraph_get())  # the settings are new to it
    updates.clear()

    def updates_for(thing: Any) -> int:
        entry = type("Update", (), {"id": type("Id", (), {"original": thing})})
        preview.scene_changed(scene, type("Depsgraph", (), {"updates": [entry]}))
        count = len(updates)
        updates.clear()
        return count

    assert updates_for(other) == 0
    assert updates_for(rig.biped.walk.path) == updates_for(rig.biped.walk.path.data) == updates_for(rig) == 1
    met = add_box("Met", (0.0, 3.0, 0.5), 1.0)
    scene.biped.obstacles = bpy.data.collections.new("Obstacles")
    updates.clear()
    assert updates_for(met) == 0
    scene.biped.obstacles.objects.link(met)
    updates.clear()
    assert updates_for(met) == updates_for(met.data) == 1 and updates_for(other) == 0
    rig.biped.walk.speed_mps = 0.9
    assert updates_for(other) == 1
    preview.scene_changed(scene)  # undo says nothing of what it changed
    assert updates


def test_reading_a_curve_in_edit_mode_is_no_change_of_it(rig: Any, scene: Any) -> None:
    """Else each preview would have another one made, for ever, while points are dragged."""
    curve = rig.biped.walk.path
    bpy.context.view_layer.objects.active = curve
    bpy.ops.object.mode_set(mode="EDIT")
    first = shown()
    seen: list[Any] = []

    def note(_scene: Any, depsgraph: Any) -> None:
        seen.extend(entry.id.original for entry in depsgraph.updates)

    bpy.app.handlers.depsgraph_update_post.append(note)
    try:
        assert shown() is first
        bpy.context.view_layer.update()
        assert not {curve, curve.data} & set(seen)
        for point in curve.data.splines[0].points:
            point.select = True
        bpy.ops.transform.translate(value=(0.0, 3.0, 0.0))
        assert {curve, curve.data} & set(seen)  # a dragged point is one
        assert shown().line[:, 1] == pytest.approx(first.line[:, 1] + 3.0, abs=0.02)
    finally:
        bpy.app.handlers.depsgraph_update_post.remove(note)
        bpy.ops.object.mode_set(mode="OBJECT")


def test_a_setting_says_that_it_has_changed(rig: Any, scene: Any) -> None:
    calls: list[int] = []

    def listener() -> None:
        calls.append(1)

    changes.listen(listener)
    changes.listen(listener)  # once is enough
    try:
        rig.biped.walk.given = "SPEED_LENGTH"
        assert len(calls) == 1
        rig.biped.walk.preset_name = "default"
        assert len(calls) == 2
    finally:
        changes.listen_no_more(listener)
    rig.biped.walk.given = "SPEED"
    assert len(calls) == 2


# --- the simulated walk ----------------------------------------------------------------------------------------------


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Worker]]:
    """The workers that are started; none of them is left."""
    found: list[Worker] = []
    ready = Worker.ready

    def noted(python: str = "", folders: Sequence[str] = (), tables: str = "") -> Worker:
        found.append(ready(python, folders, tables))
        return found[-1]

    monkeypatch.setattr(Worker, "ready", noted)
    monkeypatch.setattr(simulation, "QUIET", 0.0)
    yield found
    assert all(worker.poll().state != "running" for worker in found)


@pytest.fixture
def short(started: list[Worker], rig: Any) -> Any:
    """A rig with a walk of some steps, which the bench's controller walks."""
    rig.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (1.5, 0.0, 0.0), (2.2, 0.5, 0.0)])
    rig.biped.walk.frame_start = 11
    return rig


@pytest.fixture
def quick(short: Any) -> Any:
    """The same of KLAW's, for what does not depend on who walks."""
    short.biped.walk.controller = "klaw"
    return short


def begin() -> None:
    """Do what Blender's timer does after a change."""
    assert shown() is not None
    preview.simulate(bpy.context)


def simulate() -> MotionTrail:
    """Do what Blender's timers do until the walk is whole."""
    begin()
    return to_the_end()


def to_the_end() -> MotionTrail:
    end = time.monotonic() + 60.0
    while preview.advance():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.01)
    found = preview.shown()
    assert isinstance(found, MotionTrail) and preview.is_whole()
    return found


def followed(walk: MotionTrail) -> list[int]:
    """Return the links that the bones are to follow: all but the hips, and arms, which shoulders take along."""
    body = walk.character
    return [i for i, link in enumerate(body.links) if i and link.bones and i not in body.arm_links]


def apart(walk: MotionTrail) -> Array:
    """Return how far each link that is followed may stand from where it is drawn (N,), m: more over a spread spine."""
    trunk = {i for i, link in enumerate(walk.character.links) if link.role in ("abdomen", "chest", "head")}
    return np.array([4e-4 if i in trunk else 1e-4 for i in followed(walk)])


def joints(armature: Any, walk: MotionTrail) -> Array:
    """Return where the armature's pose has the origins (N, 3) of the links that it follows."""
    bones = [walk.character.links[i].bones[0] for i in followed(walk)]
    return np.array([armature.matrix_world @ armature.pose.bones[name].head for name in bones])


@pytest.mark.parametrize("controller", long_but(["natural", "generalized", "klaw"], "klaw"))
def test_what_is_accepted_is_what_was_drawn(short: Any, scene: Any, started: list[Worker], controller: str) -> None:
    short.biped.walk.controller = controller
    walk = simulate()
    motion = walk.motion
    baked = run(read_request(bpy.context).job, *worker_python(bpy.context))
    for name in ("times", "root", "rotations", "loads", "torques", "strikes", "lifts", "command"):
        assert np.array_equal(getattr(motion, name), getattr(baked, name)), name
    scene.frame_set(11 + 24)
    drawn, _ = walk.place(preview.time_shown(bpy.context))
    assert np.allclose(drawn, motion.sampled([24 / frame_rate(scene)]).origins[0], atol=1e-12)
    count, end = len(started), said()
    assert bpy.ops.biped.accept_preview() == {"FINISHED"}
    assert len(started) == count and not scene.biped.show_preview
    first, last = (int(frame) for frame in short.animation_data.action.frame_range)
    assert end.startswith(f"Arrives at frame {last}. ")
    assert (first, last) == (11, 11 + int(motion.duration * frame_rate(scene) + 1e-6))
    own = followed(walk)
    for frame in range(first, last + 1):
        scene.frame_set(frame)
        drawn, _ = walk.place(preview.time_shown(bpy.context))
        assert (np.linalg.norm(joints(short, walk) - drawn[own], axis=1) <= apart(walk)).all(), frame


@pytest.mark.long
def test_the_panel_says_what_is_shown_and_how_the_walk_ends(short: Any, scene: Any) -> None:
    assert preview.progress() is None
    begin()
    assert preview.progress() == 0.0 and said().startswith("KLAW's steps until")
    while not (isinstance(preview.shown(), MotionTrail) and preview.progress()):
        assert preview.advance()
        time.sleep(0.01)
    assert 0.0 < (preview.progress() or 0.0) < 1.0 and said().startswith("Simulated to frame ")
    assert not preview.is_whole()
    with pytest.raises(RuntimeError, match="not been simulated to its end"):
        bpy.ops.biped.accept_preview()
    walk = to_the_end()
    arrives = 11 + int(walk.duration * frame_rate(scene) + 1e-6)
    assert said().startswith(f"Arrives at frame {arrives}. ") and preview.message(bpy.context).icon == "CHECKMARK"
    assert preview.progress() is None
    short.biped.walk.frame_start = 1  # the same walk, elsewhere on the timeline
    preview.simulate(bpy.context)
    assert shown() and said().startswith(f"Arrives at frame {arrives - 10}. ") and preview.is_whole()


@pytest.mark.parametrize(
    ("outcome", "more", "says", "icon"),
    [
        ("arrived", {}, "Arrives at frame 241. 17 steps in 10.0 s, 1.2 m/s, at most 9 cm off the path.", "CHECKMARK"),
        ("passed", {"speed": None}, "Reaches the end at frame 241, still walking. 17 steps in 10.0 s, at", "CHECKMARK"),
        (
            "arrived",
            {"astray": "end", "end_distance": 1.4},
            "Stands 1.4 m from the path's end at frame 241. 17 steps",
            "ERROR",
        ),
        ("arrived", {"astray": "path"}, "Arrives at frame 241. 17 steps in 10.0 s, 1.2 m/s, at most 9 cm off", "ERROR"),
        ("unfinished", {}, "Does not reach the end: 3 m left at frame 241. 17 steps", "ERROR"),
        ("stuck", {}, "Steps on the spot, 3 m before the end, until frame 241. 17 steps", "ERROR"),
        (
            "fell",
            {"fell_at": 4.0, "deviation_worst": None},
            "Falls at frame 97, 3 m before the end. 17 steps in",
            "ERROR",
        ),
        (
            "arrived",
            {"fallback": "kinematic", "fallback_style": "Stroll", "set_fell_at": 4.0, "speed": None},
            "Arrives at frame 241. 17 steps in 10.0 s, at most 9 cm off the path. The walk fell after "
            "4.0 s as it was set. This is KLAW's walk, Stroll: it is not simulated.",
            "ERROR",
        ),
    ],
)
def test_each_end_is_told(scene: Any, outcome: Any, more: dict[str, Any], says: str, icon: str) -> None:
    summary = Summary(outcome, 10.0, 1.0, None, None, 3.0, 1.2, 1.2, 0.02, 0.09, None, None, 17, 104.0)
    text = walk_text(replace(summary, **more), 1, scene)
    assert text.text.replace(SPACE, " ").startswith(says) and text.icon == icon


@pytest.mark.long
def test_a_change_shows_klaws_steps_again_and_ends_the_simulation(short: Any, started: list[Worker]) -> None:
    begin()
    while not isinstance(preview.shown(), MotionTrail):
        preview.advance()
    short.biped.walk.path.location = (0.0, 1.0, 0.0)
    begin()
    assert isinstance(preview.shown(), Preview) and said().startswith("KLAW's steps")
    assert started[0].poll().state == "cancelled" and len(started) == 2
    assert to_the_end().motion.root[-1, 1] > 1.3


def test_bake_walk_only_writes_what_the_preview_has(quick: Any, scene: Any, started: list[Worker]) -> None:
    walk = simulate()
    count = len(started)
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    assert len(started) == count and scene.biped.show_preview
    scene.frame_set(41)
    own = followed(walk)
    drawn, _ = walk.place(preview.time_shown(bpy.context))
    assert (np.linalg.norm(joints(quick, walk) - drawn[own], axis=1) <= apart(walk)).all()


def test_bones_that_nobody_has_mapped_are_mapped_as_a_bake_does(scene: Any, started: list[Worker]) -> None:
    armature = make_rig()
    armature.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (1.5, 0.0, 0.0)])
    armature.biped.walk.controller = "klaw"
    scene.biped.show_preview = True
    simulate()
    count = len(started)
    assert rig_map_of(armature) is None  # a preview changes nothing
    assert bpy.ops.biped.accept_preview() == {"FINISHED"}
    assert len(started) == count and rig_map_of(armature) is not None
    preview.stop()


def test_what_has_changed_since_is_not_accepted(quick: Any, scene: Any) -> None:
    simulate()
    quick.biped.walk.speed_mps = 0.8
    before = contents()
    assert bpy.ops.biped.accept_preview() == {"CANCELLED"} and contents() == before
    to_be_baked = read_request(bpy.context).job
    assert preview.finished_motion(to_be_baked) is None and preview.running_worker(to_be_baked) is None
    assert simulate() and preview.finished_motion(to_be_baked) is not None


def test_discard_forgets_the_walk(quick: Any, scene: Any) -> None:
    job = read_request(bpy.context).job
    simulate()
    assert bpy.ops.biped.discard_preview() == {"FINISHED"}
    assert not scene.biped.show_preview and shown() is None
    preview.simulate(bpy.context)
    assert preview.finished_motion(job) is None and said() == "" and not preview.is_whole()
    for operator in (bpy.ops.biped.discard_preview, bpy.ops.biped.accept_preview):
        assert not operator.poll()


def test_an_armature_that_is_deleted_meanwhile_ends_it(short: Any, started: list[Worker]) -> None:
    begin()
    while not isinstance(preview.shown(), MotionTrail):
        preview.advance()
    bpy.data.objects.remove(short)
    preview.advance()  # before anybody noticed
    assert shown() is None
    preview.simulate(bpy.context)
    assert preview.shown() is None and not preview.advance() and started[0].poll().state == "cancelled"


def test_an_armature_that_is_only_kept_by_the_scene_has_no_preview(rig: Any, scene: Any) -> None:
    scene.biped.armature = rig
    assert shown() is not None
    before = preview.settings_of(scene, rig)
    scene.collection.objects.unlink(rig)  # as deleting it does, which leaves it to what keeps it
    assert shown() is None and said() == "There is no character: select an armature."
    assert preview.settings_of(scene, rig) != before


def test_another_file_ends_it(short: Any, started: list[Worker]) -> None:
    begin()
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    assert shown() is None
    preview.simulate(bpy.context)
    assert started[0].poll().state == "cancelled" and preview.progress() is None


def test_without_a_worker_klaws_steps_stay_and_the_reason_is_told(short: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preview, "worker_python", lambda _: ("/nowhere/python", [], ""))
    begin()
    assert isinstance(preview.shown(), Preview) and not preview.advance()
    assert "/nowhere/python" in said() and preview.message(bpy.context).icon == "ERROR"


def test_the_panel_has_the_buttons_when_the_walk_is_whole(quick: Any, scene: Any) -> None:
    def drawn() -> list[str]:
        buttons = ("[Accept]", "[Discard]")
        return [text for text in panel(walk_panels.BIPED_PT_walk) if text in buttons or text.startswith("{")]

    scene.biped.show_preview = False
    assert shown() is None and drawn() == []
    scene.biped.show_preview = True
    begin()
    assert drawn() == ["{Simulating: 0%}", "[Discard]"]
    to_the_end()
    assert drawn() == ["[Accept]", "[Discard]"]


def test_whatever_a_script_sets_is_heard_of(rig: Any) -> None:
    heard: list[int] = []

    def listener() -> None:
        heard.append(1)

    own = rig.biped.walk
    own.points.add()
    changes.listen(listener)
    unheard = []
    try:
        for what in (own, own.points[0], rig.biped):
            for name, declared in type(what).__annotations__.items():
                if "update" in declared.keywords and "get" not in declared.keywords:
                    heard.clear()
                    setattr(what, name, getattr(what, name))
                    unheard += [] if heard else [name]
    finally:
        changes.listen_no_more(listener)
    assert unheard == ["active_point", "active_row", "show_result"]
    assert all("update" in type(own).__annotations__[name].keywords for name in ("speed_mps", "path", "frame_start"))


# --- footholds that are planned --------------------------------------------------------------------------------------


def add_box(name: str, middle: tuple[float, float, float], size: float, scale: Any = (1.0, 1.0, 1.0)) -> Any:
    """Return a box, without choosing it."""
    x, y, z = (0.5 * size * along for along in scale)
    corners = [(a, b, c) for a in (-x, x) for b in (-y, y) for c in (-z, z)]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], sides)
    made = bpy.data.objects.new(name, mesh)
    made.location = middle
    bpy.context.scene.collection.objects.link(made)
    return made


def into(kind: str, *things: Any) -> None:
    """Put objects into a new collection of the panel."""
    own = bpy.data.collections.new(kind.title())
    for thing in things:
        own.objects.link(thing)
    setattr(bpy.context.scene.biped, kind, own)


@pytest.fixture
def straight(started: list[Worker], rig: Any) -> Any:
    """A rig that walks 4.5 m along x."""
    rig.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (4.5, 0.0, 0.0)])
    rig.biped.walk.fall_back = False
    return rig


def planned_then_simulated() -> tuple[list[Any], list[tuple[Array, int]], MotionTrail]:
    """Return the planned prints, those of the ghost beside them, and the simulated walk."""
    begin()
    while preview.state().planned is None:
        assert preview.advance()
    ghost, planned = preview.drawn_on_ground(shown())
    return list(planned), ghost.prints, to_the_end()


def assert_walked(planned: list[Any], walk: MotionTrail, within: float) -> None:
    """Check that feet come down so near to where they are planned along the way, m, at that height, each its own foot.

    Beside the way they catch the body, which no plan knows.
    """
    for one in planned:
        middle = one.outline.mean(axis=0)
        away = [ring.mean(axis=0) - middle for ring, side in walk.prints if side == one.side]
        nearest = min(away, key=lambda off: abs(off[0]))
        assert abs(nearest[0]) < within and abs(nearest[2]) < 0.05


@pytest.mark.long
def test_footholds_on_stairs_are_shown_before_they_are_walked(straight: Any, scene: Any) -> None:
    stairs = [(2.0 + 0.3 * k, 0.0, -0.35 + 0.15 * k) for k in range(3)]
    flat = add_box("Floor", (2.0, 0.0, -0.5), 1.0, (8.0, 3.0, 1.0))
    steps = [add_box("Step", (x + 2.0, y, z), 1.0, (4.0, 3.0, 1.0)) for x, y, z in stairs]
    into("ground", flat, *steps)
    planned, others, walk = planned_then_simulated()
    heights = [round(float(one.outline[0, 2]), 2) for one in planned]
    assert heights == sorted(heights) and set(heights) == {0.0, 0.15, 0.3, 0.45}
    assert_walked([one for one in planned if one.outline[0, 2] > 0.0], walk, 0.06)
    middles = [ring.mean(axis=0) for ring, _ in others]
    assert others and not any(planned[0].arc < x < planned[-1].arc for x, _, _ in middles)  # of the ghost there
    assert preview.drawn_on_ground(walk) == (walk, ())


@pytest.mark.long
def test_footholds_over_an_obstacle_are_shown_before_they_are_walked(straight: Any, scene: Any) -> None:
    straight.biped.walk.controller = "generalized"
    into("obstacles", add_box("Bar", (2.5, 0.0, 0.1), 1.0, (0.1, 1.4, 0.2)))
    planned, _, walk = planned_then_simulated()
    ends = [(one.outline[:, 0].min(), one.outline[:, 0].max()) for one in planned]
    assert sum(low > 2.55 for low, _ in ends) >= 2 and all(high < 2.45 or low > 2.55 for low, high in ends)
    assert_walked(planned, walk, 0.1)


def test_a_walk_on_flat_ground_plans_no_footholds(straight: Any, scene: Any) -> None:
    for controller in ("natural", "generalized", "simbicon", "klaw"):
        straight.biped.walk.controller = controller
        assert planned_prints(read_request(bpy.context).job) == ()
