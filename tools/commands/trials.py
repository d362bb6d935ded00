# SPDX-License-Identifier: GPL-3.0-or-later
"""``python3 build.py trials``: what a controller is to show beyond the measuring grid, part by part, as tables.

    python -m tools.commands.trials --help

The parts are those of ``tools.trials``. A development program: needs matplotlib for film
strips. Each part that is run writes PART.figures.json.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from blender_biped.base.errors import BipedError
from tools.base import command_table
from tools.trials import (
    authoring,
    batches,
    builds,
    captured_runs,
    chance,
    changes,
    companions,
    feed_forward,
    footprints,
    hours,
    leads,
    limit_cycle,
    loads,
    mixes,
    natural,
    obstacles,
    paper,
    person,
    poses,
    runs,
    scene_files,
    scenes,
    shots,
    shoulder,
    simbicon,
    slopes,
    stairs,
    stepping,
    unseen,
    window_shot,
)

_MODULES = (
    simbicon,
    feed_forward,
    limit_cycle,
    loads,
    builds,
    chance,
    changes,
    scenes,
    obstacles,
    stepping,
    stairs,
    slopes,
    footprints,
    unseen,
    shoulder,
    scene_files,
    paper,
    authoring,
    poses,
    hours,
    leads,
    companions,
    mixes,
    natural,
    person,
    runs,
    captured_runs,
    shots,
    window_shot,
    batches,
)
SOURCES: dict[str, Any] = {part: source for source in _MODULES for part in source.PARTS}
"""By part, the module that has it: its ``PARTS`` make trials, ``run`` measures one, ``report_lines`` is for people.
Where it has a ``picture``, that draws what was found; a ``finish`` writes what else there is of it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    given = command_table.given("trials", arguments)
    try:
        given.out.mkdir(parents=True, exist_ok=True)
        with ProcessPoolExecutor(given.jobs) as pool:
            for part in given.only:
                source, found = SOURCES[part], []
                trials = source.PARTS[part]()
                for one in pool.map(source.run, trials, [given.out] * len(trials)):
                    found.append(one)
                    (given.out / f"{part}.figures.json").write_text(json.dumps(found, indent=1), encoding="utf-8")
                print("\n".join([f"{part}:", *source.report_lines(part, found)]), flush=True)
                if hasattr(source, "finish"):
                    source.finish(found, given.out)
                if hasattr(source, "picture"):
                    print(f"  {source.picture(part, found, given.out)}", flush=True)
    except (BipedError, OSError) as error:
        print(f"trials: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
