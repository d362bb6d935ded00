# SPDX-License-Identifier: GPL-3.0-or-later
"""Captured walks in a folder beside the project, and what they lack. None is part of it; it does without them, too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath

from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from tools.base import clips

FOLDER = FilePath(__file__).resolve().parents[3] / "shared" / "mocap"
_STYLES = (
    "feminine", "proud", "tired", "happy", "angry", "childish", "chimpira", "musical", "not-confident",
)  # fmt: skip


@dataclass(frozen=True)
class Recording:
    """A captured walk. load: reads its file.

    lacks: "forces" (nobody measured them), "toes" (a foot is of one piece), "neck" (the head does not move on the
    chest), "steps" (they are one cycle, repeated).
    """

    load: Callable[[FilePath], tuple[Motion, Job]]
    lacks: tuple[str, ...] = ("forces",)


PLAIN: Mapping[str, Recording] = {
    "cmu_02_01.bvh": Recording(clips.cmu_02_01),
    "cmu_12_01_walk.bvh": Recording(clips.cmu_12_01),
    "deepmimic_humanoid3d_walk.txt": Recording(clips.humanoid_walk, ("forces", "toes", "neck", "steps")),
    "styles/bandai1_walk_masculinity_001.bvh": Recording(clips.styled),
    "styles/bandai1_walk_sad_001.bvh": Recording(clips.styled),
}
"""Of people who just walk, by file: the last two are the plainest of their actor, fast and slow."""
PLAYED: Mapping[str, Recording] = {
    **{f"styles/bandai1_walk_{style}_001.bvh": Recording(clips.styled) for style in _STYLES},
    "styles/bandai2_walk_exhausted_001.bvh": Recording(clips.styled),
}
"""Of actors who play a mood or a part."""
