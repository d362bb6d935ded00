"""A motion that the disk does not take: one error that says so, and nothing after it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path as FilePath

import numpy as np
import pytest

from blender_biped.motion.motion import read_motion, write_motion
from blender_biped.world.path import Path
from tests.motion.synthetic import walked

ROOT = FilePath(__file__).parents[2]
CODE = """
import resource, sys
from pathlib import Path
from blender_biped.motion.motion import read_motion, write_motion
motion = read_motion(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), resource.RLIM_INFINITY))
try:
    write_motion(motion, Path(sys.argv[2]))
except OSError as error:
    print(error.strerror)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of a process")
@pytest.mark.parametrize("size", [0, 1_000, 100_000])
def test_a_motion_that_does_not_fit_is_told_once(tmp_path: FilePath, size: int) -> None:
    motion, _ = walked(Path([[0.0, 0.0], [2.0, 0.0]]))
    whole = tmp_path / "whole.npz"
    write_motion(motion, whole)
    command = [sys.executable, "-c", CODE, str(whole), str(tmp_path / "part.npz"), str(size)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout.strip(), done.stderr, done.returncode) == ("File too large", "", 0)


def test_what_was_written_is_read(tmp_path: FilePath) -> None:
    motion, _ = walked(Path([[0.0, 0.0], [2.0, 0.0]]))
    write_motion(motion, tmp_path / "walk.npz")
    again = read_motion(tmp_path / "walk.npz")
    assert np.array_equal(again.rotations, motion.rotations) and again.character == motion.character
    with np.load(tmp_path / "walk.npz", allow_pickle=False) as file:
        assert {"header", "times", "root"} <= set(file.files)
