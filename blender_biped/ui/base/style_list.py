"""All controllers' styles as one list, by what an animator calls them; who makes a walk stands in the tooltips."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache

from ...control.kind import Kind
from ...control.registry import kinds
from ...preset.preset import RESEARCH, Preset
from ...preset.style_list import EXACT, OWN, SHOWN_METHODS, WALKS, StyleGroup, StyleList, read_style_list
from .language import translated
from .styles import is_own, styles


@dataclass(frozen=True)
class ListedStyle:
    """A style in the list of all. title, description: for people, in English. method: label and text of its controller.

    group: the name of its group.
    """

    controller: str
    name: str
    title: str
    description: str
    method: tuple[str, str]
    group: str

    @property
    def key(self) -> str:
        """What it is called in properties and files: "natural/jog"."""
        return key_of(self.controller, self.name)

    @property
    def tooltip(self) -> str:
        """How it looks, and who makes it, in the interface's language."""
        about = f"{translated(self.description)}. " if self.description else ""
        label, text = self.method
        return f"{about}{translated(label)}: {translated(text)}"

    @property
    def full_title(self) -> str:
        """What it is called beside those of other groups, in the interface's language."""
        title = translated(self.title)
        marks = {EXACT: f"{title}, exact", SHOWN_METHODS: f"{title}, research"}
        return translated(marks[self.group]) if self.group in marks else title

    def has(self, words: Collection[str]) -> bool:
        """Return whether words of its texts, in English or the interface's language, begin with all of these."""
        return _begin((self.title, self.description, self.method[0]), words)


def key_of(controller: str, name: str) -> str:
    """Return what a style is called among those of all controllers."""
    return f"{controller}/{name}"


@cache
def listed() -> Mapping[str, ListedStyle]:
    """Return all styles that are installed by their keys, in the order of the groups, then of methods."""
    table = _table()
    found = [_listed(table, kind, style) for kind in kinds() for style in styles(kind.name).values()]
    order = [group.name for group in table.groups]
    return {own.key: own for own in sorted(found, key=lambda own: order.index(own.group))}


def groups() -> tuple[StyleGroup, ...]:
    """Return the groups that have a style."""
    used = {own.group for own in listed().values()}
    return tuple(group for group in _table().groups if group.name in used)


def of_group(name: str) -> list[ListedStyle]:
    """Return the styles of a group."""
    return [own for own in listed().values() if own.group == name]


def searched(text: str) -> list[ListedStyle]:
    """Return the styles in whose texts all words of a text stand, the nearest first: those that are called so."""
    words = text.lower().split()
    found = [own for own in listed().values() if own.has(words)]
    return sorted(found, key=lambda own: not _begin((own.title,), words))


def forget() -> None:
    """Read the styles anew when they are needed next."""
    listed.cache_clear()


def _begin(texts: Collection[str], words: Collection[str]) -> bool:
    """Return whether words of texts, in English or the interface's language, begin with all of some in lower case."""
    own = re.findall(r"\w+", " ".join((*texts, *map(translated, texts))).lower())
    return all(any(known.startswith(word) for known in own) for word in words)


@cache
def _table() -> StyleList:
    return read_style_list()


def _listed(table: StyleList, kind: Kind, style: Preset) -> ListedStyle:
    key = key_of(kind.name, style.name)
    title = style.label if is_own(kind.name, style.name) else table.titles.get(key, style.label)
    method = (kind.label, kind.description)
    return ListedStyle(kind.name, style.name, title, style.description, method, _group(table, kind, style))


def _group(table: StyleList, kind: Kind, style: Preset) -> str:
    """Return the group of a style: where it is placed by its name, else by what it is."""
    if is_own(kind.name, style.name):
        return OWN
    if kind.controller is None and style.shelf != RESEARCH:
        return EXACT
    if (placed := table.placed.get(key_of(kind.name, style.name))) is not None:
        return placed
    return SHOWN_METHODS if RESEARCH in (style.shelf, kind.shelf) else WALKS
