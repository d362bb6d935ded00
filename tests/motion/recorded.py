"""Real walks from ../shared/mocap as motions; the tests that want them skip where the folder is missing."""

from __future__ import annotations

from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from tests.shared import shared
from tools.base import clips


def cmu_02_01() -> tuple[Motion, Job]:
    """Return five steps at 1.18 m/s."""
    return clips.cmu_02_01(shared("mocap/cmu_02_01.bvh"))


def cmu_12_01() -> tuple[Motion, Job]:
    """Return seven slow steps at 0.89 m/s."""
    return clips.cmu_12_01(shared("mocap/cmu_12_01_walk.bvh"))


def humanoid_walk(cycles: int = 4) -> tuple[Motion, Job]:
    """Return DeepMimic's walk, one recorded cycle, repeated."""
    return clips.humanoid_walk(shared("mocap/deepmimic_humanoid3d_walk.txt"), cycles)


def styled(name: str) -> tuple[Motion, Job]:
    """Return a walk with a mood of Bandai Namco Research."""
    return clips.styled(shared(f"mocap/styles/{name}.bvh"))


def humanoid_run(cycles: int = 4) -> tuple[Motion, Job]:
    """Return DeepMimic's run, one recorded cycle, repeated."""
    return clips.humanoid_walk(shared("mocap/deepmimic_humanoid3d_run.txt"), cycles)


def active_run() -> tuple[Motion, Job]:
    """Return a lively run of Bandai Namco Research, five steps that bound."""
    return clips.styled(shared("mocap/bandai1_run_active_001.bvh"))
