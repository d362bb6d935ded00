"""Takes: variations of one walk, which of them stay, what is drawn of them, and what keeping one does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from blender_biped.pool import cores
from blender_biped.strides import take_of
from blender_biped.ui.bake import layers, take_strips
from blender_biped.ui.base.status import status
from blender_biped.ui.job.request import read_request
from blender_biped.ui.job.runs import Run
from blender_biped.ui.job.takes import Takes, TakesQueue, takes_of
from blender_biped.ui.job.takes import numbers as coming_numbers
from blender_biped.ui.panels import takes_operators
from blender_biped.ui.panels.takes_panel import BIPED_PT_takes
from blender_biped.ui.view import takes_view
from tests.blender.drawn import shown
from tests.blender.scenes import contents, gentle_motion, make_curve, make_rig
from tests.blender.scripted import Scripted


def answer(job: Job) -> Motion:
    """A walk that is another one for each seed."""
    made = gentle_motion(job.character)
    return replace(made, root=made.root + np.array((0.0, 0.01 * job.seed, 0.0)))


class Workers:
    """The workers that were begun, in their order. open: whether they have their motions at once."""

    def __init__(self) -> None:
        self.begun: list[Scripted] = []
        self.at_once = True

    def __call__(self, job: Job) -> Scripted:
        self.begun.append(Scripted(job, answer, ended=self.at_once))
        return self.begun[-1]


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> Workers:
    made = Workers()
    monkeypatch.setattr(takes_operators, "begun_take", made)
    return made


@pytest.fixture
def rig(scene: Any, workers: Workers) -> Iterator[Any]:
    armature = make_rig()
    armature.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (4.0, 0.0, 0.0)])
    bpy.ops.biped.map_bones()
    scene.biped.variations = 3
    yield armature


def takes(rig: Any) -> Takes:
    return takes_of(rig.session_uid)


def numbers(rig: Any) -> list[int]:
    return [take.number for take in takes(rig).made]


def test_takes_are_the_walk_as_it_is_set_but_for_its_variation(rig: Any, workers: Workers) -> None:
    before = contents()
    assert bpy.ops.biped.make_takes() == {"FINISHED"}
    assert contents() == before
    own = read_request(bpy.context).job
    assert [worker.job for worker in workers.begun] == [take_of(own, number) for number in (1, 2, 3)]
    assert numbers(rig) == [1, 2, 3] and rig.biped.walk.take == 0
    rig.biped.walk.take = 2
    assert read_request(bpy.context).job == takes(rig).made[1].job


def test_a_locked_take_stays_when_they_are_made_again_and_the_others_are_new(rig: Any, scene: Any) -> None:
    bpy.ops.biped.make_takes()
    bpy.ops.biped.lock_take(take=2)
    locked = takes(rig).take(2)
    rig.biped.walk.speed_mps = 0.9
    bpy.ops.biped.make_takes()
    assert numbers(rig) == [2, 4, 5] and takes(rig).made[0] is locked
    assert locked is not None and locked.job.speed != takes(rig).made[1].job.speed
    for number in (4, 5):
        bpy.ops.biped.lock_take(take=number)
    assert not bpy.ops.biped.make_takes.poll()
    scene.biped.variations = 4
    bpy.ops.biped.make_takes()
    assert numbers(rig) == [2, 4, 5, 6]
    bpy.ops.biped.lock_take(take=2)
    bpy.ops.biped.make_takes()
    assert numbers(rig) == [4, 5, 7, 8]


def test_keeping_one_bakes_just_that_and_its_number_gives_it_again(rig: Any) -> None:
    bpy.ops.biped.make_takes()
    assert bpy.ops.biped.keep_take(take=2) == {"FINISHED"}
    assert rig.biped.walk.take == 2 and takes(rig).hidden and numbers(rig) == [1, 2, 3]
    action = rig.animation_data.action
    assert not rig.animation_data.nla_tracks and [a.name for a in bpy.data.actions] == [action.name]
    bpy.context.scene.frame_set(1)
    bpy.context.view_layer.update()
    hips = rig.matrix_world @ rig.pose.bones["thigh.L"].head
    bpy.ops.biped.keep_take(take=3)
    bpy.context.scene.frame_set(1)
    bpy.context.view_layer.update()
    apart = rig.matrix_world @ rig.pose.bones["thigh.L"].head - hips
    assert tuple(apart) == pytest.approx((0.0, 0.01, 0.0), abs=1e-4)  # as ``answer`` has it


def test_a_take_is_kept_as_it_was_made_though_the_settings_have_changed(rig: Any) -> None:
    bpy.ops.biped.make_takes()
    rig.biped.walk.speed_mps = 0.7
    bpy.ops.biped.keep_take(take=1)
    assert "as the take was made" in status.message
    assert rig.animation_data.action.biped.desired_speed == pytest.approx(takes(rig).made[0].job.speed)


def test_a_take_of_another_body_is_refused(rig: Any) -> None:
    bpy.ops.biped.make_takes()
    rig.biped.mass_from, rig.biped.mass_kg = "TYPED", 40.0
    before = contents()
    with pytest.raises(RuntimeError, match="character has changed"):
        bpy.ops.biped.keep_take(take=1)
    assert contents() == before


@pytest.mark.parametrize("played", [False, True])
def test_the_others_are_muted_strips_and_what_plays_is_the_kept_one(rig: Any, played: bool) -> None:
    if played:
        other = bpy.data.actions.new("Own")
        rig.animation_data_create().action = other
    bpy.ops.biped.make_takes()
    bpy.ops.biped.keep_take(take=2, strips=True)
    tracks = rig.animation_data.nla_tracks
    assert [(track.name, track.mute) for track in tracks] == [("Rig Take 1", True), ("Rig Take 3", True)]
    assert all(len(track.strips) == 1 and track.strips[0].frame_start == 1.0 for track in tracks)
    bpy.context.scene.frame_set(1)
    bpy.context.view_layer.update()
    kept = rig.matrix_world @ rig.pose.bones["thigh.L"].head
    rig.animation_data.action = None
    tracks[1].mute = False
    bpy.context.scene.frame_set(1)
    bpy.context.view_layer.update()
    third = rig.matrix_world @ rig.pose.bones["thigh.L"].head
    assert tuple(third - kept) == pytest.approx((0.0, 0.01, 0.0), abs=1e-4)


def test_what_goes_wrong_with_the_others_leaves_everything(rig: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    bpy.ops.biped.make_takes()
    before, real, calls = contents(), layers.lay_muted, []

    def failing(*arguments: Any) -> None:
        calls.append(arguments)
        if len(calls) == 2:
            raise ValueError("no room")
        real(*arguments)

    monkeypatch.setattr(take_strips, "lay_muted", failing)
    with pytest.raises(RuntimeError, match="no room"):
        bpy.ops.biped.keep_take(take=2, strips=True)
    assert contents() == before and rig.biped.walk.take == 0


def test_what_has_come_is_there_before_the_rest_and_cancelling_leaves_what_was(rig: Any, workers: Workers) -> None:
    bpy.ops.biped.make_takes()
    workers.begun.clear()
    workers.at_once = False
    own, queue = takes(rig), begun(rig)
    queue.advance()
    assert len(workers.begun) == min(cores(), 3) and own.present == []
    workers.begun[0].ended = True
    queue.advance()
    assert [take.number for take in own.present] == [4] and numbers(rig) == [1, 2, 3]
    assert queue.news and own.places == 3
    assert takes_view.asides(own, np.eye(3))[0][1][1] > 0.5  # where it stays when the others have come
    queue.cancel()
    own.give_up()
    assert [take.number for take in own.present] == [1, 2, 3]
    assert all(worker.cancelled for worker in workers.begun if not worker.ended)


def begun(rig: Any) -> Any:
    """Return the queue of takes that are begun, as the operator makes it."""
    request, own = read_request(bpy.context), takes(rig)
    runs = [
        Run(rig.name, rig.session_uid, replace(request, job=take_of(request.job, seed)))
        for seed in coming_numbers(own, 3)
    ]
    return TakesQueue(runs, takes_operators.begun_take, cores(), coming=own.begin(len(runs)))


def test_they_stand_side_by_side_across_the_way(rig: Any) -> None:
    bpy.ops.biped.make_takes()
    moved = takes_view.asides(takes(rig), np.eye(3))
    leg = takes(rig).made[0].job.character.leg_length
    assert [take.number for take, _ in moved] == [1, 2, 3]
    places = np.array([aside for _, aside in moved])
    assert places[:, 0] == pytest.approx(0.0, abs=1e-9) and places[1] == pytest.approx(0.0, abs=1e-9)
    assert (-np.diff(places[:, 1]) > 0.8 * leg).all()
    bpy.ops.biped.show_take(take=2)
    assert [take.number for take, _ in takes_view.asides(takes(rig), np.eye(3))] == [1, 3]
    assert takes_view.shown_takes(bpy.context) is not None
    bpy.ops.biped.show_take()
    assert takes_view.shown_takes(bpy.context) is None


def test_the_panel_says_how_each_went(rig: Any) -> None:
    assert shown(BIPED_PT_takes) == ["<Variations>", "[Make Takes]", "<Take Number>"]
    bpy.ops.biped.make_takes()
    said = shown(BIPED_PT_takes)
    assert said.count("[Keep]") == 3 and any(text.startswith("2: 2.0") for text in said)


def test_a_walk_that_has_no_variations_says_so(rig: Any) -> None:
    rig.biped.walk.controller = "klaw"
    assert not bpy.ops.biped.make_takes.poll()
    with pytest.raises(RuntimeError, match="always walks in the same way"):
        bpy.ops.biped.make_takes()
    assert not bpy.ops.biped.keep_take.poll()


@pytest.mark.long
def test_simulated_takes_differ_and_a_number_gives_the_same_one_again(
    rig: Any, scene: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pybullet")
    monkeypatch.undo()
    scene.biped.variations = 2
    bpy.ops.biped.make_takes()
    first, second = (take.motion for take in takes(rig).made)
    count = min(len(first.times), len(second.times))
    assert np.abs(first.root[:count] - second.root[:count]).max() > 0.002
    rig.biped.walk.take = 2
    bpy.ops.biped.bake_walk()
    again = rig.animation_data.action
    assert again.biped.duration == pytest.approx(second.duration, abs=1e-6)
