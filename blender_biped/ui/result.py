"""How a walk went, in an animator's words and the scene's units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import bpy

from ..motion.summary import Summary
from .properties import summary_of

Icon = Literal["CHECKMARK", "ERROR", "BLANK1"]

_SLIP_DIGITS = 4  # of lengths in metres: nobody sees a tenth of a millimetre


@dataclass(frozen=True)
class Line:
    """One line of the panel."""

    text: str
    icon: Icon = "BLANK1"


@dataclass(frozen=True)
class Result:
    """A walk that an armature has: its action, how it went, and whether it is the armature's active action."""

    action: bpy.types.Action
    summary: Summary
    active: bool


def result_of(armature: bpy.types.Object | None) -> Result | None:
    """Return the result of an armature's action, else of the topmost NLA strip that has one, else None."""
    data = armature.animation_data if armature else None
    if not data:
        return None
    strips = [strip.action for track in reversed(data.nla_tracks) for strip in track.strips]
    for action in filter(None, (data.action, *strips)):
        summary = summary_of(action)
        if summary:
            return Result(action, summary, action == data.action)
    return None


def result_lines(result: Result, units: bpy.types.UnitSettings) -> list[Line]:
    """Return what the panel says of a walk, the outcome first. Figures that do not apply are "-", with the reason."""
    s = result.summary
    return [
        _outcome(result, units),
        Line(_speed(s, units)),
        Line(_pair("Off the path", s.deviation_mean, s.deviation_worst, "fewer than two steps", units)),
        Line(_pair("Feet slide", s.slip_median, s.slip_worst, "no foot stood", units)),
        Line(f"Steps: {s.steps}" + ("" if s.cadence is None else f", {s.cadence:.0f} a minute")),
        Line(f"Lasts {s.duration:.1f} s, simulated in {s.cpu:.1f} s"),
    ]


def length_text(value: float, units: bpy.types.UnitSettings) -> str:
    """Return a length, m, in a scene's units: in the one that is readable, or in Blender units if there is none."""
    value = round(value, _SLIP_DIGITS)
    return _text("LENGTH", value, 2 if abs(value) < 1.0 else 3, units)


def speed_text(value: float, units: bpy.types.UnitSettings) -> str:
    """Return a speed, m/s, in a scene's units."""
    return _text("VELOCITY", value, 3, units)


def _text(category: str, value: float, digits: int, units: bpy.types.UnitSettings) -> str:
    if units.system == "NONE":  # what Blender shows then is the bare number, in its own units
        value /= units.scale_length
    return bpy.utils.units.to_string(units.system, category, value, precision=digits).strip()


def _outcome(result: Result, units: bpy.types.UnitSettings) -> Line:
    s = result.summary
    left = length_text(s.left, units)
    if s.outcome == "fell":
        return Line(
            f"Fell at frame {result.action.biped.fell_frame} ({s.fell_at:.1f} s), {left} before the end", "ERROR"
        )
    if s.outcome == "unfinished":
        return Line(f"Did not reach the end: {left} left", "ERROR")
    if s.outcome == "passed":
        return Line("Reached the end and walked on", "CHECKMARK")
    if s.end_distance is None:
        return Line("Reached the end, but does not stand still there", "ERROR")
    return Line(f"Reached the end: stands {length_text(s.end_distance, units)} from it", "CHECKMARK")


def _speed(s: Summary, units: bpy.types.UnitSettings) -> str:
    wished = speed_text(s.wished_speed, units)
    if s.speed is None:
        return f"Speed: - of {wished} (no steady stretch)"
    return f"Speed: {speed_text(s.speed, units)} of {wished}"


def _pair(words: str, usual: float | None, worst: float | None, reason: str, units: bpy.types.UnitSettings) -> str:
    if usual is None or worst is None:
        return f"{words}: - ({reason})"
    return f"{words}: {length_text(usual, units)}, at worst {length_text(worst, units)}"
