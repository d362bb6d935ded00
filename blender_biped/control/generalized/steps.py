"""One step after another: when each begins, when the foot behind lifts, and when the step ends."""

from __future__ import annotations

from ...base.spatial import Array
from ...world.floor import Floor
from ...world.obstacles import Crossed
from ..shared.contacts import ContactLog
from ..shared.controlled_body import ControlledBody
from ..shared.instant import Instant
from ..shared.legs import LEFT
from ..shared.root_torque import Pair
from ..shared.standing import Feet
from ..shared.state import BodyState
from .crossing import Crossing
from .fitted import FittedSettings
from .motion_generator import MotionGenerator
from .settings import Settings
from .speed_bias import SpeedBias
from .step_clock import StepClock
from .swing_leg import SwingLeg
from .uneven_ground import LevelGround

LIFT_LOAD = 0.04  # share of the body's weight under which a trailing foot counts as lifted
STRIKE_LOAD = 0.05  # share of the body's weight over which a swing foot counts as landed
EARLIEST_STRIKE = 0.75  # phase before which a touch of the swing foot is a scuff
UNLEARNT = 2  # steps of a walk from which no speed is learnt
HEEL_ROCKER = 0.2  # phase until which the foot is let down from its heel


class Steps:
    """The steps of one walk: stance leg, phase, and the leg that trails and then swings."""

    def __init__(
        self, body: ControlledBody, settings: FittedSettings, feet: Feet, ground: LevelGround, floor: Floor,
        hurdles: tuple[Crossed, ...],
    ) -> None:  # fmt: skip
        """feet: as they are loaded. ground: as the walk feels it. hurdles: what is to be stepped over."""
        s, fit, legs = settings.now, settings.fit, body.legs
        self.stance = LEFT
        self.clock = StepClock(fit.step_time(s, 0.0))
        self.contacts = ContactLog(body.weight)
        self.generator = MotionGenerator(body.character, s.style, legs, s.style_speed)
        self.swing_leg = SwingLeg(
            s, legs, body.character.leg_length, body.gravity, body.step, floor, fit.clearance, fit.unlike_people
        )
        self.crossing = self.swing_leg.crossing = Crossing(hurdles, legs)
        self.speed_bias = SpeedBias(s.speed_integral, s.speed_bias_limit)
        self._fit, self._settings, self._feet, self._ground = fit, settings, feet, ground
        self._step, self._weight, self._legs = body.step, body.weight, legs

    @property
    def trails(self) -> bool:
        """Whether the leg behind is still on the ground, and pushes off."""
        return not self.swing_leg.swings

    @property
    def lands(self) -> bool:
        """Whether the foot in front may still be let down from its heel."""
        return self.clock.phase < HEEL_ROCKER

    @property
    def lifted(self) -> bool:
        """Whether the leg behind, which trails, has left the ground, or has to."""
        load = self._feet.loads[1 - self.stance]
        return load < LIFT_LOAD * self._weight or self.clock.phase > self._settings.now.latest_lift

    def follow(self, own: Settings) -> None:
        """Take settings that have changed along the walk."""
        self.swing_leg.settings = own
        self.speed_bias.gain, self.speed_bias.limit = own.speed_integral, own.speed_bias_limit
        self.generator.usual_speed = own.style_speed

    def begin(self, now: Instant, stance: int) -> None:
        """A step begins on a stance leg."""
        state, command = now.state, now.command
        self.stance = stance
        self._ground.begin_step(state, stance)
        self.swing_leg.land()
        time = self._fit.step_time(self._settings.now, command.speed) * self._ground.quick
        time = self.crossing.begin_step(state, command, stance, time)
        self.clock.begin(time)
        self.generator.begin_step(command.speed)
        self.speed_bias.begin(state.time, _place(state))

    def advance(self) -> None:
        """Move the phase on by a control step."""
        self.clock.advance(self._step)

    def lift(self, now: Instant) -> None:
        """Let the leg behind swing."""
        generator = self.generator
        self.swing_leg.lift(
            now.state, now.command, self.stance, self.clock.phase, generator.table(self.stance), generator.amplitude
        )
        self.contacts.lift(now.state.time, 1 - self.stance)

    def over(self, state: BodyState) -> bool:
        """Return whether the step is over: its foot has struck the ground, or should have long ago."""
        touched = self._feet.loads[1 - self.stance] > STRIKE_LOAD * self._weight
        struck = self.swing_leg.swings and self.clock.phase > EARLIEST_STRIKE and touched
        if struck:
            struck = self.crossing.is_down(state, self.stance)
        return struck or self.clock.phase > self._settings.now.late_strike

    def end(self, now: Instant) -> None:
        """The step ends with a strike of its foot; learn from the speed that it went at."""
        learn = len(self.contacts.strikes) > UNLEARNT
        self.speed_bias.end(now.state.time, _place(now.state), now.command, learn)
        self.contacts.strike(now.state.time, 1 - self.stance)

    def plan(self, now: Instant) -> None:
        """Set where the swing foot lands."""
        speed = now.command.speed + self.speed_bias.at(now.command.speed)
        self.swing_leg.plan(now, self.stance, self.clock, speed)

    def heading(self, now: Instant) -> float:
        """Return where the leg that trails or swings should point, rad."""
        return self.swing_leg.heading(now.state, now.command, self.stance, self.clock)

    def refer(self, reference: Array, now: Instant, heading: float) -> None:
        """Write the rows of the leg that trails or swings into ``reference`` (L, 3, 4). heading: of the leg, rad."""
        table = self.generator.table(self.stance)
        self.swing_leg.refer(reference, now.state, now.command, self.stance, heading, self.clock, table)


def _place(state: BodyState) -> Pair:
    return float(state.origins[0, 0]), float(state.origins[0, 1])
