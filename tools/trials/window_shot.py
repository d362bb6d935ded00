# SPDX-License-Identifier: GPL-3.0-or-later
"""The shot that the window trial makes by clicks (``tools.trials``): ten starts of it on that character, and its film.

The scene and the rows of On the Way are those of ``tools.scene.shot_scene``. The first start is kept as
window-shot.blend with its baked walk. The character lies beside the project. Needs bpy, matplotlib and Pillow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import Any

import numpy as np

import blender_biped
from blender_biped.motion.motion import Motion
from blender_biped.simulate import simulate
from tools.base.quiet import ERRORS, OUTPUT, quiet
from tools.trials import natural, shots
from tools.trials.kept_walk import keep

Figures = dict[str, Any]
NAME = "window-shot"


@dataclass(frozen=True)
class WindowShotTrial:
    """A start of the shot, by its seed. kept: whether its walk is baked and kept as a file."""

    seed: int
    kept: bool


def _trials() -> list[WindowShotTrial]:
    return [WindowShotTrial(seed, not k) for k, seed in enumerate(shots.SEEDS)] if _character().exists() else []


PARTS: dict[str, Callable[[], list[WindowShotTrial]]] = {NAME: _trials}


def run(trial: WindowShotTrial, out: FilePath) -> Figures:
    """Return how a start of the shot ends, and how far its crate is off at the end, m."""
    import bpy

    from blender_biped.ui.job.request import read_request

    with _set() as rig:
        request = read_request(bpy.context, rig)
        job = replace(request.job, seed=trial.seed, fall_back=False)
        motion = simulate(job)
        if trial.kept:
            keep(rig, replace(request, job=job), motion, out / NAME, "The shot of the window trial")
    ends = {"outcome": motion.outcome, "at_m": float(motion.command[-1, 2]), "seconds": motion.duration}
    return {"seed": trial.seed, **ends, "flights": shots.flights(motion), "left_off_m": _left_off(motion)}


def _left_off(motion: Motion) -> float:
    """Return how far from where it was to be set down the crate lies at the end, m."""
    from tools.scene.shot_scene import SIZE, place_down

    x, y, z = place_down()
    return float(np.linalg.norm(motion.props[-1, 0, :3] - (x, y, z + 0.5 * SIZE[2])))


@contextmanager
def _set() -> Iterator[Any]:
    """Give the character in its scene, with the rows that clicks make, in a file of its own."""
    import bpy

    from tools.scene import shot_scene

    bpy.ops.wm.read_factory_settings(use_empty=True)
    blender_biped.register()
    try:
        with quiet(OUTPUT), quiet(ERRORS):
            rig = shot_scene.add_character(_character())
        ground = shot_scene.furnish(rig)
        walk = rig.biped.walk
        walk.preset = shot_scene.BEGINS
        for place, style in shot_scene.CHANGES:
            bpy.ops.biped.add_path_point(place=place, says="STYLE")
            walk.points[walk.active_point].style = style
        bpy.context.view_layer.objects.active = bpy.data.objects["Crate"]
        bpy.ops.biped.take_object(taking="PICK_UP")
        bpy.context.scene.cursor.location = shot_scene.place_down()
        bpy.ops.biped.add_target(act="SET_DOWN")
        bpy.context.scene.biped.ground = ground
        yield rig
    finally:
        blender_biped.unregister()


def _character() -> FilePath:
    from tools.scene.shot_scene import CHARACTER

    return natural.SHARED / "rigs" / CHARACTER


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people. part: of PARTS."""
    held = [one for one in found if one["outcome"] == "arrived"]
    lines = [f"  {len(held)} of {len(found)} starts arrive"]
    if held:
        flights, off = min(one["flights"] for one in held), max(one["left_off_m"] for one in held)
        lines[0] += f", {flights} flights at least, crate {off:.3f} m off at most"
    bad = [one for one in found if one not in held]
    return lines + [f"  start {one['seed']} {one['outcome']} at {one['at_m']:.1f} m" for one in bad]


def picture(part: str, found: Sequence[Figures], out: FilePath) -> FilePath:
    """Make the film of the walk that was kept; return its file. part: of PARTS. Raises DataError, OSError."""
    import bpy

    from tools.pictures.skin_film import film

    bpy.ops.wm.open_mainfile(filepath=str((out / f"{part}.blend").resolve()), load_ui=False, use_scripts=False)
    film(out / f"{part}.webp")
    return out / f"{part}.webp"
