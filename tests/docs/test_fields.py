"""The tables of fields on the controllers' pages: every controller has one, as it declares its fields."""

from __future__ import annotations

from pathlib import Path

import pytest

from blender_biped.control.kind import Kind
from blender_biped.control.registry import kind_of, kinds, presets
from tests.docs.pages import title
from tools.docs.fields import PAGES, filled, table

FILES = sorted(PAGES.glob("*.md"))
SHOWN_WITH = {"planar": "simbicon"}  # its fields are another one's, whose table says so


@pytest.mark.parametrize("page", FILES, ids=title)
def test_the_pages_are_as_the_controllers_declare(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert filled(text) == text, "run: python -m tools.docs.fields"


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.name)
def test_every_controller_has_a_table(kind: Kind) -> None:
    shown = kind_of(SHOWN_WITH.get(kind.name, kind.name))
    assert shown.settings is kind.settings
    pages = [page for page in FILES if f"<!-- fields: {shown.name} -->\n" in page.read_text(encoding="utf-8")]
    assert len(pages) == 1


def test_a_table_has_each_slider_under_its_group() -> None:
    lines = table(kind_of("klaw")).splitlines()
    arms, legs = lines.index("| **Arms** | | | | | |"), lines.index("| **Legs** | | | | | |")
    elbow = "| `attributes.elbow_rot_max` | Elbow at Most | How far an elbow is bent when its arm is in front | "
    (row,) = [i for i, line in enumerate(lines) if line.startswith(elbow)]
    usual = presets("klaw")[0].values["attributes"]["elbow_rot_max"]
    assert arms < row < legs and lines[row].endswith(f"| 0 to 140 degrees | {usual:g} | yes |")
    groups = {slider.number.group for slider in kind_of("klaw").sliders}
    assert len(lines) == 2 + len(groups) + len(kind_of("klaw").sliders)


def test_only_the_marked_place_is_filled() -> None:
    page = "before\n<!-- fields: planar -->\nold\n<!-- end -->\nafter <!-- end -->\n"
    made = table(kind_of("planar"))
    assert filled(page) == f"before\n<!-- fields: planar -->\n{made}\n<!-- end -->\nafter <!-- end -->\n"
