# SPDX-License-Identifier: GPL-3.0-or-later
"""The wheel of the package without Blender's parts, for computers that walk jobs: any system, Python 3.11 and newer.

The same sources give the same wheel, byte for byte. Standard library only.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tools.setup.wheels import record, write_zip

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "blender_biped"
_ENTRY = "[console_scripts]\nbiped = blender_biped.__main__:main\n"
_WHEEL = "Wheel-Version: 1.0\nGenerator: biped\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
_KINDS = (".py", ".json", ".csv")


def write_wheel(out: Path) -> Path:
    """Write the wheel into a folder, which is made where need be; return it. Raises OSError."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name = f"{project['name'].replace('-', '_')}-{project['version']}"
    about = f"{name}.dist-info"
    content = {f"{PACKAGE}/{place}": data for place, data in {**_sources(), **_presets()}.items()}
    content[f"{about}/METADATA"] = metadata(project).encode()
    content[f"{about}/WHEEL"] = _WHEEL.encode()
    content[f"{about}/entry_points.txt"] = _ENTRY.encode()
    content[f"{about}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    content[f"{about}/RECORD"] = record(content, f"{about}/RECORD").encode()
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{name}-py3-none-any.whl"
    write_zip(path, content)
    return path


def metadata(project: Mapping[str, Any]) -> str:
    """Return what the wheel says of itself, by the ``project`` of pyproject.toml (core metadata 2.4)."""
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        "Summary: Walks by physics: jobs to motions, without Blender",
        f"License-Expression: {project['license']}",
        "License-File: LICENSE",
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {one}" for one in project["dependencies"]),
    ]
    for extra, own in project["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f"Requires-Dist: {one}; extra == '{extra}'" for one in own)]
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", _page()])


def _page() -> str:
    return (
        "Biped Locomotion is an extension for Blender whose characters walk by physics. This package is its part "
        "without Blender: it walks jobs that Blender has exported.\n\n"
        "    biped batch FOLDER\n    biped batch --help\n"
    )


def _sources() -> dict[str, bytes]:
    """Return the modules and tables by their places in the package, without what needs Blender."""
    package = ROOT / PACKAGE
    files = (file for file in package.rglob("*") if file.suffix in _KINDS and "__pycache__" not in file.parts)
    places = {file.relative_to(package): file for file in files}
    return {place.as_posix(): file.read_bytes() for place, file in places.items() if place.parts[0] != "ui"}


def _presets() -> dict[str, bytes]:
    """Return the styles by their places in the package, without their pictures."""
    folder = ROOT / "presets"
    return {f"presets/{file.relative_to(folder).as_posix()}": file.read_bytes() for file in folder.rglob("*.json")}
