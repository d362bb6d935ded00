"""The phases of a step: both feet down, and one in the air."""

from __future__ import annotations

import cmath
from dataclasses import dataclass

import numpy as np

from ....base.curves import ramp, softly
from ....base.spatial import Array, faced, yawed
from ...shared.limb import lean, leg_rates, leg_rotations
from ...shared.state import BodyState
from ...shared.steering import Command
from ..steps.constrained import handing_over
from ..steps.step_table import Moment
from ..steps.styled_steps import FLAT_SPEED
from ..swing.swing import REACH
from ..swing.swing_step import SwingStep
from .aiming import lead_on
from .beginning import begin_next, begin_swing, early
from .phase import Phase, phase
from .step_state import Desired, LegUse
from .walker import Walker

BOBS = 1.2  # times as fast as planned the body goes up and down at most, or it would leave the ground
EASING = 0.9  # phase from which legs of a body whose step is urgent no more brake as the style has it
HOLDS = (0.2, 0.88)  # phases between which torques are held: as feet lift and strike, loads change too fast
LIGHT = 0.04  # of the weight: a foot that has struck and bears less is held by its leg, or it would slide
RENEWED = (0.35, 0.6, 0.8)  # phases at which the next step is planned anew


@dataclass(frozen=True)
class HeelRules:
    """Of a body that goes on its toes.

    begins, full: m behind its reference from which it comes down, and is on its heel: nothing behind the toes holds
    a body that falls back, but the heel.
    """

    begins: float = 0.03
    full: float = 0.09

    def up(self, ahead: float) -> float:
        """Return how much, 0..1, of its tilt a foot keeps. ahead: of its reference, m."""
        return 1.0 - ramp(-ahead, self.begins, self.full)


@dataclass(frozen=True)
class RollingDown:
    """How a foot that has struck with its heel is held as it rolls down. rocking: rad of heel down from which it is.

    stiffness: N m/rad. damping: N m s/rad. most: N m. ends: the phase until which it is. bending: rad of heel down
    from which its leg is led, too; fastest: rad/s that thigh and shin are led to turn by at most.
    """

    rocking: float = 0.03
    stiffness: float = 120.0
    damping: float = 4.0
    most: float = 60.0
    ends: float = 0.5
    bending: float = 0.02
    fastest: float = 12.0


@dataclass(frozen=True)
class LiftRules:
    """When a foot behind lifts. free: of the weight, under which it has unloaded; urgent: likewise in urgency.

    laden: of the weight, under which it must not stand on its tip, tilted by on_tip, rad.
    """

    free: float = 0.04
    urgent: float = 0.35
    laden: float = 0.3
    on_tip: float = 1.15


@dataclass(frozen=True)
class StopRules:
    """When a body that walks can stand. left: m of path under which it shall, at a speed, m/s, under which it does.

    load: share of the weight that either foot bears at least. level: rad that soles may be tilted by at most. between:
    share of the way between the feet that it must be inside of either; ahead: of the sole, before and behind their
    middle.
    """

    left: float = 0.1
    speed: float = 0.2
    load: float = 0.2
    level: float = 0.2
    between: float = 0.15
    ahead: float = 0.3


@dataclass(frozen=True)
class StrikeRules:
    """What counts as a foot strike.

    load: of the weight, over which a swing foot has landed. near: the phase from which a touch within close, m, of
    the foothold is one; any_touch: any; none: no touch at all.
    """

    load: float = 0.03
    near: float = 0.7
    any_touch: float = 0.93
    none: float = 1.5
    close: float = 0.1


HEEL, ROLL, LIFTS, STOP, STRIKES = HeelRules(), RollingDown(), LiftRules(), StopRules(), StrikeRules()


class Stepping(Phase):
    """A body that steps: it follows the step's reference, and the style's table."""

    mode = "walk"

    def desired(self, state: BodyState, command: Command, since: float) -> Desired:
        """Return what the links shall do to walk the step."""
        w, step, around = self.walker, self.walker.step, self.walker.around
        plan, stance, frame = step.plan, step.stance, cmath.exp(1j * step.plan.frame)
        now = plan.table.at(step.phase)
        pressed_at = w.recovery.feel(state, w.settings, now, since)
        self._tilt(state, now)
        rate, error = step.pace / plan.table.time, step.capture_error
        own = w.settings
        aimed = complex((1.0 + own.sole_ahead) * error.real, (1.0 + own.sole_aside) * error.imag)
        aimed += w.planner.cop_bias(plan.speed)
        pressure = w.felt.soles[stance].anchor + (pressed_at + aimed) * frame
        contacts = w.pressure.stepping(state, pressure, now, rate)
        lift = w.hips.lift(state, own, now, min(rate, BOBS / plan.table.time), since)
        lift += around.ground.rise(plan.reference.frequency**2 * (w.felt.place - pressure))
        rotations, angular_velocities, angular_accelerations = self._styled(command, now, rate)
        lean(rotations, around.ducking.leans, around.ducking.share, command.heading)
        lean(rotations, *around.ground.leans(w.carried), command.heading)
        w.lean(state, command, rotations, angular_velocities, angular_accelerations)
        for side in step.down:
            self._ground_foot(state, side, now, rate, rotations, angular_velocities, angular_accelerations)
        self.swing(state, command, now, since, rotations, angular_velocities, angular_accelerations)
        legs = [LegUse.FREE, LegUse.FREE]
        for side in step.down:
            legs[side] = LegUse.ROLLS if side != stance or step.on_toes else LegUse.BEARS
        if self._comes_down:
            legs[stance] = LegUse.YIELDS
        if self._light:
            legs[stance] = LegUse.FREE
        pitch, pitch_rate = now.pitches[stance], now.pitch_rates[stance] * rate
        return Desired(
            rotations, angular_velocities, angular_accelerations, lift, contacts, (legs[0], legs[1]), pitch, pitch_rate
        )

    def swing(
        self, state: BodyState, command: Command, now: Moment, since: float, rotations: Array,
        angular_velocities: Array, angular_accelerations: Array,
    ) -> None:  # fmt: skip
        """Fill in what a leg in the air does: (L, 3, 3), (L, 3), (L, 3). Both feet are down: nothing."""

    def eased(self, state: BodyState, desired: Desired, torques: Array) -> None:
        """Hold a foot that has struck with its heel as it rolls down, or it would clap down on the ground.

        torques (L, 3): of the joints, changed in place. The shin is pulled ahead by it, and so the knee bends.
        """
        w, step = self.walker, self.walker.step
        leg, pitch = w.legs[step.stance], w.felt.soles[step.stance].pitch
        if pitch > -ROLL.rocking or step.phase > ROLL.ends or w.settings.backs:
            return
        axis = state.matrices[leg.foot, :, 1]
        fast = float(axis @ state.angular_velocities[leg.foot]) - desired.pitch_rate
        moment = min(max(ROLL.stiffness * (desired.pitch - pitch) - ROLL.damping * fast, -ROLL.most), 0.0)
        torques[leg.foot] += axis * moment
        # While it bears less than what its ankle counts on it would tip over its heel's edge.
        lacks = 1.0 - w.pressure.bears(step.stance)
        along, up = state.matrices[leg.foot, :, 0], desired.rotations[leg.toes, :, 2]
        moment = ROLL.stiffness * float(state.matrices[leg.foot, :, 1] @ up)
        moment += ROLL.damping * float(along @ state.angular_velocities[leg.foot])
        torques[leg.foot] -= lacks * along * min(max(moment, -ROLL.most), ROLL.most)

    @property
    def _has_struck(self) -> bool:
        """Whether both feet are down since the one in front struck, on level ground, heel first and undisturbed."""
        w, step = self.walker, self.walker.step
        if step.swinging or step.given.constrained or step.on_toes or step.recovers:
            return False
        return bool(w.log.strikes)

    @property
    def _light(self) -> bool:
        """Whether the foot that has struck bears all but nothing yet: its leg holds it there, or it would slide."""
        w = self.walker
        return self._has_struck and w.feet.now[w.step.stance] < LIGHT * w.feet.weight

    @property
    def _comes_down(self) -> bool:
        """Whether the foot in front rolls down on its heel, and its leg bends as the style has it.

        Left to what the body needs, its knee straightens, for it bears little yet. As the foot is flat the straight leg
        throws its side of the pelvis up, and back: that lists too far, and turns the other way round.
        """
        w, own = self.walker, self.walker.settings
        if not self._has_struck or own.backs or own.is_captured:
            return False
        return w.felt.soles[w.step.stance].pitch < -ROLL.bending

    def _tilt(self, state: BodyState, now: Moment) -> None:
        """Tilt feet on the ground as the body needs them, not as the style has them alone; now: changed in place."""
        w, step = self.walker, self.walker.step
        plan, stance = step.plan, step.stance
        if not step.swinging:
            now.pitches[1 - stance] += step.flatter
        for side in step.down:
            if abs(plan.ahead) < FLAT_SPEED:
                now.pitches[side] = now.pitch_rates[side] = 0.0
            yields = w.hips.yielding(state, side)
            if yields > now.pitches[side]:
                now.pitches[side], now.pitch_rates[side] = yields, 0.0
        if plan.table.on_toes:
            stays = HEEL.up(step.capture_error.real)
            now.pitches[stance] *= stays
            now.pitch_rates[stance] *= stays

    def _styled(self, command: Command, now: Moment, rate: float) -> tuple[Array, Array, Array]:
        """Return what the style has: orientations (L, 3, 3), rates (L, 3), accelerations (L, 3), world axes."""
        step, heading = self.walker.step, yawed(command.heading)
        rotations = np.asarray(heading @ now.rotations)
        self.walker.posture.rotations = now.rotations
        going = rate if step.phase <= 1.0 else 0.0
        angular_velocities, angular_accelerations = now.motion @ heading.T
        angular_velocities *= going
        angular_velocities[:, 2] += command.turn
        # As the phase is hurried they would grow so that the hips could not hold against them, and the pelvis tips.
        angular_accelerations *= going**2 * (1.0 - max(step.urgency, step.disturbance) * softly(step.phase, EASING))
        return rotations, angular_velocities, angular_accelerations

    def _ground_foot(
        self, state: BodyState, side: int, now: Moment, rate: float, rotations: Array,
        angular_velocities: Array, angular_accelerations: Array,
    ) -> None:  # fmt: skip
        """Fill in what a foot on the ground does, (L, 3, 3), (L, 3), (L, 3), and the leg behind, rolling on its toes.

        Where it stands on its toes the other leg is led, too: a heel that is up is held by what the leg does, not by
        the ground, and with each strike it sank to half of its height.
        """
        w, step = self.walker, self.walker.step
        leg, sole, pitch = w.legs[side], w.felt.soles[side], now.pitches[side]
        footing = w.around.ground.footing(side)
        angular_accelerations[leg.span] = 0.0
        rotations[leg.foot], rotations[leg.toes] = (
            footing.turned(faced(sole.yaw, pitch)),
            footing.turned(yawed(sole.yaw)),
        )
        angular_velocities[leg.foot] = angular_velocities[leg.toes] = 0.0
        anchor = sole.anchor
        if side == step.stance and self._light:
            anchor = step.anchor
        elif side == step.stance and not (step.on_toes or self._comes_down):
            return
        angular_velocities[leg.foot] = rotations[leg.foot, :, 1] * (now.pitch_rates[side] * rate)
        edge = leg.heel if pitch < 0.0 else leg.ball
        at = anchor + edge * sole.ahead
        below = np.array((at.real, at.imag, footing.at(at)))
        hip, bones = state.origins[leg.thigh], leg.bones
        if side != step.stance or not (self._comes_down and w.around.ground.level):
            ankle = below - rotations[leg.foot] @ (edge, 0.0, -leg.ankle_height)
            rotations[bones] = leg_rotations(leg, hip.tolist(), ankle.tolist(), sole.yaw)
            return
        # It goes with hip and foot as they are: led elsewhere it would lift the foot that is to take the weight.
        arm = faced(sole.yaw, sole.pitch) @ (-edge, 0.0, leg.ankle_height)
        (x, y, z), (u, v, w) = state.angular_velocities[leg.foot].tolist(), arm.tolist()
        moves = np.array((y * w - z * v, z * u - x * w, x * v - y * u))
        rotations[bones], angular_velocities[bones] = leg_rates(
            leg, (hip, state.velocity_at(leg.thigh, hip)), (below + arm, moves), sole.yaw, ROLL.fastest
        )


@phase
class DoubleSupport(Stepping):
    """Both feet down. It ends as the foot behind lifts, or with standing."""

    name = "double_support"

    def advance(self, state: BodyState, command: Command) -> str:
        """Move the phase on; stop or lift when it is time to."""
        w, step = self.walker, self.walker.step
        pace = handing_over(step.capture_error.real) if step.given.constrained else 1.0
        table, side = step.plan.table, 1 - step.stance
        step.phase += w.time.passed / table.time * pace
        if self._can_stop(command):
            return "standing"
        load, weight = w.feet.loads[side], w.feet.weight
        free = load < LIFTS.free * weight and step.phase > 0.5 * table.double
        free = free or load < step.urgency * LIFTS.urgent * weight
        on_tip = load < LIFTS.laden * weight and w.felt.soles[side].pitch > LIFTS.on_tip
        return SingleSupport.name if free or on_tip or step.phase > table.double else self.name

    def _can_stop(self, command: Command) -> bool:
        """Return whether it shall stop, and can stand on both feet now."""
        w, felt = self.walker, self.walker.felt
        if not w.step.plan.stops and (command.left >= STOP.left or command.speed > STOP.speed):
            return False
        if min(w.feet.loads) < STOP.load * w.feet.weight or max(abs(s.pitch) for s in felt.soles) > STOP.level:
            return False
        left, right = (sole.middle(leg) for sole, leg in zip(felt.soles, w.legs, strict=True))
        capture = felt.place + felt.velocity / felt.frequency
        share = ((capture - right) / (left - right)).real
        ahead = ((capture - 0.5 * (left + right)) / cmath.exp(1j * command.heading)).real
        sole = min(leg.ball - leg.heel for leg in w.legs)  # what is beyond it topples, however slowly
        return STOP.between < share < 1.0 - STOP.between and abs(ahead) < STOP.ahead * sole


@phase
class SingleSupport(Stepping):
    """One foot in the air. It ends as that foot strikes."""

    name = "single_support"

    def __init__(self, walker: Walker) -> None:
        super().__init__(walker)
        self._renewals: list[float] = []

    def begin(self, state: BodyState, command: Command) -> None:
        """Let the foot behind swing."""
        w, step = self.walker, self.walker.step
        side = 1 - step.stance
        self._renewals = [] if step.given.constrained else list(RENEWED)
        if step.swinging:  # as behind a flight: its swing goes on
            return
        begin_swing(w, state, command)
        step.down = (step.stance,)
        w.log.lift(state.time, side)

    def advance(self, state: BodyState, command: Command) -> str:
        """Move the phase on; land when it is time to."""
        w, step = self.walker, self.walker.step
        side = 1 - step.stance
        step.phase += w.time.passed / step.plan.table.time * step.pace
        if not self._strikes(side):
            return self.name
        w.log.strike(state.time, side)
        begin_next(w, state, command, side)
        return DoubleSupport.name

    @property
    def holds(self) -> bool:
        """Whether the one foot is well on the ground, the other one well off it, and nothing to recover from."""
        step = self.walker.step
        return HOLDS[0] < step.phase < HOLDS[1] and not step.recovers

    def _strikes(self, side: int) -> bool:
        """Return whether the swing foot strikes now; an earlier touch is a scuff."""
        w, phase = self.walker, self.walker.step.phase
        if phase > STRIKES.none:
            return True
        if w.feet.now[side] <= STRIKES.load * w.feet.weight:
            return False
        if phase > STRIKES.any_touch:
            return True
        near = abs(w.felt.soles[side].anchor - w.step.target.foothold) < STRIKES.close
        return phase >= STRIKES.near and near

    def swing(
        self, state: BodyState, command: Command, now: Moment, since: float, rotations: Array,
        angular_velocities: Array, angular_accelerations: Array,
    ) -> None:  # fmt: skip
        """Fill in what the leg in the air does: (L, 3, 3), (L, 3), (L, 3)."""
        w, step, hands = self.walker, self.walker.step, self.walker.around.hands
        plan, stance = step.plan, step.stance
        rate = step.pace / plan.table.time
        left = max(1.0 - step.phase, 0.0) * plan.table.time / step.pace
        if self._renewals and step.phase > self._renewals[0]:
            del self._renewals[0]
            w.planner.renew(plan, command, left, early(w))
            lead_on(w, command)
        leg, ground = w.legs[1 - stance], w.around.ground
        hip = complex(*state.origins[leg.thigh, :2].tolist()) + left * w.felt.velocity
        low = w.hips.least(state, left) + float(state.origins[leg.thigh, 2] - state.origins[0, 2])
        low -= ground.datum
        seen = SwingStep(
            plan=plan, settings=w.settings, command=command, phase=step.phase, rate=rate, now=now, left=left,
            since=since, origin=w.felt.soles[stance].anchor, ground=ground.height, capture_error=step.capture_error,
            hip=hip, low=low, reach=REACH.step * w.character.leg_length, early=early(w), urgency=step.urgency,
            disturbance=step.disturbance, burdened=hands.burdened, aim=step.aim,
        )  # fmt: skip
        step.target = step.swing.target(seen)
        step.swing.refer(state, seen, step.target, rotations, angular_velocities, angular_accelerations)
