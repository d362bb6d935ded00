"""The simulation of the preview: when it begins, what it gives, how it ends, and that it leaves no process."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path as FilePath

import numpy as np
import pytest

from blender_biped import worker
from blender_biped.character.standard import standard_character
from blender_biped.job import Job, Push
from blender_biped.preset.preset import preset
from blender_biped.ui.view.simulation import QUIET, Simulation
from blender_biped.worker import CancelledError, Worker, library_folders, run
from blender_biped.world.path import Path

pytest.importorskip("pybullet")
PYTHON = ("", library_folders(), "")


class Clock:
    """A clock that the test turns."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def simulation(clock: Clock, tmp_path: FilePath, monkeypatch: pytest.MonkeyPatch) -> Iterator[Simulation]:
    """A simulation that leaves no process and no file."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    started: list[Worker] = []
    ready = Worker.ready

    def noted(python: str = "", folders: list[str] | tuple[str, ...] = (), tables: str = "") -> Worker:
        started.append(ready(python, folders, tables))
        return started[-1]

    monkeypatch.setattr(worker.Worker, "ready", noted)
    made = Simulation(clock)
    made.started = started  # type: ignore[attr-defined]
    yield made
    made.stop()
    assert all(own.poll().state != "running" for own in started)
    assert list(folder.iterdir()) == []


def job(duration: float = 1.0, speed: float = 1.2) -> Job:
    path = Path([[0.0, 0.0], [4.0, 0.0]])
    return Job(standard_character(), path, preset("generalized", "default"), speed, duration=duration)


def state(simulation: Simulation) -> str:
    return simulation.state


def started(simulation: Simulation) -> list[Worker]:
    found: list[Worker] = simulation.started  # type: ignore[attr-defined]
    return found


def until(simulation: Simulation, done: Callable[[], bool]) -> None:
    end = time.monotonic() + 60.0
    while not done():
        assert time.monotonic() < end, "waited too long"
        simulation.advance()
        time.sleep(0.01)


def test_it_waits_until_nothing_changes_and_then_simulates_what_the_bake_would(
    simulation: Simulation, clock: Clock
) -> None:
    assert state(simulation) == "off" and not simulation.busy and not started(simulation)
    for speed in (1.0, 1.1, 1.2):  # a slider that is dragged
        simulation.desire(job(speed=speed), PYTHON)
        clock.now += 0.9 * QUIET
        assert not simulation.advance() and state(simulation) == "waiting"
    assert len(started(simulation)) == 1  # one process gets ready meanwhile
    clock.now += 0.2 * QUIET
    assert simulation.advance() and state(simulation) == "running"
    simulation.desire(job(speed=1.2), PYTHON)  # the same walk again is no change
    until(simulation, lambda: state(simulation) == "done")
    motion = simulation.finished(job(speed=1.2))
    assert motion is not None and motion is simulation.motion and simulation.finished(job(speed=1.1)) is None
    baked = run(job(speed=1.2), *PYTHON)
    for name in ("times", "root", "rotations", "loads", "torques", "strikes", "lifts", "command"):
        assert np.array_equal(getattr(motion, name), getattr(baked, name)), name
    assert len(started(simulation)) == 2  # the bake's own


@pytest.mark.long
def test_the_walk_comes_while_it_is_simulated(simulation: Simulation, clock: Clock) -> None:
    simulation.desire(job(4.0), PYTHON)
    clock.now += QUIET
    until(simulation, lambda: simulation.motion is not None)
    assert state(simulation) == "running"
    first = simulation.motion
    assert first is simulation.motion  # it is joined once
    until(simulation, lambda: simulation.motion is not first)
    shares = [simulation.progress]
    while simulation.busy:
        simulation.advance()
        shares.append(simulation.progress)
    assert shares == sorted(shares) and shares[0] < 0.9
    whole = simulation.motion
    assert first is not None and whole is not None
    assert np.array_equal(whole.root[: len(first.root)], first.root)


@pytest.mark.long
def test_a_walk_that_falls_is_followed_by_the_one_in_its_place(simulation: Simulation, clock: Clock) -> None:
    floored = (Push("chest", 3.0, 0.3, (0.0, 3000.0, 0.0)),)
    desired = replace(job(0.0), pushes=floored, fall_back=True)
    simulation.desire(desired, PYTHON)
    clock.now += QUIET
    lengths: list[int] = []

    def seen() -> bool:
        motion = simulation.motion
        if motion is not None:
            assert (np.diff(motion.times) > 0.0).all() and motion.times[0] == 0.0  # of one walk alone
            lengths.append(len(motion.times))
        return state(simulation) == "done"

    until(simulation, seen)
    assert any(later < before for before, later in pairwise(lengths))  # another one was begun
    motion = simulation.finished(desired)
    assert motion is not None and motion.attempt is not None and motion.attempt.kind == "kinematic"


@pytest.mark.long
def test_a_change_begins_again_and_ends_the_process(simulation: Simulation, clock: Clock) -> None:
    simulation.desire(job(20.0), PYTHON)
    clock.now += QUIET
    until(simulation, lambda: simulation.motion is not None)
    simulation.desire(job(1.0), PYTHON)
    assert state(simulation) == "waiting" and simulation.motion is None
    assert started(simulation)[0].poll().state == "cancelled"
    clock.now += QUIET
    until(simulation, lambda: state(simulation) == "done")
    assert simulation.motion is not None and simulation.motion.duration == pytest.approx(1.0, abs=0.02)


def test_the_bake_goes_on_from_the_run_that_is_under_way(simulation: Simulation, clock: Clock) -> None:
    simulation.desire(job(3.0), PYTHON)
    assert simulation.running(job(2.0)) is None
    shared = simulation.running(job(3.0))  # it does not wait for the moment of quiet
    assert shared is started(simulation)[0] and state(simulation) == "running"
    simulation.desire(job(1.0), PYTHON)  # a change does not end what another one needs
    assert shared.poll().state == "running"
    while shared.poll().state == "running":
        time.sleep(0.01)
    assert shared.result().duration == pytest.approx(3.0, abs=0.02)
    clock.now += QUIET
    shared = simulation.running(job(1.0))
    assert shared is not None
    while shared.poll().state == "running":
        time.sleep(0.01)
    motion = shared.result()
    until(simulation, lambda: state(simulation) == "done")
    assert simulation.motion is motion  # both have it, whoever asked first
    assert simulation.running(job(1.0)) is None and simulation.finished(job(1.0)) is motion


def test_a_bake_that_is_cancelled_leaves_the_preview(simulation: Simulation, clock: Clock) -> None:
    simulation.desire(job(1.0), PYTHON)
    shared = simulation.running(job(1.0))
    assert shared is not None
    shared.cancel()
    with pytest.raises(CancelledError):
        shared.result()
    assert simulation.advance() and state(simulation) == "waiting"
    clock.now += QUIET
    until(simulation, lambda: state(simulation) == "done")


@pytest.mark.long
def test_what_the_simulation_refuses_is_said_and_a_change_goes_on(simulation: Simulation, clock: Clock) -> None:
    simulation.desire(job(speed=101.0), PYTHON)
    clock.now += QUIET
    until(simulation, lambda: not simulation.busy)
    assert state(simulation) == "failed" and "job.speed: 101.0 is out of range" in simulation.error
    assert simulation.finished(job(speed=101.0)) is None and simulation.motion is None
    simulation.desire(job(0.5), PYTHON)
    clock.now += QUIET
    until(simulation, lambda: state(simulation) == "done")


def test_a_python_that_is_not_there_is_said(simulation: Simulation) -> None:
    simulation.desire(job(), ("/nowhere/python", [], ""))
    assert state(simulation) == "failed" and "/nowhere/python" in simulation.error and not simulation.advance()
    simulation.desire(job(2.0), PYTHON)
    assert state(simulation) == "waiting"


def test_another_python_takes_the_place_of_the_one_that_got_ready(simulation: Simulation) -> None:
    simulation.desire(job(1.0), PYTHON)
    simulation.desire(job(2.0), ("", [*PYTHON[1], "/nowhere"], ""))
    first, second = started(simulation)
    assert first.poll().state == "cancelled" and second.poll().state == "running"


def test_it_ends_at_any_time(simulation: Simulation, clock: Clock) -> None:
    simulation.stop()
    simulation.desire(job(20.0), PYTHON)
    simulation.stop()
    assert state(simulation) == "off"
    simulation.desire(job(20.0), PYTHON)
    clock.now += QUIET
    until(simulation, lambda: simulation.motion is not None)
    simulation.stop()
    assert state(simulation) == "off" and simulation.motion is None and not simulation.advance()
