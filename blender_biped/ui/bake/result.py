"""How a walk went, in an animator's words and the scene's units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import bpy

from ...character.clearance import Sunk
from ...character.skin import Torn
from ...motion.arrivals import Arrival
from ...motion.cycle import Cycle
from ...motion.summary import Summary
from ..base.reading import frame_rate
from ..base.units import SPACE, length_text, speed_text
from ..settings.kept_result import KeptStride, baked_actions, stride_of, summary_of, sunk_of, torn_of
from .choices import ALL_PARTS, Choices

Icon = Literal["CHECKMARK", "ERROR", "BLANK1"]


_BEND = "Bend it up in an action on top of the walk."


@dataclass(frozen=True)
class Line:
    """One line of the panel: a figure and its name, or, without a name, how the walk ended."""

    text: str
    name: str = ""
    icon: Icon = "BLANK1"


@dataclass(frozen=True)
class Result:
    """A walk that an armature has: its action, how it went, and whether it is the armature's active action.

    stride: what is known of the stride that the action repeats, None when it has the whole walk. torn: of the skin,
    None when that is not known. sunk: what goes into the ground, None for nothing.
    """

    action: bpy.types.Action
    summary: Summary
    active: bool
    stride: KeptStride | None = None
    torn: Torn | None = None
    sunk: Sunk | None = None


def result_of(armature: bpy.types.Object | None) -> Result | None:
    """Return the result of an armature's action, else of the topmost NLA strip that has one, else None."""
    for action in baked_actions(armature) if armature else ():
        summary = summary_of(action)
        if armature and summary:
            active = action == armature.animation_data.action
            return Result(action, summary, active, stride_of(action), torn_of(action), sunk_of(action))
    return None


def fall_frame(summary: Summary, start: int, scene: bpy.types.Scene) -> int | None:
    """Return the frame of the fall of a walk that begins at frame ``start``, None for one that did not fall."""
    return None if summary.fell_at is None else round(start + summary.fell_at * frame_rate(scene))


def result_lines(result: Result, units: bpy.types.UnitSettings) -> list[Line]:
    """Return the panel's lines about a walk, the outcome first. Figures that do not apply are "-", with the reason."""
    if result.stride:
        return _stride_lines(result.stride, units)
    s = result.summary
    cadence = "" if s.cadence is None else f", {s.cadence:.0f} a minute"
    gaits = result.action.biped.gaits
    return [
        _outcome(result, units),
        *([Line(gaits, "Gaits")] if gaits else []),
        Line(f"{_speed(s, units)} (first gait)" if gaits and s.speed else _speed(s, units), "Speed"),
        Line(_pair(s.deviation_mean, s.deviation_worst, "fewer than two steps", units), "Off the Path"),
        Line(_pair(s.slip_median, s.slip_worst, "no foot stood", units), "Feet Slide"),
        *([_skin(result.torn, units)] if result.torn else []),
        *([_sunk(result.sunk, units)] if result.sunk else []),
        Line(f"{s.steps}{cadence}", "Steps"),
        Line(f"{s.duration:.1f}{SPACE}s, made in {s.cpu:.1f}{SPACE}s", "Duration"),
    ]


def choices_text(choices: Choices, cycle: Cycle | None, units: bpy.types.UnitSettings) -> list[str]:
    """Return what was made of the walk, where it is not simply all of it."""
    notes = []
    if cycle:
        stride = KeptStride.of(cycle)
        notes.append(
            f"One stride of {length_text(stride.travel, units)} in {stride.frames} frames, looping: move the "
            f"object at {speed_text(stride.speed, units)}. Matching its ends takes it {_blend_text(stride, units)} off "
            "the simulated stride."
        )
    elif choices.in_place:
        notes.append("It walks in place.")
    if choices.parts < ALL_PARTS:
        notes.append(f"Only hips{''.join(f', {part.lower()}' for part in sorted(choices.parts))}.")
    if choices.step > 1 and not choices.needed:
        notes.append(f"Keys every {choices.step} frames.")
    if choices.onto in ("STRIP", "ADDITIVE"):
        notes.append(f"{'An additive' if choices.onto == 'ADDITIVE' else 'An'} NLA strip above the existing animation.")
    return notes


def arrivals_text(found: Sequence[Arrival], start: int, scene: bpy.types.Scene) -> list[str]:
    """Return how a walk that begins at frame ``start`` kept the frames of the points along its path, in a line."""
    rate, units = frame_rate(scene), scene.unit_settings
    said = []
    for arrival in found:
        frame = round(start + arrival.point.time * rate)
        off = length_text(abs(arrival.ahead), units)
        late = None if arrival.late is None else round(arrival.late * rate)
        if late is None:
            said.append(f"frame {frame}: {off} before it, and never there")
        elif late:
            frames = "1 frame" if abs(late) == 1 else f"{abs(late)} frames"
            said.append(f"frame {frame}: {frames} {'late' if late > 0 else 'early'}, {off} off")
        else:
            said.append(f"frame {frame}: in time, {off} off")
    return [f"Points along the path: {'; '.join(said)}."] if said else []


def _blend_text(stride: KeptStride, units: bpy.types.UnitSettings) -> str:
    """Return how far a stride that repeats is from what was simulated."""
    turned = f"{math.degrees(stride.blend_turn):.1f}{SPACE}degrees"
    return (
        f"up to {length_text(stride.blend, units)} and {turned}, time by {100.0 * (stride.stretch - 1.0):+.1f}{SPACE}%"
    )


def _stride_lines(stride: KeptStride, units: bpy.types.UnitSettings) -> list[Line]:
    return [
        Line("One looping stride, in place", icon="CHECKMARK"),
        Line(f"{speed_text(stride.speed, units)}, at which to move the object", "Speed"),
        Line(f"{length_text(stride.travel, units)} in {stride.frames} frames", "Travel"),
        Line(_blend_text(stride, units), "Off the Walk"),
    ]


def _outcome(result: Result, units: bpy.types.UnitSettings) -> Line:
    s = result.summary
    left = length_text(s.left, units)
    if s.outcome == "fell" and s.lies is not None:
        end = "and lies still at the end" if s.lies else "and does not lie still yet at the end"
        return Line(
            f"Falls as a ragdoll at frame {result.action.biped.fell_frame} ({s.fell_at:.1f}{SPACE}s), {end}",
            icon="CHECKMARK" if s.lies else "ERROR",
        )
    if s.outcome == "fell":
        return Line(
            f"Fell at frame {result.action.biped.fell_frame} ({s.fell_at:.1f}{SPACE}s), {left} before the end",
            icon="ERROR",
        )
    if s.outcome == "stuck":
        return Line(f"Steps on the spot: {left} left", icon="ERROR")
    if s.outcome == "unfinished":
        return Line(f"Did not reach the end: {left} left", icon="ERROR")
    if result.torn and result.torn.plain:
        return Line("Reached the end, but the skin is torn", icon="ERROR")
    if s.astray:
        return Line(astray_text(s, units), icon="ERROR")
    if s.outcome == "passed":
        return Line("Reached the end, still walking", icon="CHECKMARK")
    if s.end_distance is None:
        return Line("Reached the end, but does not stand still there", icon="ERROR")
    return Line(f"Reached the end: {length_text(s.end_distance, units)} from it", icon="CHECKMARK")


def astray_text(s: Summary, units: bpy.types.UnitSettings) -> str:
    """Return how far from the path's end a walk stands, or how far off the path it was; "" for one that kept to it."""
    if s.astray_by is None:
        return ""
    off = length_text(s.astray_by, units)
    at_end = s.astray == "end"
    return f"Stands {off} from the path's end" if at_end else f"Reached the end, but strayed up to {off} from the path"


def torn_text(torn: Torn, units: bpy.types.UnitSettings) -> str:
    """Return what is wrong with the skin, and what to do; "" where nothing is to be seen."""
    if not torn.plain:
        return ""
    return (
        f"The skin is torn: {torn.edges} of its edges are stretched to over three times their length, the worst by "
        f"{length_text(torn.gap, units)}. Bones with weights must be in the Bones table, or hang on one that is."
    )


def sunk_text(sunk: Sunk, units: bpy.types.UnitSettings) -> str:
    """Return what goes into the ground, where, and what to do."""
    deep = length_text(sunk.depth, units)
    said = f"Its tail goes {deep} into the ground, most at frame {sunk.frame}."
    if sunk.part == "head":
        said = f"Its head goes {deep} into the ground, most at frame {sunk.frame}."
    return " ".join((said, _BEND))


def _sunk(sunk: Sunk, units: bpy.types.UnitSettings) -> Line:
    deep, at = length_text(sunk.depth, units), sunk.frame
    text = f"Tail, {deep} deep at frame {at}" if sunk.part == "tail" else f"Head, {deep} deep at frame {at}"
    return Line(text, "In the Ground", "ERROR")


def _skin(torn: Torn, units: bpy.types.UnitSettings) -> Line:
    if not torn.edges:
        return Line("Holds together", "Skin")
    edges = "1 edge" if torn.edges == 1 else f"{torn.edges} edges"
    return Line(f"{'Torn' if torn.plain else 'Stretched'}: {edges}, by {length_text(torn.gap, units)}", "Skin")


def _speed(s: Summary, units: bpy.types.UnitSettings) -> str:
    desired = speed_text(s.desired_speed, units)
    if s.speed is None:
        return f"- of {desired} (no steady stretch)"
    number, _, unit = speed_text(s.speed, units).partition(SPACE)
    return f"{number} of {desired}" if desired.endswith(unit) else f"{number}{SPACE}{unit} of {desired}"


def _pair(usual: float | None, worst: float | None, reason: str, units: bpy.types.UnitSettings) -> str:
    if usual is None or worst is None:
        return f"- ({reason})"
    return f"{length_text(usual, units)}, at worst {length_text(worst, units)}"
