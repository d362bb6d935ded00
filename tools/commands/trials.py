# SPDX-License-Identifier: GPL-3.0-or-later
"""``python3 build.py trials``: what a controller is to show beyond the measuring grid, part by part, as tables.

    python -m tools.commands.trials [--only PART[,PART]] [--jobs N] [--out DIR]

The parts are those of ``tools.trials``. A development program: needs matplotlib for film
strips. Each part that is run writes PART.figures.json.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from blender_biped.base.errors import BipedError
from tools.trials import limit_cycle, simbicon

SOURCES: dict[str, Any] = {part: source for source in (simbicon, limit_cycle) for part in source.PARTS}
"""By part, the module whose ``PARTS`` make its trials, whose ``run`` measures one and whose ``told`` makes it lines."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="trials", description="What controllers show beyond the measuring grid.")
    parser.add_argument("--only", default=",".join(SOURCES), metavar="PART[,PART]", help="default: all of them")
    parser.add_argument("--jobs", default=os.cpu_count() or 1, type=int, metavar="N")
    parser.add_argument("--out", default=Path("out/trials"), type=Path, metavar="DIR")
    given = parser.parse_args(arguments)
    asked = given.only.split(",")
    unknown = [part for part in asked if part not in SOURCES]
    if unknown:
        print(f"trials: there is no part {unknown[0]!r}; there are {', '.join(SOURCES)}.", file=sys.stderr)
        return 2
    try:
        given.out.mkdir(parents=True, exist_ok=True)
        with ProcessPoolExecutor(max(given.jobs, 1)) as pool:
            for part in asked:
                source, found = SOURCES[part], []
                trials = source.PARTS[part]()
                for one in pool.map(source.run, trials, [given.out] * len(trials)):
                    found.append(one)
                    (given.out / f"{part}.figures.json").write_text(json.dumps(found, indent=1), encoding="utf-8")
                print("\n".join([f"{part}:", *source.told(part, found)]), flush=True)
    except (BipedError, OSError) as error:
        print(f"trials: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
