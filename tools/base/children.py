# SPDX-License-Identifier: GPL-3.0-or-later
"""Work in fresh processes: with memory of their own, and nothing warm from before."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from tools.base.quiet import ERRORS, quiet


def in_child(work: Callable[..., Any], *arguments: Any) -> Any:
    """Return what ``work`` returns in a fresh process: with memory of its own, and nothing warm from before."""
    return in_children(work, [arguments])[0]


def in_children(work: Callable[..., Any], calls: Sequence[Sequence[Any]]) -> list[Any]:
    """Return what ``work`` returns for the arguments of each call, each in a fresh process, all at the same time."""
    with (
        quiet(ERRORS),  # PyBullet greets there; what goes wrong is raised here
        ProcessPoolExecutor(len(calls), multiprocessing.get_context("spawn"), max_tasks_per_child=1) as pool,
    ):
        return [future.result() for future in [pool.submit(work, *arguments) for arguments in calls]]
