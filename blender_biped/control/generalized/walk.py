"""Generalized biped walking control: Coros, Beaudoin and van de Panne 2010.

Four parts make one torque: a motion generator whose trajectories are tracked by PD control (3.1, ``style``
and ``tracking``), foot placement by an inverted pendulum (3.2, ``swing``), velocity tuning by a virtual force
on the centre of mass (3.3, ``balance``), and gravity compensation (3.4, ``tracking``); turning comes from the
stance hip (3.5). Standing, starting and stopping follow section 5.1.

Beyond the paper: the leg behind pushes off, with its own trajectories, until its foot has unloaded, so that
there is a double support; knees and ankles of loaded legs are tracked relative to their parents; and the
pendulum's force through the stance leg is compensated too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ...base.spatial import Array, axis_angle_quaternion
from ...character.model import SIDES, Character
from ..shared.angles import StyleTable
from ..shared.clock import step_policy
from ..shared.ground import Ground, Hold
from ..shared.inverse_kinematics import Rows
from ..shared.legs import LEFT, RIGHT, Leg, legs_of
from ..shared.root_torque import Referral
from ..shared.stable_pd import steadied, steadying
from ..shared.standing import LEAST_SHARE, STANDING_RELEASE, STANDING_ROLL, Feet
from ..shared.state import BodyState
from ..shared.steering import Command
from ..shared.tracking import Tracker
from .balance import Balance
from .pendulum import frequency, width_offset
from .settings import Settings, read_settings
from .swing import Swing, Target

Vector = tuple[float, float, float]
Mode = Literal["stand", "shift", "walk"]
Stance = Literal["left", "right"]

AMPLITUDES = tuple(0.3 + 0.1 * i for i in range(10))  # of the style, by speed; picked anew each step
LIFT_LOAD = 0.04  # share of the body's weight under which a trailing foot counts as lifted
STRIKE_LOAD = 0.05  # share of the body's weight over which a swing foot counts as landed
EARLIEST_STRIKE = 0.75  # phase before which a touch of the swing foot is a scuff
HEEL_ROCKER = 0.2  # phase until which the foot is let down from its heel
SOFT_HANDOVER = 1.4  # of the double support: till then the leg in front bears all; at once with hips twice as wide
WIDE_BRAKE = 8.0  # how much harder a turning thigh is braked where hips twice as wide twist the foot on the ground
FEET = 0.19  # of the leg: distance of standing feet that the preset's is for
USUAL_HIPS = 0.12  # of the leg: half the breadth of hips that the preset's torques are for
STEADY = 0.05  # m/s by which the wished speed may change over a step that the speed bias learns from
BIAS_SPEED = 0.5  # m/s from which the learnt speed bias counts in full: a stop needs none
STOP_LOAD = 0.3  # share of the body's weight under either foot from which it can stand
TAKE_OVER = 0.25  # s in which a stopped body goes over to standing on both legs
GRID = 4  # steps of the legs' shares that corrections are made for
WALKING_EDGE, STANDING_EDGE = 0.4, 0.8  # share of the sole within which the centre of pressure is held
TURN_LEAD = 0.5  # share of the step's time for which a foot is set down turned ahead
HASTE = 1.3  # how much faster than planned a step can be
LONGEST_SHIFT = 2.0  # s that shifting the weight may take before the first step begins anyway


class GeneralizedWalk:
    """One character's walk. Call ``torques`` once each control step."""

    def __init__(
        self, character: Character, values: Mapping[str, Any], gravity: float, step: float, ground: float = 0.0
    ) -> None:
        """Take a preset's values. step: s between calls. ground: height of the floor, m.

        Raises DataError naming a wrong field.
        """
        self.character = character
        self.steering: Mapping[str, Any] = values.get("steering", {})
        self.settings: Settings = _spread(read_settings(values), character)
        self.strikes: list[tuple[float, int]] = []
        self.lifts: list[tuple[float, int]] = []
        self.mode: Mode = "stand"
        self.stance = LEFT
        self.phase = 0.0
        self.speed = 0.0  # m/s, of the centre of mass
        self._gravity, self._step, self._ground = gravity, step, ground
        self._policy = step_policy(step)
        self._tracker = Tracker(character, self.settings.gains)
        self._styles: dict[tuple[int, int], StyleTable] = {}
        self._level = 0
        self._legs = legs_of(character)
        self._referral = Referral(character, self._legs)
        hold = Hold(self.settings.sole_share, self.settings.grip, self.settings.yaw_damping)
        self._footing = Ground(character, hold, self._legs, gravity, step)
        self._balance = Balance(character, self.settings, self._legs, gravity, self._referral, self._footing)
        self._upright = [
            i for i, link in enumerate(character.links) if link.role in ("pelvis", "abdomen", "chest", "head")
        ]
        self._bases = self._base_indices(self._upright)
        self._walking_bases = [
            [self._base_indices(self._upright, link) for link in (swing.foot, swing.thigh)]
            for swing in (self._legs[1 - stance] for stance in (LEFT, RIGHT))
        ]
        count = len(character.links)
        self._frames = np.empty((count + 2, 3, 3)), np.zeros((count + 2, 3))
        self._headings = self._frames[0].reshape(-1)[9 * count :]  # the last two, as plain numbers
        # The stance hip carries the body, which is the farther from it the wider the hips are.
        hips = max(abs(float(character.offsets[leg.thigh][1])) for leg in self._legs)
        more = max(hips - USUAL_HIPS * character.leg_length, 0.0)
        self._hip_limit = float(self._tracker.limit[self._legs[0].thigh]) + character.mass * gravity * more
        self._wide = min(more / (USUAL_HIPS * character.leg_length), 1.0)
        self._handover = self.settings.double_support * (SOFT_HANDOVER + (1.0 - SOFT_HANDOVER) * self._wide)
        self._steady = self._steadying()
        self._weight = character.mass * gravity
        self._feet = Feet(character, self._legs, gravity, step, ground)
        self._swing: Swing | None = None
        self._reaching: Rows | None = None
        self._told: tuple[Target, Target] | None = None
        self._told_age = 0
        self._speed_bias = self._last_wish = self._strike_arc = 0.0
        self._left_share = 0.5
        self._step_speed = 0.0
        self._age = 0
        self._planned: tuple[Mode, int, bool] | None = None
        self._carrying = np.zeros((len(character.links), 3))
        self._ankles: Sequence[Vector] = ()
        self._aside, self._hurry, self._landing = 0.0, 1.0, (0.0, 0.0)
        self._mode_time = self._strike_time = 0.0
        self._step_start = (0.0, 0.0)
        self._step_time = self.settings.step_time(0.0)

    facing = 0.0
    can_rest = True

    @property
    def walking(self) -> bool:
        """Whether it steps."""
        return self.mode == "walk"

    def wished_speed(self, speed: float) -> float:
        """Return the speed, m/s, to walk at when ``speed`` is asked for: that."""
        return speed

    @property
    def resting(self) -> bool:
        """Whether it has walked and stands again."""
        return self.mode == "stand" and bool(self.strikes)

    def torques(self, state: BodyState, command: Command) -> Array:
        """Return the torque of each link's joint on it (L, 3), world axes, N m."""
        shares = self._tracker.shares
        x, y, z = (shares @ state.coms).tolist()
        u, v, w = (shares @ state.velocities).tolist()
        com, velocity = (x, y, z), (u, v, w)
        self.speed = math.sqrt(u * u + v * v + w * w)
        self._feet.feel(state)
        self._advance(state, command, com, velocity)
        weights = self._weights(state, com, velocity)
        walking = self.mode == "walk"
        slope = 1.0 if walking else STANDING_RELEASE
        tracked = (max(1.0 - slope * weights[0], 0.0), max(1.0 - slope * weights[1], 0.0))
        if self._is_due():
            self._plan(state, command, com, velocity, weights, tracked)
        tracking = self._tracker.torques(state, self._targets(state, command))
        if not walking:  # both feet down, the hips' roll moves load from foot to foot: that is left to the sway alone
            c, sn = math.cos(command.heading), math.sin(command.heading)
            roll = (1.0 - STANDING_ROLL) * (float(tracking[0, 0]) * c + float(tracking[0, 1]) * sn)
            tracking[0] -= (roll * c, roll * sn, 0.0)
        torque = self._steadied(state, self._referral.assembled(tracking, weights, tracked), weights)
        torque += self._carrying
        if not walking:
            self._feet.sway(torque, state, command.heading, self._aside, weights)
        landing = walking and self.phase < HEEL_ROCKER
        edge = WALKING_EDGE if walking else STANDING_EDGE
        brake = 1.0 + self._wide * WIDE_BRAKE * min(command.speed / BIAS_SPEED, 1.0)
        self._footing.limit(
            torque, state, self._ankles, weights, self._feet.loads, landing, edge, self._hip_limit, command.turn, brake
        )
        return torque

    # -- what changes slowly

    def _is_due(self) -> bool:
        """Return whether to plan anew: every few control steps, and when other legs carry."""
        now = self.mode, self.stance, self._swing is None
        self._age += 1
        if self._age < self._policy.plan_steps and now == self._planned:
            return False
        self._age, self._planned = 0, now
        return True

    def _plan(
        self, state: BodyState, command: Command, com: Vector, velocity: Vector, weights: tuple[float, float],
        tracked: tuple[float, float],
    ) -> None:  # fmt: skip
        """Set what follows from the body as a whole, which moves slowly: what carries it and where it steps."""
        force = self._virtual_force(state, command, com, velocity)
        if self.mode != "walk":
            c, sn = math.cos(command.heading), math.sin(command.heading)
            self._aside = -force[0] * sn + force[1] * c
            force = (force[0] + self._aside * sn, force[1] - self._aside * c)
        gravity = self._tracker.gravity(state, self._gravity)
        self._carrying, self._ankles = self._balance.carried(gravity, state, com, velocity[2], force, weights, tracked)
        if self._swing is not None:
            self._hurry = self._haste(state, command, com, velocity)
            self._landing = self._landing_place(self._swing, state, command, com, velocity)

    def _landing_place(
        self, swing: Swing, state: BodyState, command: Command, com: Vector, velocity: Vector
    ) -> tuple[float, float]:
        px, py, pz = state.origins[self._legs[self.stance].foot].tolist()
        bias = self._speed_bias * min(command.speed / BIAS_SPEED, 1.0)
        return swing.landing(
            com, velocity, (px, py, pz), command, command.speed + bias, self._step_time,
            (1.0 - min(self.phase, 1.0)) * self._step_time, self._ground, self.character.leg_length, self._gravity,
        )  # fmt: skip

    # -- phases of the gait

    def _advance(self, state: BodyState, command: Command, com: Vector, velocity: Vector) -> None:
        """Move the phase on, and switch between standing, shifting the weight, and steps."""
        now, s = state.time, self.settings
        if self.mode == "stand":
            if self.resting:
                stance = self._feet.saving_stance(state, command.heading, com, velocity)
                if stance is not None:
                    self.mode, self._mode_time = "walk", now
                    self._begin_step(state, command, stance)
            elif command.left > s.stop_distance and now - self._mode_time > s.settle_time:
                self.mode, self._mode_time, self.stance = "shift", now, LEFT
        elif self.mode == "shift":
            if self._feet.shifted(state, com, self.stance) > s.shift_share or now - self._mode_time > LONGEST_SHIFT:
                self.mode, self._mode_time = "walk", now
                self._begin_step(state, command, self.stance)
                self._lift(state, command)
        else:
            self._advance_step(state, command, com, velocity)

    def _advance_step(self, state: BodyState, command: Command, com: Vector, velocity: Vector) -> None:
        self.phase += self._step / self._step_time * self._hurry
        swing = 1 - self.stance
        unloaded = self._feet.loads[swing] < LIFT_LOAD * self._weight
        if self._swing is None and self._can_stop(state, command, com, velocity):
            self._stop(state)
            return
        if self._swing is None and (unloaded or self.phase > self.settings.latest_lift):
            self._lift(state, command)
        touched = self._feet.loads[swing] > STRIKE_LOAD * self._weight
        struck = self._swing is not None and self.phase > EARLIEST_STRIKE and touched
        if struck or self.phase > self.settings.late_strike:
            self._end_step(state, command, com, velocity)

    def _haste(self, state: BodyState, command: Command, com: Vector, velocity: Vector) -> float:
        """Return how much faster than planned the step must go on, 1 or more.

        The sideways pendulum runs away from its foot exponentially: when it would be too far out at the planned
        strike, the foot comes down earlier (step timing, the strongest means of balance there is).
        """
        left = (1.0 - min(self.phase, 1.0)) * self._step_time
        if left <= 0.0:
            return 1.0
        height = max(com[2] - self._ground, 0.3 * self.character.leg_length)
        w = frequency(height, self._gravity)
        px, py, _ = state.origins[self._legs[self.stance].foot].tolist()
        heading = command.heading + command.turn * left
        c, sn = math.cos(heading), math.sin(heading)
        side = 1.0 if self.stance == RIGHT else -1.0
        out = side * (-(com[0] - px) * sn + (com[1] - py) * c + (-velocity[0] * sn + velocity[1] * c) / w)
        width = self.settings.width
        offset = width_offset(width, self._step_time, height, self._gravity)
        most = self.settings.sway_limit * offset * math.exp(w * self._step_time)
        if out * math.exp(w * left) <= most:
            return 1.0
        wished = math.log(most / out) / w if 0.0 < out < most else 0.0
        return min(left / max(wished, 1e-3), HASTE)

    def _end_step(self, state: BodyState, command: Command, com: Vector, velocity: Vector) -> None:
        s, hip = self.settings, state.origins[0]
        dx, dy = float(hip[0]) - self._step_start[0], float(hip[1]) - self._step_start[1]
        done = dx * math.cos(command.heading) + dy * math.sin(command.heading)
        speed = done / max(state.time - self._strike_time, 1e-3)
        steady = abs(command.speed - self._last_wish) < STEADY
        self._last_wish = command.speed
        along = (command.arc - self._strike_arc) / max(state.time - self._strike_time, 1e-3)
        self._strike_arc = command.arc
        if steady and len(self.strikes) > 2:  # in a ramp it would only learn that a body lags behind
            bias = self._speed_bias + s.speed_integral * (command.speed - along)
            self._speed_bias = min(max(bias, -s.speed_bias_limit), s.speed_bias_limit)
        self.strikes.append((state.time, 1 - self.stance))
        self._step_speed = abs(speed)
        self._begin_step(state, command, 1 - self.stance)

    def _can_stop(self, state: BodyState, command: Command, com: Vector, velocity: Vector) -> bool:
        """Return whether a body that shall stop can stand on both feet now."""
        speed = min(self._step_speed, math.hypot(velocity[0], velocity[1]))
        if command.left >= self.settings.stop_distance or speed >= self.settings.stop_speed:
            return False
        firm = min(self._feet.loads) > STOP_LOAD * self._weight
        return firm and self._feet.captured(state, command.heading, com, velocity)

    def _stop(self, state: BodyState) -> None:
        self.mode, self._mode_time, self._swing = "stand", state.time, None
        total = self._feet.loads[LEFT] + self._feet.loads[RIGHT]
        self._left_share = self._feet.loads[LEFT] / max(total, 1e-3 * self._weight)

    def _begin_step(self, state: BodyState, command: Command, stance: int) -> None:
        # Until it bears weight, the leg that lands goes on reaching forward.
        self._reaching = self._swing.thigh if self._swing is not None else None
        self.stance, self._swing, self.phase, self._hurry = stance, None, 0.0, 1.0
        self._strike_time = state.time
        self._step_time = self.settings.step_time(command.speed)
        amplitude = command.speed / self.settings.style_speed
        self._level = min(range(len(AMPLITUDES)), key=lambda i: abs(AMPLITUDES[i] - amplitude))
        self._step_start = (float(state.origins[0, 0]), float(state.origins[0, 1]))

    def _lift(self, state: BodyState, command: Command) -> None:
        """Begin the swing: the trailing foot has left the ground, or is told to."""
        side = 1 - self.stance
        leg = self._legs[side]
        x, y, z = state.origins[leg.foot].tolist()
        m = state.matrices[leg.foot]
        pitch = math.atan2(-float(m[2, 0]), math.hypot(float(m[0, 0]), float(m[1, 0])))
        extra = pitch - self._style.foot_pitch(self.phase)
        yaw = self._foot_yaw(state, command)
        self._told = None
        self._swing = Swing(self.settings, leg, side, (x, y, z), self.phase, extra, yaw, AMPLITUDES[self._level])
        self.lifts.append((state.time, side))

    @property
    def _style(self) -> StyleTable:
        key = self._level, self.stance
        if key not in self._styles:
            self._styles[key] = StyleTable(
                self.character, self.settings.style, SIDES[self.stance], AMPLITUDES[self._level]
            )
        return self._styles[key]

    # -- wished orientations

    def _base_indices(self, upright: list[int], of_leg: int | None = None) -> NDArray[np.int_]:
        """Return what each link (L,) is told its orientation in, by its place in ``_frames``.

        Its parent's place, L for the heading frame, L + 1 for the direction of the swing or trailing leg.
        """
        base = self._tracker.parents.copy()
        base[upright] = len(base)
        if of_leg is not None:
            base[of_leg] = len(base) + 1
        return base

    def _targets(self, state: BodyState, command: Command) -> Array:
        """Return the wished orientation and, in the last column, angular velocity of each link (L, 3, 4)."""
        count, turn = len(self._bases), command.turn
        bases, spins = self._frames
        bases[:count], spins[:count] = state.matrices, state.spins
        leg_heading = command.heading + (self._leg_yaw(state, command) if self.mode == "walk" else 0.0)
        self._headings[:] = _heading_rows(command.heading) + _heading_rows(leg_heading)
        spins[count:, 2] = turn
        if self.mode != "walk":
            wished = bases.take(self._bases, axis=0) @ self._style.at(-1.0)
            wished[:, :, 3] = spins.take(self._bases, axis=0)
            return np.asarray(wished)
        trailing = self._swing is None
        # The trailing thigh, then the swing foot, are told their orientation upright, where the leg points.
        of = self._walking_bases[self.stance][trailing]
        wished = bases.take(of, axis=0) @ self._style.at(self.phase, trailing)
        wished[:, :, 3] *= 1.0 / self._step_time
        wished[:, :, 3] += spins.take(of, axis=0)
        if self._swing is not None:
            self._swing_targets(self._swing, state, command, leg_heading, wished)
        elif self._reaching is not None:
            xx, xy, xz, yx, yy, yz, zx, zy, zz = self._reaching
            thigh = self._legs[self.stance].thigh
            wished[thigh] = ((xx, xy, xz, 0.0), (yx, yy, yz, 0.0), (zx, zy, zz, turn))
        return np.asarray(wished)

    def _leg_yaw(self, state: BodyState, command: Command) -> float:
        """Return where the swing or trailing leg should point, rad from the heading.

        A foot on the ground keeps its direction while the body turns; its thigh must not wring it. It is set down
        turned ahead by what the body will turn till the middle of its stance.
        """
        if self._swing is not None:
            return self._swing.yaw(self.phase, TURN_LEAD * command.turn * self._step_time)
        return self._foot_yaw(state, command)

    def _foot_yaw(self, state: BodyState, command: Command) -> float:
        """Return the direction of the swing or trailing foot, rad from the heading."""
        (x, _, _), (y, _, _), _ = state.matrices[self._legs[1 - self.stance].foot].tolist()
        return math.remainder(math.atan2(y, x) - command.heading, 2.0 * math.pi)

    def _swing_targets(
        self, swing: Swing, state: BodyState, command: Command, leg_heading: float, wished: Array
    ) -> None:
        """Write the swing leg's rows of ``wished`` (L, 3, 4) from the ankle's wished place."""
        leg = self._legs[1 - self.stance]
        self._told_age += 1
        if self._told is None or self._told_age == self._policy.target_steps:
            hx, hy, hz = state.origins[leg.thigh].tolist()
            ankle = swing.ankle(
                self.phase, self._landing, (hx, hy, hz), command.heading, self._style.swing_angles(self.phase),
                self._sole_drop(state, leg), self._ground,
            )  # fmt: skip
            self._told = swing.targets(
                (hx, hy, hz), ankle, leg_heading, state.spins, self._policy.target_steps * self._step
            )
            self._told_age = 0
        wished[leg.thigh], wished[leg.shin] = self._told
        pitch = swing.pitch(self.phase)
        if pitch:
            c, s = math.cos(pitch), math.sin(pitch)
            wished[leg.foot] = [(c * x - s * z, y, s * x + c * z, w) for x, y, z, w in wished[leg.foot].tolist()]

    def _sole_drop(self, state: BodyState, leg: Leg) -> float:
        """Return how far the lowest point of a sole is below its ankle, m."""
        (ahead, _, up), tip = state.matrices[leg.foot, 2].tolist(), float(state.matrices[leg.toes, 2, 0])
        ball = leg.ankle_height * up - leg.ball * ahead
        return max(leg.ankle_height * up - leg.heel * ahead, ball, ball - leg.toe_length * tip)

    # -- torques

    def _steadied(self, state: BodyState, torque: Array, weights: tuple[float, float]) -> Array:
        """Return PD torques (L, 3) as they must be for one control step (``steady``)."""
        key: Stance | int = round(GRID * weights[0])
        if self.mode == "walk" and self._swing is not None:
            key = "left" if self.stance == LEFT else "right"
        return steadied(self._steady[key], state.matrices, torque)

    def _steadying(self) -> dict[Stance | int, Array]:
        """Return the corrections for a left stance, a right one, and both feet down with shares in steps."""
        table: dict[Stance | int, Array] = {}
        feet = [leg.foot for leg in self._legs]
        for key, stance in (("left", LEFT), ("right", RIGHT)):
            weights = (1.0, 0.0) if stance == LEFT else (0.0, 1.0)
            upright = [*self._upright, self._legs[1 - stance].thigh, feet[1 - stance]]
            pose = _bent(self.character, self._legs[1 - stance])
            table[key] = self._correction(pose, upright, [feet[stance]], weights)  # type: ignore[index]
        for i in range(GRID + 1):
            weights = (i / GRID, 1.0 - i / GRID)
            table[i] = self._correction(self.character.standing()[1], self._upright, feet, weights)
        return table

    def _correction(self, pose: Array, upright: list[int], planted: list[int], weights: tuple[float, float]) -> Array:
        tracked = (1.0 - weights[0], 1.0 - weights[1])
        return steadying(
            self._tracker, pose, upright, planted,
            lambda tracking: self._referral.assembled(tracking, weights, tracked), self._step,
        )  # fmt: skip

    def _weights(self, state: BodyState, com: Vector, velocity: Vector) -> tuple[float, float]:
        """Return how the legs (left, right) share the body's weight, the pelvis' torque and the virtual force."""
        if self.mode == "walk":
            share = 1.0
            if self._swing is None:
                lead, trail = self._feet.loads[self.stance], self._feet.loads[1 - self.stance]
                share = min(max(lead / max(lead + trail, 1e-3 * self._weight), 0.0), 1.0)
                # The loads follow the hips' torques as these follow the loads: without a hurry it stays where it was.
                share = max(share, min(self.phase / max(self._handover, 1e-3), 1.0))
            return (share, 1.0 - share) if self.stance == LEFT else (1.0 - share, share)
        share = min(max(self._feet.left_share(state, com), LEAST_SHARE), 1.0 - LEAST_SHARE)
        fresh = max(0.0, 1.0 - (state.time - self._mode_time) / TAKE_OVER) if self.resting else 0.0
        share += fresh * (self._left_share - share)
        return (share, 1.0 - share)

    def _stand_acceleration(self, state: BodyState, com: Vector, velocity: Vector) -> tuple[float, float]:
        """Return the acceleration, world x, y, m/s2, that brings the centre of mass to where it should stand."""
        s, onto = self.settings, self.stance if self.mode == "shift" else None
        gain, damping = (s.stand_gain, s.stand_damping) if self.resting else (s.shift_gain, s.shift_damping)
        return self._feet.acceleration(state, onto, gain, damping, com, velocity)

    def _virtual_force(self, state: BodyState, command: Command, com: Vector, velocity: Vector) -> tuple[float, float]:
        """Return the virtual force on the centre of mass, world x, y, N (section 3.3)."""
        s, mass = self.settings, self.character.mass
        c, sn = math.cos(command.heading), math.sin(command.heading)
        forward, sideways = velocity[0] * c + velocity[1] * sn, -velocity[0] * sn + velocity[1] * c
        if self.mode == "walk":
            px, py, _ = state.origins[self._legs[self.stance].foot].tolist()
            offset = -(com[0] - px) * sn + (com[1] - py) * c
            wish = (0.5 if self.stance == RIGHT else -0.5) * s.width
            ax = s.speed_gain * (command.speed - forward)
            ay = s.sway_gain * (wish - offset) - s.sway_damping * sideways
        else:
            x, y = self._stand_acceleration(state, com, velocity)
            ax, ay = x * c + y * sn, -x * sn + y * c
        fx, fy = (
            mass * min(max(a, -limit * self._gravity), limit * self._gravity)
            for a, limit in zip((ax, ay), s.force_limit, strict=True)
        )
        return fx * c - fy * sn, fx * sn + fy * c


def _spread(settings: Settings, character: Character) -> Settings:
    """Return the settings with feet as far apart for standing as a body with wide hips has them."""
    origins, _ = character.standing()
    left, right = (float(origins[character.index(f"foot.{side}"), 1]) for side in SIDES)
    return replace(settings, stand_width=settings.stand_width * max((left - right) / character.leg_length / FEET, 1.0))


def _bent(character: Character, leg: Leg) -> Array:
    """Return link rotations (L, 4) of the standing pose with one leg in mid-swing."""
    _, rotations = character.standing()
    for link, pitch in ((leg.thigh, -0.4), (leg.shin, 0.5), (leg.foot, 0.5), (leg.toes, 0.5)):
        rotations[link] = axis_angle_quaternion([0.0, 1.0, 0.0], pitch)
    return rotations


def _heading_rows(heading: float) -> list[float]:
    """Return a heading frame's matrix, row by row."""
    c, s = math.cos(heading), math.sin(heading)
    return [c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0]
