"""Scenes written as .blend files with their walks, and pushes by direction: what is made and said of them."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tools.base.command_table import TRIAL_PARTS
from tools.commands.trials import SOURCES
from tools.trials import scene_files, shoulder

needs_blender = pytest.mark.skipif(importlib.util.find_spec("bpy") is None, reason="needs Blender as a module")


def in_another_process(code: str, folder: Path) -> Any:
    """Return what code that empties Blender's file has found."""
    done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.partition("FOUND")[2].splitlines()[0])


def test_the_parts_are_known_to_the_command_line() -> None:
    assert {"scene-files", "shoulder"} <= set(TRIAL_PARTS) <= set(SOURCES)
    assert [trial.group for trial in scene_files.PARTS["scene-files"]()] == list(scene_files.SCENES)
    assert len(set(shoulder.PARTS["shoulder"]())) == len(shoulder.WALKS) * len(shoulder.DIRECTIONS)


def test_it_is_said_what_became_of_each_scene_and_push() -> None:
    found: list[dict[str, Any]] = [
        {"group": "beam", "outcome": "arrived", "fallback": None, "lies": None},
        {"group": "push", "outcome": "arrived", "fallback": "calmer", "lies": None},
        {"group": "fall", "outcome": "fell", "fallback": None, "lies": True},
    ]
    assert scene_files.report_lines("scene-files", found) == [
        "  scene-files/beam.blend: arrived",
        "  scene-files/push.blend: arrived, in its place calmer",
        "  scene-files/fall.blend: fell, and lies still",
    ]
    walks: list[dict[str, Any]] = [
        {"phase": 0.0, "fell_at_s": None, "outcome": "arrived", "moved_m": 0.2},
        {"phase": 0.5, "fell_at_s": 4.0, "outcome": "fell", "moved_m": 0.9},
        {"phase": 0.9, "fell_at_s": None, "outcome": "unfinished", "moved_m": 0.01},
    ]
    (line,) = shoulder.report_lines("shoulder", [{"group": "natural, 1 m/s", "direction": "BACK", "walks": walks}])
    assert line.endswith("from ahead      2 of 3 stagger, 2 recover, 1 arrive")


@pytest.mark.long
@needs_blender
def test_a_scene_is_built_baked_written_and_drawn(tmp_path: Path) -> None:
    code = (
        "import json, sys, bpy; from pathlib import Path; from tools.trials import scene_files as s\n"
        "s.SCENES['short'] = s.SceneFile(s._props, 'generalized', 0.8, 2.5)\n"
        "found = s.run(s.FileTrial('short'), Path(sys.argv[1]))\n"
        "bpy.ops.wm.open_mainfile(filepath=str(Path(sys.argv[1]) / 'scene-files/short.blend'))\n"
        "moved = [thing.name for thing in bpy.data.objects if thing.animation_data and thing.animation_data.action]\n"
        "print('FOUND' + json.dumps([found, moved]))"
    )
    found, moved = in_another_process(code, tmp_path)
    assert found["outcome"] is not None and found["seconds"] > 3.0
    assert "Walker" in moved and "Cube" in moved
    assert (tmp_path / "scene-files/short.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.long
@needs_blender
def test_a_shoulder_is_pushed_through_the_scene(tmp_path: Path) -> None:
    code = (
        "import json, sys; from pathlib import Path; from tools.trials import shoulder as s\n"
        "s.PHASES, s.LENGTH = 1, 5.0\n"
        "found = s.run(s.ShoulderTrial('generalized', 0.8, 'BACK'), Path(sys.argv[1]))\n"
        "print('FOUND' + json.dumps(found))"
    )
    found = in_another_process(code, tmp_path)
    (walk,) = found["walks"]
    assert found["group"] == "generalized, 0.8 m/s" and walk["moved_m"] > shoulder.STAGGERS
