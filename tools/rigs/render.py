# SPDX-License-Identifier: GPL-3.0-or-later
"""The skins of one baked rig, rendered from the side or ahead, in a process of its own: Blender ends it without EGL.

    python -m tools.rigs.render TASK.json PICTURE.png

The task: ``{"scene", "armature", "times", "start", "view"}``: the baked .blend, the armature's name, s from
frame ``start``, and "side" or "ahead" of a walk along x. A development program: needs bpy and matplotlib.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector
from matplotlib import image

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import Array
from blender_biped.ui.base.reading import frame_rate
from tools.base.processes import drawing_child
from tools.base.quiet import ERRORS, OUTPUT, quiet
from tools.rigs.sheet import HEIGHT, TITLE, WIDTH

_SHARE = 1.15  # of the skin's size that a picture is wide or high


def draw(task: dict[str, Any], file: Path) -> None:
    """Draw a task's picture: the moments beside each other. Raises DataError when there is no skin, OSError."""
    bpy.ops.wm.open_mainfile(filepath=task["scene"], load_ui=False, use_scripts=False)
    scene = bpy.context.scene
    armature = bpy.data.objects[task["armature"]]
    skins = _only_skins(armature)
    if not skins:
        raise DataError(f"{task['armature']} has no skin.")
    width, height = WIDTH // len(task["times"]), HEIGHT - TITLE
    _set_up(scene, width, height)
    across = 1 if task["view"] == "ahead" else 0
    shots, size, level = [], 0.0, 0.0
    with tempfile.TemporaryDirectory() as folder, quiet(OUTPUT), quiet(ERRORS):
        for k, seconds in enumerate(task["times"]):
            frame, part = divmod(task["start"] + seconds * frame_rate(scene), 1.0)
            scene.frame_set(int(frame), subframe=part)
            low, high = _bounds(skins)
            if not k:  # the same scale and height for all
                level = 0.5 * float(low[2] + high[2])
                size = _SHARE * max(float(high[across] - low[across]), float(high[2] - low[2]) * width / height)
            middle = Vector((*(0.5 * (low + high))[:2], level))
            scene.camera.matrix_world = _eye(middle, 10.0 * size, task["view"])
            scene.camera.data.ortho_scale = size * max(1.0, height / width)
            scene.camera.data.clip_end = 100.0 * size
            scene.render.filepath = str(Path(folder) / f"{k}.png")
            bpy.ops.render.render(write_still=True)
            shots.append(image.imread(scene.render.filepath)[..., :3])
    row = np.ones((HEIGHT, WIDTH, 3))
    whole = np.concatenate(shots, axis=1)
    row[TITLE:, : whole.shape[1]] = whole
    image.imsave(file, row, format="png")


def _eye(middle: Vector, away: float, view: str) -> Matrix:
    """Return where a camera is that looks at a place, Blender units, from the right or from ahead of a walk along x."""
    turn = Matrix.Rotation(0.5 * np.pi if view == "ahead" else 0.0, 4, "Z") @ Matrix.Rotation(0.5 * np.pi, 4, "X")
    return Matrix.Translation(middle) @ turn @ Matrix.Translation((0.0, 0.0, away))


def _only_skins(armature: Any) -> list[Any]:
    """Return the meshes that the armature moves; nothing else is rendered."""
    found = []
    for thing in bpy.context.scene.objects:
        moved = any(m.type == "ARMATURE" and m.object == armature for m in thing.modifiers) or (
            thing.parent == armature and thing.parent_type == "BONE"
        )
        shown = thing.type == "MESH" and moved and not thing.hide_render
        thing.hide_render = not shown
        if shown:
            thing.hide_viewport = False
            thing.hide_set(False)
            found.append(thing)
    return found


def _bounds(skins: list[Any]) -> tuple[Array, Array]:
    """Return the low and high corner (3,), world, Blender units, of the skins as they are posed."""
    graph = bpy.context.evaluated_depsgraph_get()
    corners = []
    for skin in skins:
        posed = skin.evaluated_get(graph)
        corners += [np.array(posed.matrix_world @ Vector(corner)) for corner in posed.bound_box]
    return np.min(corners, axis=0), np.max(corners, axis=0)


def _set_up(scene: Any, width: int, height: int) -> None:
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = width, height, 100
    scene.render.use_compositing = scene.render.use_sequencer = scene.render.use_border = False
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.film_transparent = False
    scene.display.render_aa = "8"
    scene.display.shading.light, scene.display.shading.color_type = "STUDIO", "TEXTURE"
    scene.display.shading.show_object_outline = True
    scene.view_settings.view_transform = "Standard"
    scene.world = bpy.data.worlds.new("Paper")
    scene.world.color = (0.8, 0.8, 0.78)
    camera = bpy.data.cameras.new("Eye")
    camera.type = "ORTHO"
    scene.camera = bpy.data.objects.new("Eye", camera)
    scene.collection.objects.link(scene.camera)


if __name__ == "__main__":
    sys.exit(drawing_child([Path(a) for a in sys.argv[1:]], draw))
