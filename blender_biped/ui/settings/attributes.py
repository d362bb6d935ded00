"""KLAW's 28 attributes as sliders: a preset fills them, and each may be changed and keyed."""

# Blender reads property definitions from the annotations, so they stay unquoted.

import math
from dataclasses import Field, fields
from typing import Any

import bpy
import numpy as np
from bpy.props import FloatProperty

from ...klaw.attributes import Attributes, read_style
from ...klaw.walk import NAME
from ..base.changes import changed
from ..base.styles import styles


def load_attributes(settings: Any, _context: Any = None) -> None:
    """Set the sliders to what the chosen preset of KLAW says; nothing for another controller's."""
    style = styles(settings.controller_name).get(settings.preset_name)
    if settings.controller_name == NAME and style is not None:
        own = read_style(style.values).attributes
        for attribute in fields(Attributes):
            setattr(settings.attributes, attribute.name, getattr(own, attribute.name) * _scale(attribute))
    changed()


def told_value(attribute: Field[float], slider: float, preset: float) -> float:
    """Return an attribute, in its own unit, that a slider tells; the preset's where that is what it shows.

    Blender keeps single precision; curves may go beyond the limits.
    """
    scale = _scale(attribute)
    if np.float32(slider) == np.float32(preset * scale):
        return preset
    low, high = attribute.metadata["range"]
    return min(max(slider / scale, low), high)


def gives_speed(settings: Any) -> bool:
    """Return whether the panel's speed counts: KLAW can be told steps in its place."""
    return settings.controller_name != NAME or "SPEED" in settings.given


def _scale(attribute: Field[float]) -> float:
    """Return the slider's number for 1: Blender's angles are in radians."""
    return math.radians(1.0) if attribute.metadata["unit"] == "degrees" else 1.0


def _slider(attribute: Field[float]) -> Any:
    own, scale = attribute.metadata, _scale(attribute)
    assert isinstance(attribute.default, float)
    return FloatProperty(
        name=own["label"],
        description=own["text"],
        default=attribute.default * scale,
        min=own["range"][0] * scale,
        max=own["range"][1] * scale,
        subtype="ANGLE" if own["unit"] == "degrees" else "NONE",
        precision=1 if own["unit"] in ("degrees", "steps/min") else 3,
        update=changed,
    )


BIPED_PG_attributes = type(
    "BIPED_PG_attributes",
    (bpy.types.PropertyGroup,),
    {
        "__doc__": "How KLAW walks: a slider for each attribute.",
        "__module__": __name__,
        "__annotations__": {attribute.name: _slider(attribute) for attribute in fields(Attributes)},
    },
)
