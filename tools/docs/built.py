# SPDX-License-Identifier: GPL-3.0-or-later
"""A built site: whether each link leads somewhere, anchors too, and whether it asks the network for anything."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADED = {"img": "src", "script": "src", "link": "href", "source": "src", "video": "src", "iframe": "src"}
"""What a browser loads as it shows a page."""


class _Page(HTMLParser):
    """Collects what a page has: its anchors, what its links lead to, and what is loaded with it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take an element."""
        values = {name: value for name, value in attrs if value}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag in _LOADED and _LOADED[tag] in values and values.get("rel") not in ("canonical", "prev", "next"):
            self.loaded.append(values[_LOADED[tag]])


def faults(site: Path) -> list[str]:
    """Return what is wrong with a site, a line each: links that lead nowhere, what is loaded from elsewhere."""
    pages = {file: _Page(file.read_text(encoding="utf-8")) for file in sorted(site.rglob("*.html"))}
    return [fault for file in pages if file.name != "404.html" for fault in _faults(site, file, pages)]


def _faults(site: Path, file: Path, pages: dict[Path, _Page]) -> Iterator[str]:
    where, page = file.relative_to(site).as_posix(), pages[file]
    for link in page.loaded:
        if urlsplit(link).netloc:
            yield f"{where}: {link} is loaded from the network"
    for link in (*page.links, *page.loaded):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
        if target.is_dir():
            target = target / "index.html"
        if not target.is_file():
            yield f"{where}: {link} leads nowhere"
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
            yield f"{where}: {link}: there is no such heading"
