"""Path following: what speed and heading to command, given where the body is on its path."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...base.fields import Fields
from ...world.path import LIMITS_GRID, Path


@dataclass(frozen=True)
class Command:
    """What a walk should do now. speed: m/s along ``heading`` (rad, unwrapped); drift: m/s to the left of it.

    turn: rad/s, how fast the heading changes. arc: arc length reached, m. left: path left to walk, m.
    """

    speed: float
    heading: float
    drift: float
    turn: float
    arc: float
    left: float


class Steering:
    """Follows a path with a rate-limited heading, a ramped speed, slower in sharp bends, and a stop at its end."""

    def __init__(self, path: Path, settings: Mapping[str, Any], speed: float, start: float, stop: bool) -> None:
        """Take the preset's ``steering`` settings. speed: desired, m/s; may be changed. start: m along the path."""
        self._path, self.speed, self._stop = path, speed, stop
        self.adopt(settings)
        self._turn = 0.0
        self._arc = start
        self._offset = 0.0
        self._commanded = 0.0
        self.heading = float(path.heading(start, 0.1))
        self._time = 0.0

    def adopt(self, settings: Mapping[str, Any]) -> None:
        """Lead by other ``steering`` settings from now on. Raises DataError naming a wrong one."""
        f = Fields(settings, "preset.steering")
        self._acceleration = f.number("acceleration", 0.05, 10.0, 0.5)  # m/s2
        self._braking = f.number("braking", 0.05, 10.0, 0.5)  # m/s2
        self._turn_limit = f.number("turn_limit", 0.1, 10.0, 2.0)  # rad/s (Coros 2010, section 6)
        self._preview = f.number("preview", 0.0, 5.0, 0.6)  # s, how early a bend is turned into
        self._lag = f.number("lag", 0.0, 5.0, 0.0)  # s by which the body's speed follows late
        self._pull = f.number("pull", 0.0, 10.0, 1.0)  # rad of heading for each m beside the path
        self._drift = f.number("drift", 0.0, 10.0, 0.8)  # m/s sideways for each m beside the path
        self._memory = f.number("memory", 0.01, 10.0, 0.5)  # s, averages out the sway of a step
        self._quickness = f.number("quickness", 0.5, 50.0, 6.0)  # 1/s, of turning
        self._swerve = f.number("swerve", 0.1, 100.0, 2.0)  # rad/s2, how fast a turn begins and ends
        self._rounding = f.number("rounding", 0.1, 5.0, 0.8)  # m of path over which its direction is averaged
        self._fastest = self._speed_limits(
            f.number("sideways", 0.05, 10.0, 0.75),  # m/s2 towards the inside of a bend
            f.number("swivel", 0.05, 10.0, 1.0),  # rad/s
        )

    def _speed_limits(self, sideways: float, swivel: float) -> list[float]:
        """Return the path's speed limits, m/s, low enough to brake before bends too."""
        limits: list[float] = self._path.speed_limits(sideways, swivel, self._rounding).tolist()
        for i in range(len(limits) - 2, -1, -1):
            limits[i] = min(limits[i], math.sqrt(limits[i + 1] ** 2 + 2.0 * self._braking * LIMITS_GRID))
        return limits

    def _speed_limit(self) -> float:
        """Return the highest speed, m/s, at the place that is reached."""
        i = min(int(self._arc / LIMITS_GRID), len(self._fastest) - 2)
        share = self._arc / LIMITS_GRID - i
        return (1.0 - share) * self._fastest[i] + share * self._fastest[i + 1]

    def start_pose(self) -> tuple[float, float, float]:
        """Return x, y, m, and heading, rad, of the start."""
        return *self._path.point(self._arc), self.heading

    def command(self, x: float, y: float, time: float, moving: bool) -> Command:
        """Return the command at ``time`` s of a body whose mid-hip is at x, y, m.

        moving: whether it walks; the speed ramps up only while it does.
        """
        path, step = self._path, time - self._time
        self._time = time
        self._arc = path.nearest((x, y), max(self._arc - 0.3, 0.0), self._arc + 0.7)
        left = path.length - self._arc
        along = path.direction(self._arc, 1e-3)
        px, py = path.point(self._arc)
        beside = -(x - px) * math.sin(along) + (y - py) * math.cos(along)
        self._offset += (beside - self._offset) * min(step / self._memory, 1.0)
        limit = min(self.speed, self._speed_limit())
        if self._stop:
            near = left - self._lag * self._commanded  # what is left once the body follows it
            limit = min(limit, math.sqrt(2.0 * self._braking * max(near, 0.0)))
        self._commanded = min(self._commanded + self._acceleration * step, limit) if moving else 0.0
        ahead = min(self._arc + self._commanded * self._preview, path.length) if self._stop else self._arc
        desired = path.direction(ahead, self._rounding) - math.atan(self._pull * self._offset)
        # Followed as by a critically damped spring: a bend begins and ends softly, and noise of the body's sway
        # does not reach the feet.
        error = math.remainder(desired - self.heading, 2.0 * math.pi)
        pull = self._quickness**2 * error - 2.0 * self._quickness * self._turn
        pull = min(max(pull, -self._swerve), self._swerve)
        self._turn = min(max(self._turn + pull * step, -self._turn_limit), self._turn_limit) if moving else 0.0
        self.heading += self._turn * step
        drift = -min(max(self._drift * self._offset, -0.2), 0.2) * min(self._commanded / 0.3, 1.0)
        return Command(self._commanded, self.heading, drift, self._turn, self._arc, left)
