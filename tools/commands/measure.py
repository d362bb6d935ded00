# SPDX-License-Identifier: GPL-3.0-or-later
"""Every walk of a grid judged by the same figures: simulated in parallel, as a table, a report and a page.

    python -m tools.commands.measure --help

A development program: needs matplotlib; Blender as a module (bpy) for the user's own characters only.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from blender_biped.base.errors import BipedError
from tools.base import command_table
from tools.measure.run import MeasureOptions, measure


def measured_rigs(given: Any) -> int:
    """Measure the rigs of a folder in place of the grid; return 0, or 1 when one had an unhandled error.

    Raises BipedError, OSError.
    """
    from tools.base import controllers
    from tools.rigs import run

    who = tuple(controllers.in_space()) if given.controllers else (controllers.USUAL,)
    starts = 1 + given.seeds if given.seeds else run.STARTS
    chosen = run.RigOptions(given.rigs, given.maps, given.out, given.jobs, given.rendered, who, starts)
    cases = run.measure_rigs(chosen, print)
    print(f"  {given.out / 'rigs.json'}  all measures of all rigs")
    return 1 if any(f["error"] for f in cases) else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, 1 when a case crashed, 2 when it could not run."""
    given = command_table.given("measure", arguments)
    began = time.monotonic()
    try:
        if given.gaits:
            from tools.measure import gaits

            gaits.run(given.gaits, given.out, given.jobs)
            return 0
        if given.rigs:
            return measured_rigs(given)
        wanted = MeasureOptions(**{field.name: getattr(given, field.name) for field in fields(MeasureOptions)})
        results = measure(wanted, print)
    except BipedError as error:
        print(f"measure: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"measure: cannot write into {given.out}: {error.strerror or error}.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(
            f"\nmeasure: stopped; what was finished is kept in {given.out} and taken over next time.", file=sys.stderr
        )
        return 130
    print(f"  {given.out / 'report.json'}  all measures of all cases")
    print(f"  {given.out / 'page.html'}  tables and pictures; opens in any browser")
    print(f"Done in {time.monotonic() - began:.0f} s.")
    return 1 if any(f["error"] for f in results.figures) else 0


if __name__ == "__main__":
    sys.exit(main())
