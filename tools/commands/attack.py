# SPDX-License-Identifier: GPL-3.0-or-later
"""Attacks the extension with wrong, odd and hostile input, and with mischief while it computes: seeded, counted.

    python -m tools.commands.attack --help

Each attack must end with what was desired, or be refused by a message that people can read; no traceback, no hang,
nothing lost. What failed is in the report with its seed: ``--only KIND --seed SEED --count 1`` does it again.
A development program: needs Blender as a module (bpy) for its scenes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from blender_biped.base.errors import BipedError
from tools.attack import run
from tools.base import command_table
from tools.base.processes import write_json


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, 1 when an attack failed, 2 when it could not run."""
    given = command_table.given("attack", arguments)
    if not sys.platform.startswith("linux"):
        print("attack: needs Linux, for its limits and signals of processes.", file=sys.stderr)
        return 2
    try:
        given.out.mkdir(parents=True, exist_ok=True)
        wanted = run.batches(given.only, given.count, given.seed)
        file = given.out / "report.json"
        found = run.attack(
            wanted, given.jobs, lambda line: print(line, flush=True), lambda so_far: write_json(file, so_far)
        )
    except BipedError as error:
        print(f"attack: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"attack: cannot write into {given.out}: {error.strerror or error}.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\nattack: stopped; {given.out} has the report so far.", file=sys.stderr)
        return 130
    print("\n".join(["", *run.lines(found), str(file)]))
    return 1 if found["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
