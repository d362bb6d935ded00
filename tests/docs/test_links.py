"""What the pages point to is there: files, anchors, pictures, commands with their options, paths in backticks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from blender_biped.batch import command as batch
from tests.docs.pages import PAGES, ROOT, commands, title
from tests.docs.recipes import recipes
from tools.base.command_line import Subcommand
from tools.base.command_table import COMMANDS
from tools.docs.markdown import anchors, links, spans

FILE = re.compile(r"[\w.-]+(?:/[\w.-]+)*(?:\.(?:py|json|toml|csv|png|md)|/)")  # a file by its ending, or a folder
PLACEHOLDER = re.compile(r"[A-Z]{3,}")  # NAME, FILE-STEM
MADE = ("out/", "dist/", "cases/", "pushes/", ".venv/")  # by the commands
WRITTEN = {  # by the demo, measure and package
    "walk.png", "walk.webp", "angles.png", "report.json", "starts.json", "job.json", "bench.json",
    "rigs.json", "rigs-1.png", "skins-1.png", "dist/index.json", "index.json",
}  # fmt: skip
NEW = {
    edit.file
    for edits in recipes((ROOT / "docs/how-to-add.md").read_text(encoding="utf-8")).values()
    for edit in edits
    if edit.how == "new"
}
FOLDERS = ("blender_biped", "examples", "presets", "tests", "tools", "docs")
NAMES = {path.name for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix}

each_page = pytest.mark.parametrize("page", PAGES, ids=title)


def is_there(span: str, page: Path) -> bool:
    """Return whether a path in backticks exists: from the root, beside the page, or a bare name in a source folder."""
    if (ROOT / span).exists() or (page.parent / span).exists():
        return True
    return ("/" not in span and span in NAMES) or span in NEW | WRITTEN


def options(command: Subcommand) -> set[str]:
    """Return the options that build.py knows for a command."""
    return {option.flag for option in command.options} | {"--python", "--help"}


def batch_options() -> set[str]:
    """Return the options of a batch, and of Blender as it is called for one."""
    own = set(re.findall(r"--[a-z-]+", batch.parser("batch").format_help()))
    return own | set(re.findall(r"--[a-z-]+", (ROOT / "examples/flamenco/biped_batch.js").read_text(encoding="utf-8")))


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page.read_text(encoding="utf-8")):
        assert not link.startswith(("http:", "/")), f"{link}: pages link relatively"
        if link.startswith("https:"):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), f"{link}: there is no such file"
        assert target.is_relative_to(ROOT), f"{link}: leaves the project"
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), f"{link}: there is no such heading"


@each_page
def test_commands_and_their_options_are_known(page: Path) -> None:
    known = {command.name: command for command in COMMANDS}
    for line in commands(page.read_text(encoding="utf-8")):
        name, *rest = line.split()
        assert name in known, f"build.py {line}: no such command"
        unknown = {word for word in rest if word.startswith("--")} - options(known[name])
        assert not unknown, f"build.py {line}: {name} does not know {unknown}"


@each_page
def test_options_in_backticks_are_some_commands(page: Path) -> None:
    known = set().union(*(options(command) for command in COMMANDS), batch_options())
    for span in spans(page.read_text(encoding="utf-8")):
        if span.startswith("--"):
            assert span.split()[0] in known, span


@each_page
def test_paths_in_backticks_exist(page: Path) -> None:
    for span in spans(page.read_text(encoding="utf-8")):
        if FILE.fullmatch(span) and not PLACEHOLDER.search(span) and not span.startswith(MADE):
            assert is_there(span, page), f"{span}: there is no such file or folder"


def test_every_page_is_reached_from_the_readme() -> None:
    reached, found = set(), [ROOT / "README.md"]
    while found:
        page = found.pop()
        reached.add(page)
        targets = [(page.parent / link.partition("#")[0]).resolve() for link in links(page.read_text(encoding="utf-8"))]
        found += [t for t in targets if t.suffix == ".md" and t not in reached and t.is_file()]
    assert {title(page) for page in PAGES} == {title(page) for page in reached}


def test_every_picture_is_shown() -> None:
    shown = {(p.parent / link).resolve() for p in PAGES for link in links(p.read_text(encoding="utf-8"))}
    assert set((ROOT / "docs").rglob("*.png")) <= shown


def test_the_readme_is_of_one_sitting() -> None:
    assert len((ROOT / "README.md").read_bytes()) < 9000


def test_versions_agree() -> None:
    version = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert version
    assert f"\nversion: {version[1]}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == version[1]


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [("# How it walks", "how-it-walks"), ("## Whose `values`, and why?", "whose-values-and-why"), ("# In 2D", "in-2d")],
)
def test_anchors_are_as_github_makes_them(heading: str, anchor: str) -> None:
    assert anchors(f"text\n\n{heading}\n\n```\n# no heading\n```\n") == [anchor]
