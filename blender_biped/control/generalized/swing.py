"""Where the swing foot goes: foot placement by the inverted pendulum and the way there (Coros 2010, 3.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ...base.curves import softly
from ...base.spatial import Array
from ..shared.instant import Instant
from ..shared.inverse_kinematics import Rows, leg_orientations
from ..shared.legs import RIGHT, Leg
from .pendulum import frequency, speed_offset, stop_distance, swayed, width_offset
from .settings import Settings
from .step_clock import StepClock

Vector = tuple[float, float, float]
Target = tuple[tuple[float, ...], ...]
"""A link's reference orientation and, in the last column, its angular velocity, rad/s: (3, 4), world axes."""

REACH = 0.6  # longest step from the centre of mass, share of the leg (section 3.2)
LOWEST_LIFT = 0.5  # share of the lift that a slow walk keeps
OFFSET_FADE = 0.6  # share of the swing in which the leg comes from its real pose to the style's
AIM = (0.1, 0.75)  # shares of the swing between which the style's pose gives way to the landing place
CLEARANCE = 0.02  # m between the sole of a swinging foot that is as long as people's and the ground
CLEARING = (0.2, 0.2)  # shares of the swing in which it gets there, and comes down from there
CLIMBED = 0.45  # share of a swing after which a foot is as high as where it lands
SINK = 0.3  # m for a phase of 1 that a late foot searches downwards
DEEPEST_SEARCH = 0.045  # m that it searches down to
STOPPING = 0.4  # m/s under which feet are set apart for standing
LIFTED = 0.25  # m that the ankle is lifted more in the middle of a swing where the knees are lifted in full
FASTEST_LINK = 8.0  # rad/s that the swing leg's links may be made to turn


@dataclass(frozen=True)
class SwingStart:
    """How a swing begins. ankle: its place, world, m, at ``phase`` of the step.

    pitch: how much more the foot pitches than its trajectory says, rad. yaw: how far it has stayed behind the body's
    turn, rad.
    """

    ankle: Vector
    phase: float
    pitch: float
    yaw: float


@dataclass(frozen=True)
class GroundAhead:
    """Ground that is not flat under a swing. under, landing: its height, m, under the ankle now, and where that lands.

    clear: how high the ankle must be, m, for the sole as it is now to touch nothing, here and just ahead.
    """

    under: float
    clear: float
    landing: float


class SwingFoot:
    """One swing of one leg, from the place where its foot left the ground."""

    def __init__(
        self,
        settings: Settings,
        leg: Leg,
        side: int,
        start: SwingStart,
        amplitude: float,
        clearance: float = CLEARANCE,
    ) -> None:
        """side: LEFT or RIGHT. amplitude: of the lift. clearance: between sole and ground in mid-swing, m."""
        self._settings, self._leg, self._clearance = settings, leg, clearance
        self._start, self._begin, self._pitch, self._yaw = start.ankle, start.phase, start.pitch, start.yaw
        self._offset: tuple[float, float] | None = None
        self._amplitude = max(amplitude, LOWEST_LIFT)
        self._side = -1.0 if side == RIGHT else 1.0
        self._last: tuple[Rows, Rows] | None = None

    @property
    def thigh(self) -> Rows | None:
        """The thigh's reference orientation of the last call of ``targets``."""
        return None if self._last is None else self._last[0]

    def share(self, phase: float) -> float:
        """Return how far the swing is from its start to its landing place, 0..1."""
        return self._settings.swing_share(self.done(phase))

    def done(self, phase: float) -> float:
        """Return how much of the swing's time is over, 0..1."""
        return (min(phase, 1.0) - self._begin) / max(1.0 - self._begin, 0.1)

    def pitch(self, phase: float) -> float:
        """Return what is left of the start's extra foot pitch, rad."""
        return float(self._pitch * (1.0 - self.share(phase)) ** 2)

    def yaw(self, phase: float, lead: float) -> float:
        """Return where the leg points, rad from the heading: from where it stood to ``lead``, which it lands with."""
        share = self.share(phase)
        return self._yaw * (1.0 - share) ** 2 + lead * share

    def landing(
        self, now: Instant, pivot: Vector, speed: float, clock: StepClock, ground: float, leg_length: float,
        gravity: float,
    ) -> tuple[float, float]:  # fmt: skip
        """Return where the ankle should land, world x, y, m.

        pivot: the stance ankle. speed: to hold, m/s. clock: of this step. The paper's distance is measured from where
        the centre of mass will be then: straight on in the sagittal plane, by the pendulum's sway in the coronal one.
        """
        s, command, com, velocity = self._settings, now.command, now.com, now.velocity
        step_time, left = clock.step_time, clock.left
        height = max(com[2] - ground, 0.3 * leg_length)
        heading = command.heading + command.turn * (left + s.foresight * step_time)  # that the foot will be used in
        c, sn = math.cos(heading), math.sin(heading)
        forward, sideways = velocity[0] * c + velocity[1] * sn, -velocity[0] * sn + velocity[1] * c
        rx, ry = com[0] - pivot[0], com[1] - pivot[1]
        # The weight changes feet during the double support, in effect in its middle: till then it sways on.
        until = left + 0.5 * s.double_support * step_time
        lateral, lateral_speed = swayed(-rx * sn + ry * c, sideways, until, height, gravity)
        sagittal = rx * c + ry * sn + forward * left
        ahead = sagittal + stop_distance(forward, height, gravity) - speed_offset(speed, step_time, height, gravity)
        w = frequency(height, gravity)
        half = 0.5 * step_time
        aside = lateral + lateral_speed / w + self._side * width_offset(s.width, step_time, height, gravity)
        aside -= command.drift * half * (1.0 / math.tanh(half * w) - 1.0)
        reach = REACH * leg_length
        ahead = min(max(ahead, sagittal - reach), sagittal + reach)
        # The feet must not cross, and a body that stops needs a base to stand on.
        stopping = max(0.0, 1.0 - command.speed / STOPPING)
        apart = s.clearance + (s.stand_width - s.clearance) * stopping
        ahead -= 0.5 * (self._leg.heel + self._leg.toe) * stopping  # it stands over the middle of the foot
        aside = self._side * min(max(self._side * aside, apart), reach)
        return pivot[0] + ahead * c - aside * sn, pivot[1] + ahead * sn + aside * c

    def ankle(
        self, phase: float, landing: tuple[float, float], hip: Vector, heading: float, angles: tuple[float, float],
        drop: float, ground: float, way: GroundAhead | None = None,
    ) -> Vector:  # fmt: skip
        """Return where the ankle should be now, world, m.

        At first where the style's ``angles`` (thigh's pitch in the heading frame, knee, rad) put it under the hip,
        then more and more on the way to the landing place; always so high that the sole, whose lowest point is
        ``drop`` m below the ankle now, clears the ground. ground: under the stance foot, m. way: of ground that is not
        flat, from there to the landing place.
        """
        s, leg, c, sn = self._settings, self._leg, math.cos(heading), math.sin(heading)
        thigh, knee = angles
        ahead = -leg.thigh_length * math.sin(thigh) - leg.shin_length * math.sin(thigh + knee)
        below = leg.thigh_length * math.cos(thigh) + leg.shin_length * math.cos(thigh + knee)
        x, y, z = self._start
        if self._offset is None:  # what the leg's real pose differs from the style's at the start
            self._offset = ((x - hip[0]) * c + (y - hip[1]) * sn - ahead, hip[2] - z - below)
        share, done = self.share(phase), self.done(phase)
        fade = max(1.0 - done / OFFSET_FADE, 0.0) ** 2
        ahead, below = ahead + fade * self._offset[0], below + fade * self._offset[1]
        aim = softly(done, *AIM)
        tx, ty = x + (landing[0] - x) * share, y + (landing[1] - y) * share
        flat = ground + leg.ankle_height
        late = min(max(phase - 1.0, 0.0) * SINK, DEEPEST_SEARCH)
        tz = flat + s.swing_height(min(phase, 1.0)) * self._amplitude - late
        # sideways the way to the landing place counts from the start
        along = (1.0 - aim) * ahead + aim * ((tx - hip[0]) * c + (ty - hip[1]) * sn)
        aside = -(tx - hip[0]) * sn + (ty - hip[1]) * c
        lifted = LIFTED * s.knee_lift * math.sin(math.pi * min(max(done, 0.0), 1.0)) ** 2
        lowest = ground + drop
        if way is not None:  # the style's pose is over the stance foot's ground, its heights over where the foot is
            climb = way.landing - ground
            rise = max(way.under - ground, min(climb, climb * done / CLIMBED))
            below -= rise
            tz += rise
            lowest, ground = way.clear, way.under
        clear = lowest + self._clearance * min(done / CLEARING[0], (1.0 - done) / CLEARING[1], 1.0)
        return (
            hip[0] + along * c - aside * sn,
            hip[1] + along * sn + aside * c,
            max((1.0 - aim) * (hip[2] - below) + aim * tz + lifted, clear if phase < 1.0 else ground),
        )

    def targets(
        self, hip: Vector, ankle: Vector, heading: float, angular_velocities: Array, step: float
    ) -> tuple[Target, Target]:
        """Return what thigh and shin should do now.

        angular_velocities (L, 3): the links' found ones, rad/s, which the first call keeps. step: s, since the last
        call.
        """
        out = heading - self._settings.knee_out * self._side
        thigh, shin, _ = leg_orientations(
            hip,
            ankle,
            self._leg.thigh_length,
            self._leg.shin_length,
            (-math.sin(out), math.cos(out), 0.0),
            self._leg.aside,
        )
        last, self._last = self._last, (thigh, shin)
        if last is None:
            x, y = angular_velocities[[self._leg.thigh, self._leg.shin]].tolist()
            return _with_spin(thigh, x), _with_spin(shin, y)
        return _with_spin(thigh, _spin(thigh, last[0], step)), _with_spin(shin, _spin(shin, last[1], step))


def _with_spin(turn: Rows, spin: Sequence[float]) -> Target:
    a, b, c, d, e, f, g, h, i = turn
    return ((a, b, c, spin[0]), (d, e, f, spin[1]), (g, h, i, spin[2]))


def _spin(now: Rows, last: Rows, step: float) -> Vector:
    """Return the angular velocity, rad/s, that has turned ``last`` to ``now`` in ``step`` s."""
    a, b, c, d, e, f, g, h, i = now
    p, q, r, s, t, u, v, w, x = last
    scale = 0.5 / step  # of the difference turn's antisymmetric part, which is twice the sine
    return (
        _held(scale * (g * s + h * t + i * u - d * v - e * w - f * x)),
        _held(scale * (a * v + b * w + c * x - g * p - h * q - i * r)),
        _held(scale * (d * p + e * q + f * r - a * s - b * t - c * u)),
    )


def _held(rate: float) -> float:
    return min(max(rate, -FASTEST_LINK), FASTEST_LINK)
