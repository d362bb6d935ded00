"""The pages of the project as text: their links, headings, commands, and what they have in backticks."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")])
_FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"!?\[[^\]\n]*\]\(([^)\s]+)\)")


def title(page: Path) -> str:
    """Return a page's path from the root."""
    return page.relative_to(ROOT).as_posix()


def links(text: str) -> list[str]:
    """Return the targets of a page's links and pictures."""
    return _LINK.findall(_SPAN.sub("", _FENCE.sub("", text)))


def spans(text: str) -> list[str]:
    """Return what a page has in backticks, blocks of code left out."""
    return _SPAN.findall(_FENCE.sub("", text))


def anchors(text: str) -> list[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    found: list[str] = []
    for heading in re.findall(r"^#+ +(.+)$", _FENCE.sub("", text), re.MULTILINE):
        shown = _LINK.sub("", heading).replace("`", "").strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", shown).replace(" ", "-")
        again = sum(a == anchor for a in found)
        found.append(f"{anchor}-{again}" if again else anchor)
    return found


def commands(text: str) -> list[str]:
    """Return what follows "build.py" wherever a page has it as code: a command and its options."""
    code = [*_FENCE.findall(text), *spans(text)]
    return [m.strip() for part in code for m in re.findall(r"build\.py +([a-z][^\n#`]*)", part)]
