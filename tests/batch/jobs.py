"""Folders of jobs, and walks of them that do what a test says, in no process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from blender_biped.batch.folder import JobOutcome, Piece
from blender_biped.character.standard import standard_character
from blender_biped.company import Companion, Company, write_work
from blender_biped.control.registry import preset
from blender_biped.job import Job, write_job
from blender_biped.klaw.walk import walk
from blender_biped.motion.motion import write_motion
from blender_biped.motion.stamp import Stamp, figures, write_stamp
from blender_biped.motion.summary import summarised
from blender_biped.worker import Status
from blender_biped.world.path import Path as Way


def klaw_job(length: float = 2.0) -> Job:
    """Return a job that is walked in a tenth of a second."""
    return Job(standard_character(), Way([[0.0, 0.0], [length, 0.0]]), preset("klaw", "walk"))


def jobs_in(folder: Path, *names: str) -> list[Piece]:
    """Write jobs that differ into a folder; return them."""
    for k, name in enumerate(names):
        write_job(klaw_job(2.0 + 0.25 * k), folder / f"{name}.json")
    return [Piece(folder, name) for name in names]


def company_in(folder: Path, name: str, count: int = 2) -> Piece:
    """Write a company into a folder; return it."""
    one = replace(klaw_job(), preset=preset("generalized", "default"), duration=0.1)
    write_work(Company((Companion(one),) * count), folder / f"{name}.json")
    return Piece(folder, name)


@cache
def motion_of(digest: str) -> bytes:
    """Return the bytes of a motion's file that is stamped so."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "motion.npz"
        motion, job = _walked()
        write_motion(motion, file)
        write_stamp(file, Stamp(digest, figures(summarised(motion, job))))
        return file.read_bytes()


@cache
def _walked() -> tuple:  # type: ignore[type-arg]
    return walk(klaw_job()), klaw_job()


def own_motions(piece: Piece) -> list[bytes]:
    """Return what is to come of a job."""
    return [motion_of(piece.digest)] * len(piece.files)


@dataclass
class ScriptedWalk:
    """A walk that does what a test says. made: what comes of it, or what is wrong."""

    made: Sequence[bytes] | Exception
    running: bool = False
    cancelled: bool = False
    ended: bool = False

    def poll(self) -> Status:
        """Return how far it is."""
        return Status("running", 0.5) if self.running else Status("done", 1.0)

    def cancel(self) -> None:
        """Note it."""
        self.cancelled = True

    def motions(self) -> Iterator[IO[bytes]]:
        """Return what has come."""
        if isinstance(self.made, Exception):
            raise self.made
        yield from map(BytesIO, self.made)

    def end(self) -> None:
        """Note it."""
        assert not self.ended
        self.ended = True


@dataclass
class Walker:
    """Starts walks; answer: what comes of each."""

    answer: Callable[[Piece], Sequence[bytes] | Exception] = own_motions
    walks: dict[str, ScriptedWalk] = field(default_factory=dict)

    def __call__(self, piece: Piece) -> ScriptedWalk:
        """Start one."""
        self.walks[piece.name] = ScriptedWalk(self.answer(piece))
        return self.walks[piece.name]


@dataclass
class Noted:
    """What was told."""

    there: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)

    def found(self, outcome: JobOutcome) -> None:
        """Note it."""
        self.there.append(outcome.name)

    def ended(self, outcome: JobOutcome) -> None:
        """Note it."""
        self.done.append(outcome.name)

    def progress(self, running: float) -> None:
        """Check it."""
        assert running >= 0.0

    def close(self) -> None:
        """Do nothing."""
