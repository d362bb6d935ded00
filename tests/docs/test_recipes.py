"""Each recipe of docs/how-to-add.md, applied to a copy of the sources: its own test passes then, and fails without."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.docs.recipes import Edit, recipes
from tests.marks import long_but
from tools.docs.strings import LANGUAGES, in_preset, in_source, lacking, read_language

ROOT = Path(__file__).parents[2]
COPIED = ("blender_biped", "presets", "tests", "tools", "pyproject.toml")
RECIPES = recipes((ROOT / "docs" / "how-to-add.md").read_text(encoding="utf-8"))


def copy(folder: Path) -> Path:
    """Copy what recipes change and return where to."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.png"))
        else:
            shutil.copy(source, folder / name)
    return folder


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a module of the project's Python in a copy."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


def untranslated(folder: Path, edits: Iterable[Edit]) -> list[str]:
    """Return the texts in the files of a recipe, in a copy, that a language of that copy lacks."""
    found: list[str] = []
    for name in sorted({edit.file for edit in edits}):
        read = {"blender_biped": in_source, "presets": in_preset}.get(name.partition("/")[0])
        if read is not None and not name.startswith(LANGUAGES.relative_to(ROOT).as_posix()):
            found += read((folder / name).read_text(encoding="utf-8"))
    languages = [folder / file.relative_to(ROOT) for file in sorted(LANGUAGES.glob("*.json"))]
    return [f"{file.stem}: {text}" for file in languages for text in lacking(found, read_language(file))]


def test_the_recipes_are_found() -> None:
    assert set(RECIPES) == {
        "A preset",
        "A slider",
        "A controller",
        "A regulation variable",
        "A measure",
        "A bone convention",
        "A phase",
    }


@pytest.mark.parametrize("name", long_but(RECIPES, "A measure"))
def test_a_recipe_does_what_it_says(name: str, tmp_path: Path) -> None:
    *changes, test = RECIPES[name]
    assert test.how == "new" and test.file.startswith("tests/"), "a recipe ends with its test"
    folder = copy(tmp_path)
    test.apply(folder)
    checked = ("pytest", "-q", "-p", "no:cacheprovider", test.file)
    assert run(folder, *checked).returncode in (1, 2), "the test passes without the change"
    for change in changes:
        change.apply(folder)
    assert untranslated(folder, changes) == []
    sources = sorted({edit.file for edit in RECIPES[name] if edit.file.endswith(".py")})
    for command in (checked, ("ruff", "check", *sources), ("ruff", "format", "--check", *sources)):
        done = run(folder, *command)
        assert done.returncode == 0, done.stdout + done.stderr


def test_an_edit_wants_its_line_once(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one = 1\ntwo = 2\n", encoding="utf-8")
    Edit("a.py", "before", "two = 2", "half = 0\n").apply(tmp_path)
    Edit("a.py", "in place of", "one = 1", "one = 11\n").apply(tmp_path)
    Edit("a.py", "after", "two = 2", "three = 3\n").apply(tmp_path)
    assert (tmp_path / "a.py").read_text(encoding="utf-8") == "one = 11\nhalf = 0\ntwo = 2\nthree = 3\n"
    with pytest.raises(AssertionError, match="0 times"):
        Edit("a.py", "after", "four = 4", "").apply(tmp_path)
