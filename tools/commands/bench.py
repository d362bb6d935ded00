# SPDX-License-Identifier: GPL-3.0-or-later
"""What a walk costs, and where the time goes: parts of simulate, length, characters, the worker, the bake.

A development program: needs bpy (Blender as a Python module) for the bake. Times are CPU seconds, user and system, of
the process that does the work, each thing in a process of its own. They depend on the machine and on what else it does,
so each part also gives ratios within its own run; ``--compare`` compares these and nothing else. Where the engine
changes, so does the limit that a walk's parts are compared with, physics alone: the whole and the limit are also given
in yardsticks, a fixed piece of numpy work.

    python -m tools.commands.bench --help
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from blender_biped.base.errors import BipedError
from tools.base import command_table
from tools.bench.comparison import VERSION, comparison, old_ratios
from tools.bench.parts import PARTS


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, 2 when something could not be measured, read or written."""
    given = command_table.given("bench", arguments)
    try:
        old = old_ratios(given.compare) if given.compare else None
        result: dict[str, Any] = {"version": VERSION, "python": sys.version.split()[0], "cores": os.cpu_count()}
        ratios: dict[str, float] = {}
        for part in given.only:
            what, measure = PARTS[part]
            print(f"\n{part}: {what} ...", flush=True)
            section = measure()
            print("\n".join(f"  {line}" for line in section.lines), flush=True)
            result[part] = section.figures
            ratios |= section.ratios
        result["ratios"] = ratios
        given.out.mkdir(parents=True, exist_ok=True)
        file = given.out / "bench.json"
        file.write_text(json.dumps(result, indent=2, allow_nan=False) + "\n", encoding="utf-8")
    except BipedError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"bench: cannot write into {given.out}: {error.strerror or error}.", file=sys.stderr)
        return 2
    if old is not None:
        print("\n".join(["", *comparison(old, ratios)]))
    print(f"\n{file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
