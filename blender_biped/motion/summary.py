"""What an animator wants to know of a walk, as plain figures: SI units, lengths as they are in the scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..job import Job
from .measures.falling import lies_still
from .measures.foot_contact import foot_slip
from .measures.gait_timing import cadence
from .measures.motion_view import LEG, MotionView
from .measures.path_following import arrival, path_deviation, steady_speed
from .motion import Attempt, Motion

Fallback = Literal["calmer", "another", "kinematic"]
Outcome = Literal["arrived", "passed", "unfinished", "stuck", "fell"]
Astray = Literal["end", "path"]

FAR = 1.0 / 3.0
"""Of the leg: farther off its path or its end a walk of no controller is accepted to be."""

_PASSED = 0.05  # m that may be left of a path whose end was passed: the way of a sample or two


@dataclass(frozen=True)
class Summary:
    """One walk in figures; None where a figure does not apply. What happens after a fall does not count.

    outcome: "arrived" (stands at the end), "passed" (still walks at the end, as the job says), "unfinished", "stuck"
    (steps on the spot before it) or "fell".
    duration: s. cpu: CPU seconds that the simulation took. fell_at: s.
    end_distance: of the mid-hip from the path's end when standing, m. left: of the path, m.
    desired_speed, speed: along the path, over steady walking, m/s.
    deviation_mean, deviation_worst: of the mid-hip, averaged over a stride, from the path, m.
    slip_median, slip_worst: of the stances, m. steps: foot strikes. cadence: steps a minute of steady walking.
    fallback: where it is not the walk that was set: "calmer" is that one at ``calmer_speed``, a share of its speeds,
    ``wider`` or not; "another" that of the controller ``fallback_style``; "kinematic" one that is not simulated, in
    that style: calmer ones failed, too.
    set_fell_at: when the one that was set fell, s; 0 for one that did not fall and did not arrive.
    lies: of a walk that falls as a ragdoll, whether the body lies still at its end.
    astray: of a walk that came to the path's end: "end" where it stands more than FAR of a leg from it, "path" where it
    was farther off the path on its way.
    """

    outcome: Outcome
    duration: float
    cpu: float
    fell_at: float | None
    end_distance: float | None
    left: float
    desired_speed: float
    speed: float | None
    deviation_mean: float | None
    deviation_worst: float | None
    slip_median: float | None
    slip_worst: float | None
    steps: int
    cadence: float | None
    fallback: Fallback | None = None
    fallback_style: str | None = None
    set_fell_at: float | None = None
    calmer_speed: float | None = None
    wider: bool | None = None
    lies: bool | None = None
    astray: Astray | None = None

    @property
    def astray_by(self) -> float | None:
        """How far it stands from the end, or was off the path, m, where it is astray; None where it is not."""
        return None if self.astray is None else {"end": self.end_distance, "path": self.deviation_worst}[self.astray]


def summarised(motion: Motion, job: Job) -> Summary:
    """Return the summary of a motion and the job that it was made from."""
    view = MotionView(motion, job)
    real = motion.character.size  # measures scale lengths to the reference leg
    deviation_mean, deviation_worst = path_deviation(view)
    slip_median, slip_worst = foot_slip(view)
    outcome, end_distance = _ended(view), arrival(view)
    return Summary(
        outcome=outcome,
        duration=motion.duration,
        cpu=motion.cpu,
        fell_at=view.fell_at,
        end_distance=_times(real, end_distance),
        left=_left(view.walk, job),
        desired_speed=job.speed,
        speed=steady_speed(view),
        deviation_mean=_times(real, deviation_mean),
        deviation_worst=_times(real, deviation_worst),
        slip_median=_times(1e-3 * real, slip_median),
        slip_worst=_times(1e-3 * real, slip_worst),
        steps=len(view.strikes),
        cadence=cadence(view),
        lies=lies_still(motion) if job.ragdoll and view.fell_at is not None and not motion.attempt else None,
        astray=_astray(end_distance, deviation_worst) if outcome in ("arrived", "passed") else None,
        **(_fallback(motion.attempt) if motion.attempt else {}),
    )


def _astray(end_distance: float | None, deviation: float | None) -> Astray | None:
    """Return where a walk was far from where it should be. Both: m, for a leg of LEG."""
    if end_distance is not None and end_distance > FAR * LEG:
        return "end"
    return "path" if deviation is not None and deviation > FAR * LEG else None


def _fallback(attempt: Attempt) -> dict[str, Any]:
    """Return what a summary says of a walk that is not the one that was set."""
    first, *calmer = attempt.before
    tried = attempt.speed if attempt.simulated else calmer[0].speed if calmer else None
    return {
        "fallback": attempt.kind, "fallback_style": attempt.label, "wider": attempt.wider, "calmer_speed": tried,
        "set_fell_at": first.time if first.how == "fell" else 0.0,
    }  # fmt: skip


def ended(motion: Motion, job: Job) -> Outcome:
    """Return how a walk ended: the one definition, for panel and tools."""
    return _ended(MotionView(motion, job))


def _ended(view: MotionView) -> Outcome:
    motion, job = view.motion, view.job
    if view.fell_at is not None:
        return "fell"
    if motion.outcome == "stuck":
        return "stuck"
    if job.stop:
        return "arrived" if motion.outcome == "arrived" else "unfinished"
    return "passed" if motion.outcome == "arrived" or _left(motion, job) < _PASSED else "unfinished"


def _left(motion: Motion, job: Job) -> float:
    """Return how much of the path is left, m."""
    return max(0.0, job.path.length - float(motion.command[-1, 2]))


def _times(scale: float, value: float | None) -> float | None:
    return None if value is None else scale * value
