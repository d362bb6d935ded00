"""PyBullet's functions for one physics world, and its quaternions."""

from __future__ import annotations

from functools import partial
from typing import Any

import pybullet

from ..base.spatial import Array


class Bound:
    """PyBullet's functions for one physics world."""

    def __init__(self, client: int) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        bound = partial(getattr(pybullet, name), physicsClientId=self._client)
        setattr(self, name, bound)
        return bound


def xyzw(q: Array) -> tuple[float, float, float, float]:
    """Return a quaternion (4,), w, x, y, z, in PyBullet's order."""
    w, x, y, z = (float(v) for v in q)
    return (x, y, z, w)
