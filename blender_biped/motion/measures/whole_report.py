"""Every measure of a walk, as one flat JSON object."""

from __future__ import annotations

from typing import Any

from ..norm import JOINTS
from .feet_in_swing import toe_out
from .foot_contact import foot_skate, foot_slip, penetration, sole_flat
from .gait_timing import (
    cadence,
    double_support_percent,
    flight_percent,
    stance_percent,
    step_length,
    step_length_error,
)
from .leg_overlap import self_intersection
from .motion_view import MotionView
from .norm_comparison import against_norm
from .path_following import arrival, path_deviation, speed_error, stop_time
from .shaking import shake
from .step_variation import step_length_cv, step_time_cv, step_width_cv
from .trunk_and_arms import arm_phase, arm_swing, com_bob, pelvis_list, pelvis_rotation
from .upper_body import arm_out, chest_roll, head_roll, head_yaw


def report(view: MotionView, path_name: str | None = None) -> dict[str, Any]:
    """Return every measure by its name, as one flat JSON object; what does not apply is None.

    path_name: for the reader. ``bake_error_*`` are known in Blender only, ``push_*`` after many simulations only:
    both stay None here.
    """
    motion, job = view.motion, view.job
    deviation_mean, deviation_worst = path_deviation(view)
    slip_median, slip_worst = foot_slip(view)
    attempt = motion.attempt  # a walk in place of the job's own goes by its own name
    return {
        "controller": attempt.controller if attempt else job.preset.controller,
        "preset": attempt.preset if attempt else job.preset.name,
        "character": motion.character.name,
        "path": path_name,
        "speed_mps": job.speed,
        "duration_s": motion.duration,
        "fell": view.fell_at is not None,
        "fell_at_s": view.fell_at,
        "fallback": attempt.kind if attempt else None,
        "path_deviation_mean_m": deviation_mean,
        "path_deviation_worst_m": deviation_worst,
        "speed_error_percent": speed_error(view),
        "arrival_m": arrival(view),
        "stop_s": stop_time(view),
        "foot_slip_median_mm": slip_median,
        "foot_slip_worst_mm": slip_worst,
        "foot_skate_cm_per_s": foot_skate(view),
        "sole_flat_ms": sole_flat(view),
        "penetration_mm": penetration(view),
        "self_intersection_mm": self_intersection(view),
        "shake_deg": shake(view),
        **_against_people(view),
        **_gait(view),
        "bake_error_mm": None,
        "bake_error_deg": None,
        "cpu_s_per_s": motion.cpu / motion.duration if motion.duration > 0.0 else None,
        "push_forward_n": None,
        "push_back_n": None,
        "push_left_n": None,
        "push_right_n": None,
        "push_n": None,
    }


def _against_people(view: MotionView) -> dict[str, Any]:
    """Return how like people's each joint of the legs moves."""
    figures: dict[str, Any] = {}
    for joint in JOINTS:
        r, rms, rms_offset = against_norm(view, joint)
        figures |= {f"{joint}_r": r, f"{joint}_rms_deg": rms, f"{joint}_rms_offset_deg": rms_offset}
    return figures


def _gait(view: MotionView) -> dict[str, Any]:
    """Return the measures of steady strides."""
    return {
        "stance_percent": stance_percent(view),
        "double_support_percent": double_support_percent(view),
        "flight_percent": flight_percent(view),
        "com_bob_mm": com_bob(view),
        "pelvis_rotation_deg": pelvis_rotation(view),
        "pelvis_list_deg": pelvis_list(view),
        "arm_swing_deg": arm_swing(view),
        "arm_phase_deg": arm_phase(view),
        "arm_out_deg": arm_out(view),
        "chest_roll_deg": chest_roll(view),
        "head_roll_deg": head_roll(view),
        "head_yaw_deg": head_yaw(view),
        "toe_out_deg": toe_out(view),
        "step_length_m": step_length(view),
        "cadence_steps_per_min": cadence(view),
        "step_length_error_percent": step_length_error(view),
        "step_time_cv_percent": step_time_cv(view),
        "step_length_cv_percent": step_length_cv(view),
        "step_width_cv_percent": step_width_cv(view),
    }
