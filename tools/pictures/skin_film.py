# SPDX-License-Identifier: GPL-3.0-or-later
"""A baked walk as a small film of its skin in its scene, as Blender's workbench draws it. Needs bpy and Pillow.

    python -m tools.pictures.skin_film shot.blend shot.webp --from ahead

The file has one character with an action. The eye goes along with it.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Vector
from PIL import Image

from blender_biped.base.errors import BipedError, DataError
from blender_biped.base.spatial import Array
from tools.base.quiet import ERRORS, OUTPUT, quiet
from tools.pictures.filming import followed, write_webp

RATE = 10.0
"""Pictures a second."""
EYES = {"beside": 90.0, "ahead": 0.0, "aslant": 40.0}
"""Where the eye is, degrees to the left of where the walk leads."""
_SIZE = (384, 256)  # pixels
_AWAY, _ABOVE = 3.1, 0.25  # of the character's height: how far the eye is, and how much higher than the middle
_WIDE = math.radians(36.0)  # of the eye's view
_SOFT = 1.0  # s over which it follows
_QUALITY = 40


def pictures(eye: str) -> Iterator[Image.Image]:
    """Give the pictures of the file that is open. eye: of EYES. Raises DataError where nobody walks in it."""
    scene = bpy.context.scene
    walkers = [thing for thing in scene.objects if thing.type == "ARMATURE" and thing.animation_data]
    skins = [thing for thing in scene.objects if thing.type == "MESH" and thing.find_armature() in walkers]
    if not skins:
        raise DataError("Nobody with a skin walks in the file: bake a walk in it first.")
    first, last = (float(frame) for frame in walkers[0].animation_data.action.frame_range)
    frames = np.arange(first, last, scene.render.fps / scene.render.fps_base / RATE)
    middles, tall = _followed(scene, skins, frames)
    _set_up(scene)
    way = middles[-1] - middles[0]
    turn = math.atan2(way[1], way[0]) + math.radians(EYES[eye])
    off = tall * np.array([_AWAY * math.cos(turn), _AWAY * math.sin(turn), _ABOVE])
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = str(Path(folder) / "picture.png")
        for frame, middle in zip(frames.tolist(), middles, strict=True):
            scene.frame_set(int(frame), subframe=frame % 1.0)
            scene.camera.location = Vector(middle + off)
            scene.camera.rotation_euler = Vector(-off).to_track_quat("-Z", "Y").to_euler()
            with quiet(OUTPUT), quiet(ERRORS):
                bpy.ops.render.render(write_still=True)
            with Image.open(scene.render.filepath) as picture:
                yield picture.convert("RGB")


def film(file: Path, eye: str = "aslant") -> None:
    """Write the file that is open as an animated WebP that goes on for ever. Raises DataError, OSError."""
    write_webp(file, pictures(eye), RATE, _QUALITY)


def _followed(scene: Any, skins: Sequence[Any], frames: Array) -> tuple[Array, float]:
    """Return the middle of the skins (T, 3) at each frame, smoothed, and their height, in Blender units."""
    places, tall = [], 0.0
    for frame in frames.tolist():
        scene.frame_set(int(frame))
        graph = bpy.context.evaluated_depsgraph_get()
        posed = [skin.evaluated_get(graph) for skin in skins]
        corners = np.array([own.matrix_world @ Vector(corner) for own in posed for corner in own.bound_box])
        low, high = corners.min(axis=0), corners.max(axis=0)
        tall = tall or float(high[2] - low[2])
        places.append([*(0.5 * (low + high))[:2], low[2] + 0.5 * tall])
    return followed(np.array(places), RATE, _SOFT), tall


def _set_up(scene: Any) -> None:
    scene.render.engine = "BLENDER_WORKBENCH"
    (scene.render.resolution_x, scene.render.resolution_y), scene.render.resolution_percentage = _SIZE, 100
    scene.render.use_compositing = scene.render.use_sequencer = scene.render.use_border = False
    scene.render.image_settings.file_format, scene.render.film_transparent = "PNG", False
    scene.display.render_aa = "5"
    shading = scene.display.shading
    shading.light, shading.color_type, shading.show_shadows, shading.show_cavity = "STUDIO", "TEXTURE", True, True
    scene.view_settings.view_transform = "Standard"
    scene.world = bpy.data.worlds.new("Paper")
    scene.world.color = (0.9, 0.89, 0.86)
    camera = bpy.data.cameras.new("Eye")
    camera.angle = _WIDE
    scene.camera = bpy.data.objects.new("Eye", camera)
    scene.collection.objects.link(scene.camera)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.pictures.skin_film", description="Make a film of a skin.")
    parser.add_argument("scene", type=Path, help="a file with a baked walk, .blend")
    parser.add_argument("film", type=Path, help="the film to write, .webp")
    parser.add_argument("--from", dest="eye", choices=EYES, default="aslant", help="where the eye is")
    given = parser.parse_args(arguments)
    try:
        bpy.ops.wm.open_mainfile(filepath=str(given.scene.resolve()), load_ui=False, use_scripts=False)
        film(given.film, given.eye)
    except (BipedError, OSError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"Wrote {given.film}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
