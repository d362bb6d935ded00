"""Lengths, speeds and masses as text, in a scene's units."""

from __future__ import annotations

import bpy

SPACE = "\N{NO-BREAK SPACE}"
"""Between a number and its unit, where no line may be broken."""

_DIGITS = 4  # of lengths in metres: nobody sees a tenth of a millimetre


def length_text(value: float, units: bpy.types.UnitSettings) -> str:
    """Return a length, m, in a scene's units: in the one that is readable, or in Blender units if there is none."""
    value = round(value, _DIGITS)
    return _text("LENGTH", value, 2 if abs(value) < 1.0 else 3, units)


def speed_text(value: float, units: bpy.types.UnitSettings) -> str:
    """Return a speed, m/s, in a scene's units."""
    return _text("VELOCITY", value, 3, units)


def mass_text(value: float, units: bpy.types.UnitSettings) -> str:
    """Return a mass, kg, in a scene's units."""
    if units.system == "NONE":  # what Blender shows then is the bare number, in its own units
        return f"{value / units.scale_length**3:.4g}"
    return str(bpy.utils.units.to_string(units.system, "MASS", value, precision=3)).strip()


def _text(category: str, value: float, digits: int, units: bpy.types.UnitSettings) -> str:
    if units.system == "NONE":  # what Blender shows then is the bare number, in its own units
        value /= units.scale_length
    return bpy.utils.units.to_string(units.system, category, value, precision=digits).strip().replace(" ", SPACE)
