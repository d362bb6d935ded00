"""One gait after another: which one a walk is in, where in its graph, and what it waits for (Yin 2007, section 7.1)."""

from __future__ import annotations

from collections.abc import Sequence

from ..shared.controlled_body import ControlledBody
from ..shared.cues import CueSchedule, GaitCue
from ..shared.instant import Instant
from ..shared.legs import LEFT
from ..shared.pose_graph import Machine
from ..shared.root_torque import RootTorque
from .fitted import FittedGait
from .settings import Gait

ENDING_REACH = 8.0  # m from the path's end within which a lower speed means that it shall stop, not turn
PAUSE_BRAKING = 0.25  # m/s2 with which it slows down before a gait on both feet


class GaitSequence:
    """The gaits of one walk: those of its cues, then those through which it slows down to stop."""

    def __init__(self, body: ControlledBody, cues: Sequence[GaitCue[Gait]], ending: Sequence[Gait]) -> None:
        """cues: in the order of their times, at least one. Raises DataError for an unknown angle."""
        root_torque = RootTorque(body.character, body.legs)
        fitted: dict[int, FittedGait] = {}
        for gait in (*(cue.gait for cue in cues), *ending):
            if id(gait) not in fitted:
                fitted[id(gait)] = FittedGait(gait, body.character, body.legs, root_torque, body.step)
        self.cues = CueSchedule(
            [GaitCue(cue.time, fitted[id(cue.gait)], cue.steps, cue.speed, cue.place) for cue in cues]
        )
        self._ending, self._last_end = [fitted[id(gait)] for gait in ending], -1
        self.fit = self.cues.now.gait
        """The gait that is walked now, on this body."""
        self.level = 0
        """Which of its levels of speed."""
        self.machine = Machine(self.fit.graph(0, LEFT))
        """Where in its graph the body is."""
        self.pausing: float | None = None
        """The speed, m/s, desired while it slows down to stand before a gait on both feet; None where it does not."""
        self.between = False
        """Whether it stands after a gait on both feet, and is to walk on."""

    @property
    def gait(self) -> Gait:
        """The gait that it walks now."""
        return self.fit.gait

    @property
    def can_rest(self) -> bool:
        """Whether it can slow down and stand at a path's end: a gait can that goes at any speed down to none."""
        last = self._ending[-1] if self._ending else self.cues.cues[-1].gait
        return last.gait.slowest <= 0.0

    @property
    def can_wait(self) -> bool:
        """Whether it can stand now and walk on afterwards, in the gait that it walks."""
        return self.gait.slowest <= 0.0 and self._last_end < 0

    def desired_speed(self, speed: float) -> float:
        """Return the speed, m/s, to walk at for a commanded one: what its gait can do, or its cue says."""
        gait, physique = self.gait, self.fit.physique
        if self.pausing is not None:
            return max(self.pausing, gait.slowest)
        desired = (self.cues.now.speed or speed) * (physique.speed if physique else 1.0)
        return min(max(desired, gait.slowest), gait.fastest)

    def brake(self, step: float) -> None:
        """Slow down for ``step`` s where it is to stand before a gait on both feet."""
        if self.pausing is not None:
            self.pausing = max(self.pausing - PAUSE_BRAKING * step, 0.0)

    def set_off(self, stance: int) -> None:
        """Begin the gait from standing, on a stance leg."""
        self.between = False
        self.machine = Machine(self.fit.graph(0, stance), stance)
        self._pause_anticipation()

    def begin_step(self, now: Instant) -> None:
        """Take the graph for the speed that is desired now."""
        self.level = self.gait.level_of(now.command.speed)
        self.machine.graph = self.fit.graph(self.level, self.machine.stance)

    def begin_paused(self) -> None:
        """Go over to the gait on both feet that it has slowed down for."""
        self.pausing = None
        self._take(self.cues.go_on())

    def change(self, now: Instant, stepped: bool, speed: float) -> bool:
        """Go over to the gait that is due, into the state that would have come next; return whether it does.

        A gait on both feet is begun as from the start: the body slows down and stands before it, and after it, if it is
        gone through but some times. Such a one begins with a step, and is ended whole. stepped: whether the stance leg
        changed. speed: of the centre of mass, m/s.
        """
        fit = self._due(now, stepped, speed)
        if fit is self.fit:
            return False
        self._take(fit)
        self.level = fit.gait.level_of(now.command.speed)
        machine = self.machine
        machine.graph = fit.graph(self.level, machine.stance)
        if machine.index >= len(machine.graph):
            machine.index = 0
            machine.stance = 1 - machine.stance
            machine.graph = fit.graph(self.level, machine.stance)
        return True

    def _due(self, now: Instant, stepped: bool, speed: float) -> FittedGait:
        """Return the gait to go over to now, or the present one."""
        command = now.command
        if self._ends(now, speed):
            if command.speed < self.gait.slowest and self._last_end + 1 < len(self._ending):
                self._last_end += 1
                return self._ending[self._last_end]
            return self.fit
        due = self.cues.due(now.state.time, command.arc)
        if due is None:
            return self.fit
        if due.gait.gait.on_both_feet and not self.gait.on_both_feet:
            if self.pausing is None:
                self.pausing = command.speed
            return self.fit
        if due.gait.gait.passes and not stepped:
            return self.fit
        once = self.gait.on_both_feet and self.gait.passes
        fit = self.cues.go_on()
        self.between = bool(once and not fit.gait.on_both_feet)
        return fit

    def _ends(self, now: Instant, speed: float) -> bool:
        """Return whether it goes through the gaits that end its walk."""
        command, slowest = now.command, self.gait.slowest
        braking = max(slowest, speed) ** 2 / (2.0 * self.gait.steering.braking)  # m
        near = command.speed < 0.999 * slowest and command.left < min(braking, ENDING_REACH)
        return self._last_end >= 0 or (bool(self._ending) and near)

    def _take(self, fit: FittedGait) -> None:
        self.fit = fit
        self._pause_anticipation()

    def _pause_anticipation(self) -> None:
        if self.fit.anticipation:
            self.fit.anticipation.pause()
