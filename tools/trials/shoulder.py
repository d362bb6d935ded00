# SPDX-License-Identifier: GPL-3.0-or-later
"""A push object of the scene (``tools.trials``): 250 N for 0.2 s on the left shoulder, by direction, in ten phases.

It goes the way of a user's: an arrow with a key at a frame, on flat ground. Needs bpy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from blender_biped.motion import gait_events, measures
from blender_biped.motion.motion import RATE, Motion
from blender_biped.motion.summary import ended
from blender_biped.simulate import simulate
from tools.base.columns import ARRIVED
from tools.scene.stage import stage

Figures = dict[str, Any]
PHASES = 10
DIRECTIONS = ("AHEAD", "BACK", "LEFT", "RIGHT")
"""Where it pushes: from behind, from ahead, from the right, from the left."""
WALKS = (("natural", 0.8), ("natural", 1.2), ("generalized", 0.8), ("generalized", 1.2))
FORCE, LENGTH, FPS = 250.0, 8.0, 60
_STEADY = 3.0  # s after which a stride is pushed
_LATER = 1.0  # s after which it is looked how far a push has moved the body
STAGGERS = 0.05  # m


@dataclass(frozen=True)
class ShoulderTrial:
    """A controller at a speed, m/s, and where it is pushed. group: controller and speed."""

    controller: str
    speed: float
    direction: str

    @property
    def group(self) -> str:
        """Those that share a line."""
        return f"{self.controller}, {self.speed:g} m/s"


PARTS: dict[str, Callable[[], list[ShoulderTrial]]] = {
    "shoulder": lambda: [ShoulderTrial(who, speed, way) for who, speed in WALKS for way in DIRECTIONS]
}


def run(trial: ShoulderTrial, out: FilePath) -> Figures:
    """Return how the walks of all phases end. In a process of its own: it empties Blender's file."""
    import bpy

    from blender_biped.ui.job.request import read_request

    with stage(LENGTH, trial.speed, trial.controller) as rig:
        scene = bpy.context.scene
        scene.render.fps = FPS
        calm = simulate(read_request(bpy.context, rig).job)
        stride = next(s for s in gait_events.strides(calm, 0) if s.start > _STEADY)
        walks = []
        for k in range(PHASES):
            scene.frame_set(round(1 + FPS * (stride.start + k / PHASES * (stride.end - stride.start))))
            bpy.ops.biped.add_push(direction=trial.direction, part="LEFT_SHOULDER", force=FORCE)
            arrow = bpy.context.view_layer.objects.active
            bpy.context.view_layer.objects.active = rig
            job = replace(read_request(bpy.context, rig).job, fall_back=False)
            bpy.data.objects.remove(arrow)
            motion = simulate(job)
            fell = measures.fell_at(motion, job)
            walks.append(
                {
                    "phase": k / PHASES,
                    "fell_at_s": fell,
                    "outcome": ended(motion, job),
                    "moved_m": _moved(motion, calm, job.pushes[0].time + _LATER),
                }
            )
    return {"group": trial.group, "direction": trial.direction, "walks": walks}


def _moved(motion: Motion, calm: Motion, time: float) -> float:
    """Return how far, m, the mid-hip is from where it would be at a time, s, or was at the motion's end."""
    k = min(round(time * RATE), len(motion.times) - 1, len(calm.times) - 1)
    return float(np.linalg.norm(motion.root[k] - calm.root[k]))


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people. part: of PARTS."""
    ways = {"AHEAD": "from behind", "BACK": "from ahead", "LEFT": "from the right", "RIGHT": "from the left"}
    lines = []
    for one in found:
        walks = one["walks"]
        arrived = sum(walk["outcome"] in ARRIVED for walk in walks)
        stood = sum(walk["fell_at_s"] is None for walk in walks)
        staggered = sum(walk["moved_m"] > STAGGERS for walk in walks)
        lines.append(
            f"  {one['group']:<24} {ways[one['direction']]:<15} {staggered} of {len(walks)} stagger, {stood} recover, "
            f"{arrived} arrive"
        )
    return lines
