"""Presets: a style of walking as data, one JSON file each, in ``presets/<controller>/<name>.json``.

A file may say that it is ``like`` another one of its controller: it then has that one's values, and its own over them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from ..base.errors import DataError
from ..base.fields import Fields, load_json

VERSION = 1
COMMON = ("speeds", "usual", "rate")
"""Keys that a preset of any controller may have: its speeds, m/s, and how often a second it is controlled, Hz."""
_KEYS = ("version", "name", "controller", "label", "description", "values", "order", "like", "authoring", "keyed")
_ORDER = 100
_FASTEST = 10.0  # m/s


Track = tuple[tuple[float, float], ...]
"""How a number changes: (s from the walk's beginning, value), times rising; linear between, constant beyond."""


@dataclass(frozen=True)
class Preset:
    """One style: ``values`` are the controller's own settings and are checked by the controller.

    name: the file's stem. label, description: for the panel. controller: which one reads it. order: lower ones come
    first in lists. keyed: numbers that change along a walk, by their paths in the values (see ``declared``).
    """

    name: str
    controller: str
    label: str
    description: str
    values: Mapping[str, Any]
    order: int = _ORDER
    keyed: Mapping[str, Track] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data that ``preset_from_json`` reads back."""
        return {
            "version": VERSION, "name": self.name, "controller": self.controller,
            "label": self.label, "description": self.description, "values": dict(self.values), "order": self.order,
            "keyed": {path: [list(point) for point in track] for path, track in self.keyed.items()},
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
    """Return a controller's presets, the one named "default" first, the others by their order and name."""
    files = sorted((root or preset_root()).joinpath(controller).glob("*.json"))
    return sorted((_read(p) for p in files), key=lambda p: (p.name != "default", p.order, p.name))


def preset(controller: str, name: str, root: Path | None = None) -> Preset:
    """Return one preset. Raises DataError that lists the known ones when there is none of that name."""
    folder = root or preset_root()
    known = controllers(folder)
    if controller not in known:
        raise DataError(f"There is no controller {controller!r}; choose one of {', '.join(known)}.")
    names = [p.stem for p in sorted((folder / controller).glob("*.json"))]
    if name not in names:
        raise DataError(f"There is no preset {name!r} for {controller}; choose one of {', '.join(names)}.")
    return _read(folder / controller / f"{name}.json")


def _read(path: Path) -> Preset:
    """Return the preset in a file. Raises DataError, also where what it is like is missing, or like another itself."""
    f = Fields(load_json(path), path.name)
    if "like" not in f.data:
        return preset_from_json(f.data, path.name, path.stem)
    others = {p.stem: p for p in sorted(path.parent.glob("*.json")) if p != path}
    other = others[f.text("like", choices=tuple(others))]
    base = Fields(load_json(other), other.name)
    if "like" in base.data:
        raise DataError(f"{path.name}.like: {other.stem!r} is itself like another preset; name that one.")
    values = _over(f.child("values").data, base.child("values").data)
    return preset_from_json({**f.data, "values": values}, path.name, path.stem)


def _over(own: Mapping[str, Any], base: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``base`` with ``own`` values over it; objects are gone through name by name, all else is replaced."""
    values = dict(base)
    for name, value in own.items():
        both = isinstance(value, Mapping) and isinstance(base.get(name), Mapping)
        values[name] = _over(value, base[name]) if both else value
    return values
