"""How a limit-cycle walk begins and ends: standing on both feet, by the gains that it walks with (``stand``).

No trials are made for it: what the feet bear and where the body would come to rest decide when it sets off, when it has
come to rest, and when a step must save it, so that a walk is replayed with its steps' perturbations alone.
"""

from __future__ import annotations

import math

from ...base.spatial import Array
from ...character.model import Character
from ..shared.clock import ControlTime
from ..shared.ground import ANKLES_ALONE, GroundReaction
from ..shared.legs import LEFT, RIGHT, legs_of
from ..shared.stand import Aim, Stand, standing_pose
from ..shared.standing import Feet, StandingMachine, Transitions, Vector
from ..shared.state import BodyState
from ..shared.steering import Command
from .posed import Fitted

KNEE, ELBOW = math.radians(5.0), math.radians(10.0)  # how far a standing body's are bent
GAIN, DAMPING = 40.0, 14.0  # 1/s2, 1/s: of the centre of mass over the feet
ABREAST = 0.5  # share of a sole's length by which one foot may be before the other where a walk ends
TRANSITIONS = Transitions(
    settle_time=0.5, shift_share=0.15, longest_shift=1.5, stop_distance=0.2, stop_speed=0.4, stop_load=0.05,
    stop_margin=0.1,
)  # fmt: skip


class Rest:
    """One character on both feet, before and after its walk."""

    def __init__(self, character: Character, gravity: float, step: float, ground: float, walking: bool) -> None:
        """gravity: m/s2. step: s between control steps. ground: height of the floor, m.

        walking: whether it begins so, and stands at the end alone. Raises DataError for a body without such legs.
        """
        self._character, self._step = character, step
        self._legs = legs_of(character)
        self._feet = Feet(character, self._legs, gravity, ControlTime.of(step), ground)
        self._machine = StandingMachine(character, self._feet, gravity)
        if walking:
            self._machine.enter("walk", 0.0)
        self._footing = GroundReaction(character, ANKLES_ALONE, self._legs, gravity, step)
        self._stands: dict[int, Stand] = {}
        self._heading: float | None = None  # rad, in which it has come to stand
        self._com: Vector = (0.0, 0.0, 0.0)
        self._velocity: Vector = (0.0, 0.0, 0.0)
        self._shares = character.masses / character.mass

    @property
    def walking(self) -> bool:
        """Whether it steps."""
        return self._machine.mode == "walk"

    @property
    def stands(self) -> bool:
        """Whether it stands, and no step is about to begin."""
        return self._machine.mode == "stand"

    def feel(self, state: BodyState) -> None:
        """Follow the body; call it once each control step."""
        self._feet.feel(state)
        x, y, z = (self._shares @ state.coms).tolist()
        u, v, w = (self._shares @ state.velocities).tolist()
        self._com, self._velocity = (x, y, z), (u, v, w)

    def set_off(self, state: BodyState, command: Command, heading: float, rests: bool) -> int | None:
        """Return the leg to stand on where a standing body must step now; None while it need not.

        heading: desired, rad. rests: whether it has walked, and stands for good: only toppling moves it then.
        """
        stance = self._machine.set_off(
            state, self._facing(heading), self._com, self._velocity, command.left, TRANSITIONS, rests
        )
        if stance is not None:
            self._machine.enter("walk", state.time)
            self._heading = None
        return stance

    def comes_to_rest(self, state: BodyState, command: Command, heading: float) -> bool:
        """Return whether a walking body that is at its path's end can stand now; it does from then on.

        heading: of its hips, rad.
        """
        if command.left >= TRANSITIONS.stop_distance:
            return False
        ahead, _ = self._feet.stopping_place(state, heading, self._com, self._velocity)
        sole = self._legs[LEFT].toe - self._legs[LEFT].heel
        if abs(ahead[LEFT] - ahead[RIGHT]) > ABREAST * sole:
            return False
        speed = math.hypot(self._velocity[0], self._velocity[1])
        if not self._machine.can_stand(state, heading, self._com, self._velocity, speed, TRANSITIONS):
            return False
        self._machine.enter("stand", state.time)
        self._heading = self._middle_of_feet(state)
        return True

    def torques(self, state: BodyState, fitted: Fitted, heading: float) -> Array:
        """Return the torque of each link's joint on it (L, 3), world axes, N m, of a body that stands."""
        aim = Aim(self._facing(heading), 0.0, self._machine.onto(), GAIN, DAMPING)
        stand = self._stands.get(id(fitted))
        if stand is None:
            pose = standing_pose(self._character, self._legs, KNEE, ELBOW)
            stand = Stand(self._character, self._legs, fitted.tracker, None, pose, self._step)
            self._stands[id(fitted)] = stand
        return stand.torques(state, self._feet, self._footing, aim, self._com, self._velocity)

    def _facing(self, heading: float) -> float:
        return heading if self._heading is None else self._heading

    def _middle_of_feet(self, state: BodyState) -> float:
        """Return where the feet point on average, rad: a body that stands so twists none of them."""
        left, right = (state.matrices[self._legs[side].foot] for side in (LEFT, RIGHT))
        return math.atan2(float(left[1, 0] + right[1, 0]), float(left[0, 0] + right[0, 0]))
