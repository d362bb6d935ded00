"""Several characters baked at once, what ends a bake, what is offered after a fall, and what messages are of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.base.errors import WorkerError
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import preset
from blender_biped.control.simbicon.settings import read_gait
from blender_biped.job import Job
from blender_biped.klaw.walk import walk
from blender_biped.motion.motion import Attempt, Failure, Motion
from blender_biped.ui.bake import writing
from blender_biped.ui.bake.result import result_of
from blender_biped.ui.base.fallback_text import fallback_text
from blender_biped.ui.base.status import status
from blender_biped.ui.base.units import SPACE
from blender_biped.ui.job.request import Request, read_request
from blender_biped.ui.job.runs import Queue, Run, Simulated
from blender_biped.ui.job.short_path import needed_length
from blender_biped.ui.panels import bake_operators
from blender_biped.ui.panels.bake_operators import Bake
from blender_biped.ui.panels.bake_panels import BIPED_PT_bake, BIPED_PT_result
from blender_biped.ui.panels.fall_operators import fallen
from blender_biped.ui.panels.following import over_sidebar
from blender_biped.ui.settings.kept_mapping import rig_map_of
from blender_biped.world.path import Path as Ground
from tests.blender.drawn import shown
from tests.blender.scenes import contents, make_curve, make_rig
from tests.blender.scripted import Scripted, answer_at_once
from tests.motion.synthetic import walked

STRAIGHT = [(0.0, 0.0, 0.0), (4.0, 0.0, 0.0)]


def character(name: str, aside: float = 0.0, **settings: Any) -> Any:
    """Return a rig with a path of its own, as long as the others', and settings of its walk."""
    armature = make_rig(name)
    own = armature.biped.walk
    own.path = make_curve([(x, y + aside, z) for x, y, z in STRAIGHT], name=f"{name} Path")
    for key, value in settings.items():
        setattr(own, key, value)
    bpy.context.view_layer.update()
    return armature


def told(motion_of: Any = walk) -> Any:
    """Return an answer of a scripted worker: what KLAW walks."""
    return lambda job: motion_of(replace(job, preset=preset("klaw", "walk"), cues=(), ending=()))


def noting(jobs: list[Job], answer: Any) -> Any:
    """Return an answer that notes its job."""

    def noted(job: Job) -> Motion:
        jobs.append(job)
        made: Motion = answer(job)
        return made

    return noted


def outcome(armature: Any) -> str:
    """Return how the walk of an armature ended."""
    result = result_of(armature)
    return result.summary.outcome if result else ""


def falling(job: Job) -> Motion:
    """Return a walk that sinks after 3 s."""
    motion = walked(job.path, None, job.character)[0]
    sunk = np.outer(np.where(motion.times >= 3.0, -0.6, 0.0), (0.0, 0.0, 1.0))
    return replace(motion, root=motion.root + sunk, outcome="fell")


# --- the queue, without Blender's operators --------------------------------------------------------------------------


def queue_of(count: int, at_once: int, answer: Any = None, broken: int = -1) -> tuple[Queue, list[Scripted]]:
    """Return a queue of walks whose workers end when a test says so, and the workers that have begun."""
    body, begun = standard_character(), []
    jobs = [Job(body, Ground([[0.0, 0.0], [3.0 + i, 0.0]]), preset("klaw", "walk")) for i in range(count)]

    def begin(job: Job) -> Scripted:
        if job == jobs[broken] and broken >= 0:
            raise WorkerError("Cannot start.")
        begun.append(Scripted(job, answer or (lambda job: walked(job.path, None, job.character)[0]), ended=False))
        return begun[-1]

    return Queue([Run(f"Hero {i}", i, Request(job, ())) for i, job in enumerate(jobs)], begin, at_once), begun


def test_so_many_are_computed_at_a_time_as_may_be() -> None:
    queue, workers = queue_of(3, 2)
    queue.advance()
    assert len(workers) == 2 and queue.progress == 0.0 and queue.text == "Simulating 3 Characters"
    workers[0].progress, workers[1].progress = 0.5, 0.1
    queue.advance()
    assert queue.progress == pytest.approx(0.2) and len(workers) == 2
    workers[1].ended = True
    queue.advance()
    assert len(workers) == 3 and queue.progress == pytest.approx(0.5)
    for worker in workers:
        worker.ended = True
    queue.advance()
    assert queue.settled and queue.progress == 1.0 and all(run.motion for run in queue.runs)
    assert [run.request.job.path.length for run in queue.runs if run.request] == pytest.approx([3.0, 4.0, 5.0])


def test_what_goes_wrong_with_one_does_not_stop_the_others() -> None:
    def answer(job: Job) -> Motion:
        if job.path.length < 3.5:
            raise WorkerError("It crashed.")
        return walked(job.path, None, job.character)[0]

    queue, workers = queue_of(3, 3, answer, broken=2)
    queue.advance()
    assert [run.error for run in queue.runs] == ["", "", "Cannot start."]
    for worker in workers:
        worker.ended = True
    queue.advance()
    assert queue.settled and [run.error for run in queue.runs] == ["It crashed.", "", "Cannot start."]
    assert queue.runs[1].motion and not queue.cancelled


def test_one_cancel_ends_all() -> None:
    queue, workers = queue_of(3, 2)
    queue.advance()
    queue.cancel()
    assert all(worker.cancelled for worker in workers) and len(workers) == 2 and queue.settled and queue.cancelled
    queue.advance()
    assert len(workers) == 2 and all(run.cancelled and run.motion is None for run in queue.runs)


def test_a_motion_that_is_there_already_is_taken_at_once() -> None:
    motion, job = walked(Ground([[0.0, 0.0], [3.0, 0.0]]))
    queue = Queue([Run("Hero", 1, Request(job, ()))], lambda _: Simulated(motion))
    queue.advance()
    assert queue.settled and queue.runs[0].motion is motion


# --- Bake All --------------------------------------------------------------------------------------------------------


def test_all_characters_are_baked_each_as_it_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: dict[float, Job] = {}

    def answer(job: Job) -> Motion:
        jobs[round(float(job.path.points[0][1]))] = job
        return told()(job)

    answer_at_once(monkeypatch, answer)
    one = character("One", 0.0, speed=0.8, frame_start=11)
    two = character("Two", 5.0, speed=1.4)
    make_rig("Idle")
    bpy.ops.ed.undo_push(message="before")
    before = contents()
    assert bpy.ops.biped.bake_all("EXEC_DEFAULT", True) == {"FINISHED"}
    assert {side: job.speed < 1.0 for side, job in jobs.items()} == {0: True, 5: False}
    assert one.animation_data.action.frame_range[0] == 11 and two.animation_data.action.frame_range[0] == 1
    assert bpy.data.objects["Idle"].animation_data is None
    assert status.message.startswith("2 of 2 walks baked. One: ") and " Two: " in status.message
    found = rig_map_of(one)
    assert found and len(found.bones) == 18  # they had not been mapped
    bpy.ops.ed.undo()
    assert contents() == before and rig_map_of(bpy.data.objects["One"]) is None


def test_one_that_cannot_be_baked_is_named_and_the_others_are_baked(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(job: Job) -> Motion:
        if job.path.points[0][1] > 3.0:
            raise WorkerError("It crashed.")
        return told()(job)

    answer_at_once(monkeypatch, answer)
    one, two, three = character("One"), character("Two", 5.0), character("Three", 2.0)
    bpy.data.objects.remove(three.biped.walk.path)
    three.biped.walk.path = make_curve(STRAIGHT, name="Gone")
    bpy.context.scene.collection.objects.unlink(three.biped.walk.path)
    assert bpy.ops.biped.bake_all() == {"FINISHED"}
    assert one.animation_data.action and not two.animation_data and not three.animation_data
    assert status.message.startswith("1 of 3 walks baked.") and status.level == "WARNING"
    assert "Two: It crashed." in status.message and "Three: The curve 'Gone' was deleted" in status.message


def test_there_must_be_someone_to_bake() -> None:
    make_rig()
    with pytest.raises(RuntimeError, match="No character of the scene has a path"):
        bpy.ops.biped.bake_all()


@pytest.mark.long
def test_all_by_the_real_simulation() -> None:
    pytest.importorskip("pybullet")
    one, two = character("One", 0.0, speed=1.0), character("Two", 5.0, controller="klaw")
    assert bpy.ops.biped.bake_all() == {"FINISHED"}
    assert [outcome(own) for own in (one, two)] == ["arrived"] * 2
    assert status.message.startswith("2 of 2 walks baked.")


# --- while it runs ---------------------------------------------------------------------------------------------------


class Driven(Bake):
    """A bake whose events a test makes."""

    def __init__(self, *armatures: Any) -> None:
        self.armatures = armatures
        self.reports: list[tuple[set[str], str]] = []
        self.report = lambda level, message: self.reports.append((level, message))

    def queued(self, context: Any) -> list[Run]:
        """Return the walks of the armatures."""
        return [bake_operators.read_run(bpy.context, own) for own in self.armatures]


def driven(monkeypatch: pytest.MonkeyPatch, *armatures: Any, ended: bool = False) -> tuple[Any, Any, list[Scripted]]:
    """Return a bake that runs, its context with a window of 1000 x 500 with a sidebar on the right, and its workers."""
    workers: list[Scripted] = []

    def begin(job: Job) -> Scripted:
        workers.append(Scripted(job, told(), ended=ended))
        return workers[-1]

    monkeypatch.setattr(bake_operators, "begun", begin)
    timers: list[float] = []

    def add(seconds: float, window: Any) -> float:
        timers.append(seconds)
        return seconds

    manager = SimpleNamespace(
        event_timer_add=add,
        event_timer_remove=timers.remove,
        timers=timers,
        modal_handler_add=lambda _: None,
    )
    view = SimpleNamespace(type="WINDOW", x=0, y=0, width=1000, height=500)
    sidebar = SimpleNamespace(type="UI", x=800, y=0, width=200, height=500, active_panel_category="Biped")
    regions = [view, sidebar]
    screen = SimpleNamespace(areas=[SimpleNamespace(type="VIEW_3D", regions=regions)], is_animation_playing=False)
    context = SimpleNamespace(
        window_manager=manager, screen=screen, scene=bpy.context.scene, view_layer=bpy.context.view_layer, window=None
    )
    bake = Driven(*armatures)
    assert bake.follow(context) == {"RUNNING_MODAL"}
    return bake, context, workers


def event(kind: str, x: int = 0, y: int = 100) -> Any:
    return SimpleNamespace(type=kind, value="PRESS", mouse_x=x, mouse_y=y)


def test_esc_counts_over_the_sidebar_only_and_not_while_playing(monkeypatch: pytest.MonkeyPatch) -> None:
    bake, context, workers = driven(monkeypatch, character("One"))
    assert bake.modal(context, event("ESC", 500)) == {"PASS_THROUGH"} and not workers[0].cancelled
    context.screen.is_animation_playing = True
    assert bake.modal(context, event("ESC", 900)) == {"PASS_THROUGH"} and not workers[0].cancelled
    context.screen.is_animation_playing = False
    assert bake.modal(context, event("LEFTMOUSE", 900)) == {"PASS_THROUGH"}
    assert bake.modal(context, event("ESC", 900)) == {"CANCELLED"} and workers[0].cancelled
    assert status.work is None and status.message == "The walk was cancelled; nothing was changed."
    assert not context.window_manager.timers
    context.screen.areas[0].regions[1].active_panel_category = "Item"
    assert not over_sidebar(context, 900, 100)


def test_a_cancelled_bake_leaves_no_mapping(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = character("One"), character("Two", 5.0)
    before = contents()
    bake, context, workers = driven(monkeypatch, one, two)
    assert status.text == "Simulating 2 Characters: 0%"
    workers[0].ended = True
    bake.modal(context, event("TIMER"))
    bpy.ops.biped.cancel()
    assert bake.modal(context, event("TIMER")) == {"CANCELLED"}
    assert contents() == before and rig_map_of(one) is None
    assert status.message == "The walks were cancelled; nothing was changed."


def test_keys_are_written_in_portions_during_which_nothing_else_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bake_operators, "PORTION", 0.0005)
    armature = character("One")
    bake, context, _ = driven(monkeypatch, armature, ended=True)
    assert bake.modal(context, event("TIMER")) == {"PASS_THROUGH"}
    seen = []
    while bake.modal(context, event("TIMER")) == {"PASS_THROUGH"}:
        seen.append(status.text)
        assert bake.modal(context, event("Z")) == {"RUNNING_MODAL"} and bake.modal(context, event("TIMER1"))
        assert status.work and status.work.exclusive
    assert len(set(seen)) > 3 and seen[-1].startswith("Writing Keys of One: ")
    assert armature.animation_data.action and status.work is None and bake.reports[0][0] == {"INFO"}
    assert not context.window_manager.timers


def test_esc_while_keys_are_written_leaves_everything_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bake_operators, "PORTION", 0.0005)
    armature = character("One")
    before = contents()
    bake, context, _ = driven(monkeypatch, armature, ended=True)
    for _ in range(6):
        assert bake.modal(context, event("TIMER")) == {"PASS_THROUGH"}
    assert bake.modal(context, event("ESC", 10)) == {"CANCELLED"}
    assert contents() == before and rig_map_of(armature) is None and status.work is None


def test_an_error_when_walks_are_written_says_that_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    armature = character("One")
    bake, context, _ = driven(monkeypatch, armature, ended=True)

    def broken(_: str) -> str:
        raise ZeroDivisionError("no")

    monkeypatch.setattr(bake_operators, "translated", broken)
    ends = [bake.modal(context, event("TIMER"))]
    while ends[-1] == {"PASS_THROUGH"}:
        ends.append(bake.modal(context, event("TIMER")))
    assert ends[-1] == {"FINISHED"} and armature.animation_data.action  # or one undo would take more than the bake
    assert status.message == "The bake failed (no) with 1 of 1 walks baked; see the console."


def test_an_error_in_writing_leaves_everything_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    armature = character("One")
    before = contents()
    bake, context, _ = driven(monkeypatch, armature, ended=True)

    def broken(*_: Any) -> None:
        raise ZeroDivisionError("no")

    monkeypatch.setattr(writing, "look_at", broken)
    while (end := bake.modal(context, event("TIMER"))) == {"PASS_THROUGH"}:
        pass
    assert end == {"CANCELLED"} and contents() == before and rig_map_of(armature) is None
    assert status.message == "The bake failed (no). What was there is unchanged; see the console."


def test_another_file_ends_it_all(monkeypatch: pytest.MonkeyPatch) -> None:
    bake, context, workers = driven(monkeypatch, character("One"))
    bake.cancel(context)
    assert workers[0].cancelled and status.work is None and not status.text and not context.window_manager.timers


# --- bones are mapped by the bake ------------------------------------------------------------------------------------


def test_bake_keeps_the_mapping_that_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_at_once(monkeypatch, told())
    armature = character("One")
    bpy.ops.biped.bake_walk()
    found = rig_map_of(armature)
    assert "Its bones were mapped: Rigify metarig, 18 of 18 body parts found." in status.message
    assert armature.biped.mass == pytest.approx(70.0, rel=0.1)
    bpy.ops.biped.map_bones()
    assert rig_map_of(armature) == found
    bpy.ops.biped.bake_walk()
    assert "were mapped" not in status.message


# --- a walk that fell ------------------------------------------------------------------------------------------------


@pytest.fixture
def fell(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A character whose walk fell."""
    answer_at_once(monkeypatch, falling)
    armature = character("Hero", speed=1.0, markers=True)
    bpy.context.scene.frame_end = 20
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    assert status.message.startswith("The character fell after 3.0 s, at frame 73: ") and status.level == "WARNING"
    assert "along the path, " in status.message and fallen(armature)
    return armature


def test_a_calmer_try_is_the_same_walk_at_four_fifths_of_the_speed(fell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Job] = []
    answer_at_once(monkeypatch, noting(jobs, told()))
    before = read_request(bpy.context).job
    assert bpy.ops.biped.try_calmer() == {"FINISHED"}
    assert jobs[0].as_json() == replace(before, speed=jobs[0].speed).as_json() and len(jobs) == 1
    assert jobs[0].speed == pytest.approx(0.8 * before.speed, rel=0.02)  # an adult's own speed is nearly that
    assert fell.biped.walk.speed == pytest.approx(0.8, rel=0.02)  # it was 1
    assert read_request(bpy.context).job.as_json() == jobs[0].as_json()  # a bake again would be the same
    assert fallen(fell) is None
    with pytest.raises(RuntimeError, match="no walk that fell"):
        bpy.ops.biped.try_calmer()


def test_a_calmer_try_that_fails_leaves_the_speed(fell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(_: Job) -> Motion:
        raise WorkerError("It crashed.")

    answer_at_once(monkeypatch, crash)
    fell.biped.walk.fields_generalized.gait_width += 0.01
    before = contents(), read_request(bpy.context).job.as_json()
    for button in (bpy.ops.biped.try_calmer, bpy.ops.biped.use_klaw):
        with pytest.raises(RuntimeError, match="It crashed"):
            button()
    assert (contents(), read_request(bpy.context).job.as_json()) == before and fallen(fell)


def test_klaw_walks_the_same_path_at_the_same_speed(fell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Job] = []
    answer_at_once(monkeypatch, noting(jobs, walk))
    before = read_request(bpy.context).job
    assert bpy.ops.biped.use_klaw() == {"FINISHED"}
    assert (jobs[0].preset.controller, jobs[0].speed) == ("klaw", before.speed)
    assert jobs[0].path.as_json() == before.path.as_json()
    assert fell.biped.walk.controller == "klaw" and read_request(bpy.context).job.as_json() == jobs[0].as_json()
    assert fallen(fell) is None and outcome(fell) == "arrived"


def test_what_is_trimmed_ends_with_the_last_whole_step(fell: Any) -> None:
    action, scene = fell.animation_data.action, bpy.context.scene
    assert scene.frame_end > 73
    poses = poses_at(fell, 40)
    assert bpy.ops.biped.trim_fall() == {"FINISHED"}
    last = action.biped.upright_frame
    assert 50 < last <= 73 and action.frame_range[1] == last and scene.frame_end == last
    strikes = [marker.frame for marker in action.pose_markers]
    assert max(strikes) == pytest.approx(last, abs=1)
    assert poses_at(fell, 40) == poses and fallen(fell) is None
    bpy.ops.biped.bake_walk()
    assert "replaces the last walk" in status.message  # it is not taken for keys of one's own


def poses_at(armature: Any, frame: int) -> list[Any]:
    bpy.context.scene.frame_set(frame)
    return [tuple(tuple(row) for row in bone.matrix) for bone in armature.pose.bones]


def test_trimming_is_one_step_of_undo(fell: Any) -> None:
    bpy.ops.ed.undo_push(message="before")
    end = bpy.context.scene.frame_end
    bpy.ops.biped.trim_fall("EXEC_DEFAULT", True)
    bpy.ops.ed.undo()
    armature = bpy.data.objects["Hero"]
    assert fallen(armature) and armature.animation_data.action.frame_range[1] == end
    assert bpy.context.scene.frame_end == end


def test_it_can_be_kept(fell: Any) -> None:
    assert bpy.ops.biped.keep_fall() == {"FINISHED"}
    assert fallen(fell) is None and outcome(fell) == "fell" and not status.message
    with pytest.raises(RuntimeError, match="no walk that fell"):
        bpy.ops.biped.trim_fall()


def test_an_unfinished_walk_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    def short(job: Job) -> Motion:
        motion = told()(job)
        half = motion.times[motion.times < 0.5 * motion.duration]
        return replace(motion.sampled(half), outcome="unfinished")

    answer_at_once(monkeypatch, short)
    armature = character("Hero")
    bpy.ops.biped.bake_walk()
    assert status.message.startswith("The character did not reach the end of the path: ")
    assert status.level == "WARNING" and fallen(armature) is None


# --- a walk in the place of one that fell -----------------------------------------------------------------------------

CALM = Attempt("generalized", "default", "Natural", True, 0.8, False, (Failure("fell", 4.2),))
WIDE = replace(CALM, wider=True, before=(Failure("unfinished", 20.0), Failure("fell", 3.1, 0.8)))
BY_ANOTHER = Attempt(
    "generalized",
    "default",
    "Generalized Walking",
    True,
    1.0,
    False,
    (Failure("fell", 4.2), Failure("fell", 3.1, 0.8)),
    True,
)
BY_KLAW = Attempt("klaw", "stroll", "Stroll", False, 1.0, False, (Failure("fell", 4.2), Failure("fell", 3.1, 0.8)))
AS_SET = "The walk fell after 4.2 s as it was set."


def standing_in(attempt: Attempt) -> Any:
    """Return an answer of a scripted worker: a walk in the place of one that fell."""
    return lambda job: replace(told()(job), attempt=attempt if job.fall_back else None)


def offered() -> list[str]:
    """Return the buttons that Result offers."""
    return [text.strip("[]") for text in shown(BIPED_PT_result) if text.startswith("[")]


def test_a_bake_falls_back_unless_it_is_switched_off() -> None:
    armature = character("Hero")
    assert armature.biped.walk.fall_back and read_request(bpy.context).job.fall_back
    armature.biped.walk.fall_back = False
    assert not read_request(bpy.context).job.fall_back
    assert "<Try Again If It Falls>" in shown(BIPED_PT_bake)
    armature.biped.walk.controller = "klaw"  # it does not fall
    assert "<Try Again If It Falls>" not in shown(BIPED_PT_bake)


@pytest.mark.parametrize(
    ("attempt", "says", "offers"),
    [
        (CALM, f"{AS_SET} This is the same walk at 0.8 of the speed.", ["Use KLAW", "Bake As Set", "Keep"]),
        (
            WIDE,
            "The walk did not reach the end of the path as it was set. "
            "This is the same walk at 0.8 of the speed, with wider steps.",
            ["Use KLAW", "Bake As Set", "Keep"],
        ),
        (BY_ANOTHER, f"{AS_SET} This is Generalized Walking in its place.", ["Use KLAW", "Bake As Set", "Keep"]),
        (
            replace(BY_ANOTHER, speed=0.8),
            f"{AS_SET} This is Generalized Walking in its place, at 0.8 of the speed.",
            ["Use KLAW", "Bake As Set", "Keep"],
        ),
        (
            BY_KLAW,
            f"{AS_SET} At 0.8 of the speed it failed, too. This is KLAW's walk, Stroll: it is not simulated.",
            ["Try Calmer", "Bake As Set", "Keep"],
        ),
        (
            replace(BY_KLAW, before=(Failure("fell", 4.2),)),
            f"{AS_SET} This is KLAW's walk, Stroll: it is not simulated.",
            ["Try Calmer", "Bake As Set", "Keep"],
        ),
    ],
)
def test_it_is_told_what_was_baked_in_its_place(
    monkeypatch: pytest.MonkeyPatch, attempt: Attempt, says: str, offers: list[str]
) -> None:
    answer_at_once(monkeypatch, standing_in(attempt))
    armature = character("Hero")
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    assert status.message.replace(SPACE, " ").startswith(f"{says} Action ") and status.level == "WARNING"
    assert says in shown(BIPED_PT_result) and offered() == offers and outcome(armature) == "arrived"
    assert bpy.ops.biped.keep_fall() == {"FINISHED"}
    assert not fallen(armature) and says in shown(BIPED_PT_result) and not offered()  # it stays told
    answer_at_once(monkeypatch, told())
    bpy.ops.biped.bake_walk()
    assert "as it was set" not in " ".join(shown(BIPED_PT_result)) and not offered()


def test_a_stride_of_klaws_is_told_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_at_once(monkeypatch, standing_in(BY_KLAW))
    armature = character("Hero")
    armature.biped.one_stride = True
    armature.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (12.0, 0.0, 0.0)])
    bpy.ops.biped.bake_walk()
    assert "it is not simulated" in status.message
    result = result_of(armature)
    assert result and result.stride and "it is not simulated" in fallback_text(result.summary)


@pytest.mark.parametrize(("attempt", "tells"), [(replace(CALM, controller="simbicon"), True), (BY_KLAW, False)])
def test_gaits_that_were_not_walked_are_not_told(
    monkeypatch: pytest.MonkeyPatch, attempt: Attempt, tells: bool
) -> None:
    answer_at_once(monkeypatch, standing_in(attempt))
    character("Hero", controller="simbicon", preset="walk")
    bpy.context.scene.timeline_markers.new("run", frame=40)
    bpy.ops.biped.bake_walk()
    assert ("Walk, Run" in shown(BIPED_PT_result)) is tells


def test_the_walk_that_was_set_can_be_had_with_its_fall(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Job] = []
    answer_at_once(monkeypatch, noting(jobs, lambda job: standing_in(CALM)(job) if job.fall_back else falling(job)))
    armature = character("Hero")
    with pytest.raises(RuntimeError, match="no walk that stands in"):
        bpy.ops.biped.bake_as_set()
    bpy.ops.biped.bake_walk()
    with pytest.raises(RuntimeError, match="no walk that fell"):
        bpy.ops.biped.trim_fall()
    assert bpy.ops.biped.bake_as_set() == {"FINISHED"}
    assert jobs[1].as_json() == {**jobs[0].as_json(), "fall_back": False}
    assert armature.biped.walk.fall_back  # the setting stays
    assert outcome(armature) == "fell" and "The character fell after 3.0 s" in status.message
    assert offered() == ["Go to Fall", "Try Calmer", "Use KLAW", "Trim Before the Fall", "Keep"]


def test_a_try_after_klaw_is_calmer_than_what_fell(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_at_once(monkeypatch, standing_in(BY_KLAW))
    armature = character("Hero", speed=1.0)
    bpy.ops.biped.bake_walk()
    assert bpy.ops.biped.try_calmer() == {"FINISHED"}
    assert armature.biped.walk.speed == pytest.approx(0.64, rel=0.02)


def test_klaw_can_be_had_in_place_of_a_calmer_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_at_once(monkeypatch, standing_in(CALM))
    armature = character("Hero", speed=1.0)
    bpy.ops.biped.bake_walk()
    answer_at_once(monkeypatch, walk)
    assert bpy.ops.biped.use_klaw() == {"FINISHED"}
    assert armature.biped.walk.controller == "klaw" and not fallen(armature)
    assert armature.biped.walk.speed == pytest.approx(1.0, rel=0.02)


def test_what_stands_in_outlives_saving_and_loading(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    answer_at_once(monkeypatch, standing_in(BY_KLAW))
    character("Hero")
    bpy.ops.biped.bake_walk()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "walk.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "walk.blend"))
    result = result_of(bpy.data.objects["Hero"])
    assert result and "This is KLAW's walk, Stroll: it is not simulated." in fallback_text(result.summary)
    assert fallen(bpy.data.objects["Hero"])


# --- a path that is too short ----------------------------------------------------------------------------------------


def test_a_run_that_its_path_is_too_short_for_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_at_once(monkeypatch, told())
    armature = character("Hero", controller="simbicon", preset="run", speed=2.2)
    assert read_request(bpy.context).warnings[0].startswith("The path is too short for Run: it is 4")
    bpy.ops.biped.bake_walk()
    assert "too short for Run" in status.message and status.level == "WARNING"
    armature.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (40.0, 0.0, 0.0)])
    assert not read_request(bpy.context).warnings
    armature.biped.walk.path = make_curve(STRAIGHT)
    armature.biped.walk.preset = "walk"
    assert not read_request(bpy.context).warnings


def test_what_a_gait_needs_grows_with_its_speed_and_the_body() -> None:
    run, body, small = preset("simbicon", "run"), standard_character(), standard_character(leg_scale=0.5)
    own = read_gait(run.values).steering
    starts, stops = 2.0**2 / (2.0 * own.acceleration), 2.0**2 / (2.0 * own.braking)
    assert needed_length(run, 2.0, body, stop=False) == pytest.approx(starts, rel=0.1)
    assert needed_length(run, 2.0, body, stop=True) == pytest.approx(starts + stops, rel=0.1)
    # the legs' length cancels: of two bodies at one speed, gravity brakes alike
    assert needed_length(run, 2.0, small, stop=True) == pytest.approx(needed_length(run, 2.0, body, stop=True))


# --- what messages are of --------------------------------------------------------------------------------------------


def test_a_message_is_shown_with_its_own_character_only(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_at_once(monkeypatch, told())
    one = character("One")
    bpy.ops.biped.bake_walk()
    two = character("Two", 5.0)
    assert status.on(one) and not status.on(two) and not status.on(None)


def test_a_message_goes_with_the_undo_of_what_it_told(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_at_once(monkeypatch, told())
    character("One")
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.biped.bake_walk("EXEC_DEFAULT", True)
    assert status.message
    bpy.ops.ed.undo()
    assert not status.message
    status.end("Something.", "INFO")
    bpy.ops.ed.redo()
    assert not status.message


def test_a_message_goes_with_another_file_and_another_mapping(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    answer_at_once(monkeypatch, told())
    armature = character("One")
    bpy.ops.biped.bake_walk()
    assert status.on(armature)
    bpy.ops.biped.map_bones()
    assert not status.message
    bpy.ops.biped.bake_walk()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "walk.blend"))
    assert status.message
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "walk.blend"))
    assert not status.message


# --- curves that are not to be had -----------------------------------------------------------------------------------


def excluded(curve: Any) -> None:
    """Put a curve into a collection that is excluded from the view layer."""
    away = bpy.data.collections.new("Away")
    bpy.context.scene.collection.children.link(away)
    away.objects.link(curve)
    bpy.context.scene.collection.objects.unlink(curve)
    bpy.context.view_layer.layer_collection.children["Away"].exclude = True


def elsewhere(curve: Any) -> None:
    """Put a curve into another scene."""
    bpy.data.scenes.new("Other").collection.objects.link(curve)
    bpy.context.scene.collection.objects.unlink(curve)


@pytest.mark.parametrize(
    ("lose", "words"),
    [
        (lambda curve: bpy.context.scene.collection.objects.unlink(curve), "The curve 'Hero Path' was deleted: choose"),
        (excluded, "The curve 'Hero Path' is not in this view layer: include its collection, 'Away'"),
        (elsewhere, "The curve 'Hero Path' is in another scene, 'Other'"),
    ],
)
def test_a_curve_that_is_not_to_be_had_is_told_as_it_is(lose: Any, words: str) -> None:
    lose(character("Hero").biped.walk.path)
    with pytest.raises(RuntimeError, match=words):
        bpy.ops.biped.bake_walk()


@pytest.mark.parametrize("how", ["hide_viewport", "hide_set", "collection"])
def test_a_hidden_curve_is_walked(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    answer_at_once(monkeypatch, told())
    armature = character("Hero")
    curve = armature.biped.walk.path
    if how == "hide_viewport":
        curve.hide_viewport = True
    elif how == "hide_set":
        curve.hide_set(True)
    else:
        excluded(curve)
        layer = bpy.context.view_layer.layer_collection.children["Away"]
        layer.exclude, layer.hide_viewport = False, True
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}


def test_a_curve_that_was_converted_to_a_mesh_is_none() -> None:
    armature = character("Hero")
    curve = armature.biped.walk.path
    for thing in bpy.context.selected_objects:
        thing.select_set(False)
    curve.select_set(True)
    bpy.context.view_layer.objects.active = curve
    bpy.ops.object.convert(target="MESH")
    bpy.context.view_layer.objects.active = armature
    assert armature.biped.walk.path.type == "MESH"
    with pytest.raises(RuntimeError, match="is no longer a curve"):
        bpy.ops.biped.bake_walk()
