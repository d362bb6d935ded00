"""What can be done without Blender: ``python -m blender_biped --help``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

_INTERRUPTED = 130
_USAGE = """\
usage: biped COMMAND ...   (or: python -m blender_biped COMMAND ...)

Biped Locomotion without Blender: jobs that Blender has exported, or a program has written, are walked
by physics, and Blender bakes the motions.

  batch FOLDER   walk all jobs of a folder, on this computer or on many; 'batch --help' says how

One job alone: python -m blender_biped.simulate JOB.json MOTION.npz"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what a command line says, by default this program's; return the exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given[:1] == ["batch"]:
        try:
            from .batch import command  # it takes a second, in which Ctrl C may come

            return command.main(given[1:], program="biped batch")
        except KeyboardInterrupt:
            print("Ended.", file=sys.stderr)
            return _INTERRUPTED
    asked = given[:1] in (["--help"], ["-h"])
    print(_USAGE, file=sys.stdout if asked else sys.stderr)
    if given and not asked:
        print(f"\nThere is no command {given[0]!r}.", file=sys.stderr)
    return 0 if asked else 2


if __name__ == "__main__":
    sys.exit(main())
