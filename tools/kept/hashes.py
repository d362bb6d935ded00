# SPDX-License-Identifier: GPL-3.0-or-later
"""Hashes of the motions of jobs, as the code of this tree or of another commit walks them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from blender_biped.base.errors import BipedError
from blender_biped.company import Company, write_work
from tools.base.command_table import ROOT
from tools.base.motion_hash import motion_hash
from tools.kept.jobs import JOBS

REFUSED = "refused: "


def write_jobs(names: Sequence[str], folder: Path) -> None:
    """Write some of the kept jobs, NAME.json each. Raises OSError."""
    for name in names:
        work = JOBS[name]()
        if isinstance(work, Company):
            write_work(work, folder / f"{name}.json")
        else:
            (folder / f"{name}.json").write_text(json.dumps(work.as_json()), encoding="utf-8")


def hashes(names: Sequence[str], jobs: Path, tree: Path, at_once: int) -> dict[str, str]:
    """Return the hash of each job's motion, as the package in a tree walks it; what it said where it refused.

    jobs: the folder of NAME.json. at_once: processes.
    """
    with TemporaryDirectory(prefix="biped-kept-") as folder, ThreadPoolExecutor(at_once) as pool:
        return dict(zip(names, pool.map(partial(_hash, jobs=jobs, tree=tree, folder=Path(folder)), names), strict=True))


def _hash(name: str, jobs: Path, tree: Path, folder: Path) -> str:
    motion = folder / name / "motion.npz"
    motion.parent.mkdir()
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "blender_biped.simulate", str(jobs / f"{name}.json"), str(motion)],
        env={**os.environ, "PYTHONPATH": str(tree), "PYTHONUTF8": "1"}, cwd=folder, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    made = sorted(motion.parent.glob("*.npz"))
    if ran.returncode or not made:
        said = (ran.stdout.strip() or ran.stderr.strip()).splitlines()
        return f"{REFUSED}{said[-1] if said else ran.returncode}"
    return " ".join(motion_hash(file) for file in made)


@contextmanager
def commit(revision: str) -> Iterator[Path]:
    """Give a folder with the package and the presets of a commit. Raises BipedError where there is none."""
    packed = subprocess.run(
        ["git", "archive", revision, "blender_biped", "presets"], cwd=ROOT, capture_output=True, check=False
    )
    if packed.returncode:
        raise BipedError(f"No commit {revision!r} of this project: {packed.stderr.decode().strip()}")
    with TemporaryDirectory(prefix="biped-commit-") as folder:
        with tarfile.open(fileobj=BytesIO(packed.stdout)) as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder)


def differing(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return the names, of those that both have, whose hashes differ."""
    return [name for name in after if name in before and before[name] != after[name]]
