"""The zip in other Blenders: what is installed where, and that its tests run on it and not on the project's package."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tools.commands.test import SIDE_BY_SIDE
from tools.setup import blenders, interpreters, wheels
from tools.setup.steps import SetupError, environment_python


@pytest.fixture
def extension(tmp_path: Path) -> Path:
    """Return a zip as the packaging makes it, of an extension that says where it is."""
    file = tmp_path / f"biped_locomotion-0.2.0-{wheels.this_platform()}.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("__init__.py", "INSTALLED = True\n")
        for tag in ("cp311", "cp313"):
            archive.writestr(f"wheels/pybullet_arm64-3.2.8-{tag}-{tag}-linux.whl", b"")
    return file


def test_the_newest_zip_of_this_system_is_taken(extension: Path, tmp_path: Path) -> None:
    assert blenders.newest_zip(tmp_path) == extension
    with pytest.raises(SetupError, match=r"build\.py package"):
        blenders.newest_zip(tmp_path / "empty")


def test_a_zip_is_a_package_with_a_wheel_for_each_python(extension: Path, tmp_path: Path) -> None:
    for name, blender in blenders.BLENDERS.items():
        wheel = blenders.installed(extension, tmp_path / name, blender.python)
        assert f"-cp{blender.python.replace('.', '')}-" in wheel.name
        assert (tmp_path / name / "blender_biped" / "__init__.py").exists()
    with pytest.raises(SetupError, match=r"has no wheel for Python 3\.12"):
        blenders.installed(extension, tmp_path / "none", "3.12")


def test_tests_run_on_the_zip(extension: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "project"
    (project / "blender_biped").mkdir(parents=True)
    (project / "blender_biped" / "__init__.py").write_text("INSTALLED = False\n", encoding="utf-8")
    (project / "tests").mkdir()
    (project / "tests" / "test_it.py").write_text(
        "def test_it():\n    import blender_biped\n    assert blender_biped.INSTALLED\n", encoding="utf-8"
    )
    asked: list[tuple[str, str]] = []

    def own_python(name: str, wheel: Path, root: Path) -> Path:
        asked.append((name, wheel.name))
        return Path(sys.executable)

    monkeypatch.setattr(blenders, "python_with", own_python)
    side_by_side = (*SIDE_BY_SIDE, "--numprocesses=1")  # a process of its own, as of two
    assert blenders.tested("4.2", ["-q", *side_by_side, "tests/test_it.py"], extension, project) == 0
    assert asked == [("4.2", "pybullet_arm64-3.2.8-cp311-cp311-linux.whl")]
    assert blenders.tested("5.2", ["-q", "tests/missing.py"], extension, project) != 0


CRASHES = "import atexit, os, signal\natexit.register(lambda: os.kill(os.getpid(), signal.SIGABRT))\n"


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize(("body", "code"), [("pass", 0), ("assert False", 1)])
def test_a_module_that_crashes_at_its_end_does_not_fail_its_tests(
    body: str, code: int, extension: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of Blender 4.2 does, after all tests have passed."""
    project = tmp_path / "project"
    (project / "tests").mkdir(parents=True)
    file = project / "tests" / "test_it.py"
    file.write_text(f"{CRASHES}def test_it():\n    {body}\n", encoding="utf-8")
    monkeypatch.setattr(blenders, "python_with", lambda name, wheel, root: Path(sys.executable))
    given = ["-q", "-p", "no:faulthandler", "tests/test_it.py"]
    assert blenders.tested("4.2", given, extension, project) == code
    assert blenders.tested("4.5", given, extension, project) < 0  # there a crash is to be heard of


def test_an_environment_is_made_once_for_a_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[Any] = []
    monkeypatch.setattr(interpreters, "find", lambda version: sys.executable)
    monkeypatch.setattr(blenders, "run", lambda command, log, what: done.append(what))
    monkeypatch.setattr(blenders, "check_blender", lambda python: done.append("starts"))

    def made(folder: Path, python: str) -> None:
        (folder / "bin").mkdir(parents=True, exist_ok=True)
        environment_python(folder).parent.mkdir(parents=True, exist_ok=True)
        environment_python(folder).touch()

    monkeypatch.setattr(blenders, "make_environment", made)
    wheel = tmp_path / "pybullet_arm64-3.2.8-cp311-cp311-linux.whl"
    for _ in range(2):
        blenders.python_with("4.2", wheel, tmp_path)
    assert done == ["Installing Blender 4.2 as a module (350 MB)", f"Installing {wheel.name}", "starts"]
    blenders.python_with("4.2", wheel.with_name("pybullet_arm64-3.2.9-cp311-cp311-linux.whl"), tmp_path)
    assert len(done) == 6


def test_an_unknown_blender_is_refused_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert blenders.main(["2.79"]) == blenders.main([]) == 2
    assert "Choose a Blender: 4.2, 4.5, 5.0, 5.1, 5.2." in capsys.readouterr().err


def test_it_starts_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.setup.blenders"], cwd=blenders.ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
