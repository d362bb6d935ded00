# SPDX-License-Identifier: GPL-3.0-or-later
"""``python3 build.py author``: searches better numbers for a gait, by what its preset says is free and wanted.

    python -m tools.commands.author --help

Given a controller alone, it tries all pairs of its gaits instead (``transitions``); with ``--settle`` it writes into a
gait what leading it learns (``settle``). What was found is written into the preset, with what it cost.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path as FilePath

from blender_biped.base.errors import BipedError
from blender_biped.base.fields import load_json
from blender_biped.control.registry import kinds
from blender_biped.preset.preset import preset_root
from tools.authoring import settle, transitions
from tools.authoring.search import searched
from tools.base import command_table


def main(arguments: Sequence[str]) -> int:
    """Run the command line; return 0, or 2 when it cannot run."""
    given = command_table.given("author", arguments)
    if given.gait in (kind.name for kind in kinds()):
        changes = transitions.all_pairs(given.gait, given.jobs)
        print(transitions.table(changes))
        print(transitions.write(given.gait, changes))
        return 0
    file = FilePath(given.gait)
    if file.suffix != ".json":
        file = preset_root() / f"{given.gait}.json"
    try:
        data = load_json(file)
        if given.settle:
            found = settle.settled(data)
        else:
            found = searched(data, given.tries, given.seed, given.spread, given.population, given.jobs)
    except BipedError as error:
        print(error, file=sys.stderr)
        return 2
    out = given.out or file
    out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"{out}: {'settled' if given.settle else found['authoring']['found']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
