"""Manifest: what an export says of the jobs in its folder, so that an import knows whose motions have come back.

It names files of its own folder and characters, and no path of the computer. It may come from anywhere: a name that is
no plain file's is refused.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..base.errors import DataError, quoted
from ..base.fields import Fields, load_json
from ..base.files import write_whole
from ..base.limits import MAX_BYTES, MAX_COMPANIONS
from ..company import Company, work_from_json
from ..job import Job
from ..motion.motion import Motion, read_motion
from .folder import MANIFEST, JobOutcome, Piece, digest_of, parsed, pieces

VERSION = 1
MOST = 100_000
"""Walks in a manifest."""
_NAME = re.compile(r"[\w-][\w .-]{0,199}")
_NO_NAME = re.compile(r"[^\w-]+")


@dataclass(frozen=True)
class Exported:
    """A walk that was exported.

    job: its file's name without ``.json``. work: the sha256 of that file. character: the armature's name. place: in a
    company, from 0 on; None of a job alone. variation: its number, from 1 on, where there are several of the character.
    """

    job: str
    work: str
    character: str
    place: int | None = None
    variation: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data."""
        own = {"job": self.job, "work": self.work, "character": self.character, "variation": self.variation}
        return own if self.place is None else {**own, "place": self.place}

    def job_in(self, folder: Path) -> Job:
        """Return the job as it was exported. Raises DataError where it is not there, or was changed since."""
        piece = Piece(folder, self.job)
        if digest_of(piece.content) != self.work:
            raise DataError(f"{self.job}.json was changed since it was exported: export it again.")
        work = work_from_json(parsed(piece.content, self.job))
        if not isinstance(work, Company):
            return work
        if self.place is None or self.place >= len(work.companions):
            raise DataError(f"{self.job}.json has no such companion: export it again.")
        return work.companions[self.place].job

    def outcome_in(self, folder: Path) -> JobOutcome:
        """Return what has come back of its job."""
        return Piece(folder, self.job).outcome()

    def motion_in(self, folder: Path) -> Motion:
        """Return the motion that has come back. Raises DataError that says why there is none."""
        piece = Piece(folder, self.job)
        outcome = piece.outcome()
        if outcome.state != "walked":
            raise DataError(outcome.message or f"Its motion has not come back: there is no {piece.files[0].name}.")
        return read_motion(piece.files[self.place or 0])


def write_export(folder: Path, works: Sequence[tuple[Job | Company, Sequence[Exported]]]) -> list[Exported]:
    """Write jobs and companies into a folder, with a manifest; return what that says.

    works: each with its walks; what these say of file and digest is set here. What an earlier export has put there and
    is the same stays, with its motion. Raises DataError where the folder has other jobs, or cannot be written.
    """
    before = _own(folder)
    made: list[Exported] = []
    for number, (work, walks) in enumerate(works):
        name = file_name(number, len(works), walks[0].character if len(walks) == 1 else "company")
        content = json.dumps(work.as_json(), allow_nan=False).encode("ascii")
        if name not in before or Piece(folder, name).content != content:
            write_whole(folder / f"{name}.json", content, tidy=False)
        made += [Exported(name, digest_of(content), w.character, w.place, w.variation) for w in walks]
    data = {"version": VERSION, "walks": [walk.as_json() for walk in made]}
    write_whole(folder / MANIFEST, json.dumps(data, indent=1).encode("ascii"))
    for name in before - {walk.job for walk in made}:
        _remove(folder / f"{name}.json")
    return made


def file_name(number: int, count: int, called: str) -> str:
    """Return a job's name, which is a plain file's on every system and sorts as the jobs do; number: from 0 on."""
    digits = len(str(count))
    return f"{number + 1:0{digits}}-{_NO_NAME.sub('_', called)[:60]}"


def read_manifest(folder: Path) -> list[Exported]:
    """Return the walks of an export. Raises DataError where the folder has none, or one that was not made so."""
    file = folder / MANIFEST
    if not file.is_file() or file.is_symlink():
        raise DataError(f"{folder.name or folder} has no {MANIFEST}: choose the folder that Export Jobs has written.")
    f = Fields(load_json(file, MAX_BYTES), "manifest")
    f.version(VERSION)
    return [_exported(own) for own in f.objects("walks", most=MOST)]


def _exported(f: Fields) -> Exported:
    job = f.text("job")
    if not _NAME.fullmatch(job):
        raise DataError(f"{f.at('job')}: {quoted(job)} is no name of a file of this folder.")
    place = f.integer("place", 0, MAX_COMPANIONS - 1) if "place" in f.data else None
    return Exported(job, f.text("work"), f.text("character"), place, f.integer("variation", 0, MOST, 0))


def _own(folder: Path) -> set[str]:
    """Return the jobs in a folder that an earlier export has put there. Raises DataError where there are others."""
    there = {piece.name for piece in pieces(folder)}
    if not there and not os.path.lexists(folder / MANIFEST):
        return set()
    try:
        known = {walk.job: walk.work for walk in read_manifest(folder)}
    except DataError as error:
        raise DataError(f"{folder.name or folder} has files of others: choose an empty folder. {error}") from error
    for name in there:
        if known.get(name) != Piece(folder, name).digest:
            raise DataError(f"{name}.json in this folder is of no export, or was changed: choose an empty folder.")
    return there


def _remove(file: Path) -> None:
    """Remove the file of a job that is no longer exported. Raises DataError."""
    try:
        file.unlink()
    except OSError as error:
        raise DataError(f"Cannot remove {file.name}: {error.strerror or error}.") from error
