# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps of setting up: a command that runs long, a virtual environment. Standard library only."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

_BEAT = 15.0  # s between signs of life of a command that runs long
_TAIL = 15  # lines of a failed command's output that are shown


class SetupError(Exception):
    """What a command of build.py needs could not be set up; the message says what to do."""


def run(
    command: Sequence[str | Path],
    log: Path,
    what: str,
    environment: Mapping[str, str] | None = None,
    beat: float = _BEAT,
) -> None:
    """Run a command with its output in ``log``; say what it is, and every ``beat`` seconds that it still runs.

    environment: of the command; None for this process' own. Raises SetupError with the log's end when it fails.
    """
    print(f"  {what} ...", flush=True)
    began = time.monotonic()
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=None if environment is None else dict(environment),
        )
        try:
            code = patient_exit_code(process, began, beat)
        except BaseException:
            process.kill()
            process.wait()
            raise
    if code:
        end = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-_TAIL:])
        raise SetupError(f"{what} failed with exit code {code}. The end of {log}:\n{end}")
    print(f"    done in {time.monotonic() - began:.0f} s", flush=True)


def pip(python: Path, command: str, *arguments: str | Path) -> list[str | Path]:
    """Return the command line of pip, of a Python that has it; settings of the user's pip hold."""
    return [
        python, "-I", "-m", "pip", command, "--disable-pip-version-check", "--progress-bar", "off", *arguments,
    ]  # fmt: skip


def make_environment(folder: Path, python: str = sys.executable) -> Path:
    """Make an empty virtual environment of ``python`` in place of what is in ``folder``; return its Python.

    Raises SetupError when that Python cannot.
    """
    done = subprocess.run(
        [python, "-I", "-m", "venv", "--clear", str(folder)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    if done.returncode:
        raise SetupError(
            f"{python} cannot make a virtual environment in {folder}:\n{done.stdout.strip()}\n"
            "Where it says that ensurepip is missing: on Debian and Ubuntu install the package python3.N-venv of "
            "that version."
        )
    return environment_python(folder)


def environment_python(folder: Path) -> Path:
    """Return where the virtual environment in ``folder`` has its Python."""
    return folder / "Scripts" / "python.exe" if sys.platform == "win32" else folder / "bin" / "python"


def patient_exit_code(process: subprocess.Popen[bytes], began: float, beat: float) -> int:
    """Return the exit code of a process when it ends; every ``beat`` s say how long it has been, since ``began``, s."""
    while True:
        try:
            return process.wait(beat)
        except subprocess.TimeoutExpired:
            print(f"    {time.monotonic() - began:.0f} s, still running", flush=True)
