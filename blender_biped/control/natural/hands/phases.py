"""Phases of hand tasks: what each begins with, where the hands are in it, and what ends it.

Phases that a new task needs go into a module of their own, and ``working.FIRST`` names the one that it begins with.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....base.curves import softly
from ....base.spatial import Array, yawed
from ...shared.arms import STRETCHED
from ...shared.state import BodyState
from .arms import ArmControl, DesiredLinks
from .posture import Bent
from .tasks import HandTask
from .work import Now, Work


@dataclass(frozen=True)
class HandTiming:
    """How long phases take."""

    settled: float = 0.3
    """s that the body is still before hands begin, and after they have lifted something."""
    calm: float = 0.06
    """m/s of the centre of mass at which it is still."""
    reaching: float = 1.0
    """s that hands take to where they go."""
    lifting: float = 0.9
    """s that they take back."""
    bending: float = 1.2
    """s that either takes longer as the body is bowed in full."""
    touching: float = 0.4
    """s that a hand stays where it touches."""
    bearing: float = 0.3
    """s in which what is held comes to bear on the hands, or no longer does."""
    bearing_each: float = 0.02
    """s more of that for each kg."""
    patience: float = 1.5
    """s that hands try to get there, and that a body with a load has to come to be still."""
    yielding: float = 1.2
    """s in which hands press less and less against what they moved, before they leave it."""
    arms: float = 0.4
    """s in which arms go over from how a walk swings them, and back."""


@dataclass(frozen=True)
class Ways:
    """How hands go where they go."""

    taking: float = 0.015
    """m from where it shall hold something from which a hand takes hold."""
    far: float = 0.06
    """m likewise, in the end at most."""
    aside: float = 0.07
    """m by which two hands come from outside, and one from above."""
    up_first: float = 0.35
    """Share of a way in which hands go straight up, or in whose end they go straight down."""
    aside_within: float = 0.3
    """Share of the way back in which hands go off to the sides, or up."""
    freed: float = 0.15
    """Share of the way back from which arms go over to how a walk swings them."""
    freeing: float = 0.3
    """Share of it that this takes longer than ``HandTiming.arms``."""
    easy: float = 0.88
    """Of a stretched arm to which hands that hold something go, but for where they take it and set it down."""


TIMING, WAYS = HandTiming(), Ways()


class HandPhase(ABC):
    """One phase."""

    busy: bool
    """Whether it is part of a task that is being done."""

    def __init__(self, work: Work) -> None:
        self.work = work

    @abstractmethod
    def advance(self, now: Now) -> HandPhase:
        """Go on by a control step; return the phase that follows, itself until it ends."""

    @abstractmethod
    def lead(self, arms: ArmControl, posed: DesiredLinks) -> None:
        """Let the arms do what they do in it."""


class Free(HandPhase):
    """Hands have nothing to do; arms swing as the style has them."""

    busy = False

    def advance(self, now: Now) -> HandPhase:
        """Stand upright."""
        self.work.bent = Bent()
        return self

    def lead(self, arms: ArmControl, posed: DesiredLinks) -> None:
        """Leave the arms as they are."""
        arms.forget()


class Timed(HandPhase):
    """A phase of a task, with a length. Meanwhile the body comes to be bowed by another share."""

    busy = True

    def __init__(self, work: Work, seconds: float, bend: float) -> None:
        """bend: the share, 0..1, that the body is bowed by in the end."""
        super().__init__(work)
        self.time, self.seconds = 0.0, seconds
        self._from, self._to = work.bent.share, bend

    @property
    def done(self) -> float:
        """The share of its length that has passed, 0..1."""
        return min(self.time / self.seconds, 1.0)

    def advance(self, now: Now) -> HandPhase:
        """Bow the body on, and do what the phase does."""
        self.time += self.work.body.step
        done = self.done
        share, slope = smooth(done)
        change = self._to - self._from
        self.work.bent = Bent(self._from + change * share, change * slope / self.seconds if done < 1.0 else 0.0)
        return self.step(now)

    @abstractmethod
    def step(self, now: Now) -> HandPhase:
        """Do what the phase does in a control step; return the phase that follows, itself until it ends."""

    @abstractmethod
    def places(self, state: BodyState, heading: float) -> list[Array]:
        """Return where the hands shall be (3,), world, m. heading: of the body, rad."""

    @property
    def led(self) -> float:
        """The share, 0..1, in which the hands' places decide about the arms, and not the style."""
        return 1.0

    def lead(self, arms: ArmControl, posed: DesiredLinks) -> None:
        """Lead the hands at work to their places, and the others to the knees of a body that stoops."""
        work = self.work
        if work.bent.share > 0.0 and not work.bow.steps:
            arms.rest(work.arms, work.bent.share, posed)
        places = self.places(posed.state, posed.heading)
        arms.lead(work.arms, places, 1.0 if work.holds else self.led, posed)


class Approach(Timed):
    """Hands go to where they shall be, and try to get there for a while; then comes what they do there."""

    def __init__(self, task: HandTask, work: Work, now: Now, bend: float) -> None:
        """bend: the share, 0..1, that the body is bowed by in the end. The arms at work are those of the task."""
        super().__init__(work, TIMING.reaching + TIMING.bending * abs(bend - work.bent.share), bend)
        turn, palms = yawed(now.heading), work.palms(now.state)
        self._task = task
        self._starts = [(place - own) @ turn for place, own in zip(palms, work.shoulders(now.state), strict=True)]
        goals = task.goals(work.props, now.heading)
        self._rises = [bool(b[2] > a[2]) for a, b in zip(palms, goals, strict=True)]
        self._led = 0.0

    @property
    def led(self) -> float:
        """The share, 0..1, in which the hands' places decide about the arms."""
        return self._led

    def step(self, now: Now) -> HandPhase:
        """Go on until the hands are there, or it has tried for long."""
        self._led = max(self._led, softly(self.time / TIMING.arms))
        if self.done < 1.0:
            return self
        goals, palms = self._task.goals(self.work.props, now.heading), self.work.palms(now.state)
        off = max(float(np.linalg.norm(a - b)) for a, b in zip(goals, palms, strict=True))
        if off > WAYS.taking and self.time - self.seconds <= TIMING.patience:
            return self
        return self.there(now) if off < WAYS.far else self.missed(now)

    @abstractmethod
    def there(self, now: Now) -> HandPhase:
        """Return the phase that follows where the hands have come to where they shall be."""

    def missed(self, now: Now) -> HandPhase:
        """Return the phase that follows where they have not: they let it be."""
        self.work.grips = ()
        return Withdraw(self.work, now)

    def places(self, state: BodyState, heading: float) -> list[Array]:
        """Return where the hands shall be (3,), world, m: what they hold up is led within reach of the arms."""
        turn, shoulders, done = yawed(heading), self.work.shoulders(state), self.done
        goals = self._task.goals(self.work.props, heading)
        away = 0.0 if self.work.holds else WAYS.aside * math.sin(math.pi * done)
        found = []
        for k, (start, goal) in enumerate(zip(self._starts, goals, strict=True)):
            own = shoulders[k] + turn @ start
            place = led(own, goal, done, self._rises[k])
            aside = (1.0 - 2.0 * self.work.arms[k].side) * away if len(goals) > 1 else 0.0
            found.append(place + turn @ (0.0, aside, away if len(goals) == 1 else 0.0))
        if not self.work.holds:
            return found
        return within(self.work, found, shoulders, WAYS.easy + (1.0 - WAYS.easy) * done)


class ToTouch(Approach):
    """Hands go to a place that they touch."""

    def __init__(self, task: HandTask, work: Work, now: Now) -> None:
        work.put_to_work(task.sides, work.body.stooping)
        super().__init__(task, work, now, work.stooped_to(task, 0.0, now))

    def there(self, now: Now) -> HandPhase:
        """Return that they touch it."""
        return Touch(self._task, self.work)


class Touch(Timed):
    """Hands stay where they touch."""

    def __init__(self, task: HandTask, work: Work) -> None:
        super().__init__(work, TIMING.touching, work.bent.share)
        self._task = task

    def step(self, now: Now) -> HandPhase:
        """Go on until it has been touched for a while."""
        return Withdraw(self.work, now) if self.done >= 1.0 else self

    def places(self, state: BodyState, heading: float) -> list[Array]:
        """Return where the hands touch (3,), world, m."""
        return self._task.goals(self.work.props, heading)


class Withdraw(Timed):
    """The body rises, and arms go back to how the walk has them."""

    def __init__(self, work: Work, now: Now) -> None:
        super().__init__(work, TIMING.lifting + TIMING.bending * work.bent.share, 0.0)
        self._starts, self._led = work.palms(now.state), 1.0

    @property
    def led(self) -> float:
        """The share, 0..1, in which the hands' places decide about the arms."""
        return self._led

    def step(self, now: Now) -> HandPhase:
        """Go on until the body is upright."""
        self._led = 1.0 - softly(self.done, WAYS.freed, WAYS.freed + TIMING.arms / self.seconds + WAYS.freeing)
        if self.done < 1.0:
            return self
        self.work.grips = ()
        return Free(self.work)

    def places(self, state: BodyState, heading: float) -> list[Array]:
        """Return where the hands shall be (3,), world, m: off to the sides, or up, from where they were."""
        turn, away = yawed(heading), WAYS.aside * softly(self.done, 0.0, WAYS.aside_within)
        arms, both = self.work.arms, len(self.work.arms) > 1
        return [
            place + turn @ (0.0, (1.0 - 2.0 * arm.side) * away if both else 0.0, 0.0 if both else away)
            for arm, place in zip(arms, self._starts, strict=True)
        ]


def smooth(share: float) -> tuple[float, float]:
    """Return a share, 0..1, as one of least jerk, and its slope."""
    s = share
    return s**3 * (10.0 - 15.0 * s + 6.0 * s * s), 30.0 * s * s * (1.0 - s) ** 2


def led(start: Array, end: Array, done: float, rises: bool) -> Array:
    """Return where a hand is on its way (3,): it goes up before it goes level, and down after that.

    rises: whether it goes up. Start and end move with the body, and which is higher may change on the way.
    """
    early = smooth(min(done / (1.0 - WAYS.up_first), 1.0))[0]
    late = smooth(max(done - WAYS.up_first, 0.0) / (1.0 - WAYS.up_first))[0]
    level, up = (late, early) if rises else (early, late)
    return np.asarray(start + (end - start) * (level, level, up))


def within(work: Work, places: Sequence[Array], shoulders: Sequence[Array], share: float) -> list[Array]:
    """Return places (3,), m, drawn near to the shoulders, level, where they are beyond a share of the arms.

    Hands that hold a load lead the body's bending by what arms let them: a stretched arm would pull the body down.
    """
    found = []
    for place, shoulder, arm in zip(places, shoulders, work.arms, strict=True):
        away, reach = place - shoulder, share * STRETCHED * arm.length
        level = math.hypot(away[0], away[1])
        allowed = math.sqrt(max(reach**2 - float(away[2]) ** 2, 0.0))
        near = min(allowed / max(level, 1e-9), 1.0)
        found.append(shoulder + away * (near, near, 1.0))
    return found
