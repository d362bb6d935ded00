"""Locomotion parameters: speed, step length and step frequency from any of them; the times of a step's states.

Bruderlin 1988, section 5.1 and appendix D. Here in his units: m, steps/min, and m/min for speeds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..base.errors import DataError
from .attributes import Attributes
from .body import REFERENCE, Scale

NORMAL = 0.004
"""Step length over step frequency and body height of people who choose by themselves (equation 5.1)."""

KMH = 1000.0 / 60.0
"""m/min of one km/h."""


@dataclass(frozen=True)
class Parameters:
    """One way to walk. speed: m/min. length: of a step, m. frequency: steps/min."""

    speed: float
    length: float
    frequency: float

    @property
    def time(self) -> float:
        """Of one step, s."""
        return 60.0 / self.frequency

    @property
    def double_support(self) -> float:
        """Time in which both feet are on the ground, s, of each step (equation 5.3)."""
        return max((29.08 - 0.16 * self.frequency) / 100.0, 0.0) * 2.0 * self.time

    @property
    def swing(self) -> float:
        """Time in which one foot is in the air, s, of each step (equation 5.2)."""
        return self.time - self.double_support


@dataclass(frozen=True)
class GaitLimits:
    """Where walking ends and running begins: the longest step, m, most steps/min, and fastest speed, m/min.

    scale: from these to the character's own, for what messages say.
    """

    height: float
    length: float
    frequency: float
    speed: float
    normal_length: float
    normal_frequency: float
    scale: Scale


def limits(attributes: Attributes, height: float, scale: Scale = REFERENCE) -> GaitLimits:
    """Return the limits for a body height, m (section 5.1), of a character that is so much larger."""
    normal = attributes.sl_norm * height
    return GaitLimits(
        height,
        attributes.sl_max * height,
        attributes.sf_max,
        normal * attributes.sf_max,
        normal,
        attributes.sf_norm,
        scale,
    )


def completed(bounds: GaitLimits, speed: float = 0.0, length: float = 0.0, frequency: float = 0.0) -> Parameters:
    """Return all three parameters from those that are given (appendix D); 0 is for one that is not.

    speed: m/min. Raises DataError for none, for three that contradict each other, and beyond the limits, which derived
    ones have to keep as well.
    """
    if length and frequency:
        if speed and abs(length * frequency / speed - 1.0) > 1e-6:
            own = bounds.scale
            raise DataError(
                f"{length * own.length:.3g} m at {frequency / own.time:.4g} steps a minute are "
                f"{length * frequency * own.speed / KMH:.3g} km/h, not {speed * own.speed / KMH:.3g}: leave one of "
                "speed, step length and step frequency free."
            )
    elif speed and length:
        frequency = speed / length
    elif speed and frequency:
        length = speed / frequency
    elif speed:
        frequency = math.sqrt(speed / (NORMAL * bounds.height))
        if frequency > bounds.normal_frequency:
            frequency = speed / bounds.normal_length
        length = speed / frequency
    elif length:
        frequency = length / (NORMAL * bounds.height)
        if length > bounds.normal_length:
            share = (length - bounds.normal_length) / max(bounds.length - bounds.normal_length, 1e-9)
            fastest = bounds.speed / bounds.length
            frequency = bounds.normal_frequency + share * (fastest - bounds.normal_frequency)
    elif frequency:
        length = min(NORMAL * frequency * bounds.height, bounds.normal_length)
    else:
        raise DataError("A walk needs a speed, a step length or a step frequency.")
    found = Parameters(length * frequency, length, frequency)
    _check(found, bounds)
    return found


def _check(found: Parameters, bounds: GaitLimits) -> None:
    own = bounds.scale
    names = (
        ("step length", found.length, bounds.length, own.length, "m"),
        ("step frequency", found.frequency, bounds.frequency, 1.0 / own.time, "steps a minute"),
        ("speed", found.speed, bounds.speed, own.speed / KMH, "km/h"),
    )
    for name, value, most, unit, text in names:
        if value > most * (1.0 + 1e-9):
            raise DataError(
                f"A {name} of {value * unit:.3g} {text} is more than this body can walk with (at most {most * unit:.3g}"
                f" {text}): beyond, it would run."
            )
