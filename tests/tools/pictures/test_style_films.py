"""The films of styles that readers name."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import Array
from blender_biped.character.standard import standard_character
from blender_biped.motion.strip import LEFT, RIGHT, shown_job
from blender_biped.preset.preset import preset
from blender_biped.simulate import simulate
from tools.commands import thumbnails as command
from tools.pictures import style_films

STYLES = [("klaw", name) for name in ("walk", "sad", "march", "zombie")]


def near(pixels: Array, color: tuple[float, float, float]) -> Array:
    """Return which pixels (rows, columns) have the hue of a color, whatever its shade."""
    own, wanted = pixels / np.maximum(pixels.sum(axis=-1, keepdims=True), 1.0), np.array(color) / sum(color)
    return np.asarray(np.abs(own - wanted).max(axis=-1) < 0.05)


def test_each_row_has_all_moments_with_both_sides() -> None:
    job = shown_job(preset("klaw", "march"), standard_character())
    sheet = style_films.film(simulate(job), (4.0, 5.1), "March")
    moments = np.split(np.asarray(sheet, float), style_films.MOMENTS, axis=1)
    assert len({moment.shape for moment in moments}) == 1
    for color in (LEFT, RIGHT):
        rows = np.array([near(moment, color).any(axis=1).sum() for moment in moments])
        assert rows.min() > 0.3 * sheet.height  # of a limb, from the side, from ahead, from above, and again


def test_a_head_shows_where_it_looks() -> None:
    body = standard_character()
    head, nose = body.links[body.index("head")].shape, style_films._nose(body)
    assert nose.center[0] + nose.half[0] + nose.radius > head.radius + 0.01


def test_films_without_names_are_numbered_by_chance_and_the_key_names_each_once(tmp_path: Path) -> None:
    films, key = tmp_path / "films", tmp_path / "key" / "key.json"
    orders = set()
    for _ in range(20):
        tasks = style_films.tasks(STYLES, films, key)
        names = json.loads(key.read_text(encoding="utf-8"))
        assert sorted(names.values()) == sorted("/".join(style) for style in STYLES)
        assert [names[str(int(task.file.stem))] for task in tasks] == [f"{t.controller}/{t.style}" for t in tasks]
        assert not any(style in task.title + task.file.name for task in tasks for _, style in STYLES)
        orders.add(tuple(names.values()))
    assert len(orders) > 1
    with pytest.raises(DataError, match="would lie among the films"):
        style_films.tasks(STYLES, films, films / "key.json")


def test_the_command_draws_films(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(style_films, "DURATION", 7.0)
    given = ["--only", "klaw/march", "--films", str(tmp_path), "--jobs", "1"]
    assert command.main(given) == 0
    assert str(tmp_path / "klaw" / "march.png") in capsys.readouterr().out
    with Image.open(tmp_path / "klaw" / "march.png") as sheet:
        assert sheet.width > 1000 and sheet.height > 1000
    assert command.main([*given, "--key", str(tmp_path / "key.json")]) == 2
