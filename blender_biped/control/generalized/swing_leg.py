"""The leg that swings, or trails until it does: where its foot is set down, and what its links do on the way."""

from __future__ import annotations

import math

from ...base.spatial import Array
from ...world.floor import Floor
from ..shared.angles import StyleTable
from ..shared.clock import step_policy
from ..shared.instant import Instant
from ..shared.inverse_kinematics import Rows
from ..shared.legs import RIGHT, Leg
from ..shared.slope import tilt
from ..shared.state import BodyState
from ..shared.steering import Command
from .crossing import Crossing
from .motion_generator import rows_of
from .pendulum import frequency, width_offset
from .settings import Settings
from .step_clock import StepClock, haste, patience
from .swing import CLEARANCE, GroundAhead, SwingFoot, SwingStart, Target

LOOK_AHEAD = 0.4  # m before a swing foot in which it rises over an edge
EVEN = 0.02  # m by which the ground under a sole may bend
STEEPEST = 0.5  # m/m: what is steeper under a sole is an edge
SHIFTS = tuple(s * 0.02 * k for k in range(14) for s in ((1.0, -1.0) if k else (1.0,)))  # m, the nearest first
Pair = tuple[float, float]
Vector = tuple[float, float, float]

TURN_LEAD = 0.5  # share of the step's time for which a foot is set down turned ahead


class SwingLeg:
    """One swing after another, of the legs in turn. Each call is given the stance leg."""

    def __init__(
        self, settings: Settings, legs: tuple[Leg, Leg], leg_length: float, gravity: float, step: float, floor: Floor,
        clearance: float = CLEARANCE, patient: bool = False,
    ) -> None:  # fmt: skip
        """leg_length: hip to sole, m. gravity: m/s2. step: s between control steps. floor: the ground.

        clearance: between the sole and the ground in mid-swing, m. patient: whether steps wait for the body to sway
        where their foot cannot land as near to the other one as it should.
        """
        self._patient = patient
        self.settings, self._legs, self._leg_length = settings, legs, leg_length
        self._gravity, self._step, self._floor, self._ground = gravity, step, floor, floor.level
        self._clearance = clearance
        self._flat = floor.flat
        self.under = floor.level
        """Height of the ground under the body, m, over which its pendulum is; may be changed."""
        self.crossing = Crossing((), legs)
        """What is to be stepped over; may be set."""
        self._target_steps = step_policy(step).target_steps
        self._swing: SwingFoot | None = None
        self._reaching: Rows | None = None
        self._targets: tuple[Target, Target] | None = None
        self._age = 0
        self._landing = (0.0, 0.0)

    @property
    def swings(self) -> bool:
        """Whether it is off the ground; else it trails, and pushes off."""
        return self._swing is not None

    def land(self) -> None:
        """The swing is over. Until it bears weight, the leg that lands goes on reaching forward."""
        self._reaching = self._swing.thigh if self._swing is not None else None
        self._swing = None

    def lift(
        self, state: BodyState, command: Command, stance: int, phase: float, style: StyleTable, amplitude: float
    ) -> None:
        """Begin a swing at ``phase`` of the step: the trailing foot has left the ground, or has to."""
        leg = self._legs[1 - stance]
        x, y, z = state.origins[leg.foot].tolist()
        m = state.matrices[leg.foot]
        pitch = math.atan2(-float(m[2, 0]), math.hypot(float(m[0, 0]), float(m[1, 0])))
        extra = pitch - style.foot_pitch(phase)
        yaw = foot_yaw(state, leg, command.heading)
        self._targets = None
        start = SwingStart((x, y, z), phase, extra, yaw)
        self._swing = SwingFoot(self.settings, leg, 1 - stance, start, amplitude, self._clearance)

    def plan(self, now: Instant, stance: int, clock: StepClock, speed: float) -> None:
        """Set where the foot lands (3.2), and the clock's haste. speed: to be held, m/s."""
        if self._swing is None:
            return
        clock.haste = self._haste(now, stance, clock)
        px, py, pz = now.state.origins[self._legs[stance].foot].tolist()
        if not self._flat:
            self._ground = self._floor.height(px, py)
        self._landing = self._swing.landing(
            now, (px, py, pz), speed, clock, self.under, self._leg_length, self._gravity
        )
        self._landing = self.crossing.placed(self._landing)
        if not self._flat:
            self._landing = self._foothold(self._landing, now.command.heading, self._legs[1 - stance])

    def landing_ground(self, stance: int, state: BodyState) -> float:
        """Return the height of the ground, m, where the foot will land; while it trails, that under the stance foot."""
        if self._swing is None:
            x, y, _ = state.origins[self._legs[stance].foot].tolist()
            return self._floor.height(x, y)
        return self._floor.height(*self._landing)

    def _foothold(self, place: Pair, heading: float, leg: Leg) -> Pair:
        """Return where the ankle should land in place of a place where the sole would lie over an edge.

        The nearest one along the heading where heel, middle and tip of the sole are on one even piece of ground.
        """
        c, sn = math.cos(heading), math.sin(heading)

        def even(shift: float) -> bool:
            x, y = place[0] + shift * c, place[1] + shift * sn
            heights = [self._floor.height(x + part * c, y + part * sn) for part in _parts(leg)]
            first, *_, last = heights
            bends = max(abs(h - first - (last - first) * i / (len(heights) - 1)) for i, h in enumerate(heights))
            return bends < EVEN and abs(last - first) < STEEPEST * (leg.toe - leg.heel)

        shift = next((shift for shift in SHIFTS if even(shift)), 0.0)
        return place[0] + shift * c, place[1] + shift * sn

    def _haste(self, now: Instant, stance: int, clock: StepClock) -> float:
        command, com, velocity, left = now.command, now.com, now.velocity, clock.left
        height = max(com[2] - self.under, 0.3 * self._leg_length)
        px, py, _ = now.state.origins[self._legs[stance].foot].tolist()
        heading = command.heading + command.turn * left
        c, sn = math.cos(heading), math.sin(heading)
        side = 1.0 if stance == RIGHT else -1.0
        w = frequency(height, self._gravity)
        out = side * (-(com[0] - px) * sn + (com[1] - py) * c + (-velocity[0] * sn + velocity[1] * c) / w)
        s, time = self.settings, clock.step_time
        found = haste(left, time, out, height, self._gravity, s.width, s.sway_limit)
        if found > 1.0 or not self._patient:
            return found
        least = s.clearance - width_offset(s.width, time, height, self._gravity)
        return patience(left, 0.5 * s.double_support * time, out, height, self._gravity, least)

    def heading(self, state: BodyState, command: Command, stance: int, clock: StepClock) -> float:
        """Return where the leg should point, rad.

        A foot on the ground keeps its direction while the body turns; its thigh must not wring it. It is set down
        turned ahead by what the body will turn till the middle of its stance.
        """
        if self._swing is not None:
            return command.heading + self._swing.yaw(clock.phase, TURN_LEAD * command.turn * clock.step_time)
        return command.heading + foot_yaw(state, self._legs[1 - stance], command.heading)

    def refer(
        self, reference: Array, state: BodyState, command: Command, stance: int, heading: float, clock: StepClock,
        style: StyleTable,
    ) -> None:  # fmt: skip
        """Write the leg's rows of ``reference`` (L, 3, 4). heading: of the leg, rad."""
        if self._swing is None:
            if self._reaching is not None:
                reference[self._legs[stance].thigh] = rows_of(self._reaching, command.turn)
            return
        swing, leg = self._swing, self._legs[1 - stance]
        self._age += 1
        if self._targets is None or self._age == self._target_steps:
            hx, hy, hz = state.origins[leg.thigh].tolist()
            drop = sole_drop(state, leg)
            ankle = swing.ankle(
                clock.phase, self._landing, (hx, hy, hz), command.heading, style.swing_angles(clock.phase),
                drop, self._ground, self._ahead(state, leg),
            )  # fmt: skip
            ankle = self.crossing.ankle(ankle, swing.done(clock.phase), drop, self._ground)
            self._targets = swing.targets(
                (hx, hy, hz), ankle, heading, state.angular_velocities, self._target_steps * self._step
            )
            self._age = 0
        reference[leg.thigh], reference[leg.shin] = self._targets
        if not self._flat:
            tilt(reference[leg.foot], self._floor.slope(*self._landing), swing.share(clock.phase))
        pitch = swing.pitch(clock.phase)
        if pitch:
            c, s = math.cos(pitch), math.sin(pitch)
            reference[leg.foot] = [(c * x - s * z, y, s * x + c * z, w) for x, y, z, w in reference[leg.foot].tolist()]

    def _ahead(self, state: BodyState, leg: Leg) -> GroundAhead | None:
        """Return the ground from the swing foot to where it lands; None where it is flat."""
        if self._flat:
            return None
        height, (tx, ty) = self._floor.height, self._landing
        x, y, _ = state.origins[leg.foot].tolist()
        left = math.hypot(tx - x, ty - y)
        ux, uy = ((tx - x) / left, (ty - y) / left) if left > 1e-6 else (0.0, 0.0)
        far = min(left, LOOK_AHEAD)
        sole = sole_points(state, leg)
        clear = max(
            height(x + dx + shift * far * ux, y + dy + shift * far * uy) - dz
            for dx, dy, dz in sole
            for shift in (0.0, 0.25, 0.5, 0.75, 1.0)
        )
        return GroundAhead(height(x, y), clear, height(tx, ty))


def _parts(leg: Leg) -> tuple[float, ...]:
    """Return places along a sole, m before the ankle, from its heel to its tip."""
    tip = max(leg.toe, leg.tip)
    return tuple(leg.heel + share * (tip - leg.heel) for share in (0.0, 0.25, 0.5, 0.75, 1.0))


def foot_yaw(state: BodyState, leg: Leg, heading: float) -> float:
    """Return the direction of a leg's foot, rad from ``heading``, -pi..pi."""
    (x, _, _), (y, _, _), _ = state.matrices[leg.foot].tolist()
    return math.remainder(math.atan2(y, x) - heading, 2.0 * math.pi)


def sole_drop(state: BodyState, leg: Leg) -> float:
    """Return how far the lowest point of a leg's sole is below its ankle, m."""
    (ahead, _, up), tip = state.matrices[leg.foot, 2].tolist(), float(state.matrices[leg.toes, 2, 0])
    ball = leg.ankle_height * up - leg.ball * ahead
    return max(leg.ankle_height * up - leg.heel * ahead, ball, ball - leg.before_ball * tip)


def sole_points(state: BodyState, leg: Leg) -> list[Vector]:
    """Return heel, ball and tip of a leg's sole from its ankle, m, world axes."""
    m, t = state.matrices[leg.foot], state.matrices[leg.toes]
    up = -leg.ankle_height * m[:, 2]
    ball = up + leg.ball * m[:, 0]
    points = (up + leg.heel * m[:, 0], ball, ball + leg.before_ball * t[:, 0])
    return [(x, y, z) for x, y, z in (point.tolist() for point in points)]
