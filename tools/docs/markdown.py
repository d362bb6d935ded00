# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of Markdown as text: their links, headings, and what they have in backticks."""

from __future__ import annotations

import re
from collections.abc import Callable

FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
_SHOWN = r"\[(?:[^\]\n]|\n(?!\n))*\]"  # what a link shows may go over the end of a line
LINK = re.compile(rf"!?{_SHOWN}\(([^)\s]+)\)")
_PIECE = re.compile(rf"(?P<code>{FENCE.pattern}|`[^`\n]+`)|(?P<before>{_SHOWN}\()(?P<target>[^)\s]+)\)", FENCE.flags)


def links(text: str) -> list[str]:
    """Return the targets of a page's links and pictures."""
    return LINK.findall(SPAN.sub("", FENCE.sub("", text)))


def spans(text: str) -> list[str]:
    """Return what a page has in backticks, blocks of code left out."""
    return SPAN.findall(FENCE.sub("", text))


def relinked(text: str, moved: Callable[[str], str]) -> str:
    """Return a page whose links and pictures lead to what ``moved`` makes of their targets; code stays as it is."""

    def piece(found: re.Match[str]) -> str:
        return found["code"] or f"{found['before']}{moved(found['target'])})"

    return _PIECE.sub(piece, text)


def anchor(heading: str) -> str:
    """Return the anchor of a heading, as GitHub makes it where it is the first of its text."""
    shown = LINK.sub("", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", shown).replace(" ", "-")


def anchors(text: str) -> list[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    found: list[str] = []
    for heading in re.findall(r"^#+ +(.+)$", FENCE.sub("", text), re.MULTILINE):
        own = anchor(heading)
        again = sum(a == own for a in found)
        found.append(f"{own}-{again}" if again else own)
    return found


def rows(text: str) -> list[dict[str, str]]:
    """Return the rows of all tables of a page, their cells by the names in the table's head."""
    found, head, begins = [], [""], True
    for line in FENCE.sub("", text).splitlines():
        if not line.startswith("|"):
            begins = True
            continue
        cells = [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]
        if begins:
            head, begins = cells, False
        elif not set("".join(cells)) <= set("-: "):
            found.append(dict(zip(head, cells, strict=False)))
    return found
