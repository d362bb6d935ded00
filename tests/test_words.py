"""One word, one thing: no two classes of the package have one name, and the page of words names what there is."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "blender_biped"
NATURAL = PACKAGE / "control" / "natural"

OFTEN = {
    "Settings": "what the presets of a controller say, once in each controller's settings.py",
}
"""Class names that may occur more than once, with the reason."""


@cache
def classes(root: Path) -> dict[str, list[str]]:
    """Return where below a folder the classes of each name are: file and line."""
    found = defaultdict(list)
    for file in sorted(root.rglob("*.py")):
        for line, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if own := re.match(r"\s*class (\w+)[:(]", text):
                found[own[1]].append(f"{file.relative_to(root).as_posix()}:{line}")
    return found


def repeated(root: Path) -> dict[str, list[str]]:
    return {name: places for name, places in classes(root).items() if len(places) > 1}


def test_class_names_are_unique_but_for_a_short_list() -> None:
    assert len(classes(PACKAGE)) > 400  # it has seen the package
    assert set(repeated(PACKAGE)) == set(OFTEN), repeated(PACKAGE)


def test_a_name_that_is_taken_is_found_wherever_it_is(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "one.py").write_text("class Way: ...\nclass Path: ...")
    (tmp_path / "two.py").write_text("def f():\n    class Way: ...")
    assert repeated(tmp_path) == {"Way": ["room/one.py:1", "two.py:2"]}


def named_on_the_page() -> list[tuple[str, list[str]]]:
    """Return each word of natural walking, and what of the code its row names: classes, fields, files."""
    page = (ROOT / "docs" / "words.md").read_text(encoding="utf-8")
    section = page.split("\n## Natural walking\n")[1].split("\n## ")[0]
    rows = [row.split(" | ") for row in section.splitlines() if row.startswith("| ")][1:]
    return [(row[0].removeprefix("| "), re.findall(r"`([^`]+)`", row[-1])) for row in rows]


def test_words_of_natural_walking_name_what_there_is() -> None:
    known, words = classes(PACKAGE), named_on_the_page()
    assert len(words) > 20
    for word, named in words:
        assert named, word
        files = {name for name in named if name.endswith(".py")}
        found = [*(ROOT / name for name in files if "/" in name)]
        found += [path for name in files if "/" not in name for path in NATURAL.rglob(name)]
        assert len(found) >= len(files) and all(path.exists() for path in found), word
        text = "".join(path.read_text(encoding="utf-8") for path in found)
        for name in set(named) - files:
            assert name.islower() or name in known, (word, name)
            assert not files or re.search(rf"\b{name}\b", text), (word, name)
