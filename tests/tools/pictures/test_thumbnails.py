"""The thumbnails of the shipped styles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from blender_biped.base.errors import DataError
from blender_biped.control.registry import kinds, presets
from blender_biped.motion.strip import THUMBNAIL
from blender_biped.preset.preset import preset_root
from tools.commands import thumbnails as command
from tools.pictures import thumbnails
from tools.pictures.film import RATE


def test_each_shipped_style_has_one_and_they_are_small() -> None:
    image = pytest.importorskip("matplotlib.image")
    styles = {preset_root() / k.name / f"{style.name}.png" for k in kinds() for style in presets(k.name)}
    files = set(preset_root().glob("*/*.png"))
    assert files == styles  # what is missing is drawn by: python3 build.py thumbnails
    assert sum(file.stat().st_size for file in files) < 11_000 * len(files)
    for file in files:
        picture = image.imread(file)
        assert picture.shape == (*THUMBNAIL, 4) and 0.05 < (picture[..., 3] > 0.5).mean() < 0.6


def test_some_can_be_drawn_alone() -> None:
    assert thumbnails.chosen(["klaw/march"]) == [("klaw", "march")]
    assert {c for c, _ in thumbnails.chosen(["klaw", "generalized/default"])} == {"klaw", "generalized"}
    with pytest.raises(DataError, match="There is no style 'klaw/none'"):
        thumbnails.chosen(["klaw/none"])


def test_a_film_shows_the_end_of_a_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thumbnails, "FILMED", 0.4)
    file = thumbnails.draw_film("klaw", "march", tmp_path)
    assert file == tmp_path / "klaw" / "march.webp"
    with Image.open(file) as film:
        assert getattr(film, "n_frames", 0) == pytest.approx(thumbnails.FILMED * RATE, abs=1)
        first = np.asarray(film.convert("RGB"), float)
        film.seek(film.n_frames - 1)  # type: ignore[attr-defined]
        assert np.abs(np.asarray(film.convert("RGB"), float) - first).max() > 50


def test_the_command_draws_again_what_lies_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = preset_root() / "klaw" / "march.png"
    before = shipped.read_bytes()
    (tmp_path / "klaw").mkdir()  # type: ignore[operator]
    monkeypatch.setattr(thumbnails, "preset_root", lambda: tmp_path)
    assert command.main(["--only", "klaw/march", "--jobs", "1"]) == 0
    assert "march.png" in capsys.readouterr().out
    assert (tmp_path / "klaw" / "march.png").read_bytes() == before  # type: ignore[operator]
    assert command.main(["--only", "nothing"]) == 2
