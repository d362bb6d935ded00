"""Phases of pushing and pulling something over the ground."""

from __future__ import annotations

from ....base.spatial import Array
from ...shared.state import BodyState
from .arms import ArmControl, DesiredLinks
from .phases import TIMING, Approach, HandPhase, Timed, Withdraw, smooth
from .posture import Bent
from .pressing import NothingMoved
from .tasks import Leave, Move
from .work import STRENGTH, Now, Work

UPRIGHT, BOWED = 0.0, 1.0
"""Shares that a body is bowed by."""


class ToHold(Approach):
    """Hands go to a prop that they move over the ground, the body bowed in full."""

    def __init__(self, task: Move, work: Work, now: Now) -> None:
        work.put_to_work(task.sides, work.body.bow_for(task))
        super().__init__(task, work, now, BOWED)
        work.grip(task, 0.0)
        self._moved = task

    def there(self, now: Now) -> HandPhase:
        """Return that they hold it."""
        self.work.grip(self._moved, STRENGTH)
        self.work.move(self._moved, now)
        return Hold(self.work)


class HoldingPhase(Timed):
    """Hands are on what they move."""

    def places(self, state: BodyState, heading: float) -> list[Array]:
        """Return where the hands hold it (3,), world, m."""
        return self.work.moved.places(self.work.props)


class Hold(HoldingPhase):
    """Hands hold what they are about to move."""

    def __init__(self, work: Work) -> None:
        super().__init__(work, TIMING.touching, BOWED)

    def step(self, now: Now) -> HandPhase:
        """Go on until they have held it for a while."""
        return MoveOn(self.work) if self.done >= 1.0 else self


class MoveOn(HandPhase):
    """Hands move something over the ground; the body walks."""

    busy = False

    def advance(self, now: Now) -> HandPhase:
        """Lean against it in full."""
        self.work.bent = Bent(BOWED)
        return self

    def lead(self, arms: ArmControl, posed: DesiredLinks) -> None:
        """Keep the hands on it."""
        arms.lead(self.work.arms, self.work.moved.places(self.work.props), 1.0, posed)


class Yield(HoldingPhase):
    """Hands press less and less against what they moved; then they leave it."""

    def __init__(self, task: Leave, work: Work, now: Now) -> None:
        bend = UPRIGHT if work.moved.pulls else BOWED  # upright, it stands on by itself
        super().__init__(work, TIMING.yielding, bend)

    def step(self, now: Now) -> HandPhase:
        """Go on until they press nothing."""
        self.work.moved.strength = 1.0 - smooth(self.done)[0]
        if self.done < 1.0:
            return self
        self.work.moved = NothingMoved()
        self.work.let_go()
        return Withdraw(self.work, now)
