#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one tool for people: sets up what a command needs, then runs it. Standard library only.

    python3 build.py COMMAND [options]

    demo | measure | test | bench | author | attack | trials | kept | thumbnails | docs | package

A command is a module of tools/commands/ with its options in tools/base/command_table.py, run by a Python that has what
it needs. This file also starts on Pythons that are too old for the project, and goes on with a fitting one.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))

from tools.base.command_line import CommandParser, Subcommand  # noqa: E402 (needs the path above)
from tools.base.command_table import COMMANDS  # noqa: E402
from tools.setup import interpreters  # noqa: E402

LANES = {"3.11": "Blender 4.5 LTS", "3.13": "Blender 5.2 LTS"}  # Python, and the Blender that has it


def lane_parser() -> argparse.ArgumentParser:
    """Return the reader of what says which Python runs a command."""
    lane = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    lane.add_argument(
        "--python",
        choices=list(LANES),
        default="",
        help="; ".join(f"{python} for {blender}" for python, blender in LANES.items()) + " (else this one if it fits)",
    )
    return lane


def parser() -> argparse.ArgumentParser:
    """Return the reader of the command line up to the command's own options."""
    width = max(len(command.name) for command in COMMANDS)
    lines = [f"  {command.name:<{width}}  {command.what} (about {command.time})" for command in COMMANDS]
    whole = argparse.ArgumentParser(
        prog="build.py",
        usage="build.py [-h] [--python {{{}}}] COMMAND [options]".format(",".join(LANES)),
        parents=[lane_parser()],
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Sets up what a command needs (in .venv/, some minutes the first time), then runs it.",
        epilog="\n".join(["commands:", *lines, "", "build.py COMMAND --help lists a command's options."]),
    )
    names = [command.name for command in COMMANDS]
    whole.add_argument("command", metavar="COMMAND", choices=names, help="one of those below")
    return whole


def understood(arguments: Sequence[str]) -> tuple[Subcommand, str, list[str]]:
    """Return the command, the Python that is to run it ("" for any) and the command's own arguments.

    Ends the program with a message when the arguments cannot be understood.
    """
    lane, rest = lane_parser().parse_known_args(arguments)
    name = parser().parse_args(rest[:1]).command
    command = next(c for c in COMMANDS if c.name == name)
    CommandParser(command).parse_known_args(rest[1:])
    return command, lane.python, rest[1:]


def fitting_python(chosen: str, running: str) -> str:
    """Return the path of the Python to go on with, "" for the one that runs this.

    chosen, running: versions such as "3.11"; chosen "" for any. Ends the program when there is none.
    """
    if running in ([chosen] if chosen else LANES):
        return ""
    wanted = [chosen] if chosen else list(LANES)
    for version in wanted:
        path = interpreters.find(version)
        if path:
            return path
    raise SystemExit(f"This is Python {running}. {interpreters.how_to_install(wanted)}")


def main(arguments: Sequence[str]) -> int:
    """Run what the command line says; return the exit code."""
    command, chosen, rest = understood(arguments)
    python = fitting_python(chosen, "{}.{}".format(*sys.version_info[:2]))
    if python:
        return subprocess.call([python, __file__, *arguments])
    from tools.setup import environment, steps  # not before: they need a Python that fits

    print(f"{command.name}: {command.what}; about {command.time}.", flush=True)
    try:
        ready = environment.ready()
    except steps.SetupError as error:
        raise SystemExit(f"{command.name}: {error}") from None
    # The package and the tools come from this folder whatever the current one is, in which given paths are meant.
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    # UTF-8 as in Blender's own Python, whatever the system's encoding is.
    return subprocess.call(
        [str(ready), "-P", "-m", f"tools.commands.{command.name}", *rest],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1"},
    )


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
