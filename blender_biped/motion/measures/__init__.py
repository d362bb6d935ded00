"""The measures of a walk: figures that say how far it is from what was commanded and from how people walk.

Each is a function of a ``MotionView`` in the module of its subject, and returns a figure, or None where it does not
apply. Here they are functions of a Motion and the Job it was made from, for those who want one figure of a walk; who
wants several makes one view and asks the subjects' modules, so that what they share is found once.

Lengths are scaled to a leg of 0.90 m (hip to sole). What happens after a fall is not measured.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from ...job import Job
from .. import gait_events
from ..motion import Motion
from . import (
    falling,
    feet_in_swing,
    foot_contact,
    forces,
    gait_timing,
    leg_overlap,
    norm_comparison,
    path_following,
    shaking,
    step_variation,
    trunk_and_arms,
    upper_body,
    whole_report,
)
from .foot_contact import FLAT as FLAT
from .gait_timing import LEG_SHARE as LEG_SHARE
from .gait_timing import natural_step_length as natural_step_length
from .joint_angles import bend as bend
from .joint_angles import cycle as cycle
from .joint_angles import flexion as flexion
from .motion_view import LEG as LEG
from .motion_view import MotionView as MotionView

P = ParamSpec("P")
R = TypeVar("R")


def fell_at(motion: Motion, job: Job) -> float | None:
    """Return when it fell, s: see ``character.fallen``."""
    return MotionView(motion, job).fell_at


def before_fall(motion: Motion, job: Job) -> Motion:
    """Return what comes before a fall, at least one sample; the same motion when there is none."""
    return MotionView(motion, job).walk


def lies_still(motion: Motion, job: Job) -> bool:
    """Return whether no joint of a body that fell moves at the end of its motion: over the last quarter of a second."""
    return falling.lies_still(motion)


def steady_span(motion: Motion, job: Job) -> tuple[float, float] | None:
    """Return begin and end, s, of steady walking before a fall; see ``gait_events.steady_span``."""
    return MotionView(motion, job).steady_span


def steady_strides(motion: Motion, job: Job) -> list[gait_events.Stride]:
    """Return the strides of both feet that lie within steady walking."""
    return MotionView(motion, job).steady_strides


def _alone(measure: Callable[Concatenate[MotionView, P], R]) -> Callable[Concatenate[Motion, Job, P], R]:
    """Return a measure as a function of a Motion and its Job."""

    def measured(motion: Motion, job: Job, /, *rest: P.args, **named: P.kwargs) -> R:
        return measure(MotionView(motion, job), *rest, **named)

    measured.__name__ = measured.__qualname__ = measure.__name__
    measured.__doc__ = measure.__doc__
    return measured


report = _alone(whole_report.report)

path_deviation = _alone(path_following.path_deviation)
deviations = _alone(path_following.deviations)
speed_error = _alone(path_following.speed_error)
steady_speed = _alone(path_following.steady_speed)
arrival = _alone(path_following.arrival)
stop_time = _alone(path_following.stop_time)

foot_slip = _alone(foot_contact.foot_slip)
slips = _alone(foot_contact.slips)
foot_skate = _alone(foot_contact.foot_skate)
sole_flat = _alone(foot_contact.sole_flat)
foot_slap = _alone(foot_contact.foot_slap)
penetration = _alone(foot_contact.penetration)

toe_out = _alone(feet_in_swing.toe_out)
toe_clearance = _alone(feet_in_swing.toe_clearance)
toe_bend = _alone(feet_in_swing.toe_bend)
late_sole_height = _alone(feet_in_swing.late_sole_height)

self_intersection = _alone(leg_overlap.self_intersection)
shake = _alone(shaking.shake)

cycles = _alone(norm_comparison.cycles)
against_norm = _alone(norm_comparison.against_norm)

stance_percent = _alone(gait_timing.stance_percent)
double_support_percent = _alone(gait_timing.double_support_percent)
flight_percent = _alone(gait_timing.flight_percent)
step_length = _alone(gait_timing.step_length)
cadence = _alone(gait_timing.cadence)
step_length_error = _alone(gait_timing.step_length_error)

step_time_cv = _alone(step_variation.step_time_cv)
step_length_cv = _alone(step_variation.step_length_cv)
step_width_cv = _alone(step_variation.step_width_cv)

load_peaks = _alone(forces.load_peaks)
moment = _alone(forces.moment)
positive_power = _alone(forces.positive_power)

com_bob = _alone(trunk_and_arms.com_bob)
pelvis_rotation = _alone(trunk_and_arms.pelvis_rotation)
pelvis_list = _alone(trunk_and_arms.pelvis_list)
arm_swing = _alone(trunk_and_arms.arm_swing)
arm_phase = _alone(trunk_and_arms.arm_phase)

pelvis_tilt = _alone(upper_body.pelvis_tilt)
chest_roll = _alone(upper_body.chest_roll)
head_roll = _alone(upper_body.head_roll)
head_nod = _alone(upper_body.head_nod)
head_yaw = _alone(upper_body.head_yaw)
arm_out = _alone(upper_body.arm_out)
elbow_bend = _alone(upper_body.elbow_bend)
