# SPDX-License-Identifier: GPL-3.0-or-later
"""Every command of build.py with its options, their defaults and their help: here and nowhere else.

Runs on old Pythons (3.7), standard library only. That the names of parts, shapes and files in the help are those that
there are is tested.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.base.command_line import CommandParser, Option, Subcommand, count, parts

ROOT = Path(__file__).resolve().parents[2]
BENCH_PARTS = ("split", "length", "characters", "worker", "bake", "preview", "report", "world", "batch")
_AT_REQUEST = ("batch",)  # parts of the bench that take long: 25 minutes on two cores
TRIAL_PARTS = (
    "stops", "speeds", "pushes", "long-pushes", "planar-pushes", "heading", "hop", "chain", "run", "short-runs",
    "actions", "feed-forward", "soft", "soft-pushes",
    "table", "speed", "stride", "turns", "paths", "styles", "wind", "ways", "bodies", "rests", "bird", "cost",
    "builds", "some-builds", "scenes", "some-scenes", "obstacles", "stepping", "stairs", "slopes", "loads",
    "loaded-stairs", "footprints", "unseen",
    "shoulder", "scene-files", "paper", "authoring", "poses", "hours", "companions",
    "likeness", "natural-pushes", "natural-styles", "person", "some-person", "chance", "leads", "changes",
    "some-changes", "mixes", "other-mixes", "runs", "some-runs", "captured-runs", "shots", "crossings", "run-pushes",
    "window-shot", "batch", "some-batch",
)  # fmt: skip
ATTACKS = (
    "job", "preset", "mapping", "motion", "marker", "worker", "scene", "mischief", "places", "crafted", "preferences",
    "world", "reading",
)  # fmt: skip
BLENDERS = ("4.2", "4.5", "5.0", "5.1", "5.2")
PLATFORMS = ("windows-x64", "macos-arm64", "macos-x64", "linux-x64")  # their names in Blender's manifests
_JOBS = Option("--jobs", "N", "processes at once", count(1), os.cpu_count() or 1, "all cores")


def _out(folder: str) -> Option:
    return Option("--out", "DIR", "where the results go", Path, Path(folder))


def _only(names: Sequence[str], others: Sequence[str] = ()) -> Option:
    """Return the option that chooses parts. others: of these, those that are left out unless they are named."""
    usual = f"all but {', '.join(others)}" if others else "all"
    chosen = tuple(name for name in names if name not in others)
    return Option("--only", "PART[,PART]", f"some of its parts: {', '.join(names)}", parts(names), chosen, usual)


DEMO = (
    Option(
        "--armature", "FILE[:OBJECT]", "who walks: .blend, .glb, .gltf, .vrm, .fbx or .bvh",
        default="", usual="the human metarig that Rigify makes",
    ),
    Option(
        "--path", "PATH", "where: s-curve, straight, circle, or FILE.blend:OBJECT, a curve", default="s-curve"
    ),
    Option("--controller", "NAME", "how: the method, a folder of presets/", default="", usual="the panel's own"),
    Option("--preset", "NAME", "the style, a file of presets/CONTROLLER/", default="", usual="the first one"),
    Option("--speed", "M_PER_S", "how fast, metres per second", float, usual="the style's usual speed, else 1.2"),
    Option("--starts", "N", "other starts, slightly perturbed, that the figures are judged by (4)", count(0), 4),
    _out("out/demo"),
)  # fmt: skip
MEASURE = (
    Option(
        "--only", "KEY=VALUE[,VALUE...]", "which cases: controller, preset, speed, path or character; repeatable",
        many=True,
    ),
    Option("--quick", "", "a subset of about three minutes"),
    Option("--push", "", "also find the largest push that is survived (many walks for each figure)"),
    Option("--seeds", "N", "each case also from N perturbed starts", count(0), 0, "0; with --rigs 2"),
    Option("--compare", "OLD.json", "an earlier report.json: say what got better and worse", Path),
    Option(
        "--armature", "FILE[:OBJECT]", "measure your character instead of the grid's own; repeatable", many=True
    ),
    Option("--rigs", "DIR", "in place of the grid: map, walk (bends, too) and bake every rig in a folder", Path),
    Option("--maps", "DIR", "mapping files for rigs of that folder that need one, FILE-STEM.json", Path),
    Option("--controllers", "", "those rigs walk with every controller, not the panel's own alone"),
    Option("--rendered", "", "also render those rigs' skins (needs an EGL driver)"),
    Option("--gaits", "CONTROLLER", "in place of the grid: each of its gaits for a minute, on all bodies"),
    _JOBS,
    _out("out/measure"),
)  # fmt: skip
BENCH = (
    _only(BENCH_PARTS, _AT_REQUEST),
    Option("--compare", "OLD.json", "an older bench.json to compare the ratios with", Path),
    _out("out/bench"),
)
AUTHOR = (
    Option("gait", "GAIT", "CONTROLLER/NAME of a preset, or a file of one; CONTROLLER to try all changes of gaits"),
    Option("--tries", "N", "how many sets of numbers are tried", count(1, 10_000_000), 400),
    Option("--seed", "N", "of the search", count(0, 2**31), 1),
    Option("--spread", "X", "of the first tries, in the scales that the preset gives", float, 1.0),
    Option("--population", "N", "tries at a time", count(2), 12),
    Option("--settle", "", "search nothing: write what leading learns into the gait, so that it keeps its speed"),
    _JOBS,
    Option("--out", "FILE", "the preset that is written", Path, usual="the gait's own"),
)
ATTACK = (
    _only(ATTACKS),
    Option("--count", "N", "how many attacks", count(1, 10_000_000), 10_000),
    Option("--seed", "N", "the first seed of each part", count(0, 2**31), 0),
    _JOBS,
    _out("out/attack"),
)  # fmt: skip
TEST = (
    Option(
        "--blender", "VERSION", f"the tests of Blender alone, on the installed zip: {', '.join(BLENDERS)}",
        default="", usual="all tests, in the project's own",
    ),
    Option("--long", "", "also the tests that walk for long (20 min more): spreads, other bodies, whole scenes"),
)  # fmt: skip
TRIALS = (_only(TRIAL_PARTS), _JOBS, _out("out/trials"))
KEPT = (
    Option("--only", "NAME", "some of the jobs, such as natural-*; repeatable", many=True, usual="all"),
    Option("--against", "COMMIT", "the commit whose motions are compared", default="HEAD"),
    Option("--compare", "OLD.json", "in place of a commit: an earlier hashes.json of this machine", Path),
    _JOBS,
    _out("out/kept"),
)  # fmt: skip
THUMBNAILS = (
    Option("--only", "CONTROLLER[/NAME]", "whose: of some controllers or styles; repeatable", many=True, usual="all"),
    Option("--films", "DIR", "in place of thumbnails: of each style a sheet with a stride's film, for readers", Path),
    Option("--key", "FILE.json", "those films get numbers for names, by chance; the names go to that file", Path),
    _JOBS,
)
DOCS = (
    Option("--films", "", "also simulate each style and show it as a film (10 min more; kept in out/films)"),
    _JOBS,
    _out("out/site"),
)
PACKAGE = (
    Option(
        "--platform", "NAME[,NAME]", f"whose zip: {', '.join(PLATFORMS)}", parts(PLATFORMS), PLATFORMS, "all"
    ),
    Option("--wheel", "", "in place of the zips: a wheel of the package without Blender, for computers that walk jobs"),
    Option("--out", "DIR", "where the zips go", Path, ROOT / "dist", "dist/ of the project"),
)  # fmt: skip
COMMANDS = (
    Subcommand("demo", "walks a rig along a curve and bakes it: a .blend, pictures and figures", "30 s", DEMO),
    Subcommand("measure", "judges walks on a grid of paths, speeds and bodies: a table, a page", "30 min", MEASURE),
    Subcommand("test", "checks style, types and imports, and runs the tests", "15 min", TEST, rest="options of pytest"),
    Subcommand(
        "bench", "measures what a walk costs, by its parts, and what the worker and the bake cost", "9 min", BENCH
    ),
    Subcommand("author", "searches better numbers for a gait", "10 min", AUTHOR),
    Subcommand("attack", "tries wrong input and mischief, seed by seed: what fails is counted", "40 min", ATTACK),
    Subcommand("trials", "walks the trials of the papers beyond the grid, part by part: tables", "55 min", TRIALS),
    Subcommand("kept", "walks kept jobs here and as a commit does: which motions are the same bits", "5 min", KEPT),
    Subcommand("thumbnails", "draws the pictures of the styles that the panel's menu shows", "1 min", THUMBNAILS),
    Subcommand("docs", "makes a site of the pages in docs/, and checks its links", "20 s", DOCS),
    Subcommand("package", "makes the zips that Blender installs, for every system", "2 min", PACKAGE),
)


def parser(name: str) -> CommandParser:
    """Return the reader of a command's line."""
    return CommandParser(next(command for command in COMMANDS if command.name == name))


def given(name: str, arguments: Sequence[str] | None = None) -> Any:
    """Return what a command line says, by the options' names; None for that of this program.

    Ends the program with a message when it cannot be understood.
    """
    return parser(name).parse_args(arguments)
