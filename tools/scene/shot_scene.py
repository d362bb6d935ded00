# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene of a whole shot: a character, a path, a crate on the floor, and three steps behind it. Needs bpy alone.

What the walk does there is set by clicks in a window (``tests/gui/in_shot.py``), and by ``tools.trials.window_shot``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy

CHARACTER = "m2mvar_human-male.glb"
"""A mannequin with a skin, among the rigs that lie beside the project."""
BEGINS = "sad"
CHANGES = ((4.0, "happy"), (7.0, "jog"), (17.0, "default"))
"""m along the path, and the style from there on, at its usual speed."""
LENGTH = 28.5  # m of path, straight along -Y
CRATE, SIZE = 24.0, (0.3, 0.24, 0.36)  # m along the path; across, along and up, m
EDGES = (25.7, 26.1, 26.5)
"""m along the path of the edges of the steps."""
RISE, BEHIND = 0.12, 30.5  # m: of a step, and how far the last one goes
DOWN = 28.9  # m from the path's beginning: where the crate is set down


def add_character(file: Path) -> Any:
    """Add the character of a glTF file, and return its armature."""
    bpy.ops.import_scene.gltf(filepath=str(file))
    return next(thing for thing in bpy.context.scene.objects if thing.type == "ARMATURE")


def furnish(armature: Any) -> Any:
    """Give the character a path, floor and steps in a collection of their own, and a crate; return that collection."""
    scene = bpy.context.scene
    ground = bpy.data.collections.new("Stairs")
    scene.collection.children.link(ground)
    _box("Floor", (0.0, -0.5 * BEHIND, -0.5), (4.0, BEHIND + 3.0, 1.0), ground)
    for k, edge in enumerate(EDGES, 1):
        _box(f"Step {k}", (0.0, -0.5 * (edge + BEHIND), 0.5 * k * RISE), (1.6, BEHIND - edge, k * RISE), ground)
    _box("Crate", (0.0, -CRATE, 0.5 * SIZE[2]), SIZE, scene.collection)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.biped.add_path(shape="STRAIGHT", length=LENGTH)
    return ground


def place_down() -> tuple[float, float, float]:
    """Return where the crate is to be set down, m: on the last step."""
    return 0.0, -DOWN, len(EDGES) * RISE


def _box(name: str, middle: tuple[float, float, float], size: tuple[float, float, float], into: Any) -> None:
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=middle)
    made = bpy.context.active_object
    made.name, made.scale = name, size
    for other in list(made.users_collection):
        other.objects.unlink(made)
    into.objects.link(made)
