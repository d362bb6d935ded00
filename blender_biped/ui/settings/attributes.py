"""KLAW's 28 attributes as sliders: a preset fills them, and each may be changed and keyed."""

# Blender reads property definitions from the annotations, so they stay unquoted.

import math
from typing import Any

import bpy
import numpy as np
from bpy.props import FloatProperty

from ...klaw.attributes import Attributes, read_style
from ...klaw.walk import NAME
from ...preset.declared import Slider, sliders
from ..base.layout import Sidebar
from ..base.styles import styles


def ask_preview(_self: Any, _context: Any) -> None:
    """Have the preview made soon."""
    from ..view.preview import ask  # which reads these settings

    ask()


def load_attributes(settings: Any, _context: Any = None) -> None:
    """Set the sliders to what the chosen preset of KLAW says; nothing for another controller's."""
    style = styles(settings.controller_name).get(settings.preset_name)
    if settings.controller_name == NAME and style is not None:
        own = read_style(style.values).attributes
        for attribute in sliders(Attributes):
            setattr(settings.attributes, attribute.path, getattr(own, attribute.path) * _scale(attribute))
    ask_preview(settings, None)


def told_value(attribute: Slider, slider: float, preset: float) -> float:
    """Return an attribute, in its own unit, that a slider tells; the preset's where that is what it shows.

    Blender keeps single precision; curves may go beyond the limits.
    """
    scale = _scale(attribute)
    if np.float32(slider) == np.float32(preset * scale):
        return preset
    low, high = attribute.number.low, attribute.number.high
    return min(max(slider / scale, low), high)


def gives_speed(settings: Any) -> bool:
    """Return whether the panel's speed counts: KLAW can be told steps in its place."""
    return settings.controller_name != NAME or "SPEED" in settings.given


def _scale(attribute: Slider) -> float:
    """Return the slider's number for 1: Blender's angles are in radians."""
    return math.radians(1.0) if attribute.number.unit == "degrees" else 1.0


def _slider(attribute: Slider) -> Any:
    own, scale = attribute.number, _scale(attribute)
    return FloatProperty(
        name=own.label,
        description=own.text,
        default=attribute.default * scale,
        min=own.low * scale,
        max=own.high * scale,
        subtype="ANGLE" if own.unit == "degrees" else "NONE",
        precision=1 if own.unit in ("degrees", "steps/min") else 3,
        update=ask_preview,
    )


BIPED_PG_attributes = type(
    "BIPED_PG_attributes",
    (bpy.types.PropertyGroup,),
    {
        "__doc__": "How KLAW walks: a slider for each attribute.",
        "__module__": __name__,
        "__annotations__": {attribute.path: _slider(attribute) for attribute in sliders(Attributes)},
    },
)


class BIPED_PT_attributes(Sidebar, bpy.types.Panel):
    """The attributes of KLAW."""

    bl_label = "Attributes"
    bl_parent_id = "BIPED_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether KLAW is chosen."""
        return bool(context.scene.biped.controller_name == NAME)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        for label in dict.fromkeys(attribute.number.group for attribute in sliders(Attributes)):
            column = self.layout.column(align=True)  # names within the sliders: beside them there is no room
            column.label(text=label)
            for attribute in sliders(Attributes):
                if attribute.number.group == label:
                    column.prop(context.scene.biped.attributes, attribute.path)
