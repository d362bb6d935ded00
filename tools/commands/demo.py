# SPDX-License-Identifier: GPL-3.0-or-later
"""The main job from one command: an armature and a curve in, a walk baked as keyframes out, with its report.

A development program: needs bpy (Blender as a Python module) and matplotlib. It uses the extension as it is in
the source tree: the scene's settings, its reading of armatures and curves, its worker process and its bake.

    python -m tools.commands.demo [--armature FILE[:OBJECT]] [--path s-curve|straight|circle|FILE:OBJECT] ...
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from blender_biped.base.errors import BipedError
from blender_biped.job import MAX_SPEED
from tools.demo.report import report_lines
from tools.demo.walk import SPEED, Options, bake_walk, usual_style, write_files
from tools.measure.grid import MIN_SPEED
from tools.scene.files import ARMATURE_FILES
from tools.scene.paths import SHAPES


def options(arguments: Sequence[str] | None = None) -> Options:
    """Return what the command line asks for. Ends the program with a message when it cannot be understood."""
    parser = argparse.ArgumentParser(
        prog="demo", description="Walk a character along a curve and bake the walk, without opening Blender."
    )
    parser.add_argument(
        "--armature", default="", metavar="FILE[:OBJECT]",
        help=f"who walks: {', '.join(ARMATURE_FILES)}; without it, the human metarig that Rigify makes",
    )  # fmt: skip
    parser.add_argument(
        "--path", default=SHAPES[0], metavar="PATH",
        help=f"where: {', '.join(SHAPES)}, or FILE:OBJECT, a curve in a .blend file (default: {SHAPES[0]})",
    )  # fmt: skip
    parser.add_argument("--controller", default="generalized", metavar="NAME", help="default: generalized")
    parser.add_argument("--preset", default="", metavar="NAME", help="style of the walk (default: the first one)")
    parser.add_argument(
        "--speed", default=None, type=float, metavar="M_PER_S", help=f"default: {SPEED}, or the gait's usual one"
    )
    parser.add_argument("--out", default=Path("out/demo"), type=Path, metavar="DIR", help="default: out/demo")
    given = parser.parse_args(arguments)
    given.preset, usual = usual_style(given.controller, given.preset)
    given.speed = usual if given.speed is None else given.speed
    if not MIN_SPEED <= given.speed <= MAX_SPEED:
        parser.error(f"--speed {given.speed:g}: give a speed from {MIN_SPEED:g} to {MAX_SPEED:g} m/s")
    return Options(**vars(given))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, 1 when the walk fell or did not arrive, 2 when it could not be made."""
    asked = options(arguments)
    import blender_biped

    blender_biped.register()
    try:
        result = bake_walk(asked, print)
        files = write_files(result, asked.out)
    except BipedError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"demo: cannot write into {asked.out}: {error.strerror or error}.", file=sys.stderr)
        return 2
    finally:
        blender_biped.unregister()
    print("\n".join(["", *report_lines(result), ""]))
    width = max(len(str(asked.out / name)) for name, _ in files)
    for name, what in files:
        print(f"  {asked.out / name!s:<{width}}  {what}")
    return 0 if result.motion.outcome == "arrived" and not result.figures["fell"] else 1


if __name__ == "__main__":
    sys.exit(main())
