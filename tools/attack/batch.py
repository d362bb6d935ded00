# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs attacks of one kind, seed by seed, in a process that may hang, crash or run out of memory.

    python -m tools.attack.batch KIND FIRST COUNT

Writes a line of JSON for each begin and each end; see ``run``. What else is printed is looked at for tracebacks.
"""

from __future__ import annotations

from blender_biped.base.arithmetic import make_reproducible

if __name__ == "__main__":  # before numpy is loaded
    make_reproducible()

import json
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import IO

from tools.attack.kinds import attack_of
from tools.attack.verdict import TRACE, Outcome, judged
from tools.base.memory import peak_memory

MEMORY = 2**30
"""Bytes that a process may take."""
_LATER = 4 * 2**30  # bytes of addresses, beyond which the system refuses more: libraries reserve some


def main(arguments: Sequence[str]) -> int:
    """Attack by the seeds, and say what came of each."""
    kind, first, count = arguments[0], int(arguments[1]), int(arguments[2])
    report = os.fdopen(os.dup(1), "w", encoding="utf-8")
    warnings.simplefilter("ignore")
    _limit_memory()
    attack = attack_of(kind)
    with tempfile.TemporaryDirectory(prefix="attack-") as name, tempfile.TemporaryFile() as printed:
        tempfile.tempdir = name
        os.dup2(printed.fileno(), 1)
        os.dup2(printed.fileno(), 2)
        for seed in range(first, first + count):
            _say(report, {"begins": seed})
            folder = Path(tempfile.mkdtemp())
            outcome = _with_printed(judged(kind, attack, seed, folder), printed)
            shutil.rmtree(folder, ignore_errors=True)
            most = (peak_memory() or 0.0) * 2**20
            if most > MEMORY and outcome.verdict != "failed":
                outcome = replace(outcome, verdict="failed", what=f"{most / 2**20:.0f} MB of memory; {outcome.what}")
            _say(report, {"ends": asdict(outcome), "memory": int(most)})
            if most > MEMORY:
                break
    return 0


def _with_printed(outcome: Outcome, printed: IO[bytes]) -> Outcome:
    """Return what came of an attack, with a traceback that somebody printed meanwhile as a failure."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    end = os.lseek(printed.fileno(), 0, os.SEEK_CUR)
    text = os.pread(printed.fileno(), end, 0).decode("utf-8", "replace")
    os.ftruncate(printed.fileno(), 0)
    os.lseek(printed.fileno(), 0, os.SEEK_SET)
    if TRACE not in text or outcome.verdict == "failed":
        return outcome
    return replace(outcome, verdict="failed", what=f"printed: {text[text.index(TRACE) :][-350:]}")


def _say(report: IO[str], message: dict[str, object]) -> None:
    report.write(json.dumps(message) + "\n")
    report.flush()


def _limit_memory() -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_LATER, _LATER))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
