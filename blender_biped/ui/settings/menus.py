"""The items of the Controller and Preset menus, which are what is installed, and the numbers that Blender knows.

The names are what is kept in the file; Blender itself reads and sets a number.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from bpy.app.handlers import persistent

from ...control.registry import kinds
from ...preset.preset import RESEARCH
from ...preset.style_list import OWN, WALKS
from ..base import favourites, style_list
from ..base.language import locale, translated
from ..base.style_list import ListedStyle, listed, of_group
from ..base.styles import controller_texts, is_own, styles, without_picture
from ..base.styles import forget as styles_forget
from . import thumbnails

Item = tuple[str, str, str, str | int, int]
"""Name, label, description, icon and number, as Blender takes them. A heading has no name."""

MISSING = 0
"""The number of what is chosen but not installed."""

NOTHING = "NONE"
"""The name of the item that mixes nothing in."""
_NUMBERS = 2**24  # a menu that is clicked hands the number on as a 32-bit float, which is exact below this
_NOTHING_NUMBER = _NUMBERS - 1


def numbers(names: Iterable[str]) -> dict[str, int]:
    """Return a number for each name, 1..2^24 - 2, all different.

    A name's number stays the same when other names come or go, unless it is one of two with the same hash.
    """
    found: dict[int, str] = {}
    for name in sorted(names):
        number = zlib.crc32(name.encode()) % _NUMBERS
        while number in (MISSING, _NOTHING_NUMBER) or number in found:
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
def controller_menu() -> tuple[Item, ...]:
    """Return the installed controllers as their menu has them: what is for research below a heading."""
    research = {kind.name: "Research" for kind in kinds() if kind.shelf == RESEARCH}
    return _below_headings("Controllers", controller_items(), research)


@cache
def preset_menu(controller: str) -> tuple[Item, ...]:
    """Return a controller's presets as their menu has them: those of one's own and research below headings."""
    headings = {}
    for name, style in styles(controller).items():
        if is_own(controller, name):
            headings[name] = "My Styles"
        elif style.shelf == RESEARCH:
            headings[name] = "Research"
    return _below_headings("Styles", preset_items(controller), headings)


def style_pictures(key: str) -> tuple[Item, ...]:
    """Return the styles of all controllers that are in the group of one of them, and one's own, with their thumbnails.

    key: "controller/name" of the one. That of a style which is not installed is in no group: then walks are shown.
    """
    own = listed().get(key)
    return _pictures(own.group if own else WALKS, locale())


@cache
def _pictures(group: str, _language: str) -> tuple[Item, ...]:
    own = style_numbers()
    shown = of_group(group) if group == OWN else [*of_group(group), *of_group(OWN)]
    return tuple((s.key, translated(s.title), s.tooltip, icon_of(s), own[s.key]) for s in shown)


def icon_of(style: ListedStyle) -> int:
    """Return the number of the icon with a style's thumbnail."""
    return thumbnails.icon(style.controller, style.name)


@cache
def style_numbers() -> Mapping[str, int]:
    """Return the number that Blender knows each style of all controllers by, by "controller/name"."""
    return numbers(listed())


def style_of_number(number: int, stored: str) -> str:
    """Return the style, "controller/name", of a number; the stored one for a number that none has."""
    return next((key for key, own in style_numbers().items() if own == number), stored)


@cache
def mix_items(controller: str) -> tuple[Item, ...]:
    """Return a controller's presets as what may be mixed in, behind none of them."""
    nothing = (NOTHING, "Nothing", "The style as it is", "NONE", _NOTHING_NUMBER)
    return (nothing, *preset_items(controller))


@cache
def with_missing(items: tuple[Item, ...], stored: str) -> list[Item]:
    """Return the items and, when the stored name is not among them, one that says so."""
    known = any(item[0] == stored for item in items)
    name = stored.rpartition("/")[2]  # of the list of all controllers' styles: without its controller
    missing = (stored, f"{name} (missing)", "Not installed here; choose another", "ERROR", MISSING)
    return list(items) if known else [*items, missing]


def forget() -> None:
    """Read what is installed anew when it is needed next."""
    styles_forget()
    style_list.forget()
    favourites.forget()
    kept = (controller_items, preset_items, controller_menu, preset_menu, mix_items, style_numbers, _pictures)
    for items in (*kept, with_missing):
        items.cache_clear()


@persistent  # type: ignore[untyped-decorator]
def look_again(*_: Any) -> None:
    """Read what is installed anew, since another Blender may have saved styles: as Blender calls it with each file."""
    forget()


def forget_pictures() -> None:
    """Look for thumbnails anew when they are needed next."""
    for found in (without_picture, _pictures, with_missing):
        found.cache_clear()


def item_number(items: tuple[Item, ...], name: str) -> int:
    """Return the number of a name among the items."""
    return next((item[4] for item in items if item[0] == name), MISSING)


def name_of(items: tuple[Item, ...], number: int, stored: str) -> str:
    """Return the name of a number among the items, the stored name for one that no item has."""
    return next((item[0] for item in items if item[4] == number), stored)


def _below_headings(first: str, items: tuple[Item, ...], headings: Mapping[str, str]) -> tuple[Item, ...]:
    """Return the items with those that have a heading, by name, below it, behind the others, whose heading is first.

    Blender makes a column of each. Without headings there is none for the others, either.
    """
    if not headings:
        return items
    found: list[Item] = []
    for heading in (first, *sorted(set(headings.values()))):
        own = [item for item in items if headings.get(item[0], first) == heading]
        found += [("", heading, "", "NONE", MISSING), *own]
    return tuple(found)


def _items(texts: Mapping[str, tuple[str, str]]) -> tuple[Item, ...]:
    own = numbers(texts)
    return tuple((name, label, about, "NONE", own[name]) for name, (label, about) in texts.items())
