# SPDX-License-Identifier: GPL-3.0-or-later
"""How many threads linear algebra takes: one, as in the worker.

Others walk beside it, and other numbers of threads give other last digits. Standard library only, since it has to be
said before numpy is imported.
"""

from __future__ import annotations

import os

ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""For the environment of a process that is to be started."""


def one_thread() -> None:
    """Let this process, if numpy is not there yet, and those that it starts use one thread."""
    os.environ.update(ONE_THREAD)
