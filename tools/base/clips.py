# SPDX-License-Identifier: GPL-3.0-or-later
"""Recorded walks of others as motions, each from its file: what their skeletons are called, and how they rest."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path as FilePath

import numpy as np

from blender_biped.base.spatial import axis_angle_quaternion, quaternion_matrix
from blender_biped.character.mapping import RigMap
from blender_biped.character.reference import GRAVITY
from blender_biped.job import Job
from blender_biped.motion.clip import Clip, clip_motion, read_bvh, resting_as_it_stands, with_hanging_legs
from blender_biped.motion.flights import run_contacts
from blender_biped.motion.motion import Motion

# DeepMimic's humanoid: x forward, y up, z right. Joint, parent, offset m, where its numbers are in a frame.
_HUMANOID = (
    ("root", -1, (0.0, 0.0, 0.0), slice(4, 8)),
    ("chest", 0, (0.0, 0.236151, 0.0), slice(8, 12)),
    ("neck", 1, (0.0, 0.223894, 0.0), slice(12, 16)),
    ("hip.R", 0, (0.0, 0.0, 0.084887), slice(16, 20)),
    ("knee.R", 3, (0.0, -0.421546, 0.0), slice(20, 21)),
    ("ankle.R", 4, (0.0, -0.409870, 0.0), slice(21, 25)),
    ("shoulder.R", 1, (-0.02405, 0.24350, 0.18311), slice(25, 29)),
    ("elbow.R", 6, (0.0, -0.274788, 0.0), slice(29, 30)),
    ("hip.L", 0, (0.0, 0.0, -0.084887), slice(30, 34)),
    ("knee.L", 8, (0.0, -0.421546, 0.0), slice(34, 35)),
    ("ankle.L", 9, (0.0, -0.409870, 0.0), slice(35, 39)),
    ("shoulder.L", 1, (-0.02405, 0.24350, -0.18311), slice(39, 43)),
    ("elbow.L", 11, (0.0, -0.274788, 0.0), slice(43, 44)),
)
_ENDS = {"neck": (0.0, 0.28, 0.0), "ankle": (0.16, -0.045, 0.0), "elbow": (0.0, -0.26, 0.0)}


def cmu_02_01(file: FilePath) -> tuple[Motion, Job]:
    """Return five steps at 1.18 m/s; its joints have the names of the ASF format."""
    limbs = {"thigh": "femur", "shin": "tibia", "foot": "foot", "toes": "toes", "upper_arm": "humerus",
             "forearm": "radius", "hand": "hand"}  # fmt: skip
    bones: dict[str, tuple[str, ...]] = {f"{p}.{s}": (s.lower() + n,) for p, n in limbs.items() for s in "LR"}
    bones |= {"pelvis": ("root",), "abdomen": ("lowerback", "upperback"), "chest": ("thorax",),
              "head": ("lowerneck", "upperneck", "head")}  # fmt: skip
    clip = with_hanging_legs(read_bvh(file), ("lfemur", "rfemur"), ("lfoot", "rfoot"))
    return clip_motion(clip, "cmu_02_01", 1.0, RigMap("ASF", bones, {}, {}, ()))


def cmu_12_01(file: FilePath) -> tuple[Motion, Job]:
    """Return seven slow steps at 0.89 m/s."""
    whole = read_bvh(file)
    clip = replace(whole, root=whole.root[1:], rotations=whole.rotations[1:])  # its first frame is the rest pose
    thighs, feet = (tuple(f"{side}{part}" for side in ("Left", "Right")) for part in ("UpLeg", "Foot"))
    return clip_motion(with_hanging_legs(clip, thighs, feet), "cmu_12_01", 0.056444)


def humanoid_walk(file: FilePath, cycles: int = 4) -> tuple[Motion, Job]:
    """Return DeepMimic's walk, one recorded cycle, repeated."""
    frames = np.array(json.loads(file.read_text())["Frames"])
    travel = frames[-1, 1:4] - frames[0, 1:4]
    travel[1] = 0.0
    root = np.concatenate([frames[:-1, 1:4] + k * travel for k in range(cycles)])
    turns = []
    for _, _, _, place in _HUMANOID:
        values = frames[:-1, place]
        hinge = values.shape[1] == 1
        turns.append(axis_angle_quaternion([0.0, 0.0, 1.0], values[:, 0]) if hinge else values)
    rotations = np.tile(quaternion_matrix(np.stack(turns, axis=1)), (cycles, 1, 1, 1))
    names = tuple(row[0] for row in _HUMANOID)
    ends = np.array([_ENDS.get(n.partition(".")[0], (np.nan,) * 3) for n in names])
    clip = Clip(names, tuple(row[1] for row in _HUMANOID), np.array([row[2] for row in _HUMANOID]), ends,
                1.0 / frames[0, 0], root, rotations)  # fmt: skip
    limbs = {"thigh": "hip", "shin": "knee", "foot": "ankle", "upper_arm": "shoulder", "forearm": "elbow"}
    bones: dict[str, tuple[str, ...]] = {f"{p}.{s}": (f"{n}.{s}",) for p, n in limbs.items() for s in "LR"}
    bones |= {"pelvis": ("root",), "chest": ("chest",), "head": ("neck",)}
    return clip_motion(clip, "humanoid walk", 1.0, RigMap("DeepMimic", bones, {}, {}, ()))


def styled(file: FilePath) -> tuple[Motion, Job]:
    """Return a walk of the Bandai Namco Research data: centimetres, bones along their axes."""
    clip = resting_as_it_stands(read_bvh(file), ("Foot_L", "Foot_R"))
    return clip_motion(clip, file.stem, 0.01)


RUNS: dict[str, Callable[[FilePath], tuple[Motion, Job]]] = {
    "bandai1_run_active_001.bvh": styled,
    "deepmimic_humanoid3d_run.txt": humanoid_walk,
}
"""Captured runs by their files' names, and what reads each."""


def captured_run(file: FilePath) -> tuple[Motion, Job]:
    """Return a captured run, with the times at which its feet are down; loads are 0 and the weight."""
    motion, job = RUNS[file.name](file)
    strikes, lifts = run_contacts(motion)
    loads = np.zeros_like(motion.loads)
    for side in (0, 1):
        events = sorted([(t, 1.0) for t, s in strikes if s == side] + [(t, 0.0) for t, s in lifts if s == side])
        state = np.array([1.0 - events[0][1], *(down for _, down in events)])
        loads[:, side] = state[np.searchsorted([t for t, _ in events], motion.times, side="right")]
    return replace(motion, strikes=strikes, lifts=lifts, loads=motion.character.mass * GRAVITY * loads), job
