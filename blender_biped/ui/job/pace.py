"""How the speeds that the panel and markers set depend on the size of the character."""

from __future__ import annotations

import math

from ...base.errors import DataError
from ...character.model import Character
from ...character.natural_speed import ease, natural_speed
from ...character.reference import GRAVITY
from ...control.registry import kind_of
from ...job import MAX_SPEED
from ...preset.preset import Preset, Speeds, speeds_of
from ..settings.speed_rule import SpeedRule


def paced(pace: str, speed: float, character: Character) -> tuple[float, float]:
    """Return the speed, m/s, and the gravity, m/s2, that a character walks with.

    pace: of BIPED_PG_character; walks of one Froude number v^2 / (g l) look alike at any size. speed: as set, m/s.
    """
    size, own = character.size, natural_speed(character, speed)
    if pace == "ADULT":
        return own * math.sqrt(size), GRAVITY * size
    return (own if pace == "BY_SIZE" else speed), GRAVITY


def speeds_to_set(style: Preset, pace: str, character: Character | None) -> Speeds | None:
    """Return the speeds, m/s, to be set for a gait to have those that it can have; None where it keeps no range.

    character: None while it is not known; then as for an adult. Raises DataError for an unusable preset.
    """
    return _to_set(speeds_of(style), pace, character)


def _to_set(speeds: Speeds | None, pace: str, character: Character | None) -> Speeds | None:
    if speeds is None or character is None:
        return speeds
    if pace == "EXACT":
        scale = math.sqrt(character.size)
        return Speeds(speeds.slowest * scale, speeds.usual * scale, speeds.fastest * scale)
    slowest, fastest = (speed / ease(character) for speed in (speeds.slowest, speeds.fastest))
    return Speeds(slowest, min(max(speeds.usual, slowest), fastest), fastest)


def speed_rule(style: Preset, pace: str, character: Character | None) -> SpeedRule:
    """Return how the speed of a walk with a style depends on the character, None for one that is not known.

    Raises DataError for an unusable preset, or one of a controller that is not installed.
    """
    factor = paced(pace, 1.0, character)[0] if character else 1.0
    kind = kind_of(style.controller)
    kept = _to_set(speeds_of(style) or kind.speeds, pace, character)
    speeds = Speeds(factor * kept.slowest, factor * kept.usual, factor * kept.fastest) if kept else None
    return SpeedRule(factor, speeds, not kind.can.any_speed)


def usual_to_keep(style: Preset, pace: str, speed: float, character: Character | None) -> float:
    """Return what a style keeps as its usual speed, m/s, when ``speed``, m/s, is set: back from ``speeds_to_set``.

    character: None while it is not known; then as for an adult. Raises DataError for an unusable preset.
    """
    if pace == "EXACT" and character is not None:
        speed /= math.sqrt(character.size)
    speeds = speeds_of(style)
    return speeds.held(speed) if speeds else speed


def within(speed: float) -> float:
    """Return a speed, m/s, that a job can have. Raises DataError for one that is too high."""
    if speed > MAX_SPEED:
        raise DataError(
            f"A speed of {speed:.0f} m/s is too much (at most {MAX_SPEED:g}): lower it, or set another Pace."
        )
    return speed
