"""The list of all texts, and that each language has them all."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

import pytest

from blender_biped.base.translation import placeholders
from tools.docs.strings import (
    LANGUAGES,
    PACKAGE,
    in_preset,
    in_source,
    lacking,
    page,
    read_language,
    texts,
    up_to_date,
    write_language,
)

TABLES = sorted(LANGUAGES.glob("*.json"))
SAME = 0.1  # of the texts may be the same in another language: names


@pytest.fixture(scope="module")
def lists() -> Mapping[str, list[str]]:
    """All texts by where they are: some seconds of reading the source."""
    return texts()


@pytest.fixture(scope="module")
def found(lists: Mapping[str, list[str]]) -> list[str]:
    return [text for own in lists.values() for text in own]


def test_the_page_has_every_text_below_its_file(lists: Mapping[str, list[str]]) -> None:
    made = page(lists)
    assert "\n## blender_biped/base/fields.py\n" in made and "\n    {name} is missing.\n" in made
    assert sum(line.startswith("    ") for line in made.splitlines()) == sum(map(len, lists.values()))


def test_what_a_language_lacks_is_added_to_it_and_what_is_gone_taken_away(tmp_path: Path) -> None:
    own = {"Old": "Alt", "Gone": "Fort", "Empty": ""}
    known = ["New", "Empty", "Old"]
    assert lacking(known, own) == ["New", "Empty"]
    made = up_to_date(known, own)
    assert list(made.items()) == [("Old", "Alt"), ("Empty", ""), ("New", "")]
    write_language(made, tmp_path / "xx.json")
    assert read_language(tmp_path / "xx.json") == made


def test_every_text_is_there_once(found: list[str]) -> None:
    assert len(found) == len(set(found)) > 700


@pytest.mark.parametrize("table", TABLES, ids=lambda table: str(table.stem))
def test_a_language_has_every_text(table: Path, found: list[str]) -> None:
    own = read_language(table)
    unknown = sorted(set(own) - set(found))
    assert (lacking(found, own), unknown) == ([], []), (
        "python -m tools.docs.strings adds and takes away; then translate"
    )
    assert not [text for text, other in own.items() if placeholders(text) != placeholders(other)]
    assert sum(text == other for text, other in own.items()) < SAME * len(own)


def test_there_is_german() -> None:
    assert "de_DE" in [table.stem for table in TABLES]


def test_texts_are_found_wherever_people_see_them() -> None:
    source = '''
"""Not this docstring of words."""
import re
PATTERN = re.compile("not this pattern of words")
class Panel:
    """Nor this docstring of words."""
    bl_idname = "biped.panel"
    bl_label = "Label"
    mode: Enum(name="Mode", items=(("ONE", "One", "The first one"), ("TWO", "Two", "")))
def draw(self, layout, error):
    how = "fast" if error.speed else "slow"
    if error.kind == "not this of words":
        print("not this line of words")
    layout.label(text=f"Point {error.args[0]!r}: {'early' if error.now else 'late'}{error.text}")
    raise DataError("It is {} of {}.".format(1, 2) + f"{a.name}{NBSP}{b.name} in {SPACE}s")
'''
    assert in_source(source) == [
        "Label", "Mode", "One", "The first one", "Two", "fast", "slow", "Point {args}: {value}{text}", "early", "late",
        "It is {value} of {value2}.", "{name}{NBSP}{name2} in \N{NO-BREAK SPACE}s",
    ]  # fmt: skip


def test_presets_have_a_label_and_a_description() -> None:
    assert in_preset('{"label": "March", "description": "Upright", "values": {"name": "no text"}}') == [
        "March", "Upright",
    ]  # fmt: skip


@pytest.mark.parametrize("file", sorted((PACKAGE / "ui").rglob("*.py")), ids=lambda file: str(file.stem))
def test_what_is_made_at_run_time_is_translated_where_it_is_shown(file: Path) -> None:
    """Blender translates texts without values itself, except for those that ``paragraph`` and polls are given."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            shown = [keyword.value for keyword in node.keywords if keyword.arg == "text"]
            assert not any(isinstance(text, ast.JoinedStr) for text in shown), f"line {node.lineno}: translated(...)"
            if node.func.attr == "report" and len(node.args) == 2:
                said = node.args[1]
                done = isinstance(said, ast.Constant) or ast.unparse(said).startswith("translated(")
                assert done, f"line {node.lineno}: translated(...)"
