"""The command line of a batch: ``python -m blender_biped batch FOLDER``."""

from __future__ import annotations

import argparse
import fnmatch
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..base.errors import BipedError, DataError
from ..pool import Crew, cores
from .cluster import LOCAL, connected
from .folder import SUMMARY, JobOutcome, Piece, pieces, write_summary
from .run import BatchRun, StoppedError, locally
from .told import told_at

DONE, FAILED, UNUSABLE, STOPPED, INTERRUPTED = 0, 1, 2, 3, 130
_ABOUT = f"""\
Walk all jobs (and companies) of a folder. Beside NAME.json comes NAME.npz, of a company NAME-1.npz
and so on, or NAME.error.json, which says why there is none; and {SUMMARY} with all figures.
A job that has its motion is not walked again, unless its file was changed: started again after
whatever has ended it, a batch goes on where it was."""
_CODES = """\
exit code: 0 all motions are there; 1 some jobs have none; 2 the folder or the command is wrong;
3 stopped, as on a full disk; 130 ended by Ctrl C"""


@dataclass(frozen=True)
class Place:
    """Where jobs are walked on this computer: see ``Worker.start``."""

    python: str = ""
    folders: Sequence[str] = ()
    tables: str = ""


def parser(program: str) -> argparse.ArgumentParser:
    """Return the reader of the command line. program: what it is called by."""
    made = argparse.ArgumentParser(
        program, description=_ABOUT, epilog=_CODES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("folder", type=Path, metavar="FOLDER", help="where the jobs are, and their motions will be")
    made.add_argument("--jobs", type=_count, metavar="N", help="walks at once (all cores; all those of the scheduler)")
    made.add_argument(
        "--only", action="append", default=[], metavar="NAME",
        help="some of the jobs, such as 'walk-01*'; may be given several times",
    )  # fmt: skip
    made.add_argument(
        "--part", type=_part, metavar="K/N",
        help="the K-th of N parts of the jobs: a task of a farm. No summary is written then, and a job that cannot be "
        "walked is done",
    )  # fmt: skip
    made.add_argument("--retry", action="store_true", help="walk those again, too, that could not be walked")
    made.add_argument("--summary", action="store_true", help=f"walk nothing: write {SUMMARY} of what is there")
    made.add_argument(
        "--scheduler", default="", metavar="ADDRESS",
        help="walk on the computers of a Dask scheduler, such as tls://farm:8786; 'local': one of this computer",
    )  # fmt: skip
    made.add_argument(
        "--open-scheduler", action="store_true",
        help="use a scheduler without TLS that is not on this computer: who reaches it may run anything on all of them",
    )  # fmt: skip
    made.add_argument("--tables", default="", metavar="FOLDER", help="where tables of walks are kept for other batches")
    made.add_argument("--lines", action="store_true", help="a line for each job in place of a bar")
    return made


def main(arguments: Sequence[str], place: Place = Place(), program: str = "python -m blender_biped batch") -> int:
    """Walk the jobs of a folder; return the exit code. place: where, when the command line does not say."""
    given = parser(program).parse_args(arguments)
    try:
        found = pieces(given.folder)
        chosen = _chosen(found, given.only, *(given.part or (1, 1)))
        return _walked(given, found, chosen, place)
    except StoppedError as error:
        return _wrong(error, STOPPED)
    except BipedError as error:
        return _wrong(error, UNUSABLE)
    except KeyboardInterrupt:
        print("Ended. Start it again, and it goes on from here.", file=sys.stderr)
        return INTERRUPTED


def _walked(given: Any, found: Sequence[Piece], chosen: Sequence[Piece], place: Place) -> int:
    """Walk jobs and write the summary; return the exit code. Raises BipedError, KeyboardInterrupt."""
    outcomes: dict[str, JobOutcome] = {}
    if not given.summary:
        told = told_at(len(chosen), False if given.lines else None)
        try:
            with _begun(given, place) as (begin, at_once), _ended_by_signals():
                batch = BatchRun(given.folder, chosen, begin, told, at_once(), given.retry)
                outcomes = batch.outcomes
                batch.run(lambda: _adapt(batch, at_once))
        finally:
            told.close()
    elif given.only or given.part:
        raise DataError("A summary is of all jobs: leave --only and --part out.")
    if not given.part:
        all_of_them = [outcomes.get(piece.name) or piece.outcome() for piece in found]
        write_summary(given.folder, all_of_them)
    own = [outcomes.get(piece.name) or piece.outcome() for piece in chosen]
    print(_told(own))
    done = ("walked", "refused") if given.part else ("walked",)  # no other computer can walk what is refused
    return DONE if all(outcome.state in done for outcome in own) else FAILED


@contextmanager
def _begun(given: Any, place: Place) -> Iterator[tuple[Callable[[Piece], Any], Callable[[], int]]]:
    """Give what starts a job, and how many may be walked at once at present. Raises BipedError."""
    if given.scheduler:
        with connected(given.scheduler, given.open_scheduler, given.jobs or 0) as cluster:
            few = given.jobs if given.scheduler != LOCAL else 0  # of a cluster of its own it is the size
            yield cluster.begin, lambda: few or cluster.at_once
        return
    crew = Crew(place.python, place.folders, given.tables or place.tables)
    try:
        yield locally(crew), lambda: given.jobs or cores()
    finally:
        crew.stop()


def _adapt(batch: BatchRun, at_once: Callable[[], int]) -> None:
    batch.pool.at_once = at_once()


def _chosen(found: Sequence[Piece], only: Sequence[str], part: int, parts: int) -> Sequence[Piece]:
    """Return some jobs by their names, and of these one of so many parts. Raises DataError where no job is named so."""
    for pattern in only:
        if not any(fnmatch.fnmatchcase(piece.name, pattern) for piece in found):
            raise DataError(f"No job of the folder is called {pattern!r}: give the file's name, without .json.")
    named = [p for p in found if not only or any(fnmatch.fnmatchcase(p.name, pattern) for pattern in only)]
    return named[part - 1 :: parts]


def _told(outcomes: Sequence[JobOutcome]) -> str:
    """Return in a line what became of jobs."""
    counts = {state: sum(own.state == state for own in outcomes) for state in ("walked", "refused", "lost", "missing")}
    parts = [f"{count} {state}" for state, count in counts.items() if count or state == "walked"]
    why = "; NAME.error.json beside a job says why" if counts["refused"] or counts["lost"] else ""
    return f"Of {len(outcomes)} jobs: {', '.join(parts)}{why}."


def _wrong(error: BipedError, code: int) -> int:
    print(f"batch: {error}", file=sys.stderr)
    return code


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let the system's own word for a program to end be as Ctrl C: nothing is left behind."""

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, end)
    except ValueError:  # not the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _count(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= 10_000:
        raise argparse.ArgumentTypeError("give a number from 1 to 10000")
    return int(text)


def _part(text: str) -> tuple[int, int]:
    part, slash, parts = text.partition("/")
    if not slash or not part.isdecimal() or not parts.isdecimal() or not 0 < int(part) <= int(parts):
        raise argparse.ArgumentTypeError("give a part and how many there are, as 3/50")
    return int(part), int(parts)
