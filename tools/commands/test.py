# SPDX-License-Identifier: GPL-3.0-or-later
"""All checks of the project: style, types, import contracts, tests. Each runs, whatever the ones before it said.

Run as ``python -m tools.commands.test``, with options of pytest.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tools.base import command_table
from tools.base.command_table import ROOT
from tools.setup import blenders

TYPED_WITH = (3, 11)  # numpy's own types differ between the versions that the Blenders have: one is checked against
# Two tests at a time, those of one file in one process: they share what they build. In the order of the folders, whose
# last files take no time: xdist would keep those of the fewest tests for the end, and they take the longest.
# Options that follow win.
LONG = "long"
"""The mark of tests that walk for long, beside shorter ones of the same: spreads, other bodies, whole scenes."""
SIDE_BY_SIDE = ("--numprocesses=2", "--dist=loadfile", "--no-loadscope-reorder")
SLOWEST = 10
"""Tests that are named at the end with the time that each took."""


class Tested(NamedTuple):
    """What pytest said: whether all passed, its last line, and the lines of the slowest tests."""

    passed: bool
    last: str
    slowest: tuple[str, ...] = ()


def without_long(arguments: Sequence[str], long: bool) -> tuple[str, ...]:
    """Return pytest's options that leave long tests out, where no tests are picked by name, mark or file.

    arguments: that were given for pytest. long: whether long ones are wanted.
    """
    picked = any(a[:2] in ("-k", "-m") or "::" in a or (ROOT / a).is_file() for a in arguments)
    return () if long or picked else ("-m", f"not {LONG}")


def program(name: str) -> str:
    """Return the path of a program of the environment."""
    return str(Path(sys.executable).with_name(f"{name}.exe" if sys.platform == "win32" else name))


def static_checks() -> dict[str, list[str]]:
    """Return the commands that look at the code without running it."""
    checks = {
        "style": [program("ruff"), "check", "."],
        "format": [program("ruff"), "format", "--check", "."],
        "imports": [program("lint-imports"), "--no-logo"],
    }
    if sys.version_info[:2] == TYPED_WITH:
        checks["types"] = [sys.executable, "-m", "mypy"]
    return checks


def passes(name: str, command: Sequence[str]) -> bool:
    """Run one check and say how it went, with its output when it fails."""
    began = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        print(done.stdout.rstrip())
    _say(name, not done.returncode, began)
    return not done.returncode


def run_tests(arguments: Sequence[str]) -> Tested:
    """Run pytest with its output shown as it comes, but for the slowest tests: they are for the end."""
    began = time.monotonic()
    colour = ["--color=yes"] if sys.stdout.isatty() else []
    command = [sys.executable, "-m", "pytest", *colour, *SIDE_BY_SIDE, f"--durations={SLOWEST}", *arguments]
    last, slowest, among = "", list[str](), False
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        assert process.stdout
        for line in process.stdout:
            if "=====" in line:  # a heading, which may be coloured
                among = "= slowest " in line
            if among:
                slowest.append(line.rstrip())
                continue
            print(line, end="", flush=True)
            last = line.strip() or last
    _say("tests", not process.returncode, began)
    return Tested(not process.returncode, last, tuple(slowest))


def cpu_minutes() -> float:
    """Return the processor time, minutes, of this process and of all that it has started and that have ended.

    Windows does not count that of other processes: it is this one's there.
    """
    spent = os.times()
    return (spent.user + spent.system + spent.children_user + spent.children_system) / 60.0


@contextmanager
def compiling(arguments: Sequence[str]) -> Iterator[None]:
    """Let one process compile what the tests import, meanwhile: else each that runs them compiles all of it.

    arguments: of pytest. Whatever it finds wrong, the tests find again and tell.
    """
    command = [sys.executable, "-m", "pytest", "--collect-only", "--quiet", "--quiet", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        yield


def keep_bytecode() -> None:
    """Let all processes of the tests share what is compiled, whatever the user's own runs do.

    Tests start many processes, each of which reads the whole package, and pytest rewrites each assertion.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(ROOT / ".cache" / "bytecode")


def main(arguments: Sequence[str]) -> int:
    """Run everything, or the tests of one Blender; return 0 when all passed."""
    keep_bytecode()
    given, passed_on = command_table.parser("test").parse_known_args(arguments)
    left_out = without_long(passed_on, given.long)
    passed_on = [*left_out, *passed_on]
    if given.blender:
        code = blenders.main([given.blender, *SIDE_BY_SIDE, f"--durations={SLOWEST}", *passed_on])
        print(f"{cpu_minutes():.1f} CPU minutes")
        return code
    with compiling(passed_on):
        failed = [name for name, command in static_checks().items() if not passes(name, command)]
    if sys.version_info[:2] != TYPED_WITH:
        print("types: left to Python {}.{}".format(*TYPED_WITH), flush=True)
    tested = run_tests(passed_on)
    failed += [] if tested.passed else ["tests"]
    for line in tested.slowest:
        print(line)
    if failed:
        print(f"FAILED: {', '.join(failed)}")
    if left_out:
        print("Tests that walk for long were left out; --long runs them, too.")
    print(f"{tested.last}, {cpu_minutes():.1f} CPU minutes with the checks")
    return 1 if failed else 0


def _say(name: str, passed: bool, began: float) -> None:
    print(f"{name}: {'passed' if passed else 'FAILED'} in {time.monotonic() - began:.1f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
