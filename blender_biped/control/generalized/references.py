"""What each link shall do: the style's trajectories, bent for the ground and for what is above, and the swing leg's."""

from __future__ import annotations

from ...base.spatial import Array
from ..shared.controlled_body import ControlledBody
from ..shared.ducking import Ducking
from ..shared.frames import Frames
from ..shared.instant import Instant
from ..shared.legs import LEFT, RIGHT
from .ducking import duck
from .steps import Steps
from .uneven_ground import LevelGround


class References:
    """The reference orientations of a body's links, and in the last column their angular velocities (L, 3, 4)."""

    def __init__(self, body: ControlledBody, steps: Steps, ground: LevelGround, ducking: Ducking) -> None:
        """ground: as the walk feels it. ducking: how far it ducks now."""
        self._frames = Frames(len(body.character.links), 2)
        self._legs, self._steps, self._ground, self._ducking = body.legs, steps, ground, ducking

    def standing(self, now: Instant) -> Array:
        """Return those of a body that stands."""
        heading = now.command.heading
        self._frames.follow(now.state, now.command.turn, heading, heading)
        found = self._steps.generator.standing(self._frames)
        self._ground.stand(found, now.state)
        duck(self._ducking, found, self._legs)
        return found

    def walking(self, now: Instant) -> Array:
        """Return those of a body that steps."""
        steps, ground = self._steps, self._ground
        stance, clock, trailing = steps.stance, steps.clock, steps.trails
        heading = steps.heading(now)
        self._frames.follow(now.state, now.command.turn, now.command.heading, heading)
        found = steps.generator.walking(self._frames, stance, clock.phase, trailing, clock.step_time)
        landing = steps.swing_leg.landing_ground(stance, now.state)
        ground.bend(found, stance, clock.phase, landing, trailing)
        ground.follow(found, (LEFT, RIGHT) if trailing else (stance,))
        duck(self._ducking, found, self._legs if trailing else (self._legs[stance],))
        steps.refer(found, now, heading)
        return found
