"""A company to its motions: several bodies, stepped together, each with its own controller.

Those who may meet share one physics world; who keeps far from all others has one of its own, and walks there as alone,
bit for bit: the order in which contacts are solved depends on all that are in a world. All worlds have the scale of
the body with the shortest legs; each controller walks its own reference body in it, see ``Sized``, so that bodies of
other sizes are controlled as they are alone. Nobody looks out for the others: physics decides who gives way.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import numpy as np

from .base.errors import DataError
from .base.garbage import no_garbage_collection
from .check import check, check_length
from .company import Companion, Company, check_company
from .control.kind import Kind
from .job import Job
from .motion.motion import RATE, Motion
from .motion.recorded import Recorded
from .motion.similarity import Similarity, similarity
from .motion.watch import UNWATCHED, Progress, Watch
from .physics.body import Body
from .physics.engine import Engine
from .physics.sized import Units, in_units
from .physics.stage import Stage
from .walking import DEEP, Walking, engine_of, sample_steps

_PROGRESS_STEPS = 36
_ROOM = 6.0
"""Lengths of both bodies' legs between two paths whose walks cannot meet: nobody falls so far beside its own."""


def walked_together(company: Company, watch: Watch = UNWATCHED) -> list[Motion]:
    """Return the motions of a company, in its order, each from when its walk begins until all are over.

    A walk that has arrived stands on until then, one that fell lies; one that ends in mid-walk, as its job says, ends
    there, and its body stays as it is. watch: who follows them; of a company there are no parts.
    Raises DataError, which names the character, where the jobs cannot be walked in one world.
    """
    return [recorded.since(0) for recorded in recorded_together(company, watch)]


def recorded_together(company: Company, watch: Watch) -> list[Recorded]:
    """Return what comes of a company; see ``walked_together``."""
    began = time.process_time()
    check_company(company)
    with no_garbage_collection():
        first = min(one.start for one in company.companions)
        kinds = [_checked(one.job, one.start - first) for one in company.companions]
        plan = _plan(company, kinds)
        members = [_member(one, kind, plan, watch.folder) for one, kind in zip(company.companions, kinds, strict=True)]
        with ExitStack() as worlds:
            stages = []
            for group in _groups(members):
                stage = Stage(plan.step, max(member.kind.iterations for member in group))
                stages.append(worlds.enter_context(closing(stage)))
                for member in group:
                    member.enter(stage)
                _check_apart(stage, group, plan)
            _walk(stages, members, watch.progress)
    for member in members:
        member.recorded.cpu = (time.process_time() - began) / len(members)
    return [member.recorded for member in members]


@dataclass(frozen=True)
class _CompanyPlan:
    """How a company is stepped. world: its scale. per_sample: control steps to a motion's sample. first: start, s."""

    world: Similarity
    per_sample: int
    first: float

    @property
    def step(self) -> float:
        """Time between control steps, s, in the world's units."""
        return 1.0 / (RATE * self.world.time * self.per_sample)


def _checked(job: Job, begins: float) -> Kind:
    """Return the controller of a job that can be walked. Raises DataError, which names the character.

    begins: s after the first.
    """
    with _naming(job):
        check_length(job, begins)
        return check(job).kind


def _plan(company: Company, kinds: Sequence[Kind]) -> _CompanyPlan:
    jobs = [one.job for one in company.companions]
    smallest = min(jobs, key=lambda job: job.character.leg_length)
    return _CompanyPlan(
        similarity(smallest), max(map(_steps, jobs, kinds)), min(one.start for one in company.companions)
    )


def _steps(job: Job, kind: Kind) -> int:
    """Return how many control steps to a motion's sample a job has alone."""
    with _naming(job):
        return sample_steps(job, kind, similarity(job).time)


@dataclass
class _Member:
    """One of a company. start: control steps after the company's first.

    hold: keeps it still, in a step before its walk begins or after it has ended in mid-walk; None while it walks.
    gone: whether the physics has lost it, and it is no longer in the world.
    """

    job: Job
    kind: Kind
    walking: Walking
    units: Units
    start: int
    over: bool = False
    gone: bool = False
    hold: Callable[[], None] | None = None
    stage: Stage = field(init=False)
    engine: Engine = field(init=False)
    body: Body = field(init=False)

    @property
    def recorded(self) -> Recorded:
        """What is recorded of it."""
        self.walking.recorded.outcome = self.walking.outcome
        return self.walking.recorded

    @property
    def settled(self) -> bool:
        """Whether nothing more comes of it."""
        return self.over or self.gone

    def enter(self, stage: Stage) -> None:
        """Put it into the world, where it begins, still."""
        self.stage, self.engine = stage, engine_of(self.walking, self.kind, stage, self.units)
        self.body = in_units(self.engine, self.units)
        self.walking.begin(self.body)
        self._stay()

    def lower_arms(self) -> None:
        """Let it begin with its arms straight down."""
        self.walking.lower_arms()
        self._stay()

    def _stay(self) -> None:
        self.engine.state()
        self.hold = self.engine.held()

    def begin(self) -> None:
        """Let it walk from now on."""
        self.hold = None
        self.walking.begin(self.body)
        self.engine.time = 0.0


def _member(one: Companion, kind: Kind, plan: _CompanyPlan, folder: Path | None) -> _Member:
    own, world = similarity(one.job), plan.world
    units = Units(own.length / world.length, own.time / world.time, own.mass / world.mass)
    with _naming(one.job):
        walking = Walking(one.job, kind, folder, plan.per_sample, company=True, things=one.start == plan.first)
    return _Member(one.job, kind, walking, units, round((one.start - plan.first) * RATE * plan.per_sample))


def _groups(members: list[_Member]) -> list[list[_Member]]:
    """Return who shares a world with whom: all who may meet, and all where things can be moved."""
    groups: list[set[int]] = []
    for place, member in enumerate(members):
        met = [group for group in groups if any(_may_meet(member.job, members[other].job) for other in group)]
        groups = [*(group for group in groups if group not in met), {place}.union(*met)]
    return [[members[place] for place in sorted(group)] for group in groups]


def _may_meet(one: Job, other: Job) -> bool:
    """Return whether two walks may touch each other, or the same thing."""
    if one.world.loose:
        return True
    legs = one.character.leg_length + other.character.leg_length
    places = np.arange(0.0, one.path.length / one.path.laps, one.character.leg_length)
    return float(other.path.distance(one.path.position(places)).min()) < _ROOM * legs


@contextmanager
def _naming(job: Job) -> Iterator[None]:
    """Let a DataError name the character."""
    try:
        yield
    except DataError as error:
        raise DataError(f"{job.character.name!r}: {error}") from error


def _check_apart(stage: Stage, members: list[_Member], plan: _CompanyPlan) -> None:
    """Lower the arms of bodies that begin inside each other; raise DataError where that is not enough."""
    for one, other in combinations(members, 2):
        deep = -stage.distance(one.engine, other.engine)
        if deep > DEEP:
            one.lower_arms()
            other.lower_arms()
            deep = -stage.distance(one.engine, other.engine)
        if deep > DEEP:
            raise DataError(
                f"{one.job.character.name!r} and {other.job.character.name!r} begin {deep * plan.world.length:.2f} m "
                "inside each other: move the start of one's path away."
            )


def _walk(stages: list[Stage], members: list[_Member], progress: Progress) -> None:
    """Step all until each walk is over."""
    done = 0.0
    for count in itertools.count():
        acting = [member for member in members if _sensed(member, count)]
        for member in acting:
            member.walking.decide()  # which may try something on all bodies, that are then as they were
        for member in acting:
            member.over = member.walking.act()
            if member.over and member.walking.stays:
                member.hold = member.engine.held()
        if all(member.settled for member in members):
            return
        if count % _PROGRESS_STEPS == 0:
            shares = [1.0 if member.settled else _done(member, count) for member in members]
            done = max(done, sum(shares) / len(shares))  # one that had arrived may have to walk again
            progress(done)
        for member in acting:
            if member.hold is None:
                member.walking.disturb()
        for member in members:
            if member.hold is not None and not member.gone:
                member.hold()
        for stage in stages:
            stage.step()


def _sensed(member: _Member, count: int) -> bool:
    """Read the state of a member that walks; return whether it does."""
    if count == member.start:
        member.begin()
    if member.gone or member.hold is not None:
        return False
    if member.walking.sense(count - member.start):
        return True
    member.stage.leave(member.engine)
    member.gone = True
    return False


def _done(member: _Member, count: int) -> float:
    return member.walking.done if count >= member.start else 0.0
