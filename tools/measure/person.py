# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures by which a walk is set beside people's, each of a ``MotionView``: see ``tools.measure.people``.

A walk is measured as one of a body of reference size walks it, so that lengths, times, speeds and forces of all bodies
can be compared (Froude's law).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np

from blender_biped.base.spatial import Array
from blender_biped.job import Job
from blender_biped.motion.measures import (
    feet_in_swing,
    foot_contact,
    forces,
    step_variation,
    trunk_and_arms,
    upper_body,
)
from blender_biped.motion.measures.joint_angles import cycle
from blender_biped.motion.measures.motion_view import MotionView
from blender_biped.motion.measures.norm_comparison import against_norm, cycles
from blender_biped.motion.motion import Motion
from blender_biped.motion.similarity import Similarity, similarity
from tools.measure import people

Measure = Callable[[MotionView], float | None]
FILMED = 30.0
"""Hz, at which turns are taken for accelerations: captured walks have no more frames a second."""
_SWING_ENDS, _LOADED, _STANCE = 96, 5, (20, 50)  # % of the stride


@dataclass(frozen=True)
class Row:
    """One figure of a walk. needs: what a walk must have for it, see ``tools.measure.recordings``."""

    words: str
    unit: str
    digits: int
    measure: Measure
    needs: tuple[str, ...] = ()


def view_of(motion: Motion, job: Job) -> MotionView:
    """Return a walk as a body of reference size walks it."""
    own = similarity(job)
    back = Similarity(1.0 / own.length, 1.0 / own.time, 1.0 / own.mass)
    return MotionView(back.motion(motion, own.character(job.character)), own.job(job))


def figures(view: MotionView, lacks: Collection[str] = ()) -> dict[str, float | None]:
    """Return a walk's figure of each row; None where it has none, or lacks what the row needs."""
    return {name: None if any(need in lacks for need in row.needs) else row.measure(view) for name, row in ROWS.items()}


def knee_as_swing_ends(view: MotionView) -> float | None:
    """Return how far knees are bent at 96 % of the stride, degrees, of the mean curve of steady strides."""
    curve = _mean(view, "knee")
    return None if curve is None else float(curve[_SWING_ENDS])


def knee_least_in_stance(view: MotionView) -> float | None:
    """Return the least that knees are bent in mid-stance (20 to 50 % of the stride), degrees, of the mean curve."""
    curve = _mean(view, "knee")
    return None if curve is None else float(curve[_STANCE[0] : _STANCE[1] + 1].min())


def ankle_as_loaded(view: MotionView) -> float | None:
    """Return how far ankles are bent up at 5 % of the stride, degrees, of the mean curve of steady strides."""
    curve = _mean(view, "ankle")
    return None if curve is None else float(curve[_LOADED])


def pelvis_rotation_r(view: MotionView) -> float | None:
    """Return the correlation of the pelvis' turn over a stride with that of adults; None where it does not turn.

    Of the mean curve of steady strides; positive where the side of the stride's foot is ahead.
    """
    turn = upper_body.turn(view, "pelvis")
    curves = [cycle(view.walk, (2.0 * s.side - 1.0) * turn, s) for s in view.steady_strides]
    if not curves or np.ptp(np.mean(curves, axis=0)) < 1e-6:
        return None
    return float(np.corrcoef(np.mean(curves, axis=0), people.adults("pelvic_rotation_int").mean)[0, 1])


def acceleration(turned: Callable[[MotionView, str], Array]) -> Measure:
    """Return the measure of how large an angle's acceleration of the pelvis is, degrees/s2: what 95 % of it is below.

    As filmed with FILMED frames a second, over steady walking. turned: see ``upper_body``.
    """

    def found(view: MotionView) -> float | None:
        span, times = view.steady_span, view.walk.times
        if span is None:
            return None
        filmed = np.arange(times[0], times[-1], 1.0 / FILMED)
        angle = np.interp(filmed, times, turned(view, "pelvis"))
        inside = (filmed[1:-1] >= span[0]) & (filmed[1:-1] <= span[1])
        return float(np.percentile(np.abs(np.diff(angle, 2))[inside], 95.0)) * FILMED**2 if inside.any() else None

    return found


def _mean(view: MotionView, joint: str) -> Array | None:
    curves = cycles(view, joint)
    return np.asarray(curves.mean(axis=0)) if len(curves) else None


def _like(joint: str) -> Measure:
    return lambda view: against_norm(view, joint)[0]


def _load(which: int) -> Measure:
    def found(view: MotionView) -> float | None:
        peaks = forces.load_peaks(view)
        return None if peaks is None else peaks[which]

    return found


def _most(part: str, sign: float) -> Measure:
    """Return the largest moment of a joint, to flex (1) or to extend (-1): see ``forces.moment``."""

    def found(view: MotionView) -> float | None:
        curve = forces.moment(view, part)
        return None if curve is None else float((sign * curve).max())

    return found


ROWS: Mapping[str, Row] = {
    "hip_r": Row("hip like adults'", "r", 2, _like("hip")),
    "knee_r": Row("knee like adults'", "r", 2, _like("knee")),
    "knee_as_swing_ends_deg": Row("knee as the swing ends", "deg", 0, knee_as_swing_ends),
    "knee_least_in_stance_deg": Row("knee, least in stance", "deg", 0, knee_least_in_stance),
    "ankle_r": Row("ankle like adults'", "r", 2, _like("ankle")),
    "ankle_as_loaded_deg": Row("ankle at 5 % of the stride", "deg", 0, ankle_as_loaded),
    "sole_flat_ms": Row("sole flat after a strike", "ms", 0, foot_contact.sole_flat, ("toes",)),
    "foot_slap_deg_per_s": Row("sole comes down, fastest", "deg/s", 0, foot_contact.foot_slap, ("toes",)),
    "pelvis_list_deg": Row("pelvis tilts sideways, range", "deg", 0, trunk_and_arms.pelvis_list),
    "pelvis_rotation_r": Row("pelvis turns like adults'", "r", 2, pelvis_rotation_r),
    "pelvis_tilt_deg": Row("pelvis tilts forward, range", "deg", 0, upper_body.pelvis_tilt),
    "pelvis_yaw_deg_per_s2": Row("pelvis' turn, acceleration", "deg/s2", 0, acceleration(upper_body.turn), ("steps",)),
    "pelvis_roll_deg_per_s2": Row("... sideways", "deg/s2", 0, acceleration(upper_body.roll), ("steps",)),
    "pelvis_pitch_deg_per_s2": Row("... forward", "deg/s2", 0, acceleration(upper_body.pitch), ("steps",)),
    "chest_roll_deg": Row("chest tilts sideways, range", "deg", 1, upper_body.chest_roll),
    "head_roll_deg": Row("head tilts sideways, range", "deg", 1, upper_body.head_roll, ("neck",)),
    "head_nod_deg": Row("head nods, range", "deg", 1, upper_body.head_nod, ("neck",)),
    "head_yaw_deg": Row("head turns, range", "deg", 0, upper_body.head_yaw, ("neck",)),
    "arm_out_deg": Row("arms held out", "deg", 0, upper_body.arm_out),
    "elbow_deg": Row("elbows bent", "deg", 0, upper_body.elbow_bend),
    "toe_out_deg": Row("feet point outwards", "deg", 1, feet_in_swing.toe_out),
    "toe_clearance_mm": Row("toe tips over the ground", "mm", 0, feet_in_swing.toe_clearance, ("toes",)),
    "toe_bend_deg": Row("toes bent early in the swing", "deg", 0, feet_in_swing.toe_bend, ("toes",)),
    "late_sole_height_mm": Row("sole late in the swing", "mm", 0, feet_in_swing.late_sole_height, ("toes",)),
    "load_first_peak": Row("load, first peak", "of weight", 2, _load(0), ("forces",)),
    "load_trough": Row("load, trough", "of weight", 2, _load(1), ("forces",)),
    "load_second_peak": Row("load, second peak", "of weight", 2, _load(2), ("forces",)),
    "hip_extending_nm_per_kg": Row("hip, extending moment", "N m/kg", 2, _most("thigh", -1.0), ("forces",)),
    "hip_flexing_nm_per_kg": Row("hip, flexing moment", "N m/kg", 2, _most("thigh", 1.0), ("forces",)),
    "knee_flexing_nm_per_kg": Row("knee, flexing moment", "N m/kg", 2, _most("shin", 1.0), ("forces",)),
    "positive_power_w_per_kg": Row("legs' positive power", "W/kg", 2, forces.positive_power, ("forces",)),
    "step_time_cv_percent": Row("step times spread", "%", 1, step_variation.step_time_cv, ("steps",)),
    "step_length_cv_percent": Row("step lengths spread", "%", 1, step_variation.step_length_cv, ("steps",)),
    "step_width_cv_percent": Row("step widths spread", "%", 0, step_variation.step_width_cv, ("steps",)),
}  # fmt: skip
"""By name: what is measured, in the order of the table."""
