"""What a walk knows of its hands, and hands that have nothing to do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from ....base.spatial import Array
from ....character.model import Character
from ...shared.controller import Props
from ...shared.grips import Grip
from ...shared.state import BodyState
from ...shared.whole_body import ExternalForce


class Hands(Protocol):
    """The hands of one walk. Each control step: ``press`` or ``laden`` first, then ``feel``, then the others.

    Every answer of ``NoHands`` leaves the walk as it is, so nobody needs to ask whether there are hand tasks.
    """

    props: Props
    """Where the props are now; set before ``feel``."""
    ground: float
    """The height that the body stands on now, m; set before ``feel``."""

    @property
    def tasked(self) -> bool:
        """Whether there are hand tasks on the way: what the links shall do is found anew in each control step then."""

    def due(self, arc: float) -> bool:
        """Return whether there is something to do at a place of the path, m, where it stands, or it is being done."""

    def feel(self, state: BodyState, standing: bool, speed: float, arc: float, middle: complex, heading: float) -> None:
        """Move on; call it once each control step. standing: whether it stands, for good or for now.

        speed: of the centre of mass, m/s. arc: m along the path. middle: between the feet, world, m. heading: rad.
        """

    @property
    def grips(self) -> tuple[Grip, ...]:
        """What hands hold or reach for, for the engine; the same object until that changes."""

    # -- what is carried

    @property
    def bears(self) -> bool:
        """Whether the body is to be weighed with its hands' load: see ``laden``. Never while it moves something.

        Also true while the hands only reach for a prop, and as they leave it, with a load of nothing.
        """

    def laden(self, state: BodyState) -> tuple[BodyState, Array]:
        """Return the state, and masses (L,), kg, of a body whose hands are as heavy as what bears on them now."""

    @property
    def load(self) -> float:
        """What bears on the hands now, kg; 0.0 for nothing."""

    @property
    def ahead(self) -> float:
        """How far ahead of the middle of the feet a body is balanced that stands bent with a load, m."""

    # -- what is moved over the ground

    @property
    def moving(self) -> bool:
        """Whether hands push or pull something over the ground."""

    @property
    def burdened(self) -> bool:
        """Whether they carry, push or pull something, for which the body holds itself otherwise."""
        return self.moving or self.load > 0.0

    @property
    def pulling(self) -> bool:
        """Whether what they move is behind the body: it stands and walks leant ahead then."""

    def first_stance(self, otherwise: int) -> int:
        """Return the foot on which it sets off: that of the hand that pulls, ``otherwise`` where none does."""

    def press(self, state: BodyState, moving: complex, heading: float, speed: float) -> None:
        """Find what hands press now against what they move, if they do; call it once each control step.

        moving: the body's velocity, m/s. heading: rad. speed: commanded, m/s; 0.0 where it stands.
        """

    @property
    def shift(self) -> complex:
        """How much farther back the body counts as it leans against what it moves, world, m; 0j where it does not."""

    @property
    def fastest(self) -> float:
        """The speed, m/s, at which it walks at most with what it moves; infinite where it moves nothing."""

    def pulls(self) -> Sequence[ExternalForce]:
        """Return how what they move presses back at the hands, for the whole body's equations."""

    # -- how the body stands and what the arms do

    @property
    def squats(self) -> float:
        """How far it has bent down, 0..1: from there it cannot step. A body that leans to push can."""

    @property
    def sinking(self) -> float:
        """How fast the hips shall sink, m/s."""

    def bend(self, rotations: Array, angular_velocities: Array, heading: float) -> float:
        """Lean trunk and head (L, 3, 3), (L, 3), in place; return by how much lower the hips shall be, m."""

    def arms(self, state: BodyState, heading: float, rotations: Array, angular_velocities: Array, chest: int) -> None:
        """Fill in what arms with something to do do: orientations (L, 3, 3) and rates (L, 3), rad/s, in place.

        chest: the link that carries them.
        """


class NoHands(Hands):
    """Hands that have nothing to do: they swing as the style has them."""

    tasked = False
    grips: tuple[Grip, ...] = ()
    bears = moving = burdened = pulling = False
    load = ahead = squats = sinking = 0.0
    shift = 0j
    fastest = math.inf

    def __init__(self, character: Character) -> None:
        self._masses = character.masses
        self.props: Props = lambda: np.zeros((0, 7))
        self.ground = 0.0

    def due(self, arc: float) -> bool:
        """Return that there is nothing to do."""
        return False

    def feel(self, state: BodyState, standing: bool, speed: float, arc: float, middle: complex, heading: float) -> None:
        """Do nothing."""

    def laden(self, state: BodyState) -> tuple[BodyState, Array]:
        """Return the state itself, and the body's own masses (L,), kg."""
        return state, self._masses

    def first_stance(self, otherwise: int) -> int:
        """Return the foot that it sets off on without hands."""
        return otherwise

    def press(self, state: BodyState, moving: complex, heading: float, speed: float) -> None:
        """Press nothing."""

    def pulls(self) -> Sequence[ExternalForce]:
        """Return that nothing presses back."""
        return ()

    def bend(self, rotations: Array, angular_velocities: Array, heading: float) -> float:
        """Leave (L, 3, 3) and (L, 3) as they are; return that the hips are no lower, m."""
        return 0.0

    def arms(self, state: BodyState, heading: float, rotations: Array, angular_velocities: Array, chest: int) -> None:
        """Leave the arms, (L, 3, 3) and (L, 3), as they are."""
