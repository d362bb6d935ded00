"""How a step begins: which one it is, and what is known of the body then."""

from __future__ import annotations

import cmath
from dataclasses import dataclass

import numpy as np

from ...shared.state import BodyState
from ...shared.steering import Command
from ..ground.ground import StepRequest
from ..steps.com_reference import begun
from ..steps.constrained import FREE
from ..swing.swing_step import LiftOff
from .aiming import planned
from .step_state import BOTH, NOWHERE
from .walker import Walker

LATEST, MOMENTS = 0.8, 30  # phase at which a step is begun in its midst at most, and how many are tried
EARLY = 2  # steps that are the first ones


@dataclass(frozen=True)
class FirstStance:
    """Where a first stance foot is pressed at most, as shares of the way to its heel and of its half width."""

    heel: float = 0.9
    half_width: float = 0.7


ROOM = FirstStance()
QUICKER = 0.2  # m/s that a step is quicker than the one before, from which its heel behind is raised from where it is


def early(walker: Walker) -> bool:
    """Return whether a walk is in one of its first steps."""
    return len(walker.log.strikes) < EARLY


def begin_first(walker: Walker, state: BodyState, command: Command, stance: int, saves: bool = False) -> None:
    """Begin the first step of a body that stands, on a foot. saves: it only steps to stand again."""
    step, felt = walker.step, walker.felt
    _step_on(walker, state, stance)
    walker.planner.forget(state.time, complex(*state.origins[0, :2].tolist()))
    step.saves = saves
    plan = walker.planner.first(command, stance, saving=saves)
    step.phase = plan.table.double
    frame, leg, sole = cmath.exp(1j * plan.frame), walker.legs[stance], felt.soles[stance]
    here = (felt.place - sole.anchor) / frame, felt.velocity / frame
    heel, half = ROOM.heel * leg.heel, ROOM.half_width * leg.half_width
    room = complex(heel, -half), complex(leg.ball, half)
    plan.reference, step.short_of = begun(
        walker.planner.pendulum, plan.reference, plan.tables, stance, step.phase, here, room
    )
    step.take(plan, FREE)
    step.ahead.clear()
    step.flatter = 0.0
    walker.hips.begin(state, walker.settings, first=True)


def begin_next(walker: Walker, state: BodyState, command: Command, stance: int) -> None:
    """Begin the step that follows the one under way, on the foot that has struck."""
    step, felt, last, before = walker.step, walker.felt, walker.step.plan, walker.step.given
    _step_on(walker, state, stance)
    command = walker.turning(command)
    step.saves, step.anchor = False, felt.soles[stance].anchor
    walker.planner.learn(state.time, complex(*state.origins[0, :2].tolist()), _cop_bias(walker))
    plan, given, aim = planned(
        walker,
        StepRequest(
            walker.planner, command, stance, last, before, felt.soles, early(walker), walker.around.ducking,
            felt.over_hips,
        ),
    )  # fmt: skip
    step.phase, step.flatter = 0.0, 0.0
    step.ahead.clear()
    quicker = plan.speed > last.speed + QUICKER
    if quicker and not given.constrained and not walker.settings.backs and not plan.table.on_toes:
        # A heel that were raised all at once to where the quicker step has it would throw the body off its foot.
        tilted = felt.soles[1 - stance].pitch - float(plan.table.at(0.0).pitches[1 - stance])
        step.flatter = min(tilted, 0.0)
    step.take(plan, given, aim)
    walker.hips.begin(state, walker.settings, first=False)


def begin_amid(walker: Walker, state: BodyState, command: Command) -> None:
    """Begin a step in the midst of it: the body is on its stance foot, and the other one is in the air already."""
    step, felt = walker.step, walker.felt
    stance, swinging = step.stance, step.down
    _step_on(walker, state, stance)
    step.saves, step.anchor = False, felt.soles[stance].anchor
    walker.planner.forget(state.time, complex(*state.origins[0, :2].tolist()))
    plan, given = walker.around.ground.plan(
        StepRequest(
            walker.planner, command, stance, step.plan, FREE, felt.soles, False, walker.around.ducking, felt.over_hips
        )
    )
    ahead = ((felt.place - step.anchor) / cmath.exp(1j * plan.frame)).real
    phases = np.linspace(plan.table.double, LATEST, MOMENTS)
    places = [plan.reference.at(float(phase))[0].real for phase in phases]
    step.phase = float(phases[int(np.argmin(np.abs(np.array(places) - ahead)))])
    step.ahead.clear()
    step.flatter = 0.0
    step.take(plan, given)
    step.down = swinging
    walker.hips.begin_anew(state, walker.settings)
    begin_swing(walker, state, command)


def begin_swing(walker: Walker, state: BodyState, command: Command) -> None:
    """Let the foot that the step is not on swing from where it is."""
    step, felt, side = walker.step, walker.felt, 1 - walker.step.stance
    leg = walker.legs[side]
    lift = LiftOff(
        leg, side, felt.soles[side], state.origins[leg.foot], command.heading, step.phase,
        step.plan.table.at(step.phase), step.plan, felt.soles[step.stance].anchor, state.origins[leg.thigh],
        walker.around.ducking.share, state.velocity_at(leg.foot, state.origins[leg.foot]),
        float(state.matrices[leg.foot, :, 1] @ state.angular_velocities[leg.foot]),
    )  # fmt: skip
    step.swing = walker.around.ground.swing(lift, step.given)


def _step_on(walker: Walker, state: BodyState, stance: int) -> None:
    """Take the settings of now, and stand on a foot."""
    step, ground = walker.step, walker.around.ground
    walker.follow(state.time)
    step.stance, step.down, step.target, step.given = stance, BOTH, NOWHERE, FREE
    ground.step_on(stance, walker.felt.soles[stance])
    walker.feet.ground = ground.height


def _cop_bias(walker: Walker) -> float:
    """Return how much farther ahead soles were pressed in the step that ends than its reference has it, m.

    None of it counts where the step was urgent, or on stairs: that is no error of each step alike.
    """
    ahead = walker.step.ahead
    if walker.step.urgency > 0.0 or not ahead:
        return 0.0
    return (1.0 + walker.settings.sole_ahead) * sum(ahead) / len(ahead)
