# SPDX-License-Identifier: GPL-3.0-or-later
"""PyBullet's wheels: what is left of them, and how one is come by."""

from __future__ import annotations

import base64
import csv
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from tools.setup import wheels
from tools.setup.steps import SetupError

ABOUT = "pybullet-3.2.7.dist-info"
FAT = "pybullet-3.2.7-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl"
PINS = ["numpy", "pybullet==3.2.7"]


def module_with_symbols(folder: Path) -> bytes:
    """Return a shared library with debug symbols; some bytes that are none where there is no compiler."""
    compiler = shutil.which("cc")
    if not compiler or not shutil.which("strip"):
        return b"no module"
    (folder / "module.c").write_text("int PyInit_pybullet(void) { return 42; }\n")
    subprocess.run([compiler, "-g3", "-shared", "-fPIC", "-o", "module.so", "module.c"], cwd=folder, check=True)
    return (folder / "module.so").read_bytes()


@pytest.fixture
def fat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a wheel like the index's: the module among sample data, other modules and tests."""
    module = module_with_symbols(tmp_path)
    if module == b"no module":
        monkeypatch.setattr(wheels, "_stripped", lambda data, suffix: data)
    path = tmp_path / FAT
    with zipfile.ZipFile(path, "w") as target:
        for name, data in {
            "pybullet.cpython-311-x86_64-linux-gnu.so": module,
            "eglRenderer.cpython-311-x86_64-linux-gnu.so": module,
            "pybullet_data/plane.urdf": b"<robot/>",
            "pybullet_utils/tests/test_it.py": b"",
            f"{ABOUT}/LICENSE.txt": b"zlib",
            f"{ABOUT}/METADATA": b"Metadata-Version: 2.1\nName: pybullet\nVersion: 3.2.7\n",
            f"{ABOUT}/RECORD": b"old",
            f"{ABOUT}/WHEEL": b"Wheel-Version: 1.0\nTag: cp311-cp311-manylinux_2_17_x86_64\n",
            f"{ABOUT}/top_level.txt": b"pybullet\npybullet_data\n",
        }.items():
            target.writestr(name, data)
    return path


def assert_valid_wheel(path: Path) -> None:
    """Check that the RECORD names every file of a wheel, with its hash and size."""
    with zipfile.ZipFile(path) as wheel:
        about = next(name.split("/")[0] for name in wheel.namelist() if name.endswith("/RECORD"))
        rows = {row[0]: row[1:] for row in csv.reader(wheel.read(f"{about}/RECORD").decode().splitlines())}
        assert set(rows) == set(wheel.namelist())
        assert rows.pop(f"{about}/RECORD") == ["", ""]
        for name, (digest, size) in rows.items():
            data = wheel.read(name)
            kind, _, value = digest.partition("=")
            assert (kind, int(size)) == ("sha256", len(data))
            assert base64.urlsafe_b64decode(value + "=" * (-len(value) % 4)) == hashlib.sha256(data).digest()
        *_, python, abi, on = path.stem.split("-")
        assert f"Tag: {python}-{abi}-{on}\n" in wheel.read(f"{about}/WHEEL").decode()


def test_a_slim_wheel_is_a_valid_one_with_the_module_only(fat: Path, tmp_path: Path) -> None:
    (tmp_path / "slim").mkdir()
    slim = wheels.slimmed(fat, tmp_path / "slim")
    assert slim.name == "pybullet-3.2.7-cp311-cp311-manylinux2014_x86_64.whl"
    assert_valid_wheel(slim)
    with zipfile.ZipFile(slim) as wheel:
        assert sorted(wheel.namelist()) == [
            f"{ABOUT}/LICENSE.txt",
            f"{ABOUT}/METADATA",
            f"{ABOUT}/RECORD",
            f"{ABOUT}/WHEEL",
            f"{ABOUT}/top_level.txt",
            "pybullet.cpython-311-x86_64-linux-gnu.so",
        ]
        assert wheel.read(f"{ABOUT}/top_level.txt") == b"pybullet\n"


def test_debug_symbols_go_and_the_function_stays(fat: Path, tmp_path: Path) -> None:
    (tmp_path / "slim").mkdir()
    with zipfile.ZipFile(fat) as wheel:
        before = wheel.read("pybullet.cpython-311-x86_64-linux-gnu.so")
    if before == b"no module":
        pytest.skip("no compiler, or no strip")
    with zipfile.ZipFile(wheels.slimmed(fat, tmp_path / "slim")) as wheel:
        after = wheel.read("pybullet.cpython-311-x86_64-linux-gnu.so")
    assert b".debug_info" in before
    assert b".debug_info" not in after
    assert b"PyInit_pybullet" in after


def test_the_same_wheel_twice_is_the_same_file(fat: Path, tmp_path: Path) -> None:
    both = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        both.append(wheels.slimmed(fat, tmp_path / name).read_bytes())
    assert both[0] == both[1]


def test_a_kept_wheel_is_taken_without_asking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheels, "run", lambda *_: pytest.fail("asked"))
    (tmp_path / "pybullet-3.2.6-cp313-cp313-linux_x86_64.whl").touch()
    kept = tmp_path / "pybullet-3.2.7-cp313-cp313-linux_x86_64.whl"
    kept.touch()
    assert wheels.found(Path("python"), "3.13", PINS, tmp_path) == kept


def test_a_found_wheel_is_kept_slim(fat: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def download(command: Sequence[str | Path], log: Path, what: str) -> None:
        shutil.copy(fat, Path(command[command.index("-d") + 1]))

    monkeypatch.setattr(wheels, "run", download)
    cache = tmp_path / "cache"
    slim = wheels.found(Path("python"), "3.11", PINS, cache)
    assert slim
    assert slim.parent == cache
    assert_valid_wheel(slim)
    assert list(cache.iterdir()) == [slim]


def test_no_wheel_is_none_and_no_network_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(said: str) -> None:
        def run(*_: object) -> None:
            raise SetupError(said)

        monkeypatch.setattr(wheels, "run", run)

    fail("ERROR: No matching distribution found for pybullet==3.2.7")
    assert wheels.found(Path("python"), "3.13", PINS, tmp_path) is None
    fail("ERROR: disk full")
    with pytest.raises(SetupError, match="disk full"):
        wheels.found(Path("python"), "3.13", PINS, tmp_path)


def test_without_a_compiler_the_packages_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    if os.name != "posix":
        pytest.skip("Visual Studio says what it lacks")
    with pytest.raises(SetupError, match=r"build-essential python3\.13-dev"):
        wheels.built(sys.executable, "3.13", PINS, tmp_path)
