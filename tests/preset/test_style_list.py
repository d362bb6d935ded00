"""The list that a style is chosen from: every shipped style has a group, and no two of them the same title in it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from blender_biped.base.errors import DataError
from blender_biped.control.registry import kinds, presets
from blender_biped.preset.preset import preset_root
from blender_biped.preset.style_list import TABLE, read_style_list


def shipped() -> dict[str, Any]:
    content: dict[str, Any] = json.loads((preset_root() / TABLE).read_text(encoding="utf-8"))
    return content


def test_what_is_named_there_is_shipped() -> None:
    found, known = read_style_list(), {f"{kind.name}/{style.name}" for kind in kinds() for style in presets(kind.name)}
    assert set(found.placed) <= known and set(found.titles) <= known


def test_no_two_simulated_styles_have_the_same_title() -> None:
    titles = read_style_list().titles
    named = Counter(
        titles.get(f"{kind.name}/{style.name}", style.label)
        for kind in kinds() if kind.controller and not kind.shelf
        for style in presets(kind.name) if not style.shelf
    )  # fmt: skip
    assert [title for title, count in named.items() if count > 1] == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda c: c["groups"].pop(0), "list.json.groups: expected each group once, among them walks"),
        (lambda c: c["groups"].append(c["groups"][1]), "is no style, or stands there twice"),
        (lambda c: c["groups"].append(c["groups"][0]), "expected each group once"),
        (lambda c: c["groups"][0].update(styles=[7]), "7 is no style"),
        (lambda c: c["groups"][0].update(stiles=[]), r"list.json.groups\[0\].stiles: there is no such field"),
        (lambda c: c["titles"].update({"natural/jog": 3}), "list.json.titles.natural/jog: expected text"),
        (lambda c: c.update(version=2), "version is 2"),
    ],
)
def test_a_list_that_is_wrong_is_refused(change: Any, says: str, tmp_path: Path) -> None:
    content = shipped()
    change(content)
    (tmp_path / TABLE).write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(DataError, match=says):
        read_style_list(tmp_path)
