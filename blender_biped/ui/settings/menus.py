"""The items of the Controller and Preset menus, which are what is installed, and the numbers that Blender knows.

The names are what is kept in the file; Blender itself reads and sets a number.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from functools import cache

from ..base.styles import controller_texts, styles
from ..base.styles import forget as styles_forget

Item = tuple[str, str, str, str, int]
"""Name, label, description, icon and number, as Blender takes them."""

MISSING = 0
"""The number of what is chosen but not installed."""

_NUMBERS = 2**24  # a menu that is clicked hands the number on as a 32-bit float, which is exact below this


def numbers(names: Iterable[str]) -> dict[str, int]:
    """Return a number for each name, 1..2^24 - 1, all different.

    A name's number stays the same when other names come or go, unless it is one of two with the same hash.
    """
    found: dict[int, str] = {}
    for name in sorted(names):
        number = zlib.crc32(name.encode()) % _NUMBERS
        while number == MISSING or number in found:
            number = (number + 1) % _NUMBERS
        found[number] = name
    return {name: number for number, name in found.items()}


@cache  # also keeps the strings alive, which Blender itself does not
def controller_items() -> tuple[Item, ...]:
    """Return the installed controllers."""
    return _items(controller_texts())


@cache
def preset_items(controller: str) -> tuple[Item, ...]:
    """Return the installed presets of a controller."""
    return _items({style.name: (style.label, style.description) for style in styles(controller).values()})


@cache
def with_missing(items: tuple[Item, ...], stored: str) -> list[Item]:
    """Return the items and, when the stored name is not among them, one that says so."""
    known = any(item[0] == stored for item in items)
    missing = (stored, f"{stored} (missing)", "Not installed here; choose another", "ERROR", MISSING)
    return list(items) if known else [*items, missing]


def forget() -> None:
    """Read what is installed anew when it is needed next."""
    styles_forget()
    for items in (controller_items, preset_items, with_missing):
        items.cache_clear()


def item_number(items: tuple[Item, ...], name: str) -> int:
    """Return the number of a name among the items."""
    return next((item[4] for item in items if item[0] == name), MISSING)


def name_of(items: tuple[Item, ...], number: int, stored: str) -> str:
    """Return the name of a number among the items, the stored name for one that no item has."""
    return next((item[0] for item in items if item[4] == number), stored)


def _items(texts: Mapping[str, tuple[str, str]]) -> tuple[Item, ...]:
    own = numbers(texts)
    return tuple((name, label, about, "NONE", own[name]) for name, (label, about) in texts.items())
