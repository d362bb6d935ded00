"""A film of a baked skin: it takes as long as the walk, and the skin stays in them as it walks away."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("bpy")
import bpy
from PIL import Image, ImageSequence

ROOT = Path(__file__).resolve().parents[3]
SECONDS, FAR, RATE = 1.0, 2.0, 10.0  # of the walk, m of its way, pictures a second


def made(file: Path, walks: bool) -> None:
    """Write a file with a bar for a character, that moves away or has no action."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.object.armature_add()
    armature = bpy.context.object
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, 0.0, 0.5))
    skin = bpy.context.object
    skin.scale, skin.parent = (0.4, 0.4, 1.0), armature
    skin.modifiers.new("Armature", "ARMATURE").object = armature
    rate = bpy.context.scene.render.fps
    for frame, place in ((1, 0.0), (1 + round(SECONDS * rate), FAR)) if walks else ():
        armature.location.y = -place
        armature.keyframe_insert("location", frame=frame)
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    bpy.ops.wm.read_factory_settings(use_empty=True)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Make a film in a process of its own, which Blender ends where it cannot draw."""
    command = [sys.executable, "-m", "tools.pictures.skin_film", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)


def test_the_eye_goes_along(tmp_path: Path) -> None:
    made(tmp_path / "walk.blend", True)
    done = run(str(tmp_path / "walk.blend"), str(tmp_path / "walk.webp"), "--from", "beside")
    if done.returncode < 0:
        pytest.skip("Blender cannot draw here")
    assert done.returncode == 0, done.stderr
    with Image.open(tmp_path / "walk.webp") as film:
        found, lasts = [], 0.0
        for one in ImageSequence.Iterator(film):
            found.append(np.asarray(one.convert("L"), dtype=float))
            lasts += float(one.info["duration"])
    assert lasts == pytest.approx(1000.0 * SECONDS, abs=1000.0 / RATE)
    for picture in (found[0], found[len(found) // 2], found[-1]):
        assert 0.01 < (np.abs(picture - picture[0, 0]) > 30).mean() < 0.6


def test_without_a_walk_there_is_no_film(tmp_path: Path) -> None:
    made(tmp_path / "still.blend", False)
    done = run(str(tmp_path / "still.blend"), str(tmp_path / "still.webp"))
    assert done.returncode == 1 and "Nobody with a skin walks" in done.stderr
