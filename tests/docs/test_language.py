"""README and the guide: sentences that can be read at once, no counts of trials, pages of one form."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, title
from tools.docs.markdown import FENCE, LINK, links

GUIDE = sorted((ROOT / "docs/guide").glob("*.md"))
TASKS = [page for page in GUIDE if page.name != "index.md"]
READ_BY_ALL = [ROOT / "README.md", ROOT / "docs/first-walk.md", *GUIDE]
METHOD = ROOT / "docs/controllers/natural.md"
FINDINGS = ROOT / "docs/controllers/natural-findings.md"
LONGEST = 40  # words of a sentence
COUNT = re.compile(r"\b\d+ (?:of|out of) (?:the )?\d+\b|\bin (?:all|none|one|two|three) of \d+\b")
_ITEM = re.compile(r"^ *(?:[-*]|\d+\.) +")
_ENDS = re.compile(r"[.!?:](?=[\s*_)]|$)")


def sentences(text: str) -> list[str]:
    """Return the sentences of a page, those of code, tables and headings left out; items of lists are their own."""
    blocks: list[list[str]] = [[]]
    for line in FENCE.sub("\n", text).splitlines():
        if not line.strip() or line.startswith(("|", "#", "<!--")) or _ITEM.match(line):
            blocks.append([])
        if line.strip() and not line.startswith(("|", "#", "<!--")):
            blocks[-1].append(_ITEM.sub("", line).strip())
    shown = (LINK.sub(lambda link: link[0].lstrip("![").partition("](")[0], " ".join(block)) for block in blocks)
    return [part.strip() for block in shown for part in _ENDS.split(block) if part.strip()]


@pytest.mark.parametrize("page", READ_BY_ALL, ids=title)
def test_no_sentence_is_long(page: Path) -> None:
    long = [s for s in sentences(page.read_text(encoding="utf-8")) if len(s.split()) > LONGEST]
    assert not long


@pytest.mark.parametrize("page", [*READ_BY_ALL, METHOD, FINDINGS], ids=title)
def test_no_trials_are_counted(page: Path) -> None:
    assert COUNT.findall(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("page", TASKS, ids=title)
def test_a_task_has_a_picture_some_steps_and_its_limits(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(text.split()) <= 520
    assert "\n## Limits\n" in text
    lists = re.findall(r"(?:^\d+\. .*\n(?: +.*\n)*)+", text, re.MULTILINE)
    assert any(3 <= len(re.findall(r"^\d+\. ", steps, re.MULTILINE)) <= 8 for steps in lists)
    assert page.name == "install.md" or re.search(r"^!\[", text, re.MULTILINE)


def test_the_guide_lists_every_task() -> None:
    listed = links((ROOT / "docs/guide/index.md").read_text(encoding="utf-8"))
    assert sorted(link for link in listed if "/" not in link) == [page.name for page in TASKS]


def test_the_method_is_of_one_sitting() -> None:
    text = METHOD.read_text(encoding="utf-8")
    assert len(text.split()) <= 2000


@pytest.mark.parametrize("page", [*READ_BY_ALL, METHOD, FINDINGS], ids=title)
def test_lines_of_text_fit_a_window(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    assert [line for line in text.splitlines() if len(line) > 130 and not re.match(r"\|| *!\[", line)] == []


def test_sentences_are_told_apart() -> None:
    text = (
        "# No heading. Of mine\n\nOne [link](a.md), two.\nThree at 0.5 m/s: four!\n\n- Five\n  six.\n1. Seven\n\n"
        "| eight. | nine |\n\n```\nten. eleven.\n```\n"
    )
    assert sentences(text) == ["One link, two", "Three at 0.5 m/s", "four", "Five six", "Seven"]


@pytest.mark.parametrize("text", ["in 36 of 36 walks", "survived in 18 of 20", "9 out of 10"])
def test_counts_are_found(text: str) -> None:
    assert COUNT.search(text)
    assert not COUNT.search("0.8 of the speed, 2 of them, steps of 15 cm, legs of 0.9 m")
