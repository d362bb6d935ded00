"""A body in a world of another size than its own: lengths, times and masses of its own reference size on this side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..base.spatial import Array
from ..control.shared.grips import Grip
from ..control.shared.state import BodyState
from .body import Body
from .engine import Engine


@dataclass(frozen=True)
class Units:
    """How much larger a body's own units are than the world's: length, time, mass. Gravity is the same in both."""

    length: float
    time: float
    mass: float

    @property
    def force(self) -> float:
        """Of forces."""
        return self.mass * self.length / self.time**2


SAME = Units(1.0, 1.0, 1.0)
"""Of a body in its own world."""


class Sized:
    """An engine as a controller of another size sees it: what is read and what is set is in that one's units.

    The methods are those of ``Engine``, see there.
    """

    def __init__(self, engine: Engine, units: Units) -> None:
        self._engine, self._units = engine, units
        self._torque = units.force * units.length
        self.last = self._own(engine.last)

    @property
    def time(self) -> float:
        """S."""
        return self._engine.time / self._units.time

    def state(self) -> BodyState:
        """Return the body's state now."""
        self.last = self._own(self._engine.state())
        return self.last

    def _own(self, own: BodyState) -> BodyState:
        """Return a state of the engine's in units of this side."""
        u = self._units
        return BodyState(
            self.time, own.origins / u.length, own.matrices, own.coms / u.length,
            own.velocities * (u.time / u.length), own.angular_velocities * u.time, own.loads / u.force,
        )  # fmt: skip

    def pose(self) -> tuple[Array, Array]:
        """Return the mid-hip (3,) and the orientation of each link (L, 4) in the last state."""
        root, rotations = self._engine.pose()
        return root / self._units.length, rotations

    def place(self, origins: Array, rotations: Array, velocity: Sequence[float] = (0.0, 0.0, 0.0)) -> None:
        """Put the body in a pose."""
        u = self._units
        self._engine.place(origins * u.length, rotations, [v * u.length / u.time for v in velocity])

    def apply(self, torques: Array, matrices: Array) -> Array:
        """Set each joint's torque; return what its axes let through."""
        return self._engine.apply(torques * self._torque, matrices) / self._torque

    def again(self) -> None:
        """Apply the last torques for the next physics step, too."""
        self._engine.again()

    def push(self, link: int, force: Sequence[float], point: Sequence[float] | None = None) -> None:
        """Apply a force on a link for the next physics step."""
        u = self._units
        at = None if point is None else [value * u.length for value in point]
        self._engine.push(link, [value * u.force for value in force], at)

    def touched(self) -> bool:
        """Return whether a companion has pushed the body."""
        return self._engine.touched()

    def deep(self) -> float:
        """Return how deep it is in any thing or companion."""
        return self._engine.deep() / self._units.length

    def things(self) -> Array:
        """Return place and orientation of each prop's frame now."""
        found = self._engine.things()
        found[:, :3] /= self._units.length
        return found

    def grip(self, grips: Sequence[Grip]) -> None:
        """Let links hold props from now on."""
        u = self._units
        self._engine.grip([self._larger(grip, u) for grip in grips])

    @staticmethod
    def _larger(grip: Grip, units: Units) -> Grip:
        x, y, z = (value * units.length for value in grip.point)
        return replace(grip, point=(x, y, z), strength=grip.strength * units.force)

    def steady(self) -> None:
        """Apply what hands twist a prop with."""
        self._engine.steady()

    def blow(self, time: float) -> None:
        """Apply what winds do."""
        self._engine.blow(time * self._units.time)

    def touch_itself(self) -> None:
        """Let links touch each other from now on."""
        self._engine.touch_itself()

    def step(self) -> None:
        """Advance by one control step, in a trial."""
        self._engine.step()

    def tried(self, run: Callable[[], None]) -> None:
        """Call ``run``, and put the world back as it was."""
        last = self.last
        try:
            self._engine.tried(run)
        finally:
            self.last = last


def in_units(engine: Engine, units: Units) -> Body:
    """Return an engine as a controller in other units sees it."""
    return engine if units == SAME else Sized(engine, units)
