# SPDX-License-Identifier: GPL-3.0-or-later
"""A fixed piece of work: what a computation costs, in times of it, can be compared between machines."""

from __future__ import annotations

import time

import numpy as np

_ROUNDS = 20_000


def yardstick(count: int = 1) -> float:
    """Return the CPU seconds of a fixed piece of work: small products in numpy, as control has them.

    count: pieces of which the mean is returned; some systems count CPU time in steps of a sixtieth of a second.
    """
    turns, arms = np.eye(3) + np.zeros((18, 3, 3)), np.ones((18, 3, 1))
    began = time.process_time()
    for _ in range(count * _ROUNDS):
        arms = 0.5 * (turns @ arms)[:, :, 0].copy()[:, :, None] + 0.5
    return (time.process_time() - began) / count
