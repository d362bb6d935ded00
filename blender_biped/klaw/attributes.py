"""The 28 locomotion attributes, and the constants of the dynamic model (Bruderlin 1988, appendices C.4 and E)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ..base.errors import DataError
from ..base.fields import Fields

STRAIGHT = math.radians(4.0)
"""rad. A knee is not straighter: there its rate would have no bound."""


def _number(default: float, low: float, high: float) -> Any:
    return field(default=default, metadata={"range": (low, high)})


def _attribute(default: float, low: float, high: float, unit: str, group: str, label: str, text: str) -> Any:
    told = {"range": (low, high), "unit": unit, "group": group, "label": label, "text": text}
    return field(default=default, metadata=told)


@dataclass(frozen=True)
class Attributes:
    """What gives a walk its style (appendix E, with its names and defaults).

    Angles in degrees; ankle angles as the thesis has them, -90 for a foot square to its shin, -65 for one that points
    down. Lengths, m, speeds, km/h, and frequencies, steps/min, are those of a body of 1.8 m and scale with the body.
    A field's metadata tells an animator the same: unit, group, label and text.

    Bounds are where the method still works; the thesis itself names one: a pelvic_list_factor of 10 collapses.
    """

    arm_rot_factor: float = _attribute(
        0.8, 0.0, 3.0, "", "ARMS", "Arm Swing",
        "How far an arm swings, of how far the opposite leg does",
    )  # fmt: skip
    duration_kneeflex: float = _attribute(
        0.1, 0.0, 0.25, "", "LEGS", "Knee Flexing Time",
        "How long after toe-off, in strides, the knee would be bent most. Less bends it more at toe-off",
    )  # fmt: skip
    elbow_rot_max: float = _attribute(
        35.0, 0.0, 140.0, "degrees", "ARMS", "Elbow at Most",
        "How far an elbow is bent when its arm is in front",
    )  # fmt: skip
    elbow_rot_min: float = _attribute(
        0.0, 0.0, 140.0, "degrees", "ARMS", "Elbow at Least",
        "How far an elbow is bent when its arm is behind",
    )  # fmt: skip
    end_swing1: float = _attribute(
        0.5, 0.3, 0.7, "", "SWING", "Thigh Arrives",
        "When in a swing the thigh has swung forward",
    )  # fmt: skip
    end_swing2: float = _attribute(
        0.85, 0.72, 0.96, "", "SWING", "Knee Arrives",
        "When in a swing the knee is straight again, and the leg comes down",
    )  # fmt: skip
    max_knee: float = _attribute(
        65.0, 40.0, 100.0, "degrees", "LEGS", "Knee at Most",
        "How far the knee of the leg behind would bend by the end of its flexing time",
    )  # fmt: skip
    meta_incSS: float = _attribute(  # noqa: N815 - the thesis's name
        2.0, 0.0, 10.0, "degrees", "LEGS", "Heel Rise",
        "How much the heel of the stance foot rises at least, in each thirtieth of a second, once it has left "
        "the ground",
    )  # fmt: skip
    pelvic_list_factor: float = _attribute(
        1.0, 0.0, 4.0, "", "TRUNK", "Pelvic List",
        "How far the hip of the swinging leg drops, of what is natural",
    )  # fmt: skip
    pelvic_rot_max: float = _attribute(
        13.0, 0.0, 40.0, "degrees", "TRUNK", "Pelvic Rotation",
        "How far the pelvis turns to either side in the longest steps, in shorter ones less",
    )  # fmt: skip
    percent_D: float = _attribute(  # noqa: N815
        0.3, 0.1, 0.6, "", "SWING", "Ankle Highest",
        "Where on its way, until the thigh has swung forward, the ankle is highest",
    )  # fmt: skip
    sf_accdec: float = _attribute(
        40.0, 5.0, 200.0, "steps/min", "PACE", "Frequency Change",
        "By how many steps a minute the frequency changes at most from one step to the next",
    )  # fmt: skip
    sf_max: float = _attribute(
        180.0, 60.0, 240.0, "steps/min", "PACE", "Highest Frequency",
        "Steps a minute above which walking ends",
    )  # fmt: skip
    sf_norm: float = _attribute(
        132.0, 40.0, 182.0, "steps/min", "PACE", "Usual Frequency",
        "Steps a minute from which on more speed comes from the frequency alone",
    )  # fmt: skip
    shoulder_rot_factor: float = _attribute(
        0.6, 0.0, 3.0, "", "TRUNK", "Shoulder Rotation",
        "How far the shoulders turn against the pelvis, of how far that turns",
    )  # fmt: skip
    sl_max: float = _attribute(
        0.6, 0.2, 0.65, "", "PACE", "Longest Step",
        "The longest step, of the body's height",
    )  # fmt: skip
    sl_norm: float = _attribute(
        0.528, 0.15, 0.62, "", "PACE", "Usual Longest Step",
        "The longest step that is chosen by itself, of the body's height",
    )  # fmt: skip
    stance1234_knee: float = _attribute(
        0.0, 0.0, 50.0, "degrees", "LEGS", "Stance Knee",
        "How far the knee of the leg that bears is bent at least",
    )  # fmt: skip
    stance6_ankle: float = _attribute(
        -65.0, -90.0, -30.0, "degrees", "LEGS", "Ankle at Toe-Off",
        "How far the ankle points the foot down at most when it leaves the ground. -90 degrees is square to "
        "the shin, more points down",
    )  # fmt: skip
    stride_width_factor: float = _attribute(
        0.9, 0.0, 3.0, "", "LEGS", "Stride Width",
        "How far apart the feet are set down beside the path, of the distance of the hips",
    )  # fmt: skip
    swing1_ankle: float = _attribute(
        -105.0, -120.0, -50.0, "degrees", "SWING", "Ankle in Swing",
        "The ankle's angle when the thigh has swung forward. -90 degrees is square to the shin, more points "
        "down",
    )  # fmt: skip
    swing1_meta: float = _attribute(
        0.0, -20.0, 40.0, "degrees", "SWING", "Toes in Swing",
        "How far the toes are bent up when the thigh has swung forward",
    )  # fmt: skip
    theta2_des: float = _attribute(
        0.0, -40.0, 60.0, "degrees", "TRUNK", "Lean",
        "How far the upper body leans forward",
    )  # fmt: skip
    theta4_des: float = _attribute(
        0.0, 0.0, 45.0, "degrees", "SWING", "Knee at Strike",
        "How far the knee is bent when the heel strikes",
    )  # fmt: skip
    theta5_des: float = _attribute(
        -90.0, -110.0, -60.0, "degrees", "SWING", "Ankle at Strike",
        "The ankle's angle when the heel strikes. -90 degrees is square to the shin, more points down",
    )  # fmt: skip
    toe_clear: float = _attribute(
        0.009, 0.0, 0.2, "m", "SWING", "Toe Clearance",
        "How high the toes pass above the ground at least, for a body of 1.8 m",
    )  # fmt: skip
    v_acc: float = _attribute(
        2.0, 0.2, 10.0, "km/h", "PACE", "Acceleration",
        "By how much it becomes faster at most from one step to the next, km/h",
    )  # fmt: skip
    v_dec: float = _attribute(
        4.0, 0.2, 10.0, "km/h", "PACE", "Deceleration",
        "By how much it becomes slower at most from one step to the next, km/h",
    )  # fmt: skip

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
