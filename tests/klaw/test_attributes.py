"""Each of the 28 locomotion attributes changes what it says (appendix E)."""

from collections.abc import Callable

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import Array, quaternion_matrix, yaw
from blender_biped.job import Job
from blender_biped.klaw.attributes import ATTRIBUTES, Attributes, read_style
from blender_biped.klaw.walk import walk, walked
from blender_biped.motion import gait_events, measures
from blender_biped.motion.motion import Motion
from blender_biped.preset.preset import RESEARCH, preset, presets
from tests.klaw.walks import KMH, job_of, mean_cycle, sole_heights, style, walked_with
from tests.marks import long_but

Probe = Callable[[Motion, Job], float]


def toe_off(motion: Motion, job: Job) -> int:
    """Return where in a cycle (0..100) toe-off is."""
    return round(measures.stance_percent(motion, job) or 0.0)


def at_toe_off(joint: str) -> Probe:
    return lambda motion, job: float(mean_cycle(motion, job, joint)[toe_off(motion, job)])


def elbow(least: bool) -> Probe:
    def probe(motion: Motion, job: Job) -> float:
        body = motion.character
        arm, fore = (body.index(f"{part}.L") for part in ("upper_arm", "forearm"))
        turns = quaternion_matrix(motion.rotations)
        relative = turns[:, arm].transpose(0, 2, 1) @ turns[:, fore]
        bend = np.degrees(np.arctan2(-relative[:, 0, 2], relative[:, 0, 0]))[400:900]
        return float(bend.min() if least else bend.max())

    return probe


def phase(which: int) -> Probe:
    """Return the end of SWING1 or SWING2, measured: in shares of the swing of a steady step."""

    def probe(motion: Motion, job: Job) -> float:
        step = walked(job, 60.0).steps[6]
        swing = step.goal.time - step.goal.double_support
        return (step.phases[which] - step.goal.double_support) / swing

    return probe


def in_swing(joint: str, which: int) -> Probe:
    """Return a joint's flexion at the end of SWING1 or at heel strike, degrees."""

    def probe(motion: Motion, job: Job) -> float:
        lift = toe_off(motion, job)
        share = (phase(0)(motion, job), 1.0)[which]
        return float(mean_cycle(motion, job, joint)[round(lift + share * (100 - lift))])

    return probe


def toes(motion: Motion, job: Job) -> float:
    """Return how far the toes are bent up at the end of SWING1, degrees."""
    step = walked(job, 60.0).steps[6]
    at = int(np.searchsorted(step.swing_times, step.phases[0] - 1e-6))
    return float(np.degrees(step.swing[at][3]))


def heel(motion: Motion, job: Job) -> float:
    """Return how far the heel has risen when the other foot strikes, degrees."""
    return float(np.degrees(walked(job, 60.0).steps[6].stance[-1][2]))


def chest_over_pelvis(motion: Motion, job: Job) -> float:
    body = motion.character
    turns = [np.ptp(yaw(motion.rotations[400:900, body.index(role)])) for role in ("chest", "pelvis")]
    return float(turns[0] / turns[1])


def highest_ankle(motion: Motion, job: Job) -> float:
    """Return where on its way in SWING1 the ankle is highest, 0 to 1."""
    step = walked(job, 60.0).steps[6]
    t, table = np.array(step.swing_times), np.array(step.swing)
    inside = table[(t >= step.goal.double_support - 1e-9) & (t <= step.phases[0] + 1e-9)]
    share = (inside[:, 0] - inside[0, 0]) / (inside[-1, 0] - inside[0, 0])
    return float(share[inside[:, 1].argmax()])


def width(motion: Motion, job: Job) -> float:
    """Return how far the feet are apart, of the distance of the hips."""
    prints = gait_events.footprints(motion)[2:-2]
    sides = [np.mean([p.place[1] for p in prints if p.side == side]) for side in (0, 1)]
    return float((sides[0] - sides[1]) / (2.0 * motion.character.offsets[motion.character.index("thigh.L")][1]))


def lean(motion: Motion, job: Job) -> float:
    chest = quaternion_matrix(motion.rotations[400:900, motion.character.index("chest")])
    return float(np.degrees(np.arcsin(chest[:, 0, 2])).mean())


def clearance(motion: Motion, job: Job) -> float:
    """Return how high the toes are at least while they pass the other leg, m."""
    _, tip = sole_heights(motion, 1)
    found = []
    for lift, strike in zip(motion.lifts[4:-2], motion.strikes[4:-2], strict=True):
        share = (motion.times - lift[0]) / (strike[0] - lift[0])
        if int(lift[1]) == 1:
            found.append(tip[(share > 0.35) & (share < 0.8)].min())
    return float(min(found))


def first_speed(motion: Motion, job: Job) -> float:
    return float(motion.command[1, 0] / KMH)


def last_speed(motion: Motion, job: Job) -> float:
    """Return the speed of the last step that still goes on, km/h."""
    speeds: Array = motion.command[:, 0]
    return float(speeds[speeds > 0.01][-1] / KMH)


def stance_knee(motion: Motion, job: Job) -> float:
    """Return how little the knee is bent from mid-stance to heel-off, degrees."""
    return float(mean_cycle(motion, job, "knee")[25:45].min())


def most_pointed(motion: Motion, job: Job) -> float:
    """Return how far the ankle points down when it does most, degrees."""
    return float(-mean_cycle(motion, job, "ankle").min())


def quickest_change(motion: Motion, job: Job) -> float:
    """Return by how much the step frequency changes at most from one step to the next, steps/min."""
    frequencies = [60.0 / p.goal.time for p in walked(job, 60.0).placed[1:-4]]
    return float(np.abs(np.diff(frequencies)).max())


def measured_by(measure: Callable[[Motion, Job], float | None]) -> Probe:
    def probe(motion: Motion, job: Job) -> float:
        value = measure(motion, job)
        assert value is not None
        return value

    return probe


# Each: two values, what is measured, and what it is expected to be at each of them (None: less at the first one).
CHANGES: dict[str, tuple[float, float, Probe, tuple[float, float, float] | None]] = {
    "duration_kneeflex": (0.15, 0.03, at_toe_off("knee"), None),
    "elbow_rot_max": (30.0, 60.0, elbow(least=False), (30.0, 60.0, 2.0)),
    "elbow_rot_min": (4.0, 20.0, elbow(least=True), (4.0, 20.0, 2.0)),
    "end_swing1": (0.42, 0.55, phase(0), (0.42, 0.55, 1e-6)),
    "end_swing2": (0.8, 0.9, phase(1), (0.8, 0.9, 1e-6)),
    "max_knee": (55.0, 75.0, at_toe_off("knee"), None),
    "meta_incSS": (0.0, 8.0, heel, None),
    "percent_D": (0.2, 0.45, highest_ankle, (0.2, 0.45, 0.08)),
    "shoulder_rot_factor": (0.3, 0.9, chest_over_pelvis, (0.3, 0.9, 0.02)),
    "stance1234_knee": (5.0, 25.0, stance_knee, None),
    "stance6_ankle": (-80.0, -60.0, most_pointed, None),
    "stride_width_factor": (0.5, 1.0, width, (0.5, 1.0, 1e-3)),
    "swing1_ankle": (-105.0, -85.0, lambda m, j: -in_swing("ankle", 0)(m, j), (-15.0, 5.0, 5.0)),
    "swing1_meta": (0.0, 20.0, toes, (0.0, 20.0, 1e-6)),
    "theta2_des": (0.0, 15.0, lean, (0.0, 15.0, 3.0)),
    "theta4_des": (4.0, 20.0, in_swing("knee", 1), (4.0, 20.0, 4.0)),
    "theta5_des": (-100.0, -85.0, lambda m, j: -in_swing("ankle", 1)(m, j), (-10.0, 5.0, 4.0)),
    "toe_clear": (0.01, 0.06, clearance, None),
    "v_acc": (1.0, 2.0, first_speed, (1.0, 2.0, 0.02)),
    "v_dec": (2.0, 4.0, last_speed, (2.0, 4.0, 0.8)),
    "sf_accdec": (6.0, 40.0, quickest_change, (6.0, 11.4, 0.5)),
    "sf_norm": (100.0, 132.0, measured_by(measures.cadence), (5.0 * KMH * 60.0 / 0.9504, 107.58, 0.3)),
    "sl_norm": (0.4, 0.528, measured_by(measures.cadence), (5.0 * KMH * 60.0 / 0.72, 5.0 * KMH * 60.0 / 0.9504, 0.3)),
}
IN_PROPORTION = {
    "arm_rot_factor": (0.4, 0.8, measures.arm_swing),
    "pelvic_list_factor": (1.0, 2.0, measures.pelvis_list),
    "pelvic_rot_max": (6.0, 12.0, measures.pelvis_rotation),
}
OF_EACH_PART = (
    "duration_kneeflex", "elbow_rot_max", "end_swing1", "shoulder_rot_factor", "stance6_ankle", "stride_width_factor",
    "theta2_des", "toe_clear", "v_acc", "sl_norm",
)  # fmt: skip
"""One of CHANGES for each part of a walk: those of stance, swing, arms, trunk, width, speed. The others are long."""
LIMITS = {"sf_max": 100.0, "sl_max": 0.4}  # with which 5 km/h cannot be walked


def test_every_attribute_is_tried() -> None:
    assert {*CHANGES, *IN_PROPORTION, *LIMITS} == set(ATTRIBUTES)
    assert len(ATTRIBUTES) == 28


@pytest.mark.parametrize("name", long_but(CHANGES, *OF_EACH_PART))
def test_an_attribute_does_what_it_says(name: str) -> None:
    *values, probe, expected = CHANGES[name]
    others = {"sf_norm": 100.0} if name == "sl_norm" else {}  # below it sl_norm says nothing
    found = [probe(*walked_with(5.0, 10.0, **{name: value, **others})) for value in values]
    if expected is None:
        assert found[1] > 1.1 * found[0] + 1e-6
    else:
        *desired, tolerance = expected
        assert found == pytest.approx(desired, abs=tolerance)


@pytest.mark.parametrize("name", list(IN_PROPORTION))
def test_an_attribute_scales_what_it_says(name: str) -> None:
    *values, measure = IN_PROPORTION[name]
    small, large = (measure(*walked_with(5.0, 9.0, **{name: value})) for value in values)
    assert small and large and large / small == pytest.approx(2.0, rel=0.15)


@pytest.mark.parametrize("name", list(LIMITS))
def test_beyond_its_limits_a_walk_is_refused(name: str) -> None:
    with pytest.raises(DataError, match="more than this body can walk with"):
        walk(job_of(5.0, preset=style({name: LIMITS[name]})))


def test_much_pelvic_list_works_and_too_much_is_refused() -> None:
    motion, job = walked_with(3.0, 8.0, pelvic_list_factor=3.0)
    assert measures.fell_at(motion, job) is None
    assert measures.penetration(motion, job) == pytest.approx(0.0, abs=1e-6)
    with pytest.raises(DataError, match=r"pelvic_list_factor: 10.0 is out of range \(0 to 4\)"):
        walk(job_of(3.0, preset=style({"pelvic_list_factor": 10.0})))


def test_presets_name_all_attributes_and_walk_at_their_own_speed() -> None:
    assert read_style(preset("klaw", "thesis").values).attributes == Attributes()  # its defaults are the thesis's
    for own in presets("klaw"):
        assert set(own.values["attributes"]) == set(ATTRIBUTES)
        if own.shelf != RESEARCH:
            continue  # tests of styles walk them
        job = job_of(own.values["usual"] / KMH, 8.0, own)
        motion = walk(job)
        assert motion.outcome == "arrived" and measures.fell_at(motion, job) is None
        shake = measures.shake(motion, job)
        assert shake is not None and shake < 2.0
