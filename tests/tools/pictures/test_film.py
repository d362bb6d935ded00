"""A film of a walk: as many pictures as its time has, all of one size, in a small file that moves."""

from __future__ import annotations

from pathlib import Path as FilePath

import numpy as np
import pytest

pytest.importorskip("matplotlib")
from PIL import Image

from blender_biped.job import Job, write_job
from blender_biped.motion.motion import Motion, write_motion
from blender_biped.world.path import Path
from tests.motion.synthetic import walked
from tools.pictures import film

README = FilePath(__file__).parents[3] / "docs" / "walk.webp"


@pytest.fixture(scope="module")
def walk() -> tuple[Motion, Job]:
    return walked(Path([[0.0, 0.0], [1.5, 0.0]]))


def test_the_body_is_in_each_picture_and_moves(walk: tuple[Motion, Job], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film, "RATE", 4.0)  # pictures a second: each takes its time
    motion, job = walk
    found = [np.asarray(picture, dtype=int) for picture in film.pictures(motion, job)]
    assert len(found) == pytest.approx(motion.duration * film.RATE, abs=1.5)
    for picture in found:
        blue = (picture[..., 2] - picture[..., 0] > 60).mean()  # right limbs
        assert 0.005 < blue < 0.2
    assert np.abs(found[len(found) // 2] - found[len(found) // 2 + 1]).max() > 60


@pytest.mark.long
def test_the_film_is_written(walk: tuple[Motion, Job], tmp_path: FilePath) -> None:
    motion, job = walk
    write_motion(motion, tmp_path / "motion.npz")
    write_job(job, tmp_path / "job.json")
    given = [str(tmp_path / name) for name in ("motion.npz", "job.json", "walk.webp")]
    assert film.main(given) == 0
    with Image.open(tmp_path / "walk.webp") as written:
        assert getattr(written, "n_frames", 1) == pytest.approx(motion.duration * film.RATE, abs=1.5)
    assert film.main([*given[:2], str(tmp_path / "none" / "walk.webp")]) == 1
    (tmp_path / "job.json").write_text("[]")
    assert film.main(given) == 1


def test_the_film_of_the_readme_is_small() -> None:
    assert 100_000 < README.stat().st_size < 2_000_000
