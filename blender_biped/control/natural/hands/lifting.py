"""Phases of picking up, carrying and setting down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....base.curves import softly
from ....base.spatial import Array, yawed
from ...shared.state import BodyState
from .arms import ArmControl, DesiredLinks
from .phases import TIMING, WAYS, Approach, HandPhase, Timed, Withdraw, led, smooth, within
from .posture import Bent
from .tasks import HandTask, PickUp, SetDown
from .work import STRENGTH, Now, Work


@dataclass(frozen=True)
class CarryRules:
    """Where hands carry."""

    ahead: float = 0.26
    """m ahead of the shoulders at least."""
    below: float = 0.40
    """m below the shoulders at most."""
    highest: float = 0.12
    """m below the shoulders at least."""
    before: float = 0.15
    """m between the trunk's middle and what they carry."""
    over: float = 0.05
    """m that what is lifted is above what it stood on before it is brought nearer."""
    over_within: float = 0.25
    """Share of lifting in which it comes to be so high."""
    over_until: float = 0.5
    """Share of lifting from which that goes again."""


CARRIAGE = CarryRules()


class ToPickUp(Approach):
    """Hands go to a prop that they pick up."""

    def __init__(self, task: PickUp, work: Work, now: Now) -> None:
        work.put_to_work(task.sides, work.body.stooping)
        super().__init__(task, work, now, work.stooped_to(task, task.load, now))
        work.grip(task, 0.0)
        self._taken = task

    def there(self, now: Now) -> HandPhase:
        """Return that what they hold comes to bear on them."""
        self.work.load = self._taken.load
        self.work.grip(self._taken, STRENGTH)
        return TakeOn(self._taken, self.work, now)


class TakeOn(Timed):
    """What is held comes to bear on the hands before it is lifted: body and load come to be over the feet."""

    def __init__(self, task: PickUp, work: Work, now: Now) -> None:
        super().__init__(work, _bearing(work.load), work.bent.share)
        self._task, self._starts = task, work.palms(now.state)

    def step(self, now: Now) -> HandPhase:
        """Go on until all of it bears and the body is still, or has had its time."""
        self.work.loaded = smooth(self.done)[0]
        still = now.speed < TIMING.calm or self.time > self.seconds + TIMING.patience
        return Lift(self._task, self.work, self._starts, now) if self.done >= 1.0 and still else self

    def places(self, state: BodyState, heading: float) -> list[Array]:
        """Return where the hands have taken hold (3,), world, m."""
        return self._starts


class Lift(Timed):
    """The body rises with what its hands hold, and brings it to where they carry it."""

    def __init__(self, task: PickUp, work: Work, starts: Sequence[Array], now: Now) -> None:
        """starts: where the hands are as it begins (3,), world, m."""
        super().__init__(work, TIMING.lifting + TIMING.bending * work.bent.share, 0.0)
        turn, body = yawed(now.heading), work.body
        self._starts = starts
        self._apart = float([(place - starts[0]) @ turn for place in starts][-1][1])
        below = CARRIAGE.below
        if len(work.arms) > 1:  # thighs that swing would hit what is lower
            below = max(min(below, body.over_hips - body.clear - task.under), CARRIAGE.highest)
        self._carry = np.array((max(CARRIAGE.ahead, CARRIAGE.before + task.deep), 0.0, -below))
        risen = now.ground + body.shoulders_high + float(self._carry[2])  # where it is once the body is upright
        self._rises = [risen > float(start[2]) for start in starts]

    def step(self, now: Now) -> HandPhase:
        """Go on until the body has been upright for a while."""
        return Carry(self.work) if self.done >= 1.0 and self.time > self.seconds + TIMING.settled else self

    def places(self, state: BodyState, heading: float) -> list[Array]:
        """Return where the hands shall be (3,), world, m."""
        done, ends = self.done, self._carrying(state, heading)
        over = CARRIAGE.over * softly(done, 0.0, CARRIAGE.over_within) * (1.0 - softly(done, CARRIAGE.over_until))
        high = np.array((0.0, 0.0, over))
        found = [led(a, b, done, up) + high for a, b, up in zip(self._starts, ends, self._rises, strict=True)]
        return within(self.work, found, self.work.shoulders(state), 1.0 - (1.0 - WAYS.easy) * done)

    def _carrying(self, state: BodyState, heading: float) -> list[Array]:
        """Return where hands carry (3,), world, m: before the shoulders' middle, or one before its own shoulder."""
        turn, shoulders = yawed(heading), self.work.shoulders(state)
        if len(shoulders) == 1:
            return [shoulders[0] + turn @ self._carry]
        middle = 0.5 * (shoulders[0] + shoulders[1]) + turn @ self._carry
        half = 0.5 * abs(self._apart)
        return [middle + turn @ (0.0, half, 0.0), middle - turn @ (0.0, half, 0.0)]


class Carry(HandPhase):
    """Hands carry something on, the arms as they were at last."""

    busy = False

    def advance(self, now: Now) -> HandPhase:
        """Stand upright."""
        self.work.bent = Bent()
        return self

    def lead(self, arms: ArmControl, posed: DesiredLinks) -> None:
        """Keep the arms as they were, by the chest."""
        arms.keep(self.work.arms, posed)


class ToSetDown(Approach):
    """Hands bring what they carry to where they set it down."""

    def __init__(self, task: SetDown, work: Work, now: Now) -> None:
        work.put_to_work(task.sides, work.body.stooping)
        super().__init__(task, work, now, work.stooped_to(task, task.load, now))

    def there(self, now: Now) -> HandPhase:
        """Return that what they hold comes to bear on what it stands on."""
        return Unload(self._task, self.work)

    def missed(self, now: Now) -> HandPhase:
        """Return the same where it is not quite there: it must not stay in the hands."""
        return self.there(now)


class Unload(Timed):
    """What is held comes to bear on what it stands on; then hands let go."""

    def __init__(self, task: HandTask, work: Work) -> None:
        super().__init__(work, _bearing(work.load), work.bent.share)
        self._task = task

    def step(self, now: Now) -> HandPhase:
        """Go on until nothing of it bears on the hands."""
        self.work.loaded = 1.0 - smooth(self.done)[0]
        if self.done < 1.0:
            return self
        self.work.load = 0.0
        self.work.let_go()
        return Withdraw(self.work, now)

    def places(self, state: BodyState, heading: float) -> list[Array]:
        """Return where the hands are as it lies there (3,), world, m."""
        return self._task.goals(self.work.props, heading)


def _bearing(load: float) -> float:
    """Return how long a load, kg, takes to come to bear, s."""
    return TIMING.bearing + TIMING.bearing_each * load
