# SPDX-License-Identifier: GPL-3.0-or-later
"""``python3 build.py author``: searches better numbers for a gait, by what its preset says is free and wanted.

    python -m tools.commands.author CONTROLLER/GAIT [--tries N] ...

Given a controller alone, it tries all pairs of its gaits instead (``transitions``); with ``--settle`` it writes into a
gait what leading it learns (``settle``). What was found is written into the preset, with what it cost.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path as FilePath

from blender_biped.base.errors import BipedError
from blender_biped.base.fields import load_json
from blender_biped.preset.preset import controllers, preset_root
from tools.authoring import settle, transitions
from tools.authoring.search import searched


def main(arguments: Sequence[str]) -> int:
    """Run the command line; return 0, or 2 when it cannot run."""
    reader = argparse.ArgumentParser(prog="build.py author", description=__doc__.partition("\n")[0])
    reader.add_argument("gait", help="CONTROLLER/NAME of a preset, or a file of one; CONTROLLER to try all changes")
    reader.add_argument("--tries", type=int, default=400, help="walks to try (400)")
    reader.add_argument("--seed", type=int, default=1, help="of the search (1)")
    reader.add_argument("--spread", type=float, default=1.0, help="of the first tries, in the preset's scales (1)")
    reader.add_argument("--population", type=int, default=12, help="tries at a time (12)")
    reader.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (all cores)")
    reader.add_argument("--settle", action="store_true", help="search nothing: write what leading learns into the gait")
    reader.add_argument("--out", type=FilePath, help="file to write; else the preset's own")
    asked = reader.parse_args(arguments)
    if asked.gait in controllers():
        changes = transitions.all_pairs(asked.gait, asked.jobs)
        print(transitions.told(changes))
        print(transitions.write(asked.gait, changes))
        return 0
    file = FilePath(asked.gait)
    if file.suffix != ".json":
        file = preset_root() / f"{asked.gait}.json"
    try:
        data = load_json(file)
        if asked.settle:
            found = settle.settled(data)
        else:
            found = searched(data, asked.tries, asked.seed, asked.spread, asked.population, asked.jobs)
    except BipedError as error:
        print(error, file=sys.stderr)
        return 2
    out = asked.out or file
    out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"{out}: {'settled' if asked.settle else found['authoring']['found']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
