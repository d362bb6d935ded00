"""Steps towards footholds that are desired: which step takes which, and how those before it come to it."""

from __future__ import annotations

import cmath
from dataclasses import replace

from ...shared.legs import Leg
from ...shared.sole import EDGE
from ...shared.steering import Command
from ..ground.ground import Constraint, StepRequest
from ..steps.aimed import AHEAD, AIM, ANYWHERE, Anywhere, FootAim, later_foothold, led_to, next_foothold
from ..steps.planner import Plan
from .walker import Walker

HEEL = 0.8  # of the way to its heel that a foot is pressed at most


def planned(walker: Walker, request: StepRequest) -> tuple[Plan, Constraint, Anywhere]:
    """Return the plan of a step that begins, what is given of it, and what is desired of its foothold."""
    ground, footholds = walker.around.ground, walker.around.footholds
    plan, given = ground.plan(request)
    if not footholds.any or given.goes_over:
        return plan, given, ANYWHERE
    stance, arc = request.stance, walker.felt.arc
    anchor, yaw = request.soles[stance].anchor, _lands(request, plan)
    own = anchor + next_foothold(plan) * cmath.exp(1j * plan.frame)
    found = footholds.of(1 - stance, own, yaw, arc)
    if not found:
        if not given.constrained:
            _come_to(walker, request, plan, own)
        return plan, given, ANYWHERE
    aim = footholds.aim(found)
    footholds.take(found)
    if given.constrained:
        plan, given = ground.plan(replace(request, foothold=(aim.under(yaw),)))
    _lead(walker, plan, stance, anchor, aim.under(yaw), 0.0)
    return plan, given, aim


def lead_on(walker: Walker, command: Command) -> None:
    """Lead the step under way on to where its foot is desired: what follows it was planned anew."""
    step = walker.step
    if not isinstance(step.aim, FootAim):
        return
    plan, anchor = step.plan, walker.felt.soles[step.stance].anchor
    left = max(1.0 - step.phase, 0.0) * plan.table.time / step.pace
    yaw = command.heading + command.turn * (left + 0.5 * plan.table.time) + plan.tables[1 - step.stance].yaw
    _lead(walker, plan, step.stance, anchor, step.aim.under(yaw), step.phase)


def _lands(request: StepRequest, plan: Plan) -> float:
    """Return where the foot points as the step ends, rad."""
    command = request.command
    return command.heading + 1.5 * command.turn * plan.table.time + plan.tables[1 - request.stance].yaw


def _lead(walker: Walker, plan: Plan, stance: int, anchor: complex, ankle: complex, phase: float) -> None:
    """Let the reference of a step end where its foot is set down with its ankle at a place, m."""
    off = (ankle - anchor) / cmath.exp(1j * plan.frame) - next_foothold(plan)
    plan.reference = led_to(walker.planner.pendulum, plan, off, phase, _room(walker.legs[stance]))


def _room(leg: Leg) -> tuple[complex, complex]:
    """Return the corners of what a foot can press, m."""
    half = EDGE * leg.half_width
    return complex(HEEL * leg.heel, -half), complex(leg.ball, half)


def _come_to(walker: Walker, request: StepRequest, plan: Plan, own: complex) -> None:
    """Make a step longer or shorter where one of the next ones is to be elsewhere than it would come to.

    own: where its own foot is set down, m.
    """
    footholds, way, place = walker.around.footholds, cmath.exp(1j * plan.frame), own
    turn, yaw = cmath.exp(1j * plan.turn), _lands(request, plan)
    for k in range(1, AHEAD):
        way *= turn
        place += (later_foothold(plan) if k % 2 else next_foothold(plan)) * way
        yaw += plan.turn
        side = request.stance if k % 2 else 1 - request.stance
        found = footholds.of(side, place, yaw, walker.felt.arc, k)
        if not found:
            continue
        aim = footholds.aim(found)
        off = ((aim.under(yaw) - place) / way).real / (k + 1)
        off = min(max(off, -AIM.earlier), AIM.earlier)
        plan.reference = led_to(
            walker.planner.pendulum, plan, complex(off, 0.0), 0.0, _room(walker.legs[request.stance])
        )
        return
