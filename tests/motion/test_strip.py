"""The picture of a stride: poses side by side, as a small file that any program reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from blender_biped.base.spatial import Array
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import kind_of, preset
from blender_biped.motion.strip import LEFT, RIGHT, THUMBNAIL, png, shown_job, thumbnail
from blender_biped.motion.watch import UNWATCHED


@pytest.fixture(scope="module")
def picture() -> Array:
    job = shown_job(preset("klaw", "march"), standard_character())
    walk = kind_of("klaw").walk
    assert walk and job.speed == 1.4
    return thumbnail(walk(job, UNWATCHED).since(0), job.ground)


def test_it_shows_some_poses_with_room_around_them(picture: Array) -> None:
    assert picture.shape == (*THUMBNAIL, 4) and picture.min() >= 0.0 and picture.max() <= 1.0
    covered = picture[..., 3] > 0.5
    columns = covered[: THUMBNAIL[0] // 5].any(axis=0)  # heads
    assert np.count_nonzero(np.diff(columns.astype(int)) == 1) == 3
    assert not covered[:4].any() and covered[-10:].any()  # air above them, feet on the ground


def test_the_left_limbs_are_orange_and_the_right_ones_blue(picture: Array) -> None:
    seen = picture[picture[..., 3] > 0.99][:, :3]
    for color in (LEFT, RIGHT):
        along = seen @ np.array(color) / np.linalg.norm(seen, axis=1) / np.linalg.norm(color)
        assert np.count_nonzero(along > 0.995) > 200


def test_its_file_is_small_and_says_the_same(picture: Array, tmp_path: Path) -> None:
    image = pytest.importorskip("matplotlib.image")
    file = tmp_path / "picture.png"
    file.write_bytes(png(picture))
    read = image.imread(file)
    assert file.stat().st_size < 15_000
    assert np.abs(read - picture)[picture[..., 3] > 0.99].max() < 0.011 and read.shape == picture.shape
