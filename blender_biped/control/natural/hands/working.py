"""Hands that have something to do: one task after the other, each in phases (Coros 2010, section 5.4).

The body bows as far as its hands need, they go there, take hold of a prop or let go of it, and the body rises again.
Arms have desired joint angles by inverse kinematics, from where their shoulders are; what they hold is a mass at the
hands that hold it, to whatever computes torques.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ....base.spatial import Array
from ....character.model import Character
from ...shared import whole_body
from ...shared.controller import Props
from ...shared.grips import Grip
from ...shared.state import BodyState
from .arms import ArmControl, DesiredLinks
from .hands import Hands, NoHands
from .lifting import ToPickUp, ToSetDown
from .moving import ToHold, Yield
from .phases import TIMING, Free, HandPhase, ToTouch
from .tasks import HandTask, Leave, LeaveAtEnd, PickUp, PullTask, PushTask, Reach, SetDown
from .work import Now, Work, WorkingBody

SOON = 0.4
"""m of path before the place of a task from which a body that stands is there."""


FIRST: Mapping[type[HandTask], Callable[[Any, Work, Now], HandPhase]] = {
    Reach: ToTouch, PickUp: ToPickUp, SetDown: ToSetDown, PushTask: ToHold, PullTask: ToHold, Leave: Yield,
    LeaveAtEnd: Yield,
}  # fmt: skip
"""The phase that each task begins with."""


def hands_of(
    character: Character, tasks: Sequence[HandTask], ground: float, step: float, climbs: bool = False
) -> Hands:  # fmt: skip
    """Return the hands of a walk that does tasks on the way; see ``WorkingHands``."""
    return WorkingHands(character, tasks, ground, step, climbs) if tasks else NoHands(character)


class WorkingHands(Hands):
    """The hands of a walk that have something to do."""

    tasked = True

    def __init__(
        self, character: Character, tasks: Sequence[HandTask], ground: float, step: float, climbs: bool = False
    ) -> None:
        """ground: height of the floor, m. step: s between control steps. climbs: whether there are stairs."""
        body = WorkingBody(character, step, climbs)
        self.props: Props = lambda: np.zeros((0, 7))
        self.ground = ground
        self._left = list(tasks)
        self._work, self._arms = Work(body), ArmControl(body)
        self._phase: HandPhase = Free(self._work)
        self._since = 0.0  # s, since when it stands

    def due(self, arc: float) -> bool:
        """Return whether there is something to do at a place of the path, m, where it stands, or it is being done."""
        return self._phase.busy or bool(self._left and self._left[0].arc < arc + SOON)

    def feel(self, state: BodyState, standing: bool, speed: float, arc: float, middle: complex, heading: float) -> None:
        """Move on; call it once each control step; see ``Hands``."""
        self._work.props = self.props
        now = Now(state, speed, middle, heading, self.ground)
        if not standing:
            self._since = state.time
        if not self._phase.busy:
            self._phase = self._phase.advance(now)
            calm = state.time - self._since >= TIMING.settled and speed <= TIMING.calm
            if standing and self.due(arc) and (calm or self.pulling):
                task = self._left.pop(0)  # who stops with what it pulls leans: it lets that go at once
                if self._work.holds or not task.lets_go:  # else hands did not get to it
                    self._enter(FIRST[type(task)](task, self._work, now))
        if self._phase.busy and (standing or self.pulling):  # else a step keeps it up: it goes on once it stands again
            self._enter(self._phase.advance(now))

    def _enter(self, phase: HandPhase) -> None:
        if phase.busy and phase is not self._phase:
            self._arms.forget()
        self._phase = phase

    @property
    def grips(self) -> tuple[Grip, ...]:
        """What hands hold or reach for."""
        return self._work.grips

    @property
    def bears(self) -> bool:
        """Whether the body is to be weighed with its hands' load."""
        return bool(self._work.grips) and not self._work.moved.moves

    def laden(self, state: BodyState) -> tuple[BodyState, Array]:
        """Return the state, and masses (L,), kg, of a body whose hands are as heavy as what bears on them now."""
        return self._work.laden(state)

    @property
    def load(self) -> float:
        """What bears on the hands now, kg."""
        return self._work.load * self._work.loaded

    @property
    def ahead(self) -> float:
        """How far ahead of the middle of the feet a body is balanced that stands bowed with a load, m."""
        return self._work.body.bending.ahead(self._work.bent.share, self.load) if self.load else 0.0

    @property
    def moving(self) -> bool:
        """Whether hands push or pull something over the ground."""
        return self._work.moved.moves

    @property
    def pulling(self) -> bool:
        """Whether what they move is behind the body."""
        return self._work.moved.pulls

    def first_stance(self, otherwise: int) -> int:
        """Return the foot on which it sets off: that of the hand that pulls, ``otherwise`` where none does."""
        return self._work.arms[0].side if self.pulling else otherwise

    def press(self, state: BodyState, moving: complex, heading: float, speed: float) -> None:
        """Find what hands press now against what they move; see ``Hands``."""
        self._work.moved.press(self.props, self._work.shoulders(state), moving, heading, speed, self.ground)

    @property
    def shift(self) -> complex:
        """How much farther back the body counts as it leans against what it moves, world, m."""
        return self._work.moved.shift

    @property
    def fastest(self) -> float:
        """The speed, m/s, at which it walks at most with what it moves."""
        return self._work.moved.fastest

    def pulls(self) -> Sequence[whole_body.ExternalForce]:
        """Return how what they move presses back at the hands."""
        moved = self._work.moved
        if not moved.moves:
            return ()
        pressed = zip(self._work.arms, moved.places(self.props), moved.forces, strict=True)
        return [whole_body.ExternalForce(arm.hand, place, -force) for arm, place, force in pressed]

    @property
    def squats(self) -> float:
        """How far it has bowed down, 0..1, so that it cannot step."""
        return 0.0 if self._work.bow.steps else self._work.bent.share

    @property
    def sinking(self) -> float:
        """How fast the hips shall sink, m/s."""
        return self._work.bow.sinking(self._work.bent)

    def bend(self, rotations: Array, angular_velocities: Array, heading: float) -> float:
        """Lean trunk and head (L, 3, 3), (L, 3), in place; return by how much lower the hips shall be, m."""
        self._work.bow.lean(self._work.bent, rotations, angular_velocities, heading)
        return self._work.bow.lower(self._work.bent)

    def arms(self, state: BodyState, heading: float, rotations: Array, angular_velocities: Array, chest: int) -> None:
        """Fill in what arms with something to do do: orientations (L, 3, 3) and rates (L, 3), rad/s, in place."""
        self._phase.lead(self._arms, DesiredLinks(state, heading, rotations, angular_velocities, chest))
