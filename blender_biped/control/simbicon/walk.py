"""SIMBICON: simple biped locomotion control (Yin, Loken and van de Panne 2007).

A finite state machine (3.1, ``pose_graph``) gives every joint a desired angle; torso and swing thigh have theirs in the
heading frame, and the stance hip makes up the root torque (3.2, ``root_torque``); balance feedback on the distance and
velocity of the centre of mass from the stance ankle changes the swing hip, in both planes, and any other angle (3.3,
equation 1: ``feedback``); what trunk and arms need they may learn to give beforehand (6, ``anticipation``). One gait
follows another from state n to n + 1 (7.1); speed and direction are led by offsets of the swing hip (7.2, ``leading``).

Beyond the paper: torques are those of the end of the step (``stable_pd``) and held to what the ground can answer
(``ground``); while both feet bear, both hips make up the root torque, by their loads; it stands, sets off and stops as
generalized walking does (``standing``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...base.spatial import Array
from ...character.model import Character
from ..shared.contacts import BORNE, ContactLog
from ..shared.controller import Controller
from ..shared.cues import CueSchedule, GaitCue
from ..shared.frames import Frames
from ..shared.ground import ANKLES_ALONE, NO_FORCE, Bearing, Bounds, Ground
from ..shared.legs import LEFT, RIGHT, legs_of
from ..shared.pose_graph import Machine
from ..shared.root_torque import Pair, RootTorque
from ..shared.stand import FIRM, IN_AIR, Aim, planted_feet
from ..shared.standing import STANDING_ROLL, Feet, Mode, StandingMachine, Transitions, tracked_shares
from ..shared.state import BodyState
from ..shared.steering import Command, SteeringSettings
from .anticipation import Anticipation
from .feedback import balance_state
from .fitted import SHARES, FittedGait, FittedState
from .leading import Lead
from .physique import STEPS_APART
from .settings import Gait

Vector = tuple[float, float, float]

LANDING = 0.12  # s after a strike for which a foot may be let down from its heel
WALKING_EDGE = 0.6  # share of the sole within which the centre of pressure is held
LONGEST_SHIFT = 1.5  # s that shifting the weight may take before the first step begins anyway
ENDING_REACH = 8.0  # m from the path's end within which a lower speed means that it shall stop, not turn
STOP_SPEED = 0.4  # m/s under which a body that shall stop may stand
STOP_DISTANCE = 0.2  # m from the path's end at which it shall
STOP_MARGIN = 0.1  # share of the distance between the feet that a stop must be caught inside of either
PAUSE_BRAKING = 0.25  # m/s2 with which it slows down before a gait on both feet
STILL = 0.05  # m/s under which that begins
TURNING = 1.0  # rad/s at which it turns from one gait's direction to another's


class Simbicon(Controller):
    """One character's walk, one gait after another. Call ``torques`` once each control step."""

    def __init__(
        self, character: Character, cues: Sequence[GaitCue[Gait]], ending: Sequence[Gait], gravity: float, step: float,
        ground: float = 0.0, facing: float = 0.0, width: float = 0.0,
    ) -> None:  # fmt: skip
        """cues: gaits in the order of their times, at least one. ending: those through which it slows down to stop.

        character: of reference size (see ``similarity``). gravity: m/s2. step: s between calls. ground: height of the
        floor, m. facing: where it looks, rad to the left of where it goes. width: m by which its feet are set down
        farther apart. Raises DataError for an unknown angle.
        """
        self.character = character
        self._speed = 0.0
        self._legs = legs_of(character)
        self._step, self._weight = step, character.mass * gravity
        self._feet = Feet(character, self._legs, gravity, step, ground)
        self._contacts = ContactLog(self._weight)
        self.strikes, self.lifts = self._contacts.strikes, self._contacts.lifts
        self._standing_machine = StandingMachine(character, self._feet, gravity)
        self._footing = Ground(character, ANKLES_ALONE, self._legs, gravity, step)
        self._frames = Frames(len(character.links), 1)
        root_torque = RootTorque(character, self._legs)
        fitted: dict[int, FittedGait] = {}
        for gait in (*(cue.gait for cue in cues), *ending):
            if id(gait) not in fitted:
                fitted[id(gait)] = FittedGait(gait, character, self._legs, root_torque, step)
        self._cues = CueSchedule(
            [GaitCue(cue.time, fitted[id(cue.gait)], cue.steps, cue.speed, cue.place) for cue in cues]
        )
        self._ending, self._last_end = [fitted[id(gait)] for gait in ending], -1
        self._between = False  # it stands after a gait on both feet, and is to walk on
        self._pausing: float | None = None  # m/s, desired while it slows down to stand before a gait on both feet
        self._fit = self._cues.now.gait
        self._level = 0
        self._machine = Machine(self._fit.graph(0, LEFT))
        self._extra_facing, self._spread = -facing, 0.5 * width / character.leg_length
        self._travel = self._fit.gait.direction - facing  # of travel from where it faces, rad
        self._lead = Lead()

    @property
    def mode(self) -> Mode:
        """Whether it stands, shifts its weight, or walks."""
        return self._standing_machine.mode

    @property
    def stance(self) -> int:
        """The leg that it stands on."""
        return self._machine.stance

    @property
    def speed(self) -> float:
        """The speed of the centre of mass, m/s."""
        return self._speed

    @property
    def walking(self) -> bool:
        """Whether it steps."""
        return self._standing_machine.mode == "walk"

    @property
    def steering(self) -> SteeringSettings:
        """The settings of its steering now."""
        return self.gait.steering

    @property
    def resting(self) -> bool:
        """Whether it has walked and stands again."""
        waits = self._pausing is not None or self._between
        return self._standing_machine.mode == "stand" and bool(self.strikes) and not waits

    @property
    def can_rest(self) -> bool:
        """Whether it can slow down and stand at a path's end: a gait can that goes at any speed down to none."""
        last = self._ending[-1] if self._ending else self._cues.cues[-1].gait
        return last.gait.slowest <= 0.0

    @property
    def can_wait(self) -> bool:
        """Whether it can stand now and walk on afterwards, in the gait that it walks."""
        return self.gait.slowest <= 0.0 and self._last_end < 0

    @property
    def learnt(self) -> Pair:
        """The offsets of the swing hip, rad, forward and to the left, that leading has learnt."""
        return self._lead.learnt

    @property
    def facing(self) -> float:
        """Where it faces, rad to the left of where it travels."""
        return -self._travel

    @property
    def gait(self) -> Gait:
        """The gait that it walks now."""
        return self._fit.gait

    @property
    def anticipation(self) -> Anticipation | None:
        """What trunk and arms have learnt to be given beforehand in the gait that it walks now."""
        return self._fit.anticipation

    def desired_speed(self, speed: float) -> float:
        """Return the speed, m/s, to walk at for a commanded one: what its gait can do, or its cue says."""
        gait, physique = self.gait, self._fit.physique
        if self._pausing is not None:
            return max(self._pausing, gait.slowest)
        desired = (self._cues.now.speed or speed) * (physique.speed if physique else 1.0)
        return min(max(desired, gait.slowest), gait.fastest)

    def torques(self, state: BodyState, command: Command) -> Array:
        """Return the torque of each link's joint on it (L, 3), world axes, N m."""
        com, velocity = self._fit.tracker.centre_of_mass(state)
        u, v, w = velocity
        self._speed = math.sqrt(u * u + v * v + w * w)
        self._feet.feel(state)
        self._advance(state, command, com, velocity)
        heading = command.heading - self._travel
        if self.walking:
            return self._walking(state, command, heading, com, velocity)
        return self._standing(state, command, heading, com, velocity)

    # -- phases

    @property
    def _transitions(self) -> Transitions:
        standing, physique = self.gait.standing, self._fit.physique
        shift = standing.shift * (physique.shift if physique else 1.0)
        return Transitions(standing.settle, shift, LONGEST_SHIFT, STOP_DISTANCE, STOP_SPEED, 0.0, STOP_MARGIN)

    def _advance(self, state: BodyState, command: Command, com: Vector, velocity: Vector) -> None:
        heading, pausing = command.heading - self._travel, self._pausing is not None
        if self._pausing is not None:
            self._pausing = max(self._pausing - PAUSE_BRAKING * self._step, 0.0)
        if self.walking:
            self._advance_walk(state, command, heading, com, velocity)
            return
        # In a plane there is nothing to shift, and a hop is from both feet.
        at_once = self.character.hinged or self._machine.state.support != "stance"
        rules, rests = self._transitions, (self.resting and not command.onward) or pausing
        stance = self._standing_machine.set_off(
            state, heading, com, velocity, command.left, rules, rests, at_once
        )  # fmt: skip
        if stance is None and self._between and self.mode != "walk":  # it may land as a body that topples
            stance = self._feet.saving_stance(state, heading, com, velocity)
        if stance is None and pausing and self.mode == "stand":
            stance = self._begin_paused_gait(state, rules)
        if stance is not None:
            self.set_off(state, command, stance)

    def _begin_paused_gait(self, state: BodyState, rules: Transitions) -> int | None:
        """Go over to the gait on both feet that it has slowed down for, once it stands still; return its stance leg."""
        if self.speed >= STILL or state.time - self._standing_machine.since <= rules.settle_time:
            return None
        self._pausing = None
        self._take(self._cues.go_on())
        return LEFT

    def set_off(self, state: BodyState, command: Command, stance: int = LEFT) -> None:
        """Begin to walk now, on a stance leg."""
        self._standing_machine.enter("walk", state.time)
        self._between = False
        self._machine = Machine(self._fit.graph(0, stance), stance)
        self._lead.pause()
        if self._fit.anticipation:
            self._fit.anticipation.pause()
        self._begin_step(state, command)

    def _advance_walk(self, state: BodyState, command: Command, heading: float, com: Vector, velocity: Vector) -> None:
        self._contacts.feel(state.time, self._feet.loads)
        turn = math.remainder(self._fit.gait.direction + self._extra_facing - self._travel, 2.0 * math.pi)
        most = TURNING * self._step
        self._travel += min(max(turn, -most), most)
        machine, lead = self._machine, self._fit.gait.leading
        late = machine.step_time > lead.earliest * sum(s.dwell for s in machine.graph)
        contact = late and self._feet.loads[1 - machine.stance] > lead.contact * self._weight
        was = machine.index, machine.stance
        ended = contact
        if machine.state.until == "over":
            ended = self._feet.over(state, machine.stance, heading, com, velocity)
        machine.advance(self._step, ended)
        if (machine.index, machine.stance) == was:
            return
        stepped = machine.stance != was[1]
        if stepped:
            self._cues.steps += 1
            if self._stands(state, command, heading, com, velocity):
                return
        self._change_gait(state, command, stepped)
        if stepped and not self._between:
            self._begin_step(state, command)

    def _stands(self, state: BodyState, command: Command, heading: float, com: Vector, velocity: Vector) -> bool:
        """Go over to standing if it shall and can; return whether it has arrived."""
        rules = self._transitions
        arrives = command.left < rules.stop_distance
        if not arrives and self._pausing is None:
            return False
        speed = self._stopping_speed(state, heading, velocity)
        if not self._standing_machine.can_stand(state, heading, com, velocity, speed, rules):
            return False
        self._standing_machine.enter("stand", state.time)
        if arrives:
            self._pausing = None
        return arrives

    def _stopping_speed(self, state: BodyState, heading: float, velocity: Vector) -> float:
        """Return the speed, m/s, by which a stop is judged: feet farther apart than people's sway as much faster."""
        physique = self._fit.physique
        if physique is None or not physique.sways:
            return math.hypot(velocity[0], velocity[1])
        c, s = math.cos(heading), math.sin(heading)
        left, right = (state.origins[leg.foot] for leg in self._legs)
        apart = abs(float((left[1] - right[1]) * c - (left[0] - right[0]) * s))
        wider = max(apart / (STEPS_APART * self.character.leg_length), 1.0)
        return math.hypot(velocity[0] * c + velocity[1] * s, (velocity[1] * c - velocity[0] * s) / wider)

    def _change_gait(self, state: BodyState, command: Command, stepped: bool) -> None:
        """Go over to the gait that is due, into the state that would have come next (7.1).

        A gait on both feet is begun as from the start: the body slows down and stands before it. One that is gone
        through but some times begins with a step, and is ended whole. stepped: whether the stance leg changed.
        """
        fit = self._fit
        if self._ends(command):
            if command.speed < self.gait.slowest and self._last_end + 1 < len(self._ending):
                self._last_end += 1
                fit = self._ending[self._last_end]
        elif (due := self._cues.due(state.time, command.arc)) is not None:
            if due.gait.gait.on_both_feet and not self.gait.on_both_feet:
                if self._pausing is None:
                    self._pausing = command.speed
                return
            if due.gait.gait.passes and not stepped:
                return
            once = self.gait.on_both_feet and self.gait.passes
            fit = self._cues.go_on()
            if once and not fit.gait.on_both_feet:
                self._between = True
                self._standing_machine.enter("stand", state.time)
        if fit is self._fit:
            return
        self._take(fit)
        self._level = fit.gait.level_of(command.speed)
        machine = self._machine
        machine.graph = fit.graph(self._level, machine.stance)
        if machine.index >= len(machine.graph):
            machine.index = 0
            machine.stance = 1 - machine.stance
            machine.graph = fit.graph(self._level, machine.stance)

    def _ends(self, command: Command) -> bool:
        """Return whether it goes through the gaits that end its walk."""
        slowest, steering = self.gait.slowest, self.steering
        braking = max(slowest, self._speed) ** 2 / (2.0 * steering.braking)  # m
        near = command.speed < 0.999 * slowest and command.left < min(braking, ENDING_REACH)
        return self._last_end >= 0 or (bool(self._ending) and near)

    def _take(self, fit: FittedGait) -> None:
        self._fit = fit
        self._lead.forget()
        if fit.anticipation:
            fit.anticipation.pause()

    def _begin_step(self, state: BodyState, command: Command) -> None:
        """Take the graph for the speed that is desired now, and learn from the stride that ended."""
        x, y, _ = state.origins[0].tolist()
        self._fit.follow(state.time)
        gait = self._fit.gait
        self._lead.begin_step(state.time, (x, y), command, self._travel, gait.leading)
        self._level = gait.level_of(command.speed)
        self._machine.graph = self._fit.graph(self._level, self._machine.stance)

    # -- walking

    def _walking(self, state: BodyState, command: Command, heading: float, com: Vector, velocity: Vector) -> Array:
        machine, fit, loads = self._machine, self._fit, self._feet.loads
        if machine.state.support in ("planted", "alone"):
            rows = fit.state(self._level, machine.index, machine.stance).table.at(machine.phase)
            over = machine.stance if machine.state.support == "alone" else None
            alone = over is not None and machine.state.until != "over"
            aim = replace(self._aim(command, heading), onto=over, ankles=True, alone=alone)
            dwell = max(machine.state.dwell, self._step)
            return fit.stand.torques(state, self._feet, self._footing, aim, com, velocity, rows, dwell)
        both = machine.state.support == "both"
        fitted = fit.state(self._level, machine.index, machine.stance)
        self._frames.follow(state, command.turn, heading)
        bases, dwell = fit.bases[machine.stance], max(machine.state.dwell, self._step)
        reference = self._frames.reference(bases, fitted.table.at(machine.phase), dwell)
        places = balance_state(state, self._legs, machine.stance, both, heading, com, velocity)
        self._feed_back(reference, fitted, places)
        tracking = fit.tracker.torques(state, reference)
        if fit.anticipation:
            place = machine.index, machine.stance
            fit.anticipation.add(tracking, self._frames.matrices, state.time, place, machine.time, fit.gait.soft)
        if fit.physique and not both:
            self._carry(tracking, state, heading, com, fit.physique.carried)
        weights = bearing_shares(loads, self._weight, None if both else machine.stance, fit.gait.leading.sharing)
        tracked = tracked_shares(weights, 1.0)
        torque = fit.assembled(tracking, weights, tracked)
        planted = planted_feet(self._feet.now, self._weight, None if both else machine.stance)
        torque = fit.corrected(state, torque, weights, machine.stance, planted, machine.index)
        landing = state.time - self._contacts.last_strike < LANDING
        # A leg that swings is not held to the ground, though its foot may still touch it.
        bearing = weights if both else (1.0 - machine.stance, float(machine.stance))
        left, right = (b if load > BORNE * self._weight else 0.0 for b, load in zip(bearing, loads, strict=True))
        bounds = Bounds(WALKING_EDGE, fit.hip_limit, command.turn)
        self._footing.limit(torque, state, NO_FORCE, Bearing((left, right), loads, landing), bounds)
        return torque

    def _carry(self, tracking: Array, state: BodyState, heading: float, com: Vector, share: float) -> None:
        """Give the pelvis, in place, a share of the roll torque that carries the weight beside the stance hip.

        tracking (L, 3): N m, world. com: m. share: 0..1.
        """
        if share <= 0.0:
            return
        leg = self._legs[self._machine.stance]
        own = self.character.masses[leg.links]
        whole = self.character.mass
        x, y, _ = whole * np.array(com) - own @ state.coms[leg.links] - (whole - own.sum()) * state.origins[leg.thigh]
        c, s = math.cos(heading), math.sin(heading)
        roll = share * self._weight / whole * float(y * c - x * s)
        tracking[0] += (roll * c, roll * s, 0.0)

    def _feed_back(self, reference: Array, fitted: FittedState, places: tuple[Pair, Pair]) -> None:
        """Add the balance feedback (3.3) and what leads the walk (7.2) to ``reference`` (L, 3, 4), in place.

        places: d and v of equation 1.
        """
        stance, phase = self._machine.stance, self._machine.phase
        swing_thigh = self._legs[1 - stance].thigh
        bases, frames = self._fit.bases[stance], self._frames.matrices
        distance, velocity = places
        for link in fitted.links:
            angles = list(fitted.table.angle(phase, link))
            for row in fitted.feedback:
                if row.link == link:
                    angles[row.axis] += row.angle(phase, distance[row.lateral], velocity[row.lateral])
            if link == swing_thigh:
                forward, aside = self._lead.offset
                angles[1] += forward  # a hip that is bent less lets the body fall ahead
                angles[0] -= aside
                angles[0] += self._spread if stance == RIGHT else -self._spread
            np.matmul(frames[bases[link]], _turned(*angles), out=reference[link, :, :3])

    # -- standing

    def _standing(self, state: BodyState, command: Command, heading: float, com: Vector, velocity: Vector) -> Array:
        aim = self._aim(command, heading)
        return self._fit.stand.torques(state, self._feet, self._footing, aim, com, velocity)

    def _aim(self, command: Command, heading: float) -> Aim:
        standing, physique = self._fit.gait.standing, self._fit.physique
        aim = Aim(heading, command.turn, self._standing_machine.onto(), standing.gain, standing.damping)
        if physique and physique.sways:
            aim = replace(aim, braced=True, roll=STANDING_ROLL / physique.level)
        return aim


def bearing_shares(loads: Sequence[float], weight: float, stance: int | None, sharing: float) -> Pair:
    """Return how the hips (left, right) share the root torque, in steps of 1 / SHARES; IN_AIR where no foot bears.

    loads: under the feet, N. weight: of the body, N. stance: the leg that a state stands on; None for both alike.
    sharing: how much of the share that a loaded swing leg bears its hip takes.
    """
    firm = FIRM * weight
    left, right = (load if load > BORNE * weight else 0.0 for load in loads)
    if left + right <= 0.0:
        return IN_AIR
    if stance is not None and loads[stance] > firm:
        left, right = (left, sharing * right) if stance == LEFT else (sharing * left, right)
    bears = min((left + right) / firm, 1.0) / (left + right)  # no ground, nothing to push against
    return round(SHARES * bears * left) / SHARES, round(SHARES * bears * right) / SHARES


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
