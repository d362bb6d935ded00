#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one tool for people: sets up what a command needs, then runs it. Standard library only.

    python3 build.py demo | measure | test | bench | author | trials | package [options]

A command is a module of tools/, run by a Python that has what it needs. This file also starts on Pythons that
are too old for the project, and goes on with a fitting one.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))

from tools.setup import interpreters  # noqa: E402 (needs the path above)

LANES = {"3.11": "Blender 4.5 LTS", "3.13": "Blender 5.2 LTS"}  # Python, and the Blender that has it


class Option(NamedTuple):
    """One option of a command; the command's module has its default and checks its value.

    metavar: "" for an option that takes no value. many: whether it may be given again and again.
    """

    flag: str
    metavar: str
    help: str
    many: bool = False

    @property
    def name(self) -> str:
        """What the reader of the command line calls it."""
        return self.flag.lstrip("-").replace("-", "_")

    def add_to(self, reader: argparse.ArgumentParser) -> None:
        """Let a reader of the command line know it."""
        if not self.metavar:
            reader.add_argument(self.flag, help=self.help, action="store_true", default=argparse.SUPPRESS)
        else:
            action = "append" if self.many else "store"
            reader.add_argument(
                self.flag, metavar=self.metavar, help=self.help, action=action, default=argparse.SUPPRESS
            )

    def given(self, value: Any) -> list[str]:
        """Return the arguments that hand a value on: text, several texts, or True."""
        if value is True:
            return [self.flag]
        return [word for one in (value if self.many else [value]) for word in (self.flag, one)]


class Command(NamedTuple):
    """What a person can ask for: runs tools/NAME.py. rest: what else it takes, handed on as it is."""

    name: str
    what: str
    time: str
    options: Sequence[Option] = ()
    rest: str = ""


DEMO = (
    Option("--armature", "FILE[:OBJECT]", "who walks: .blend, .glb, .gltf, .vrm, .fbx or .bvh; else Rigify's human"),
    Option("--path", "PATH", "where: s-curve (as it is), straight, circle, or FILE.blend:OBJECT, a curve"),
    Option("--controller", "NAME", "how: the method, a folder of presets/"),
    Option("--preset", "NAME", "the style, a file of presets/CONTROLLER/"),
    Option("--speed", "M_PER_S", "how fast, metres per second"),
    Option("--out", "DIR", "where the results go (out/demo)"),
)
MEASURE = (
    Option(
        "--only", "KEY=VALUE[,VALUE...]", "which cases: controller, preset, speed, path, character; repeatable", True
    ),
    Option("--quick", "", "a subset of about three minutes"),
    Option("--push", "", "also find the largest push that is survived (many walks for each figure)"),
    Option("--seeds", "N", "each case also from N perturbed starts"),
    Option("--compare", "OLD.json", "an earlier report.json: say what got better and worse"),
    Option("--armature", "FILE[:OBJECT]", "measure your character instead of the grid's own; repeatable", True),
    Option("--rigs", "DIR", "in place of the grid: map, walk and bake every rig in a folder"),
    Option("--maps", "DIR", "mapping files for rigs of that folder that must be told, FILE-STEM.json"),
    Option("--rendered", "", "also render those rigs' skins (needs an EGL driver)"),
    Option("--gaits", "CONTROLLER", "in place of the grid: each of its gaits for a minute, on all bodies"),
    Option("--jobs", "N", "processes at once (all cores)"),
    Option("--out", "DIR", "where the results go (out/measure)"),
)
PACKAGE = (
    Option("--python-tags", "TAGS", "Pythons whose PyBullet goes in, such as 311,313 (those that need no building)"),
    Option("--out", "DIR", "where the zip goes (dist)"),
)
BENCH = (
    Option("--only", "PART[,PART]", "parts of it: split, length, characters, worker, bake"),
    Option("--out", "DIR", "where the figures go (out/bench)"),
    Option("--compare", "OLD.json", "an older bench.json whose ratios are told beside the new ones"),
)
AUTHOR = (
    Option("--tries", "N", "how many sets of numbers are tried (400)"),
    Option("--seed", "N", "of the search (1)"),
    Option("--spread", "X", "of the first tries, in the scales that the preset gives (1)"),
    Option("--population", "N", "tries at a time (12)"),
    Option("--settle", "", "search nothing: write what leading learns into the gait, so that it keeps its speed"),
    Option("--jobs", "N", "processes at once (all cores)"),
    Option("--out", "FILE", "the preset that is written; else the gait's own"),
)
TRIALS = (
    Option(
        "--only",
        "PART[,PART]",
        "SIMBICON: stops, speeds, pushes, long-pushes, planar-pushes, heading, hop, chain, run; limit-cycle control: "
        "table, speed, stride, turns, paths, styles, wind, ways, bodies, bird, cost",
    ),
    Option("--jobs", "N", "processes at once (all cores)"),
    Option("--out", "DIR", "where the motions, film strips and figures go (out/trials)"),
)
COMMANDS = (
    Command("demo", "walks a rig along a curve and bakes it: a .blend, pictures and figures", "30 s", DEMO),
    Command("measure", "judges walks on a grid of paths, speeds and bodies: a table, a page", "30 min", MEASURE),
    Command("test", "checks style, types and imports, and runs all tests", "2 min", rest="options of pytest"),
    Command("bench", "measures what a walk costs, by its parts, and what the worker and the bake cost", "3 min", BENCH),
    Command("author", "searches better numbers for a gait", "10 min", AUTHOR, rest="CONTROLLER/GAIT or a file of one"),
    Command(
        "trials", "what SIMBICON and limit-cycle control show beyond the grid, part by part: tables", "45 min", TRIALS
    ),
    Command("package", "makes the zip that Blender installs, in dist/", "10 s", PACKAGE),
)


def parser() -> argparse.ArgumentParser:
    """Return the reader of the command line."""
    lane = argparse.ArgumentParser(add_help=False)
    lane.add_argument(
        "--python",
        choices=list(LANES),
        default=argparse.SUPPRESS,
        help="; ".join(f"{python} for {blender}" for python, blender in LANES.items()) + " (else this one if it fits)",
    )
    whole = argparse.ArgumentParser(
        prog="build.py",
        parents=[lane],
        allow_abbrev=False,
        description="Sets up what a command needs (in .venv/, some minutes the first time), then runs it.",
    )
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        about = f"{command.what} (about {command.time})"
        if command.rest:
            about += f"; takes {command.rest} too"
        sub = commands.add_parser(command.name, parents=[lane], allow_abbrev=False, help=about, description=about)
        for option in command.options:
            option.add_to(sub)
    return whole


def understood(arguments: Sequence[str]) -> tuple[Command, str, list[str]]:
    """Return the command, the Python asked for ("" for any) and what the command's module is given.

    Ends the program with a message when the arguments cannot be understood.
    """
    reader = parser()
    given, rest = reader.parse_known_args(arguments)
    values = vars(given)
    command = next(c for c in COMMANDS if c.name == values["command"])
    if rest and not command.rest:
        reader.error(f"{command.name} does not know {' '.join(rest)}; see build.py {command.name} --help")
    for option in command.options:
        if option.name in values:
            rest += option.given(values[option.name])
    return command, values.get("python", ""), rest


def fitting_python(asked: str, running: str) -> str:
    """Return the path of the Python to go on with, "" for the one that runs this.

    asked, running: versions such as "3.11"; asked "" for any. Ends the program when there is none.
    """
    if running in ([asked] if asked else LANES):
        return ""
    wanted = [asked] if asked else list(LANES)
    for version in wanted:
        path = interpreters.find(version)
        if path:
            return path
    raise SystemExit(f"This is Python {running}. {interpreters.how_to_install(wanted)}")


def main(arguments: Sequence[str]) -> int:
    """Run what the command line asks for; return the exit code."""
    command, asked, rest = understood(arguments)
    python = fitting_python(asked, "{}.{}".format(*sys.version_info[:2]))
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
    return subprocess.call(
        [str(ready), "-P", "-m", f"tools.commands.{command.name}", *rest],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
