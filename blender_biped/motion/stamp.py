"""Stamp: what a motion's file says of itself at its very end: which job it is of, and its figures.

It is the comment of the .npz archive, in JSON, so it is read without the motion, and a file that has been cut off has
none. Nothing of the motion depends on it.
"""

from __future__ import annotations

import json
import math
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from ..base.errors import DataError
from ..base.files import opened
from ..base.limits import MAX_QUOTED
from .summary import Summary

VERSION = 1
Figure = float | int | str | bool | None
_NAMES: Mapping[str, str] = {  # of figures that have a unit, with it
    "duration": "duration_s", "cpu": "cpu_s", "fell_at": "fell_at_s", "end_distance": "end_distance_m",
    "left": "left_m", "desired_speed": "desired_speed_mps", "speed": "speed_mps",
    "deviation_mean": "path_deviation_mean_m", "deviation_worst": "path_deviation_worst_m",
    "slip_median": "foot_slip_median_m", "slip_worst": "foot_slip_worst_m", "cadence": "cadence_steps_per_min",
    "set_fell_at": "set_fell_at_s",
}  # fmt: skip
_KNOWN = frozenset(_NAMES.get(name, name) for name in Summary.__dataclass_fields__)


@dataclass(frozen=True)
class Stamp:
    """work: sha256 of the file of the job, or the company, in hexadecimal digits. figures: see ``figures``."""

    work: str
    figures: Mapping[str, Figure]


def figures(summary: Summary) -> dict[str, Figure]:
    """Return the figures of a summary by their names with their units; m, s and m/s as they are in the scene."""
    return {_NAMES.get(name, name): value for name, value in asdict(summary).items()}


def write_stamp(file: Path, stamp: Stamp) -> None:
    """Stamp the file of a motion, in place of another stamp. Raises OSError.

    The file is changed where it lies: it is for one that nobody else knows yet.
    """
    said = {"version": VERSION, "work": stamp.work, "figures": dict(stamp.figures)}
    with zipfile.ZipFile(file, "a") as archive:
        archive.comment = json.dumps(said, allow_nan=False).encode("ascii")


def read_stamp(file: Path) -> Stamp | None:
    """Return the stamp of a motion's file; None for one that has none, is not whole, or is no motion.

    Raises OSError where it cannot be read, as where there is none.
    """
    try:
        with opened(file) as content:
            return stamp_in(content)
    except DataError:
        return None


def stamp_in(content: IO[bytes]) -> Stamp | None:
    """Return the stamp of a motion's content; see ``read_stamp``."""
    try:
        with zipfile.ZipFile(content) as archive:
            return _stamp(json.loads(archive.comment)) if archive.comment else None
    except (zipfile.BadZipFile, ValueError, NotImplementedError, RecursionError):
        return None


def _stamp(said: Any) -> Stamp | None:
    """Return the stamp in JSON data, None for what is none."""
    if not isinstance(said, dict) or said.get("version") != VERSION or not isinstance(said.get("work"), str):
        return None
    found = said.get("figures")
    known = found.items() if isinstance(found, dict) else ()
    return Stamp(said["work"], {name: value for name, value in known if name in _KNOWN and _is_figure(value)})


def _is_figure(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, Figure) and len(str(value)) <= MAX_QUOTED
