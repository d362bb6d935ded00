"""Company: several jobs that are walked in one world, where their bodies touch. Written and read as JSON."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .base.errors import DataError
from .base.fields import Fields, load_json
from .base.files import written
from .base.limits import MAX_COMPANIONS, MAX_DURATION
from .control.kind import Kind
from .control.registry import kind_in
from .job import Job, job_from_json

VERSION = 1

MOST_LARGER = 8.0
"""How many times as long as others' the legs of one may be: by so much contacts of the small are too coarse yet."""


@dataclass(frozen=True)
class Companion:
    """A job in company. start: s after the company's time 0 at which it begins to walk; until then it stands there."""

    job: Job
    start: float = 0.0


@dataclass(frozen=True)
class Company:
    """Jobs that are walked in one world. The same Company gives the same motions, bit for bit, on one machine.

    Each body stands on the ground of its own job; things are the same in all of them. No job falls back on another.
    """

    companions: tuple[Companion, ...]

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data that ``company_from_json`` reads back."""
        own = [{"start": one.start, "job": one.job.as_json()} for one in self.companions]
        return {"version": VERSION, "company": own}


def can_bump(kind: Kind) -> bool:
    """Return whether a controller's walks can be simulated with others': in space, by torques."""
    return kind.controller is not None and not kind.can.plane


def check_company(company: Company) -> None:
    """Raise DataError, which names the character, where the jobs cannot be walked in one world."""
    jobs = [one.job for one in company.companions]
    if not 0 < len(jobs) <= MAX_COMPANIONS:
        raise DataError(
            f"{len(jobs)} characters in one world are too many: at most {MAX_COMPANIONS} can bump into each other."
            if jobs
            else "There is no character to walk."
        )
    first, smallest = jobs[0], min(jobs, key=lambda job: job.character.leg_length)
    for job in jobs:
        name, kind = job.character.name, kind_in(job)
        if not can_bump(kind):
            raise DataError(
                f"{name!r}: {kind.label} is no simulation of the body in space, and bumps into nobody: choose another "
                "controller for it, or let it walk alone."
            )
        if not math.isclose(job.gravity, first.gravity, rel_tol=1e-6):
            raise DataError(
                f"{name!r} and {first.character.name!r} walk under different gravity, and one world has one: set "
                "Pace to By Size or Exact Speed for both."
            )
        larger = job.character.leg_length / smallest.character.leg_length
        if larger > MOST_LARGER:
            raise DataError(
                f"The legs of {name!r} are {larger:.1f} times as long as those of {smallest.character.name!r}; up to "
                f"{MOST_LARGER:g} times can be simulated in one world: let one of them walk alone."
            )
        if job.world.things != first.world.things:
            raise DataError(
                f"{name!r} and {first.character.name!r} are among different things: give all jobs of a company the "
                "same ones."
            )


def company_from_json(data: Any) -> Company:
    """Return the company in JSON data.

    Raises DataError that names an unknown version, a missing field, a value out of range, or the character that cannot
    be in it.
    """
    f = Fields(data, "company")
    f.version(VERSION)
    f.only(("version", "company"))
    found = []
    for own in f.objects("company", most=MAX_COMPANIONS):
        own.only(("start", "job"))
        try:
            job = job_from_json(own.child("job").data)
        except DataError as error:
            raise DataError(f"{own.where}: {error}") from error
        found.append(Companion(job, own.number("start", 0.0, MAX_DURATION, 0.0)))
    company = Company(tuple(found))
    check_company(company)
    return company


def read_work(path: Path) -> Job | Company:
    """Return the job or the company in a JSON file. Raises DataError."""
    return work_from_json(load_json(path))


def work_from_json(data: Any) -> Job | Company:
    """Return the job or the company in JSON data. Raises DataError."""
    return company_from_json(data) if isinstance(data, dict) and "company" in data else job_from_json(data)


def write_work(work: Job | Company, path: Path) -> None:
    """Write a job or a company as JSON. Raises OSError when the disk does not take it, else as ``written`` does."""
    content = json.dumps(work.as_json(), allow_nan=False).encode("utf-8")
    with written(path, lasting=False) as file:
        file.write(content)


def motion_file(file: Path, place: int) -> Path:
    """Return the file of a companion's motion, by its place, where ``file`` is that of a single one."""
    return file.with_name(f"{file.stem}-{place + 1}{file.suffix}")
