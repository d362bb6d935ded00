"""The bench: that its parts are the whole, and that its limit is the same walk. Never a time."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from blender_biped import simulate as simulation
from blender_biped.base.errors import DataError
from blender_biped.base.spatial import Array
from blender_biped.control import registry
from blender_biped.control.shared.state import BodyState
from blender_biped.control.shared.steering import Command
from blender_biped.job import Job
from blender_biped.motion.motion import RATE
from blender_biped.motion.similarity import similarity
from blender_biped.physics.engine import Engine
from blender_biped.walking import sample_steps
from tools.base.controllers import USUAL, by_physics
from tools.bench.clocks import REST, TIMED, ClockCost, Clocks, patched
from tools.bench.recording import Recording, recorded, replayed
from tools.bench.split import clock_places, clocked, split_of
from tools.bench.walks import straight_job, walks_of

STEPS = sample_steps(straight_job(1.5), registry.kind_of(USUAL), 1.0)  # of control, to a sample of motion


def methods() -> list[dict[str, object]]:
    """Return what the patched classes have now."""
    return [dict(owner.__dict__) for owner, _, _ in clock_places(Clocks())]


@pytest.fixture(scope="module")
def job() -> Job:
    return straight_job(1.5)  # the first step, with a foot in the air


@pytest.fixture(scope="module")
def recording(job: Job) -> Recording:
    return recorded(job)


def is_in(engine: Engine, recording: Recording, sample: int) -> bool:
    """Return whether an engine's body is exactly where a motion has it, whose rotations have their signs made even."""
    engine.state()
    root, rotations = engine.pose()
    motion = recording.motion
    root = root * similarity(recording.job).length
    wanted = motion.rotations[sample]
    signs = np.sign((rotations * wanted).sum(axis=1))[:, None]
    return np.array_equal(root, motion.root[sample]) and np.array_equal(signs * rotations, wanted)


def test_parts_add_up_to_the_whole(job: Job) -> None:
    before = methods()
    split = split_of(replace(job, duration=0.3), repeats=1)
    assert methods() == before
    assert set(split.parts) == {*TIMED, REST}
    assert sum(split.parts.values()) == pytest.approx(split.whole)
    assert all(value >= 0.0 for value in split.parts.values())
    assert split.simulated_s == pytest.approx(0.3, abs=0.01)
    assert split.steps == round(split.simulated_s * RATE * STEPS)


@pytest.mark.long
def test_a_recorded_walk_is_the_walk_itself(job: Job, recording: Recording) -> None:
    plain = simulation.simulate(job)
    assert np.array_equal(plain.root, recording.motion.root)
    assert np.array_equal(plain.rotations, recording.motion.rotations)


def test_replayed_torques_give_the_same_motion_bit_for_bit(job: Job, recording: Recording) -> None:
    motion, seen = recording.motion, 0
    assert motion.loads.min() == 0.0  # it steps
    with recording.engine() as engine:
        for count in replayed(engine, recording):
            if count % (30 * STEPS) == 0:
                assert is_in(engine, recording, count // STEPS)
                seen += 1
    assert seen == 6


def test_a_replay_that_reads_nothing_ends_in_the_same_state(job: Job, recording: Recording) -> None:
    with recording.engine() as engine:
        *_, last = replayed(engine, recording)
        assert last == STEPS * (len(recording.motion.times) - 1)
        assert is_in(engine, recording, -1)


def test_patches_are_undone_when_the_walk_fails(job: Job) -> None:
    before = methods()
    broken = replace(job, preset=replace(job.preset, values={"no field": 1}))
    with pytest.raises(DataError):
        recorded(broken)
    with pytest.raises(DataError):
        clocked(broken, ClockCost(0.0, 0.0))
    with pytest.raises(KeyError), patched([(Engine, "step", lambda m: None), (Engine, "nothing", lambda m: m)]):
        pytest.fail("there is nothing to patch")
    assert methods() == before


def test_a_timed_function_within_another_belongs_to_that() -> None:
    clocks = Clocks()
    inner = clocks.on("reading")(lambda x: 2 * x)
    outer = clocks.on("control")(lambda x: inner(x) + 1)
    assert outer(3) == 7 and inner(4) == 8
    assert (clocks.calls["control"], clocks.calls["reading"]) == (1, 1)


def test_walks_one_after_another_are_summed(job: Job) -> None:
    short = replace(job, duration=0.1)
    found = walks_of([short, replace(short, seed=1)])
    assert found.outcomes == ("time", "time") and found.simulated_s == pytest.approx(0.2)
    assert found.memory_mb is None or found.memory_mb > 1.0


class Late:
    """Walks as another one does, a millisecond later."""

    def __init__(self, walk: Any) -> None:
        self._walk = walk

    def __getattr__(self, name: str) -> Any:
        return getattr(self._walk, name)

    def torques(self, state: BodyState, command: Command) -> Array:
        until = time.process_time() + 0.001
        while time.process_time() < until:
            pass
        return self._walk.torques(state, command)


def test_a_controller_that_is_registered_is_timed(job: Job) -> None:
    usual = registry.kind_of(USUAL)
    make: Any = usual.controller

    def maker(job: Job, step: float) -> Any:
        return Late(make(job, step))

    late = replace(usual, name="late", controller=maker)
    with registry.registered(late):
        assert "late" in by_physics()
        walk = replace(job, duration=0.1, preset=replace(job.preset, controller="late"))
        split = split_of(walk, repeats=1)
    assert split.parts["control"] * split.simulated_s >= 0.001 * split.steps
    assert "late" not in by_physics()
