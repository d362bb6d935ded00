"""Stairs: where feet are set down on whole treads, one step a stair, and what body and swing foot do for it.

Treads are seen ahead (Coros 2010, section 5.2 has steps alone; KLAW's rule, Bruderlin 1988, chapter 8, is one step a
stair). The CoM reference stays the pendulum's: hips rise and sink with the feet, footholds are given along the way, and
what is off is caught by the soles, by the pace, and aside by the footholds as on level ground.
"""

from __future__ import annotations

import cmath
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ....world.obstacles import Crossed
from ....world.path import Path
from ....world.treads import Tread, Treads
from ...shared.legs import Leg
from ...shared.sole import EDGE, Sole
from ..steps.constrained import HANDED, ConstrainedStep, GivenFoothold, StanceLeg, constrained_table, level_stance
from ..steps.planner import Plan
from ..steps.step_table import StepTable
from ..swing.leg_way import LegShape
from ..swing.over_obstacle import OverSwing
from ..swing.stair_swing import StairSwing
from ..swing.swing import Swing
from ..swing.swing_step import LiftOff
from .ground import Constraint, Ground, StepRequest

BEHIND_IT = 0.6  # m behind an obstacle in which a walk is not yet as on level ground
STAIR_SPEED = 0.5  # m/s at which stairs are come up to
FITTED = 3  # steps before the first edge that are fitted, so that a foot stands close before it
MERGED = 0.4  # share of a step: what is left before an edge that is no step of its own
LEVEL = (0.6, 2.0)  # m behind an edge, and before one, in which nobody runs
SLOWS = 1.2  # m before the first edge from which it goes at that speed
LOOKS_ROUND = 1.5  # m of path before and behind the body in which its feet are


@dataclass(frozen=True)
class EdgeRoom:
    """How far heel or tip of a foot keeps from an edge, and from an obstacle.

    edge: m from an edge. least: m from an obstacle that is low, and more: for each m of its height, m. Nearer, the knee
    of the leg behind could not get over it.
    """

    edge: float
    least: float
    more: float

    def from_obstacle(self, top: float) -> float:
        """Return how far it stays from an obstacle, m. top: its height, m."""
        return self.least + self.more * top


SHORT_OF, PAST = EdgeRoom(0.045, 0.08, 0.27), EdgeRoom(0.025, 0.06, 0.18)
"""Of the tip of a foot before an edge or an obstacle, and of the heel of one behind it."""


class Stairs:
    """The treads of one walk's path, and the steps that one body takes on them."""

    def __init__(
        self, treads: Treads, path: Path, legs: tuple[Leg, Leg], hurdles: Sequence[Crossed] = ()
    ) -> None:  # fmt: skip
        """hurdles: what stands on the treads, across the way, to be stepped over."""
        self._treads, self._path, self._hurdles = _parted(treads, hurdles), path, tuple(hurdles)
        self._heel = max(-leg.heel for leg in legs)
        self._tip = max(leg.tip for leg in legs)
        self._between = 0.0, math.inf  # of the path, m, where its feet are

    def arc(self, place: complex) -> float:
        """Return how far along the path a place of the ground near the body is, m; beyond its ends, too."""
        found = self._path.nearest((place.real, place.imag), *self._between)
        x, y = self._path.point(found)
        return found + ((place - complex(x, y)) * cmath.exp(-1j * self._path.direction(found, 0.1))).real

    @property
    def first(self) -> float:
        """The height of the tread that the walk begins on, m."""
        return self._treads.treads[0].height

    def feel(self, arc: float) -> None:
        """Take in where along the path the body is, m."""
        self._between = max(arc - LOOKS_ROUND, 0.0), arc + LOOKS_ROUND

    def height(self, arc: float) -> float:
        """Return the height of the ground at a place of the path, m."""
        return self._treads.at(arc).height

    @property
    def treads(self) -> Treads:
        """The treads of the path; they end before each obstacle on them, and go on behind it."""
        return self._treads

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

    def level_near(self, arc: float) -> bool:
        """Return whether there is no edge near a place of the path, m, or close ahead of it."""
        behind, ahead = LEVEL
        return not any(-behind < edge - arc < ahead for edge in self._treads.edges)

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
            room.from_obstacle(over.top) if (over := self._over(edge)) else room.edge
            for edge, room in ((place - 1, PAST), (place, SHORT_OF))
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

    def _next(self, arc: float, length: float) -> tuple[GivenFoothold, bool]:
        treads = self._treads.treads
        place = self._treads.place(arc)
        _, high = self._bounds(place)
        rest = high - arc
        if rest > MERGED * length:
            flat = rest > (FITTED + 0.5) * length
            at = arc + length if flat else arc + rest / max(round(rest / length), 1)
            return GivenFoothold(at, -math.inf, high, treads[place].height, treads[place].height), flat
        low, high = self._bounds(place + 1)
        at = min(max(arc + length, low), high)
        if self._over(place):
            low = high = at
        return GivenFoothold(at, low, high, treads[place + 1].height, 0.0), False

    def constrained_step(
        self, arc: float, behind: float, length: float, slope: float, begin: float = math.nan
    ) -> ConstrainedStep:  # fmt: skip
        """Return the step of a foot that stands at a place of the path, m, as long as a level one where it can be.

        behind: height of the other foot. slope: of the hips as the step begins. begin: where the other foot is, m,
        if that is known.
        """
        known = not math.isnan(begin)
        begin = begin if known else arc
        found, flat = self._next(arc, length)
        after, _ = self._next(found.arc, length)
        own = self.height(arc)
        level = flat and behind == own == found.height == after.height
        first = min(begin, arc)
        over = next((hurdle for hurdle in self._hurdles if first < hurdle.near and hurdle.far < found.arc), None)
        foothold = replace(found, beyond=after.height)
        level = level and not over and not (known and self.crossed(begin))
        return ConstrainedStep(arc, behind, own, slope, foothold, level, over, begin)


def _parted(treads: Treads, hurdles: Sequence[Crossed]) -> Treads:
    """Return treads that end before each obstacle on them, and go on behind it."""
    found = []
    for tread in treads.treads:
        on = [hurdle for hurdle in hurdles if tread.begin < hurdle.near and hurdle.far < tread.end]
        ends = [tread.begin, *itertools.chain.from_iterable((h.near, h.far) for h in on), tread.end]
        found += [Tread(begin, end, tread.height) for begin, end in zip(ends[::2], ends[1::2], strict=True)]
    return Treads(tuple(found))


class TreadGround(Ground):
    """Treads along the way, and what stands on them or on level ground and is stepped over."""

    strikes_flat = True
    _over_edge = 0.9
    """Share of the half width within which a foot is pressed near an obstacle, where steps are long."""

    def __init__(
        self, stairs: Stairs, legs: tuple[Leg, Leg], drops: Sequence[float], stances: Sequence[StanceLeg],
        leg_shapes: Sequence[LegShape], hip_aside: Sequence[float],
    ) -> None:  # fmt: skip
        """stances: what of each leg limits how low hips go over it. leg_shapes: of legs that step over something.

        hip_aside: how far each hip is to the left of the mid-hip, m.
        """
        super().__init__(stairs.first, legs, drops)
        self.level = not stairs.treads.edges
        self._stairs, self._stances, self._leg_shapes, self._hip_aside = stairs, stances, leg_shapes, hip_aside

    def hold(self, arc: float, soles: Sequence[Sole], standing: Sequence[int]) -> None:
        """Let the soles of feet that stand be pressed on their treads alone; in place. arc: of the body, m."""
        self._stairs.feel(arc)
        for side in standing:
            self._stairs.held(soles[side], self._stairs.arc(soles[side].anchor))

    def desired_speed(self, speed: float, arc: float, braking: float, given: Constraint) -> float:
        """Return the speed, m/s, to walk at: stairs are come up to slowly, and so is the way behind an obstacle."""
        speed = min(speed, self._stairs.fastest(arc, braking))
        return min(speed, given.speed) if given.constrained and self._stairs.crossed(arc) else speed

    def level_near(self, arc: float) -> bool:
        """Return whether a body may run at a place of the path, m: no stair and no obstacle is near."""
        return self._stairs.level_near(arc)

    def step_on(self, side: int, sole: Sole) -> None:
        """Let a step begin on a foot: the body is carried over its tread."""
        self.height = self.under[side] = self._stairs.height(self._stairs.arc(sole.anchor))

    def plan(self, request: StepRequest) -> tuple[Plan, Constraint]:
        """Return the plan of the step that begins: one whose foothold is given where there are edges or obstacles."""
        stairs, command, stance, planner = self._stairs, request.command, request.stance, request.planner
        arc = stairs.arc(request.soles[stance].anchor)
        near = stairs.crossed(arc)  # it is slow there, because steps over obstacles are
        length = planner.level_length(STAIR_SPEED if near else min(command.speed, STAIR_SPEED))
        begin = stairs.arc(request.soles[1 - stance].anchor)
        given = stairs.constrained_step(arc, self.under[1 - stance], length, request.before.end_slope, begin)
        if request.foothold and not given.goes_over:
            given = self._set_down(given, *request.foothold)
        if given.flat:
            return super().plan(request)
        after = stairs.constrained_step(given.foothold.arc, given.own, length, given.end_slope, arc)
        # Before long steps over obstacles, the foot is set down for theirs.
        foreseen = not after.flat and (after.goes_over or given.goes_over)
        onward = [self._fitted(request, 1 - stance, after).reference] if foreseen else []
        plan = self._fitted(request, stance, given)
        plan.next = onward[0] if foreseen else plan.next
        left, right = (level_stance(table, side) for side, table in enumerate(plan.tables))
        plan.take((left, right))
        return plan, given

    def _set_down(self, given: ConstrainedStep, foothold: complex) -> ConstrainedStep:
        """Return a step whose foot is set down where it is desired, m, as far as it is on its tread there."""
        own = given.foothold
        at = min(max(self._stairs.arc(foothold), own.low), own.high)
        return replace(given, foothold=replace(own, arc=at))

    def _fitted(self, request: StepRequest, stance: int, given: ConstrainedStep) -> Plan:
        """Return the plan of a step on stairs, or over an obstacle."""
        ahead = given.foothold.arc - given.arc
        ducking = request.ducking

        def shaped(table: StepTable, side: int) -> StepTable:
            if not ducking.share:
                return constrained_table(table, side, given, ahead, self._stances[side])
            upright = float((table.com - table.pelvis)[:, 2].mean())  # a body that is bent falls faster
            sunk = ducking.lower + max(upright - request.over_hips, 0.0)
            return constrained_table(table, side, given, ahead, self._stances[side], ducking.lower, sunk)

        return request.planner.fitted(request.command, stance, given.speed, HANDED, shaped)

    def swing(self, lift: LiftOff, given: Constraint) -> Swing:
        """Return the swing of a foot that leaves the ground: over an obstacle, from tread to tread, or a free one."""
        if not isinstance(given, ConstrainedStep):
            return super().swing(lift, given)
        side = lift.side
        if given.over:
            return OverSwing(
                lift, given, given.over, self._leg_shapes[side], self.under[1 - side], self._hip_aside[side]
            )
        begin = self._stairs.arc(lift.sole.anchor)
        return StairSwing(lift, given, self._stairs.treads, begin, self._stances[side].dorsiflexion)

    def edge(self, given: Constraint) -> float:
        """Return the share of a sole's half width within which it is pressed."""
        return self._over_edge if given.constrained and self._leg_shapes else EDGE
