"""The installed controllers and their styles, read once: panels need them whenever they are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ...base.errors import DataError
from ...control.kind import Can
from ...control.registry import kind_of, kinds, presets
from ...preset.preset import Preset, speeds_of


def controller_texts() -> Mapping[str, tuple[str, str]]:
    """Return label and description of each controller by name."""
    return {kind.name: (kind.label, kind.description) for kind in kinds()}


def can(controller: str) -> Can:
    """Return what a controller can do; of an unknown one, nothing."""
    return kind_of(controller).can if controller in controller_texts() else Can()


@cache
def styles(controller: str) -> Mapping[str, Preset]:
    """Return the presets of a controller by name, in their order; none of an unknown one, or where one is unusable."""
    if controller not in controller_texts():
        return {}
    try:
        found = presets(controller)
        for style in found:
            speeds_of(style)
        return {style.name: style for style in found}
    except DataError as error:  # the bake says the same where it matters; a panel cannot
        print(f"Biped Locomotion: {error}")
        return {}


@cache  # also keeps the strings alive, which Blender itself does not
def gait_items(controller: str) -> list[tuple[str, str, str]]:
    """Return the styles of a controller for an enumeration."""
    return [(style.name, style.label, style.description) for style in styles(controller).values()]


@cache  # reading a whole preset takes milliseconds, and a panel needs its numbers for each of its buttons
def style_numbers(controller: str, name: str) -> Mapping[str, float] | None:
    """Return the numbers of a style by their sliders' paths; None where it is missing or unusable."""
    style = styles(controller).get(name)
    try:
        return kind_of(controller).numbers(style.values) if style else None
    except DataError:  # the bake says what is wrong
        return None


def forget() -> None:
    """Read controllers and styles anew when they are needed next."""
    styles.cache_clear()
    gait_items.cache_clear()
    style_numbers.cache_clear()
