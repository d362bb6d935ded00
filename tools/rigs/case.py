# SPDX-License-Identifier: GPL-3.0-or-later
"""One rig of a folder, in a process of its own: read, mapped, walked, baked, measured and drawn.

    python -m tools.zoo_case TASK.json RESULT.json

The task: ``{"fingerprint", "file", "object", "told", "folder", "keep"}``: object "" for the file's first armature, told
a mapping file or "". The result: ``{"version", "fingerprint", "armatures", "figures"}``. Into ``folder`` go the strip
(strip.png), the job and the motion, and, if ``keep``, the baked scene (walk.blend).
A development program: needs bpy and matplotlib. The character's own file is never written.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy

import blender_biped
from blender_biped.base.errors import BipedError
from blender_biped.character.armature import Armature
from blender_biped.character.body import build_character
from blender_biped.character.mapping import RigMap, read_rig_map
from blender_biped.character.model import Character
from blender_biped.character.pace import natural_speed
from blender_biped.job import Job, write_job
from blender_biped.motion import measures
from blender_biped.motion.motion import Motion, write_motion
from blender_biped.preset.preset import preset
from blender_biped.simulate import simulate
from blender_biped.ui.bake.accuracy import bake_error
from blender_biped.ui.bake.keyframes import bake
from blender_biped.ui.base.reading import metres, read_armature, sole_height
from blender_biped.ui.job.mapping import found_mapping
from blender_biped.world.path import Path as Route
from tools.base.processes import VERSION, child
from tools.base.quiet import quiet
from tools.commands.demo import open_file
from tools.rigs import sheet

DISTANCE = 10.0  # m to walk, with a leg of measures.LEG or less
SPEED = 1.2  # m/s, with a leg of measures.LEG


@dataclass
class Case:
    """What is known of a rig so far. figures: the flat report. hidden: objects. The rest: None until it is there."""

    figures: dict[str, Any] = field(default_factory=dict)
    rig: Armature | None = None
    rig_map: RigMap | None = None
    body: Character | None = None
    job: Job | None = None
    motion: Motion | None = None
    hidden: list[Any] = field(default_factory=list)


def measured(task: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a task: whatever goes wrong on the way is told in it."""
    case, names = Case(), list[str]()
    folder = Path(task["folder"])
    folder.mkdir(parents=True, exist_ok=True)
    blender_biped.register()
    try:
        _told(case, lambda: _walked(case, names, task))
        _told(case, lambda: _written(case, folder, task["keep"]))
    finally:
        blender_biped.unregister()
    return {
        "version": VERSION,
        "fingerprint": task["fingerprint"],
        "armatures": names,
        "figures": case.figures,
    }


def _told(case: Case, work: Callable[[], None]) -> None:
    """Do some work; note in the figures why it could not be done: a refusal, or what nobody has foreseen."""
    try:
        work()
    except BipedError as error:
        case.figures["refusal"] = str(error)
    except Exception:
        # Everything that is no refusal is a fault to be found, so its whole story is kept.
        case.figures["error"] = traceback.format_exc()


def _walked(case: Case, names: list[str], task: dict[str, Any]) -> None:
    """Do all that a user would, and note what came out, step by step. names: of the file's armatures, to be filled."""
    told = case.figures
    told["stage"] = "open"
    armature = _armature(Path(task["file"]), task["object"], names)
    told["armature"] = armature.name
    bpy.context.view_layer.update()
    told["stage"] = "map"
    case.rig = read_armature(armature, metres(bpy.context.scene))
    told["bones"] = len(case.rig.bones)
    began = time.perf_counter()
    case.rig_map = read_rig_map(Path(task["told"])) if task["told"] else found_mapping(case.rig)
    told["map_s"] = time.perf_counter() - began
    told |= mapped_figures(case.rig_map)
    told["stage"] = "body"
    case.body = build_character(case.rig, case.rig_map, None)  # the mass that the panel takes by itself
    told["stage"] = "walk"
    case.job = job_of(case.rig, case.body)
    case.motion = simulate(case.job)
    told |= measures.report(case.motion, case.job, "straight") | {"outcome": case.motion.outcome}
    told["stage"] = "bake"
    case.hidden = _hide_meshes()
    began = time.perf_counter()
    baked = bake(armature, case.motion, bpy.context.scene.frame_start)
    told["frame_start"], told["moments"] = int(baked.frames[0]), sheet.moments(case.motion, case.job).tolist()
    told["bake_s"], told["notes"] = time.perf_counter() - began, list(baked.notes)
    told["bake_error_mm"], told["bake_error_deg"] = bake_error(armature, case.motion, baked.frames.tolist())
    told["stage"] = "done"


def _armature(file: Path, name: str, names: list[str]) -> Any:
    open_file(file)
    found = [o for o in bpy.data.objects if o.type == "ARMATURE"]
    names += [o.name for o in found]
    if not found:
        raise BipedError(f"{file.name} has no armature.")
    return next((o for o in found if o.name == name), found[0])


def mapped_figures(rig_map: RigMap) -> dict[str, Any]:
    """Return what a mapping says, as figures."""
    return {
        "convention": rig_map.convention, "confidence": rig_map.confidence, "doubts": list(rig_map.doubts),
        "roles": {role: list(bones) for role, bones in rig_map.bones.items()}, "missing": list(rig_map.missing),
        "reasons": dict(rig_map.reasons), "controls": {role: list(bones) for role, bones in rig_map.controls.items()},
    }  # fmt: skip


def job_of(rig: Armature, body: Character) -> Job:
    """Return the walk that every rig is judged by: straight, as far and as fast as is the same for its legs."""
    size = body.leg_length / measures.LEG
    path = Route([[0.0, 0.0], [DISTANCE * max(1.0, size), 0.0]])
    style = preset("generalized", "default")
    return Job(character=body, path=path, preset=style, speed=natural_speed(body, SPEED), ground=sole_height(rig, body))


def _hide_meshes() -> list[Any]:
    """Leave the skins out of what is evaluated at every frame, where only bones are compared; return what is hidden."""
    hidden = [thing for thing in bpy.data.objects if thing.type == "MESH" and not thing.hide_viewport]
    for thing in hidden:
        thing.hide_viewport = True
    return hidden


def _written(case: Case, folder: Path, keep: bool) -> None:
    if case.job and case.motion:
        write_job(case.job, folder / "job.json")
        write_motion(case.motion, folder / "motion.npz")
    if keep and case.motion:
        for thing in case.hidden:
            thing.hide_viewport = False
        with quiet():
            bpy.ops.wm.save_as_mainfile(filepath=str((folder / "walk.blend").resolve()), copy=True, compress=True)
    if case.rig:
        sheet.strip(case.rig, case.rig_map, case.body, case.motion, case.job, folder / "strip.png")


if __name__ == "__main__":
    sys.exit(child([Path(a) for a in sys.argv[1:]], measured))
