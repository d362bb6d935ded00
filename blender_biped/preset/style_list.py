"""The one list that a style is chosen from: the groups of all controllers' styles, and what they are called there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..base.errors import DataError
from ..base.fields import Fields, load_json
from .preset import preset_root

VERSION = 1
TABLE = "list.json"  # beside the folders of presets
WALKS, EXACT, OWN, SHOWN_METHODS = "walks", "exact", "own", "research"
"""Groups of what is in none by its name: the others, those that are not simulated, one's own, and for research."""


@dataclass(frozen=True)
class StyleGroup:
    """A heading of the list. name: in files and scripts. label, description: for people."""

    name: str
    label: str
    description: str


@dataclass(frozen=True)
class StyleList:
    """The list. groups: in their order. placed: their names, by "controller/name" of a style.

    titles: of styles that are not called as in the lists of their controller, where another one's has the same label.
    """

    groups: tuple[StyleGroup, ...]
    placed: Mapping[str, str]
    titles: Mapping[str, str]


def read_style_list(root: Path | None = None) -> StyleList:
    """Return the list that lies beside the presets. Raises DataError naming the wrong field."""
    f = Fields(load_json((root or preset_root()) / TABLE), TABLE)
    f.version(VERSION)
    f.only(("version", "groups", "titles"))
    groups, placed = [], {}
    for row in f.objects("groups"):
        row.only(("name", "label", "description", "styles"))
        group = StyleGroup(row.text("name"), row.text("label"), row.text("description"))
        groups.append(group)
        for style in row.items("styles", ()):
            if not isinstance(style, str) or style in placed:
                raise DataError(f"{row.where}.styles: {style!r} is no style, or stands there twice.")
            placed[style] = group.name
    names = [group.name for group in groups]
    absent = {WALKS, EXACT, OWN, SHOWN_METHODS} - set(names)
    if absent or len(set(names)) < len(names):
        raise DataError(f"{TABLE}.groups: expected each group once, among them {', '.join(sorted(absent))}.")
    titles = f.child("titles", {})
    return StyleList(tuple(groups), placed, {style: titles.text(style) for style in titles.data})
