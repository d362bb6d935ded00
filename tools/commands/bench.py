# SPDX-License-Identifier: GPL-3.0-or-later
"""What a walk costs, and where the time goes: parts of simulate, length, characters, the worker, the bake.

A development program: needs bpy (Blender as a Python module) for the bake. Times are CPU seconds, user and system, of
the process that does the work, each thing in a process of its own. They depend on the machine and on what else it does,
so each part also gives ratios within its own run; ``--compare`` compares these and nothing else. Where the engine
changes, so does the limit that a walk's parts are compared with, physics alone: the whole and the limit are also given
in yardsticks, a fixed piece of numpy work.

    python -m tools.commands.bench [--only PART[,PART]] [--out DIR] [--compare OLD.json]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blender_biped.base.errors import BipedError
from tools.bench.comparison import VERSION, comparison, old_ratios
from tools.bench.parts import PARTS


@dataclass(frozen=True)
class Options:
    """What was asked for on the command line. only: names of parts. compare: an older result, None for none."""

    only: tuple[str, ...]
    out: Path
    compare: Path | None


def options(arguments: Sequence[str] | None = None) -> Options:
    """Return what the command line asks for. Ends the program with a message when it cannot be understood."""
    parser = argparse.ArgumentParser(prog="bench", description="Tell what a walk costs and where the time goes.")
    known = ", ".join(PARTS)
    parser.add_argument("--only", default=",".join(PARTS), metavar="PART[,PART]", help=f"of {known} (default: all)")
    parser.add_argument("--out", default=Path("out/bench"), type=Path, metavar="DIR", help="default: out/bench")
    parser.add_argument("--compare", type=Path, metavar="OLD.json", help="a bench.json to compare the ratios with")
    given = parser.parse_args(arguments)
    only = tuple(dict.fromkeys(given.only.split(",")))
    unknown = [part for part in only if part not in PARTS]
    if unknown:
        parser.error(f"--only: there is no part {', '.join(map(repr, unknown))}; choose of {known}")
    return Options(only, given.out, given.compare)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, 2 when something could not be measured, read or written."""
    asked = options(arguments)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # of the processes to come: as the worker sets it
    try:
        old = old_ratios(asked.compare) if asked.compare else None
        result: dict[str, Any] = {"version": VERSION, "python": sys.version.split()[0], "cores": os.cpu_count()}
        ratios: dict[str, float] = {}
        for part in asked.only:
            what, measure = PARTS[part]
            print(f"\n{part}: {what} ...", flush=True)
            section = measure()
            print("\n".join(f"  {line}" for line in section.lines), flush=True)
            result[part] = section.figures
            ratios |= section.ratios
        result["ratios"] = ratios
        asked.out.mkdir(parents=True, exist_ok=True)
        file = asked.out / "bench.json"
        file.write_text(json.dumps(result, indent=2, allow_nan=False) + "\n", encoding="utf-8")
    except BipedError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"bench: cannot write into {asked.out}: {error.strerror or error}.", file=sys.stderr)
        return 2
    if old is not None:
        print("\n".join(["", *comparison(old, ratios)]))
    print(f"\n{file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
