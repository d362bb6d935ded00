"""SIMBICON: simple biped locomotion control (Yin, Loken and van de Panne 2007).

A finite state machine (3.1, ``pose_graph``) gives every joint a desired angle; torso and swing thigh have theirs in the
heading frame, and the stance hip makes up the root torque (3.2, ``root_torque``); balance feedback on the distance and
velocity of the centre of mass from the stance ankle changes the swing hip, in both planes, and any other angle (3.3,
equation 1: ``feedback``); what trunk and arms need they may learn to give beforehand (6, ``anticipation``). One gait
follows another from state n to n + 1 (7.1, ``gait_sequence``); speed and direction are led by offsets of the swing hip
(7.2, ``leading``). ``stepping`` and ``standing_phase`` make torques of that.

Beyond the paper: torques are those of the end of the step (``stable_pd``) and held to what the ground can answer
(``ground``); while both feet bear, both hips make up the root torque, by their loads; it stands, sets off and stops as
generalized walking does (``standing``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...base.spatial import Array
from ...character.model import Character
from ..shared.clock import ControlTime
from ..shared.contacts import ContactLog
from ..shared.controlled_body import ControlledBody
from ..shared.controller import Controller
from ..shared.cues import GaitCue
from ..shared.ground import ANKLES_ALONE, GroundReaction
from ..shared.instant import Instant
from ..shared.legs import LEFT
from ..shared.root_torque import Pair
from ..shared.standing import Feet, Mode
from ..shared.state import BodyState
from ..shared.steering import Command, SteeringSettings
from .anticipation import Anticipation
from .gait_sequence import GaitSequence
from .leading import Lead
from .settings import Gait
from .standing_phase import StandingPhase
from .stepping import GaitStepping

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
        self._body = body = ControlledBody(character, gravity, step)
        self._feet = Feet(character, body.legs, gravity, ControlTime.of(step), ground)
        self._contacts = ContactLog(body.weight)
        self.strikes, self.lifts = self._contacts.strikes, self._contacts.lifts
        self._gaits = GaitSequence(body, cues, ending)
        self._extra_facing = -facing
        self._travel = self.gait.direction - facing  # of travel from where it faces, rad
        self._lead = Lead()
        footing = GroundReaction(character, ANKLES_ALONE, body.legs, gravity, step)
        self._standing = StandingPhase(body, self._gaits, self._feet, footing)
        self._stepping = GaitStepping(body, self._gaits, self._feet, footing, self._contacts, self._lead, width)

    @property
    def mode(self) -> Mode:
        """Whether it stands, shifts its weight, or walks."""
        return self._standing.mode

    @property
    def stance(self) -> int:
        """The leg that it stands on."""
        return self._gaits.machine.stance

    @property
    def steering(self) -> SteeringSettings:
        """The settings of its steering now."""
        return self.gait.steering

    @property
    def resting(self) -> bool:
        """Whether it has walked and stands again."""
        return super().resting and self._gaits.pausing is None and not self._gaits.between

    @property
    def can_rest(self) -> bool:
        """Whether it can slow down and stand at a path's end: a gait can that goes at any speed down to none."""
        return self._gaits.can_rest

    @property
    def can_wait(self) -> bool:
        """Whether it can stand now and walk on afterwards, in the gait that it walks."""
        return self._gaits.can_wait

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
        return self._gaits.gait

    @property
    def anticipation(self) -> Anticipation | None:
        """What trunk and arms have learnt to be given beforehand in the gait that it walks now."""
        return self._gaits.fit.anticipation

    def desired_speed(self, speed: float) -> float:
        """Return the speed, m/s, to walk at for a commanded one: what its gait can do, or its cue says."""
        return self._gaits.desired_speed(speed)

    def torques(self, state: BodyState, command: Command) -> Array:
        """Return the torque of each link's joint on it (L, 3), world axes, N m."""
        com, velocity = self._gaits.fit.tracker.centre_of_mass(state)
        now = Instant(state, command, com, velocity)
        u, v, w = velocity
        self._speed = math.sqrt(u * u + v * v + w * w)
        self._feet.feel(state)
        self._advance(now)
        heading = command.heading - self._travel
        if self.walking:
            return self._stepping.torques(now, heading, self._standing.aim(now, heading))
        return self._standing.torques(now, heading)

    # -- phases

    def _advance(self, now: Instant) -> None:
        heading, pausing = now.command.heading - self._travel, self._gaits.pausing is not None
        self._gaits.brake(self._body.step)
        if self.walking:
            self._advance_walk(now, heading)
            return
        stance = self._standing.set_off(now, heading, (self.resting and not now.command.onward) or pausing)
        if stance is None and pausing and self.mode == "stand":
            stance = self._standing.begin_paused(now, self.speed)
            if stance is not None:
                self._lead.forget()
        if stance is not None:
            self._set_off(now, stance)

    def set_off(self, state: BodyState, command: Command, stance: int = LEFT) -> None:
        """Begin to walk now, on a stance leg."""
        com, velocity = self._gaits.fit.tracker.centre_of_mass(state)
        self._set_off(Instant(state, command, com, velocity), stance)

    def _set_off(self, now: Instant, stance: int) -> None:
        self._standing.enter("walk", now.state.time)
        self._gaits.set_off(stance)
        self._lead.pause()
        self._begin_step(now)

    def _advance_walk(self, now: Instant, heading: float) -> None:
        gaits, state = self._gaits, now.state
        self._contacts.feel(state.time, self._feet.loads)
        turn = math.remainder(gaits.gait.direction + self._extra_facing - self._travel, 2.0 * math.pi)
        most = TURNING * self._body.step
        self._travel += min(max(turn, -most), most)
        machine, lead = gaits.machine, gaits.gait.leading
        late = machine.step_time > lead.earliest * sum(s.dwell for s in machine.graph)
        contact = late and self._feet.loads[1 - machine.stance] > lead.contact * self._body.weight
        was = machine.index, machine.stance
        ended = contact
        if machine.state.until == "over":
            ended = self._feet.over(state, machine.stance, heading, now.com, now.velocity)
        machine.advance(self._body.step, ended)
        if (machine.index, machine.stance) == was:
            return
        stepped = machine.stance != was[1]
        if stepped:
            gaits.cues.steps += 1
            if self._standing.stop(now, heading):
                return
        if gaits.change(now, stepped, self._speed):
            self._lead.forget()
        if gaits.between:
            self._standing.enter("stand", state.time)
        elif stepped:
            self._begin_step(now)

    def _begin_step(self, now: Instant) -> None:
        """Take the graph for the speed that is desired now, and learn from the stride that ended."""
        x, y, _ = now.state.origins[0].tolist()
        self._gaits.fit.follow(now.state.time)
        self._lead.begin_step(now.state.time, (x, y), now.command, self._travel, self.gait.leading)
        self._gaits.begin_step(now)
