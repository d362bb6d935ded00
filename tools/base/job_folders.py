# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders of short jobs of four controllers, and batches that walk them in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from blender_biped.character.standard import standard_character
from blender_biped.control.registry import preset
from blender_biped.job import Job, write_job
from blender_biped.world.path import Path as Way
from tools.base.command_table import ROOT
from tools.base.motion_hash import motion_hash

STYLES = (("natural", "default"), ("generalized", "default"), ("simbicon", "walk"), ("limit_cycle", "default"))
_FAR = 400.0  # m: no walk gets to the end of its path


def write_folder(folder: Path, count: int, seconds: float) -> None:
    """Write so many jobs into a new folder: the four controllers in turn, each time from another start.

    seconds: how long each walks. Raises OSError.
    """
    folder.mkdir(parents=True)
    for k in range(count):
        path = Way([[0.0, 0.0], [_FAR, 0.3 * (k % 20)]])
        job = Job(standard_character(), path, preset(*STYLES[k % len(STYLES)]), duration=seconds)
        write_job(replace(job, seed=k // len(STYLES)), folder / f"walk-{k:03}.json")


def batch_line(folder: Path, *options: str) -> list[str]:
    """Return the command line of a batch, to be run in ROOT."""
    return [sys.executable, "-m", "blender_biped", "batch", str(folder), "--lines", *options]


def walked_folder(folder: Path, *options: str) -> tuple[int, str]:
    """Walk a folder; return the exit code, and what the batch said."""
    done = subprocess.run(batch_line(folder, *options), cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def motion_hashes(folder: Path) -> dict[str, str]:
    """Return the hash of each motion in a folder by its file's name: of all but what its walk has cost."""
    return {file.name: motion_hash(file) for file in sorted(folder.glob("*.npz"))}
