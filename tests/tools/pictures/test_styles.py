"""The sheet of all styles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.registry import presets
from blender_biped.motion.strip import shown_job
from blender_biped.preset.preset import preset
from blender_biped.simulate import simulate
from tools.pictures import styles
from tools.pictures.filmstrip import typical_stride

DOCS = Path(__file__).parents[3] / "docs"


def test_a_picture_has_all_poses() -> None:
    job = shown_job(preset("klaw", "zombie"), standard_character())
    motion = simulate(job)
    image = styles.picture(motion, job.ground, typical_stride(motion, job))
    filled = (image[..., 3] > 0.5).any(axis=0)
    assert image.shape[1] > 3 * image.shape[0] and 0.2 < (image[..., 3] > 0.5).mean() < 0.6
    assert np.count_nonzero(np.diff(filled.astype(int)) == 1) >= 3  # who stands apart


def test_the_sheet_is_small_and_its_numbers_name_each_style_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for controller in ("klaw", "natural"):
        assert (DOCS / f"{controller}-styles.png").stat().st_size < 1_000_000
    few = [style for style in presets("klaw") if style.name in ("walk", "sad", "thesis")]
    monkeypatch.setattr(styles, "presets", lambda controller: few)
    assert styles.main([str(tmp_path / "sheet.png"), "--numbered", "3"]) == 0
    said = capsys.readouterr().out
    assert {"Walk", "Sad"} == {part.split(" ", 1)[1] for part in said.splitlines()[0].split(", ")}
    assert (tmp_path / "sheet.png").stat().st_size > 10_000
    assert styles.main([str(tmp_path / "none" / "sheet.png")]) == 1
