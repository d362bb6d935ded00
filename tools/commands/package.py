# SPDX-License-Identifier: GPL-3.0-or-later
"""The zip that Blender installs: the package, the presets, PyBullet's wheels, the manifest that names them.

    python -m tools.commands.package --help

The same sources and wheels give the same zip, byte for byte. Blender's own validator, which ships in the bpy wheel,
has the last word.
"""

from __future__ import annotations

import importlib.util
import platform
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from tools.base import command_table
from tools.base.command_table import ROOT
from tools.setup import interpreters, wheels
from tools.setup.environment import requirements
from tools.setup.steps import SetupError

PACKAGE = ROOT / "blender_biped"
MANIFEST = "blender_manifest.toml"
TAGS = ("311", "313")  # the Pythons of Blender 4.2 to 5.0, and of 5.1 on
MAX_SIZE = 10_000_000  # bytes of a zip


def packed(out: Path, found: Sequence[Path]) -> Path:
    """Write the extension with these wheels into ``out``; return the zip.

    Raises SetupError when the zip would be too big.
    """
    content = {f"wheels/{wheel.name}": wheel.read_bytes() for wheel in found}
    content |= sources(PACKAGE, "")
    content |= sources(ROOT / "presets", "presets/")
    content["LICENSE"] = (ROOT / "LICENSE").read_bytes()
    manifest = content[MANIFEST].decode()
    content[MANIFEST] = filled_manifest(manifest, blender_platform(), [wheel.name for wheel in found]).encode()
    out.mkdir(parents=True, exist_ok=True)
    described = tomllib.loads(manifest)
    path = out / f"{described['id']}-{described['version']}-{blender_platform()}.zip"
    wheels.write_zip(path, content)
    size = path.stat().st_size
    if size >= MAX_SIZE:
        raise SetupError(
            f"{path} has {size / 1e6:.1f} MB, and must stay under {MAX_SIZE / 1e6:.0f} MB. "
            "Where PyBullet's wheels were not stripped, install binutils, delete .cache/wheels and run this again."
        )
    return path


def sources(folder: Path, prefix: str) -> dict[str, bytes]:
    """Return the files below a folder by their names in the zip, without what Python leaves there."""
    files = (file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {prefix + file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def filled_manifest(manifest: str, on: str, names: Sequence[str]) -> str:
    """Return the manifest with platform and wheels. They are top-level keys: they come before the first table."""
    head, bracket, tables = manifest.partition("\n[")
    listed = "".join(f'    "./wheels/{name}",\n' for name in sorted(names))
    return f'{head.rstrip()}\nplatforms = ["{on}"]\nwheels = [\n{listed}]\n{bracket}{tables}'


def blender_platform() -> str:
    """Return this system's name as Blender's manifests have it, such as linux-x64."""
    system, machine = platform.system().lower(), platform.machine().lower()
    systems = {"darwin": "macos"}
    machines = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}
    return f"{systems.get(system, system)}-{machines.get(machine, machine)}"


def validate(path: Path) -> None:
    """Raise SetupError with what Blender's validator says against a zip."""
    spec = importlib.util.find_spec("bpy")
    assert spec and spec.origin, "the environment has bpy"
    tools = sorted(Path(spec.origin).parent.glob("*/scripts/addons_core/bl_pkg/cli/blender_ext.py"))
    done = subprocess.run(
        [sys.executable, "-I", str(tools[0]), "validate", str(path)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    if done.returncode:
        raise SetupError(f"Blender's validator refuses {path}:\n{done.stdout.strip()}")


def collected(tags: Sequence[str]) -> list[Path]:
    """Return the wheels for Python tags ("311"), built where there is none; for no tags, all that need no building.

    Raises SetupError when a wanted one cannot be had, or none at all.
    """
    pins = requirements(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8")))
    result = []
    for tag in tags or TAGS:
        version = f"{tag[0]}.{tag[1:]}"
        wheel = wheels.found(Path(sys.executable), version, pins)
        if not wheel and tags:
            python = interpreters.find(version)
            if not python:
                raise SetupError(f"PyBullet must be built. {interpreters.how_to_install([version])}")
            wheel = wheels.built(python, version, pins)
        if wheel:
            result.append(wheel)
        else:
            print(
                f"  Left out: PyBullet for Python {version}. The zip will not install in a Blender that has it; "
                f"to build it (5 minutes), add --python-tags {','.join(TAGS)}",
                flush=True,
            )
    if not result:
        raise SetupError(f"No wheel of PyBullet was found. To build them, add --python-tags {','.join(TAGS)}")
    return result


def main(arguments: Sequence[str]) -> int:
    """Make the zip, have it validated, and say where it is."""
    given = command_table.given("package", arguments)
    try:
        found = collected(given.python_tags)
        path = packed(given.out, found)
        validate(path)
    except SetupError as error:
        print(f"package: {error}", file=sys.stderr)
        return 1
    for wheel in found:
        print(f"  {wheel.name} ({wheel.stat().st_size / 1e6:.1f} MB)")
    print(f"{path} ({path.stat().st_size / 1e6:.1f} MB): accepted by Blender's validator")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
