"""The installed controllers and their styles, read once: panels need them whenever they are drawn.

Styles of one's own lie in the extension's folder of the user: the list is the same in all files. Where the extension is
not installed as one (its sources are run) there are none.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

import bpy

from ...base.errors import DataError
from ...control.kind import Can
from ...control.registry import Styles, all_styles, kind_of, kinds, mix_of
from ...preset.own import file_of
from ...preset.preset import Preset, preset_root

_PACKAGE = __package__.rsplit(".", 2)[0]  # the extension's own name: "bl_ext.user_default.biped_locomotion"


def controller_texts() -> Mapping[str, tuple[str, str]]:
    """Return label and description of each controller by name."""
    return {kind.name: (kind.label, kind.description) for kind in kinds()}


def can(controller: str) -> Can:
    """Return what a controller can do; of an unknown one, nothing."""
    return kind_of(controller).can if controller in controller_texts() else Can()


def own_folder() -> Path | None:
    """Return the folder of the styles of one's own, which need not be there yet; None where there can be none."""
    try:
        return Path(bpy.utils.extension_path_user(_PACKAGE, path="styles"))
    except ValueError:  # no extension
        return None


def styles(controller: str) -> Mapping[str, Preset]:
    """Return the presets of a controller by name, in their order, those of one's own among them; none if unknown."""
    return _known(controller)[1]


def is_own(controller: str, name: str) -> bool:
    """Return whether a style is one of one's own."""
    return name in _known(controller)[0].own


def broken_styles(controller: str) -> tuple[str, ...]:
    """Return which files of styles were left out, and why."""
    return _known(controller)[0].broken


def picture_file(controller: str, name: str) -> Path | None:
    """Return the file of a style's thumbnail, None for one without."""
    folder = own_folder() if is_own(controller, name) else preset_root()
    style = styles(controller).get(name)
    file = file_of(folder, style, ".png") if folder and style else None
    return file if file and file.is_file() else None


@cache
def without_picture(controller: str) -> tuple[Preset, ...]:
    """Return the styles of one's own of a controller that have no thumbnail yet."""
    known = styles(controller).values()
    return tuple(s for s in known if is_own(controller, s.name) and not picture_file(controller, s.name))


@cache
def _known(controller: str) -> tuple[Styles, Mapping[str, Preset]]:
    if controller not in controller_texts():
        return Styles(()), {}
    found = all_styles(controller, own_folder())
    for text in found.broken:  # the panel shows it, too
        print(f"Biped Locomotion: {text}")
    return found, {style.name: style for style in found.styles}


@lru_cache(256)  # while a mix is dragged, there is another one with each step
def style_of(controller: str, name: str, other: str = "", share: float = 0.0) -> Preset | None:
    """Return a style, or one that is mixed with another of its controller; None where it is missing or unusable.

    share: of the other one, 0..1. One that is missing is not mixed in.
    """
    known = styles(controller)
    style, second = known.get(name), known.get(other)
    if style is None or second is None:
        return style
    try:
        return mix_of(style, second, share)
    except DataError:  # the bake says what is wrong
        return None


@cache  # a panel asks for it with each draw
def unlike(controller: str, name: str, other: str) -> bool:
    """Return whether a walk cannot go from one style of a controller to another little by little."""
    first, second = (style_of(controller, own) for own in (name, other))
    try:
        return bool(first and second and kind_of(controller).unlike(first, second))
    except DataError:  # the bake says what is wrong
        return False


@cache  # also keeps the strings alive, which Blender itself does not
def gait_items(controller: str) -> list[tuple[str, str, str]]:
    """Return the styles of a controller for an enumeration."""
    return [(style.name, style.label, style.description) for style in styles(controller).values()]


@lru_cache(256)  # reading a whole preset takes milliseconds, and a panel needs its numbers for each of its buttons
def style_numbers(controller: str, name: str, other: str = "", share: float = 0.0) -> Mapping[str, float] | None:
    """Return the numbers of a style, or a mixed one, by their sliders' paths; None where it is missing or unusable."""
    style = style_of(controller, name, other, share)
    try:
        return kind_of(controller).numbers(style.values) if style else None
    except DataError:  # the bake says what is wrong
        return None


def forget() -> None:
    """Read controllers and styles anew when they are needed next."""
    for kept in (_known, without_picture, style_of, unlike, gait_items, style_numbers):
        kept.cache_clear()
