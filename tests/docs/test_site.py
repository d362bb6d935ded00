"""The site: its pages are there, each in its place, and each link of what is built leads somewhere."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from blender_biped.control.registry import kinds, presets
from tests.docs.pages import ROOT
from tools.docs import built, site, styles
from tools.docs.markdown import anchors, links

STYLES = [(kind, style) for kind in kinds() for style in presets(kind.name)]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that MkDocs reads, with a film of one style."""
    films = tmp_path_factory.mktemp("films")
    (films / "klaw").mkdir()
    (films / "klaw" / "march.webp").write_bytes(b"RIFF")
    folder = tmp_path_factory.mktemp("site") / "pages"
    site.assemble(folder, films)
    return folder


def test_links_of_gathered_pages_lead_somewhere(pages: Path) -> None:
    for page in pages.rglob("*.md"):
        for link in links(page.read_text(encoding="utf-8")):
            name, _, mark = link.partition("#")
            target = (page.parent / name).resolve() if name else page
            assert link.startswith("https:") or target.is_file(), f"{page}: {link}"
            if mark:
                assert mark in anchors(target.read_text(encoding="utf-8")), f"{page}: {link}"


def test_every_page_is_in_the_navigation_once(pages: Path) -> None:
    found = Counter(_flat(site.navigation()))
    assert set(found.values()) == {1}
    assert {page.relative_to(pages).as_posix() for page in pages.rglob("*.md")} == set(found)


def _flat(part: object) -> list[str]:
    if isinstance(part, dict):
        return [page for inner in part.values() for page in _flat(inner)]
    if isinstance(part, list):
        return [page for inner in part for page in _flat(inner)]
    return [str(part)]


def test_a_style_has_a_page_with_its_picture_speeds_and_sliders(pages: Path) -> None:
    assert len(STYLES) > 80
    usual = {kind.name: kind.numbers(presets(kind.name)[0].values) for kind in kinds()}
    for kind, style in STYLES:
        text = (pages / styles.FOLDER / kind.name / f"{style.name}.md").read_text(encoding="utf-8")
        assert text.startswith(f"# {style.label}\n") and style.description in text
        assert f"[{kind.label}](" in text and f"]({style.name}.png)" in text
        changed = re.search(r"^## Sliders$", text, re.MULTILINE) is not None
        assert changed == (kind.numbers(style.values) != usual[kind.name])


def test_a_film_is_shown_where_there_is_one(pages: Path) -> None:
    march, stroll = ((pages / f"styles/klaw/{name}.md").read_text(encoding="utf-8") for name in ("march", "stroll"))
    assert "](march.webp)" in march and ".webp" not in stroll
    assert (pages / "styles/klaw/march.webp").read_bytes() == b"RIFF"


def test_figures_of_a_style_are_those_of_its_controllers_page(pages: Path) -> None:
    run = (pages / "styles/simbicon/run.md").read_text(encoding="utf-8")
    assert "| flight, % | 20 |\n" in run
    assert "| bob, mm | 54 |\n" in (pages / "styles/natural/heavy.md").read_text(encoding="utf-8")


def test_what_mkdocs_warns_of_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = {"index.md": "[a](gone.md), [b](b.md#nothing), [c](../README.md)", "b.md": "# B", "alone.md": "# C"}

    def assemble(pages: Path, films: Path | None) -> None:
        (pages / "assets").mkdir(parents=True)
        for name in ("assets/site.css", "assets/iframe-worker.js", *made):
            (pages / name).write_text(made.get(name, ""), encoding="utf-8")

    monkeypatch.setattr(site, "assemble", assemble)
    monkeypatch.setattr(site, "navigation", lambda: ["index.md", "b.md"])
    with pytest.raises(site.SiteError) as error:
        site.build(tmp_path / "site")
    assert all(wrong in str(error.value) for wrong in ("gone.md", "#nothing", "../README.md", "alone.md"))


@pytest.mark.long
def test_the_site_is_built_and_asks_the_network_for_nothing(tmp_path: Path) -> None:
    site.build(tmp_path / "site")
    assert built.faults(tmp_path / "site") == []
    assert (tmp_path / "site/walk.webp").read_bytes() == (ROOT / "docs/walk.webp").read_bytes()
    index = (tmp_path / "site/search/search_index.js").read_text(encoding="utf-8")
    assert "guide/carry.html" in index


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('<a href="b.html">', ""),
        ('<a href="b.html#one"><img src="c.png">', ""),
        ('<a href="https://elsewhere.org/a">', ""),
        ('<p id="here"><a href="#here">', ""),
        ('<a href="d.html">', "a.html: d.html leads nowhere"),
        ('<a href="b.html#two">', "a.html: b.html#two: there is no such heading"),
        ('<img src="d.png">', "a.html: d.png leads nowhere"),
        ('<script src="https://elsewhere.org/a.js">', "a.html: https://elsewhere.org/a.js is loaded from the network"),
    ],
)
def test_what_is_wrong_with_a_site_is_named(body: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(body, encoding="utf-8")
    (tmp_path / "b.html").write_text('<h1 id="one">One</h1>', encoding="utf-8")
    (tmp_path / "c.png").touch()
    assert built.faults(tmp_path) == ([said] if said else [])
