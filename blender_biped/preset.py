"""Presets: a style of walking as data, one JSON file each, in ``presets/<controller>/<name>.json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import DataError
from .fields import Fields, load_json

VERSION = 1


@dataclass(frozen=True)
class Preset:
    """One style: ``values`` are the controller's own settings and are checked by the controller.

    name: the file's stem. label, description: for the panel. controller: which one reads it.
    """

    name: str
    controller: str
    label: str
    description: str
    values: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data that ``preset_from_json`` reads back."""
        return {
            "version": VERSION, "name": self.name, "controller": self.controller,
            "label": self.label, "description": self.description, "values": dict(self.values),
        }  # fmt: skip


def preset_from_json(data: Any, where: str = "preset", name: str | None = None) -> Preset:
    """Return the preset in JSON data. Raises DataError naming the wrong field."""
    f = Fields(data, where)
    f.version(VERSION)
    return Preset(
        name=name if name is not None else f.text("name"),
        controller=f.text("controller"),
        label=f.text("label"),
        description=f.text("description", ""),
        values=f.child("values").data,
    )


def preset_root() -> Path:
    """Return the folder of shipped presets: inside the installed extension, else beside the package."""
    here = Path(__file__).parent
    inside = here / "presets"
    return inside if inside.is_dir() else here.parent / "presets"


def controllers(root: Path | None = None) -> list[str]:
    """Return the names of the controllers that have presets, sorted."""
    return sorted(p.name for p in (root or preset_root()).iterdir() if p.is_dir() and any(p.glob("*.json")))


def presets(controller: str, root: Path | None = None) -> list[Preset]:
    """Return a controller's presets, sorted by name, the one named "default" first."""
    files = sorted((root or preset_root()).joinpath(controller).glob("*.json"))
    return sorted((_read(p) for p in files), key=lambda p: (p.name != "default", p.name))


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
    return preset_from_json(load_json(path), path.name, path.stem)
