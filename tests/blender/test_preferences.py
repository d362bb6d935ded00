"""The preferences: which Python runs the worker, and the button that tries it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.registry import presets
from blender_biped.motion.strip import shown_job
from blender_biped.ui.panels import preferences_panel
from blender_biped.ui.panels.preferences_panel import trial
from blender_biped.ui.settings import preferences
from blender_biped.ui.view.simulation import Simulation
from tests.marks import long_but
from tools.base.quiet import quiet


@pytest.fixture
def chosen(scene: Any) -> Iterator[Any]:
    """The extension's preferences."""
    addon = bpy.context.preferences.addons.new()
    addon.module = preferences.PACKAGE
    yield addon.preferences
    trial.forget()
    bpy.context.preferences.addons.remove(addon)


@pytest.mark.parametrize("own", long_but([True, False], False), ids=["Blender's own", "another"])
def test_a_python_that_works_says_its_versions_and_a_seconds_time(chosen: Any, own: bool) -> None:
    chosen.python = "" if own else sys.executable
    assert bpy.ops.biped.test_python() == {"FINISHED"}
    versions = f"Python {sys.version.split()[0]}, NumPy {np.__version__}, PyBullet {metadata.version('pybullet-arm64')}"
    assert trial.message.startswith(f"{versions}: it works. It walks a second in ") and trial.level == "INFO"
    assert float(trial.message.partition("second in ")[2].split()[0]) > 0.0  # s, however long it took
    assert trial.worker is None


def test_a_python_that_is_not_there_is_named(chosen: Any) -> None:
    chosen.python = "/nowhere/python"
    assert bpy.ops.biped.test_python() == {"CANCELLED"}
    assert "Cannot start the Python /nowhere/python: " in trial.message and trial.level == "ERROR"


@pytest.mark.skipif(os.name != "posix", reason="needs a script as a program")
@pytest.mark.parametrize("relative", ["//python3", "python3", "./python3", "//tools/../python3"])
def test_what_lies_beside_an_open_file_is_never_run(
    chosen: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, relative: str
) -> None:
    (tmp_path / "tools").mkdir()
    program = tmp_path / "python3"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with quiet():
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "downloaded.blend"), check_existing=False)
    chosen.python = relative
    assert bpy.ops.biped.test_python() == {"CANCELLED"}
    assert "is not a whole path" in trial.message and trial.level == "ERROR"
    shown = Simulation()  # the preview's
    shown.desire(shown_job(presets("klaw")[0], standard_character()), preferences.worker_python(bpy.context))
    assert shown.state == "failed" and "is not a whole path" in shown.error
    assert not (tmp_path / "ran").exists()


@pytest.mark.skipif(sys.prefix == sys.base_prefix, reason="needs a Python without libraries")
def test_a_python_without_a_library_says_which(chosen: Any) -> None:
    chosen.python = sys._base_executable  # type: ignore[attr-defined]
    assert bpy.ops.biped.test_python() == {"CANCELLED"}
    assert "cannot load numpy" in trial.message or "cannot load pybullet" in trial.message
    assert "Install it there" in trial.message


@pytest.mark.skipif(os.name != "posix", reason="needs a script as a program")
def test_a_program_that_never_ends_is_given_up(chosen: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\nexec sleep 60\n", encoding="utf-8")
    program.chmod(0o755)
    chosen.python = str(program)
    monkeypatch.setattr(preferences_panel, "PATIENCE", 0.5)
    assert bpy.ops.biped.test_python() == {"CANCELLED"}
    assert "It has not walked a second within" in trial.message and trial.worker is None


def test_blenders_own_runtime_of_cpp_is_for_its_python(chosen: Any, tmp_path: Path) -> None:
    """Blender for Windows has it beside itself."""
    (tmp_path / "blender.crt").mkdir()
    before = bpy.app.binary_path
    try:
        bpy.app.binary_path = str(tmp_path / "blender.exe")
        assert preferences.worker_python(bpy.context)[1][-1] == str(tmp_path / "blender.crt")
        chosen.python = sys.executable
        assert preferences.worker_python(bpy.context)[1] == []
        chosen.python, bpy.app.binary_path = "", str(tmp_path / "none" / "blender.exe")
        assert preferences.runtime_folders() == []
    finally:
        bpy.app.binary_path = before


def test_another_choice_forgets_what_was_said(chosen: Any) -> None:
    chosen.python = "/nowhere/python"
    bpy.ops.biped.test_python()
    chosen.python = ""
    assert trial.message == ""


def test_two_are_not_tried_at_once(chosen: Any) -> None:
    trial.begin(bpy.context)
    assert trial.advance() and not bpy.ops.biped.test_python.poll()
    trial.forget()
    assert trial.worker is None and bpy.ops.biped.test_python.poll()
