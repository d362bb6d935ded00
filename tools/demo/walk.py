# SPDX-License-Identifier: GPL-3.0-or-later
"""The main job: the scene's settings, a walk in the worker process, its bake, and all files of it. Needs bpy."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from blender_biped.base.errors import BipedError, DataError
from blender_biped.control.registry import preset, presets
from blender_biped.job import Job, write_job
from blender_biped.motion.bvh import write_bvh
from blender_biped.motion.measures import report
from blender_biped.motion.motion import Motion, write_motion
from blender_biped.motion.summary import ended, summarised
from blender_biped.preset.preset import speeds_of
from tools.base.quiet import quiet
from tools.base.yardstick import yardstick
from tools.measure.grid import MIN_SPEED
from tools.pictures.film import film
from tools.pictures.filmstrip import angles_picture, walk_picture
from tools.scene.actions import FRAME_RATE, key_count, plain_keys_time
from tools.scene.files import chosen_armature
from tools.scene.paths import chosen_path

SPEED = 1.2  # m/s, of a style without a usual speed of its own
_YARDSTICKS = 5  # that are measured, and as many times the plain keys


@dataclass(frozen=True)
class DemoOptions:
    """What the demo is to do. armature, path: as on the command line; armature "" for Rigify's human.

    starts: how many other ones, slightly perturbed, are walked as well. speed: m/s.
    """

    armature: str
    path: str
    controller: str
    preset: str
    speed: float
    starts: int
    out: Path


@dataclass(frozen=True)
class DemoWalk:
    """A walk that was simulated and baked. write_s: how long the keyframes took to write, s. keys: their number.

    figures: its report; others: those of the same walk from other starts, which are not baked. Where the walk
    falls, the one in its place is baked, as in the panel, see ``fallback``; the others are judged as they are.
    yardstick_s, plain_s: what a yardstick took here and now, CPU s, and as many keys without curves, groups and
    handles, s.
    """

    job: Job
    motion: Motion
    figures: dict[str, Any]
    others: tuple[dict[str, Any], ...]
    notes: tuple[str, ...]
    write_s: float
    frames: int
    keys: int
    yardstick_s: float
    plain_s: float


def usual_style(controller: str, chosen: str) -> tuple[str, float]:
    """Return the name of the preset that is wanted, "" for the first one, and the speed that it has by itself, m/s.

    What is unknown or unusable is refused when it is to be walked.
    """
    try:
        known = {style.name: style for style in presets(controller)}
        name = chosen or next(iter(known), "default")
        own = speeds_of(known[name]) if name in known else None
    except DataError:
        return chosen or "default", SPEED
    return name, max(own.usual, MIN_SPEED) if own else SPEED


def bake_walk(chosen: DemoOptions, say: Callable[[str], None]) -> DemoWalk:
    """Make the scene, simulate and bake, and return the result. Raises BipedError that says what is wrong."""
    import bpy

    from blender_biped import worker
    from blender_biped.ui.bake.accuracy import bake_error
    from blender_biped.ui.bake.keyframes import bake
    from blender_biped.ui.bake.result import fall_frame
    from blender_biped.ui.base.fallback_text import fallback_text
    from blender_biped.ui.job.gait_plan import gait_names
    from blender_biped.ui.job.request import read_request
    from blender_biped.ui.settings.kept_result import keep_summary

    preset(chosen.controller, chosen.preset)  # an unknown name is refused before anything slow is done
    armature = chosen_armature(chosen.armature, say)
    curve = chosen_path(chosen.path)
    scene = bpy.context.scene
    if not bpy.data.filepath:
        scene.render.fps, scene.render.fps_base = FRAME_RATE, 1.0
    bpy.context.view_layer.objects.active = armature
    settings = armature.biped.walk
    settings.path = curve
    settings.controller_name, settings.preset_name = chosen.controller, chosen.preset
    settings.speed_mps = chosen.speed
    armature.biped.pace = "EXACT"
    _press_map_bones()
    request = read_request(bpy.context)
    say(f"{armature.name} walks {request.job.path.length:.1f} m at {chosen.speed:g} m/s ...")
    motion = worker.run(request.job, folders=worker.library_folders())
    yardstick_s = yardstick(_YARDSTICKS)
    baked = bake(armature, motion, settings.frame_start, armature.biped.root)
    plain_s = _plain_time(baked.action)
    summary = summarised(motion, request.job)
    keep_summary(baked.action, summary, fall_frame(summary, settings.frame_start, scene), gait_names(request.job))
    scene.frame_start, scene.frame_end = int(baked.frames[0]), int(baked.frames[-1])
    scene.frame_set(scene.frame_start)
    path_name = Path(chosen.path.partition(":")[0]).stem
    figures = report(motion, request.job, path_name) | {"outcome": summary.outcome}
    figures["bake_error_mm"], figures["bake_error_deg"] = bake_error(armature, motion, baked.frames.tolist())
    others = _from_other_starts(request.job, chosen.starts, path_name)
    instead = fallback_text(summary)
    notes = (*([instead] if instead else []), *request.notes, *baked.notes)
    return DemoWalk(request.job, motion, figures, others, notes, baked.write_s,
                    len(baked.frames), key_count(baked.action), yardstick_s, plain_s)  # fmt: skip


def _plain_time(action: Any) -> float:
    """Return the seconds that as many keys take without anything else, the median of some times, on copies."""
    import bpy

    found = []
    for _ in range(_YARDSTICKS):
        copy = action.copy()
        found.append(plain_keys_time(copy))
        bpy.data.actions.remove(copy)
    return median(found)


def _from_other_starts(job: Job, count: int, path_name: str) -> tuple[dict[str, Any], ...]:
    """Return the reports of a job from perturbed starts. A walk is chaotic: one alone is no measure of its kind."""
    from blender_biped import worker

    def walked(seed: int) -> dict[str, Any]:
        own = replace(job, seed=seed, fall_back=False)
        motion = worker.run(own, folders=worker.library_folders())
        return report(motion, own, path_name) | {"outcome": ended(motion, own)}

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return tuple(pool.map(walked, range(1, count + 1)))


def _press_map_bones() -> None:
    """Let the extension's own operator find the character among the bones. Raises BipedError with its message."""
    import bpy

    try:
        with quiet():
            bpy.ops.biped.map_bones()
    except RuntimeError as error:
        raise BipedError(str(error).removeprefix("Error: ").strip()) from error


def write_files(result: DemoWalk, folder: Path) -> list[tuple[str, str]]:
    """Write everything into ``folder`` and return (file name, what it is). Raises OSError."""
    import bpy

    folder.mkdir(parents=True, exist_ok=True)
    with quiet():
        bpy.ops.wm.save_as_mainfile(filepath=str((folder / "walk.blend").resolve()), compress=True)
    walk_picture(result.motion, result.job, folder / "walk.png")
    film(result.motion, result.job, folder / "walk.webp")
    angles_picture(result.motion, result.job, folder / "angles.png")
    (folder / "report.json").write_text(json.dumps(result.figures, indent=2, allow_nan=False) + "\n", encoding="utf-8")
    starts = {"version": 1, "cases": [result.figures, *result.others]}
    (folder / "starts.json").write_text(json.dumps(starts, indent=2, allow_nan=False) + "\n", encoding="utf-8")
    write_job(result.job, folder / "job.json")
    write_motion(result.motion, folder / "motion.npz")
    write_bvh(result.motion, folder / "motion.bvh")
    return [
        ("walk.blend", "the scene with the baked action"),
        ("walk.png", "the walk as film strips, and the path from above"),
        ("walk.webp", "the walk as a film"),
        ("angles.png", "hip, knee and ankle against adults' walks"),
        ("report.json", "all measures"),
        ("starts.json", "the same of the walks from other starts, too"),
        ("job.json", "what was simulated"),
        ("motion.npz", "the simulated motion"),
        ("motion.bvh", "the same for other programs"),
    ]
