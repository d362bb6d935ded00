"""Lines and faces for the 3D views, as the GPU takes them."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ...base.spatial import Array

LEFT, RIGHT, MIDDLE = (0.95, 0.45, 0.20), (0.25, 0.55, 0.95), (0.85, 0.85, 0.85)  # as the footprints'
SIDE_COLORS = {"L": LEFT, "R": RIGHT, "": MIDDLE}

Batch = tuple[Any, tuple[float, ...], float]
"""A GPU batch, its colour, and the width of its lines in pixels, 0 for faces."""


def batch(points: Array, color: tuple[float, ...], width: float = 0.0) -> Batch:
    """Return lines of a width in pixels through the ends (N, 2, 3), or, without one, faces with corners (N, 3, 3)."""
    from gpu_extras.batch import batch_for_shader  # not in background mode, where there may be no GPU

    kind = "LINES" if width > 0.0 else "TRIS"
    made = batch_for_shader(_shader(width > 0.0), kind, {"pos": points.reshape(-1, 3).astype(np.float32)})
    return made, color, width


def draw(batches: list[Batch]) -> None:
    """Draw batches in the 3D view that is being drawn, through everything that hides them."""
    import gpu

    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("NONE")
    try:
        for made, color, width in batches:
            shader = _shader(width > 0.0)
            shader.bind()
            shader.uniform_float("color", color)
            if width > 0.0:
                shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
                shader.uniform_float("lineWidth", width * bpy.context.preferences.system.ui_scale)
            made.draw(shader)
    finally:
        gpu.state.blend_set("NONE")


def _shader(line: bool) -> Any:
    import gpu

    return gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR" if line else "UNIFORM_COLOR")
