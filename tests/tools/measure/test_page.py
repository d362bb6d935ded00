"""The page: whole, in one file, without a network, and with the worst walks that it should show."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

pytest.importorskip("matplotlib")

from blender_biped.world.path import Path
from tests.motion.synthetic import walked
from tools.measure import measured, page

VOID = {"meta", "img", "br"}


class Balanced(HTMLParser):
    """Checks that each element is closed where it should be."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def walk() -> tuple[dict[str, Any], dict[str, Any]]:
    motion, job = walked(Path([[0.0, 0.0], [5.0, 0.0]]))
    return measured.figures(motion, job, "straight"), measured.raw(motion, job)


@pytest.fixture(scope="module")
def results(walk: tuple[dict[str, Any], dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any] | None]]:
    figures, raw = walk
    fell = {"fell": True, "fell_at_s": 4.2, "outcome": "fell"}
    none = dict.fromkeys(figures)
    gone = {**none, **{n: figures[n] for n in ("controller", "preset", "speed_mps", "seed")},
            "character": "<b>&", "path": "corner", "outcome": "crashed", "error": "ended by SIGSEGV"}  # fmt: skip
    cases = [
        {**figures, "foot_slip_worst_mm": 9.0},
        {**figures, "speed_mps": 0.8, "path_deviation_worst_m": 0.7, "knee_r": -0.9},
        {**figures, "path": "turn", **fell},
        {**figures, "path": "corner", **fell, "fell_at_s": 2.5, "foot_slip_worst_mm": 99.0},
        gone,
    ]
    slipping = {**raw, "slips": [[1.0, 2.0], [3.5, 9.0]]}
    return cases, [slipping, {**raw, "deviations": [[1.0, 0.1], [2.0, 0.7]]}, raw, raw, None]


def test_the_worst_walks_are_shown_where_it_happened(
    results: tuple[list[dict[str, Any]], list[dict[str, Any] | None]],
) -> None:
    found = page.moments(*results)
    assert len(found) <= page.MAX_PICTURES
    assert [(m.index, m.when, m.caption) for m in found[:2]] == [
        (3, "end", "Earliest fall: 2.5 s"), (2, "end", "Earliest fall on the path turn: 4.2 s")]  # fmt: skip
    by_words = {value.rpartition(" ")[0]: m for m in found for value in m.values}
    strayed = by_words["off the path, at worst 0.700"]
    assert (strayed.index, strayed.when, strayed.at) == (1, "at", 2.0)
    slipped = by_words["feet slide, worst step 9.0"]  # not that of the walk that fell
    assert (slipped.index, slipped.when, slipped.at) == (0, "at", 3.5)
    assert by_words["knee like adults' (r)"].index == 1
    assert len({(m.index, m.when, m.at) for m in found}) == len(found)


def test_the_page_is_one_whole_file_that_needs_no_network(
    results: tuple[list[dict[str, Any]], list[dict[str, Any] | None]],
) -> None:
    wanted = page.moments(*results)
    made = page.page(*results, wanted, [b"png", *[None] * (len(wanted) - 1)])
    assert not re.search(r"https?://|<link|@import|url\(", made)
    assert re.findall(r'src="(?!data:image/png;base64,)', made) == []
    reader = Balanced()
    reader.feed(made)
    assert reader.open == []
    assert "<b>&," not in made and "&lt;b&gt;&amp;" in made
    for words in ("fell at 2.5 s", "strayed 0.70 m", "ended by SIGSEGV", "20 %", "could not be made"):
        assert words in made
    assert len(made) < 2_000_000
    assert made.count("data:image/png") == 1 + 2  # a strip, and two charts


def test_a_cell_of_several_starts_counts_them(walk: tuple[dict[str, Any], dict[str, Any]]) -> None:
    figures, _ = walk
    several = [
        figures,
        {**figures, "seed": 1, "fell": True, "fell_at_s": 3.0},
        {**figures, "seed": 2, "fell": True, "fell_at_s": 5.0},
    ]
    assert 'class="fell"' in page.cell(several) and "2/3 fell" in page.cell(several)
    assert "none" in page.cell([])


def test_nothing_but_crashes_makes_a_page(
    results: tuple[list[dict[str, Any]], list[dict[str, Any] | None]],
) -> None:
    made = page.page(results[0][-1:], [None], [], [])
    assert "No walk has a step" in made and "No walk that stood" in made
