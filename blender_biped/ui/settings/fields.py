"""Every controller's numbers as sliders, made from what its kind declares: a preset fills them, each may be changed."""

# Blender reads property definitions from the annotations, so they stay unquoted.

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import bpy
import numpy as np
from bpy.props import FloatProperty, IntProperty

from ...base.errors import DataError
from ...control.kind import Kind
from ...control.registry import DEFAULT, kind_of, kinds
from ...preset.declared import Slider, with_values
from ...preset.preset import Preset
from ..base.changes import changed, one_change
from ..base.language import CONTEXT
from ..base.styles import broken_styles, can, style_numbers, style_of, styles

FIRST = f"{DEFAULT.name}/default"
"""What the sliders of a new character show: they begin with the numbers of their controller's first style."""


_DRAG = 200.0  # pixels that the pointer is dragged from one end of a range to the other


def group_name(kind: Kind) -> str:
    """Return the name of the property of a walk that has a controller's sliders."""
    return f"fields_{kind.name}"


def slider_name(slider: Slider) -> str:
    """Return the name of a slider in its group."""
    return slider.path.replace(".", "_")


def slider_groups() -> dict[str, type[Any]]:
    """Return a new property group for each controller that is known now, by ``group_name``."""
    return {group_name(kind): _group(kind) for kind in kinds()}


def kind_chosen(settings: Any) -> Kind | None:
    """Return the controller that is chosen; None for one that is not installed."""
    try:
        return kind_of(settings.controller_name)
    except DataError:
        return None


def preset_numbers(settings: Any) -> Mapping[str, float] | None:
    """Return the numbers of the chosen style by their sliders' paths; None where it is missing or unusable."""
    return _numbers(_choice(settings))


def style_or_none(settings: Any) -> Preset | None:
    """Return the chosen style, with the one that is mixed in; None where it is missing or unusable."""
    return style_of(*_parts(_choice(settings)))


def mixed_styles(settings: Any) -> tuple[Preset, Preset] | None:
    """Return the chosen style and the one that is to be mixed in, as they are; None where one of them is missing."""
    own, other = (style_of(settings.controller_name, name) for name in (settings.preset_name, settings.mix_with_name))
    return (own, other) if own and other else None


def mixed_style(settings: Any, share: float) -> Preset | None:
    """Return the chosen style with so much, 0..1, of what is mixed in; None where it is missing or unusable."""
    return style_of(*_parts(_choice(settings, share)))


def chosen_style(settings: Any) -> Preset:
    """Return the chosen style, with the one that is mixed in. Raises DataError for one that is missing or unusable."""
    controller, name = settings.controller_name, settings.preset_name
    kind_of(controller)
    style = style_or_none(settings)
    if style is not None:
        return style
    wrong = [text for text in broken_styles(controller) if text.startswith(f"{name}.json")]
    if wrong:
        raise DataError(f"The style {name!r} cannot be used. {wrong[0]}")
    raise DataError(
        f"The style {name!r} is not installed here: import its file (Import Style, in the Style panel), "
        "or choose another style."
    )


def shown_style(settings: Any) -> Preset:
    """Return the chosen style with the numbers that the sliders show. Raises DataError as ``chosen_style`` does."""
    style = chosen_style(settings)
    numbers = {path: float(f"{number:.6g}") for path, number in changed_numbers(settings).items()}
    return replace(style, values=with_values(style.values, numbers))


def load_sliders(settings: Any, _context: Any = None) -> None:
    """Set the sliders to what the chosen style says. Also the update callback of controller and preset."""
    _fill(settings, {})


def follow_mix(settings: Any, _context: Any = None) -> None:
    """Let the sliders follow what is mixed in, but those that are changed: the update callback of the mix."""
    _fill(settings, changed_numbers(settings))


def is_behind(settings: Any) -> bool:
    """Return whether the sliders show another style, or share of it: an animation sets a mix and calls nobody."""
    return settings.fields_shown != _choice(settings) and preset_numbers(settings) is not None


def _fill(settings: Any, kept: Mapping[str, float]) -> None:
    """Set the sliders to what the chosen style says, but for what is kept: numbers by path, in the preset's unit."""
    kind, usual = kind_chosen(settings), preset_numbers(settings)
    with one_change():
        if kind is not None and usual is not None:
            group = getattr(settings, group_name(kind))
            for slider in (own for own in kind.sliders if own.path in usual):
                number = _shown(slider, usual[slider.path])
                if slider.path not in kept and np.float32(getattr(group, slider_name(slider))) != np.float32(number):
                    setattr(group, slider_name(slider), number)
            settings.fields_shown = _choice(settings)


def changed_numbers(settings: Any) -> dict[str, float]:
    """Return the numbers, in the preset's unit, of the sliders that show another one than they were filled with."""
    kind, usual = kind_chosen(settings), _numbers(settings.fields_shown)
    same = _parts(settings.fields_shown)[:2] == (settings.controller_name, settings.preset_name)
    if kind is None or usual is None or not same:
        return {}
    return _others(settings, kind, usual)


def _others(settings: Any, kind: Kind, usual: Mapping[str, float]) -> dict[str, float]:
    """Return the numbers of the sliders that show others than the usual ones, all in the preset's unit."""
    group = getattr(settings, group_name(kind))
    shown = {slider: getattr(group, slider_name(slider)) for slider in kind.sliders if slider.path in usual}
    return {
        slider.path: from_slider(slider, value)
        for slider, value in shown.items()
        if np.float32(value) != np.float32(_shown(slider, usual[slider.path]))  # Blender keeps single precision
    }


def from_slider(slider: Slider, value: float) -> float:
    """Return a slider's value in the preset's unit, within its range: curves may go beyond it."""
    return slider.number.held(value / _scale(slider))


def reset(settings: Any, path: str) -> bool:
    """Set one slider back to the chosen preset's number; return whether there is one of that path."""
    fill_missing(settings)
    kind, usual = kind_chosen(settings), preset_numbers(settings)
    slider = next((s for s in kind.sliders if s.path == path), None) if kind else None
    if kind is None or usual is None or slider is None or path not in usual:
        return False
    setattr(getattr(settings, group_name(kind)), slider_name(slider), _shown(slider, usual[path]))
    return True


def gives_speed(settings: Any) -> bool:
    """Return whether the panel's speed counts: steps may be set in its place."""
    return not can(settings.controller_name).set_steps or "SPEED" in settings.given


def fill_missing(settings: Any) -> None:
    """Fill the sliders that show another style than the chosen one; what is changed of the same one stays."""
    if is_behind(settings):
        follow_mix(settings)


def _choice(settings: Any, share: float | None = None) -> str:
    """Return what says which style is chosen, as ``fields_shown`` keeps it: controller/preset/other/share of it.

    share: None for that of the shown frame.
    """
    choice = f"{settings.controller_name}/{settings.preset_name}"
    other, share = settings.mix_with_name, settings.mix if share is None else share
    return f"{choice}/{other}/{share:.4g}" if other and share > 0.0 else choice


def _parts(choice: str) -> tuple[str, str, str, float]:
    """Return controller, preset, the other one and its share of what ``_choice`` says."""
    controller, name, other, share = (*choice.split("/"), "", "", "")[:4]
    try:
        return controller, name, other, float(share)
    except ValueError:
        return controller, name, "", 0.0


def _numbers(choice: str) -> Mapping[str, float] | None:
    return style_numbers(*_parts(choice))


def _scale(slider: Slider) -> float:
    """Return the slider's number for 1: Blender's angles are in radians."""
    return math.radians(1.0) if slider.number.unit == "degrees" else 1.0


def _shown(slider: Slider, value: float) -> float | int:
    """Return what a slider shows for a number in the preset's unit."""
    return round(value) if slider.number.whole else value * _scale(slider)


def _group(kind: Kind) -> type[Any]:
    """Return a property group with a slider for each number of a controller."""
    usual = _usual(kind)
    properties = {slider_name(own): _property(own, usual.get(own.path, own.default)) for own in kind.sliders}
    return type(
        f"BIPED_PG_{group_name(kind)}",
        (bpy.types.PropertyGroup,),
        {
            "__doc__": f"The numbers of {kind.label}",
            "__module__": __name__,
            "__annotations__": properties,
        },
    )


_USUAL: dict[str, tuple[Kind, Mapping[str, float]]] = {}
"""By controller, what was found for it: the extension's own styles stay as they are while Blender runs."""


def _usual(kind: Kind) -> Mapping[str, float]:
    """Return the numbers of a controller's first style, by their sliders' paths."""
    known, numbers = _USUAL.get(kind.name, (None, {}))
    if known is not kind:
        numbers = kind.numbers(next(iter(styles(kind.name).values()), kind.plain).values)
        _USUAL[kind.name] = kind, numbers
    return numbers


def _property(slider: Slider, usual: float) -> Any:
    own, scale = slider.number, _scale(slider)
    unit = f" ({own.unit})" if own.unit not in ("", "degrees") else ""
    shared: dict[str, Any] = {
        "name": own.label,
        "description": own.text + unit,
        "options": {"ANIMATABLE"} if own.keyed else set(),
        "override": {"LIBRARY_OVERRIDABLE"},
        "translation_context": CONTEXT,
        "update": changed,
    }
    if own.whole:
        return IntProperty(default=round(usual), min=round(own.low), max=round(own.high), **shared)
    return FloatProperty(
        default=usual * scale,
        min=own.low * scale,
        max=own.high * scale,
        subtype="ANGLE" if own.unit == "degrees" else "NONE",
        step=100.0 * (own.high - own.low) / _DRAG,  # Blender's are in hundredths, of degrees for angles
        precision=1 if own.unit in ("degrees", "steps/min") else 3,
        **shared,
    )
