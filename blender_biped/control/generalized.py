"""Generalized biped walking control: Coros, Beaudoin and van de Panne 2010.

Four parts make one torque: a motion generator whose trajectories are tracked by PD control (3.1), foot
placement by an inverted pendulum (3.2), velocity tuning by a virtual force on the centre of mass (3.3),
and gravity compensation (3.4); turning comes from the stance hip (3.5). Standing, starting and stopping
follow section 5.1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..character.model import SIDES, Character
from ..spatial import Array
from .leg import Vector, leg_orientations
from .pendulum import speed_offset, stop_distance, swayed, width_offset
from .settings import Settings, read_settings
from .state import BodyState
from .steering import Command
from .style import StyleTable
from .tracking import Tracker

_LEFT, _RIGHT = 0, 1
TILT = 0.06  # rad of the sole at which the virtual force no longer uses the ankle
AMPLITUDES = tuple(0.3 + 0.1 * i for i in range(10))  # of the style, by speed; picked anew each step
LIFT_LOAD = 0.04  # share of the body's weight under which a trailing foot counts as lifted
STRIKE_LOAD = 0.03  # share of the body's weight over which a swing foot counts as landed
EARLIEST_STRIKE = 0.75  # phase before which a touch of the swing foot is a scuff
SOLE_EDGE = 0.8  # share of the sole within which the centre of pressure is held
GRIP_ARM = 0.045  # m, of a leg of 0.9: friction under a flat foot resists turning with this times its load
LOAD_MEMORY = 0.02  # s, smooths contact forces before they bound torques


@dataclass(frozen=True)
class _Leg:
    """Places of one leg's links in the character; lengths, and the sole's ends before the ankle, m."""

    thigh: int
    shin: int
    foot: int
    toes: int
    thigh_length: float
    shin_length: float
    ankle_height: float
    heel: float
    toe: float
    half_width: float


class GeneralizedWalk:
    """One character's walk. Call ``torques`` once each control step."""

    def __init__(self, character: Character, values: Mapping[str, Any], gravity: float, step: float) -> None:
        """Take a preset's values. Raises DataError naming a wrong field. step: s between calls."""
        self.character = character
        self.settings: Settings = read_settings(values)
        self.gravity, self.step = gravity, step
        self.tracker = Tracker(character, self.settings.gains, step)
        self._styles = [
            [StyleTable(character, self.settings.style, stance, amplitude) for stance in SIDES]
            for amplitude in AMPLITUDES
        ]
        self.styles = self._styles[0]
        self.legs = [_leg(character, side) for side in SIDES]
        self._upright = _upright_links(character)
        self._scale = character.leg_length / 0.9
        self._pace = math.sqrt(self._scale)
        self.mode = "stand"
        self.stance = _LEFT
        self.phase = 0.0
        self.strikes: list[tuple[float, int]] = []
        self.lifts: list[tuple[float, int]] = []
        self._strike_time = 0.0
        self._mode_time = 0.0
        self._swing_start: Vector = (0.0, 0.0, 0.0)
        self._lifted = True
        self._lift_phase = 0.0
        self._foot_start = 0.0
        self._weight = character.mass * gravity
        self._wished_swing: Array | None = None
        self._speed_bias = 0.0
        self._step_start = (0.0, 0.0, 0.0)
        self._step_time = self.settings.step_time(0.0) * self._pace
        self._leg_links = [[leg.thigh, leg.shin, leg.foot, leg.toes] for leg in self.legs]
        self._leg_masses = [float(character.masses[links].sum()) for links in self._leg_links]
        self._loads = [0.0, 0.0]
        self.debug: dict[str, float] = {}

    # ------------------------------------------------------------------ the whole

    def torques(self, state: BodyState, command: Command) -> Array:
        """Return the torque of each link's joint on it (L, 3), world axes, N m."""
        shares = self.tracker.shares
        com, velocity = shares @ state.coms, shares @ state.velocities
        for side, leg in enumerate(self.legs):
            load = float(state.loads[leg.foot] + state.loads[leg.toes])
            self._loads[side] += (load - self._loads[side]) * min(self.step / LOAD_MEMORY, 1.0)
        self._advance(state, command, com, velocity)
        wished, spins = self._targets(state, command, com, velocity)
        tracking = self.tracker.torques(state, wished, spins)
        weights = self._root_weights(state)
        weight_mask = self._gravity_mask(weights)
        torque = self._referred(tracking, weights) + weight_mask[:, None] * self.tracker.gravity(state, self.gravity)
        self._balance(state, command, com, velocity, tracking, torque, weights)
        return torque

    # ------------------------------------------------------------------ phases of the gait

    def _advance(self, state: BodyState, command: Command, com: Array, velocity: Array) -> None:
        """Move the phase on, and switch between standing, shifting the weight, and steps."""
        now, s = state.time, self.settings
        if self.mode == "stand":
            if command.left > s.stop_distance and now - self._mode_time > s.settle_time:
                self.mode, self._mode_time = "shift", now
                self.stance = _LEFT
        elif self.mode == "shift":
            start, goal = self._shift_line(state)
            done = ((com[0] - start[0]) * (goal[0] - start[0]) + (com[1] - start[1]) * (goal[1] - start[1])) / max(
                (goal[0] - start[0]) ** 2 + (goal[1] - start[1]) ** 2, 1e-9
            )
            if done > s.shift_share or now - self._mode_time > 2.0 * self._pace:
                self.mode, self._mode_time = "walk", now
                self._begin_step(state, command, self.stance)
                self._lift(state)
        elif self.mode == "walk":
            self.phase = (now - self._strike_time) / self._step_time
            swing = 1 - self.stance
            if not self._lifted and (self._loads[swing] < LIFT_LOAD * self._weight or self.phase > s.latest_lift):
                self._lift(state)
            load = float(state.loads[self.legs[swing].foot] + state.loads[self.legs[swing].toes])
            struck = self._lifted and self.phase > EARLIEST_STRIKE and load > STRIKE_LOAD * self._weight
            if struck or self.phase > s.late_strike:
                self._end_step(state, command, com, velocity)

    def _end_step(self, state: BodyState, command: Command, com: Array, velocity: Array) -> None:
        duration = state.time - self._strike_time
        hip = state.origins[0]
        done = (hip[0] - self._step_start[0]) * math.cos(command.heading) + (
            hip[1] - self._step_start[1]
        ) * math.sin(command.heading)
        error = command.speed - done / max(duration, 1e-3)
        if len(self.strikes) > 2:
            limit = self.settings.speed_bias_limit
            self._speed_bias = min(max(self._speed_bias + self.settings.speed_integral * error, -limit), limit)
        self.strikes.append((state.time, 1 - self.stance))
        if command.left < self.settings.stop_distance and abs(done / max(duration, 1e-3)) < self.settings.stop_speed:
            self.mode, self._mode_time = "stand", state.time
            return
        self._begin_step(state, command, 1 - self.stance)

    def _begin_step(self, state: BodyState, command: Command, stance: int) -> None:
        self.stance = stance
        self._strike_time = state.time
        self.phase = 0.0
        self._step_time = self.settings.step_time(command.speed / self._pace) * self._pace
        share = command.speed / self._pace / self.settings.style_speed
        self.styles = self._styles[int(np.argmin(np.abs(np.array(AMPLITUDES) - share)))]
        self._lifted = False
        self._wished_swing = None
        hip = state.origins[0]
        self._step_start = (float(hip[0]), float(hip[1]), 0.0)

    def _lift(self, state: BodyState) -> None:
        """Begin the swing: the trailing foot has left the ground, or is told to."""
        self._lifted, self._lift_phase = True, self.phase
        self.lifts.append((state.time, 1 - self.stance))
        x, y, z = state.origins[self.legs[1 - self.stance].foot]
        self._swing_start = (float(x), float(y), float(z))
        m = state.matrices[self.legs[1 - self.stance].foot]
        found = math.atan2(-float(m[2, 0]), math.hypot(float(m[0, 0]), float(m[1, 0])))
        self._foot_start = found - self.styles[self.stance].foot_pitch(self.phase)

    # ------------------------------------------------------------------ wished orientations

    def _targets(self, state: BodyState, command: Command, com: Array, velocity: Array) -> tuple[Array, Array]:
        """Return the wished orientation (L, 3, 3) and angular velocity (L, 3) of each link."""
        table = self.styles[self.stance]
        walking = self.mode == "walk"
        rotations, rates = table.at(self.phase if walking else -1.0, not self._lifted)
        frame = _heading_matrix(command.heading)
        upright = self._upright
        if walking and self._lifted:
            upright = [*upright, self.legs[1 - self.stance].foot]
        bases = state.matrices[self.tracker.parents]
        bases[upright] = frame
        wished = bases @ rotations
        spins = state.spins[self.tracker.parents]
        spins[upright] = (0.0, 0.0, command.turn)
        if walking:
            spins += (bases @ rates[:, :, None])[:, :, 0] / self._step_time
            if self._lifted:
                self._swing(state, command, com, velocity, wished, spins)
            else:
                self._push_off(state, rotations, rates, frame, wished, spins)
        return wished, spins

    def _push_off(
        self, state: BodyState, rotations: Array, rates: Array, frame: Array, wished: Array, spins: Array
    ) -> None:
        """Hold the trailing thigh in the heading frame while its leg unloads."""
        thigh = self.legs[1 - self.stance].thigh
        wished[thigh] = frame @ rotations[thigh]
        spins[thigh] = frame @ rates[thigh] / self._step_time

    def _swing(
        self, state: BodyState, command: Command, com: Array, velocity: Array, wished: Array, spins: Array
    ) -> None:
        """Write the swing thigh's and shin's orientation and spin from the ankle's wished place."""
        leg = self.legs[1 - self.stance]
        hip = state.origins[leg.thigh]
        ankle = self._swing_ankle(state, command, com, velocity)
        side = 1.0 if self.stance == _RIGHT else -1.0
        out = self.settings.knee_out * side
        left = (-math.sin(command.heading + out), math.cos(command.heading + out), 0.0)
        thigh, shin, _ = leg_orientations(
            (float(hip[0]), float(hip[1]), float(hip[2])), ankle, leg.thigh_length, leg.shin_length, left
        )
        both = np.array((thigh, shin)).reshape(2, 3, 3)
        if self._wished_swing is not None:
            turn = both @ self._wished_swing.transpose(0, 2, 1)
            rate = (
                np.stack((turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]), 1)
                * 0.5
                / self.step
            )
            rate = np.clip(rate, -8.0, 8.0)
        else:
            rate = state.spins[[leg.thigh, leg.shin]]
        self._wished_swing = both
        pitch = (1.0 - self._swing_share()) ** 2 * self._foot_start
        wished[leg.foot] = wished[leg.foot] @ _pitch_matrix(pitch)
        wished[[leg.thigh, leg.shin]] = both
        spins[[leg.thigh, leg.shin]] = rate

    def _swing_ankle(self, state: BodyState, command: Command, com: Array, velocity: Array) -> Vector:
        """Return where the swing ankle should be now, world, m."""
        s, leg, stance = self.settings, self.legs[1 - self.stance], self.legs[self.stance]
        phase = min(self.phase, 1.0)
        left_time = (1.0 - phase) * self._step_time
        ground = self.ground
        pivot = state.origins[stance.foot]
        height = max(float(com[2]) - ground, 0.3 * self.character.leg_length)
        # the heading that the foot will land in
        heading = command.heading + command.turn * (left_time + 0.5 * self._step_time)
        c, sn = math.cos(heading), math.sin(heading)
        vx, vy = float(velocity[0]), float(velocity[1])
        forward, sideways = vx * c + vy * sn, -vx * sn + vy * c
        rx, ry = float(com[0] - pivot[0]), float(com[1] - pivot[1])
        side = 1.0 if self.stance == _RIGHT else -1.0  # the swing foot's side: left is +
        lateral, lateral_speed = swayed(-rx * sn + ry * c, sideways, left_time, height, self.gravity)
        sagittal = rx * c + ry * sn + forward * left_time
        speed = command.speed + self._speed_bias
        ahead = sagittal + stop_distance(forward, height, self.gravity) - speed_offset(
            speed, self._step_time, height, self.gravity
        )
        w = math.sqrt(self.gravity / height)
        aside = (
            lateral
            + lateral_speed / w
            + side * width_offset(s.width * self._scale, self._step_time, height, self.gravity)
            - command.drift * 0.5 * self._step_time * (1.0 / math.tanh(0.5 * self._step_time * w) - 1.0)
        )
        reach = 0.6 * self.character.leg_length
        ahead = min(max(ahead, sagittal - reach), sagittal + reach)
        gap = s.clearance * self._scale  # the feet must not cross
        aside = side * max(side * aside, gap)
        goal_x, goal_y = float(pivot[0]) + ahead * c - aside * sn, float(pivot[1]) + ahead * sn + aside * c
        share = self._swing_share()
        x0, y0, z0 = self._swing_start
        lift = s.swing_height(phase) * self._scale
        fade = (1.0 - share) ** 2
        z = ground + leg.ankle_height + lift + fade * (z0 - ground - leg.ankle_height - s.swing_height(self._lift_phase) * self._scale)
        self.debug.update(ahead=ahead, aside=aside, forward=forward, sideways=sideways)
        return (x0 + (goal_x - x0) * share, y0 + (goal_y - y0) * share, z)

    def _swing_share(self) -> float:
        """Return how far the swing is from lift to landing place, 0..1."""
        done = (min(self.phase, 1.0) - self._lift_phase) / max(1.0 - self._lift_phase, 0.1)
        return self.settings.swing_share(done)

    # ------------------------------------------------------------------ torques

    ground = 0.0

    def _referred(self, tracking: Array, weights: tuple[float, float]) -> Array:
        """Return joint torques (L, 3) with which each link feels its own tracking torque.

        What a joint gives its link it takes from the parent, so each joint also gives what its subtree takes.
        A leg that carries weight pushes against the ground instead.
        """
        torque = self.tracker.subtree @ tracking
        for side, links in enumerate(self._leg_links):
            if weights[side] > 0.0:
                torque[links] = tracking[links]
        return torque

    def _root_weights(self, state: BodyState) -> tuple[float, float]:
        """Return how the legs (left, right) share the pelvis' torque, the body's weight and the virtual force."""
        if self.mode == "walk":
            share = 1.0
            if not self._lifted:
                lead = self._loads[self.stance]
                share = lead / max(lead + self._loads[1 - self.stance], 1e-3 * self._weight)
                share = min(max(share, 0.0), 1.0)
            return (share, 1.0 - share) if self.stance == _LEFT else (1.0 - share, share)
        (lx, ly, _), (rx, ry, _) = (self._foot_middle(state, side) for side in (_LEFT, _RIGHT))
        com = self.tracker.shares @ state.coms
        dx, dy = lx - rx, ly - ry
        share = ((float(com[0]) - rx) * dx + (float(com[1]) - ry) * dy) / max(dx * dx + dy * dy, 1e-6)
        share = min(max(share, 0.05), 0.95)
        return (share, 1.0 - share)

    def _gravity_mask(self, weights: tuple[float, float]) -> Array:
        mask = np.ones(len(self.character.links))
        for side in (_LEFT, _RIGHT):
            mask[self._leg_links[side]] = 1.0 - weights[side]
        return mask

    def _shift_line(self, state: BodyState) -> tuple[Vector, Vector]:
        """Return the middle of the feet and the future stance foot, world, m."""
        feet = [self._foot_middle(state, side) for side in (_LEFT, _RIGHT)]
        middle = tuple(0.5 * (a + b) for a, b in zip(*feet, strict=True))
        return middle, feet[self.stance]  # type: ignore[return-value]

    def _foot_middle(self, state: BodyState, side: int) -> Vector:
        leg = self.legs[side]
        m, o = state.matrices[leg.foot], state.origins[leg.foot]
        reach = 0.5 * (leg.heel + leg.toe)
        return (float(o[0] + m[0, 0] * reach), float(o[1] + m[1, 0] * reach), self.ground)

    def _virtual_force(self, state: BodyState, command: Command, com: Array, velocity: Array) -> tuple[float, float]:
        """Return the virtual force on the centre of mass, world x, y, N (section 3.3)."""
        s, mass = self.settings, self.character.mass
        c, sn = math.cos(command.heading), math.sin(command.heading)
        if self.mode == "walk":
            forward = float(velocity[0]) * c + float(velocity[1]) * sn
            sideways = -float(velocity[0]) * sn + float(velocity[1]) * c
            fx = s.speed_gain / self._pace * (command.speed - forward) * mass
            pivot = state.origins[self.legs[self.stance].foot]
            offset = -(float(com[0]) - float(pivot[0])) * sn + (float(com[1]) - float(pivot[1])) * c
            side = 1.0 if self.stance == _RIGHT else -1.0
            wish = side * 0.5 * s.width * self._scale
            fy = mass * (s.sway_gain / self._scale * (wish - offset) - s.sway_damping / self._pace * sideways)
        else:
            middle, foot = self._shift_line(state)
            share = 1.0 if self.mode == "shift" else 0.0
            tx, ty = middle[0] + share * (foot[0] - middle[0]), middle[1] + share * (foot[1] - middle[1])
            dx, dy = tx - float(com[0]), ty - float(com[1])
            kp, kd = s.stand_gain / self._scale, s.stand_damping / self._pace
            ax, ay = kp * dx - kd * float(velocity[0]), kp * dy - kd * float(velocity[1])
            fx, fy = mass * (ax * c + ay * sn), mass * (-ax * sn + ay * c)
        weight = mass * self.gravity
        fx = min(max(fx, -s.force_limit[0] * weight), s.force_limit[0] * weight)
        fy = min(max(fy, -s.force_limit[1] * weight), s.force_limit[1] * weight)
        return fx * c - fy * sn, fx * sn + fy * c

    def _balance(
        self, state: BodyState, command: Command, com: Array, velocity: Array, tracking: Array, torque: Array,
        weights: tuple[float, float],
    ) -> None:  # fmt: skip
        """Add velocity tuning to the stance legs and give their hips what the pelvis needs."""
        fx, fy = self._virtual_force(state, command, com, velocity)
        force = np.array((fx, fy, 0.0))
        virtual_hip = np.zeros(3)
        foot = sum(w * state.origins[leg.foot] for w, leg in zip(weights, self.legs, strict=True))
        support = self._support(com - foot)
        for side, weight in enumerate(weights):
            if weight <= 0.0:
                continue
            leg = self.legs[side]
            arms = com - state.origins[[leg.thigh, leg.shin, leg.foot]]
            above = self._above_hip(state, com, side) - state.origins[leg.thigh]
            share = 1.0 - self._leg_masses[side] / self.character.mass
            virtual = weight * _cross(arms, force)
            virtual_hip += virtual[0] + weight * share * _cross(above[None], support)[0]
            torque[leg.shin] -= virtual[1] + weight * _cross(arms[1:2], support)[0]
            load = self._loads[side]
            torque[leg.foot] = self._ankle_torque(state, leg, torque[leg.foot], virtual[2], load)
        # the spine's part of the chain from stance foot to head
        for role, share in (("abdomen", self.settings.spine_share[0]), ("chest", self.settings.spine_share[1])):
            if self.character.has(role):
                i = self.character.index(role)
                torque[i] += share * _cross((com - state.origins[i])[None], force)[0]
        pelvis = tracking[0] + virtual_hip
        walking = self.mode == "walk"
        children = [i for i, parent in enumerate(self.character.parents) if parent == 0]
        thighs = [leg.thigh for leg in self.legs]
        need = -pelvis - sum(torque[i] for i in children if i not in thighs)
        for side, weight in enumerate(weights):
            need = need - (1.0 - weight if walking else 0.0) * torque[thighs[side]]
        limit = self.tracker.limit[thighs[0]]
        for side, weight in enumerate(weights):
            if weight > 0.0:
                hip = weight * need
                if walking:
                    hip = hip + (1.0 - weight) * torque[thighs[side]]
                spin = state.spins[thighs[side], 2] - command.turn
                hip[2] -= weight * self.settings.yaw_damping * spin * abs(spin)
                grip = GRIP_ARM * self._scale * self._loads[side]
                hip[2] = min(max(float(hip[2]), -grip), grip)
                size = math.sqrt(float(hip @ hip))
                torque[thighs[side]] = hip * min(1.0, limit / max(size, 1e-9))
        torque[0] = 0.0

    def _support(self, arm: Array) -> Array:
        """Return the pendulum's force (3,), N, from the ankle through the centre of mass, ``arm`` (3,) m above it."""
        weight = self.settings.support * self.character.mass * self.gravity
        return np.asarray(weight / max(float(arm[2]), 0.1) * arm)

    def _above_hip(self, state: BodyState, com: Array, side: int) -> Array:
        """Return the centre of mass (3,) of all that is not this leg, world, m."""
        leg = self._leg_links[side]
        part = self.tracker.masses[leg] @ state.coms[leg]
        return np.asarray((self.character.mass * com - part) / (self.character.mass - self._leg_masses[side]))

    def _ankle_torque(self, state: BodyState, leg: _Leg, tracking: Array, virtual: Array, load: float) -> Array:
        """Return the torque on a loaded foot (3,): tracking, less what the virtual force asks of the shank.

        A torque p about the ankle's y puts the centre of pressure p / load ahead of it. Pulling the toes up or
        rolling the foot is held inside the sole, and the virtual force (whose ankle part the paper drops when
        the foot tilts) inside a smaller part of it; pushing off over the toes is free.
        """
        m = state.matrices[leg.foot]
        tilt = -float(m[2, 0])
        front = max(0.0, 1.0 - max(tilt, 0.0) / TILT)
        back = max(0.0, 1.0 - max(-tilt, 0.0) / TILT)
        share = self.settings.sole_share * load
        balance = -float(m[:, 1] @ virtual)
        balance = min(max(balance, share * leg.heel * back), share * leg.toe * front)
        pitch = max(float(m[:, 1] @ tracking) + balance, SOLE_EDGE * load * leg.heel * back)
        half = SOLE_EDGE * load * leg.half_width
        roll = float(m[:, 0] @ tracking) + min(max(-float(m[:, 0] @ virtual), -half), half)
        return np.asarray(pitch * m[:, 1] + roll * m[:, 0])


def _cross(arms: Array, force: Array) -> Array:
    """Return arms (K, 3) cross a force (3,)."""
    out = np.empty_like(arms)
    out[:, 0] = arms[:, 1] * force[2] - arms[:, 2] * force[1]
    out[:, 1] = arms[:, 2] * force[0] - arms[:, 0] * force[2]
    out[:, 2] = arms[:, 0] * force[1] - arms[:, 1] * force[0]
    return out


def _heading_matrix(heading: float) -> Array:
    c, s = math.cos(heading), math.sin(heading)
    return np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))


def _pitch_matrix(angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    return np.array(((c, 0.0, s), (0.0, 1.0, 0.0), (-s, 0.0, c)))


def _upright_links(character: Character) -> list[int]:
    """Return the links that are tracked in the heading frame and not relative to their parent."""
    names = ("pelvis", "abdomen", "chest", "head")
    return [i for i, link in enumerate(character.links) if link.role in names]


def _leg(character: Character, side: str) -> _Leg:
    thigh, shin, foot, toes = (character.index(f"{part}.{side}") for part in ("thigh", "shin", "foot", "toes"))
    sole, toe = character.links[foot].shape, character.links[toes].shape
    ankle = character.stand_height + sum(float(character.offsets[i][2]) for i in (thigh, shin, foot))
    return _Leg(
        thigh, shin, foot, toes,
        thigh_length=float(np.linalg.norm(character.offsets[shin])),
        shin_length=float(np.linalg.norm(character.offsets[foot])),
        ankle_height=ankle,
        heel=sole.center[0] - sole.half[0],
        half_width=sole.half[1],
        toe=float(character.offsets[toes][0]) + 0.5 * (toe.center[0] + toe.half[0]),
    )  # fmt: skip
