# SPDX-License-Identifier: GPL-3.0-or-later
"""The zips that Blender installs, one for each system: package, presets, PyBullet's wheels, manifest. And a wheel.

    python -m tools.commands.package --help

Every system's zip is made on any one: nothing of it is built. The same sources and wheels give the same zip, byte for
byte. Blender's own validator, which ships in the bpy wheel, has the last word.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from tools.base import command_table
from tools.base.command_table import ROOT
from tools.setup import own_wheel, wheels
from tools.setup.steps import SetupError

PACKAGE = ROOT / "blender_biped"
MANIFEST = "blender_manifest.toml"
MAX_SIZE = 10_000_000  # bytes of a zip


def packed(out: Path, on: str, found: Sequence[Path]) -> Path:
    """Write the extension for a system with these wheels into ``out``; return the zip.

    on: the system's name in manifests, such as linux-x64. Raises SetupError when the zip would be too big.
    """
    content = {f"wheels/{wheel.name}": wheel.read_bytes() for wheel in found}
    content |= sources(PACKAGE, "")
    content |= sources(ROOT / "presets", "presets/")
    content |= pages()
    content["LICENSE"] = (ROOT / "LICENSE").read_bytes()
    manifest = content[MANIFEST].decode()
    content[MANIFEST] = filled_manifest(manifest, on, [wheel.name for wheel in found]).encode()
    out.mkdir(parents=True, exist_ok=True)
    described = tomllib.loads(manifest)
    path = out / f"{described['id']}-{described['version']}-{on}.zip"
    wheels.write_zip(path, content)
    size = path.stat().st_size
    if size >= MAX_SIZE:
        raise SetupError(f"{path} has {size / 1e6:.1f} MB, and must stay under {MAX_SIZE / 1e6:.0f} MB.")
    return path


def sources(folder: Path, prefix: str) -> dict[str, bytes]:
    """Return the files below a folder by their names in the zip, without what Python leaves there."""
    files = (file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {prefix + file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def pages() -> dict[str, bytes]:
    """Return the pages of the manual by their names in the zip, without their pictures."""
    return {name: text for name, text in sources(ROOT / "docs", "docs/").items() if name.endswith(".md")}


def filled_manifest(manifest: str, on: str, names: Sequence[str]) -> str:
    """Return the manifest with platform and wheels. They are top-level keys: they come before the first table."""
    head, bracket, tables = manifest.partition("\n[")
    listed = "".join(f'    "./wheels/{name}",\n' for name in sorted(names))
    return f'{head.rstrip()}\nplatforms = ["{on}"]\nwheels = [\n{listed}]\n{bracket}{tables}'


def validate(path: Path) -> None:
    """Raise SetupError with what Blender's validator says against a zip."""
    code, said = extension_tool("validate", str(path))
    if code:
        raise SetupError(f"Blender's validator refuses {path}:\n{said}")


def write_listing(folder: Path) -> Path:
    """Write what makes a folder of zips a repository of extensions, which any static web server can offer; return it.

    Raises SetupError when Blender's tool fails, and when several zips are for the same Blender, such as older versions.
    """
    code, said = extension_tool("server-generate", "--repo-dir", str(folder))
    if code or "WARN" in said:
        raise SetupError(f"{folder} makes no repository of extensions; are zips of other versions in it?\n{said}")
    return folder / "index.json"


def collected(on: str) -> list[Path]:
    """Return the slim wheels of a system, one for each Python that has one there. Raises SetupError."""
    return [wheels.slim_wheel(Path(sys.executable), on, version) for version in wheels.PLATFORMS[on]]


def main(arguments: Sequence[str]) -> int:
    """Make the zips, have them validated, and say where they are and what is in each."""
    given = command_table.given("package", arguments)
    if given.wheel:
        made = own_wheel.write_wheel(given.out)
        print(f"{made} ({made.stat().st_size / 1e6:.1f} MB): pip install it, with [farm] for Dask")
        return 0
    for on in given.platform:
        try:
            found = collected(on)
            path = packed(given.out, on, found)
            validate(path)
        except SetupError as error:
            print(f"package: {error}", file=sys.stderr)
            return 1
        print(f"{path} ({path.stat().st_size / 1e6:.1f} MB): accepted by Blender's validator")
        for wheel in found:
            print(f"  {wheel.name} ({wheel.stat().st_size / 1e6:.1f} MB)")
        modules, presets = len(sources(PACKAGE, "")), len(sources(ROOT / "presets", ""))
        print(
            f"  {modules} files of the extension, {presets} of presets, {len(pages())} pages, the licence", flush=True
        )
    try:
        print(
            f"{write_listing(given.out)}: with it the folder is a repository of extensions, for Blender to update from"
        )
    except SetupError as error:
        print(f"package: {error}", file=sys.stderr)
        return 1
    return 0


def extension_tool(*arguments: str) -> tuple[int, str]:
    """Return exit code and output of Blender's tool for extensions."""
    spec = importlib.util.find_spec("bpy")
    assert spec and spec.origin, "the environment has bpy"
    (tool,) = Path(spec.origin).parent.glob("*/scripts/addons_core/bl_pkg/cli/blender_ext.py")
    done = subprocess.run(
        [sys.executable, "-I", str(tool), *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return done.returncode, done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
