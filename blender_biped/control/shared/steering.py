"""Path following: what speed and heading to command, given where the body is on its path."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...preset.declared import Advanced, number
from ...world.along import Along, Means
from ...world.path import LIMITS_GRID, Path
from ...world.path_points import FacedPoint, PathPoint, TurningPoint, waits_of

_GROUP, _PACE = Advanced("Steering"), "Speed"
_AT_WAIT = 0.4  # m before a point from which a body that stands waits there
_PLANNED = 0.1  # s for which a speed along the path is kept
_SETTING_OFF = 1.0  # s that standing bodies shift their weight before they walk, about
_AT_ONCE = 3.0  # times as hard it brakes where another gait's limits are lower
_FASTEST = 1.4  # m/s, that a gait without a range of speeds is walked at to be somewhere in time


@dataclass(frozen=True, kw_only=True)
class SteeringSettings:
    """How a walk follows its path, in numbers of the reference body."""

    acceleration: float = number(
        0.5, 0.05, 10.0, "m/s2", "Acceleration", "How fast the walk gets up to its speed", _PACE, keyed=True,
    )  # fmt: skip
    braking: float = number(
        0.5, 0.05, 10.0, "m/s2", "Braking", "How fast it slows down before bends and the path's end", _PACE,
        keyed=True,
    )  # fmt: skip
    turn_limit: float = number(  # Coros 2010, section 6
        2.0, 0.1, 10.0, "rad/s", "Fastest Turn", "How fast it turns at most", _GROUP, keyed=True,
    )  # fmt: skip
    preview: float = number(
        0.6, 0.0, 5.0, "s", "Look-Ahead", "How early it begins to turn before a bend", _GROUP, keyed=True
    )
    lag: float = number(
        0.0, 0.0, 5.0, "s", "Lag", "How late the body's speed follows as it stops", _GROUP, keyed=True,
    )  # fmt: skip
    pull: float = number(
        1.0, 0.0, 10.0, "rad/m", "Pull to the Path", "How far it turns back for each metre beside the path", _GROUP,
        keyed=True,
    )  # fmt: skip
    regain: float = number(
        10.0, 0.1, 10.0, "1/s", "Fastest Return",
        "How fast it walks back to the path at most, for each metre beside it: at a higher speed it turns less", _GROUP,
        keyed=True,
    )  # fmt: skip
    drift: float = number(
        0.8, 0.0, 10.0, "1/s", "Drift to the Path", "How fast it steps aside for each metre beside the path", _GROUP,
        keyed=True,
    )  # fmt: skip
    memory: float = number(
        0.5, 0.01, 10.0, "s", "Memory",
        "Time over which the distance from the path is averaged, so that the sway of steps does not count", _GROUP,
        keyed=True,
    )  # fmt: skip
    quickness: float = number(
        6.0, 0.5, 50.0, "1/s", "Quickness", "How quickly the heading follows the path's", _GROUP, keyed=True,
    )  # fmt: skip
    swerve: float = number(
        2.0, 0.1, 100.0, "rad/s2", "Swerve", "How abruptly a turn may begin and end", _GROUP, keyed=True,
    )  # fmt: skip
    rounding: float = number(
        0.8, 0.1, 5.0, "m", "Rounding", "Length of path over which its direction is averaged", _GROUP, keyed=True,
    )  # fmt: skip
    sideways: float = number(
        0.75, 0.05, 10.0, "m/s2", "Sideways in Bends", "Sideways acceleration in a bend above which it slows down",
        _GROUP, keyed=True,
    )  # fmt: skip
    swivel: float = number(
        1.0, 0.05, 10.0, "rad/s", "Turn in Bends", "Rate of turn in a bend above which it slows down", _GROUP,
        keyed=True,
    )  # fmt: skip

    def turned(self, turn: float, error: float, step: float) -> float:
        """Return how fast, rad/s, a heading turns after a step of time, s, that turned at a rate and errs by rad."""
        swerve, limit = self.swerve, self.turn_limit
        pull = self.quickness**2 * error - 2.0 * self.quickness * turn
        pull = -swerve if pull < -swerve else swerve if pull > swerve else pull
        turn += pull * step
        return -limit if turn < -limit else limit if turn > limit else turn


@dataclass(slots=True)
class FollowingHeading:
    """A heading, rad, and how fast it changes, rad/s."""

    angle: float
    turn: float = 0.0

    def rests(self, desired: float) -> bool:
        """Return whether it is as desired, rad, and stays so."""
        return self.angle == desired and not self.turn

    def off(self, desired: float) -> float:
        """Return how far it has to turn to a desired heading, rad, the shorter way."""
        return math.remainder(desired - self.angle, 2.0 * math.pi)

    def follow(self, desired: float, own: SteeringSettings, step: float) -> None:
        """Turn on towards a desired heading, rad, for a step of time, s."""
        self.turn = own.turned(self.turn, self.off(desired), step)
        self.angle += self.turn * step


_ABOUT, _TURNS_AT = 0.3, 0.05  # rad that it still has to turn where its path doubles back, for which it goes so, m/s
_SHORT = 0.005  # m before and behind such a place: within it ways there and back are one
BACK, ON = 0.3, 0.7
"""m of path, behind and ahead of the place that was reached, where the next one is looked for."""


@dataclass(frozen=True)
class Command:
    """What a walk should do now. speed: m/s along ``heading`` (rad, unwrapped); drift: m/s to the left of it.

    turn: rad/s, how fast the heading changes. arc: arc length reached, m. left: path left to walk, to its end or the
    next wait, m. onward: whether a body that waited walks on now. halts: whether it stands where that path ends.
    desired: m/s that it is to go at where nothing is in its way.
    """

    speed: float
    heading: float
    drift: float
    turn: float
    arc: float
    left: float
    onward: bool = False
    halts: bool = False
    desired: float = 0.0


def speed_from(start: float, arc: float, acceleration: float, desired: float) -> float:
    """Return the speed, m/s, that is commanded at a place of a straight path, m, of a walk that sets off at another.

    acceleration: m/s2. desired: m/s.
    """
    return min(math.sqrt(2.0 * acceleration * max(arc - start, 0.0)), desired)


@dataclass
class _Pause:
    """Standing on the way. since: s, when it began to. onward: whether it has waited, and walks on.

    turned: m along the path, where it has stood to turn back, until it is past that. off: rad that it has yet to turn.
    """

    since: float | None = None
    onward: bool = False
    turned: float | None = None
    off: float = 0.0


class Steering:
    """Follows a path with a rate-limited heading, a ramped speed, slower in sharp bends, and a stop at its end."""

    def __init__(
        self, path: Path, settings: SteeringSettings, speed: float, start: float, stop: bool,
        along: Sequence[PathPoint] = (),
    ) -> None:  # fmt: skip
        """Take a preset's settings. speed: desired, m/s; may be changed. start: m along the path.

        along: what is desired at places of the path, in their order.
        """
        self._path, self.speed, self._stop = path, speed, stop
        self._settings = settings
        self._fastest = self._speed_limits(settings)
        self._turn = 0.0
        self._arc = start
        self._offset = 0.0
        self._commanded = 0.0
        self.heading = float(path.heading(start, 0.1))
        self._time = 0.0
        self.can_wait = False
        """Whether the body can stand now, and walk on; may be changed. Waits are left out where it cannot."""
        self.busy = False
        """Whether the body has something else to do where it waits; may be changed."""
        self._along = Along(along) if along else None
        self._waits = waits_of(along, start)
        self._pause = _Pause()
        self._planned, self._next_plan = speed, 0.0
        self._carried = 0.0  # m/s, from before other settings

    @property
    def _pull(self) -> float:
        """How far it turns back, rad for each m beside the path.

        That times the speed is how fast it nears the path; where that is faster than its offset is averaged, it weaves.
        """
        own = self._settings
        return min(own.pull, own.regain / max(self._commanded, 1e-3))

    @property
    def goes_on(self) -> bool:
        """Whether a body that stands walks on later."""
        return bool(self._waits and self.can_wait) or self._leaves

    @property
    def _leaves(self) -> bool:
        """Whether it has waited and walks on now; where it waited at the path's end, it stays."""
        return self._pause.onward and self._path.length - self._arc > _AT_WAIT

    def desired(self, base: float, slowest: float, fastest: float, time: float) -> float:
        """Return the speed, m/s, that the points along the path desire at ``time``, s.

        base: where none of them says another, m/s. slowest, fastest: that the gait can have, m/s.
        """
        if self._along is None:
            return base
        if time >= self._next_plan:
            own, bends = self._settings, np.array(self._fastest)
            fastest = min(fastest, max(_FASTEST, base))
            means = Means(slowest, fastest, own.acceleration, own.braking, bends, _SETTING_OFF + own.lag, own.lag)
            self._planned = self._along.speed(self._arc, time, base, self._commanded, means)
            self._next_plan = time + _PLANNED
        return self._planned

    def adopt(self, settings: SteeringSettings) -> None:
        """Lead by other settings from now on. Where they allow less speed, it slows down to that."""
        if settings != self._settings:
            self._carried = self._commanded
            self._settings = settings
            self._fastest = self._speed_limits(settings)

    def _speed_limits(self, own: SteeringSettings) -> list[float]:
        """Return the path's speed limits, m/s, low enough to brake before bends too."""
        limits: list[float] = self._path.speed_limits(own.sideways, own.swivel, own.rounding).tolist()
        for i in range(len(limits) - 2, -1, -1):
            limits[i] = min(limits[i], math.sqrt(limits[i + 1] ** 2 + 2.0 * own.braking * LIMITS_GRID))
        return limits

    def _speed_limit(self) -> float:
        """Return the highest speed, m/s, at the place that is reached; of who has turned back, beyond the turn."""
        arc = self._arc if self._pause.turned is None else self._pause.turned + self._settings.rounding
        i = min(int(arc / LIMITS_GRID), len(self._fastest) - 2)
        share = min(arc / LIMITS_GRID - i, 1.0)
        return (1.0 - share) * self._fastest[i] + share * self._fastest[i + 1]

    def start_pose(self) -> tuple[float, float, float]:
        """Return x, y, m, and heading, rad, of the start."""
        return *self._path.point(self._arc), self.heading

    def _direction(self, at: float, wait: PathPoint | None) -> float:
        """Return the path's direction about a place, m, rad: as if it went on straight where hands have work ahead."""
        path, half = self._path, 0.5 * self._settings.rounding
        if self._pause.turned is not None and at < self._pause.turned + half:
            return path.direction(self._pause.turned + half, 2.0 * half)
        if not isinstance(wait, FacedPoint) or at + half <= wait.place:
            return path.direction(at, 2.0 * half)
        at = min(at, wait.place)
        along, beyond = path.direction(wait.faced, wait.span), at + half - wait.place
        (ax, ay), end = path.point(at - half), path.point(wait.place)
        return math.atan2(end[1] + beyond * math.sin(along) - ay, end[0] + beyond * math.cos(along) - ax)

    def _wait(self, time: float, moving: bool) -> PathPoint | None:
        """Return the point ahead at which it is to stand, while it has not waited there."""
        self._pause.onward = self._pause.onward and not moving
        while self._waits and not self.can_wait and self._arc > self._waits[0].place:
            self._waits.pop(0)
        if not self._waits or not self.can_wait:
            return None
        point = self._waits[0]
        if self._pause.since is None and not moving and point.place - self._arc < _AT_WAIT:
            self._pause.since = time
        if self._pause.since is not None and time - self._pause.since >= point.wait and not self.busy:
            self._waits.pop(0)
            self._pause.since, self._pause.onward = None, True
            self._arc = max(self._arc, point.place)
            self._pause.turned = point.place if isinstance(point, TurningPoint) else None
            return self._waits[0] if self._waits else None
        return point

    def _reached(self, x: float, y: float) -> float:
        """Return the place of the path, m, that is nearest to x, y, m, and near the one that was reached before.

        Who has turned back is not on the way that he came by, however near that is, and who has yet to turn is not on
        the way back.
        """
        path, before = self._path, self._arc
        ahead = self._waits[0] if self._waits and self.can_wait else None
        most = ahead.place - _SHORT if isinstance(ahead, TurningPoint) else before + ON
        found = path.nearest((x, y), max(before - BACK, 0.0), min(most, before + ON))
        if self._pause.turned is not None:
            found = path.nearest((x, y), self._pause.turned + _SHORT, before + ON)
            self._pause.turned = self._pause.turned if found < self._pause.turned + self._settings.rounding else None
            return found
        if found < before and math.cos(path.direction(found, 1e-3) - self.heading) < 0.0:
            return path.nearest((x, y), before, before + ON)
        return found

    def command(self, x: float, y: float, time: float, moving: bool) -> Command:
        """Return the command at ``time`` s of a body whose mid-hip is at x, y, m.

        moving: whether it walks; the speed ramps up only while it does.
        """
        path, own, step = self._path, self._settings, time - self._time
        self._time = time
        self._arc = self._reached(x, y)
        wait = self._wait(time, moving) if self._along is not None else None
        left = (path.length if wait is None else wait.place) - self._arc
        along = path.direction(self._arc, 1e-3)
        px, py = path.point(self._arc)
        beside = -(x - px) * math.sin(along) + (y - py) * math.cos(along)
        self._offset += (beside - self._offset) * min(step / own.memory, 1.0)
        limit = min(self.speed, self._speed_limit())
        halts = self._stop or wait is not None
        if halts:
            near = left - own.lag * self._commanded  # what is left once the body follows it
            limit = min(limit, math.sqrt(2.0 * own.braking * max(near, 0.0)))
        self._carried = max(self._carried - _AT_ONCE * own.braking * step, 0.0)
        limit = max(limit, self._carried)
        if self._pause.turned is not None and abs(self._pause.off) > _ABOUT:
            limit = min(limit, _TURNS_AT)
        self._commanded = min(self._commanded + own.acceleration * step, limit) if moving else 0.0
        ahead = min(self._arc + self._commanded * own.preview, path.length) if self._stop else self._arc
        desired = self._direction(ahead, wait) - math.atan(self._pull * self._offset)
        # Followed as by a critically damped spring: a bend begins and ends softly, and noise of the body's sway
        # does not reach the feet.
        error = self._pause.off = math.remainder(desired - self.heading, 2.0 * math.pi)
        self._turn = own.turned(self._turn, error, step) if moving else 0.0
        self.heading += self._turn * step
        drift = -min(max(own.drift * self._offset, -0.2), 0.2) * min(self._commanded / 0.3, 1.0)
        return Command(
            self._commanded, self.heading, drift, self._turn, self._arc, left, self._leaves, halts, self.speed
        )
