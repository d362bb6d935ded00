# SPDX-License-Identifier: GPL-3.0-or-later
"""Find a Python of a given version on this machine. Runs on old Pythons (3.7), standard library only."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

_PATIENCE = 20  # s for an interpreter to say its version
_QUESTION = "import sys; print('%d.%d' % sys.version_info[:2]); print(sys.executable)"


class Interpreter(NamedTuple):
    """A Python that runs. version: as "3.11"."""

    version: str
    path: str


def probe(command: Sequence[str]) -> Interpreter | None:
    """Return the interpreter behind a command, None when it does not run: a name on PATH may be an empty shim."""
    try:
        done = subprocess.run(
            [*command, "-I", "-c", _QUESTION],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=_PATIENCE,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = done.stdout.split("\n")
    if done.returncode or len(lines) < 2 or not re.fullmatch(r"\d+\.\d+", lines[0].strip()):
        return None
    return Interpreter(lines[0].strip(), lines[1].strip())


def candidates(version: str, environment: Mapping[str, str], home: Path, windows: bool) -> Iterator[list[str]]:
    """Yield the commands that may start a Python of ``version``, the likeliest first."""
    folders = [Path(f) for f in environment.get("PATH", "").split(os.pathsep) if f]
    suffix = ".exe" if windows else ""
    yield from _existing(folders, f"python{version}{suffix}")
    if windows:
        yield ["py", f"-{version}"]
    pyenv = Path(environment.get("PYENV_ROOT") or home / ".pyenv") / "versions"
    yield from _existing(sorted(pyenv.glob(f"{version}*/bin")), f"python{version}")
    for name in ("python3", "python"):
        yield from _existing(folders, name + suffix)


def find(
    version: str,
    environment: Mapping[str, str] | None = None,
    home: Path | None = None,
    ask: Callable[[Sequence[str]], Interpreter | None] = probe,
) -> str | None:
    """Return the path of a Python of ``version`` ("3.11") that runs, None when there is none."""
    environment = os.environ if environment is None else environment
    for command in candidates(version, environment, home or Path.home(), os.name == "nt"):
        found = ask(command)
        if found and found.version == version:
            return found.path
    return None


def how_to_install(versions: Sequence[str]) -> str:
    """Return what to do to get one of ``versions``."""
    first = versions[0]
    return (
        f"Install Python {' or '.join(versions)} and run this again. Debian and Ubuntu: packages python{first} and "
        f"python{first}-venv; Fedora: python{first}; Windows and macOS: the installers of python.org; or, where the "
        f"system has another version only: pyenv install {first}."
    )


def _existing(folders: Sequence[Path], name: str) -> Iterator[list[str]]:
    return ([str(folder / name)] for folder in folders if (folder / name).is_file())
