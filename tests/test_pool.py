"""The pool: so many at a time, one's error alone, and processes that are used again."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path as FilePath

import numpy as np
import pytest

from blender_biped.base.errors import WorkerError
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import preset
from blender_biped.job import Job
from blender_biped.motion.motion import Motion, read_motion
from blender_biped.motion.stamp import read_stamp
from blender_biped.pool import Crew, CrewWalk, Pool
from blender_biped.simulate import simulate
from blender_biped.worker import RefusedError, Status, library_folders
from blender_biped.world.path import Path


@dataclass
class Counted:
    """Ends when a test says so."""

    progress: float = 0.0
    ended: bool = False
    cancelled: bool = False

    def poll(self) -> Status:
        return Status("done" if self.ended else "running", self.progress)

    def cancel(self) -> None:
        self.cancelled = True


def test_a_piece_is_asked_for_when_it_can_be_begun() -> None:
    begun: dict[int, Counted] = {}
    taken: list[int] = []
    asked: list[int] = []

    def waiting() -> Iterator[int]:
        for k in range(4):
            asked.append(k)
            yield k

    def begin(k: int) -> Counted:
        return begun.setdefault(k, Counted())

    own = Pool[int, Counted](
        waiting(), begin, lambda k, _: taken.append(k), lambda k, error: pytest.fail(str(error)), 2
    )
    own.advance()
    assert asked == [0, 1]
    begun[1].progress = 0.7
    own.advance()
    begun[1].progress = 0.2  # it never falls
    own.advance()
    assert [way.progress for way in own.running] == [0.0, 0.7]
    begun[1].ended, own.at_once = True, 3
    own.advance()
    assert taken == [1] and asked == [0, 1, 2, 3] and not own.settled
    own.stop()
    assert own.settled and [k for k, one in begun.items() if one.cancelled] == [0, 2, 3]
    own.advance()
    assert len(begun) == 4


def test_an_error_at_the_start_or_at_the_end_is_that_piece_s() -> None:
    failed: list[tuple[int, str]] = []

    def begin(k: int) -> Counted:
        if k == 0:
            raise KeyError("start")
        return Counted(ended=True)

    def take(k: int, _: Counted) -> None:
        if k == 2:
            raise ValueError("end")

    own = Pool[int, Counted](range(4), begin, take, lambda k, error: failed.append((k, str(error))))
    own.advance()
    assert failed == [(0, "'start'"), (2, "end")] and own.settled


# --- processes that are kept -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def crew() -> Iterator[Crew]:
    pytest.importorskip("pybullet")
    own = Crew(folders=library_folders())
    yield own
    own.stop()


JOB = Job(standard_character(), Path([[0.0, 0.0], [2.0, 0.0]]), preset("generalized", "default"), duration=0.2)


def ended(walk: CrewWalk) -> CrewWalk:
    until = time.monotonic() + 60.0
    while walk.poll().state == "running":
        assert time.monotonic() < until
        time.sleep(0.01)
    return walk


def motion_and_work(walk: CrewWalk) -> tuple[Motion, str]:
    (file,) = ended(walk).files()
    stamp = read_stamp(file)
    assert stamp
    return read_motion(file), stamp.work


def same(one: Motion, other: Motion) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ("root", "rotations", "torques"))


def test_a_process_walks_one_job_after_the_other_with_the_same_bits(
    crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = [JOB, replace(JOB, seed=3), replace(JOB, preset=preset("klaw", "walk")), JOB]
    motions, processes = [], set[int]()
    for k, job in enumerate(jobs):
        walk = crew.begin(job, f"{k}" * 64)
        motion, work = motion_and_work(walk)
        assert work == f"{k}" * 64
        motions.append(motion)
        processes.add(walk.process_id)
        walk.end()
    assert len(processes) == 1
    assert same(motions[0], motions[3]) and not same(motions[0], motions[1])
    assert same(motions[1], simulate(jobs[1]))


def test_a_job_that_is_refused_leaves_its_process_for_the_next(crew: Crew) -> None:
    walk = crew.begin(replace(JOB, preset=replace(JOB.preset, values={"nonsense": 1})), "0" * 64)
    with pytest.raises(RefusedError, match="nonsense"):
        ended(walk).files()
    walk.end()
    motion, _ = motion_and_work(crew.begin(JOB, "1" * 64))
    assert motion.duration == pytest.approx(0.2, abs=0.02)


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_process_that_was_killed_is_no_refusal_and_is_replaced(crew: Crew) -> None:
    walk = crew.begin(replace(JOB, duration=60.0), "0" * 64)
    os.kill(walk.process_id, signal.SIGKILL)
    with pytest.raises(WorkerError, match="SIGKILL") as caught:
        ended(walk).files()
    assert not isinstance(caught.value, RefusedError)
    walk.end()
    again = crew.begin(JOB, "1" * 64)
    motion_and_work(again)
    again.end()
    os.kill(again.process_id, signal.SIGKILL)  # while it waits
    time.sleep(0.2)
    motion_and_work(crew.begin(JOB, "2" * 64))


def test_nothing_is_left_of_a_crew(crew: Crew) -> None:
    walk = crew.begin(JOB, "0" * 64)
    folder = ended(walk).files()[0].parent
    walk.end()
    assert FilePath(folder).exists()
    crew.stop()
    assert not FilePath(folder).exists()
