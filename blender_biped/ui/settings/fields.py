"""Every controller's numbers as sliders, made from what its kind declares: a preset fills them, each may be changed."""

# Blender reads property definitions from the annotations, so they stay unquoted.

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import bpy
import numpy as np
from bpy.props import FloatProperty, IntProperty

from ...base.errors import DataError
from ...control.kind import Kind
from ...control.registry import DEFAULT, kind_of, kinds
from ...preset.declared import Slider
from ..base.changes import changed, one_change
from ..base.styles import can, style_numbers, styles

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
    """Return the numbers of the chosen preset by their sliders' paths; None where it is missing or unusable."""
    return style_numbers(settings.controller_name, settings.preset_name)


def load_sliders(settings: Any, _context: Any = None) -> None:
    """Set the sliders to what the chosen preset says. Also the update callback of controller and preset."""
    kind, usual = kind_chosen(settings), preset_numbers(settings)
    with one_change():
        if kind is not None and usual is not None:
            group = getattr(settings, group_name(kind))
            for slider in kind.sliders:
                setattr(group, slider_name(slider), _shown(slider, usual[slider.path]))
            settings.fields_shown = _choice(settings)


def changed_numbers(settings: Any) -> dict[str, float]:
    """Return the numbers, in the preset's unit, of the sliders that show another one than the chosen preset has."""
    kind, usual = kind_chosen(settings), preset_numbers(settings)
    if kind is None or usual is None or settings.fields_shown != _choice(settings):
        return {}
    group = getattr(settings, group_name(kind))
    shown = {slider: getattr(group, slider_name(slider)) for slider in kind.sliders}
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
    kind, usual = kind_chosen(settings), preset_numbers(settings)
    slider = next((s for s in kind.sliders if s.path == path), None) if kind else None
    if kind is None or usual is None or slider is None:
        return False
    setattr(getattr(settings, group_name(kind)), slider_name(slider), _shown(slider, usual[path]))
    return True


def gives_speed(settings: Any) -> bool:
    """Return whether the panel's speed counts: steps may be set in its place."""
    return not can(settings.controller_name).set_steps or "SPEED" in settings.given


def fill_missing(settings: Any) -> None:
    """Fill the sliders of a walk that was saved with others than its preset has, or before there were any."""
    if settings.fields_shown != _choice(settings):
        load_sliders(settings)


def _choice(settings: Any) -> str:
    return f"{settings.controller_name}/{settings.preset_name}"


def _scale(slider: Slider) -> float:
    """Return the slider's number for 1: Blender's angles are in radians."""
    return math.radians(1.0) if slider.number.unit == "degrees" else 1.0


def _shown(slider: Slider, value: float) -> float | int:
    """Return what a slider shows for a number in the preset's unit."""
    return round(value) if slider.number.whole else value * _scale(slider)


def _group(kind: Kind) -> type[Any]:
    """Return a property group with a slider for each number of a controller."""
    first = next(iter(styles(kind.name).values()), kind.plain)
    usual = kind.numbers(first.values)
    return type(
        f"BIPED_PG_{group_name(kind)}",
        (bpy.types.PropertyGroup,),
        {
            "__doc__": f"The numbers of {kind.label}",
            "__module__": __name__,
            "__annotations__": {slider_name(slider): _property(slider, usual[slider.path]) for slider in kind.sliders},
        },
    )


def _property(slider: Slider, usual: float) -> Any:
    own, scale = slider.number, _scale(slider)
    unit = f" ({own.unit})" if own.unit not in ("", "degrees") else ""
    shared: dict[str, Any] = {
        "name": own.label,
        "description": own.text + unit,
        "options": {"ANIMATABLE"} if own.keyed else set(),
        "override": {"LIBRARY_OVERRIDABLE"},
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
