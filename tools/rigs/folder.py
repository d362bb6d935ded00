# SPDX-License-Identifier: GPL-3.0-or-later
"""The rigs of a folder: its character files, what each is, and the mapping files for some of them.

A README.md in the folder may say what each file is, in a table with the columns "file" and "kind": biped, hard and
rigify must walk, negative must be refused, ambiguous may do either. Without it every rig must walk.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from blender_biped.base.errors import DataError

RIG_FILES = (".blend", ".fbx", ".glb", ".gltf", ".vrm", ".bvh")
NEGATIVE, AMBIGUOUS = "negative", "ambiguous"


@dataclass(frozen=True)
class RigFile:
    """One armature of a file. armature: its object's name, "" for the first one. mapping: a file, None to find one."""

    file: Path
    armature: str
    kind: str
    mapping: Path | None

    @property
    def name(self) -> str:
        """A name that no other rig has, fit for a file."""
        return plain(f"{self.file.name}.{self.armature}" if self.armature else self.file.name)


def plain(text: str) -> str:
    """Return a text fit for a file's name."""
    return re.sub(r"[^\w.+-]+", "-", text).strip("-.") or "rig"


def kinds(folder: Path) -> dict[str, str]:
    """Return the kind of each file that the folder's README.md has in a table with the columns file and kind."""
    try:
        lines = (folder / "README.md").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    found: dict[str, str] = {}
    columns: list[str] = []
    for line in lines:
        cells = [c.strip().strip("`") for c in line.strip().strip("|").split("|")]
        if not line.lstrip().startswith("|"):
            columns = []
        elif not columns:
            columns = [c.lower() for c in cells]
        elif "file" in columns and "kind" in columns and len(cells) > max(columns.index("file"), columns.index("kind")):
            found[cells[columns.index("file")]] = cells[columns.index("kind")]
    return found


def files(folder: Path) -> list[Path]:
    """Return the character files of a folder, in the order of their names. Raises DataError when there is none."""
    try:
        found = sorted(p for p in folder.iterdir() if p.suffix.lower() in RIG_FILES and p.is_file())
    except OSError as error:
        raise DataError(f"--rigs {folder}: the folder cannot be read: {error.strerror or error}.") from error
    if not found:
        raise DataError(f"--rigs {folder}: it has no characters: none of {', '.join(RIG_FILES)}.")
    return found


def mapping_file(maps: Path | None, file: Path, armature: str) -> Path | None:
    """Return the mapping file of an armature: STEM.OBJECT.json, or for a file's first armature STEM.json."""
    names = [f"{file.stem}.{armature}.json"] if armature else [f"{file.stem}.json"]
    return next((maps / n for n in names if (maps / n).is_file()), None) if maps else None
