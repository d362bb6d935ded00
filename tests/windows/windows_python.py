# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries Windows' zip in a Windows Python on this machine: every controller walks there as it does here.

    python -m tests.windows.windows_python [ZIP]

Unpacks the zip (that of dist/) into a folder with a space and letters of other scripts, and runs ``in_windows.py`` on
it, with the worker's temporary files there too.
Ends with 0 when all is well, 1 when something is wrong, 2 when there is nothing to try it with.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from blender_biped.character.standard import standard_character
from blender_biped.control.registry import presets
from blender_biped.job import Job, write_job
from blender_biped.preset.preset import controllers
from blender_biped.worker import run
from blender_biped.world.path import Path as WalkPath
from tools.base.command_table import ROOT

TOOL = ROOT.parent / "shared" / "tools" / "windows-python"
FOLDER = "Läufer 走る"
CANCELLED_WITHIN = 0.5  # s


def jobs() -> dict[str, Job]:
    """Return a short walk of each controller, in its first style."""
    path = WalkPath([[0.0, 0.0], [4.0, 0.0]])
    return {name: Job(standard_character(), path, presets(name)[0], duration=4.0) for name in controllers()}


def tried(zip_file: Path, walks: Mapping[str, Job], folder: Path) -> dict[str, Any]:
    """Return what in_windows.py found. Raises RuntimeError when it did not end well."""
    extension, libraries, queue, temporary = (folder / name for name in ("biped_locomotion", "site", "jobs", "temp"))
    with zipfile.ZipFile(zip_file) as archive:
        archive.extractall(extension)
    (wheel,) = (extension / "wheels").glob("*-cp311-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(libraries)
    queue.mkdir()
    temporary.mkdir()
    for name, job in walks.items():
        write_job(job, queue / f"{name}.json")
    far = WalkPath([[0.0, 0.0], [200.0, 0.0]])
    write_job(Job(standard_character(), far, presets("generalized")[0]), queue / "long.json")
    out = folder / "found.json"
    script = Path(__file__).with_name("in_windows.py")
    places = [windows_path(place) for place in (script, extension, queue, temporary, out, libraries, numpy_folder())]
    done = subprocess.run([TOOL, "run", *places], stdout=subprocess.PIPE, text=True, errors="replace")
    if done.returncode or not out.exists():
        raise RuntimeError(f"The Windows Python ended with {done.returncode}:\n{done.stdout[-3000:]}")
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return found


def wrongs(found: Mapping[str, Any], walks: Mapping[str, Job]) -> list[str]:
    """Return what is not as it must be, in words."""
    checks = {
        f"the system is {found['system']}": found["system"] == "win32",
        f"the cancelled one says {found['cancel']}": found["cancel"]["message"].startswith("The walk was cancelled")
        and found["cancel"]["before"] == "running"
        and found["cancel"]["seconds"] < CANCELLED_WITHIN,
        f"the killed one says {found['kill']}": found["kill"]["message"].startswith(
            "The simulation was ended by the system"
        )
        and found["kill"]["before"] == "running",
        f"in parts: {found['in parts']}": found["in parts"]["parts"] > 1 and found["in parts"]["same"],
        f"a worker that was started ahead and not needed ended with {found['unneeded']}": found["unneeded"]["code"]
        == 0,
        f"of a worker whose parent died is left {found['orphan']}": found["orphan"]["before"] == "running"
        and found["orphan"]["folders"] == 1
        and not found["orphan"]["lives"]
        and not found["orphan"]["left"],
        f"its console is {found['console']}": found["console"]["page"] != 0 and not found["console"]["shown"],
        f"left in the temporary folder: {found['left']}": not found["left"],
    }
    for name, job in walks.items():
        here, there = run(job, folders=[]), found[name]
        print(
            f"  {name}: {there['outcome']} after {there['steps']} steps in {there['seconds']:.1f} s "
            f"(here {here.outcome}, {len(here.strikes)})",
            flush=True,
        )
        checks[f"{name}: {there['outcome']}, here {here.outcome}"] = there["outcome"] == here.outcome
        checks[f"{name}: {there['steps']} steps, here {len(here.strikes)}"] = there["steps"] == len(here.strikes)
        shown = there["progress"]
        checks[f"{name}: progress {shown}"] = bool(shown) and shown == sorted(shown) and 0.0 < shown[0] <= 1.0
    return [what for what, right in checks.items() if not right]


def main(arguments: Sequence[str]) -> int:
    """Run the command line."""
    zips = [Path(arguments[0])] if arguments else sorted((ROOT / "dist").glob("*-windows-x64.zip"))
    if not TOOL.exists() or not zips:
        print(f"Needs {TOOL} and a zip: python3 build.py package", file=sys.stderr)
        return 2
    walks = jobs()
    with tempfile.TemporaryDirectory() as name:
        try:
            found = tried(zips[-1], walks, Path(name) / FOLDER)
        except RuntimeError as error:
            print(error, file=sys.stderr)
            return 1
    wrong = wrongs(found, walks)
    for what in wrong:
        print(f"WRONG: {what}")
    ways = ", ".join(
        f"{way} after {found[way]['seconds']:.2f} s ({found[way]['message']})" for way in ("cancel", "kill")
    )
    print(f"Python {found['python'].split()[0]} on {found['system']}: {ways}; {'WRONG' if wrong else 'all well'}")
    return bool(wrong)


def numpy_folder() -> Path:
    """Return the folder of the tool's numpy."""
    return Path(subprocess.run([TOOL, "site"], capture_output=True, text=True, check=True).stdout.strip())


def windows_path(place: Path) -> str:
    """Return a path as Windows sees it."""
    return subprocess.run([TOOL, "path", place], capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
