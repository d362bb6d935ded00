# SPDX-License-Identifier: GPL-3.0-or-later
"""The main job from one command: an armature and a curve in, a walk baked as keyframes out, with its report.

A development program: needs bpy (Blender as a Python module) and matplotlib. It uses the extension as it is in
the source tree: the scene's settings, its reading of armatures and curves, its worker process and its bake.

    python -m tools.commands.demo --help
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from blender_biped.base.errors import BipedError
from blender_biped.job import MAX_SPEED
from tools.base import command_table
from tools.base.controllers import USUAL
from tools.demo.report import arrivals, report_lines
from tools.demo.walk import DemoOptions, bake_walk, usual_style, write_files
from tools.measure.grid import MIN_SPEED

SHARE = 0.8  # of the starts that must arrive


def options(arguments: Sequence[str] | None = None) -> DemoOptions:
    """Return what the command line says. Ends the program with a message when it cannot be understood."""
    reader = command_table.parser("demo")
    given = reader.parse_args(arguments)
    given.controller = given.controller or USUAL
    given.preset, usual = usual_style(given.controller, given.preset)
    given.speed = usual if given.speed is None else given.speed
    if not MIN_SPEED <= given.speed <= MAX_SPEED:
        reader.error(f"--speed {given.speed:g}: give a speed from {MIN_SPEED:g} to {MAX_SPEED:g} m/s")
    return DemoOptions(**vars(given))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, 1 when too many starts fell or did not arrive, 2 when it could not be made."""
    chosen = options(arguments)
    import blender_biped

    blender_biped.register()
    try:
        result = bake_walk(chosen, print)
        files = write_files(result, chosen.out)
    except BipedError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"demo: cannot write into {chosen.out}: {error.strerror or error}.", file=sys.stderr)
        return 2
    finally:
        blender_biped.unregister()
    print("\n".join(["", *report_lines(result), ""]))
    width = max(len(str(chosen.out / name)) for name, _ in files)
    for name, what in files:
        print(f"  {chosen.out / name!s:<{width}}  {what}")
    return 0 if arrivals(result) >= SHARE * (len(result.others) + 1) else 1


if __name__ == "__main__":
    sys.exit(main())
