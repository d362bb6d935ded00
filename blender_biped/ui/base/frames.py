"""Frames that Blender has: what a file says beyond them is refused before anything is computed for it."""

from __future__ import annotations

import math

from ...base.errors import DataError

MAX_FRAME = 1_048_574
"""Blender's last frame (MAXFRAME), and without its sign its first one: what is beyond cannot be shown."""

DENSEST = 240.0
"""Keys a second that a bake sets at most: a walk has 120 samples a second, so more keys say nothing more of it."""


def spacing(rate: float) -> int:
    """Return how many frames the densest keys are apart at so many frames a second: 1 at all rates that films have."""
    return max(1, math.ceil(rate / DENSEST - 1e-9))


def check_frames(first: int, last: int) -> None:
    """Raise DataError when a walk is not within the frames that Blender has."""
    if not -MAX_FRAME <= first <= last <= MAX_FRAME:
        raise DataError(
            f"The walk would be at frames {first} to {last}; Blender has {-MAX_FRAME} to {MAX_FRAME}: choose another "
            "Start Frame, or a shorter walk."
        )
