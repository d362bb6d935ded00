"""Stairs: where feet are set down on whole treads, one step a stair, and what body and swing foot do for it.

Treads are seen ahead (Coros 2010, section 5.2 has steps alone; KLAW's rule, Bruderlin 1988, chapter 8, is one step a
stair). The body's course stays the pendulum's: hips rise and sink with the feet, footholds are given along the way, and
what is off is caught by the soles, by the pace, and aside by the footholds as on level ground.
"""

from __future__ import annotations

import cmath
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...base.curves import cubic, eased, gently
from ...base.spatial import Array, pitched, yawed
from ...world.course import Crossed
from ...world.path import Path
from ...world.treads import Tread, Treads
from ..shared.legs import Leg
from ..shared.limb import drop, leg_turns
from ..shared.sole import Sole
from ..shared.state import BodyState
from .strides import GRID, Moment, StepTable
from .swing import FASTEST, SOFT_CAPTURED, TOES_DOWN, Step, Swing, Target, aloft_at, searched

ROOM, BEFORE = 0.025, 0.045  # m that heel and tip of a foot keep from edges
STAIR_TIME = 0.8  # s that a step on stairs takes
DOUBLE = 0.25  # phase at which the foot behind lifts there
HANDED = 0.95  # share of that over which the weight goes to the foot in front
OVER_TIME, OVER_LONGER = 0.8, 0.9  # s that a step over an obstacle takes, and s more for each m of its height
OVER_DOUBLE = 0.12  # phase at which the foot behind lifts there: the legs are far apart, and the body goes on
SHORT_OF, PAST = (0.08, 0.27), (0.06, 0.18)
"""How far the tip of a foot before an obstacle, and the heel of one behind it, keep from it, m: of one that is low, and
more for each m of its height. Nearer, the knee of the leg behind could not get over it."""
OVER_STRAIGHT = 0.98  # of a leg that lands behind an obstacle
BEHIND_IT = 0.6  # m behind an obstacle in which a walk is not yet as on level ground
STAIR_SPEED = 0.5  # m/s at which stairs are come up to
FITTED = 3  # steps before the first edge that are fitted, so that a foot stands close before it
MERGED = 0.4  # share of a step: what is left before an edge that is no step of its own
SLOWS = 1.2  # m before the first edge from which it goes at that speed
AHEAD = ((0.1, 0.9), (0.2, 0.95), (0.3, 1.0), (0.0, 0.7), (0.0, 0.6), (0.0, 0.8))
"""Shares of the swing between which a foot goes ahead, that are tried."""
RISES, SINKS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8), (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
"""Shares of the swing in which it rises, and from which it comes down, that are tried."""
OVERLAP = 0.2  # of the swing that it may do both
HEEL = 0.7  # of a level step's: how far the heel of a foot comes up before it lifts
LANDS = (0.02, 0.7)  # m above its tread, and share of the swing, from which a foot is set down
CLEARS = 0.03  # m that a sole passes over what is below it
TILTS = 0.6  # share of a swing in which the foot becomes level
LANDED = 0.03  # m by which hips are lower as a foot strikes that has stepped down
WAITS = 0.05  # m behind its course from which a body waits for it before it is handed over
OVER = 0.02  # m ahead of the middle between the feet that the hips are in the middle of a step
ROUNDS = 12  # in which a heel's tilt is found
SPARE = 0.06  # rad that an ankle keeps of its range in a swing: a foot under a shin that leans is tilted, too
TILTING = 0.03  # s in which it follows
LEAD = 0.02  # s by which the foot is led ahead: so late is what a leg does of what it shall
PASSES = 0.02  # m beside heel and tip that count as below the sole
LOOKS_ROUND = 1.5  # m of path before and behind the body in which its feet are
LOOKS = 41  # places of a swing at which it looks what is below


@dataclass(frozen=True)
class Foothold:
    """Where the next foot is to be set down. arc: m along the path, of its ankle; low, high: bounds. height: m.

    beyond: the height of the foothold after it, m.
    """

    arc: float
    low: float
    high: float
    height: float
    beyond: float


@dataclass(frozen=True)
class Climb:
    """One step on stairs. arc: of the stance foot, m. behind, own: heights of the feet as it begins, m.

    slope: how fast the hips rise there, for a phase of 1. flat: whether it is a step as on level ground that only keeps
    short of the next edge. over: the obstacle that its swing foot goes over, if it does.
    begin: where that foot stands, m.
    """

    arc: float
    behind: float
    own: float
    slope: float
    foothold: Foothold
    flat: bool
    over: Crossed | None = None
    begin: float = 0.0

    @property
    def time(self) -> float:
        """How long it takes, s."""
        return STAIR_TIME if self.over is None else OVER_TIME + OVER_LONGER * self.over.top

    @property
    def speed(self) -> float:
        """How fast it goes, m/s."""
        return (self.foothold.arc - self.arc) / self.time

    @property
    def leads(self) -> bool:
        """Whether its swing foot is the first one over an obstacle."""
        return self.over is not None and self.arc < self.over.near

    @property
    def double(self) -> float:
        """The phase at which the foot behind lifts."""
        return DOUBLE if self.over is None else OVER_DOUBLE

    @property
    def sinks(self) -> bool:
        """Whether it goes down in this step."""
        return self.foothold.height < self.own


class Stairs:
    """The treads of one walk's path, and the steps that one body takes on them."""

    def __init__(
        self, treads: Treads, path: Path, legs: tuple[Leg, Leg], hurdles: Sequence[Crossed] = ()
    ) -> None:  # fmt: skip
        """hurdles: what stands on the treads, across the way, to be stepped over."""
        self._treads, self._path, self._hurdles = _parted(treads, hurdles), path, tuple(hurdles)
        self._heel = max(-leg.heel for leg in legs)
        self._tip = max(leg.ball + leg.toe_length for leg in legs)
        self._near: float | None = None

    def arc(self, place: complex) -> float:
        """Return how far along the path a place of the ground near the body is, m; beyond its ends, too."""
        low, high = (
            (0.0, math.inf) if self._near is None else (max(self._near - LOOKS_ROUND, 0.0), self._near + LOOKS_ROUND)
        )
        found = self._path.nearest((place.real, place.imag), low, high)
        x, y = self._path.point(found)
        return found + ((place - complex(x, y)) * cmath.exp(-1j * self._path.direction(found, 0.1))).real

    @property
    def first(self) -> float:
        """The height of the tread that the walk begins on, m."""
        return self._treads.treads[0].height

    def feel(self, arc: float) -> None:
        """Take in where along the path the body is, m."""
        self._near = arc

    def height(self, arc: float) -> float:
        """Return the height of the ground at a place of the path, m."""
        return self._treads.at(arc).height

    def tread(self, arc: float) -> Tread:
        """Return the tread at a place of the path, m."""
        return self._treads.at(arc)

    def highest(self, begin: float, end: float) -> float:
        """Return the height of the highest tread that reaches into a stretch of the path, m."""
        return self._treads.highest(begin, end)

    def edges_ahead(self, arc: float) -> bool:
        """Return whether the ground has an edge beyond a place of the path, m."""
        edges = self._treads.edges
        return bool(edges) and edges[-1] > arc

    def fastest(self, arc: float, braking: float) -> float:
        """Return how fast it may go at a place of the path, m/s."""
        edges = self._treads.edges
        ahead = [edge for edge in edges if edge > arc - 0.3]
        if not ahead:
            return math.inf
        away = ahead[0] - arc - SLOWS
        return math.sqrt(STAIR_SPEED**2 + 2.0 * braking * max(away, 0.0))

    def crossed(self, arc: float) -> bool:
        """Return whether a place of the path, m, is close behind an obstacle."""
        return any(0.0 < arc - hurdle.far < BEHIND_IT for hurdle in self._hurdles)

    def held(self, sole: Sole, arc: float) -> None:
        """Let a sole, whose foot is at a place of the path, m, be pressed on its tread alone; in place."""
        tread = self._treads.at(arc)
        sole.low = max(sole.low, min(tread.begin - arc, -0.01))
        sole.high = min(sole.high, max(tread.end - arc, 0.02))

    def _bounds(self, place: int) -> tuple[float, float]:
        """Return between which places of the path, m, a foot stands on a tread; equal where it has no choice."""
        treads = self._treads.treads
        tread = treads[place]
        after, before = (
            away if (over := self._over(edge)) is None else kept_from(over, room)
            for edge, away, room in ((place - 1, ROOM, PAST), (place, BEFORE, SHORT_OF))
        )
        low, high = tread.begin + self._heel + after, tread.end - self._tip - before
        if place == 0:
            low = -math.inf
        if place == len(treads) - 1:
            high = math.inf
        if low <= high:
            return low, high
        walled = place > 0 and treads[place - 1].height > tread.height
        closed = place < len(treads) - 1 and treads[place + 1].height > tread.height
        if walled and not closed:
            return low, low
        if closed and not walled:
            return high, high
        return 0.5 * (low + high), 0.5 * (low + high)

    def _over(self, edge: int) -> Crossed | None:
        """Return what stands between a tread and the one behind it, to be stepped over."""
        if not 0 <= edge < len(self._treads.edges):
            return None
        at = self._treads.edges[edge]
        return next((hurdle for hurdle in self._hurdles if hurdle.near < at < hurdle.far), None)

    def _next(self, arc: float, length: float) -> tuple[Foothold, bool]:
        treads = self._treads.treads
        place = self._treads.place(arc)
        _, high = self._bounds(place)
        rest = high - arc
        if rest > MERGED * length:
            flat = rest > (FITTED + 0.5) * length
            at = arc + length if flat else arc + rest / max(round(rest / length), 1)
            return Foothold(at, -math.inf, high, treads[place].height, treads[place].height), flat
        low, high = self._bounds(place + 1)
        at = min(max(arc + length, low), high)
        if self._over(place) is not None:
            low = high = at
        return Foothold(at, low, high, treads[place + 1].height, 0.0), False

    def climb(
        self, arc: float, behind: float, length: float, slope: float, begin: float | None = None
    ) -> Climb:  # fmt: skip
        """Return the step of a foot that stands at a place of the path, m, as long as a level one where it can be.

        behind: height of the other foot. slope: of the hips as the step begins. begin: where the other foot is, m.
        """
        found, flat = self._next(arc, length)
        after, _ = self._next(found.arc, length)
        own = self.height(arc)
        level = flat and behind == own == found.height == after.height
        first = arc if begin is None else min(begin, arc)
        over = next((hurdle for hurdle in self._hurdles if first < hurdle.near and hurdle.far < found.arc), None)
        foothold = replace(found, beyond=after.height)
        level = level and over is None and not (begin is not None and self.crossed(begin))
        return Climb(arc, behind, own, slope, foothold, level, over, arc if begin is None else begin)


def kept_from(over: Crossed, room: tuple[float, float]) -> float:
    """Return how far a foot stays from an obstacle, m. room: SHORT_OF or PAST."""
    least, more = room
    return least + more * over.top


def _parted(treads: Treads, hurdles: Sequence[Crossed]) -> Treads:
    """Return treads that end before each obstacle on them, and go on behind it."""
    found = []
    for tread in treads.treads:
        on = [hurdle for hurdle in hurdles if tread.begin < hurdle.near and hurdle.far < tread.end]
        ends = [tread.begin, *itertools.chain.from_iterable((h.near, h.far) for h in on), tread.end]
        found += [Tread(begin, end, tread.height) for begin, end in zip(ends[::2], ends[1::2], strict=True)]
    return Treads(tuple(found))


def rises(climb: Climb) -> tuple[float, float, float, float]:
    """Return how high the hips are above the stance foot's ground beyond a level walk's as the step begins and ends, m.

    And how fast they rise there, for a phase of 1. Legs reach down to the lower foot at each change of feet.
    """
    own, to, beyond = climb.own, climb.foothold.height, climb.foothold.beyond
    first, last, after = carried(climb.behind, own) - own, carried(own, to) - own, carried(to, beyond) - own
    now, later = last - first, after - last
    slope = 0.5 * (now + later) if now * later > 0.0 else 0.0
    return first, last, climb.slope, slope


def carried(behind: float, ahead: float) -> float:
    """Return the height, m, that the hips are carried above as on level ground as a foot strikes.

    behind, ahead: heights of both feet. Who steps down lands on a knee that is bent: a straight leg would bear all at
    once, and stop the body.
    """
    return min(behind, ahead) - (LANDED if ahead < behind else 0.0)


@dataclass(frozen=True)
class Stance:
    """What of a leg limits how low the hips go over it. leg: itself. high: of the mid-hip above its hip, m.

    bends: how far its ankle bends up at most, rad.
    """

    leg: Leg
    high: float
    bends: float

    def heel_up(self, ahead: Array, height: Array) -> Array:
        """Return how far (K,) the heel must come up, rad, for its ankle to bend no farther than it can.

        ahead, height (K,): of the mid-hip, from the ground below the flat foot's ankle, m.
        """
        leg, pitch = self.leg, np.zeros(len(ahead))
        if not math.isfinite(self.bends):
            return pitch
        for _ in range(ROUNDS):
            s, c = np.sin(pitch), np.cos(pitch)
            x = ahead - leg.ball * (1.0 - c) - leg.ankle_height * s
            z = height - self.high - leg.ball * s - leg.ankle_height * c
            away = np.hypot(x, z)
            inner = (leg.shin_length**2 + away**2 - leg.thigh_length**2) / (2.0 * leg.shin_length * away)
            lean = np.arctan2(x, z) + np.arccos(np.clip(inner, -1.0, 1.0))
            pitch = np.maximum(pitch + 0.7 * (lean - pitch - self.bends + SPARE), 0.0)
        return pitch


def climbing(
    table: StepTable, side: int, climb: Climb, length: float, stance: Stance, ducked: float = 0.0,
    sunk: float = 0.0,
) -> StepTable:  # fmt: skip
    """Return the table of a step on a foot for a climb. length: from foot to foot, m. stance: of that leg.

    ducked, sunk: how much lower than in the table the hips and the centre of mass are carried anyway, m.
    """
    first, last, begins, ends = rises(climb)
    if climb.over is not None:
        first, last = (
            -lowered(stance, away, float(table.pelvis[-1, 2]) - ducked) for away in (climb.arc - climb.begin, length)
        )
    u = np.linspace(0.0, 1.0, GRID + 1)
    rise = cubic(u, np.ones_like(u), (first, last), (begins, ends))
    pelvis, com, ankles = table.pelvis.copy(), table.com.copy(), table.ankles.copy()
    pelvis[:, 2] += rise
    com[:, 2] += rise - sunk
    swing = 1 - side
    level = eased(u)
    ankles[:, swing, 2] += level * (climb.foothold.height - climb.own) + (1.0 - level) * (climb.behind - climb.own)
    ankles[-1, swing, 0] = length
    pitches = HEEL * np.maximum(table.pitches, 0.0)
    pitches[:, side] = 0.0
    if climb.sinks:
        pitches[:, side] = stance.heel_up(length * (u - 0.5) + OVER, pelvis[:, 2])
    return replace(
        table,
        time=climb.time,
        double=climb.double,
        length=length,
        pelvis=pelvis,
        com=com,
        ankles=ankles,
        pitches=pitches,
        rolls=1.0 if climb.sinks else table.rolls,
        trails=1.0 if climb.behind > climb.own else 0.0,
    )


def lowered(stance: Stance, length: float, height: float) -> float:
    """Return how much lower than ``height``, m, hips must be as a step of a length, m, ends, for its leg to reach."""
    leg = stance.leg
    down = (OVER_STRAIGHT * leg.length) ** 2 - (0.5 * length) ** 2
    up = leg.ankle_height + math.sqrt(max(down, (0.5 * leg.length) ** 2))
    return max(height - stance.high - up, 0.0)


def ahead_of(done: Array, window: tuple[float, float]) -> Array:
    """Return how far, 0..1, a foot has gone ahead at shares of its swing. window: between which it does."""
    return gently(np.clip((done - window[0]) / (window[1] - window[0]), 0.0, 1.0))


def rolled_ahead(leg: Leg, pitch: float) -> float:
    """Return how far the ankle of a foot that has rolled onto its ball is ahead of where it stood flat, m."""
    return leg.ball * (1.0 - math.cos(pitch)) + leg.ankle_height * math.sin(pitch) if pitch > 0.0 else 0.0


def handing_over(wrong: float) -> float:
    """Return how fast, beside the plan, the weight is handed over to a foot that has struck.

    wrong: how far the body is ahead of its course, m. While it is behind, the foot behind pushes it on: once on the
    other one alone, whose place is given, little could.
    """
    return min(max(1.0 + wrong / WAITS, 0.0), 1.0)


def level_stance(table: StepTable, side: int) -> StepTable:
    """Return the table of a step whose course is known, its foot flat: its heel comes up as the body needs it."""
    pitches = table.pitches.copy()
    pitches[:, side] = 0.0
    return replace(table, pitches=pitches)


class StairSwing(Swing):
    """A swing from tread to tread."""

    def __init__(
        self, leg: Leg, side: int, sole: Sole, ankle: Array, heading: float, phase: float, now: Moment, climb: Climb,
        stairs: Stairs, begin: float, bends: float,
    ) -> None:  # fmt: skip
        """begin: where along the path it left the ground, m. bends: how far its ankle bends up at most, rad."""
        super().__init__(leg, side, sole, ankle, heading, phase, now)
        self._climb, self._from, self._bends = climb, sole.pitch, bends
        self._tilt, self._tilted = 0.0, sole.pitch
        self._anchor = sole.anchor
        self._off = complex(*ankle[:2].tolist()) - sole.anchor - rolled_ahead(leg, sole.pitch) * sole.ahead
        self._over, self._window = self._way(stairs, leg, begin, climb)

    def _way(self, stairs: Stairs, leg: Leg, begin: float, climb: Climb) -> tuple[Array, tuple[float, float]]:
        """Return how high (K,) the sole is to be over the swing, m, and between which shares of it it goes ahead.

        As slowly up and down as what is below it allows: a leg that is thrown up takes from the ground what is to bear
        the body.
        """
        done = np.linspace(0.0, 1.0, LOOKS)
        length, rise, end = climb.foothold.arc - begin, climb.behind, climb.foothold.height
        # It comes down to near its tread, and onto it at the step's end: sooner, the body would not yet be as far.
        land, lands = end + LANDS[0], LANDS[0] * np.clip((done - LANDS[1]) / (1.0 - LANDS[1]), 0.0, 1.0) ** 2
        tip = leg.ball + leg.toe_length
        ends = [(stairs.tread(at), at) for at in (begin, climb.foothold.arc)]
        back = leg.heel - min(PASSES, *(at + leg.heel - tread.begin for tread, at in ends))
        front = tip + min(PASSES, *(tread.end - at - tip for tread, at in ends))
        best, least = None, math.inf
        for ahead in AHEAD:
            at = begin + length * ahead_of(done, ahead)
            below = np.array([stairs.highest(x + back, x + front) for x in at.tolist()])
            below[0], below[-1] = rise, end
            top = float(below.max()) + CLEARS
            for rises in RISES:
                up = rise + (top - rise) * gently(np.clip(done / rises, 0.0, 1.0))
                for sinks in SINKS:
                    ways = (
                        (top - rise) / rises**2,
                        (top - land) / (1.0 - sinks) ** 2,
                        length / (ahead[1] - ahead[0]) ** 2,
                    )
                    if sinks < rises - OVERLAP or max(ways) >= least:
                        continue
                    found = up - (top - land) * gently(np.clip((done - sinks) / (1.0 - sinks), 0.0, 1.0)) - lands
                    if (found >= below - 1e-9).all():
                        best, least = (found, ahead), max(ways)
        if best is not None:
            return best
        up = rise + (top - rise) * gently(np.clip(done / RISES[0], 0.0, 1.0))
        return up - (top - land) * gently(np.clip((done - SINKS[-1]) / (1.0 - SINKS[-1]), 0.0, 1.0)) - lands, AHEAD[0]

    def target(self, step: Step) -> Target:
        """Return where the foot is set down: on its tread, aside where it catches the body."""
        found = super().target(step)
        frame = cmath.exp(1j * step.plan.frame)
        own, climb = (found.foothold - step.origin) / frame, self._climb
        ahead = min(max(own.real, climb.foothold.low - climb.arc), climb.foothold.high - climb.arc)
        found.foothold = step.origin + complex(ahead, own.imag) * frame
        found.share = 1.0
        return found

    def refer(
        self, state: BodyState, step: Step, target: Target, turns: Array, spins: Array, bends: Array
    ) -> None:  # fmt: skip
        """Fill in what the leg's links do, as a swing's ``refer`` does."""
        leg, side, plan, heading = self._leg, self._side, step.plan, step.command.heading
        done = self._done(step.phase + step.rate * LEAD)
        fade = 1.0 - gently(min(done / TILTS, 1.0))
        goes = float(ahead_of(np.array(done), self._window))
        foothold = self._gliding(target.foothold, step.since)
        soft = float(eased(done))
        bulge = step.now.ankles[side][1] - (1.0 - soft) * self._begun[1] - soft * float(plan.table.ankles[-1, side, 1])
        pitch = max(fade * self._from, self._tilt)
        at = self._anchor + goes * (foothold - self._anchor) + 1j * bulge * cmath.exp(1j * plan.frame)
        at += rolled_ahead(leg, pitch) * cmath.exp(1j * (heading + self._yaw))  # the tip stays behind a riser
        at += fade * self._off
        aloft = aloft_at(done)
        tip = min(pitch, TOES_DOWN * aloft)
        place = done * (LOOKS - 1)
        k = min(int(place), LOOKS - 2)
        sole = float(self._over[k] + (place - k) * (self._over[k + 1] - self._over[k]))
        up = sole + drop(leg, pitch) + leg.toe_length * math.sin(max(tip, 0.0)) * (pitch > 0.0)
        own = self._climb.behind + drop(leg, self._from)
        up += fade * (self._start[2] - own)
        up -= searched(step.phase, step.haste)
        yaw = heading + (1.0 - soft) * self._yaw + soft * step.lead()
        facing = yawed(yaw)
        turns[leg.foot], turns[leg.toes] = facing @ pitched(pitch), facing @ pitched(tip)
        turning = min(max((pitch - self._tilted) / step.since, -FASTEST), FASTEST)
        self._tilted = pitch
        spins[leg.foot] = spins[leg.toes] = facing[:, 1] * turning
        bends[[leg.foot, leg.toes]] = 0.0
        links = [leg.thigh, leg.shin]
        legs = leg_turns(leg, state.origins[leg.thigh].tolist(), (at.real, at.imag, up), yaw)
        lean = math.atan2(float(facing[:, 0] @ legs[1][:, 2]), float(legs[1][2, 2]))
        needed = max(lean - self._bends + SPARE, 0.0) if math.isfinite(self._bends) else 0.0
        self._tilt += min(step.since / TILTING, 1.0) * (needed - self._tilt)
        turns[links], spins[links] = legs, self._differing(state, legs, np.zeros((2, 3)), SOFT_CAPTURED, step.since)
        bends[links] = self._bent(spins[links], step.since, facing[:, 1])
