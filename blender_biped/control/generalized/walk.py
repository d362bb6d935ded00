"""Generalized biped walking control: Coros, Beaudoin and van de Panne 2010.

Four parts make one torque: a motion generator whose trajectories are tracked by PD control (3.1, ``motion_generator``
and ``tracking``), foot placement by an inverted pendulum (3.2, ``swing_leg``, ``swing`` and ``pendulum``), velocity
tuning by a virtual force on the centre of mass (3.3, ``virtual_force`` and ``balance``), and gravity compensation (3.4,
``tracking``); turning comes from the stance hip (3.5, ``root_torque``). Standing, starting and stopping follow section
5.1 (``start_stop``). ``steps`` goes from one step to the next.

On ground that is not flat (``uneven_ground``, ``swing_leg``) feet follow its slope and are set down beside edges, the
swing foot clears what is ahead, and hips sink before a step down and rise after one up. The paper has steps up alone.

Beyond the paper: the leg behind pushes off, with its own trajectories, until its foot has unloaded, so that
there is a double support (``leg_shares``); knees and ankles of loaded legs are tracked relative to their parents; the
pendulum's force through the stance leg is compensated too; torques are those of the end of the step (``corrections``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ...base.spatial import Array
from ...character.model import Character
from ...preset.preset import Track
from ...world.floor import Floor
from ...world.obstacles import CLEAR, Obstacles
from ...world.terrain import Terrain
from ..shared.clock import ControlTime
from ..shared.controlled_body import ControlledBody
from ..shared.controller import Controller
from ..shared.ducking import Ducking
from ..shared.ground import Bearing
from ..shared.instant import Instant
from ..shared.legs import LEFT, RIGHT
from ..shared.root_torque import Pair, RootTorque
from ..shared.standing import STANDING_RELEASE, Feet, Mode, release_roll, tracked_shares
from ..shared.state import BodyState
from ..shared.steering import Command, SteeringSettings
from ..shared.tracking import Tracker
from .body_support import BodySupport
from .corrections import Corrections
from .fitted import Fit, FittedSettings
from .leg_shares import LegShares
from .references import References
from .sole_limits import SoleLimits
from .start_stop import StartStop
from .steps import LIFT_LOAD, Steps
from .uneven_ground import LevelGround, UnevenGround


class GeneralizedWalk(Controller):
    """One character's walk. Call ``torques`` once each control step."""

    def __init__(
        self, character: Character, values: Mapping[str, Any], gravity: float, step: float, ground: float = 0.0,
        keyed: Mapping[str, Track] | None = None, terrain: Terrain | None = None,
        across: Obstacles = CLEAR,
    ) -> None:  # fmt: skip
        """Take a preset's values. step: s between calls. ground: height of the floor, m. terrain: that is not level.

        across: what is to be stepped over and ducked under.

        character: of reference size (see ``similarity``). keyed: numbers that change along the walk. Raises DataError
        naming a wrong field.
        """
        self.character = character
        self._body = body = ControlledBody(character, gravity, step)
        legs, floor = body.legs, Floor(ground, terrain)
        self._settings = FittedSettings(values, keyed or {}, Fit(character))
        s = self._settings.now

        self._ground = LevelGround(floor) if terrain is None else UnevenGround(floor, legs)
        self._feet = Feet(character, legs, gravity, ControlTime.of(step), ground)
        self._standing = StartStop(body, self._settings, self._feet)
        self._steps = Steps(body, self._settings, self._feet, self._ground, floor, across.hurdles)
        self.strikes, self.lifts = self._steps.contacts.strikes, self._steps.contacts.lifts
        self._shares = LegShares(s.double_support, self._settings.fit.hips_wide, body.weight)

        self._tracker = Tracker(character, s.gains)
        self._root_torque = RootTorque(character, legs)
        self._soles = SoleLimits(body, self._settings, self._tracker)
        self._ducking = Ducking(across.beams, character)
        self._references = References(body, self._steps, self._ground, self._ducking)
        self._corrections = Corrections(self._tracker, legs, self._root_torque, self._steps.generator.upright, step)
        self._support = BodySupport(body, self._settings, self._tracker, self._root_torque, self._soles.ground)

    @property
    def mode(self) -> Mode:
        """Whether it stands, shifts its weight, or walks."""
        return self._standing.mode

    @property
    def stance(self) -> int:
        """The leg that it stands on in a step."""
        return self._steps.stance

    @property
    def steering(self) -> SteeringSettings:
        """The settings of its steering now."""
        return self._settings.now.steering

    def torques(self, state: BodyState, command: Command) -> Array:
        """Return the torque of each link's joint on it (L, 3), world axes, N m."""
        com, velocity = self._tracker.centre_of_mass(state)
        command = self._steps.crossing.command(self._ducking.command(command, state), state)
        now = Instant(state, command, com, velocity)
        u, v, w = velocity
        self._speed = math.sqrt(u * u + v * v + w * w)
        self._feet.feel(state)
        self._feet.ground = self._steps.swing_leg.under = self._ground.feel(now)
        self._advance(now)
        walking = self.walking
        weights = self._weights(now)
        held = self._borne(weights) if self.resting and self._settings.fit.unlike_people else weights
        tracked = tracked_shares(held, 1.0 if walking else STANDING_RELEASE)
        if self._support.is_due(self.mode, self.stance, self._steps.trails):
            self._plan(now, weights, tracked)
        bearing = Bearing(weights, self._feet.loads, walking and self._steps.lands, self._ground.normals)
        turning = self._soles.ground.turning(state, bearing.loads, bearing.normals)
        reference = self._references.walking(now) if walking else self._references.standing(now)
        tracking = self._tracker.torques(state, reference, turning)
        if not walking:
            release_roll(tracking, command.heading)
        torque = self._root_torque.assembled(tracking, weights, tracked)
        alone = self.stance if walking and not self._steps.trails else None
        torque = self._corrections.corrected(state, torque, weights, alone)
        torque += self._support.torque
        if not walking:
            self._feet.sway(torque, state, command.heading, self._support.aside, weights)
        self._soles.limit(torque, now, self._support.ankles, bearing, walking, self.resting)
        return torque

    # -- phases of the gait

    def _advance(self, now: Instant) -> None:
        """Move the phase on, and switch between standing, shifting the weight, and steps."""
        if self.walking:
            self._advance_step(now)
            return
        shifting = self.mode == "shift"
        stance = self._standing.set_off(now, self.resting and not now.command.onward)
        if stance is None:
            return
        self._begin_step(now, stance)
        if shifting:
            self._steps.lift(now)

    def _advance_step(self, now: Instant) -> None:
        steps = self._steps
        steps.advance()
        if steps.trails:
            if self._standing.stop(now, steps.speed_bias.step_speed):
                self._shares.stop(self._feet.loads)
                return
            if steps.lifted:
                steps.lift(now)
        if steps.over(now.state):
            steps.end(now)
            self._begin_step(now, 1 - steps.stance)

    def _begin_step(self, now: Instant, stance: int) -> None:
        if self._settings.follow(now.state.time):
            self._steps.follow(self._settings.now)
            self._support.follow(self._settings.now)
        self._steps.begin(now, stance)

    # -- what carries it

    def _weights(self, now: Instant) -> Pair:
        """Return how the legs (left, right) share the body's weight, the root torque and the virtual force."""
        if self.walking:
            trailing, place = self._steps.trails, 0.0
            if trailing and self._settings.fit.unlike_people:
                # whose leg behind bears on, where steps are short, till it lifts
                place = self._feet.shares(now.state, now.com)[self.stance]
            return self._shares.walking(self.stance, trailing, self._steps.clock.phase, self._feet.loads, place)
        left, _ = self._feet.shares(now.state, now.com)
        return self._shares.standing(left, now.state.time - self._standing.since if self.resting else math.inf)

    def _borne(self, weights: Pair) -> Pair:
        """Return how far the ground holds each leg of a body that rests: by its share, and by its foot's load.

        A foot that is to bear and does not has nothing to push against: its leg would be held by neither foot nor hip.
        """
        left, right = self._feet.loads
        borne = max(left + right, LIFT_LOAD * self._body.weight)
        return min(weights[LEFT], left / borne), min(weights[RIGHT], right / borne)

    def _plan(self, now: Instant, weights: Pair, tracked: Pair) -> None:
        """Set what follows from the body as a whole, which moves slowly: what carries it and where it steps."""
        if self.walking:
            self._support.walk(now, self.stance, self._ground.climb, weights, tracked)
        else:
            falling = self._standing.falling(now, self.resting)
            acceleration = self._standing.acceleration(now, self.resting)
            self._support.stand(now, acceleration, falling, self._ground.climb, weights, tracked)
        self._steps.plan(now)
