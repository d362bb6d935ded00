"""What a generalized-walking preset says: every field declared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.fields import Fields
from ...preset.declared import Advanced, angle, inside, item, number, part, read, table, vector
from ...preset.preset import COMMON
from ..shared.angles import angle_names
from ..shared.gains import Gains, joint_names, read_gain
from ..shared.spline import Knots, catmull_rom, read_knots
from ..shared.steering import SteeringSettings

_FEET, _STAND = "Feet", "Standing"
_STEPS, _BALANCE, _STANDING = Advanced("Feet"), Advanced("Balance"), Advanced("Standing")
_STYLE, _PATH = Advanced("Style"), Advanced("Steering")


@dataclass(frozen=True, kw_only=True)
class StepSettings:
    """How steps go, and their feet.

    The knots of step_times are over speed, m/s, those of the swing's heights, m, and places, 0..1, over the swing's
    share of a step.
    """

    step_times: Knots = inside("gait", item(
        read_knots, "Step Time", "Of a step, s, over the speed, m/s", key="step_time",
    ))  # fmt: skip
    swing_heights: Knots = inside("gait", item(
        read_knots, "Swing Height", "Of the ankle over its standing height, m, over the step",
        key="swing_height",
    ))  # fmt: skip
    swing_places: Knots = inside("gait", item(
        read_knots, "Swing Place", "How far the swing foot is on its way, 0 to 1, over the step",
        key="swing_place",
    ))  # fmt: skip
    width: float = inside("gait", number(
        0.1459, 0.0, 1.0, "m", "Step Width", "How far apart the feet are set down", _FEET, keyed=True,
    ))  # fmt: skip
    clearance: float = inside("gait", number(
        0.09, 0.0, 1.0, "m", "Feet Apart", "How near the swing foot may come to the line of the stance foot", _STEPS,
        keyed=True,
    ))  # fmt: skip
    knee_out: float = inside("gait", angle(
        0.0, -60.0, 60.0, "Knees Out", "How far the knees of swinging legs point outward", _FEET, keyed=True,
    ))  # fmt: skip
    knee_lift: float = inside("gait", number(
        0.0, 0.0, 1.0, "", "Knee Lift", "How high the knees of swinging legs are lifted above what the style does",
        _FEET, keyed=True,
    ))  # fmt: skip
    late_strike: float = inside("gait", number(
        1.6, 1.0, 2.0, "", "Latest Strike", "Share of a step after which it ends, though the foot is not down", _STEPS,
    ))  # fmt: skip
    foresight: float = inside("gait", number(
        0.7, 0.0, 3.0, "", "Foresight in Bends", "Share of the next step by whose turn a foot is set down turned ahead",
        _STEPS, keyed=True,
    ))  # fmt: skip
    double_support: float = inside("gait", number(
        0.2501, 0.0, 0.6, "", "Double Support", "Share of a step in which both feet are planned to bear", _STEPS,
    ))  # fmt: skip
    latest_lift: float = inside("gait", number(
        0.2555, 0.0, 0.6, "", "Latest Lift", "Share of a step after which the foot behind lifts, though it bears",
        _STEPS, keyed=True,
    ))  # fmt: skip
    style_speed: float = inside("gait", number(
        1.25, 0.1, 10.0, "m/s", "Speed of the Style", "Speed at which angles are as the style says; slower is less",
        _STYLE, keyed=True,
    ))  # fmt: skip

    def step_time(self, speed: float) -> float:
        """Return the time of a step, s, at a speed, m/s."""
        return _at(self.step_times, abs(speed))

    def swing_height(self, phase: float) -> float:
        """Return the swing ankle's height above its standing height, m."""
        return _at(self.swing_heights, phase)

    def swing_share(self, phase: float) -> float:
        """Return how far the swing foot is from where it left to where it lands, 0..1."""
        return _at(self.swing_places, phase)


@dataclass(frozen=True, kw_only=True)
class BalanceSettings:
    """How the body is carried, and kept at its speed and over its path."""

    speed_gain: float = inside("gait", number(
        18.1594, 0.0, 200.0, "1/s", "Speed Gain", "How hard the body is pushed to its desired speed", _BALANCE,
        keyed=True,
    ))  # fmt: skip
    sway_gain: float = inside("gait", number(
        18.1491, 0.0, 500.0, "1/s2", "Sway Gain", "How hard the body is pushed back above the line of its path",
        _BALANCE, keyed=True,
    ))  # fmt: skip
    sway_damping: float = inside("gait", number(
        11.6977, 0.0, 200.0, "1/s", "Sway Damping", "How hard sideways speed is braked", _BALANCE, keyed=True,
    ))  # fmt: skip
    sway_limit: float = inside("gait", number(
        1.4704, 1.0, 100.0, "", "Sway Limit", "How many times the planned sway makes it hurry a step", _BALANCE,
        keyed=True,
    ))  # fmt: skip
    force_limit: tuple[float, float] = inside("gait", vector(
        None, 2, 0.0, 100.0, "Virtual Force", "At most, forward and sideways, of the weight",
    ))  # fmt: skip
    spine_share: tuple[float, float] = inside("gait", vector(
        None, 2, -10.0, 10.0, "Spine's Share", "Of the virtual force, of abdomen and chest",
    ))  # fmt: skip
    sole_share: float = inside("gait", number(
        0.5273, 0.0, 1.0, "", "Sole Used", "Share of the sole that the push to the desired speed may use", _BALANCE,
    ))  # fmt: skip
    support: float = inside("gait", number(
        0.8921, 0.0, 1.5, "", "Support", "Share of the weight that the leg is planned to carry", _BALANCE, keyed=True,
    ))  # fmt: skip
    bob_damping: float = inside("gait", number(
        5.8632, 0.0, 100.0, "1/s", "Bob Damping", "How hard up and down is braked", _BALANCE, keyed=True,
    ))  # fmt: skip
    grip: float = inside("gait", number(
        0.6, 0.0, 1.0, "", "Grip", "Share of the friction that a hip may use to turn", _BALANCE,
    ))  # fmt: skip
    yaw_damping: float = inside("gait", number(
        24.0496, 0.0, 500.0, "N m s2", "Turn Damping", "How hard a loaded thigh is braked that turns on its foot",
        _BALANCE,
    ))  # fmt: skip
    speed_integral: float = inside("gait", number(
        0.4, 0.0, 2.0, "", "Speed Learning", "Share of the error of speed that is learnt from step to step", _BALANCE,
        keyed=True,
    ))  # fmt: skip
    speed_bias_limit: float = inside("gait", number(
        0.4, 0.0, 2.0, "m/s", "Speed Learnt at Most", "Largest change of speed that is learnt", _BALANCE, keyed=True,
    ))  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class StandSettings:
    """How the body stands, sets off and stops."""

    stand_width: float = inside("gait", number(
        0.15, 0.0, 1.0, "m", "Stance Width", "How far apart the feet stand after a stop", _STAND,
    ))  # fmt: skip
    stand_gain: float = inside("gait", number(
        40.0, 0.0, 500.0, "1/s2", "Standing Gain", "How hard a standing body is kept over its feet", _STANDING,
        keyed=True,
    ))  # fmt: skip
    stand_damping: float = inside("gait", number(
        14.0, 0.0, 200.0, "1/s", "Standing Damping", "How hard the sway of a standing body is braked", _STANDING,
        keyed=True,
    ))  # fmt: skip
    shift_gain: float = inside("gait", number(
        20.0, 0.0, 500.0, "1/s2", "Weight Shift Gain", "How hard the weight goes over the first stance foot", _STANDING,
        keyed=True,
    ))  # fmt: skip
    shift_damping: float = inside("gait", number(
        10.0, 0.0, 200.0, "1/s", "Weight Shift Damping", "How hard that shift of the weight is damped", _STANDING,
        keyed=True,
    ))  # fmt: skip
    settle_time: float = inside("gait", number(
        0.5, 0.0, 10.0, "s", "Standing First", "How long it stands before it begins to walk", _STAND,
    ))  # fmt: skip
    shift_share: float = inside("gait", number(
        0.4, 0.0, 1.0, "", "Weight Shifted", "Share of the way to the first stance foot at which the step begins",
        _STANDING,
    ))  # fmt: skip
    stop_distance: float = inside("gait", number(
        0.1, 0.0, 2.0, "m", "Stopping Distance", "How far from the path's end it may stop", _STANDING,
    ))  # fmt: skip
    stop_speed: float = inside("gait", number(
        0.15, 0.0, 2.0, "m/s", "Stopping Speed", "Speed under which it may stop", _STANDING,
    ))  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Settings(StandSettings, BalanceSettings, StepSettings):
    """The gait of the reference body (leg 0.9 m).

    gains: joint -> kp, kd, limit. style: trajectory name -> knots (phase, degrees).
    """

    gains: Gains = table(
        read_gain, "Gains", "Of each joint: stiffness, N m/rad, damping, N m s/rad, and the most torque, N m",
        joint_names,
    )  # fmt: skip
    style: Mapping[str, Knots] = table(
        read_knots, "Style", "Trajectories of angles over a step: knots of phase and degrees", angle_names,
    )  # fmt: skip
    steering: SteeringSettings = part(SteeringSettings, "Steering", "How it follows its path")


_TABLE = 256


def _at(knots: Knots, x: float) -> float:
    """Return the spline's value; knots are few and the call is frequent, so it goes through a table."""
    table = _tables.get(knots)
    if table is None:
        low, high = knots[0][0], knots[-1][0]
        grid = np.linspace(low, high, _TABLE + 1) if high > low else np.array([low])
        table = (low, (high - low) or 1.0, catmull_rom(knots, grid).tolist())
        _tables[knots] = table
    low, span, values = table
    place = (x - low) / span * (len(values) - 1)
    if place <= 0.0:
        return float(values[0])
    if place >= len(values) - 1:
        return float(values[-1])
    i = int(place)
    return float(values[i] + (place - i) * (values[i + 1] - values[i]))


_tables: dict[Knots, tuple[float, float, list[float]]] = {}


def read_settings(values: Mapping[str, Any]) -> Settings:
    """Return the settings in a preset's values. Raises DataError naming the wrong field."""
    return read(Settings, Fields(values, "preset.values"), COMMON)
