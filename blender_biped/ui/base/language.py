"""The language of the interface: Blender translates labels and tooltips itself, this what is made at run time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

import bpy

from ...base.translation import Translation

FOLDER: Final = Path(__file__).parents[1] / "translations"
"""A file for each language, named as Blender names it: the texts in the language by the English ones."""

_NAME: Final = __package__.rsplit(".", 2)[0]
CONTEXT: Final = "Biped"
"""What Blender looks our own labels up in before its own: there, Walk is a way to fly through a scene."""

_CONTEXTS: Final = ("*", "Operator", CONTEXT)  # of tooltips, of what stands on buttons, of our own labels


def translated(text: str) -> str:
    """Return a text that was put together at run time, or comes from a message, in the language of the interface."""
    table = _table(locale())
    return table.of(text) if table else text


def start(classes: tuple[Any, ...]) -> None:
    """Give Blender the texts of all languages, with those that the properties of registered classes were given."""
    made = frozenset(text for cls in classes for text in texts_of(cls))
    texts: dict[str, dict[tuple[str, str], str]] = {}
    for language in languages():
        entries = _entries(language, made)
        texts[language] = texts[language.partition("_")[0]] = entries  # newer versions name languages without a country
    bpy.app.translations.register(_NAME, texts)
    for cls in filter(_is_operator, classes):
        cls.poll_message_set = classmethod(_poll_message_set)


@lru_cache(4)
def _entries(language: str, made: frozenset[str]) -> dict[tuple[str, str], str]:
    """Return a language's texts as Blender wants them. made: those that properties were given."""
    table = translation(language)
    whole = {**table.texts, **{text: table.of(text) for text in made}}
    return {(context, text): whole[text] for text in whole for context in _CONTEXTS}


def stop(classes: tuple[Any, ...]) -> None:
    """Take the texts away again."""
    bpy.app.translations.unregister(_NAME)
    for cls in filter(_is_operator, classes):
        del cls.poll_message_set


def _poll_message_set(_cls: type[Any], text: str) -> None:
    """Tell why an operator cannot be used: the one kind of text without values that Blender does not translate."""
    bpy.types.Operator.poll_message_set(translated(text))


def _is_operator(cls: type[Any]) -> bool:
    return issubclass(cls, bpy.types.Operator)


def locale() -> str:
    """Return the language of the interface as Blender names it, "" for English."""
    view = bpy.context.preferences.view
    return str(bpy.app.translations.locale or "") if view.use_translate_interface else ""


@cache
def languages() -> list[str]:
    """Return the languages that there are, as Blender names them."""
    return sorted(file.stem for file in FOLDER.glob("*.json"))


@cache
def translation(language: str) -> Translation:
    """Return the texts of a language. Those that are still to be translated are not among them."""
    own = json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return Translation({text: other for text, other in own.items() if other})


@cache
def _table(locale: str) -> Translation | None:
    """Return the texts of the language of a locale, such as de_DE or de; None where there are none."""
    language = locale.partition("_")[0]
    found = [name for name in languages() if name == locale or name.partition("_")[0] == language]
    return translation(found[0]) if found and language else None


def texts_of(cls: Any) -> Iterator[str]:
    """Give the labels and tooltips of a class' own properties, and of the items of their menus."""
    for prop in cls.bl_rna.properties:
        if prop.identifier in getattr(cls, "__annotations__", {}) and not prop.identifier.startswith("bl_"):
            yield from (prop.name, prop.description)
            if prop.type == "ENUM":
                for item in prop.enum_items:
                    yield from (item.name, item.description)
