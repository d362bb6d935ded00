"""What the phases of hand tasks share: the body that does them, and what its hands hold now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....base.spatial import Array, quaternion_matrix, yawed
from ....character.model import Character
from ....character.reference import GRAVITY
from ...shared.arms import Arm, arms_of, palms
from ...shared.controller import Props
from ...shared.grips import Grip
from ...shared.legs import legs_of
from ...shared.state import BodyState
from .posture import Bending, Bent, Bow, leaning, stooping, towing
from .pressing import Moved, NothingMoved, Pushing
from .tasks import HandTask, Move, Taking

STRENGTH = 600.0
"""N that a hand holds at most."""


@dataclass(frozen=True)
class Clearance:
    """How far above the hips the underside of what is carried is at least."""

    level: float = 0.03
    """m, on level ground: thighs that swing would hit what is lower."""
    stairs: float = 0.1
    """m, where there are stairs."""


CLEARANCE = Clearance()


class WorkingBody:
    """What hands need to know of the body that they are of."""

    def __init__(self, character: Character, step: float, climbs: bool) -> None:
        """step: s between control steps. climbs: whether there are stairs."""
        self.character, self.step = character, step
        self.weight = character.mass * GRAVITY
        """N."""
        self.arms = {arm.side: arm for arm in arms_of(character) if arm}
        """Those that it has, by their sides."""
        self.legs = legs_of(character)
        self.bending, self.stooping = Bending(character, stooping(character)), stooping(character)
        standing = character.standing()[0]
        self.shoulders_high = min((float(standing[arm.upper, 2]) for arm in self.arms.values()), default=0.0)
        """Of the lower shoulder as it stands, m."""
        self.over_hips = self.shoulders_high - max(float(standing[leg.thigh, 2]) for leg in self.legs)
        """How far that is above the hips, m."""
        self.clear = CLEARANCE.stairs if climbs else CLEARANCE.level
        """m above the hips that the underside of what it carries is at least."""

    def bow_for(self, task: Move) -> Bow:
        """Return how it is bowed as it moves something over the ground."""
        return towing(self.character, task.sides[0]) if task.pushed.pulled else leaning(self.character)


@dataclass(frozen=True)
class Now:
    """What a phase knows of a control step.

    speed: of the centre of mass, m/s. middle: between the feet, world, m. heading: rad. ground: the height that the
    body stands on, m.
    """

    state: BodyState
    speed: float
    middle: complex
    heading: float
    ground: float


class Work:
    """What hands hold and how the body is bowed for them. Phases read it, and change it as they begin, go on and end.

    arms: those at work, () for none yet. bow, bent: how the body is bowed in full, and how far it is. grips: what hands
    hold or reach for. load, loaded: kg that they carry, and the share of it, 0..1, that bears on them. moved: what they
    move over the ground. props: where the props are.
    """

    def __init__(self, body: WorkingBody) -> None:
        self.body = body
        self.props: Props = lambda: np.zeros((0, 7))
        self.arms: tuple[Arm, ...] = ()
        self.bow, self.bent = body.stooping, Bent()
        self.grips: tuple[Grip, ...] = ()
        self.load = self.loaded = 0.0
        self.moved: Moved = NothingMoved()

    @property
    def holds(self) -> bool:
        """Whether hands hold something."""
        return any(grip.strength > 0.0 for grip in self.grips)

    def put_to_work(self, sides: Sequence[int], bow: Bow) -> None:
        """Let the arms of these sides work, the body bowed so."""
        self.arms, self.bow = tuple(self.body.arms[side] for side in sides if side in self.body.arms), bow

    def grip(self, task: Taking, strength: float) -> None:
        """Let the hands hold a prop with a strength, N; 0 to reach for it alone."""
        self.grips = tuple(_grip(arm, task, strength) for arm in self.arms)

    def let_go(self) -> None:
        """Let the hands hold nothing, but be no obstacle yet to what they held."""
        self.grips = tuple(replace(grip, strength=0.0) for grip in self.grips)

    def move(self, task: Move, now: Now) -> None:
        """Let the hands move a prop over the ground from now on, held where they have taken hold of it."""
        row = self.props()[task.prop]
        turn = quaternion_matrix(row[3:])
        points = tuple((palm - row[:3]) @ turn for palm in self.palms(now.state))
        pushed = replace(task.pushed, points=points)
        self.moved = Pushing(pushed, task.prop, self.body.weight, now.heading, row, self.body.step)

    def stooped_to(self, task: HandTask, load: float, now: Now) -> float:
        """Return the share, 0..1, by which the body stoops for its hands to reach what they shall. load: kg."""
        turn = yawed(now.heading)
        at = np.array((now.middle.real, now.middle.imag, now.ground))
        goals = [(goal - at) @ turn for goal in task.goals(self.props, now.heading)]
        return self.body.bending.reaching(self.arms, goals, load).share

    def palms(self, state: BodyState) -> list[Array]:
        """Return where the palms at work are (3,), world, m."""
        return palms(self.arms, state.origins, state.matrices)

    def shoulders(self, state: BodyState) -> list[Array]:
        """Return where their shoulders are (3,), world, m."""
        return [state.origins[arm.upper] for arm in self.arms]

    def laden(self, state: BodyState) -> tuple[BodyState, Array]:
        """Return the state, and masses (L,), kg, of a body whose hands are as heavy as what bears on them now."""
        masses = self.body.character.masses.copy()
        coms, velocities = state.coms.copy(), state.velocities.copy()
        more = self.load * self.loaded / max(len(self.arms), 1)
        for arm, place in zip(self.arms, self.palms(state), strict=True):
            link = arm.hand
            own = masses[link]
            moved = state.velocity_at(link, place)
            coms[link] = (own * coms[link] + more * place) / (own + more)
            velocities[link] = (own * velocities[link] + more * moved) / (own + more)
            masses[link] = own + more
        return replace(state, coms=coms, velocities=velocities), masses


def _grip(arm: Arm, task: Taking, strength: float) -> Grip:
    x, y, z = arm.held.tolist()
    turns = len(task.sides) == 1 and not task.moves
    return Grip(arm.hand, arm.links, task.prop, (x, y, z), strength, turns=turns, levels=not task.moves)
