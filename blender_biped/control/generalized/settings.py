"""What a generalized-walking preset says: read from data, with every field checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.errors import DataError
from ...base.fields import Fields
from ..shared.spline import Knots, catmull_rom, read_knots


@dataclass(frozen=True)
class Settings:
    """The gait of the reference body (leg 0.9 m); lengths scale with the leg, times with its square root.

    gains: joint -> kp, kd, limit. style: trajectory name -> knots (phase, degrees).
    """

    gains: Mapping[str, tuple[float, float, float]]
    style: Mapping[str, Knots]
    step_times: Knots
    swing_heights: Knots
    swing_places: Knots
    width: float
    clearance: float
    knee_out: float
    style_speed: float
    late_strike: float
    foresight: float
    double_support: float
    latest_lift: float
    speed_gain: float
    sway_gain: float
    sway_damping: float
    sway_limit: float
    force_limit: tuple[float, float]
    spine_share: tuple[float, float]
    sole_share: float
    support: float
    bob_damping: float
    grip: float
    yaw_damping: float
    speed_integral: float
    speed_bias_limit: float
    stand_width: float
    stand_gain: float
    stand_damping: float
    shift_gain: float
    shift_damping: float
    settle_time: float
    shift_share: float
    stop_distance: float
    stop_speed: float

    def step_time(self, speed: float) -> float:
        """Return the time of a step, s, at a speed, m/s."""
        return _at(self.step_times, abs(speed))

    def swing_height(self, phase: float) -> float:
        """Return the swing ankle's height above its standing height, m."""
        return _at(self.swing_heights, phase)

    def swing_share(self, phase: float) -> float:
        """Return how far the swing foot is from where it left to where it lands, 0..1."""
        return _at(self.swing_places, phase)


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
    f = Fields(values, "preset.values")
    gait, gains, style = f.child("gait"), f.child("gains"), f.child("style")
    return Settings(
        gains={name: read_gain(gains, name) for name in gains.data},
        style={name: read_knots(style, name) for name in style.data},
        step_times=read_knots(gait, "step_time"),
        swing_heights=read_knots(gait, "swing_height"),
        swing_places=read_knots(gait, "swing_place"),
        width=gait.number("width", 0.0, 1.0),
        clearance=gait.number("clearance", 0.0, 1.0),
        knee_out=float(np.radians(gait.number("knee_out", -60.0, 60.0, 0.0))),
        style_speed=gait.number("style_speed", 0.1, 10.0),
        double_support=gait.number("double_support", 0.0, 0.6),
        late_strike=gait.number("late_strike", 1.0, 2.0),
        foresight=gait.number("foresight", 0.0, 3.0, 0.5),
        latest_lift=gait.number("latest_lift", 0.0, 0.6),
        speed_gain=gait.number("speed_gain", 0.0, 200.0),
        sway_gain=gait.number("sway_gain", 0.0, 500.0),
        sway_damping=gait.number("sway_damping", 0.0, 200.0),
        sway_limit=gait.number("sway_limit", 1.0, 100.0),
        force_limit=_pair(gait, "force_limit"),
        spine_share=_pair(gait, "spine_share"),
        sole_share=gait.number("sole_share", 0.0, 1.0),
        support=gait.number("support", 0.0, 1.5, 1.0),
        bob_damping=gait.number("bob_damping", 0.0, 100.0),
        grip=gait.number("grip", 0.0, 1.0),
        yaw_damping=gait.number("yaw_damping", 0.0, 500.0),
        speed_integral=gait.number("speed_integral", 0.0, 2.0),
        speed_bias_limit=gait.number("speed_bias_limit", 0.0, 2.0),
        stand_width=gait.number("stand_width", 0.0, 1.0),
        stand_gain=gait.number("stand_gain", 0.0, 500.0),
        stand_damping=gait.number("stand_damping", 0.0, 200.0),
        shift_gain=gait.number("shift_gain", 0.0, 500.0),
        shift_damping=gait.number("shift_damping", 0.0, 200.0),
        settle_time=gait.number("settle_time", 0.0, 10.0),
        shift_share=gait.number("shift_share", 0.0, 1.0),
        stop_distance=gait.number("stop_distance", 0.0, 2.0),
        stop_speed=gait.number("stop_speed", 0.0, 2.0),
    )


def read_gain(f: Fields, name: str) -> tuple[float, float, float]:
    """Return a joint's kp, kd and limit. Raises DataError naming the field."""
    kp, kd, limit = f.vector(name, 3)
    if min(kp, kd, limit) < 0.0:
        raise DataError(f"{f.where}.{name}: gains and limits cannot be negative.")
    return kp, kd, limit


def _pair(f: Fields, name: str) -> tuple[float, float]:
    a, b = f.vector(name, 2)
    return a, b
