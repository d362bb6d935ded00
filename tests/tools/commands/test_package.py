# SPDX-License-Identifier: GPL-3.0-or-later
"""The zip that Blender installs."""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.tools.setup.test_wheels import assert_valid_wheel
from tools.base.command_line import python_tags
from tools.base.command_table import ROOT
from tools.commands import package
from tools.setup import interpreters, wheels
from tools.setup.steps import SetupError

NAMES = ["pybullet-3.2.7-cp313-cp313-linux_x86_64.whl", "pybullet-3.2.7-cp311-cp311-manylinux2014_x86_64.whl"]


def own_manifest() -> str:
    return (package.PACKAGE / package.MANIFEST).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def kept() -> list[Path]:
    """Return the wheels that setting up left; for this Python at least."""
    found = sorted(wheels.CACHE.glob("pybullet-*.whl"))
    own = "cp{}{}".format(*sys.version_info[:2])
    if not any(f"-{own}-" in wheel.name for wheel in found):
        pytest.skip(f"no wheel in {wheels.CACHE.name}: 'python3 build.py test' puts it there")
    return found


@pytest.fixture(scope="module")
def zipped(kept: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return package.packed(tmp_path_factory.mktemp("dist"), kept)


def test_the_manifest_is_filled_in() -> None:
    before = tomllib.loads(own_manifest())
    after = tomllib.loads(package.filled_manifest(own_manifest(), "linux-x64", NAMES))
    assert after.pop("platforms") == ["linux-x64"]
    assert after.pop("wheels") == [f"./wheels/{name}" for name in sorted(NAMES)]
    assert after == before


def test_a_manifest_without_tables_is_filled_in() -> None:
    assert tomllib.loads(package.filled_manifest('id = "x"\n', "linux-x64", [])) == {
        "id": "x", "platforms": ["linux-x64"], "wheels": [],
    }  # fmt: skip


def test_the_extension_and_the_project_have_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert tomllib.loads(own_manifest())["version"] == project["version"]


def test_python_tags_are_read() -> None:
    assert python_tags("311, 313") == ["311", "313"]
    with pytest.raises(argparse.ArgumentTypeError, match="311,313"):
        python_tags("3.11")


def test_the_zip_has_what_the_extension_needs_and_nothing_else(zipped: Path, kept: list[Path]) -> None:
    with zipfile.ZipFile(zipped) as archive:
        names = set(archive.namelist())
        assert archive.read("LICENSE").decode().split()[:3] == ["GNU", "GENERAL", "PUBLIC"]
    assert {
        "__init__.py",
        "simulate.py",
        "worker_entry.py",
        "presets/generalized/default.json",
        "presets/transitions.json",
    } <= names
    assert {name for name in names if name.startswith("wheels/")} == {f"wheels/{wheel.name}" for wheel in kept}
    package_files = {f.relative_to(package.PACKAGE).as_posix() for f in package.PACKAGE.rglob("*.py")}
    assert {name for name in names if name.endswith(".py")} == package_files
    assert not [name for name in names if "test" in name.lower() or "__pycache__" in name or name.endswith(".pyc")]
    assert zipped.stat().st_size < 10_000_000


def test_the_table_of_transitions_comes_with_the_presets() -> None:
    found = package.sources(ROOT / "presets", "presets/")
    assert {"presets/transitions.json", "presets/simbicon/walk.json"} <= set(found)


def test_its_wheels_are_valid(zipped: Path, kept: list[Path], tmp_path: Path) -> None:
    with zipfile.ZipFile(zipped) as archive:
        for wheel in kept:
            assert_valid_wheel(Path(archive.extract(f"wheels/{wheel.name}", tmp_path)))


def test_blender_accepts_it(zipped: Path) -> None:
    package.validate(zipped)


def test_blender_refuses_a_manifest_that_breaks_its_rules(zipped: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(zipped) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    content[package.MANIFEST] = re.sub(rb'(?m)^version = ".*"', b'version = "first"', content[package.MANIFEST])
    wheels.write_zip(tmp_path / zipped.name, content)
    with pytest.raises(SetupError, match="version"):
        package.validate(tmp_path / zipped.name)


def test_the_same_sources_give_the_same_zip(zipped: Path, kept: list[Path], tmp_path: Path) -> None:
    assert package.packed(tmp_path, kept).read_bytes() == zipped.read_bytes()


def test_a_zip_that_is_too_big_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "MAX_SIZE", 1000)
    with pytest.raises(SetupError, match="must stay under"):
        package.packed(tmp_path, [])


def test_a_wheel_that_must_be_built_is_left_out_unless_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = {"3.11": tmp_path / NAMES[1]}
    monkeypatch.setattr(wheels, "found", lambda python, version, pins: there.get(version))
    monkeypatch.setattr(wheels, "built", lambda python, version, pins: tmp_path / f"built-{version}")
    monkeypatch.setattr(interpreters, "find", lambda version: f"python{version}")
    assert package.collected([]) == [there["3.11"]]
    assert "PyBullet for Python 3.13" in capsys.readouterr().out
    assert package.collected(["311", "313"]) == [there["3.11"], tmp_path / "built-3.13"]


def test_no_wheel_at_all_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheels, "found", lambda python, version, pins: None)
    with pytest.raises(SetupError, match="--python-tags"):
        package.collected([])
