# SPDX-License-Identifier: GPL-3.0-or-later
"""One rig of a folder, in a process of its own: read, mapped, walked, baked, measured and drawn.

    python -m tools.rigs.case TASK.json RESULT.json

The task: ``{"fingerprint", "file", "object", "mapping", "folder", "keep", "controllers", "starts"}``: object "" for the
file's first armature, mapping: a file or "", controllers: who walks, starts: how many of each walk. The result:
``{"version", "fingerprint", "armatures", "figures"}``. Into ``folder`` go the strip (strip.png), the job and the motion
of the first walk, and, if ``keep``, the scene with that walk baked (walk.blend), after one in bends.
A development program: needs bpy and matplotlib. The character's own file is never written.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy
import numpy as np

import blender_biped
from blender_biped.base.errors import BipedError
from blender_biped.character.armature import Armature
from blender_biped.character.body import build_character
from blender_biped.character.carrying import with_skin_carried
from blender_biped.character.mapping import RigMap, read_rig_map
from blender_biped.character.model import Character
from blender_biped.character.skin import Torn
from blender_biped.job import Job, write_job
from blender_biped.motion import measures
from blender_biped.motion.motion import Motion, write_motion
from blender_biped.motion.summary import ended
from blender_biped.simulate import fallen_back, simulate
from blender_biped.ui.bake.accuracy import bake_error
from blender_biped.ui.bake.keyframes import bake
from blender_biped.ui.bake.torn import torn_edges
from blender_biped.ui.base.reading import frame_rate, metres, read_armature
from blender_biped.ui.job.mapping import found_mapping
from tools.base.controllers import USUAL
from tools.base.processes import VERSION, child
from tools.base.quiet import quiet
from tools.rigs import sheet
from tools.rigs.judged import PATHS, job_of
from tools.rigs.skin_contact import contact_figures
from tools.scene.files import open_file

_IN_BENDS = ("hands_in_skin_percent", "legs_in_skin_percent", "lowest_skin_mm")


@dataclass
class Findings:
    """What is known of a rig so far. figures: the flat report. The rest: None until it is there."""

    figures: dict[str, Any] = field(default_factory=dict)
    rig: Armature | None = None
    rig_map: RigMap | None = None
    body: Character | None = None
    job: Job | None = None
    motion: Motion | None = None


def measured(task: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a task: whatever goes wrong on the way is in it."""
    found, names = Findings(), list[str]()
    folder = Path(task["folder"])
    folder.mkdir(parents=True, exist_ok=True)
    blender_biped.register()
    try:
        _noted(found, lambda: _walked(found, names, task))
        _noted(found, lambda: _written(found, folder, task["keep"]))
    finally:
        blender_biped.unregister()
    return {
        "version": VERSION,
        "fingerprint": task["fingerprint"],
        "armatures": names,
        "figures": found.figures,
    }


def _noted(found: Findings, work: Callable[[], None]) -> None:
    """Do some work; note in the figures why it could not be done: a refusal, or what nobody has foreseen."""
    try:
        work()
    except BipedError as error:
        found.figures["refusal"] = str(error)
    except Exception:
        # Everything that is no refusal is a fault to be found, so its whole story is kept.
        found.figures["error"] = traceback.format_exc()


def _walked(found: Findings, names: list[str], task: dict[str, Any]) -> None:
    """Do all that a user would, and note what came out, step by step. names: of the file's armatures, to be filled."""
    figures = found.figures
    figures["stage"] = "open"
    armature = _armature(Path(task["file"]), task["object"], names)
    figures["armature"] = armature.name
    bpy.context.view_layer.update()
    figures["stage"] = "map"
    found.rig = read_armature(armature, metres(bpy.context.scene))
    figures["bones"] = len(found.rig.bones)
    began = time.perf_counter()
    found.rig_map = read_rig_map(Path(task["mapping"])) if task["mapping"] else found_mapping(found.rig)
    figures["map_s"] = time.perf_counter() - began
    figures |= mapped_figures(found.rig_map)
    figures["stage"] = "body"
    whole = with_skin_carried(found.rig_map, found.rig)  # as a bake takes it
    found.body = build_character(found.rig, whole, None)  # the mass that the panel takes by itself
    figures["stage"] = "walk"
    found.job = job_of(found.rig, found.body)
    found.motion = simulate(found.job)
    figures |= measures.report(found.motion, found.job, "straight") | {"outcome": ended(found.motion, found.job)}
    bends = found.motion, found.job
    figures["walks"] = []
    for path, walk in walks_of(found.rig, found.body, task["controllers"], task["starts"]):
        motion = found.motion if _is_first(walk, path, PATHS[0]) else simulate(walk)
        bends = (motion, walk) if _is_first(walk, path, PATHS[1]) else bends
        figures["walks"].append(walk_figures(motion, walk, path))
    figures["stage"] = "bake"
    in_bends = _baked_figures(armature, *bends)
    figures |= {f"bends_{name}": in_bends[name] for name in _IN_BENDS}
    figures |= _baked_figures(armature, found.motion, found.job)
    figures["notes"] = list(dict.fromkeys((*in_bends["notes"], *figures["notes"])))  # the first one frees the bones
    figures["moments"] = sheet.moments(found.motion, found.job).tolist()
    figures["stage"] = "done"


def _baked_figures(armature: Any, motion: Motion, job: Job) -> dict[str, Any]:
    """Bake a walk onto a rig and return what that does to bones and skin, as figures."""
    with _hidden_meshes():
        began = time.perf_counter()
        baked = bake(armature, motion, bpy.context.scene.frame_start)
        took = time.perf_counter() - began
        off = bake_error(armature, motion, baked.frames.tolist())
        fell = measures.fell_at(motion, job)
        end = np.inf if fell is None else fell * frame_rate(bpy.context.scene)
        upright = baked.frames[baked.frames - baked.frames[0] < end]
        torn = torn_edges(armature, upright)
    return {
        "frame_start": int(baked.frames[0]), "bake_s": took, "notes": list(baked.notes),
        "bake_error_mm": off[0], "bake_error_deg": off[1],
        **skin_figures(torn, motion.character),
        **contact_figures(armature, motion.character, upright.tolist(), job.ground),
    }  # fmt: skip


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


def skin_figures(torn: Torn | None, body: Character) -> dict[str, Any]:
    """Return what a baked walk does to the skin, as figures: lengths are for a leg of measures.LEG."""
    if torn is None:
        return {"torn_edges": None, "torn_gap_mm": None, "skin_torn": None}
    gap = 1000.0 * torn.gap * measures.LEG / body.leg_length
    return {"torn_edges": torn.edges, "torn_gap_mm": gap, "skin_torn": torn.plain}


def walks_of(rig: Armature, body: Character, controllers: Sequence[str], starts: int) -> list[tuple[str, Job]]:
    """Return the walks of a rig, with the paths' names: each controller along each path from each start."""
    return [
        (path, job_of(rig, body, path, controller, seed))
        for controller in controllers for path in PATHS for seed in range(starts)
    ]  # fmt: skip


def _is_first(job: Job, path: str, along: str) -> bool:
    """Return whether a walk is the one along a path that is baked. path: its own."""
    return (path, job.preset.controller, job.seed) == (along, USUAL, 0)


def walk_figures(motion: Motion, job: Job, path: str) -> dict[str, Any]:
    """Return how one walk went, as figures; and how the one that a bake falls back on does where it failed."""
    other = fallen_back(job, motion)
    return {
        "controller": job.preset.controller, "path": path, "seed": job.seed, "outcome": ended(motion, job),
        "fell_at_s": measures.fell_at(motion, job),
        "fallback": other.attempt.kind if other and other.attempt else None,
        "baked_outcome": ended(other or motion, job),
    }  # fmt: skip


@contextmanager
def _hidden_meshes() -> Iterator[None]:
    """Leave the skins out of what is evaluated at every frame, where only bones are compared."""
    hidden = [thing for thing in bpy.data.objects if thing.type == "MESH" and not thing.hide_viewport]
    for thing in hidden:
        thing.hide_viewport = True
    try:
        yield
    finally:
        for thing in hidden:
            thing.hide_viewport = False


def _written(found: Findings, folder: Path, keep: bool) -> None:
    if found.job and found.motion:
        write_job(found.job, folder / "job.json")
        write_motion(found.motion, folder / "motion.npz")
    if keep and found.motion:
        with quiet():
            bpy.ops.wm.save_as_mainfile(filepath=str((folder / "walk.blend").resolve()), copy=True, compress=True)
    if found.rig:
        sheet.strip(found.rig, found.rig_map, found.body, found.motion, found.job, folder / "strip.png")


if __name__ == "__main__":
    sys.exit(child([Path(a) for a in sys.argv[1:]], measured))
