# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of the processor a process has had."""

from __future__ import annotations

import math
import os
from pathlib import Path


def cpu_seconds(process: int) -> float:
    """Return the processor's time that a process has used, s; infinity where that is not known."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError):
        return math.inf
