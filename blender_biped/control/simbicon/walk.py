"""SIMBICON: simple biped locomotion control (Yin, Loken and van de Panne 2007).

A finite state machine (3.1, ``posegraph``) tells every joint an angle; torso and swing thigh are told theirs in the
heading frame, and the stance hip makes up what the pelvis needs (3.2, ``referral``); balance feedback on the
distance and velocity of the centre of mass from the stance ankle changes the swing hip, in both planes, and any other
angle (3.3, equation 1). One gait follows another from state n to n + 1 (7.1); speed and direction are led by offsets
of the swing hip (7.2).

Beyond the paper: torques are those of the end of the step (``steady``) and held to what the ground can answer
(``ground``); while both feet bear, both hips make up for the pelvis, by their loads; it stands, sets off and stops as
generalized walking does (``feet``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ...base.spatial import Array
from ...character.model import Character
from ..shared.ground import NO_FORCE, Ground, Hold
from ..shared.legs import LEFT, RIGHT, legs_of
from ..shared.pose_graph import Machine
from ..shared.root_torque import Pair, Referral
from ..shared.standing import LEAST_SHARE, STANDING_RELEASE, STANDING_ROLL, Feet
from ..shared.state import BodyState
from ..shared.steering import Command
from .fitted import BOTH, IN_AIR, SHARES, FittedGait, ToldState
from .settings import Gait

Vector = tuple[float, float, float]
Mode = Literal["stand", "shift", "walk"]

# Hips do what their feet's loads let them from the first, and there is no virtual force.
ANKLES_ALONE = Hold(sole_share=0.0, grip=0.0, yaw_damping=0.0, backed=False)
LANDING = 0.12  # s after a strike for which a foot may be let down from its heel
WALKING_EDGE, STANDING_EDGE = 0.6, 0.8  # share of the sole within which the centre of pressure is held
LONGEST_SHIFT = 1.5  # s that shifting the weight may take before the first step begins anyway
ENDING_REACH = 8.0  # m from the path's end within which a lower speed means that it shall stop, not turn
STOP_SPEED = 0.4  # m/s under which a body that shall stop may stand
STOP_DISTANCE = 0.2  # m from the path's end at which it shall
STOP_MARGIN = 0.1  # share of the distance between the feet that a stop must be caught inside of either
STANDING_SHARES = 20  # steps of the legs' shares of a standing body
BORNE = 0.02  # share of the weight under which a foot bears nothing
FIRM = 0.25  # share of the weight under the feet from which the pelvis has its full torque
PLANTED = 0.2  # share of the weight from which the ground holds a foot
SHARED = 0.05  # share of the weight over which a swing leg helps the pelvis; steps that shares are told in
PAUSE_BRAKING = 0.25  # m/s2 with which it slows down before a gait on both feet
STILL = 0.05  # m/s under which that begins
STEADY = 0.05  # m/s by which the wished speed may change over a step that is learnt from
STANDING_PUSH, STANDING_SWAY = 1.0, 3.0  # m/s2 at most of the centre of mass, forward and sideways
TURNING = 1.0  # rad/s at which it turns from one gait's direction to another's


@dataclass(frozen=True)
class GaitCue:
    """From ``time`` s on, walk ``gait``, and for at least ``steps`` steps before the next cue.

    speed: m/s of the reference body; 0 for that of the whole walk.
    """

    time: float
    gait: Gait
    steps: int = 0
    speed: float = 0.0


class Simbicon:
    """One character's walk, one gait after another. Call ``torques`` once each control step."""

    def __init__(
        self, character: Character, cues: Sequence[GaitCue], ending: Sequence[Gait], gravity: float, step: float,
        ground: float = 0.0, facing: float = 0.0, width: float = 0.0,
    ) -> None:  # fmt: skip
        """cues: gaits in the order of their times, at least one. ending: those through which it slows down to stop.

        gravity: m/s2. step: s between calls. ground: height of the floor, m. facing: where it looks, rad to the left of
        where it goes. width: m by which its feet are set down farther apart. Raises DataError for an unknown angle.
        """
        self.character = character
        self.strikes: list[tuple[float, int]] = []
        self.lifts: list[tuple[float, int]] = []
        self.mode: Mode = "stand"
        self.speed = 0.0  # m/s, of the centre of mass
        self._legs = legs_of(character)
        self._step = step
        self._weight = character.mass * gravity
        self._feet = Feet(character, self._legs, gravity, step, ground)
        referral = Referral(character, self._legs)
        fitted: dict[int, FittedGait] = {}
        for gait in (*(cue.gait for cue in cues), *ending):
            if id(gait) not in fitted:
                fitted[id(gait)] = FittedGait(gait, character, self._legs, referral, step)
        self._cues = [(cue.time, fitted[id(cue.gait)], cue.steps, cue.speed) for cue in cues]
        self._ending = [fitted[id(gait)] for gait in ending]
        self._footing = Ground(character, ANKLES_ALONE, self._legs, gravity, step)
        self._cue, self._last_end = 0, -1
        self._cue_steps = 0
        self._pausing: float | None = None  # m/s, asked while it slows down to stand before a gait on both feet
        self._fit = self._cues[0][1]
        self._level = 0
        self._machine = Machine(self._fit.graph(0))
        self._extra_facing, self._spread = -facing, 0.5 * width / character.leg_length
        self._turned = self._fit.gait.direction - facing  # of travel from where it faces, rad
        count = len(character.links)
        self._frames = np.zeros((count + 1, 3, 3)), np.zeros((count + 1, 3))  # of the links, and the heading frame
        self._frames[0][count, 2, 2] = 1.0
        self._down = [True, True]
        self._strike_time = self._mode_time = 0.0
        self._learnt, self._answer = [0.0, 0.0], [0.0, 0.0]  # rad of the swing hip, forward and to the left
        self._places: list[Vector] = []  # x, y, time of the last step's beginnings
        self._asked = 0.0

    @property
    def stance(self) -> int:
        """The leg that it stands on."""
        return self._machine.stance

    @property
    def walking(self) -> bool:
        """Whether it steps."""
        return self.mode == "walk"

    @property
    def steering(self) -> Mapping[str, Any]:
        """The settings of its steering now."""
        return self.gait.steering

    @property
    def resting(self) -> bool:
        """Whether it has walked and stands again."""
        return self.mode == "stand" and bool(self.strikes) and self._pausing is None

    @property
    def can_rest(self) -> bool:
        """Whether it can slow down and stand at a path's end: a gait can that goes at any speed down to none."""
        last = self._ending[-1] if self._ending else self._cues[-1][1]
        return last.gait.slowest <= 0.0

    @property
    def learnt(self) -> tuple[float, float]:
        """The offsets of the swing hip, rad, forward and to the left, that leading has learnt."""
        return self._learnt[0], self._learnt[1]

    @property
    def facing(self) -> float:
        """Where it faces, rad to the left of where it travels."""
        return -self._turned

    @property
    def gait(self) -> Gait:
        """The gait that it walks now."""
        return self._fit.gait

    def wished_speed(self, speed: float) -> float:
        """Return the speed, m/s, to walk at when ``speed`` is asked for: what its gait can do, or its cue asks for."""
        asked = self._cues[self._cue][3]
        gait = self.gait
        if self._pausing is not None:
            return max(self._pausing, gait.slowest)
        return min(max(asked or speed, gait.slowest), gait.fastest)

    def torques(self, state: BodyState, command: Command) -> Array:
        """Return the torque of each link's joint on it (L, 3), world axes, N m."""
        shares = self._fit.tracker.shares
        x, y, z = (shares @ state.coms).tolist()
        u, v, w = (shares @ state.velocities).tolist()
        com, velocity = (x, y, z), (u, v, w)
        self.speed = math.sqrt(u * u + v * v + w * w)
        self._feet.feel(state)
        self._advance(state, command, com, velocity)
        heading = command.heading - self._turned
        if self.mode == "walk":
            return self._walking(state, command, heading, com, velocity)
        return self._standing(state, command, heading, com, velocity)

    # -- phases

    def _advance(self, state: BodyState, command: Command, com: Vector, velocity: Vector) -> None:
        now, standing = state.time, self._fit.gait.standing
        heading = command.heading - self._turned
        pausing = self._pausing is not None
        if self._pausing is not None:
            self._pausing = max(self._pausing - PAUSE_BRAKING * self._step, 0.0)
        if self.mode == "stand":
            if self.resting or pausing:
                stance = self._feet.saving_stance(state, heading, com, velocity)
                if stance is not None:
                    self._set_off(state, command, stance)
                elif pausing and self.speed < STILL and now - self._mode_time > standing.settle:
                    self._pausing = None
                    self._take(self._take_cue())
                    self._set_off(state, command, LEFT)
            elif command.left > STOP_DISTANCE and now - self._mode_time > standing.settle:
                self.mode, self._mode_time = "shift", now
        elif self.mode == "shift":
            late = now - self._mode_time > LONGEST_SHIFT
            # In a plane there is nothing to shift, and a hop is from both feet.
            late = late or self.character.hinged or self._machine.state.support == "both"
            if late or self._feet.shifted(state, com, LEFT) > standing.shift:
                self._set_off(state, command, LEFT)
        else:
            self._advance_walk(state, command, heading, com, velocity)

    def _set_off(self, state: BodyState, command: Command, stance: int) -> None:
        self.mode, self._mode_time = "walk", state.time
        self._machine = Machine(self._fit.graph(0), stance)
        self._places.clear()
        self._begin_step(state, command)

    def _advance_walk(self, state: BodyState, command: Command, heading: float, com: Vector, velocity: Vector) -> None:
        self._note_contacts(state)
        wished = self._fit.gait.direction + self._extra_facing
        turn = math.remainder(wished - self._turned, 2.0 * math.pi)
        most = TURNING * self._step
        self._turned += min(max(turn, -most), most)
        machine, lead = self._machine, self._fit.gait.leading
        late = machine.step_time > lead.earliest * sum(s.dwell for s in machine.graph)
        contact = late and self._feet.loads[1 - machine.stance] > lead.contact * self._weight
        was = machine.index, machine.stance
        machine.advance(self._step, contact)
        if (machine.index, machine.stance) == was:
            return
        if machine.stance != was[1]:
            self._cue_steps += 1
            arrives = command.left < STOP_DISTANCE
            if (arrives or self._pausing is not None) and self._can_stand(state, heading, com, velocity):
                self.mode, self._mode_time = "stand", state.time
                if arrives:
                    self._pausing = None
                return
        self._change_gait(state, command)
        if machine.stance != was[1]:
            self._begin_step(state, command)

    def _change_gait(self, state: BodyState, command: Command) -> None:
        """Go over to the gait that is due, into the state that would have come next (7.1).

        A gait on both feet is begun as from the start: the body slows down and stands before it.
        """
        due = self._cue + 1
        fit = self._fit
        if self._last_end >= 0 or (
            self._ending and command.speed < 0.999 * self.gait.slowest and command.left < ENDING_REACH
        ):
            if command.speed < self.gait.slowest and self._last_end + 1 < len(self._ending):
                self._last_end += 1
                fit = self._ending[self._last_end]
        elif due < len(self._cues) and state.time >= self._cues[due][0] and self._cue_steps >= self._cues[self._cue][2]:
            if self._cues[due][1].gait.on_both_feet and not self.gait.on_both_feet:
                if self._pausing is None:
                    self._pausing = command.speed
                return
            fit = self._take_cue()
        if fit is self._fit:
            return
        self._take(fit)
        self._level = fit.gait.level_of(command.speed)
        machine = self._machine
        machine.graph = fit.graph(self._level)
        if machine.index >= len(machine.graph):
            machine.index = 0
            machine.stance = 1 - machine.stance

    def _take_cue(self) -> FittedGait:
        """Return the next cue's gait, which has come."""
        self._cue, self._cue_steps = self._cue + 1, 0
        return self._cues[self._cue][1]

    def _take(self, fit: FittedGait) -> None:
        self._fit = fit
        self._learnt, self._answer = [0.0, 0.0], [0.0, 0.0]
        self._places.clear()

    def _note_contacts(self, state: BodyState) -> None:
        """Keep the times at which feet strike and lift, with a hysteresis."""
        for side in (LEFT, RIGHT):
            share = self._feet.loads[side] / self._weight
            if self._down[side] and share < BORNE:
                self._down[side] = False
                self.lifts.append((state.time, side))
            elif not self._down[side] and share > 2.0 * BORNE:
                self._down[side] = True
                self._strike_time = state.time
                self.strikes.append((state.time, side))

    def _begin_step(self, state: BodyState, command: Command) -> None:
        """Take the graph for the speed that is asked now, and learn from the stride that ended."""
        x, y, _ = state.origins[0].tolist()
        self._places.append((x, y, state.time))
        if len(self._places) > 2:
            x0, y0, began = self._places.pop(0)
            took = max(state.time - began, 1e-3)
            ahead = command.heading + self._fit.gait.leading.foresight * command.turn
            c, s = math.cos(ahead), math.sin(ahead)
            u, v = (x - x0) / took, (y - y0) / took
            steady = abs(command.speed - self._asked) < STEADY
            self._lead(command.speed - u * c - v * s, command.drift + u * s - v * c, steady)
        self._asked = command.speed
        self._level = self._fit.gait.level_of(command.speed)
        self._machine.graph = self._fit.graph(self._level)

    def _lead(self, slow: float, aside: float, steady: bool) -> None:
        """Let the swing hip answer a stride that was too ``slow``, and too little to the left (``aside``), m/s."""
        lead = self._fit.gait.leading
        c, s = math.cos(self._turned), math.sin(self._turned)
        for i, error in enumerate((slow * c - aside * s, slow * s + aside * c)):
            learnt = self._learnt[i] + lead.learning * error if steady else self._learnt[i]
            self._learnt[i] = min(max(learnt, -lead.most), lead.most)
            self._answer[i] = self._learnt[i] + min(max(lead.answer * error, -lead.most), lead.most)

    def _can_stand(self, state: BodyState, heading: float, com: Vector, velocity: Vector) -> bool:
        """Return whether a body that shall stop can stand on both feet now."""
        if math.hypot(velocity[0], velocity[1]) > STOP_SPEED:
            return False
        return self._feet.captured(state, heading, com, velocity, STOP_MARGIN)

    # -- walking

    def _walking(self, state: BodyState, command: Command, heading: float, com: Vector, velocity: Vector) -> Array:
        machine, fit = self._machine, self._fit
        told = fit.told(self._level, machine.index, machine.stance)
        rows = told.table.at(machine.phase)
        wished = self._wished(state, command, heading, fit.bases[machine.stance], rows, machine.state.dwell)
        self._feed_back(wished, state, heading, told, com, velocity)
        tracking = fit.tracker.torques(state, wished)
        weights, tracked = self._weights()
        torque = fit.assembled(tracking, weights, tracked)
        loads = self._feet.loads
        torque = fit.steadied(state, torque, weights, machine.stance, self._planted, machine.index)
        landing = state.time - self._strike_time < LANDING
        # A leg that swings is not held to the ground, though its foot may still touch it.
        both = machine.state.support == "both"
        bearing = weights if both else (1.0 - machine.stance, float(machine.stance))
        left, right = (b if load > BORNE * self._weight else 0.0 for b, load in zip(bearing, loads, strict=True))
        self._footing.limit(
            torque, state, NO_FORCE, (left, right), loads, landing, WALKING_EDGE, fit.hip_limit, command.turn
        )
        return torque

    def _wished(
        self, state: BodyState, command: Command, heading: float, of: NDArray[np.int_], rows: Array, dwell: float
    ) -> Array:
        """Return the wished orientation and, in the last column, angular velocity of each link (L, 3, 4)."""
        count = len(self.character.links)
        bases, spins = self._frames
        bases[:count], spins[:count] = state.matrices, state.spins
        c, s = math.cos(heading), math.sin(heading)
        bases[count, 0, 0] = bases[count, 1, 1] = c
        bases[count, 0, 1], bases[count, 1, 0] = -s, s
        spins[count, 2] = command.turn
        wished = np.asarray(bases.take(of, axis=0) @ rows)
        rates = wished[:, :, 3]
        rates *= 1.0 / max(dwell, self._step)
        rates += spins.take(of, axis=0)
        return wished

    def _feed_back(
        self, wished: Array, state: BodyState, heading: float, told: ToldState, com: Vector, velocity: Vector
    ) -> None:
        """Add the balance feedback (3.3) and what leads the walk (7.2) to ``wished``, in place."""
        stance = self._machine.stance
        c, s = math.cos(heading), math.sin(heading)
        px, py, _ = state.origins[self._legs[stance].foot].tolist()
        if self._machine.state.support == "both":
            x, y, _ = state.origins[self._legs[1 - stance].foot].tolist()
            px, py = 0.5 * (px + x), 0.5 * (py + y)
        dx, dy = com[0] - px, com[1] - py
        u, v, _ = velocity
        places = (dx * c + dy * s, -dx * s + dy * c), (u * c + v * s, -u * s + v * c)
        swing_thigh, phase = self._legs[1 - stance].thigh, self._machine.phase
        of, frames = self._fit.bases[stance], self._frames[0]
        for link in told.links:
            angles = list(told.table.angle(phase, link))
            for row in told.feedback:
                if row.link == link:
                    angles[row.axis] += row.angle(phase, places[0][row.lateral], places[1][row.lateral])
            if link == swing_thigh:
                angles[1] += self._answer[0]  # a hip that is bent less lets the body fall ahead
                angles[0] -= self._answer[1]
                angles[0] += self._spread if stance == RIGHT else -self._spread
            np.matmul(frames[of[link]], _turned(*angles), out=wished[link, :, :3])

    def _weights(self) -> tuple[Pair, Pair]:
        """Return how the hips (left, right) share what the pelvis needs, and how much of their own tracking stays."""
        machine = self._machine
        firm = FIRM * self._weight
        left, right = (load if load > BORNE * self._weight else 0.0 for load in self._feet.loads)
        if left + right <= 0.0:
            return IN_AIR, (1.0, 1.0)
        if machine.state.support != "both" and self._feet.loads[machine.stance] > firm:
            sharing = self._fit.gait.leading.sharing
            left, right = (left, sharing * right) if machine.stance == LEFT else (sharing * left, right)
        bears = min((left + right) / firm, 1.0) / (left + right)  # no ground, nothing to push against
        weights = round(SHARES * bears * left) / SHARES, round(SHARES * bears * right) / SHARES
        return weights, (1.0 - weights[LEFT], 1.0 - weights[RIGHT])

    @property
    def _planted(self) -> tuple[bool, bool]:
        """Which feet (left, right) the ground holds.

        Not that of a leg that swings, though its load may last a step longer: torques that are safe for a foot on the
        ground kick one that is free.
        """
        left, right = (load > PLANTED * self._weight for load in self._feet.now)
        if self.mode != "walk" or self._machine.state.support == "both":
            return left, right
        return left and self._machine.stance == LEFT, right and self._machine.stance == RIGHT

    # -- standing

    def _standing(self, state: BodyState, command: Command, heading: float, com: Vector, velocity: Vector) -> Array:
        fit = self._fit
        wished = self._wished(state, command, heading, fit.standing_bases, fit.standing_pose, 1.0)
        tracking = fit.tracker.torques(state, wished)
        c, s = math.cos(heading), math.sin(heading)
        firm = [min(load / (FIRM * self._weight), 1.0) for load in self._feet.now]
        # Both feet down, the hips' roll moves load from foot to foot: that is left to the sway alone.
        roll = (1.0 - STANDING_ROLL) * min(firm) * (float(tracking[0, 0]) * c + float(tracking[0, 1]) * s)
        tracking[0] -= (roll * c, roll * s, 0.0)
        share = min(max(self._feet.left_share(state, com), LEAST_SHARE), 1.0 - LEAST_SHARE)
        # A foot that does not bear yet has nothing to push against: the other one does it alone.
        left, right = share * firm[LEFT], (1.0 - share) * firm[RIGHT]
        whole = max(firm) / max(left + right, 1e-6)
        left, right = (round(STANDING_SHARES * whole * w) / STANDING_SHARES for w in (left, right))
        weights = (left, right)
        tracked = (max(1.0 - STANDING_RELEASE * left, 0.0), max(1.0 - STANDING_RELEASE * right, 0.0))
        torque = fit.assembled(tracking, weights, tracked)
        torque = fit.steadied(state, torque, weights, BOTH, self._planted)
        ahead, aside = self._standing_acceleration(state, heading, com, velocity)
        force = self.character.mass * min(max(ahead, -STANDING_PUSH), STANDING_PUSH)
        for leg, weight in zip(self._legs, weights, strict=True):
            push = -weight * force * (com[2] - float(state.origins[leg.foot, 2]))
            torque[leg.foot] += (-s * push, c * push, 0.0)
        push = self.character.mass * min(max(aside, -STANDING_SWAY), STANDING_SWAY)
        self._feet.sway(torque, state, heading, push, weights)
        self._footing.limit(
            torque, state, NO_FORCE, weights, self._feet.loads, False, STANDING_EDGE, fit.hip_limit, command.turn
        )
        return torque

    def _standing_acceleration(
        self, state: BodyState, heading: float, com: Vector, velocity: Vector
    ) -> tuple[float, float]:
        """Return the acceleration, m/s2, ahead and to the left, to where the centre of mass should be."""
        standing = self._fit.gait.standing
        kp, kd = standing.gain, standing.damping
        onto = LEFT if self.mode == "shift" else None
        ax, ay = self._feet.acceleration(state, onto, kp, kd, com, velocity)
        c, s = math.cos(heading), math.sin(heading)
        return ax * c + ay * s, -ax * s + ay * c


def _turned(roll: float, pitch: float, yaw: float) -> Array:
    """Return the matrix Rz(yaw) Ry(pitch) Rx(roll) (3, 3)."""
    cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    rows = (
        cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,
        sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,
        -sp, cp * sr, cp * cr,
    )  # fmt: skip
    return np.array(rows).reshape(3, 3)  # faster than of rows
