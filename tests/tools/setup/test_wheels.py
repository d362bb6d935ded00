# SPDX-License-Identifier: GPL-3.0-or-later
"""PyBullet's wheels: which they are, what is left of them, and that no other is taken."""

from __future__ import annotations

import base64
import csv
import ctypes
import hashlib
import shutil
import struct
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tools.base import command_table
from tools.base.command_table import ROOT
from tools.setup import wheels
from tools.setup.steps import SetupError

PROJECT = "pybullet_arm64-3.2.8"
ABOUT = f"{PROJECT}.dist-info"
FAT = f"{PROJECT}-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl"
SLIM = f"{PROJECT}-cp311-cp311-manylinux_2_28_x86_64.whl"


@pytest.fixture
def fat(tmp_path: Path) -> Path:
    """Return a wheel like the index's: the module among sample data, other modules and tests."""
    path = tmp_path / FAT
    with zipfile.ZipFile(path, "w") as target:
        for name, data in {
            "pybullet.cpython-311-x86_64-linux-gnu.so": b"the module",
            "eglRenderer.cpython-311-x86_64-linux-gnu.so": b"another module",
            "pybullet_data/plane.urdf": b"<robot/>",
            "pybullet_utils/tests/test_it.py": b"",
            f"{ABOUT}/licenses/LICENSE.txt": b"zlib",
            f"{ABOUT}/METADATA": b"Metadata-Version: 2.1\nName: pybullet-arm64\nVersion: 3.2.8\n",
            f"{ABOUT}/RECORD": b"old",
            f"{ABOUT}/WHEEL": b"Wheel-Version: 1.0\nTag: cp311-cp311-manylinux_2_27_x86_64\n",
            f"{ABOUT}/top_level.txt": b"pybullet\npybullet_data\n",
        }.items():
            target.writestr(name, data)
    return path


@pytest.fixture
def offline(fat: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the locked wheels' file for ``fat``, which is all that pip finds."""
    for name, value in {"NO_INDEX": "1", "FIND_LINKS": str(fat.parent), "EXTRA_INDEX_URL": ""}.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    lock = tmp_path / "lock.txt"
    digest = hashlib.sha256(fat.read_bytes()).hexdigest()
    lock.write_text(
        f"# A note.\npybullet-arm64==3.2.8 \\\n    --hash=sha256:{'0' * 64} \\\n    --hash=sha256:{digest}\n"
    )
    return lock


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
    slim = wheels.slimmed(fat, tmp_path / "slim", "linux-x64")
    assert slim.name == SLIM
    assert_valid_wheel(slim)
    with zipfile.ZipFile(slim) as wheel:
        assert sorted(wheel.namelist()) == [
            "pybullet.cpython-311-x86_64-linux-gnu.so",
            f"{ABOUT}/METADATA",
            f"{ABOUT}/RECORD",
            f"{ABOUT}/WHEEL",
            f"{ABOUT}/licenses/LICENSE.txt",
            f"{ABOUT}/top_level.txt",
        ]
        assert wheel.read(f"{ABOUT}/top_level.txt") == b"pybullet\n"


def test_an_elf_module_loses_its_symbols_and_still_loads(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if not compiler or not sys.platform.startswith("linux"):
        pytest.skip("no compiler of ELF modules")
    (tmp_path / "module.c").write_text("static int kept = 21; int PyInit_pybullet(void) { return kept *= 2; }\n")
    subprocess.run([compiler, "-g3", "-shared", "-fPIC", "-o", "fat.so", "module.c"], cwd=tmp_path, check=True)
    before = (tmp_path / "fat.so").read_bytes()
    after = wheels.loaded_part(before)
    (tmp_path / "slim.so").write_bytes(after)
    assert b".debug_info" in before
    assert b".debug_info" not in after
    assert len(after) < len(before)
    assert ctypes.CDLL(str(tmp_path / "slim.so")).PyInit_pybullet() == 42
    assert wheels.loaded_part(after) == after


@pytest.mark.parametrize("module", [b"\xca\xfe\xba\xbe, signed", b"\xcf\xfa\xed\xfe, signed", b"MZ, Windows"])
def test_other_modules_stay_as_they_are(module: bytes) -> None:
    assert wheels.loaded_part(module) == module


def test_of_a_module_for_both_kinds_of_mac_one_is_kept() -> None:
    own = {0x01000007: b"for Intel's", 0x0100000C: b"for Apple's, signed"}
    head, places, body = struct.pack(">4sI", b"\xca\xfe\xba\xbe", len(own)), b"", b""
    for kind, part in own.items():
        places += struct.pack(">IIIII", kind, 3, 8 + 20 * len(own) + len(body), len(part), 0)
        body += part
    both = head + places + body
    assert wheels.own_part(both, "macos-arm64") == own[0x0100000C]
    assert wheels.own_part(both, "macos-x64") == own[0x01000007]
    assert wheels.own_part(b"\x7fELF", "linux-x64") == b"\x7fELF"
    assert wheels.slim_platform("macos-arm64", "3.11") == "macosx_11_0_arm64"
    assert wheels.slim_platform("macos-arm64", "3.13") == "macosx_14_0_arm64"


def test_the_same_wheel_twice_is_the_same_file(fat: Path, tmp_path: Path) -> None:
    both = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        both.append(wheels.slimmed(fat, tmp_path / name, "linux-x64").read_bytes())
    assert both[0] == both[1]


def test_a_kept_wheel_is_taken_without_asking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheels, "run", lambda *_: pytest.fail("asked"))
    (tmp_path / SLIM.replace("3.2.8", "3.2.7")).touch()
    (tmp_path / SLIM).touch()
    assert wheels.slim_wheel(Path("python"), "linux-x64", "3.11", tmp_path) == tmp_path / SLIM


def test_a_locked_wheel_is_taken_and_kept_slim(offline: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    slim = wheels.slim_wheel(Path(sys.executable), "linux-x64", "3.11", cache, offline)
    assert slim == cache / SLIM
    assert_valid_wheel(slim)


def test_a_tampered_wheel_is_refused(fat: Path, offline: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(fat, "a") as wheel:
        wheel.writestr("pybullet_data/more.txt", b"not from there")
    with pytest.raises(SetupError, match=r"(?s)DO NOT MATCH THE HASHES.*Got"):
        wheels.slim_wheel(Path(sys.executable), "linux-x64", "3.11", tmp_path / "cache", offline)
    assert not list((tmp_path / "cache").glob("*.whl"))


def test_the_real_lock_refuses_a_wheel_of_the_same_name(offline: Path, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="DO NOT MATCH THE HASHES"):
        wheels.slim_wheel(Path(sys.executable), "linux-x64", "3.11", tmp_path / "cache")


def test_each_system_and_python_has_a_locked_wheel() -> None:
    wanted = {(tag, version) for tags in wheels.PLATFORMS.values() for version, tag in tags.items()}
    lines = wheels.LOCK.read_text(encoding="utf-8").splitlines()
    locked = [line for line in lines if "--hash=sha256:" in line]
    assert len({line.partition("sha256:")[2].rstrip(" \\") for line in locked}) == len(wanted) == len(locked)
    named = "\n".join(line for line in lines if line.startswith("#"))
    assert all(f"cp{version.replace('.', '')}-" in named and tag in named for tag, version in wanted)


def test_where_there_is_no_wheel_it_is_said_where_there_are(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"macos-x64 with Python 3\.13.*macos-x64 with Python 3\.11;"):
        wheels.slim_wheel(Path(sys.executable), "macos-x64", "3.13", tmp_path)
    with pytest.raises(SetupError, match="no wheel of PyBullet for linux-arm64"):
        wheels.slim_wheel(Path(sys.executable), "linux-arm64", "3.11", tmp_path)


def test_the_names_of_systems_are_those_of_the_command_line() -> None:
    assert tuple(wheels.PLATFORMS) == command_table.PLATFORMS


def test_the_version_is_in_one_place() -> None:
    assert wheels.requirement() == "pybullet-arm64==3.2.8"
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert "pybullet-arm64" in tomllib.loads(project)["project"]["dependencies"]
    assert "3.2.8" not in project
