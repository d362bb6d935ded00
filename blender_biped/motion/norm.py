"""Joint angles of adults walking at their own speed: what a natural walk is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from ..base.spatial import Array

JOINTS = ("hip", "knee", "ankle")
_FILE = Path(__file__).with_name("adult_gait.csv")  # its first lines tell the origin and the licence


@dataclass(frozen=True)
class Norm:
    """Flexion of one joint over the gait cycle: mean and spread (standard deviation), (101,) at 0..100 %, degrees."""

    mean: Array
    spread: Array


@cache
def adult_norm() -> dict[str, Norm]:
    """Return the norm of each joint of JOINTS. Hip and knee flexion and ankle dorsiflexion are positive."""
    rows = np.loadtxt(_FILE, delimiter=",", comments="#", skiprows=5)
    return {name: Norm(rows[:, 1 + 2 * i], rows[:, 2 + 2 * i]) for i, name in enumerate(JOINTS)}
