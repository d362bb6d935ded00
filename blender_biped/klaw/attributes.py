"""The 28 locomotion attributes, and the constants of the dynamic model (Bruderlin 1988, appendices C.4 and E)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ..errors import DataError
from ..fields import Fields

STRAIGHT = math.radians(4.0)
"""rad. A knee is not straighter: there its rate would have no bound."""


def _number(default: float, low: float, high: float) -> Any:
    return field(default=default, metadata={"range": (low, high)})


@dataclass(frozen=True)
class Attributes:
    """What gives a walk its style (appendix E, with its names and defaults).

    Angles in degrees; ankle angles as the thesis has them, -90 for a foot square to its shin, -65 for one that points
    down. Lengths, m, speeds, km/h, and frequencies, steps/min, are those of a body of 1.8 m and scale with the body.

    Bounds are where the method still works; the thesis itself names one: a pelvic_list_factor of 10 collapses.
    """

    arm_rot_factor: float = _number(0.8, 0.0, 3.0)
    duration_kneeflex: float = _number(0.1, 0.0, 0.25)
    elbow_rot_max: float = _number(35.0, 0.0, 140.0)
    elbow_rot_min: float = _number(0.0, 0.0, 140.0)
    end_swing1: float = _number(0.5, 0.3, 0.7)
    end_swing2: float = _number(0.85, 0.72, 0.96)
    max_knee: float = _number(65.0, 40.0, 100.0)
    meta_incSS: float = _number(2.0, 0.0, 10.0)  # noqa: N815 - the thesis's name
    pelvic_list_factor: float = _number(1.0, 0.0, 4.0)
    pelvic_rot_max: float = _number(13.0, 0.0, 40.0)
    percent_D: float = _number(0.3, 0.1, 0.6)  # noqa: N815
    sf_accdec: float = _number(40.0, 5.0, 200.0)
    sf_max: float = _number(180.0, 60.0, 240.0)
    sf_norm: float = _number(132.0, 40.0, 182.0)
    shoulder_rot_factor: float = _number(0.6, 0.0, 3.0)
    sl_max: float = _number(0.6, 0.2, 0.65)
    sl_norm: float = _number(0.528, 0.15, 0.62)
    stance1234_knee: float = _number(0.0, 0.0, 50.0)
    stance6_ankle: float = _number(-65.0, -90.0, -30.0)
    stride_width_factor: float = _number(0.9, 0.0, 3.0)
    swing1_ankle: float = _number(-105.0, -120.0, -50.0)
    swing1_meta: float = _number(0.0, -20.0, 40.0)
    theta2_des: float = _number(0.0, -40.0, 60.0)
    theta4_des: float = _number(0.0, 0.0, 45.0)
    theta5_des: float = _number(-90.0, -110.0, -60.0)
    toe_clear: float = _number(0.009, 0.0, 0.2)
    v_acc: float = _number(2.0, 0.2, 10.0)
    v_dec: float = _number(4.0, 0.2, 10.0)

    @property
    def least_knee(self) -> float:
        """How much the stance knee is bent at least, rad."""
        return max(math.radians(self.stance1234_knee), STRAIGHT)


@dataclass(frozen=True)
class Constants:
    """Springs, dampers and actuators of the dynamic model, for a body of 1.8 m and 75 kg (appendix C.4), SI.

    Beyond the thesis: heel_off: how far the leg has passed the vertical when the heel may rise, degrees (the foot of
    figure 5-8 gives 15.4), and heel_gain: how much the foot turns for each degree that the leg goes on (there 2).
    lengthening: when STANCE3 begins, in shares of SWING1 (section 6.1 has 1, chapter 7 suggests less). flat: when the
    sole is flat, in shares of a cycle from heel strike. meta_max: how far the toes bend, degrees. smoothing: of the
    hips' path, s.
    """

    k_w: float = _number(30000.0, 1000.0, 200000.0)
    v_w: float = _number(1200.0, 100.0, 10000.0)
    k_2: float = _number(1800.0, 100.0, 20000.0)
    v_2: float = _number(200.0, 10.0, 2000.0)
    k_3: float = _number(5000.0, 100.0, 50000.0)
    v_3: float = _number(400.0, 10.0, 5000.0)
    pa1: float = _number(0.0, -0.1, 0.1)
    heel_off: float = _number(15.4, 0.0, 40.0)
    flat: float = _number(0.1, 0.02, 0.2)
    heel_gain: float = _number(2.0, 0.5, 3.0)
    lengthening: float = _number(1.0, 0.3, 1.2)
    meta_max: float = _number(65.0, 10.0, 90.0)
    smoothing: float = _number(0.03, 0.0, 0.1)


ATTRIBUTES = tuple(f.name for f in fields(Attributes))
"""The names of the 28 attributes, in the thesis's order."""


@dataclass(frozen=True)
class Style:
    """A way of walking. step_length, m, step_frequency, steps/min: 0 where the speed alone says them."""

    attributes: Attributes = Attributes()
    constants: Constants = Constants()
    step_length: float = 0.0
    step_frequency: float = 0.0


def read_style(values: Mapping[str, Any], where: str = "preset.values") -> Style:
    """Return the style in a preset's values: "attributes", "constants", "step_length", "step_frequency", all optional.

    Raises DataError that names an unknown attribute or a value out of range.
    """
    f = Fields(values, where)
    unknown = sorted(set(values) - {"attributes", "constants", "step_length", "step_frequency", "speeds", "usual"})
    if unknown:
        raise DataError(f"{where}.{unknown[0]}: KLAW has no such setting.")
    return Style(
        Attributes(**_read(f.child("attributes", {}), Attributes)),
        Constants(**_read(f.child("constants", {}), Constants)),
        f.number("step_length", 0.0, 100.0, 0.0),
        f.number("step_frequency", 0.0, 10000.0, 0.0),
    )


def _read(f: Fields, kind: type[Attributes] | type[Constants]) -> dict[str, float]:
    known = {own.name: own for own in fields(kind)}
    for name in f.data:
        if name not in known:
            raise DataError(f"{f.where}.{name}: there is no such attribute; known are {', '.join(known)}.")
    return {name: f.number(name, *known[name].metadata["range"]) for name in f.data}
