"""A folder of jobs: which files are jobs, what lies beside each, and what of it is there already.

Beside ``NAME.json`` come ``NAME.npz``, of a company ``NAME-1.npz`` and so on, or ``NAME.error.json``. A motion says by
its stamp which bytes of ``NAME.json`` it was walked from, and an error does so, too: a job that was changed since is
walked again. No name in any of these files is used as a path.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from ..base.errors import DataError
from ..base.fields import Fields, load_json
from ..base.files import read_whole, write_whole
from ..base.limits import MAX_BYTES, MAX_COMPANIONS, MAX_MESSAGE
from ..company import motion_file
from ..motion.stamp import Figure, read_stamp

VERSION = 1
SUMMARY = "summary.json"
MANIFEST = "manifest.json"
"""What an export says of its jobs; see ``manifest``."""
_JOB, _ERROR = ".json", ".error.json"

State = Literal["walked", "refused", "lost", "missing"]


class OccupiedError(DataError):
    """A motion cannot be put beside its job: what lies there is no fault of the job's, and may be gone next time."""


@dataclass(frozen=True)
class JobOutcome:
    """What became of a job.

    state: "walked": its motions are there. "refused": it cannot be walked. "lost": its walk was ended from outside, or
    something else lies in its motion's place. "missing": nothing is there yet. motions: of each motion its file's name,
    and its figures. message: why there is none.
    """

    name: str
    state: State
    motions: tuple[tuple[str, dict[str, Figure]], ...] = ()
    message: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data."""
        motions = [{"file": file, **figures} for file, figures in self.motions]
        return {"name": self.name, "state": self.state, "motions": motions, "message": self.message}


@dataclass(frozen=True)
class Piece:
    """A job's file by its name without ``.json``, and what lies beside it. It is read when it is first asked for."""

    folder: Path
    name: str

    @cached_property
    def content(self) -> bytes:
        """The bytes of the file. Raises DataError where it is no plain file, is too large, or cannot be read."""
        file = self.folder / f"{self.name}{_JOB}"
        try:
            if file.is_symlink():
                raise DataError(f"{file.name} is a link, and may lead out of the folder: put the file itself here.")
            return read_whole(file, MAX_BYTES)
        except OSError as error:
            raise DataError(f"Cannot read {file.name}: {error.strerror or error}.") from error

    @cached_property
    def digest(self) -> str:
        """The sha256 of the file, in hexadecimal digits; "" of one that cannot be read."""
        try:
            return digest_of(self.content)
        except DataError:
            return ""

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """The files of its motions. Raises DataError where it is no JSON, or another job's motion has such a name."""
        return motion_files(self.folder / f"{self.name}.npz", parsed(self.content, self.name))

    @property
    def error_file(self) -> Path:
        """Where it says why there is no motion."""
        return self.folder / f"{self.name}{_ERROR}"

    def outcome(self) -> JobOutcome:
        """Return what lies beside it: its motions, if all of them are there and are of these bytes, or why not."""
        found = self._motions()
        if found is not None:
            return JobOutcome(self.name, "walked", found)
        return self._error() or JobOutcome(self.name, "missing")

    def check_place(self) -> None:
        """Raise OccupiedError where something lies in a motion's place that no batch has put there, or that must stay.

        Raises DataError as ``files``.
        """
        for file in self.files:
            if not os.path.lexists(file):
                continue
            if file.is_symlink() or not file.is_file() or _work(file) is None:
                raise OccupiedError(f"{file.name} is there, and is no whole motion of a batch's: move it away.")
            if not os.access(file, os.W_OK):
                raise OccupiedError(f"{file.name} is of another walk, and is read-only: move it away.")

    def note(self, state: State, message: str) -> JobOutcome:
        """Write beside it why it has no motion. Raises OSError, DataError as ``write_whole``."""
        error = {"version": VERSION, "work": self.digest, "state": state, "message": message}
        write_whole(self.error_file, json.dumps(error, indent=1).encode("ascii"), tidy=False)
        return JobOutcome(self.name, state, message=message)

    def _motions(self) -> tuple[tuple[str, dict[str, Figure]], ...] | None:
        found = []
        try:
            for file in self.files:
                stamp = None if file.is_symlink() else read_stamp(file)
                if stamp is None or stamp.work != self.digest:
                    return None
                found.append((file.name, dict(stamp.figures)))
        except (DataError, OSError):
            return None
        return tuple(found)

    def _error(self) -> JobOutcome | None:
        """Return why there is no motion, None where nothing says so of these bytes."""
        try:
            f = Fields(load_json(self.error_file), self.error_file.name)
            f.version(VERSION)
            if f.text("work") != self.digest:
                return None
            state: State = "lost" if f.text("state", choices=("refused", "lost")) == "lost" else "refused"
            return JobOutcome(self.name, state, message=f.text("message")[:MAX_MESSAGE])
        except DataError:
            return None


def digest_of(content: bytes) -> str:
    """Return the sha256 of a job's file, in hexadecimal digits: what its motions are stamped with."""
    return hashlib.sha256(content).hexdigest()


def parsed(content: bytes, name: str) -> Any:
    """Return the JSON data of a job's file. Raises DataError. name: for messages."""
    try:
        return json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{name}{_JOB} is not valid JSON: {error}.") from error


def motion_files(file: Path, data: Any) -> tuple[Path, ...]:
    """Return the files of the motions of a job or a company in JSON data; ``file`` is that of a single one.

    Raises DataError for a company of too many, and where a name is that of another job's motion.
    """
    company = data.get("company") if isinstance(data, dict) else None
    if not isinstance(company, list):
        return (file,)
    if not 0 < len(company) <= MAX_COMPANIONS:
        raise DataError(f"{file.stem}{_JOB} is a company of {len(company)}; 1 to {MAX_COMPANIONS} can be in one world.")
    found = tuple(motion_file(file, place) for place in range(len(company)))
    for own in found:
        if os.path.lexists(own.with_name(f"{own.stem}{_JOB}")):
            raise DataError(f"{own.name} would be of {file.stem}{_JOB} and of {own.stem}{_JOB}: rename one of them.")
    return found


def pieces(folder: Path) -> list[Piece]:
    """Return the jobs of a folder by their names. Raises DataError where there is no such folder."""
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if not entry.is_dir(follow_symlinks=False)]
    except OSError as error:
        raise DataError(f"Cannot read the folder {folder}: {error.strerror or error}.") from error
    return [Piece(folder, name.removesuffix(_JOB)) for name in sorted(names) if _is_job(name)]


def _is_job(name: str) -> bool:
    hidden = name.startswith(".")
    return name.endswith(_JOB) and not hidden and not name.endswith(_ERROR) and name not in (SUMMARY, MANIFEST)


def _work(file: Path) -> str | None:
    """Return which job's bytes a motion was walked from; None where it does not say so. Raises OSError."""
    stamp = read_stamp(file)
    return stamp.work if stamp else None


def summary(outcomes: Sequence[JobOutcome]) -> dict[str, Any]:
    """Return what became of all jobs, as plain JSON data."""
    figures = [figures for outcome in outcomes for _, figures in outcome.motions]
    ended = [str(own.get("outcome")) for own in figures]
    return {
        "version": VERSION,
        "jobs": len(outcomes),
        **{state: sum(own.state == state for own in outcomes) for state in ("walked", "refused", "lost", "missing")},
        "motions": len(figures),
        "outcomes": {name: ended.count(name) for name in sorted(set(ended))},
        "duration_s": _total(figures, "duration_s"),
        "cpu_s": _total(figures, "cpu_s"),
        "each": [outcome.as_json() for outcome in outcomes],
    }


def _total(figures: Sequence[dict[str, Figure]], name: str) -> float:
    return sum(value for own in figures if isinstance(value := own.get(name), float | int))


def write_summary(folder: Path, outcomes: Sequence[JobOutcome]) -> None:
    """Write ``summary.json``. Raises DataError where it cannot be written."""
    write_whole(folder / SUMMARY, json.dumps(summary(outcomes), indent=1).encode("ascii"), tidy=False)
