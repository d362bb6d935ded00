# SPDX-License-Identifier: GPL-3.0-or-later
"""How much memory this process has taken."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

_MEGABYTE = 1024.0 * 1024.0


def peak_memory() -> float | None:
    """Return the most memory that this process has had, MB; None where the system does not say."""
    with contextlib.suppress(OSError, StopIteration):  # Linux: getrusage there gives the parent's, when that had more
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) / 1024.0
    with contextlib.suppress(ImportError):
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most / _MEGABYTE if sys.platform == "darwin" else most / 1024.0
    return None
