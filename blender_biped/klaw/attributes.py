"""The 28 locomotion attributes, and the constants of the dynamic model (Bruderlin 1988, appendices C.4 and E)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from ..base.fields import Fields
from ..preset.declared import Advanced, flag, number, part, read
from ..preset.preset import COMMON
from .manner import ARMS, POSTURE, Manner

STRAIGHT = math.radians(4.0)
"""rad. A knee is not straighter: there its rate would have no bound."""


_ELBOWS = Advanced("Arms")
_LEGS = Advanced("Legs")
_SWING = Advanced("Swing")
_TRUNK = Advanced("Trunk")
_PACE = Advanced("From Step to Step, and Limits")
_MODEL = Advanced("Model")


@dataclass(frozen=True)
class Attributes:
    """What gives a walk its style (appendix E, with its names and defaults).

    Angles in degrees; ankle angles as the thesis has them, -90 for a foot square to its shin, -65 for one that points
    down. Lengths, m, speeds, km/h, and frequencies, steps/min, are those of a body of 1.8 m and scale with the body.
    Bounds are where the method still works; the thesis itself names one: a pelvic_list_factor of 10 collapses.
    """

    arm_rot_factor: float = number(
        0.8, 0.0, 3.0, "", "Arm Swing",
        "How far an arm swings, as a share of the opposite leg's swing", ARMS, keyed=True,
    )  # fmt: skip
    duration_kneeflex: float = number(
        0.1, 0.0, 0.25, "", "Knee Flexing Time",
        "How long after toe-off, in strides, the knee would be bent most. Less bends it more at "
        "toe-off", _LEGS, keyed=True,
    )  # fmt: skip
    elbow_rot_max: float = number(
        35.0, 0.0, 140.0, "degrees", "Elbow at Most",
        "How far an elbow is bent when its arm is in front", _ELBOWS, keyed=True,
    )  # fmt: skip
    elbow_rot_min: float = number(
        0.0, 0.0, 140.0, "degrees", "Elbow at Least",
        "How far an elbow is bent when its arm is behind", _ELBOWS, keyed=True,
    )  # fmt: skip
    end_swing1: float = number(
        0.5, 0.3, 0.7, "", "Thigh Arrives",
        "When in a swing the thigh has swung forward", _SWING, keyed=True,
    )  # fmt: skip
    end_swing2: float = number(
        0.85, 0.72, 0.96, "", "Knee Arrives",
        "When in a swing the knee is straight again, and the leg comes down", _SWING, keyed=True,
    )  # fmt: skip
    max_knee: float = number(
        65.0, 40.0, 100.0, "degrees", "Knee at Most",
        "How far the knee of the leg behind would bend by the end of its flexing time", _LEGS, keyed=True,
    )  # fmt: skip
    meta_incSS: float = number(  # noqa: N815 - the thesis's name
        2.0, 0.0, 10.0, "degrees", "Heel Rise",
        "How much the heel of the stance foot rises at least, in each thirtieth of a second, once it "
        "has left the ground", _LEGS, keyed=True,
    )  # fmt: skip
    pelvic_list_factor: float = number(
        1.0, 0.0, 4.0, "", "Pelvic List",
        "How far the hip drops on the side of the swinging leg: 1 is the natural amount", _TRUNK, keyed=True,
    )  # fmt: skip
    pelvic_rot_max: float = number(
        13.0, 0.0, 40.0, "degrees", "Pelvic Rotation",
        "How far the pelvis turns to either side in the longest steps; less in shorter ones", _TRUNK, keyed=True,
    )  # fmt: skip
    percent_D: float = number(  # noqa: N815
        0.3, 0.1, 0.6, "", "Ankle Highest",
        "Where on its way, until the thigh has swung forward, the ankle is highest", _SWING, keyed=True,
    )  # fmt: skip
    sf_accdec: float = number(
        40.0, 5.0, 200.0, "steps/min", "Frequency Change",
        "Largest change of the step frequency from one step to the next", _PACE, keyed=True,
    )  # fmt: skip
    sf_max: float = number(
        180.0, 60.0, 240.0, "steps/min", "Highest Frequency",
        "Fastest step frequency of a walk", _PACE, keyed=True,
    )  # fmt: skip
    sf_norm: float = number(
        132.0, 40.0, 182.0, "steps/min", "Usual Frequency",
        "Step frequency above which more speed comes from quicker steps alone", _PACE, keyed=True,
    )  # fmt: skip
    shoulder_rot_factor: float = number(
        0.6, 0.0, 3.0, "", "Shoulder Rotation",
        "How far the shoulders turn against the pelvis, as a share of the pelvis' own turn", _TRUNK, keyed=True,
    )  # fmt: skip
    sl_max: float = number(
        0.6, 0.2, 0.65, "", "Longest Step",
        "The longest step, as a share of the body's height", _PACE, keyed=True,
    )  # fmt: skip
    sl_norm: float = number(
        0.528, 0.15, 0.62, "", "Usual Longest Step",
        "The longest step that the method chooses by itself, as a share of the body's height", _PACE, keyed=True,
    )  # fmt: skip
    stance1234_knee: float = number(
        0.0, 0.0, 50.0, "degrees", "Stance Knee",
        "Least bend of the knee of the supporting leg", _LEGS, keyed=True,
    )  # fmt: skip
    stance6_ankle: float = number(
        -65.0, -90.0, -30.0, "degrees", "Ankle at Toe-Off",
        "How far the ankle points the foot down at most when it leaves the ground. -90 degrees is "
        "square to the shin, more points down", _LEGS, keyed=True,
    )  # fmt: skip
    stride_width_factor: float = number(
        0.9, 0.0, 3.0, "", "Stride Width",
        "How far apart the feet are set down, as a share of the distance between the hips", _LEGS, keyed=True,
    )  # fmt: skip
    swing1_ankle: float = number(
        -105.0, -120.0, -50.0, "degrees", "Ankle in Swing",
        "The ankle's angle when the thigh has swung forward. -90 degrees is square to the shin, more "
        "points down", _SWING, keyed=True,
    )  # fmt: skip
    swing1_meta: float = number(
        0.0, -20.0, 40.0, "degrees", "Toes in Swing",
        "How far the toes are bent up when the thigh has swung forward", _SWING, keyed=True,
    )  # fmt: skip
    theta2_des: float = number(
        0.0, -40.0, 60.0, "degrees", "Lean",
        "How far the upper body leans forward", POSTURE, keyed=True,
    )  # fmt: skip
    theta4_des: float = number(
        0.0, 0.0, 45.0, "degrees", "Knee at Strike",
        "How far the knee is bent when the heel strikes", _SWING, keyed=True,
    )  # fmt: skip
    theta5_des: float = number(
        -90.0, -110.0, -60.0, "degrees", "Ankle at Strike",
        "The ankle's angle when the heel strikes. -90 degrees is square to the shin, more points "
        "down", _SWING, keyed=True,
    )  # fmt: skip
    toe_clear: float = number(
        0.009, 0.0, 0.2, "m", "Toe Clearance",
        "Least height of the toes above the ground in swing, for a body of 1.8 m", _SWING, keyed=True,
    )  # fmt: skip
    v_acc: float = number(
        2.0, 0.2, 10.0, "km/h", "Gain of Speed",
        "Largest gain of speed from one step to the next, km/h", _PACE, keyed=True,
    )  # fmt: skip
    v_dec: float = number(
        4.0, 0.2, 10.0, "km/h", "Loss of Speed",
        "Largest loss of speed from one step to the next, km/h", _PACE, keyed=True,
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
    sole is flat, in shares of a cycle from heel strike; soonest_flat: the least time for that, s, for quick steps.
    meta_max: how far the toes bend, degrees. smoothing: of the hips' path, s.
    """

    k_w: float = number(
        30000.0, 1000.0, 200000.0, "N/m", "Stance Leg Spring", "Stiffness of the leg that bears, along its length",
        _MODEL,
    )  # fmt: skip
    v_w: float = number(
        1200.0, 100.0, 10000.0, "N s/m", "Stance Leg Damper", "Damping of the leg that bears, along its length",
        _MODEL,
    )  # fmt: skip
    k_2: float = number(
        1800.0, 100.0, 20000.0, "N m/rad", "Trunk Spring", "Stiffness with which the hips hold the upper body",
        _MODEL,
    )  # fmt: skip
    v_2: float = number(
        200.0, 10.0, 2000.0, "N m s/rad", "Trunk Damper", "Damping with which the hips hold the upper body",
        _MODEL,
    )  # fmt: skip
    k_3: float = number(
        5000.0, 100.0, 50000.0, "N m/rad", "Knee Spring",
        "Stiffness that brings the knee of the swinging leg to its angle",
        _MODEL,
    )  # fmt: skip
    v_3: float = number(
        400.0, 10.0, 5000.0, "N m s/rad", "Knee Damper", "Damping of the knee of the swinging leg",
        _MODEL,
    )  # fmt: skip
    pa1: float = number(
        0.0, -0.1, 0.1, "", "Lengthening at Heel-Off",
        "How much the supporting leg pushes beyond its length at heel-off",
        _MODEL,
    )  # fmt: skip
    heel_off: float = number(
        15.4, 0.0, 40.0, "degrees", "Heel-Off", "How far the leg has passed the vertical when the heel may rise",
        _MODEL,
    )  # fmt: skip
    flat: float = number(
        0.1, 0.02, 0.2, "", "Foot Flat", "Share of a cycle after heel strike at which the sole is flat",
        _MODEL,
    )  # fmt: skip
    soonest_flat: float = number(
        0.0, 0.0, 0.2, "s", "Foot Flat at the Soonest",
        "How long after heel strike the sole is flat at the soonest, however quick the steps are",
        _MODEL,
    )  # fmt: skip
    heel_gain: float = number(
        2.0, 0.5, 3.0, "", "Heel Gain", "How far the foot turns for each degree that the leg goes on",
        _MODEL,
    )  # fmt: skip
    lengthening: float = number(
        1.0, 0.3, 1.2, "", "Lengthening",
        "When the leg behind begins to lengthen, in shares of the first part of the swing",
        _MODEL,
    )  # fmt: skip
    meta_max: float = number(
        65.0, 10.0, 90.0, "degrees", "Toes at Most", "How far the toes bend",
        _MODEL,
    )  # fmt: skip
    smoothing: float = number(
        0.03, 0.0, 0.1, "s", "Smoothing", "Time over which the course of the hips is smoothed",
        _MODEL,
    )  # fmt: skip


ATTRIBUTES = tuple(f.name for f in fields(Attributes))
"""The names of the 28 attributes, in the thesis's order."""


@dataclass(frozen=True)
class Style:
    """A way of walking. step_length, m, step_frequency, steps/min: 0 where the speed alone says them.

    steps_alone: whether they say the speed, too.
    """

    manner: Manner = part(Manner, "Manner", "How the body is held and moves, in an animator's words")
    attributes: Attributes = part(Attributes, "Attributes", "What gives the walk its style")
    constants: Constants = part(Constants, "Constants", "Springs and dampers of the model")
    step_length: float = number(0.0, 0.0, 100.0, "m", "Step Length", "Length of a step", keyed=True)
    step_frequency: float = number(
        0.0, 0.0, 10000.0, "steps/min", "Step Frequency", "Steps a minute", keyed=True,
    )  # fmt: skip
    steps_alone: bool = flag(False, "Steps Alone", "Whether step length and frequency say the speed, too")


def read_style(values: Mapping[str, Any], where: str = "preset.values") -> Style:
    """Return the style in a preset's values: "manner", "attributes", "constants", "step_length", ..., all optional.

    Raises DataError that names an unknown attribute or a value out of range.
    """
    return read(Style, Fields(values, where), COMMON)
