"""Frames: those that Blender has, and which of them a scene shows when.

What a file says beyond the former is refused before anything is computed for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

import bpy
import numpy as np

from ...base.errors import DataError

MAX_FRAME = 1_048_574
"""Blender's last frame (MAXFRAME), and without its sign its first one: what is beyond cannot be shown."""

DENSEST = 240.0
"""Keys a second that a bake sets at most: a walk has 120 samples a second, so more keys say nothing more of it."""


def spacing(rate: float) -> int:
    """Return how many frames the densest keys are apart at so many frames a second: 1 at all rates that films have."""
    return max(1, math.ceil(rate / DENSEST - 1e-9))


def stretching(scene: bpy.types.Scene) -> float:
    """Return how many frames a scene needs to show one of its animation: its Time Stretching."""
    return float(scene.render.frame_map_new / scene.render.frame_map_old)


def show_frame(scene: bpy.types.Scene, frame: float) -> None:
    """Let a scene show a frame of its animation, which may be between two."""
    shown = frame * stretching(scene)
    whole = int(np.floor(shown))
    scene.frame_set(whole, subframe=shown - whole)


@contextmanager
def frame_kept(scene: bpy.types.Scene) -> Iterator[None]:
    """Set a scene back to the frame that it shows now, once others have been looked at."""
    current, subframe = scene.frame_current, scene.frame_subframe
    try:
        yield
    finally:
        if (scene.frame_current, scene.frame_subframe) != (current, subframe):
            scene.frame_set(current, subframe=subframe)


def check_frames(first: int, last: int) -> None:
    """Raise DataError when a walk is not within the frames that Blender has."""
    if not -MAX_FRAME <= first <= last <= MAX_FRAME:
        raise DataError(
            f"The walk would be at frames {first} to {last}; Blender has {-MAX_FRAME} to {MAX_FRAME}: choose another "
            "Start Frame, or a shorter walk."
        )
