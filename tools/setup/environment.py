# SPDX-License-Identifier: GPL-3.0-or-later
"""The virtual environment that the commands run in: made once for each Python, and again when the pins change.

Standard library only: it runs before anything is installed, in the Python that the environment is for.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.setup import wheels
from tools.setup.steps import SetupError, environment_python, make_environment, pip, run

ROOT = Path(__file__).resolve().parents[2]

# What bpy links to outside of itself (4.2 to most), and the packages that have it: in Debian and Ubuntu, in Fedora.
PACKAGES = {
    "libGL.so.1": ("libgl1", "libglvnd-glx"),
    "libICE.so.6": ("libice6", "libICE"),
    "libSM.so.6": ("libsm6", "libSM"),
    "libX11.so.6": ("libx11-6", "libX11"),
    "libXext.so.6": ("libxext6", "libXext"),
    "libXfixes.so.3": ("libxfixes3", "libXfixes"),
    "libXi.so.6": ("libxi6", "libXi"),
    "libXrender.so.1": ("libxrender1", "libXrender"),
    "libXxf86vm.so.1": ("libxxf86vm1", "libXxf86vm"),
    "libgcc_s.so.1": ("libgcc-s1", "libgcc"),
    "libgomp.so.1": ("libgomp1", "libgomp"),
    "libstdc++.so.6": ("libstdc++6", "libstdc++"),
    "libuuid.so.1": ("libuuid1", "libuuid"),
    "libxcb.so.1": ("libxcb1", "libxcb"),
    "libxkbcommon.so.0": ("libxkbcommon0", "libxkbcommon"),
    "libz.so.1": ("zlib1g", "zlib"),
}


def ready(root: Path = ROOT) -> Path:
    """Return the Python of this version's environment in ``root``/.venv, which is made first where it must be.

    An environment is stamped when it is complete, so a half-made one is made again, and so is one of other pins.
    Raises SetupError.
    """
    folder = root / ".venv" / "{}.{}".format(*sys.version_info[:2])
    python = environment_python(folder)
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    pins = [*requirements(project), wheels.requirement()]
    stamp = folder / "installed.txt"
    if not is_current(python, stamp, pins):
        make(folder, pins)
        stamp.write_text(lines(pins), encoding="utf-8")
    starts = folder / "blender-starts"  # apart from the stamp: what may be missing is not in the environment
    if not starts.exists():
        check_blender(python)
        starts.touch()
    return python


def requirements(project: Mapping[str, Any]) -> list[str]:
    """Return what pyproject.toml requires: the package's own dependencies and those of its development."""
    return [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]


def lines(pins: Iterable[str]) -> str:
    """Return pins as a file that pip reads, which is also the stamp of a complete environment."""
    return "".join(f"{pin}\n" for pin in pins)


def unlocked(pins: Iterable[str], locked: str, version: str) -> list[str]:
    """Return the pins for a version of Python, "3.11", that a file of locked ones has not."""
    known = {line.split()[0].partition(";")[0] for line in locked.splitlines() if "==" in line and line[0] not in "# "}
    exact = [pin.partition(";") for pin in pins if "==" in pin and not pin.startswith(wheels.PROJECT)]
    own = [name.strip() for name, _, marker in exact if not marker or f"'{version}'" in marker]
    return [name for name in own if name not in known]


def is_current(python: Path, stamp: Path, pins: Iterable[str]) -> bool:
    """Return whether the environment was completed with these pins and its Python is still there."""
    return python.exists() and stamp.is_file() and stamp.read_text(encoding="utf-8") == lines(pins)


def missing_libraries(said: str) -> set[str]:
    """Return the libraries that are missing by the output of ldd or by the message of an ImportError."""
    return set(re.findall(r"([\w.+-]+\.so[.\d]*)(?: => not found|: cannot open shared object file)", said))


def missing_message(libraries: Iterable[str]) -> str:
    """Return which system libraries Blender's module lacks, and which packages have them."""
    names = sorted(libraries)
    known = [PACKAGES[name] for name in names if name in PACKAGES]
    unknown = [name for name in names if name not in PACKAGES]
    said = [f"Blender's module cannot start for want of system libraries: {', '.join(names)}. Install them:"]
    if known:
        debian, fedora = (" ".join(packages) for packages in zip(*known, strict=True))
        said += [f"  Debian, Ubuntu: sudo apt install {debian}", f"  Fedora: sudo dnf install {fedora}"]
    if unknown:
        said.append(f"  {', '.join(unknown)}: find its package with apt-file search or dnf provides")
    return "\n".join(said)


def check_blender(python: Path) -> None:
    """Raise SetupError, naming what is missing, when the environment's Blender module cannot be imported."""
    trial = subprocess.run(
        [str(python), "-I", "-c", "import bpy"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if trial.returncode:
        # The import names the first missing library, ldd all of them.
        missing = missing_libraries(trial.stdout) and missing_libraries(trial.stdout + linked(python))
        raise SetupError(
            missing_message(missing) if missing else f"Blender's module cannot be imported:\n{trial.stdout.strip()}"
        )


def linked(python: Path) -> str:
    """Return what ldd says of the environment's Blender module, "" where there is no ldd."""
    ldd = shutil.which("ldd")
    modules = sorted(python.parents[1].glob("lib/python*/site-packages/bpy/__init__.*so"))
    if not ldd or not modules:
        return ""
    return subprocess.run([ldd, str(modules[0])], capture_output=True, text=True).stdout


def make(folder: Path, pins: Sequence[str]) -> None:
    """Make the environment in ``folder`` with all of ``pins``, from files whose sha256 is known. Raises SetupError."""
    locked = ROOT / "tools" / "setup" / f"locked-{folder.name}.txt"
    missing = unlocked(pins, locked.read_text(encoding="utf-8"), folder.name)
    if missing:
        raise SetupError(f"{locked.name} lacks {', '.join(missing)}: make it anew, as CONTRIBUTING.md says.")
    print(f"Setting up .venv/{folder.name}: some minutes, once.", flush=True)
    python = make_environment(folder)
    run(
        pip(python, "install", "--require-hashes", "-r", locked),
        folder / "install.log",
        "Installing Blender as a module (350 MB) and the tools",
    )
    wheel = wheels.slim_wheel(python, wheels.this_platform(), folder.name)
    run(
        pip(python, "install", "--no-deps", "--no-index", wheel),
        folder / "install-pybullet.log",
        f"Installing {wheel.name}",
    )
