"""From the footprints that are edited to a job, and back: what became of them in a walk."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ...base.errors import DataError
from ...base.spatial import Array
from ...job import Job
from ...motion.footholds import MetFoothold, footholds_met
from ...motion.motion import Motion
from ...world.footholds import DesiredFoothold
from ..base.language import translated
from ..base.reading import metres, stretch_of
from ..base.units import length_text
from ..settings.edited_prints import too_many_prints

_SOON = 1e-4  # m


def world_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> Array:
    """Return what takes places of a job's world, m, to the scene (3, 3). Raises RigError."""
    return np.asarray(stretch_of(armature) / metres(scene))


def desired_footholds(
    armature: bpy.types.Object, scene: bpy.types.Scene, share: float, length: float
) -> tuple[tuple[DesiredFoothold, ...], list[str]]:
    """Return where feet are desired by the edited footprints, and notes. Raises DataError for too many.

    share: how many times as long as the curve as it is drawn the path is, of a length, m.
    """
    prints = armature.biped.walk.prints
    if wrong := too_many_prints(prints):
        raise DataError(wrong)
    if not prints:
        return (), []
    back = np.linalg.inv(world_of(armature, scene))
    own = [(edited.side, *(back @ np.array(edited.place))[:2].tolist(), share * edited.along) for edited in prints]
    if not np.isfinite([row[1:] for row in own]).all():
        raise DataError("An edited footprint is at no place: reset all footprints.")
    beyond = sum(arc > length + _SOON for *_, arc in own)
    found = tuple(DesiredFoothold(int(side == "R"), (x, y), min(max(arc, 0.0), length)) for side, x, y, arc in own)
    text = f"{beyond} edited footprints are beyond the path's end and do not count: reset them."
    return found, [text] if beyond else []


def keep_met(armature: bpy.types.Object, motion: Motion, job: Job) -> None:
    """Keep with the edited footprints what became of them in the walk of a job."""
    for own, met in zip(armature.biped.walk.prints, footholds_met(motion, job.footholds), strict=False):
        own.state, own.off = state_of(met)


def state_of(met: MetFoothold) -> tuple[str, float]:
    """Return what became of an edited footprint, and how far, m, the foot stood off it."""
    if met.off is None:
        return "GONE", 0.0
    return ("HELD" if met.held else "OFF"), met.off


def prints_text(states: Sequence[tuple[str, float]], units: bpy.types.UnitSettings) -> str:
    """Return in one line how many footprints are edited, and what became of them. "" without any."""
    if not states:
        return ""
    said = [translated(f"{len(states)} edited")]
    count = {name: sum(state == name for state, _ in states) for name in ("HELD", "NEW", "OFF", "GONE")}
    if count["HELD"]:
        said.append(translated(f"{count['HELD']} held"))
    if count["NEW"]:
        said.append(translated(f"{count['NEW']} not simulated yet"))
    if count["OFF"]:
        worst = max(off for state, off in states if state == "OFF")
        said.append(translated(f"{count['OFF']} off by up to {length_text(worst, units)}"))
    if count["GONE"]:
        said.append(translated(f"{count['GONE']} without a step"))
    return ", ".join(said)
