# SPDX-License-Identifier: GPL-3.0-or-later
"""The wheel of the package without Blender's parts."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from blender_biped.batch.folder import Piece
from tests.batch.jobs import jobs_in
from tests.tools.setup.test_wheels import assert_valid_wheel
from tools.commands import package
from tools.setup.own_wheel import write_wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_wheel(tmp_path_factory.mktemp("wheel"))


def test_the_wheel_is_valid_and_depends_on_its_sources_alone(wheel: Path, tmp_path: Path) -> None:
    assert_valid_wheel(wheel)
    assert package.main(["--wheel", "--out", str(tmp_path)]) == 0
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()


def test_it_has_all_but_what_needs_blender(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for own in ("__main__.py", "worker_entry.py", "motion/adult_gait.csv", "presets/natural/default.json"):
        assert f"blender_biped/{own}" in names
    assert not [name for name in names if "/ui/" in name or name.endswith((".png", ".toml", ".pyc"))]


def test_it_needs_numpy_and_pybullet_and_for_a_farm_more(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (about,) = (name for name in archive.namelist() if name.endswith("METADATA"))
    said = Parser().parsestr(archive.read(about).decode("utf-8"))
    needed = said.get_all("Requires-Dist") or []
    assert [one for one in needed if "extra" not in one] == ["numpy", "pybullet-arm64"]
    assert said["Provides-Extra"] == "farm" and any(one.startswith("distributed") for one in needed)
    assert said["Requires-Python"] == ">=3.11" and "biped batch FOLDER" in said.get_payload()


@pytest.mark.long
def test_what_is_in_it_walks_a_job(wheel: Path, tmp_path: Path) -> None:
    pytest.importorskip("pybullet")
    installed, jobs = tmp_path / "installed", tmp_path / "jobs"
    zipfile.ZipFile(wheel).extractall(installed)
    jobs.mkdir()
    jobs_in(jobs, "a")
    done = subprocess.run(
        [sys.executable, "-m", "blender_biped", "batch", str(jobs), "--jobs", "1"],
        cwd=installed, env={**os.environ, "PYTHONPATH": str(installed)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert Piece(jobs, "a").outcome().state == "walked"
