"""Each measure against motions whose figure is known by construction, on either side of its meaning."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.spatial import (
    Array,
    axis_angle_quaternion,
    quaternion_matrix,
    quaternion_product,
    yaw_quaternion,
)
from blender_biped.character.reference import GRAVITY
from blender_biped.character.standard import standard_character
from blender_biped.job import Job
from blender_biped.motion import gait_events, measures
from blender_biped.motion.motion import RATE, Motion
from blender_biped.motion.norm import adult_norm
from blender_biped.motion.summary import ended
from blender_biped.world.path import Path
from tests.motion.synthetic import Walk, posed, walked
from tests.motion.synthetic import job as job_on

NAMES = (
    "controller", "preset", "character", "path", "speed_mps", "duration_s",
    "fell", "fell_at_s", "fallback", "path_deviation_mean_m", "path_deviation_worst_m", "speed_error_percent",
    "arrival_m", "stop_s", "foot_slip_median_mm", "foot_slip_worst_mm", "foot_skate_cm_per_s", "sole_flat_ms",
    "penetration_mm",
    "self_intersection_mm", "shake_deg",
    "hip_r", "knee_r", "ankle_r", "hip_rms_deg", "knee_rms_deg", "ankle_rms_deg", "hip_rms_offset_deg",
    "knee_rms_offset_deg", "ankle_rms_offset_deg", "stance_percent", "double_support_percent", "flight_percent",
    "com_bob_mm",
    "pelvis_rotation_deg", "pelvis_list_deg", "arm_swing_deg", "arm_phase_deg", "arm_out_deg", "chest_roll_deg",
    "head_roll_deg", "head_yaw_deg", "toe_out_deg", "step_length_m",
    "cadence_steps_per_min", "step_length_error_percent", "step_time_cv_percent", "step_length_cv_percent",
    "step_width_cv_percent", "bake_error_mm", "bake_error_deg", "cpu_s_per_s",
    "push_forward_n", "push_back_n", "push_left_n", "push_right_n", "push_n",
)  # fmt: skip
BODY = standard_character()
SCALE = 0.90 / BODY.leg_length
LEGS = float(sum(np.linalg.norm(BODY.offsets[BODY.index(role)]) for role in ("shin.L", "foot.L")))  # m, hip to ankle
STRAIGHT = Path([[0.0, 0.0], [10.0, 0.0]])
STRIDE = 1.1  # s, of ``posed``
X, Y = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])


@pytest.fixture(scope="module")
def walk() -> tuple[Motion, Job]:
    return walked(STRAIGHT)


def still(phase: Array) -> dict[str, Array]:
    """Return straight legs."""
    return {joint: np.zeros_like(phase) for joint in ("hip", "knee", "ankle")}


def normal(phase: Array) -> dict[str, Array]:
    """Return the adults' mean curves."""
    return {j: np.interp(100.0 * phase, np.arange(101), n.mean) for j, n in adult_norm().items()}


def scissors(step: float, speed: float, stride: float = STRIDE) -> tuple[Motion, Job]:
    """Return straight legs that are ``step`` m apart at each strike; the ``speed`` is as it is given, m/s."""
    swing = math.degrees(math.asin(0.5 * step / LEGS))

    def angles(phase: Array) -> dict[str, Array]:
        return still(phase) | {"hip": swing * np.cos(2.0 * np.pi * phase)}

    return posed(angles, 12.0, speed, stride)


def moved(motion: Motion, shift: Array) -> Motion:
    """Return the motion with its mid-hip moved by ``shift`` (T, 3) or (3,), m."""
    return replace(motion, root=motion.root + shift)


def turned(motion: Motion, role: str, turn: Array) -> Motion:
    """Return the motion with one link turned by ``turn`` (T, 4) in its own frame; those on it keep theirs."""
    rotations = motion.rotations.copy()
    i = motion.character.index(role)
    rotations[:, i] = quaternion_product(rotations[:, i], turn)
    return replace(motion, rotations=rotations)


# --- the report --------------------------------------------------------------------------------------------------


def test_report_has_exactly_the_agreed_names_as_flat_json(walk: tuple[Motion, Job]) -> None:
    report = measures.report(*walk, "straight")
    assert tuple(sorted(report)) == tuple(sorted(NAMES))
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    assert {n for n, v in report.items() if v is None} == {
        "fell_at_s", "fallback", "sole_flat_ms", "bake_error_mm", "bake_error_deg",
        *(n for n in NAMES if n.startswith("push_")),
    }  # fmt: skip
    assert (report["path"], report["controller"], report["preset"]) == ("straight", "generalized", "default")
    assert report["speed_mps"] == walk[1].speed and report["duration_s"] == walk[0].duration
    assert report["cpu_s_per_s"] == pytest.approx(1.0 / walk[0].duration)


def test_a_body_that_only_stands_has_no_figures_of_walking() -> None:
    motion, job = posed(still, 4.0, speed=0.0)
    none = np.empty((0, 2))
    motion = replace(motion, strikes=none, lifts=none, loads=np.full_like(motion.loads, 300.0))
    report = measures.report(motion, job)
    assert tuple(sorted(report)) == tuple(sorted(NAMES))
    assert not report["fell"] and report["foot_slip_worst_mm"] == 0.0 and report["penetration_mm"] < 1e-6
    for name in ("path_deviation_mean_m", "speed_error_percent", "hip_r", "stance_percent", "step_length_m", "stop_s"):
        assert report[name] is None


@pytest.mark.parametrize("samples", [1, 2, 5])
def test_a_motion_of_hardly_any_samples_is_measured_without_error(walk: tuple[Motion, Job], samples: int) -> None:
    motion = walk[0]
    sampled = ("times", "root", "rotations", "loads", "torques", "command")
    short = replace(
        motion, **{n: getattr(motion, n)[:samples] for n in sampled},
        strikes=np.empty((0, 2)), lifts=np.empty((0, 2)), outcome="fell",
    )  # fmt: skip
    report = measures.report(short, walk[1])
    assert tuple(sorted(report)) == tuple(sorted(NAMES))
    assert json.dumps(report, allow_nan=False) and report["fell"]


def test_cpu_time_is_for_a_second_of_the_whole_motion_what_follows_a_fall_too(walk: tuple[Motion, Job]) -> None:
    motion, job = walk
    sunk = np.where(motion.times >= 6.0, -0.7, 0.0)
    fallen = moved(replace(motion, cpu=3.0), np.outer(sunk, [0.0, 0.0, 1.0]))
    report = measures.report(fallen, job)
    assert report["fell"] and report["cpu_s_per_s"] == pytest.approx(3.0 / motion.duration)


# --- falling -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("height", "falls"), [(0.55, False), (0.45, True)])
def test_fell_when_the_pelvis_is_below_half_its_standing_height(height: float, falls: bool) -> None:
    def seated(phase: Array) -> dict[str, Array]:  # legs ahead in the air: nothing touches the ground
        return still(phase) | {"hip": np.full_like(phase, 95.0)}

    motion, job = posed(seated, 4.0)
    sunk = np.where(motion.times >= 2.0, (height - 1.0) * BODY.stand_height, 0.0)
    motion = moved(motion, np.column_stack((np.zeros((len(sunk), 2)), sunk)))
    assert measures.fell_at(motion, job) == (pytest.approx(2.0) if falls else None)
    raised = moved(motion, np.array([0.0, 0.0, 5.0]))
    assert measures.fell_at(raised, replace(job, ground=5.0)) == measures.fell_at(motion, job)


@pytest.mark.parametrize(("share", "falls"), [(0.60, False), (0.52, False), (0.48, True)])
def test_a_deep_crouch_on_both_feet_is_no_fall_until_half_the_height(share: float, falls: bool) -> None:
    motion, job = walked(STRAIGHT, Walk(crouch=(1.0 - share) * BODY.stand_height, bob=0.0, speed=0.6))
    assert measures.penetration(motion, job) == pytest.approx(0.0, abs=1e-6)  # it stands on its soles
    assert (measures.fell_at(motion, job) is not None) is falls


@pytest.mark.parametrize(("lean", "falls"), [(50.0, False), (70.0, True)])
def test_a_body_that_tips_over_like_a_board_has_fallen_when_its_pelvis_is_low(lean: float, falls: bool) -> None:
    motion, job = posed(still, 4.0, speed=0.0)
    tilt = np.radians(np.clip(40.0 * (motion.times - 1.0), 0.0, lean))
    turn = axis_angle_quaternion(Y, tilt)
    tipped = replace(motion, rotations=quaternion_product(turn[:, None], motion.rotations))
    ankle = motion.origins[0, BODY.index("foot.L"), 2]
    up = BODY.stand_height - ankle
    sunk = np.stack((up * np.sin(tilt), 0.0 * tilt, up * (np.cos(tilt) - 1.0)), axis=1)
    half = 1.0 + math.degrees(math.acos((0.5 * BODY.stand_height - ankle) / up)) / 40.0  # s
    assert measures.fell_at(moved(tipped, sunk), job) == (pytest.approx(half, abs=1.0 / RATE) if falls else None)


@pytest.mark.parametrize(("sunk", "falls"), [(0.01, False), (0.25, True)])
def test_fell_when_more_than_feet_touch_the_ground(walk: tuple[Motion, Job], sunk: float, falls: bool) -> None:
    motion, job = walk
    lower = np.where(motion.times >= 3.0, -sunk, 0.0)
    motion = moved(motion, np.column_stack((np.zeros((len(lower), 2)), lower)))
    assert measures.fell_at(motion, job) == (pytest.approx(3.0) if falls else None)


def test_an_upright_body_whose_shin_grazes_the_ground_has_not_fallen() -> None:
    """As in the simulation, in which only soles bear an upright body: one definition for both."""
    motion, job = walked(STRAIGHT, Walk(crouch=0.05, bob=0.0, speed=0.6))
    lower = np.where(motion.times >= 3.0, -0.05, 0.0)
    grazing = moved(motion, np.column_stack((np.zeros((len(lower), 2)), lower)))
    body, shin = motion.character, motion.character.index("shin.L")
    ups = quaternion_matrix(grazing.rotations)[..., 2, :]
    assert (grazing.origins[:, shin, 2] + body.links[shin].shape.lowest(ups[:, shin]) < job.ground).any()
    assert measures.fell_at(grazing, job) is None
    assert ended(grazing, job) == ended(motion, job) != "fell"


def test_what_a_simulation_called_a_fall_is_one(walk: tuple[Motion, Job]) -> None:
    assert measures.fell_at(replace(walk[0], outcome="fell"), walk[1]) == walk[0].duration


def test_what_comes_after_a_fall_is_not_measured(walk: tuple[Motion, Job]) -> None:
    motion, job = walk
    t = motion.times
    after = np.where(t >= 6.0, 1.0, 0.0)
    fallen = moved(motion, np.column_stack((after, 2.0 * after, -0.7 * after)))
    report = measures.report(fallen, job)
    assert report["fell_at_s"] == pytest.approx(6.0)
    assert report["path_deviation_worst_m"] < 0.02 and report["penetration_mm"] < 0.01
    assert report["foot_slip_worst_mm"] < 0.01 and report["arrival_m"] is None and report["stop_s"] is None


# --- following the path ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("offset", [0.0, 0.2, -0.05])
def test_path_deviation_is_the_offset_for_a_leg_of_90_cm(offset: float) -> None:
    motion, job = walked(STRAIGHT, Walk(offset=offset))
    mean, worst = measures.path_deviation(motion, job)
    assert mean == pytest.approx(SCALE * abs(offset), abs=1e-6)
    assert worst == pytest.approx(SCALE * abs(offset), abs=1e-6)


def test_path_deviation_takes_off_the_sway_of_a_stride_and_keeps_a_detour(walk: tuple[Motion, Job]) -> None:
    motion, job = walk
    t = motion.times
    sway = 0.04 * np.sin(2.0 * np.pi * t / (2.0 * Walk().step_time))
    mean, _ = measures.path_deviation(moved(motion, np.column_stack((0 * t, sway, 0 * t))), job)
    assert mean is not None and mean < 0.002
    detour = 0.3 * np.exp(-(((t - 6.0) / 1.5) ** 2))
    _, worst = measures.path_deviation(moved(motion, np.column_stack((0 * t, detour, 0 * t))), job)
    assert worst == pytest.approx(SCALE * 0.3, abs=0.02)


def test_path_deviation_begins_after_two_steps(walk: tuple[Motion, Job]) -> None:
    motion, job = walk
    second = gait_events.strikes(motion)[1][0]
    early = np.where(motion.times < second - 0.51, 0.5, 0.0)  # over half a stride before, so the mean is clean
    shifted = moved(motion, np.column_stack((0 * early, early, 0 * early)))
    assert measures.path_deviation(shifted, job)[1] == pytest.approx(0.0, abs=1e-6)


def test_the_other_lane_of_a_path_does_not_count_as_near() -> None:
    there_and_back = Path([[0.0, 0.0], [8.0, 0.0], [8.0, 0.4], [0.0, 0.4]])
    motion, _ = walked(Path([[0.0, 0.35], [6.0, 0.35]]))
    mean, _ = measures.path_deviation(motion, job_on(BODY, there_and_back, 1.0))
    assert mean == pytest.approx(SCALE * 0.35, abs=1e-3)


def test_a_figure_of_eight_is_followed_through_its_crossing() -> None:
    t = np.linspace(0.0, 2.0 * np.pi, 400)
    eight = Path(np.column_stack((4.0 * np.sin(t), 2.0 * np.sin(2.0 * t))), closed=True)
    motion, job = walked(eight, Walk(speed=0.8))
    assert measures.path_deviation(motion, job)[1] == pytest.approx(0.0, abs=0.05)
    assert measures.speed_error(motion, job) == pytest.approx(0.0, abs=0.5)


def test_two_laps_are_two_laps() -> None:
    t = np.linspace(0.0, 2.0 * np.pi, 100, endpoint=False)
    ring = Path(2.0 * np.column_stack((np.cos(t), np.sin(t))), closed=True, laps=2)
    motion, job = walked(ring, Walk(speed=0.8))
    assert measures.path_deviation(motion, job)[1] == pytest.approx(0.0, abs=0.06)
    assert measures.speed_error(motion, job) == pytest.approx(0.0, abs=3.0)  # the averaged hip cuts the bend


@pytest.mark.parametrize("error", [-8.0, 0.0, 5.0])
def test_speed_error_is_what_the_walk_is_faster_or_slower(walk: tuple[Motion, Job], error: float) -> None:
    motion, job = walk
    desired = job.speed / (1.0 + error / 100.0)
    command = motion.command.copy()
    command[:, 0] *= desired / job.speed
    found = measures.speed_error(replace(motion, command=command), replace(job, speed=desired))
    assert found == pytest.approx(abs(error), abs=0.01)


@pytest.mark.parametrize("short", [0.0, 0.25])
def test_arrival_is_the_distance_left_when_standing(walk: tuple[Motion, Job], short: float) -> None:
    job = replace(walk[1], path=Path([[0.0, 0.0], [10.0 + short, 0.0]]))
    assert measures.arrival(walk[0], job) == pytest.approx(SCALE * short, abs=1e-6)


def test_arrival_and_stop_need_a_stop_and_someone_standing(walk: tuple[Motion, Job]) -> None:
    motion, job = walk
    assert measures.arrival(motion, replace(job, stop=False)) is None
    for speed, stands in ((0.03, False), (0.01, True)):
        drift = speed * np.maximum(motion.times - 11.0, 0.0)
        drifting = moved(motion, np.column_stack((drift, 0 * drift, 0 * drift)))
        assert (measures.arrival(drifting, job) is not None) is stands
        assert (measures.stop_time(drifting, job) is not None) is stands


def test_stop_time_counts_from_the_last_strike(walk: tuple[Motion, Job]) -> None:
    motion, job = walk
    at_once = measures.stop_time(motion, job)
    assert at_once is not None and at_once < 0.02
    strikes = motion.strikes.copy()
    strikes[-1, 0] -= 0.1
    later = measures.stop_time(replace(motion, strikes=strikes), job)
    assert later == pytest.approx(at_once + 0.1, abs=1e-9)


# --- contact -----------------------------------------------------------------------------------------------------


def test_feet_that_stay_do_not_slip(walk: tuple[Motion, Job]) -> None:
    assert measures.foot_slip(*walk) == pytest.approx((0.0, 0.0), abs=1e-6)


def test_one_foot_sliding_7_mm_is_the_worst_and_not_the_median(walk: tuple[Motion, Job]) -> None:
    motion, job = walk
    strike = gait_events.strikes(motion)[9][0]  # then the other foot is in the air from 0.12 to 0.50 s
    slide = 0.007 * np.clip((motion.times - strike - 0.15) / 0.3, 0.0, 1.0)
    median, worst = measures.foot_slip(moved(motion, np.column_stack((0.6 * slide, 0.8 * slide, 0 * slide))), job)
    assert worst == pytest.approx(7.0 * SCALE, abs=0.01) and median == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(("speed", "skate"), [(0.0, 0.0), (0.05, 5.0), (0.3, None)])
def test_feet_of_a_body_that_is_dragged_skate(speed: float, skate: float | None) -> None:
    motion, job = posed(still, 4.0)
    dragged = replace(motion, root=motion.root[0] + np.outer(speed * motion.times, X))
    found = measures.foot_skate(dragged, job)
    assert found == (None if skate is None else pytest.approx(SCALE * skate, abs=1e-6))


def test_a_sole_is_flat_once_it_has_rolled_down_after_a_strike(walk: tuple[Motion, Job]) -> None:
    motion, job = walk
    assert measures.sole_flat(motion, job) is None  # its soles are flat as they strike
    for side in gait_events.SIDES:
        own = [time for time, foot in gait_events.strikes(motion) if gait_events.SIDES[foot] == side]
        since = np.min([np.abs(motion.times - time - 0.075) - 0.075 for time in own], axis=0)  # of a roll-down, 0.15 s
        ago = np.min([np.where(motion.times < time, np.inf, motion.times - time) for time in own], axis=0)
        tilt = np.where(since <= 0.0, 20.0 * (1.0 - ago / 0.15), np.where(ago < 0.4, 0.0, 20.0))
        motion = turned(motion, f"foot.{side}", axis_angle_quaternion(Y, -np.radians(tilt)))
    assert measures.sole_flat(motion, job) == pytest.approx(0.95 * 150.0, abs=2.0)


def test_a_foot_that_moves_in_the_air_does_not_slip(walk: tuple[Motion, Job]) -> None:
    motion, job = walk
    unloaded = replace(motion, loads=np.zeros_like(motion.loads))
    assert measures.foot_slip(unloaded, job) == (None, None)


def tilting(tilt: Array, slide: Array) -> tuple[Motion, Job]:
    """Return someone on the left foot who tilts it by ``tilt`` (T,), rad, about its ball, which slides along x, m."""
    motion, job = posed(still, (len(tilt) - 1) / RATE, speed=0.0)
    none = np.empty((0, 2))
    loads = np.tile([BODY.mass * GRAVITY, 0.0], (len(tilt), 1))
    tipped = turned(motion, "foot.L", axis_angle_quaternion(Y, tilt))
    i = BODY.index("foot.L")
    ball = np.array(BODY.links[BODY.index("toes.L")].offset)
    ball[2] = -motion.origins[0, i, 2]
    there = tipped.origins[:, i] + np.array([np.cos(tilt) * ball[0] + np.sin(tilt) * ball[2], 0 * tilt,
                                             np.cos(tilt) * ball[2] - np.sin(tilt) * ball[0]]).T  # fmt: skip
    kept = moved(tipped, there[0] - there + np.column_stack((slide, 0 * slide, 0 * slide)))
    return replace(kept, strikes=none, lifts=none, loads=loads), job


def test_a_heel_that_rises_about_the_ball_does_not_slip() -> None:
    tilt = np.radians(np.linspace(0.0, 40.0, 241))
    assert measures.foot_slip(*tilting(tilt, 0 * tilt)) == pytest.approx((0.0, 0.0), abs=1e-6)


@pytest.mark.parametrize(("until", "slips"), [(0.4, True), (0.6, False)])
def test_slip_ends_with_heel_off(until: float, slips: bool) -> None:
    share = np.linspace(0.0, 1.0, 241)
    tilt = np.where(share < 0.5, 0.0, np.radians(30.0))
    worst = measures.foot_slip(*tilting(tilt, 0.007 * (share > until)))[1]
    assert worst == pytest.approx(7.0 * SCALE if slips else 0.0, abs=1e-6)


def test_a_foot_always_on_its_toes_slips_too() -> None:
    share = np.linspace(0.0, 1.0, 241)
    worst = measures.foot_slip(*tilting(np.full(241, np.radians(25.0)), 0.007 * share))[1]
    assert worst == pytest.approx(7.0 * SCALE, abs=1e-6)


@pytest.mark.parametrize(("lower", "deep"), [(0.004, 4.0), (-0.003, 0.0)])
def test_penetration_is_how_deep_the_soles_go(walk: tuple[Motion, Job], lower: float, deep: float) -> None:
    motion, job = walk
    raised = moved(motion, np.array([0.0, 0.0, 2.0 - lower]))
    assert measures.penetration(raised, replace(job, ground=2.0)) == pytest.approx(SCALE * deep, abs=1e-6)


def test_penetration_sees_a_tilted_heel() -> None:
    tilt = np.radians(np.linspace(0.0, -10.0, 241))  # toes up about the ball: the heel goes down
    foot, toes = (BODY.links[BODY.index(role)] for role in ("foot.L", "toes.L"))
    back = toes.offset[0] - (foot.shape.center[0] - foot.shape.half[0])
    deepest = back * math.sin(math.radians(10.0))
    assert measures.penetration(*tilting(tilt, 0 * tilt)) == pytest.approx(1000.0 * SCALE * deepest, abs=0.1)


def test_legs_that_pass_do_not_intersect_and_crossed_ones_do(walk: tuple[Motion, Job]) -> None:
    motion, job = posed(normal, 3.0)
    assert measures.self_intersection(motion, job) == 0.0
    crossed = motion
    for side, sign in (("L", -1.0), ("R", 1.0)):
        for role in ("thigh", "shin", "foot", "toes"):
            turn = np.broadcast_to(axis_angle_quaternion(X, sign * 0.2), (len(motion.times), 4))
            rotations = crossed.rotations.copy()
            i = BODY.index(f"{role}.{side}")
            rotations[:, i] = quaternion_product(turn, rotations[:, i])
            crossed = replace(crossed, rotations=rotations)
    found = measures.self_intersection(crossed, job)
    assert found is not None and found > 20.0


@pytest.mark.parametrize("depth", [-0.004, 0.0, 0.006])
def test_self_intersection_is_how_deep_feet_side_by_side_are_in_each_other(depth: float) -> None:
    motion, job = posed(still, 1.0)
    hip, shin = BODY.offsets[BODY.index("thigh.L")][1], -BODY.offsets[BODY.index("foot.L")][2]
    middle = BODY.links[BODY.index("foot.L")].shape.half[1] - 0.5 * depth  # of each foot from the other's side, m
    roll = math.asin((hip - middle) / shin)
    for side, sign in (("L", -1.0), ("R", 1.0)):  # thighs and feet stay upright, shins lean in
        turn = axis_angle_quaternion(X, np.full(len(motion.times), sign * roll))
        motion = turned(motion, f"shin.{side}", turn)
    assert measures.self_intersection(motion, job) == pytest.approx(1000.0 * SCALE * max(depth, 0.0), abs=1e-3)


# --- smoothness --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("frequency", "degrees", "rms"), [(12.0, 2.0, 2.0 / math.sqrt(2.0)), (3.0, 10.0, 0.0)])
def test_shake_is_the_rms_above_8_hz(frequency: float, degrees: float, rms: float) -> None:
    motion, job = posed(still, 6.0)
    angle = np.radians(degrees) * np.sin(2.0 * np.pi * frequency * motion.times)
    shaking = turned(motion, "hand.L", axis_angle_quaternion(Y, angle))
    assert measures.shake(shaking, job) == pytest.approx(rms, abs=0.05)


def test_a_smooth_walk_hardly_shakes_and_a_short_one_is_not_judged() -> None:
    found = measures.shake(*posed(normal, 8.0))
    assert found is not None and found < 0.5
    assert measures.shake(*posed(normal, 1.9)) is None


# --- how people walk ---------------------------------------------------------------------------------------------


def test_flexion_has_the_signs_of_the_norm() -> None:
    def bent(phase: Array) -> dict[str, Array]:
        return {"hip": np.full_like(phase, 20.0), "knee": np.full_like(phase, 30.0), "ankle": np.full_like(phase, 10.0)}

    motion, _ = posed(bent, 2.0)
    knee, hip = (motion.origins[0, BODY.index(f"{role}.L")] for role in ("shin", "thigh"))
    ankle, ball = (motion.origins[0, BODY.index(f"{role}.L")] for role in ("foot", "toes"))
    assert knee[0] > hip[0] + 0.1  # the thigh is forward
    assert ankle[0] < knee[0]  # the shank is back
    shank = (knee - ankle) / np.linalg.norm(knee - ankle)
    assert (ball - ankle) @ shank > BODY.links[BODY.index("toes.L")].offset[2]  # the foot is up
    for joint, degrees in (("hip", 20.0), ("knee", 30.0), ("ankle", 10.0)):
        for side in (0, 1):
            assert measures.flexion(motion, joint, side) == pytest.approx(degrees)


def test_hip_flexion_is_against_the_pelvis() -> None:
    motion, _ = posed(still, 2.0)
    tilted = turned(motion, "pelvis", axis_angle_quaternion(Y, np.radians(np.full(len(motion.times), 12.0))))
    assert measures.flexion(tilted, "hip", 0) == pytest.approx(12.0)
    assert measures.flexion(tilted, "knee", 0) == pytest.approx(0.0)


def test_the_norm_itself_is_natural() -> None:
    motion, job = posed(normal, 12.0)
    for joint in ("hip", "knee", "ankle"):
        assert measures.against_norm(motion, job, joint) == pytest.approx((1.0, 0.0, 0.0), abs=0.1)


@pytest.mark.parametrize("r", [0.95, 0.6, 0.0, -0.5])
def test_correlation_of_a_curve_made_for_it(r: float) -> None:
    norm = adult_norm()["knee"].mean
    usual = (norm - norm.mean()) / norm.std()
    other = np.cos(2.0 * np.pi * np.arange(101) / 100.0 + 0.4)
    other -= other.mean() + usual * (other @ usual) / 101.0
    made = 40.0 + 15.0 * (r * usual + math.sqrt(1.0 - r**2) * other / other.std())

    def angles(phase: Array) -> dict[str, Array]:
        return still(phase) | {"knee": np.interp(100.0 * phase, np.arange(101), made)}

    motion, job = posed(angles, 12.0)
    found, rms, rms_offset = measures.against_norm(motion, job, "knee")
    assert found == pytest.approx(r, abs=0.01)
    assert rms == pytest.approx(np.sqrt(((made - norm) ** 2).mean()), rel=0.01)
    assert rms_offset == pytest.approx((made - norm).std(), rel=0.01)
    assert measures.against_norm(motion, job, "hip")[0] is None  # it does not move


@pytest.mark.parametrize("joint", ["hip", "knee", "ankle"])
@pytest.mark.parametrize("late", [0.0, 0.25, 0.5])
def test_correlation_of_a_cosine_is_that_of_the_norms_own_wave(joint: str, late: float) -> None:
    norm = adult_norm()[joint].mean
    wave = np.exp(-2.0j * np.pi * np.arange(101) / 100.0) @ (norm - norm.mean()) / 50.0  # its size and its phase
    peak = -float(np.angle(wave)) / (2.0 * np.pi) + late  # when the cosine is highest, of the cycle

    def angles(phase: Array) -> dict[str, Array]:
        return still(phase) | {joint: 20.0 + 10.0 * np.cos(2.0 * np.pi * (phase - peak))}

    r = abs(wave) / math.sqrt(2.0) / norm.std() * math.cos(2.0 * np.pi * late)
    assert measures.against_norm(*posed(angles, 12.0), joint)[0] == pytest.approx(r, abs=0.02)


def test_an_offset_is_taken_off_once() -> None:
    def leaning(phase: Array) -> dict[str, Array]:
        return normal(phase) | {"hip": normal(phase)["hip"] - 10.0}

    assert measures.against_norm(*posed(leaning, 12.0), "hip") == pytest.approx((1.0, 10.0, 0.0), abs=0.1)


@pytest.mark.parametrize("stance", [0.58, 0.65])
def test_stance_and_double_support(stance: float) -> None:
    motion, job = posed(normal, 12.0, stance=stance)
    assert measures.stance_percent(motion, job) == pytest.approx(100.0 * stance)
    assert measures.double_support_percent(motion, job) == pytest.approx(200.0 * (stance - 0.5))


@pytest.mark.parametrize("stance", [0.30, 0.42, 0.60])
def test_flight_is_when_no_foot_is_down(stance: float) -> None:
    motion, job = posed(normal, 12.0, stance=stance)
    assert measures.flight_percent(motion, job) == pytest.approx(max(0.0, 200.0 * (0.5 - stance)), abs=0.5)


@pytest.mark.parametrize("millimetres", [0.0, 40.0])
def test_bob_is_the_range_of_the_height(millimetres: float) -> None:
    motion, job = posed(still, 12.0)
    wave = 0.0005 * millimetres * np.cos(4.0 * np.pi * motion.times / STRIDE)
    bobbing = moved(motion, np.column_stack((0 * wave, 0 * wave, wave)))
    assert measures.com_bob(bobbing, job) == pytest.approx(SCALE * millimetres, abs=0.1)


@pytest.mark.parametrize("degrees", [0.0, 10.0])
def test_pelvis_rotation_and_list_are_ranges(degrees: float) -> None:
    motion, job = posed(still, 12.0)
    angle = np.radians(0.5 * degrees) * np.sin(2.0 * np.pi * motion.times / STRIDE)
    rotating = turned(motion, "pelvis", yaw_quaternion(angle))
    assert measures.pelvis_rotation(rotating, job) == pytest.approx(degrees, abs=0.2)
    assert measures.pelvis_list(rotating, job) == pytest.approx(0.0, abs=1e-6)
    listing = turned(motion, "pelvis", axis_angle_quaternion(X, angle))
    assert measures.pelvis_list(listing, job) == pytest.approx(degrees, abs=0.05)
    assert measures.pelvis_rotation(listing, job) == pytest.approx(0.0, abs=1e-6)


def test_a_bend_is_no_pelvis_rotation() -> None:
    t = np.linspace(0.0, 2.0 * np.pi, 200, endpoint=False)
    motion, job = walked(Path(2.0 * np.column_stack((np.cos(t), np.sin(t))), closed=True), Walk(speed=0.8))
    found = measures.pelvis_rotation(motion, job)
    assert found is not None and found < 1.0


@pytest.mark.parametrize("lag", [180.0, 90.0, 0.0])
def test_arm_swing_and_its_phase_against_the_thigh(lag: float) -> None:
    def swinging(phase: Array) -> dict[str, Array]:
        return still(phase) | {"hip": 20.0 * np.cos(2.0 * np.pi * phase)}

    motion, job = posed(swinging, 12.0)
    for side, name in enumerate("LR"):
        phase = motion.times / STRIDE - 0.5 * side - lag / 360.0
        angle = -np.radians(15.0) * np.cos(2.0 * np.pi * phase)  # positive about y is backward
        motion = turned(motion, f"upper_arm.{name}", axis_angle_quaternion(Y, angle))
    assert measures.arm_swing(motion, job) == pytest.approx(30.0, abs=0.05)
    found = measures.arm_phase(motion, job)
    assert found is not None and (found - lag + 180.0) % 360.0 == pytest.approx(180.0, abs=0.2)


def test_still_arms_have_no_phase() -> None:
    motion, job = posed(normal, 12.0)
    assert measures.arm_swing(motion, job) == pytest.approx(0.0, abs=1e-6)
    assert measures.arm_phase(motion, job) is None


@pytest.mark.parametrize(("speed", "stride"), [(1.2, 1.1), (0.9, 0.9)])
def test_step_length_and_cadence(speed: float, stride: float) -> None:
    motion, job = scissors(0.5, speed, stride)  # ankles are nearer at a strike than the feet are set down apart
    assert measures.step_length(motion, job) == pytest.approx(SCALE * speed * 0.5 * stride, rel=0.002)
    assert measures.cadence(motion, job) == pytest.approx(120.0 / stride)


@pytest.mark.parametrize(("share", "error"), [(1.0, 0.0), (0.8, 20.0), (1.15, 15.0)])
@pytest.mark.parametrize("speed", [0.7, 1.2])
def test_step_length_error_is_how_far_steps_are_from_those_people_choose(
    speed: float, share: float, error: float
) -> None:
    step = share * measures.natural_step_length(speed, BODY.leg_length / 0.53)
    walk = scissors(step, speed, stride=2.0 * step / speed)
    assert measures.step_length_error(*walk) == pytest.approx(error, abs=0.5)


def test_natural_steps_are_those_of_the_thesis() -> None:
    at_5_kmh = measures.natural_step_length(5.0 / 3.6, 1.80)
    assert at_5_kmh == pytest.approx(0.7746, abs=1e-4)
    assert 60.0 * (5.0 / 3.6) / at_5_kmh == pytest.approx(107.58, abs=0.01)  # steps a minute
    fastest = 0.528 * 1.80 * 132.0 / 60.0  # m/s; beyond it only the cadence grows
    assert measures.natural_step_length(1.5 * fastest, 1.80) == pytest.approx(0.528 * 1.80)
    assert measures.natural_step_length(0.9 * fastest, 1.80) < 0.528 * 1.80


def measured_twice(walk: Walk, factor: float) -> tuple[dict[str, float], dict[str, float]]:
    """Return the report of a walk, and of the same walk by a body ``factor`` as tall on a path as much longer."""
    reports = []
    for f in (1.0, factor):
        body = standard_character(mass=70.0 * f**3, stature=1.75 * f)
        lengths = ("speed", "width", "bob", "crouch", "lift", "offset")
        scaled = replace(walk, **{n: f * getattr(walk, n) for n in lengths})
        reports.append(measures.report(*walked(Path([[0.0, 0.0], [10.0 * f, 0.0]]), scaled, body)))
    return reports[0], reports[1]


def test_a_body_half_as_tall_that_walks_alike_has_the_same_figures() -> None:
    usual, small = measured_twice(Walk(offset=0.1), 0.5)
    scaled = [n for n in NAMES if n.endswith(("_m", "_mm")) and usual[n] is not None]
    assert len(scaled) == 9
    for name in scaled:
        assert small[name] == pytest.approx(usual[name], rel=0.01, abs=0.02), name


def test_a_path_that_doubles_back_is_no_way_off_it() -> None:
    motion, job = walked(Path([[0.0, 0.0], [8.0, 0.0]]))
    root = motion.root.copy()
    root[:, 0] = 4.0 - np.abs(root[:, 0] - 4.0)  # as if it turned back in an instant
    there_and_back = replace(job, path=Path([[0.0, 0.0], [4.0, 0.0], [0.0, 0.001]]))
    assert measures.report(replace(motion, root=root), there_and_back)["path_deviation_worst_m"] < 0.15
