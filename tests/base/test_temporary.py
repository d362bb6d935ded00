"""Temporary folders: a killed process leaves one, the next removes it, and none that is somebody's."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from blender_biped import worker_entry
from blender_biped.base import temporary
from blender_biped.base.temporary import TemporaryFolder, remove_stale

posix = pytest.mark.skipif(os.name != "posix", reason="needs links")
MAKE = """
import os, sys, tempfile
sys.path.insert(0, {root!r})
tempfile.tempdir = {place!r}
from blender_biped.base.temporary import TemporaryFolder
own = TemporaryFolder()
(own.path / "motion.npz").write_bytes(b"x" * 100)
print(own.path, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(temporary, "_YOUNG", -1.0)
    return tmp_path


def test_a_killed_process_leaves_a_folder_that_the_next_one_removes_and_not_before(place: Path) -> None:
    code = MAKE.format(root=str(Path(temporary.__file__).parents[2]), place=str(place))
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        folder = Path(process.stdout.readline().strip())
        remove_stale()
        assert (folder / "motion.npz").is_file()  # it is held
        process.kill()
    assert folder.is_dir()
    remove_stale()
    assert not folder.exists()


def test_ones_own_folder_stays_until_it_is_removed(place: Path) -> None:
    own = TemporaryFolder()
    remove_stale()
    assert own.path.is_dir()
    own.remove()
    own.remove()
    assert not list(place.iterdir())


def test_a_young_folder_stays(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(temporary, "_YOUNG", 60.0)
    young, old = place / "biped-young", place / "biped-old"
    for folder in (young, old):
        folder.mkdir()
        (folder / temporary.OWNER).touch()
    os.utime(old, (time.time() - 100.0,) * 2)
    remove_stale()
    assert young.is_dir() and not old.exists()


@posix
def test_what_is_not_surely_ones_own_stays(place: Path) -> None:
    precious = place / "precious"
    precious.mkdir()
    (precious / temporary.OWNER).touch()
    (place / "biped-link").symlink_to(precious)
    (place / "biped-without").mkdir()
    (place / "biped-file").touch()
    linked = place / "biped-linked-owner"
    linked.mkdir()
    (linked / temporary.OWNER).symlink_to(precious / temporary.OWNER)
    if os.geteuid() == 0:
        others = place / "biped-others"
        others.mkdir()
        (others / temporary.OWNER).touch()
        os.chown(others, 65534, 65534)
    before = sorted(place.rglob("*"))
    remove_stale()
    assert sorted(place.rglob("*")) == before


def test_a_worker_without_a_job_removes_what_its_maker_left_and_no_other_folder(tmp_path: Path) -> None:
    assert worker_entry.OWNER == temporary.OWNER
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours, theirs):
        folder.mkdir()
        (folder / temporary.OWNER).touch()
    (theirs / "walk.blend").touch()
    worker_entry.leave(str(ours))
    worker_entry.leave(str(theirs))
    worker_entry.leave(str(tmp_path / "none"))
    assert not ours.exists() and len(list(theirs.iterdir())) == 2
