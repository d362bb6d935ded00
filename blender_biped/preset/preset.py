"""Presets: a style of walking as data, one JSON file each, in ``presets/<controller>/<name>.json``.

A file may say that it is ``like`` another one of its controller: it then has that one's values, and its own over them.
A shipped one may be like one of another controller, ``like: "klaw/march"``, whose words for a style it shares.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from ..base.errors import DataError, quoted
from ..base.fields import Fields, load_json
from ..base.limits import MAX_BYTES

VERSION = 1
COMMON = ("speeds", "usual", "rate")
"""Keys that a preset of any controller may have: its speeds, m/s, and how often a second it is controlled, Hz."""
RESEARCH = "research"
"""The shelf of what shows a method or a paper, and is not for an animator: it stands below the others in lists."""
_SHELVES = ("", RESEARCH)
_KEYS = ("version", "name", "controller", "label", "description", "values", "order", "like", "authoring", "keyed",
         "shelf", "origin")  # fmt: skip
_ORDER = 100
_FASTEST = 10.0  # m/s


Track = tuple[tuple[float, float], ...]
"""How a number changes: (s from the walk's beginning, value), times rising; linear between, constant beyond."""


@dataclass(frozen=True)
class Preset:
    """One style: ``values`` are the controller's own settings and are checked by the controller.

    name: the file's stem. label, description: for the panel. controller: which one reads it. order: lower ones come
    first in lists. keyed: numbers that change along a walk, by their paths in the values (see ``declared``).
    shelf: "" or RESEARCH. origin: the shipped style that one of one's own was made from: it changes into others as that
    does.
    """

    name: str
    controller: str
    label: str
    description: str
    values: Mapping[str, Any]
    order: int = _ORDER
    keyed: Mapping[str, Track] = field(default_factory=dict)
    shelf: str = ""
    origin: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data that ``preset_from_json`` reads back."""
        return {
            "version": VERSION, "name": self.name, "controller": self.controller,
            "label": self.label, "description": self.description, "values": dict(self.values), "order": self.order,
            "keyed": {path: [list(point) for point in track] for path, track in self.keyed.items()},
            "shelf": self.shelf, "origin": self.origin,
        }  # fmt: skip


def preset_from_json(data: Any, where: str = "preset", name: str | None = None) -> Preset:
    """Return the preset in JSON data. Raises DataError naming the wrong field."""
    f = Fields(data, where)
    f.version(VERSION)
    f.only(_KEYS)
    return Preset(
        name=name if name is not None else f.text("name"),
        controller=f.text("controller"),
        label=f.text("label"),
        description=f.text("description", ""),
        values=f.child("values").data,
        order=f.integer("order", -1e6, 1e6, _ORDER),
        keyed=_tracks(f.child("keyed", {})),
        shelf=f.text("shelf", "", _SHELVES),
        origin=f.text("origin", ""),
    )


def _tracks(f: Fields) -> dict[str, Track]:
    return {path: read_track(f, path) for path in f.data}


def read_track(f: Fields, name: str) -> Track:
    """Return a track in JSON data. Raises DataError naming the wrong point."""
    rows = f.rows(name, 2)
    if not rows or any(b[0] <= a[0] for a, b in pairwise(rows)):
        raise DataError(f"{f.at(name)}: expected points [time, value] with rising times.")
    return tuple((time, value) for time, value in rows)


@dataclass(frozen=True)
class Speeds:
    """The speeds, m/s, that a gait can have, and the one that it has by itself."""

    slowest: float
    usual: float
    fastest: float

    def held(self, speed: float) -> float:
        """Return the speed of these that is nearest to ``speed``, m/s."""
        return min(max(speed, self.slowest), self.fastest)


def speeds_of(style: Preset) -> Speeds | None:
    """Return the speeds of a gait, of a body with legs of 0.9 m; None for a style that keeps no range.

    Raises DataError naming the wrong field.
    """
    if "speeds" not in style.values:
        return None
    return read_speeds(Fields(style.values, f"{style.name}.values"))


def usual_speed(style: Preset) -> float | None:
    """Return the speed, m/s, that a style has by itself, of a body with legs of 0.9 m; None where it does not say.

    Raises DataError naming the wrong field.
    """
    speeds = speeds_of(style)
    if speeds is not None:
        return speeds.usual
    f = Fields(style.values, f"{style.name}.values")
    return f.number("usual", 0.0, _FASTEST) if "usual" in f.data else None


def read_speeds(f: Fields) -> Speeds:
    """Return the speeds in a preset's values: ``speeds``, m/s, and ``usual``. Raises DataError naming the field."""
    slowest, fastest = f.vector("speeds", 2)
    if not 0.0 <= slowest <= fastest <= _FASTEST:
        raise DataError(
            f"{f.where}.speeds: expected slowest and fastest, 0 to {_FASTEST:g} m/s, found {slowest:g}, {fastest:g}."
        )
    return Speeds(slowest, f.number("usual", slowest, fastest, 0.5 * (slowest + fastest)), fastest)


def preset_root() -> Path:
    """Return the folder of shipped presets: inside the installed extension, else beside the package."""
    here = Path(__file__).parents[1]
    inside = here / "presets"
    return inside if inside.is_dir() else here.parent / "presets"


def controllers(root: Path | None = None) -> list[str]:
    """Return the names of the controllers that have presets, sorted."""
    return sorted(p.name for p in (root or preset_root()).iterdir() if p.is_dir() and any(p.glob("*.json")))


def presets(controller: str, root: Path | None = None) -> list[Preset]:
    """Return a controller's presets, in their order. Raises DataError for one that cannot be read."""
    return in_order(map(read_preset, preset_files(controller, root)))


def preset_files(controller: str, root: Path | None = None) -> list[Path]:
    """Return the files of a controller's presets. root: the folder of presets, None for the shipped ones."""
    return sorted(p for p in (root or preset_root()).joinpath(controller).glob("*.json") if not p.name.startswith("."))


def in_order(styles: Iterable[Preset]) -> list[Preset]:
    """Return styles as lists have them: the one named "default" first, the others by shelf, order and name."""
    return sorted(styles, key=lambda p: (p.name != "default", p.shelf, p.order, p.name))


def preset(controller: str, name: str, root: Path | None = None) -> Preset:
    """Return one preset. Raises DataError that lists the known ones when there is none of that name."""
    folder = root or preset_root()
    known = controllers(folder)
    if controller not in known:
        raise DataError(f"There is no controller {controller!r}; choose one of {', '.join(known)}.")
    names = [p.stem for p in preset_files(controller, folder)]
    if name not in names:
        raise DataError(f"There is no preset {name!r} for {controller}; choose one of {', '.join(names)}.")
    return read_preset(folder / controller / f"{name}.json")


def read_preset(path: Path, also: Iterable[Path] = (), most: int = MAX_BYTES) -> Preset:
    """Return the preset in a file. also: files that it may be like, besides those beside it. most: bytes.

    Raises DataError, also where what it is like is missing, or like another itself.
    """
    f = Fields(load_json(path, most), path.name)
    if "like" not in f.data:
        return preset_from_json(f.data, path.name, path.stem)
    name = f.text("like")
    if "/" in name and (shipped := _elsewhere(path, name)):
        return preset_from_json({**f.data, "values": _over(f.child("values").data, read_preset(shipped).values)},
                                path.name, path.stem)  # fmt: skip
    others = {p.stem: p for p in (*also, *sorted(path.parent.glob("*.json"))) if p != path}
    if name not in others:
        known = ", ".join(sorted(others)) or "none"
        raise DataError(f"{path.name}.like: there is no preset {quoted(name)} beside it; known are {known}.")
    other = others[name]
    base = Fields(load_json(other), other.name)
    if "like" in base.data:
        raise DataError(f"{path.name}.like: {other.stem!r} is itself like another preset; name that one.")
    values = _over(f.child("values").data, base.child("values").data)
    return preset_from_json({**f.data, "values": values}, path.name, path.stem)


def _elsewhere(path: Path, name: str) -> Path | None:
    """Return the shipped preset of another controller than that of a shipped file; None where there is none.

    name: its controller's, a slash, and its own.
    """
    root = path.parent.parent
    controller, _, own = name.partition("/")
    if controller == path.parent.name or root.resolve() != preset_root().resolve():
        return None
    if controller not in (folder.name for folder in root.iterdir() if folder.is_dir()):
        return None
    return next((p for p in preset_files(controller, root) if p.stem == own), None)


def _over(own: Mapping[str, Any], base: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``base`` with ``own`` values over it; objects are gone through name by name, all else is replaced."""
    values = dict(base)
    for name, value in own.items():
        both = isinstance(value, Mapping) and isinstance(base.get(name), Mapping)
        values[name] = _over(value, base[name]) if both else value
    return values
