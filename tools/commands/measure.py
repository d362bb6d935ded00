# SPDX-License-Identifier: GPL-3.0-or-later
"""Every walk of a grid judged by the same figures: simulated in parallel, as a table, a report and a page.

    python -m tools.commands.measure [--quick] [--only KEY=VALUE[,VALUE...]]... [--out DIR] ...

A development program: needs matplotlib; Blender as a module (bpy) for the user's own characters only.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from blender_biped.base.errors import BipedError
from tools.measure.run import Options, measure


def options(arguments: Sequence[str] | None = None) -> Options:
    """Return what the command line asks for. Ends the program with a message when it cannot be understood."""
    parser = argparse.ArgumentParser(prog="measure", description="Measure walks on a grid of cases.")
    parser.add_argument(
        "--only", action="append", default=[], metavar="KEY=VALUE[,VALUE...]",
        help="pick cases by controller, preset, speed, path or character (repeatable)",
    )  # fmt: skip
    parser.add_argument("--out", default=Path("out/measure"), type=Path, metavar="DIR", help="default: out/measure")
    parser.add_argument("--quick", action="store_true", help="a subset of about three minutes")
    parser.add_argument("--push", action="store_true", help="also find the largest push that is survived")
    parser.add_argument("--seeds", default=0, type=_count(0), metavar="N", help="also N perturbed starts of each case")
    parser.add_argument("--compare", default=None, type=Path, metavar="OLD.json", help="an earlier report.json")
    parser.add_argument(
        "--armature", action="append", default=[], metavar="FILE[:OBJECT]",
        help="measure this character instead of the grid's own (repeatable)",
    )  # fmt: skip
    parser.add_argument(
        "--jobs",
        default=os.cpu_count() or 1,
        type=_count(1),
        metavar="N",
        help="processes at once (default: all cores)",
    )
    parser.add_argument("--rigs", default=None, type=Path, metavar="DIR", help="map, walk and bake every rig in it")
    parser.add_argument("--maps", default=None, type=Path, metavar="DIR", help="mapping files of rigs, FILE-STEM.json")
    parser.add_argument("--rendered", action="store_true", help="also render the rigs' skins; needs an EGL driver")
    parser.add_argument("--gaits", default=None, metavar="CONTROLLER", help="each gait for a minute, on all bodies")
    given = vars(parser.parse_args(arguments))
    return Options(**{**given, "only": tuple(given["only"]), "armature": tuple(given["armature"])})


def _count(least: int) -> Callable[[str], int]:
    def count(text: str) -> int:
        value = int(text)
        if not least <= value <= 10_000:
            raise argparse.ArgumentTypeError(f"{text}: give a number from {least} to 10000")
        return value

    return count


def measured_rigs(asked: Options, folder: Path) -> int:
    """Measure the rigs of a folder in place of the grid; return 0, or 1 when one had an unhandled error.

    Raises BipedError, OSError.
    """
    from tools.rigs import run

    cases = run.measure_rigs(folder, asked.maps, asked.out, asked.jobs, asked.rendered, print)
    print(f"  {asked.out / 'rigs.json'}  all measures of all rigs")
    return 1 if any(f["error"] for f in cases) else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, 1 when a case crashed, 2 when it could not run."""
    asked = options(arguments)
    began = time.monotonic()
    try:
        if asked.gaits:
            from tools.measure import gaits

            gaits.run(asked.gaits, asked.out, asked.jobs)
            return 0
        if asked.rigs:
            return measured_rigs(asked, asked.rigs)
        results = measure(asked, print)
    except BipedError as error:
        print(f"measure: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"measure: cannot write into {asked.out}: {error.strerror or error}.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(
            f"\nmeasure: stopped; what was finished is kept in {asked.out} and taken over next time.", file=sys.stderr
        )
        return 130
    print(f"  {asked.out / 'report.json'}  all measures of all cases")
    print(f"  {asked.out / 'page.html'}  tables and pictures; opens in any browser")
    print(f"Done in {time.monotonic() - began:.0f} s.")
    return 1 if any(f["error"] for f in results.figures) else 0


if __name__ == "__main__":
    sys.exit(main())
