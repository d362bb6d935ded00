"""Characters that bump into each other: which walks are simulated in one world, and how these are baked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.base.errors import WorkerError
from blender_biped.base.limits import MAX_COMPANIONS
from blender_biped.company import Company
from blender_biped.control.registry import preset
from blender_biped.klaw.walk import walk
from blender_biped.motion.motion import Motion
from blender_biped.ui.bake.result import result_of
from blender_biped.ui.base.status import status
from blender_biped.ui.job.companions import companions_of, joined
from blender_biped.ui.job.found import found_lines
from blender_biped.ui.job.runs import Queue, Run
from blender_biped.ui.panels import bake_operators
from blender_biped.ui.panels.bake_operators import read_runs
from blender_biped.worker import CancelledError
from tests.blender.scenes import contents, keys, make_curve, make_rig
from tests.blender.scripted import Endable, answer_at_once
from tests.marks import long_but

LENGTH = 3.0  # m


def character(name: str, aside: float = 0.0, **settings: Any) -> Any:
    """Return a rig with a path of its own, ``aside`` m from the first one's, and settings of its walk."""
    armature = make_rig(name)
    own = armature.biped.walk
    own.path = make_curve([(0.0, aside, 0.0), (LENGTH, aside, 0.0)], name=f"{name} Path")
    own.controller = settings.pop("controller", "generalized")
    for key, value in settings.items():
        setattr(own, key, value)
    bpy.context.view_layer.update()
    return armature


@pytest.fixture
def bump(scene: Any) -> Any:
    scene.biped.bump = True
    return scene


@dataclass
class Scripted(Endable):
    """A worker of a company that does what a test says: KLAW's walks are the answers."""

    company: Company
    ended: bool = True
    progress: float = 0.0
    cancelled: bool = False
    error: str = ""

    def results(self) -> Sequence[Motion]:
        if self.cancelled:
            raise CancelledError
        if self.error:
            raise WorkerError(self.error)
        return [by_klaw(one.job) for one in self.company.companions]


def by_klaw(job: Any) -> Motion:
    return walk(replace(job, preset=preset("klaw", "walk"), cues=(), ending=(), ragdoll=0.0))


def scripted(monkeypatch: pytest.MonkeyPatch, **more: Any) -> list[Scripted]:
    """Have companies walked by KLAW; return their workers."""
    begun: list[Scripted] = []

    def begin(company: Company) -> Scripted:
        begun.append(Scripted(company, **more))
        return begun[-1]

    monkeypatch.setattr(bake_operators, "begun_company", begin)
    answer_at_once(monkeypatch, by_klaw)
    return begun


def runs_of(*armatures: Any) -> list[Run]:
    return read_runs(bpy.context, armatures, {})


# --- who is with whom ------------------------------------------------------------------------------------------------


def test_without_the_switch_each_walks_alone(scene: Any) -> None:
    one, two = character("One"), character("Two", 5.0)
    assert companions_of(scene, one) == [] and all(run.party is None for run in runs_of(one, two))


def test_those_that_are_simulated_in_space_are_together_and_the_others_are_told(bump: Any) -> None:
    names = {"One": "generalized", "Two": "natural", "Klaw": "klaw", "Flat": "planar"}
    cast = [character(name, 5.0 * i, controller=kind) for i, (name, kind) in enumerate(names.items())]
    assert [own.name for own in companions_of(bump, cast[0])] == ["One", "Two"]
    assert companions_of(bump, cast[2]) == [] == companions_of(bump, None)
    runs = runs_of(*cast)
    party = runs[0].party
    assert party and [run.party for run in runs] == [party, party, None, None] and party.runs == tuple(runs[:2])
    for run, said in zip(runs, ("with Two", "with One", "bumps into nobody", "bumps into nobody"), strict=True):
        assert run.request and said in run.request.notes[-1]
    assert [run.request.job.ragdoll > 0.0 for run in runs if run.request] == [True, True, False, False]
    assert [line.text for line in found_lines(bpy.context, cast[0])] == ["Bumps into Two"]
    assert "its method is not simulated" in found_lines(bpy.context, cast[2])[0].text


def test_one_alone_is_told_in_the_panel_and_walks_as_ever(bump: Any) -> None:
    one = character("One")
    assert "no other simulated character has a path" in found_lines(bpy.context, one)[0].text
    (run,) = runs_of(one)
    assert run.party is None and run.request and run.request.job.ragdoll == 0.0


def test_start_frames_are_on_one_clock(bump: Any) -> None:
    bump.render.fps = 25
    party = runs_of(character("One", frame_start=51), character("Two", 5.0, frame_start=1))[0].party
    assert party and [one.start for one in party.company.companions] == [2.0, 0.0]


def uneven(cast: Any) -> None:
    cast[1].scale = (1.0, 1.0, 1.3)


def paced(cast: Any) -> None:
    cast[1].biped.pace = "ADULT"
    cast[1].scale = (1.5, 1.5, 1.5)


def crowd(cast: Any) -> None:
    for i in range(MAX_COMPANIONS):
        cast.append(character(f"More {i}", 10.0 + 5.0 * i))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (uneven, "'Two' is scaled unevenly or mirrored, and cannot bump"),
        (paced, "different gravity, and one world has one: set Pace to By Size"),
        (crowd, f"{MAX_COMPANIONS + 2} characters in one world are too many"),
    ],
)
def test_what_cannot_be_together_is_the_error_of_all(spoil: Callable[[Any], None], message: str, bump: Any) -> None:
    cast = [character("One"), character("Two", 5.0)]
    spoil(cast)
    bpy.context.view_layer.update()
    runs = runs_of(*cast)
    assert all(message in run.error and run.party is None for run in runs)


def test_one_that_cannot_be_read_is_left_out(bump: Any) -> None:
    cast = [character("One"), character("Two", 5.0), character("Three", 9.0, start=99.0)]
    runs = runs_of(*cast)
    assert "start offset" in runs[2].error and runs[0].party and len(runs[0].party.runs) == 2


# --- the queue -------------------------------------------------------------------------------------------------------


def test_a_company_is_one_process_beside_those_that_walk_alone(bump: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    workers = scripted(monkeypatch, ended=False)
    cast = [character("One"), character("Klaw", 5.0, controller="klaw"), character("Two", 9.0)]
    queue = Queue(runs_of(*cast), bake_operators.begun, 2, bake_operators.begun_company)
    queue.advance()
    assert len(workers) == 1 and queue.runs[0].source and queue.runs[2].source
    queue.advance()
    assert queue.runs[1].motion is not None and not queue.settled
    workers[0].progress = 0.5
    queue.advance()
    assert queue.progress == pytest.approx((1.0 + 0.5 + 0.5) / 3)
    workers[0].ended = True
    queue.advance()
    assert queue.settled and len(workers) == 1
    for run in (queue.runs[0], queue.runs[2]):
        assert run.motion and run.request and run.motion.character == run.request.job.character


def test_what_goes_wrong_in_a_company_is_the_error_of_all(bump: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted(monkeypatch, error="'Two': It crashed.")
    queue = Queue(runs_of(character("One"), character("Two", 5.0)), bake_operators.begun, 2,
                  bake_operators.begun_company)  # fmt: skip
    queue.advance()
    queue.advance()
    assert [run.error for run in queue.runs] == ["'Two': It crashed."] * 2

    def cannot(_: Company) -> Scripted:
        raise WorkerError("Cannot start.")

    queue = Queue(runs_of(*bpy.context.scene.objects[:0], *armatures()), bake_operators.begun, 2, cannot)
    queue.advance()
    assert queue.settled and [run.error for run in queue.runs] == ["Cannot start."] * 2


def armatures() -> list[Any]:
    return [own for own in bpy.context.scene.objects if own.type == "ARMATURE"]


def test_a_cancelled_company_leaves_nothing(bump: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    workers = scripted(monkeypatch, ended=False)
    queue = Queue(runs_of(character("One"), character("Two", 5.0)), bake_operators.begun, 1,
                  bake_operators.begun_company)  # fmt: skip
    queue.advance()
    queue.cancel()
    assert workers[0].cancelled and queue.settled and all(run.cancelled for run in queue.runs)


# --- baking ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("operator", long_but(["bake_walk", "bake_all"], "bake_all"))
def test_all_of_a_company_are_baked_in_one_step_of_undo(
    operator: str, bump: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers = scripted(monkeypatch)
    one, two = character("One", frame_start=11), character("Two", 5.0, frame_start=1)
    klaw = character("Klaw", 9.0, controller="klaw")
    bpy.context.view_layer.objects.active = one
    bpy.ops.ed.undo_push(message="before")
    before = contents()
    assert getattr(bpy.ops.biped, operator)("EXEC_DEFAULT", True) == {"FINISHED"}
    assert len(workers) == 1 and one.animation_data.action.frame_range[0] == 11
    assert two.animation_data.action.frame_range[0] == 1
    assert bool(klaw.animation_data) == (operator == "bake_all")
    assert status.message.startswith("2 of 2" if operator == "bake_walk" else "3 of 3")
    assert "It was simulated in one world with Two." in status.message
    bpy.ops.ed.undo()
    assert contents() == before


def test_one_that_cannot_be_read_lets_no_others_be_baked_by_its_button(
    bump: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers = scripted(monkeypatch)
    others = [character("Two", 5.0), character("Three", 9.0)]
    one = character("One", start=99.0)
    bpy.context.view_layer.objects.active = one
    with pytest.raises(RuntimeError, match="start offset"):
        bpy.ops.biped.bake_walk()
    assert not workers and not any(own.animation_data for own in others)


def test_one_by_klaw_is_baked_alone(bump: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    workers = scripted(monkeypatch)
    one, klaw = character("One"), character("Klaw", 9.0, controller="klaw")
    bpy.context.view_layer.objects.active = klaw
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    assert not workers and klaw.animation_data and not one.animation_data


@pytest.mark.long
def test_two_meet_in_the_real_simulation(bump: Any) -> None:
    pytest.importorskip("pybullet")
    one, two = character("One"), character("Two", 0.2, reverse=True, frame_start=1)
    bpy.context.view_layer.objects.active = one
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    assert status.message.startswith("2 of 2 walks baked.")
    together = {own.name: keys(own.animation_data.action) for own in (one, two)}
    ends = {own.animation_data.action.frame_range[1] for own in (one, two)}
    assert len(ends) == 1
    for own in (one, two):
        result = result_of(own)
        assert result and (result.summary.outcome != "fell" or result.summary.lies is not None)
    bump.biped.bump = False
    assert bpy.ops.biped.bake_all() == {"FINISHED"}
    alone = {own.name: keys(own.animation_data.action) for own in (one, two)}
    assert all(together[name] != alone[name] for name in alone)


def test_who_begin_inside_each_other_are_named(bump: Any) -> None:
    pytest.importorskip("pybullet")
    one, two = character("One"), character("Two", 0.1)
    with pytest.raises(RuntimeError, match=r"'One' and 'Two' begin 0.*inside each other"):
        bpy.ops.biped.bake_all()
    assert not one.animation_data and not two.animation_data


def test_joined_needs_the_switch(scene: Any) -> None:
    runs = [Run("A", 1), Run("B", 2)]
    joined(scene, runs)
    assert np.all([run.party is None for run in runs])
