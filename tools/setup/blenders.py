# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension as its zip installs it, in other Blenders as Python modules: environments of their own, and the tests.

    python -m tools.setup.blenders BLENDER [options of pytest]

BLENDER is one of BLENDERS, such as 4.2. The tests are those of tests/blender unless others are named. The zip of this
system is the newest of dist/ (``build.py package``); nothing is imported from the project's own package.
Standard library only.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tools.setup import interpreters, wheels
from tools.setup.environment import check_blender, is_current, lines, requirements
from tools.setup.steps import SetupError, environment_python, make_environment, pip, run

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "blender_biped"  # by which name the tests know the extension
TESTS = "tests/blender"
_TOOLS = ("pytest", "pytest-xdist")
_PYTEST = ("-m", "pytest")
# The same for a module that crashes when its Python ends: what the tests said counts, and nothing is left to be done.
_PYTEST_AND_OUT = (
    "-c",
    "import os, sys, pytest; code = pytest.main(sys.argv[1:]); sys.stdout.flush(); sys.stderr.flush(); os._exit(code)",
)


class Blender(NamedTuple):
    """A Blender on the index: its module's version, Python's, and of the numpy that is with it.

    ends: whether its module survives the end of its Python once a property's callback has been registered.
    """

    bpy: str
    python: str
    numpy: str
    ends: bool = True


BLENDERS: Mapping[str, Blender] = {
    "4.2": Blender("4.2.23", "3.11", "1.26.4", ends=False),
    "4.5": Blender("4.5.15", "3.11", "1.26.4"),
    "5.0": Blender("5.0.1", "3.11", "1.26.4"),
    "5.1": Blender("5.1.2", "3.13", "2.5.5"),
    "5.2": Blender("5.2.3", "3.13", "2.5.5"),
}


def newest_zip(folder: Path = ROOT / "dist") -> Path:
    """Return this system's zip that was packaged last. Raises SetupError when there is none."""
    found = sorted(folder.glob(f"*-{wheels.this_platform()}.zip"), key=lambda file: file.stat().st_mtime)
    if not found:
        raise SetupError(f"There is no zip for {wheels.this_platform()} in {folder}: python3 build.py package")
    return found[-1]


def installed(zip_file: Path, folder: Path, python: str) -> Path:
    """Unpack a zip as a package of ``folder``, as Blender installs it; return its wheel for a version of Python.

    Raises SetupError when it has none.
    """
    with zipfile.ZipFile(zip_file) as archive:
        archive.extractall(folder / PACKAGE)
    tag = "cp" + python.replace(".", "")
    for wheel in (folder / PACKAGE / "wheels").glob(f"*-{tag}-*.whl"):
        return wheel
    raise SetupError(f"{zip_file.name} has no wheel for Python {python}.")


def _tools() -> list[str]:
    """Return the project's own pins of what runs the tests."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return [pin for pin in requirements(project) if pin.partition("==")[0] in _TOOLS]


def python_with(name: str, wheel: Path, root: Path = ROOT) -> Path:
    """Return the Python of a Blender's environment in ``root``/.venv with a wheel, made first where it must be.

    name: of BLENDERS. Raises SetupError.
    """
    blender = BLENDERS[name]
    folder = root / ".venv" / f"blender-{name}"
    python, stamp = environment_python(folder), folder / "installed.txt"
    pins = [f"bpy=={blender.bpy}", f"numpy=={blender.numpy}", *_tools()]
    if not is_current(python, stamp, [*pins, wheel.name]):
        own = interpreters.find(blender.python)
        if own is None:
            raise SetupError(interpreters.how_to_install([blender.python]))
        make_environment(folder, own)
        run(pip(python, "install", *pins), folder / "install.log", f"Installing Blender {name} as a module (350 MB)")
        run(
            pip(python, "install", "--no-deps", "--no-index", wheel),
            folder / "install-pybullet.log",
            f"Installing {wheel.name}",
        )
        check_blender(python)
        stamp.write_text(lines([*pins, wheel.name]), encoding="utf-8")
    return python


def tested(name: str, arguments: Sequence[str], zip_file: Path, root: Path = ROOT) -> int:
    """Run tests in a Blender with the zip installed; return pytest's exit code. Raises SetupError."""
    with tempfile.TemporaryDirectory(prefix="biped-installed-") as place:
        wheel = installed(zip_file, Path(place), BLENDERS[name].python)
        python = python_with(name, wheel, root)
        print(f"Blender {name}, {zip_file.name}:", flush=True)
        named = [] if any((root / a.partition("::")[0]).exists() for a in arguments) else [TESTS]
        # What is installed comes before the project, whose own package pytest would put first.
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((place, str(root)))}
        start = _PYTEST if BLENDERS[name].ends else _PYTEST_AND_OUT
        return subprocess.call(
            [str(python), "-P", *start, "-o", "pythonpath=", "-p", "no:cacheprovider", *arguments, *named],
            cwd=root, env=environment,
        )  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    """Run the command line; return pytest's exit code, or 2 when the tests cannot be run."""
    if not arguments or arguments[0] not in BLENDERS:
        print(f"Choose a Blender: {', '.join(BLENDERS)}.", file=sys.stderr)
        return 2
    try:
        return tested(arguments[0], arguments[1:], newest_zip())
    except SetupError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
