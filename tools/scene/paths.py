# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves to walk along: of a usual shape, or from a .blend file. Needs bpy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from blender_biped.base.errors import BipedError
from tools.base.paths import RADIUS, STRAIGHT
from tools.base.quiet import quiet
from tools.scene.files import split_object

SHAPES = ("s-curve", "straight", "circle")
_S_CURVE = ((0.0, 0.0), (2.8, 1.25), (8.2, -1.25), (11.0, 0.0))  # m; 12 m along the curve, two bends


def chosen_path(text: str) -> Any:
    """Return the curve object to walk along, in the current scene. Raises BipedError when there is no such curve."""
    import bpy

    if text in SHAPES:
        curve = bpy.data.objects.new("Path", _curve(text))
        bpy.context.scene.collection.objects.link(curve)
        return curve
    if ":" not in text and not Path(text).exists():
        raise BipedError(f"There is no path {text!r}; choose {', '.join(SHAPES)}, or give FILE:OBJECT.")
    file, name = split_object(text)
    if not name:
        raise BipedError(f"Say which curve of {file.name} to walk along: {text}:OBJECT.")
    if bpy.data.filepath and Path(bpy.data.filepath).resolve() == file.resolve():
        found = bpy.data.objects.get(name)
    else:
        found = _appended(file, name)
    if found is None:
        raise BipedError(f"{file.name} has no object {name!r}.")
    if found.type != "CURVE":
        raise BipedError(f"{name!r} in {file.name} is not a curve, but of the kind {found.type.lower()}.")
    return found


def _appended(file: Path, name: str) -> Any:
    import bpy

    if file.suffix.lower() != ".blend":
        raise BipedError(f"{file.name}: a path comes from a .blend file.")
    try:
        with quiet(), bpy.data.libraries.load(str(file.resolve())) as (there, here):
            here.objects = [n for n in there.objects if n == name]
    except OSError as error:
        raise BipedError(f"Blender cannot read {file.name}: {error}") from error
    for found in here.objects:
        bpy.context.scene.collection.objects.link(found)
        bpy.context.view_layer.update()
        return found
    return None


def _curve(shape: str) -> Any:
    """Return curve data of one of SHAPES, on the ground, m."""
    import bpy

    data = bpy.data.curves.new(shape, "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    if shape == "circle":
        places = [(RADIUS, 0.0), (2.0 * RADIUS, RADIUS), (RADIUS, 2.0 * RADIUS), (0.0, RADIUS)]
        spline.use_cyclic_u = True
    else:
        places = list(_S_CURVE) if shape == "s-curve" else [(0.0, 0.0), (STRAIGHT, 0.0)]
    spline.bezier_points.add(len(places) - 1)
    spline.resolution_u = 24
    for point, (x, y) in zip(spline.bezier_points, places, strict=True):
        point.co = (x, y, 0.0)
        point.handle_left_type = point.handle_right_type = "AUTO"
    return data
