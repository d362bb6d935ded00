"""What hands do where a walk stands: reach, pick up, carry on, set down (Coros 2010, section 5.4).

One task after the other, each in phases: the body bends as far as its hands need, they go there, take hold of a
prop or let go of it, and the body rises again. Arms have desired joint angles by inverse kinematics, from where their
shoulders are; what they hold is a mass at the hands that hold it, to whatever computes torques.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....base.curves import softly
from ....base.spatial import Array, nearest_rotations, pitched, quaternion_matrix, yawed
from ....character.model import Character
from ....character.reference import GRAVITY
from ....world.targets import TAKING as TAKEN
from ...shared.arms import STRETCHED, Arm, arms_of, palms
from ...shared.controller import Props
from ...shared.grips import Grip
from ...shared.legs import legs_of
from ...shared.limb import turn_rate
from ...shared.state import BodyState
from ...shared.whole_body import Pull
from .hands import Hands, NoHands
from .moving import LEANS, Pushing, turned
from .planning import HandTask
from .posture import DEEPEST, LEFT_AXIS, Bending, leans

SETTLED, CALM = 0.3, 0.06  # s and m/s: so still it stands before hands begin
REACHING, BENDING = 1.0, 1.2  # s that hands take to where they go, and as many more as the body bends in full
LIFTING = 0.9  # s that they take back, and as many more as BENDING says
TOUCHING = 0.4  # s that a hand stays where it touches
LOADING = (0.3, 0.02)  # s, and more for each kg, in which what is held comes to bear on the hands, or no longer does
TAKING, FAR = 0.015, 0.06  # m from where it shall hold it from which a hand takes hold, and at most in the end
PATIENCE = 1.5  # s that it tries to get there
YIELDING = 1.2  # s in which hands press less and less against what was pushed, before they leave it
STRENGTH = 600.0  # N that a hand holds at most
ARMS = 0.4  # s in which arms go over from how a walk swings them, and back
FREE, ON_KNEE = (
    0.3,
    (0.05, 0.0, 0.09),
)  # share of bending from which a hand with nothing to do is at its knee, m from that
OUT = (0.2, 1.1)  # rad by which elbows point outwards, and more of it for hands above the shoulders: there is a shelf
ABOVE = (-0.15, 0.25)  # of the arm's length that hands are above the shoulders, from and to which that is so
ASIDE = 0.07  # m by which two hands come from outside, and one from above
UP_FIRST = 0.35  # of a way in which hands go straight up, or in whose end they go straight down
OVER = 0.05  # m that what is lifted is above what it stood on before it is brought nearer
EASY = 0.88  # of a stretched arm to which hands that hold something go, but for where they take it and set it down
CARRIED = (0.26, 0.40)  # m ahead of and below the shoulders where hands carry, at least and at most
BEFORE = 0.15  # m between the trunk's middle and what they carry
THIGHS, CLIMBING_THIGHS = 0.03, 0.1  # m above the hips that its underside is at least, and where there are stairs
HIGHEST = 0.12  # m below the shoulders that hands carry at most


@dataclass(frozen=True)
class Bent:
    """How a body stands bent. share: 0..1; rate: of it, 1/s."""

    share: float = 0.0
    rate: float = 0.0


class WorkingHands(Hands):
    """The hands of a walk that have something to do."""

    def __init__(
        self, character: Character, tasks: Sequence[HandTask], ground: float, step: float, climbs: bool = False
    ) -> None:
        """ground: height of the floor, m. step: s between control steps. climbs: whether there are stairs."""
        self._character, self._step = character, step
        self.ground = ground
        """The height that it stands on now, m."""
        self._left = list(tasks)
        self._arms, self._legs = arms_of(character), legs_of(character)
        self._bending, self._leans = Bending(character), leans(character)
        standing = character.standing()[0]
        shoulders = [float(standing[arm.upper, 2]) for arm in self._arms if arm is not None]
        self._clear = CLIMBING_THIGHS if climbs else THIGHS
        self._shoulders_high = min(shoulders, default=0.0)
        self._over_hips = self._shoulders_high - max(float(standing[leg.thigh, 2]) for leg in self._legs)
        self.props: Props = lambda: np.zeros((0, 7))
        self.grips: tuple[Grip, ...] = ()
        self.bent = Bent()
        self._phase = ""
        self._since, self._time, self._length = 0.0, 0.0, 1.0
        self._from, self._to = 0.0, 0.0
        self._task: HandTask | None = None
        self._starts: list[Array] = []
        self._rises: list[bool] = []
        self._share = 0.0  # of the arms that hands' places decide
        self._load, self._loaded = 0.0, 0.0  # kg, and how much of it bears
        self._sides: tuple[int, ...] = ()
        self._carried: list[tuple[Array, Array]] = []  # of each arm, by the chest
        self._last: dict[int, Array] = {}
        self._carry = np.zeros(3)
        self._apart = self._speed = 0.0
        self._weight, self._leans_ahead = character.mass * GRAVITY, leans(character, LEANS)
        self._over_ground = False
        self._turned: list[tuple[int, float]] = []
        self._pushing: Pushing | None = None
        """What hands move over the ground now."""

    @property
    def holds(self) -> bool:
        """Whether hands hold something."""
        return any(grip.strength > 0.0 for grip in self.grips)

    @property
    def tasked(self) -> bool:
        """Whether there are hand tasks on the way."""
        return True

    @property
    def bears(self) -> bool:
        """Whether the body is to be weighed with what its hands hold."""
        return bool(self.grips) and self._pushing is None

    @property
    def moving(self) -> bool:
        """Whether hands push or pull something over the ground."""
        return self._pushing is not None

    @property
    def pulling(self) -> bool:
        """Whether what they move is behind the body."""
        return self._pushing is not None and self._pushing.pulls

    def first_stance(self, otherwise: int) -> int:
        """Return the foot on which it sets off: that of the hand that pulls, ``otherwise`` where none does."""
        return self._sides[0] if self.pulling else otherwise

    @property
    def load(self) -> float:
        """What bears on the hands now, kg."""
        return self._load * self._loaded

    @property
    def ahead(self) -> float:
        """How far ahead of the middle of the feet a body is balanced that stands bent with a load, m."""
        return self._bending.ahead(self.bent.share, self.load) if self.load else 0.0

    def due(self, arc: float) -> bool:
        """Return whether there is something to do at a place of the path, m, where it stands."""
        return self._task is not None or bool(self._left and self._left[0].arc < arc + 0.4)

    # -- one task after the other

    def feel(self, state: BodyState, standing: bool, speed: float, arc: float, middle: complex, heading: float) -> None:
        """Move on; call it once each control step. standing: whether it stands, for good or for now.

        speed: of the centre of mass, m/s. arc: m along the path. middle: between the feet, world, m. heading: rad.
        """
        step, self._speed = self._step, speed
        if not standing:
            self._since = state.time
        if self._task is None:
            self.bent = Bent(1.0) if self._pushing is not None else Bent()
            calm = state.time - self._since >= SETTLED and speed <= CALM
            if not standing or not self.due(arc) or not (calm or self.pulling):
                return  # who stops with what it pulls leans: it lets that go at once
            task = self._left.pop(0)
            if task.target.act == "set_down" and not self.holds:  # hands did not get to it
                return
            self._task = task
            self._begin_reach(state, middle, heading)
        if not standing and not self.pulling:  # a step keeps it up: it goes on once it stands again
            return
        self._time += step
        done = min(self._time / self._length, 1.0)
        share, slope = _smooth(done)
        change = self._to - self._from
        self.bent = Bent(self._from + change * share, change * slope / self._length if done < 1.0 else 0.0)
        getattr(self, f"_{self._phase}")(state, done, heading)

    def _enter(self, phase: str, length: float, bend: float) -> None:
        self._phase, self._time, self._length = phase, 0.0, length
        self._from, self._to = self.bent.share, bend
        self._last.clear()  # where hands are to be may jump by what they were off: no rate comes of that

    def _own_arms(self) -> list[Arm]:
        return [arm for side in self._sides if (arm := self._arms[side]) is not None]

    def _begin_reach(self, state: BodyState, middle: complex, heading: float) -> None:
        task = self._task
        assert task is not None
        if self._pushing is not None:
            self._enter("yield_to", YIELDING, 0.0 if self._pushing.pulls else 1.0)  # upright, it stands on by itself
            return
        if not self.holds:
            self._sides = task.sides
        self._over_ground = task.pushed is not None
        pulls = task.pushed is not None and task.pushed.pulled
        self._turned = turned(self._character, self._sides[0]) if pulls else []
        turn = yawed(heading)
        at = np.array((middle.real, middle.imag, self.ground))
        goals = [(goal - at) @ turn for goal in self._goals(heading)]
        reached = self._bending.reaching(self._own_arms(), goals, task.load) if task.pushed is None else None
        bend = reached.share if reached is not None else 1.0
        self._starts = self._by_shoulders(state, heading)
        now = palms(self._own_arms(), state.origins, state.matrices)
        self._rises = [bool(b[2] > a[2]) for a, b in zip(now, self._goals(heading), strict=True)]
        if task.thing >= 0 and not self.holds:
            self.grips = tuple(self._grip(arm, task, 0.0) for arm in self._own_arms())
        self._enter("reach", REACHING + BENDING * abs(bend - self.bent.share), bend)

    def _goals(self, heading: float) -> list[Array]:
        """Return where the hands shall be (3,), world, m."""
        task = self._task
        assert task is not None
        goals = [np.array(goal) for goal in task.goals]
        if task.target.act in TAKEN:
            row = self.props()[task.thing]
            turn = quaternion_matrix(row[3:])
            return [row[:3] + turn @ goal for goal in goals]
        if task.target.act == "set_down":
            return [np.array(task.target.place) + yawed(heading) @ goal for goal in goals]
        return goals

    def _reach(self, state: BodyState, done: float, heading: float) -> None:
        """Hands go to where they shall be; there they take hold, let go, or touch."""
        task = self._task
        assert task is not None
        self._share = max(self._share, softly(self._time / ARMS))
        if done < 1.0:
            return
        goals, now = self._goals(heading), palms(self._own_arms(), state.origins, state.matrices)
        off = max(float(np.linalg.norm(a - b)) for a, b in zip(goals, now, strict=True))
        late = self._time - self._length > PATIENCE
        if off > TAKING and not late:
            return
        if task.target.act == "pick_up" and off < FAR:
            self._load = task.load
            self.grips = tuple(self._grip(arm, task, STRENGTH) for arm in self._own_arms())
            self._starts = palms(self._own_arms(), state.origins, state.matrices)
            self._enter("take_on", self._bearing_time, self.bent.share)
            return
        if task.pushed is not None and off < FAR:
            self.grips = tuple(self._grip(arm, task, STRENGTH) for arm in self._own_arms())
            row = self.props()[task.thing]
            self._pushing = Pushing(task.pushed, self._weight, heading, row, self._step)
            self._enter("hold", TOUCHING, 1.0)
        elif task.target.act == "set_down":
            self._enter("unload", self._bearing_time, self.bent.share)
        elif task.target.act == "reach" and off < FAR:
            self._enter("touch", TOUCHING, self.bent.share)
        else:
            self.grips = ()
            self._leave_it(state)

    @property
    def _bearing_time(self) -> float:
        """How long what is held takes to come to bear, s."""
        return LOADING[0] + LOADING[1] * self._load

    def _take_on(self, state: BodyState, done: float, heading: float) -> None:
        """What is held comes to bear on the hands, before it is lifted: body and load come to be over the feet."""
        self._loaded = _smooth(done)[0]
        still = self._speed < CALM or self._time > self._length + PATIENCE
        if done >= 1.0 and still:
            self._rise(state, heading)

    def _unload(self, state: BodyState, done: float, heading: float) -> None:
        """What is held comes to bear on what it stands on; then hands let go."""
        self._loaded = 1.0 - _smooth(done)[0]
        if done >= 1.0:
            self._load = 0.0
            self.grips = tuple(replace(grip, strength=0.0) for grip in self.grips)
            self._leave_it(state)

    def _hold(self, state: BodyState, done: float, heading: float) -> None:
        if done >= 1.0:
            self._task = None

    def _yield_to(self, state: BodyState, done: float, heading: float) -> None:
        """Press less and less against what was moved over the ground; then leave it."""
        assert self._pushing is not None
        self._pushing.strength = 1.0 - _smooth(done)[0]
        if done < 1.0:
            return
        self._pushing = None
        self.grips = tuple(replace(grip, strength=0.0) for grip in self.grips)
        self._leave_it(state)

    def press(self, state: BodyState, moving: complex, heading: float, speed: float) -> None:
        """Find what hands press now against what they move; call it once each control step, see ``Pushing.press``."""
        if self._pushing is not None:
            (grip, *_), shoulders = self.grips, self._shoulders(state)
            self._pushing.press(self.props()[grip.thing], shoulders, moving, heading, speed, self.ground)

    @property
    def shift(self) -> complex:
        """How much farther back the body counts as it leans against what it moves, m."""
        return self._pushing.shift if self._pushing is not None else 0j

    @property
    def fastest(self) -> float:
        """The speed, m/s, at which it walks at most with what it moves."""
        return self._pushing.fastest if self._pushing is not None else math.inf

    def pulls(self) -> list[Pull]:
        """Return how what they move presses back at the hands."""
        if self._pushing is None:
            return []
        places = self._pushing.places(self.props()[self.grips[0].thing])
        forces = zip(self._own_arms(), places, self._pushing.forces, strict=True)
        return [Pull(arm.hand, place, -force) for arm, place, force in forces]

    def _touch(self, state: BodyState, done: float, heading: float) -> None:
        if done >= 1.0:
            self._leave_it(state)

    def _leave_it(self, state: BodyState) -> None:
        self._starts = palms(self._own_arms(), state.origins, state.matrices)
        self._enter("leave", LIFTING + BENDING * self.bent.share, 0.0)

    def _leave(self, state: BodyState, done: float, heading: float) -> None:
        """The body rises, and arms go back to how the walk has them."""
        self._share = 1.0 - softly(done, 0.15, 0.15 + ARMS / self._length + 0.3)
        if done >= 1.0:
            self._share, self._task, self.grips = 0.0, None, ()

    def _rise(self, state: BodyState, heading: float) -> None:
        """Begin to lift what is held."""
        turn = yawed(heading)
        places = [(place - self._starts[0]) @ turn for place in self._starts]
        self._apart = float(places[-1][1])
        assert self._task is not None
        ahead, below = CARRIED
        if len(self._sides) > 1:  # thighs that swing would hit what is lower
            below = max(min(below, self._over_hips - self._clear - self._task.under), HIGHEST)
        self._carry = np.array((max(ahead, BEFORE + self._task.deep), 0.0, -below))
        risen = self.ground + self._shoulders_high + float(self._carry[2])  # where it is once the body is upright
        self._rises = [risen > float(start[2]) for start in self._starts]
        self._enter("lift", LIFTING + BENDING * self.bent.share, 0.0)

    def _lift(self, state: BodyState, done: float, heading: float) -> None:
        if done >= 1.0 and self._time > self._length + SETTLED:
            self._task = None

    # -- what the arms do

    def _shoulders(self, state: BodyState) -> list[Array]:
        return [state.origins[arm.upper] for arm in self._own_arms()]

    def _by_shoulders(self, state: BodyState, heading: float) -> list[Array]:
        """Return where hands are (3,), m, from their shoulders, in the heading frame."""
        arms = self._own_arms()
        now = palms(arms, state.origins, state.matrices)
        return [(place - own) @ yawed(heading) for place, own in zip(now, self._shoulders(state), strict=True)]

    def _places(self, state: BodyState, heading: float) -> list[Array]:
        """Return where the hands shall be now (3,), world, m."""
        if self._pushing is not None:
            return self._pushing.places(self.props()[self.grips[0].thing])
        turn, shoulders = yawed(heading), self._shoulders(state)
        done = min(self._time / self._length, 1.0)
        if self._phase in ("reach", "unload", "touch"):
            goals = self._goals(heading)
            if self._phase != "reach":
                return goals
            away = 0.0 if self.holds else ASIDE * math.sin(math.pi * done)
            found = []
            for k, (start, goal) in enumerate(zip(self._starts, goals, strict=True)):
                own = shoulders[k] + turn @ start
                place = _led(own, goal, done, self._rises[k])
                aside = (1.0 - 2.0 * self._sides[k]) * away if len(goals) > 1 else 0.0
                found.append(place + turn @ (0.0, aside, away if len(goals) == 1 else 0.0))
            return self._within(found, shoulders, EASY + (1.0 - EASY) * done) if self.holds else found
        if self._phase == "take_on":
            return self._starts
        if self._phase == "lift":
            ends = self._carry_places(state, heading)
            over = np.array((0.0, 0.0, OVER * softly(done, 0.0, 0.25) * (1.0 - softly(done, 0.5))))
            found = [_led(a, b, done, up) + over for a, b, up in zip(self._starts, ends, self._rises, strict=True)]
            return self._within(found, shoulders, 1.0 - (1.0 - EASY) * done)
        if self._phase == "leave":
            away, both = ASIDE * softly(done, 0.0, 0.3), len(self._sides) > 1
            return [
                place + turn @ (0.0, (1.0 - 2.0 * side) * away if both else 0.0, 0.0 if both else away)
                for side, place in zip(self._sides, self._starts, strict=True)
            ]
        return self._carry_places(state, heading)

    def _within(self, places: Sequence[Array], shoulders: Sequence[Array], share: float) -> list[Array]:
        """Return places (3,), m, drawn near to the shoulders, level, where they are beyond a share of the arms.

        Hands that hold a load lead the body's bending by what arms let them: a stretched arm would pull the body down.
        """
        found = []
        for place, shoulder, arm in zip(places, shoulders, self._own_arms(), strict=True):
            away, reach = place - shoulder, share * STRETCHED * arm.length
            level = math.hypot(away[0], away[1])
            allowed = math.sqrt(max(reach**2 - float(away[2]) ** 2, 0.0))
            near = min(allowed / max(level, 1e-9), 1.0)
            found.append(shoulder + away * (near, near, 1.0))
        return found

    def _carry_places(self, state: BodyState, heading: float) -> list[Array]:
        """Return where hands carry (3,), world, m: before the shoulders' middle, or one before its own shoulder."""
        turn, shoulders = yawed(heading), self._shoulders(state)
        if len(shoulders) == 1:
            return [shoulders[0] + turn @ self._carry]
        middle = 0.5 * (shoulders[0] + shoulders[1]) + turn @ self._carry
        half = 0.5 * abs(self._apart)
        return [middle + turn @ (0.0, half, 0.0), middle - turn @ (0.0, half, 0.0)]

    def bend(self, turns: Array, spins: Array, heading: float) -> float:
        """Lean trunk and head (L, 3, 3), (L, 3), in place; return by how much lower the hips shall be, m."""
        if self.bent.share > 0.0 or self.bent.rate:
            facing = yawed(heading)
            for link, angle in self._leans_ahead if self._over_ground else self._leans:
                turns[link] = facing @ pitched(self.bent.share * angle) @ facing.T @ turns[link]
                spins[link] += facing[:, 1] * (self.bent.rate * angle)
            for link, angle in self._turned:
                turns[link] = yawed(self.bent.share * angle) @ turns[link]
                spins[link, 2] += self.bent.rate * angle
        return 0.0 if self._over_ground else self.bent.share * DEEPEST * self._character.leg_length

    @property
    def squats(self) -> float:
        """How far it has bent down, 0..1: from there it cannot step. A body that leans to push can."""
        return 0.0 if self._over_ground else self.bent.share

    @property
    def sinking(self) -> float:
        """How fast the hips shall sink, m/s."""
        return 0.0 if self._over_ground else self.bent.rate * DEEPEST * self._character.leg_length

    def _rest(self, state: BodyState, heading: float, turns: Array) -> None:
        """Lead hands with nothing to do to the knees of a body that bends, or they would hang down on the ground."""
        share = softly(self.bent.share / FREE)
        facing = yawed(heading)
        for arm, leg in zip(self._arms, self._legs, strict=True):
            if arm is None or self._over_ground or ((self._task is not None or self.holds) and arm.side in self._sides):
                continue
            knee = state.origins[leg.shin] + facing @ ON_KNEE
            upper, fore = arm.turns(state.origins[arm.upper], knee, facing @ LEFT_AXIS)
            for link, desired in ((arm.upper, upper), (arm.fore, fore), (arm.hand, fore)):
                turns[link] = nearest_rotations((1.0 - share) * turns[link] + share * desired)

    def arms(self, state: BodyState, heading: float, turns: Array, spins: Array, chest: int) -> None:
        """Fill in what arms with something to do do: orientations (L, 3, 3) and rates (L, 3), in place."""
        if self._task is None and not self.holds:
            self._last.clear()
            return
        facing = yawed(heading)
        if self.bent.share > 0.0:
            self._rest(state, heading, turns)
        axis = facing @ LEFT_AXIS
        own = self._own_arms()
        if self._task is None and self._pushing is None:  # carried on, as they were at last
            for arm, (upper, fore) in zip(own, self._carried, strict=True):
                turns[arm.upper], turns[arm.fore] = turns[chest] @ upper, turns[chest] @ fore
                turns[arm.hand] = turns[arm.fore]
                spins[list(arm.links)] = spins[chest]
            self._last.clear()
            return
        self._carried = []
        for arm, goal in zip(own, self._places(state, heading), strict=True):
            shoulder = state.origins[arm.upper]
            out = OUT[0] + OUT[1] * softly(float(goal[2] - shoulder[2]) / arm.length, *ABOVE)
            up = math.sin(out) * (1.0 - 2.0 * arm.side)
            upper, fore = arm.turns(shoulder, goal, math.cos(out) * axis + (0.0, 0.0, up))
            share = 1.0 if self.holds else self._share
            for link, desired in ((arm.upper, upper), (arm.fore, fore), (arm.hand, fore)):
                mixed = desired if share >= 1.0 else nearest_rotations((1.0 - share) * turns[link] + share * desired)
                last = self._last.get(link)
                turns[link] = mixed
                spins[link] = 0.0 if last is None else turn_rate(mixed, last, self._step)
                self._last[link] = mixed
            self._carried.append((turns[chest].T @ turns[arm.upper], turns[chest].T @ turns[arm.fore]))

    # -- what they hold

    def _grip(self, arm: Arm, task: HandTask, strength: float) -> Grip:
        x, y, z = arm.held.tolist()
        return Grip(
            arm.hand,
            arm.links,
            task.thing,
            (x, y, z),
            strength,
            turns=len(task.sides) == 1 and task.pushed is None,
            levels=task.pushed is None,
        )

    def laden(self, state: BodyState) -> tuple[BodyState, Array]:
        """Return the state, and masses (L,), kg, of a body whose hands are as heavy as what bears on them now."""
        masses = self._character.masses.copy()
        coms, velocities = state.coms.copy(), state.velocities.copy()
        arms = self._own_arms()
        more = self.load / len(arms)
        for arm, place in zip(arms, palms(arms, state.origins, state.matrices), strict=True):
            link = arm.hand
            own = masses[link]
            moved = velocities[link] + np.cross(state.spins[link], place - coms[link])
            coms[link] = (own * coms[link] + more * place) / (own + more)
            velocities[link] = (own * velocities[link] + more * moved) / (own + more)
            masses[link] = own + more
        return replace(state, coms=coms, velocities=velocities), masses


def hands_of(
    character: Character, tasks: Sequence[HandTask], ground: float, step: float, climbs: bool = False
) -> Hands:  # fmt: skip
    """Return the hands of a walk that does tasks on the way; see ``WorkingHands``."""
    return WorkingHands(character, tasks, ground, step, climbs) if tasks else NoHands(character)


def _smooth(share: float) -> tuple[float, float]:
    """Return a share, 0..1, as one of least jerk, and its slope."""
    s = share
    return s**3 * (10.0 - 15.0 * s + 6.0 * s * s), 30.0 * s * s * (1.0 - s) ** 2


def _led(start: Array, end: Array, done: float, rises: bool) -> Array:
    """Return where a hand is on its way (3,): it goes up before it goes level, and down after that.

    rises: whether it goes up. Start and end move with the body, and which is higher may change on the way.
    """
    early = _smooth(min(done / (1.0 - UP_FIRST), 1.0))[0]
    late = _smooth(max(done - UP_FIRST, 0.0) / (1.0 - UP_FIRST))[0]
    level, up = (late, early) if rises else (early, late)
    return np.asarray(start + (end - start) * (level, level, up))
