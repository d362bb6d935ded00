# SPDX-License-Identifier: GPL-3.0-or-later
"""The kept jobs walked by this tree and by a commit: which motions are the same, bit for bit, and which are not.

python -m tools.commands.kept --help
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path
from tempfile import TemporaryDirectory

from blender_biped.base.errors import BipedError
from tools.base import command_table
from tools.base.command_table import ROOT
from tools.kept.hashes import REFUSED, commit, differing, hashes, write_jobs
from tools.kept.jobs import JOBS


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, 1 where a motion differs, 2 where nothing could be compared."""
    given = command_table.given("kept", arguments)
    names = [name for name in JOBS if not given.only or any(fnmatch(name, one) for one in given.only)]
    if not names:
        print(f"kept: no such job; there are {', '.join(JOBS)}.", file=sys.stderr)
        return 2
    file: Path = given.out / "hashes.json"
    try:
        with TemporaryDirectory(prefix="biped-jobs-") as folder:
            jobs = Path(folder)
            write_jobs(names, jobs)
            now = hashes(names, jobs, ROOT, given.jobs)
            given.out.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(now, indent=1), encoding="utf-8")
            if given.compare:
                before = json.loads(given.compare.read_text(encoding="utf-8"))
            else:
                with commit(given.against) as tree:
                    before = hashes(names, jobs, tree, given.jobs)
    except (BipedError, OSError, ValueError) as error:
        print(f"kept: {error}", file=sys.stderr)
        return 2
    others = differing(before, now)
    refused = [name for name in names if now[name].startswith(REFUSED)]
    for name in names:
        same = "unknown before" if name not in before else "differs" if name in others else "the same"
        print(f"  {name:<26} {now[name] if name in refused else now[name][:12]}  {same}")
    print(f"{len(names) - len(others)} of {len(names)} motions are the same, bit for bit. Hashes: {file}")
    return 1 if others or refused else 0


if __name__ == "__main__":
    sys.exit(main())
