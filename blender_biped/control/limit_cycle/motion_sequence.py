"""One motion after another, each gone over into over some steps (Laszlo 1996, section 5.2)."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.spatial import Array
from ...character.model import Character
from ..shared.cues import CueSchedule, GaitCue
from ..shared.pose_graph import GraphPart, part_of
from .posed import Fitted, Posed
from .settings import LimitCycle, Sides, between, perturbed


class MotionSequence:
    """The motions of one walk: those of its cues, the present one, and the one before it."""

    def __init__(self, character: Character, cues: Sequence[GaitCue[LimitCycle]], step: float) -> None:
        """cues: in the order of their times, at least one. step: s between control steps. Raises DataError."""
        fitted: dict[int, Fitted] = {}
        for cue in cues:
            if id(cue.gait) not in fitted:
                fitted[id(cue.gait)] = Fitted(cue.gait, character, step)
        self._cues = CueSchedule(
            [GaitCue(cue.time, fitted[id(cue.gait)], cue.steps, cue.speed, cue.place) for cue in cues]
        )
        self.fit = self._before = self._cues.now.gait
        """The present motion, on this body."""
        self.entered = 0
        """Steps since it was gone over to."""

    @property
    def motion(self) -> LimitCycle:
        """The present motion."""
        return self.fit.motion

    @property
    def before(self) -> LimitCycle:
        """The motion before it; the same for the first one."""
        return self._before.motion

    @property
    def all(self) -> list[LimitCycle]:
        """Each cue's, in their order."""
        return [cue.gait.motion for cue in self._cues.cues]

    @property
    def share(self) -> float:
        """How far it has gone over to its present motion, 0..1."""
        entering = self.motion.entering
        return 1.0 if self._before is self.fit else min((self.entered + 1) / (entering + 1), 1.0)

    @property
    def can_rest(self) -> bool:
        """Whether it can slow down and stand at a path's end: a motion that begins in mid-step ends so."""
        last = self.all[-1]
        return last.start is None and last.slowest <= 0.0

    def desired_speed(self, speed: float) -> float:
        """Return the speed, m/s, to walk at for a commanded one: what its motion can do, or its cue says."""
        return min(max(self._cues.now.speed or speed, self.motion.slowest), self.motion.fastest)

    def change(self, time: float, arc: float) -> bool:
        """Go over to the motion that is due at ``time`` s, ``arc`` m along the path; return whether it is another."""
        if self._cues.due(time, arc) is None:
            return False
        fit = self._cues.go_on()
        if fit is self.fit:
            return False
        self._before, self.fit, self.entered = self.fit, fit, 0
        return True

    def part(self) -> GraphPart | None:
        """Return the part of the present motion that the step which begins goes through; None behind its end."""
        return part_of(self.motion.parts, self.entered)

    def graphs(self, part: GraphPart, turn: float) -> Sides:
        """Return the graphs of the step that begins, not balanced yet. turn: scale of the turning graph."""
        graphs, share = part.graphs, self.share
        if share < 1.0:
            graphs = between(self.before.parts[-1].graphs, graphs, share)
        turning = self.motion.turning
        return perturbed(graphs, turning.relative, turn) if turning else graphs

    def begin(self, body: Posed, graphs: Sides, scalings: Array) -> None:
        """Let a body begin the step with its perturbations, scaled by K (N,)."""
        for dimension, scaling in zip(self.motion.dimensions, scalings.tolist(), strict=True):
            graphs = perturbed(graphs, dimension.relative, scaling)
        body.begin(self.fit, graphs[body.machine.stance])

    def stepped(self) -> None:
        """A step of the present motion has begun."""
        self.entered += 1
        self._cues.steps += 1
