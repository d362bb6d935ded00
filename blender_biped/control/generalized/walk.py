"""Generalized biped walking control: Coros, Beaudoin and van de Panne 2010.

Four parts make one torque: a motion generator whose trajectories are tracked by PD control (3.1, ``motion_generator``
and ``tracking``), foot placement by an inverted pendulum (3.2, ``swing_leg``, ``swing`` and ``pendulum``), velocity
tuning by a virtual force on the centre of mass (3.3, ``virtual_force`` and ``balance``), and gravity compensation (3.4,
``tracking``); turning comes from the stance hip (3.5, ``root_torque``). Standing, starting and stopping follow section
5.1 (``standing``).

On ground that is not flat (``relief``, ``swing_leg``) feet follow its slope and are set down beside edges, the swing
foot clears what is ahead, and hips sink before a step down and rise after one up. The paper has steps up alone.

Beyond the paper: the leg behind pushes off, with its own trajectories, until its foot has unloaded, so that
there is a double support (``leg_shares``); knees and ankles of loaded legs are tracked relative to their parents; the
pendulum's force through the stance leg is compensated too; torques are those of the end of the step (``corrections``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...base.spatial import Array
from ...character.model import Character
from ...preset.keyed import Keyed
from ...preset.preset import Track
from ...world.course import CLEAR, Course
from ...world.floor import Floor
from ...world.terrain import Terrain
from ..shared.clock import step_policy
from ..shared.contacts import ContactLog
from ..shared.controller import Controller
from ..shared.ducking import Ducking
from ..shared.frames import Frames
from ..shared.ground import NO_FORCE, Ground, Hold
from ..shared.legs import LEFT, RIGHT, legs_of
from ..shared.root_torque import Pair, RootTorque
from ..shared.standing import (
    STANDING_RELEASE,
    Feet,
    Mode,
    StandingMachine,
    Transitions,
    release_roll,
    tracked_shares,
)
from ..shared.state import BodyState
from ..shared.steering import Command, SteeringSettings
from ..shared.tracking import Tracker
from .balance import Balance
from .corrections import Corrections
from .crossing import Crossing
from .ducking import duck
from .fitted import Fit
from .leg_shares import LegShares
from .motion_generator import MotionGenerator
from .relief import Relief
from .settings import Settings, read_settings
from .speed_bias import SpeedBias, share_of_full
from .step_clock import StepClock
from .swing_leg import SwingLeg
from .virtual_force import VirtualForce

Vector = tuple[float, float, float]

LIFT_LOAD = 0.04  # share of the body's weight under which a trailing foot counts as lifted
STRIKE_LOAD = 0.05  # share of the body's weight over which a swing foot counts as landed
EARLIEST_STRIKE = 0.75  # phase before which a touch of the swing foot is a scuff
HEEL_ROCKER = 0.2  # phase until which the foot is let down from its heel
WIDE_BRAKE = 8.0  # how much harder a turning thigh is braked where hips twice as wide twist the foot on the ground
USUAL_HIPS = 0.12  # of the leg: half the breadth of hips that the preset's torques are for
WALKING_EDGE, STANDING_EDGE = 0.4, 0.8  # share of the sole within which the centre of pressure is held
LONGEST_SHIFT = 2.0  # s that shifting the weight may take before the first step begins anyway
STOP_LOAD = 0.3  # share of the body's weight under either foot from which it can stand
STOP_MARGIN = 0.3  # share of the distance between the feet that a stop must be caught inside of either


@dataclass(frozen=True)
class Carrying:
    """What carries the body for a few control steps.

    torque (L, 3): joint torques, N m. ankles: what the virtual force needs of each ankle (3,), N m. aside: the force to
    the left, N, that standing hips make.
    """

    torque: Array
    ankles: Sequence[Vector]
    aside: float = 0.0


class GeneralizedWalk(Controller):
    """One character's walk. Call ``torques`` once each control step."""

    def __init__(
        self, character: Character, values: Mapping[str, Any], gravity: float, step: float, ground: float = 0.0,
        keyed: Mapping[str, Track] | None = None, terrain: Terrain | None = None,
        across: Course = CLEAR,
    ) -> None:  # fmt: skip
        """Take a preset's values. step: s between calls. ground: height of the floor, m. terrain: that is not level.

        across: what is to be stepped over and ducked under.

        character: of reference size (see ``similarity``). keyed: numbers that change along the walk. Raises DataError
        naming a wrong field.
        """
        self.character = character
        self._keyed, self._fit = Keyed(read_settings(values), keyed or {}), Fit(character)
        self._style: Settings = self._keyed.at(0.0)
        self.settings = self._fit.fitted(self._style)
        s, weight, legs = self.settings, character.mass * gravity, legs_of(character)
        self.stance = LEFT
        self.clock = StepClock(self._fit.step_time(s, 0.0))
        self._gravity, self._step, self._weight, self._legs = gravity, step, weight, legs
        # The stance hip carries the body, which is the farther from it the wider the hips are.
        hips = max(abs(float(character.offsets[leg.thigh][1])) for leg in legs)
        more = max(hips - USUAL_HIPS * character.leg_length, 0.0)
        self._wide = min(more / (USUAL_HIPS * character.leg_length), 1.0)

        self._contacts = ContactLog(weight)
        self.strikes, self.lifts = self._contacts.strikes, self._contacts.lifts
        self._feet = Feet(character, legs, gravity, step, ground)
        self._machine = StandingMachine(character, self._feet, gravity)
        self._transitions = Transitions(
            s.settle_time, self._fit.caught * s.shift_share, LONGEST_SHIFT, s.stop_distance, s.stop_speed,
            self._fit.caught * STOP_LOAD, self._fit.caught * STOP_MARGIN,
        )  # fmt: skip
        self._shares = LegShares(s.double_support, self._wide, weight)
        self._speed_bias = SpeedBias(s.speed_integral, s.speed_bias_limit)

        self._tracker = Tracker(character, s.gains)
        self._hip_limit = float(self._tracker.limit[legs[LEFT].thigh]) + weight * more
        self._root_torque = RootTorque(character, legs)
        self._hold = self._standing_hold = Hold(s.sole_share, s.grip, s.yaw_damping)
        if self._fit.unlike_people:  # a sole that neither lands nor pushes off is there to be used
            self._standing_hold = replace(self._hold, sole_share=max(s.sole_share, STANDING_EDGE))
        self._footing = Ground(character, self._hold, legs, gravity, step)
        self._frames = Frames(len(character.links), 2)
        self._generator = MotionGenerator(character, s.style, legs, s.style_speed)
        self._relief = None if terrain is None else Relief(Floor(ground, terrain), legs)
        self._swing_leg = SwingLeg(
            s, legs, character.leg_length, gravity, step, Floor(ground, terrain), self._fit.clearance,
            self._fit.unlike_people,
        )  # fmt: skip
        self._crossing = self._swing_leg.crossing = Crossing(across.hurdles, legs) if across.hurdles else None
        self._ducking = Ducking(across.lintels, character) if across.lintels else None
        self._corrections = Corrections(self._tracker, legs, self._root_torque, self._generator.upright, step)

        self._force = VirtualForce(s, character.mass, gravity)
        self._balance = Balance(character, s, legs, gravity, self._root_torque, self._footing, self._fit.wide)
        self._carrying = Carrying(np.zeros((len(character.links), 3)), NO_FORCE)
        self._plan_steps, self._plan_age = step_policy(step).plan_steps, 0
        self._planned_for: tuple[Mode, int, bool] | None = None

    @property
    def mode(self) -> Mode:
        """Whether it stands, shifts its weight, or walks."""
        return self._machine.mode

    @property
    def steering(self) -> SteeringSettings:
        """The settings of its steering now."""
        return self.settings.steering

    def torques(self, state: BodyState, command: Command) -> Array:
        """Return the torque of each link's joint on it (L, 3), world axes, N m."""
        com, velocity = self._tracker.centre_of_mass(state)
        if self._ducking is not None:
            command = self._ducking.command(command, state)
        if self._crossing is not None:
            command = self._crossing.command(command, state)
        u, v, w = velocity
        self._speed = math.sqrt(u * u + v * v + w * w)
        self._feet.feel(state)
        if self._relief is not None:
            self._feet.ground = self._swing_leg.under = self._relief.feel(state, command.heading, com, velocity)
        self._advance(state, command, com, velocity)
        walking = self.walking
        weights = self._weights(state, com)
        held = self._borne(weights) if self.resting and self._fit.unlike_people else weights
        tracked = tracked_shares(held, 1.0 if walking else STANDING_RELEASE)
        if self._is_due():
            self._plan(state, command, com, velocity, weights, tracked)
        normals = None if self._relief is None else self._relief.normals
        turning = self._footing.turning(state, self._feet.loads, normals)
        tracking = self._tracker.torques(state, self._reference(state, command), turning)
        if not walking:
            release_roll(tracking, command.heading)
        torque = self._root_torque.assembled(tracking, weights, tracked)
        alone = self.stance if walking and self._swing_leg.swings else None
        torque = self._corrections.corrected(state, torque, weights, alone)
        torque += self._carrying.torque
        if not walking:
            self._feet.sway(torque, state, command.heading, self._carrying.aside, weights)
        landing = walking and self.clock.phase < HEEL_ROCKER
        edge = WALKING_EDGE if walking else STANDING_EDGE
        self._footing.hold = self._standing_hold if self.resting else self._hold
        brake = 1.0 + self._wide * WIDE_BRAKE * share_of_full(command.speed)
        self._footing.limit(
            torque, state, self._carrying.ankles, weights, self._feet.loads, landing, edge, self._hip_limit,
            command.turn, brake, normals,
        )  # fmt: skip
        return torque

    # -- phases of the gait

    def _advance(self, state: BodyState, command: Command, com: Vector, velocity: Vector) -> None:
        """Move the phase on, and switch between standing, shifting the weight, and steps."""
        machine = self._machine
        if machine.mode == "walk":
            self._advance_step(state, command, com, velocity)
            return
        shifting = machine.mode == "shift"
        stance = machine.set_off(
            state, command.heading, com, velocity, command.left, self._transitions, self.resting and not command.onward
        )  # fmt: skip
        if stance is None:
            return
        machine.enter("walk", state.time)
        self._begin_step(state, command, stance)
        if shifting:
            self._lift(state, command)

    def _advance_step(self, state: BodyState, command: Command, com: Vector, velocity: Vector) -> None:
        self.clock.advance(self._step)
        load = self._feet.loads[1 - self.stance]
        if not self._swing_leg.swings:
            if self._can_stop(state, command, com, velocity):
                self._machine.enter("stand", state.time)
                self._shares.stop(self._feet.loads)
                return
            if load < LIFT_LOAD * self._weight or self.clock.phase > self.settings.latest_lift:
                self._lift(state, command)
        touched = load > STRIKE_LOAD * self._weight
        struck = self._swing_leg.swings and self.clock.phase > EARLIEST_STRIKE and touched
        if struck and self._crossing is not None:
            struck = self._crossing.is_down(state, self.stance)
        if struck or self.clock.phase > self.settings.late_strike:
            learn = len(self.strikes) > 2
            self._speed_bias.end(state.time, _place(state), command, learn)
            self._contacts.strike(state.time, 1 - self.stance)
            self._begin_step(state, command, 1 - self.stance)

    def _can_stop(self, state: BodyState, command: Command, com: Vector, velocity: Vector) -> bool:
        """Return whether it shall stop, and can stand on both feet now."""
        if command.left >= self._transitions.stop_distance:
            return False
        speed = min(self._speed_bias.step_speed, math.hypot(velocity[0], velocity[1]))
        return self._machine.can_stand(state, command.heading, com, velocity, speed, self._transitions)

    def _follow(self, time: float) -> None:
        """Take the settings of ``time``, s, where any of them is keyed."""
        style = self._keyed.at(time)
        if style is not self._style:
            self._style, own = style, self._fit.fitted(style)
            self.settings = self._swing_leg.settings = self._force.settings = self._balance.settings = own
            self._speed_bias.gain, self._speed_bias.limit = own.speed_integral, own.speed_bias_limit
            self._generator.usual_speed = own.style_speed

    def _begin_step(self, state: BodyState, command: Command, stance: int) -> None:
        self._follow(state.time)
        self.stance = stance
        if self._relief is not None:
            self._relief.begin_step(state, stance)
        self._swing_leg.land()
        quick = 1.0 if self._relief is None else self._relief.quick
        time = self._fit.step_time(self.settings, command.speed) * quick
        if self._crossing is not None:
            time = self._crossing.begin_step(state, command, stance, time)
        self.clock.begin(time)
        self._generator.begin_step(command.speed)
        self._speed_bias.begin(state.time, _place(state))

    def _lift(self, state: BodyState, command: Command) -> None:
        generator = self._generator
        self._swing_leg.lift(
            state, command, self.stance, self.clock.phase, generator.table(self.stance), generator.amplitude
        )
        self._contacts.lift(state.time, 1 - self.stance)

    # -- what carries it, and what each link shall do

    def _weights(self, state: BodyState, com: Vector) -> Pair:
        """Return how the legs (left, right) share the body's weight, the root torque and the virtual force."""
        if self.walking:
            trailing, place = not self._swing_leg.swings, 0.0
            if trailing and self._fit.unlike_people:  # whose leg behind bears on, where steps are short, till it lifts
                place = self._feet.shares(state, com)[self.stance]
            return self._shares.walking(self.stance, trailing, self.clock.phase, self._feet.loads, place)
        left, _ = self._feet.shares(state, com)
        return self._shares.standing(left, state.time - self._machine.since if self.resting else math.inf)

    def _borne(self, weights: Pair) -> Pair:
        """Return how far the ground holds each leg of a body that rests: by its share, and by its foot's load.

        A foot that is to bear and does not has nothing to push against: its leg would be held by neither foot nor hip.
        """
        left, right = self._feet.loads
        borne = max(left + right, LIFT_LOAD * self._weight)
        return min(weights[LEFT], left / borne), min(weights[RIGHT], right / borne)

    def _is_due(self) -> bool:
        """Return whether to plan anew: every few control steps, and when other legs carry."""
        now = self.mode, self.stance, self._swing_leg.swings
        self._plan_age += 1
        if self._plan_age < self._plan_steps and now == self._planned_for:
            return False
        self._plan_age, self._planned_for = 0, now
        return True

    def _plan(
        self, state: BodyState, command: Command, com: Vector, velocity: Vector, weights: Pair, tracked: Pair
    ) -> None:
        """Set what follows from the body as a whole, which moves slowly: what carries it and where it steps."""
        heading, aside = command.heading, 0.0
        if self.walking:
            px, py, pz = state.origins[self._legs[self.stance].foot].tolist()
            force = self._force.walking(heading, command.speed, self.stance, (px, py, pz), com, velocity)
        else:
            falling = 0.0
            if self._fit.unlike_people and self.resting:
                lean, _ = self._feet.lean(state, heading, com)
                falling = self._gravity * lean / max(com[2] - self._feet.ground, 0.1)
            force = self._force.standing(heading, self._standing_acceleration(state, com, velocity), falling)
            c, sn = math.cos(heading), math.sin(heading)
            aside = -force[0] * sn + force[1] * c
            force = (force[0] + aside * sn, force[1] - aside * c)
        gravity = self._tracker.gravity(state, self._gravity)
        rising = velocity[2] if self._relief is None else velocity[2] - self._relief.climb
        alone = abs(weights[LEFT] - weights[RIGHT]) if self.walking else 0.0
        torque, ankles = self._balance.carried(gravity, state, com, rising, force, weights, tracked, alone)
        self._carrying = Carrying(torque, ankles, aside)
        speed = command.speed + self._speed_bias.at(command.speed)
        self._swing_leg.plan(state, command, com, velocity, self.stance, self.clock, speed)

    def _standing_acceleration(self, state: BodyState, com: Vector, velocity: Vector) -> Pair:
        """Return the acceleration, world x, y, m/s2, that brings the centre of mass to where it should stand."""
        s = self.settings
        gain, damping = (s.stand_gain, s.stand_damping) if self.resting else (s.shift_gain, s.shift_damping)
        return self._feet.acceleration(state, self._machine.onto(), gain, damping, com, velocity)

    def _reference(self, state: BodyState, command: Command) -> Array:
        """Return the reference orientation and, in the last column, angular velocity of each link (L, 3, 4)."""
        frames, generator, clock, stance = self._frames, self._generator, self.clock, self.stance
        if not self.walking:
            frames.follow(state, command.turn, command.heading, command.heading)
            standing = generator.standing(frames)
            if self._relief is not None:
                self._relief.stand(standing, state)
            if self._ducking is not None:
                duck(self._ducking, standing, self._legs)
            return standing
        heading = self._swing_leg.heading(state, command, stance, clock)
        frames.follow(state, command.turn, command.heading, heading)
        trailing = not self._swing_leg.swings
        found = generator.walking(frames, stance, clock.phase, trailing, clock.step_time)
        if self._relief is not None:
            landing = self._swing_leg.landing_ground(stance, state)
            self._relief.bend(found, stance, clock.phase, landing, trailing)
            self._relief.follow(found, (LEFT, RIGHT) if trailing else (stance,))
        if self._ducking is not None:
            duck(self._ducking, found, self._legs if trailing else (self._legs[stance],))
        self._swing_leg.refer(found, state, command, stance, heading, clock, generator.table(stance))
        return found


def _place(state: BodyState) -> Pair:
    return float(state.origins[0, 0]), float(state.origins[0, 1])
