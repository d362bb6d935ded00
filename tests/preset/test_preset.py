"""Presets as files: one that is like another has that one's values, and its own over them."""

import json
from pathlib import Path

import pytest

from blender_biped.base.errors import DataError
from blender_biped.control import registry
from blender_biped.control.kind import Kind
from blender_biped.control.registry import kinds
from blender_biped.preset.declared import with_values
from blender_biped.preset.preset import preset, presets


def write(folder, name, values, **more):
    data = {"version": 1, "controller": "walk", "name": name, "label": name, "values": values, **more}
    (folder / "walk").mkdir(exist_ok=True)
    (folder / "walk" / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")


def test_a_preset_like_another_has_its_values_and_its_own_over_them(tmp_path):
    write(tmp_path, "default", {"pace": 1.0, "gains": {"hip": [1, 2], "knee": [3, 4]}})
    write(tmp_path, "stiff", {"gains": {"hip": [9]}, "more": True}, like="default")
    assert preset("walk", "stiff", tmp_path).values == {
        "pace": 1.0, "gains": {"hip": [9], "knee": [3, 4]}, "more": True,
    }  # fmt: skip
    assert preset("walk", "default", tmp_path).values["gains"]["hip"] == [1, 2]
    assert [p.name for p in presets("walk", tmp_path)] == ["default", "stiff"]


@pytest.mark.parametrize("other", ["missing", "stiff", "../walk/default"])
def test_what_it_is_like_is_another_preset_beside_it(tmp_path, other):
    write(tmp_path, "default", {})
    write(tmp_path, "stiff", {}, like=other)
    with pytest.raises(DataError, match=r"stiff\.json\.like"):
        preset("walk", "stiff", tmp_path)


def test_it_is_not_like_one_that_is_itself_like_another(tmp_path):
    write(tmp_path, "default", {})
    write(tmp_path, "stiff", {}, like="default")
    write(tmp_path, "stiffer", {}, like="stiff")
    with pytest.raises(DataError, match=r"stiffer\.json\.like: 'stiff' is itself like another"):
        preset("walk", "stiffer", tmp_path)


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.name)
def test_a_preset_may_be_like_another_one_of_any_controller(kind: Kind, tmp_path: Path) -> None:
    folder = tmp_path / kind.name
    folder.mkdir()
    first, slider = registry.presets(kind.name)[0], kind.sliders[0]
    (folder / "first.json").write_text(json.dumps(first.as_json()))
    own = with_values({}, {slider.path: slider.number.high})
    data = {"version": 1, "controller": kind.name, "label": "Own", "like": "first", "values": own}
    (folder / "own.json").write_text(json.dumps(data))
    found = preset(kind.name, "own", tmp_path)
    numbers, usual = kind.numbers(found.values), kind.numbers(first.values)
    assert numbers.pop(slider.path) == pytest.approx(slider.number.high)
    usual.pop(slider.path)
    assert numbers == usual


def test_one_that_lies_alone_is_like_none(tmp_path):
    """As a style of one's own may, which was imported without the one that it is like."""
    write(tmp_path, "stiff", {}, like="default")
    with pytest.raises(DataError, match=r"stiff\.json\.like: there is no preset 'default' beside it; known are none"):
        preset("walk", "stiff", tmp_path)
