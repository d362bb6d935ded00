"""The measures of a walk: figures that say how far it is from what was commanded and from how people walk.

Each function takes a Motion and the Job it was made from and returns a figure, or None where it does not apply.
Lengths are scaled to a leg of 0.90 m (hip to sole). What happens after a fall is not measured.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from ..base.spatial import (
    Array,
    quaternion_conjugate,
    quaternion_matrix,
    quaternion_product,
    rotate,
    rotation_vector,
    yaw,
)
from ..character.fallen import fallen, grounds, is_upright, trunk_top
from ..character.model import Shape
from ..character.reference import REFERENCE_LEG
from ..job import Job
from . import gait_events
from .motion import RATE, Motion
from .norm import JOINTS, adult_norm
from .overlap import overlap

LEG = REFERENCE_LEG  # m; the leg that lengths are scaled to
LYING_SPEED = 0.05  # m/s; a fallen body lies whose joints are slower
LEG_SHARE = 0.53  # leg length over body height (Winter 2009, figure 4.1)
STANDING_SPEED = 0.02  # m/s; a centre of mass slower than this stands
FLAT = np.radians(5.0)  # a sole tilted less than this is flat
_ROLLED_DOWN = np.radians(1.0)  # and less than this, come down from its heel
LOADED = 0.05  # share of the body's weight on a foot that makes it bear load
_SIDEWAYS = (0.002, 0.004, 0.008, 0.016, 0.032)  # m to the side, at which a corner's way out of the ground is sought
_SKATE_RATE, _SKATE_HEIGHT, _SKATE_SPEED = 30.0, 0.1, 0.15  # Hz, m, m/s: joints that are lower and slower touch
SHAKE_FREQUENCY = 8.0  # Hz; joint angles of a walk have next to nothing above it
_LEG_ROLES = {side: tuple(f"{part}.{side}" for part in ("thigh", "shin", "foot", "toes")) for side in gait_events.SIDES}


def report(motion: Motion, job: Job, path_name: str | None = None) -> dict[str, Any]:
    """Return every measure by its name, as one flat JSON object; what does not apply is None.

    path_name: for the reader. ``bake_error_*`` are known in Blender only, ``push_*`` after many simulations only:
    both stay None here.
    """
    fell = fell_at(motion, job)
    walk = before_fall(motion, job)
    deviation_mean, deviation_worst = path_deviation(walk, job)
    slip_median, slip_worst = foot_slip(walk, job)
    attempt = motion.attempt  # it is told as what it is
    figures: dict[str, Any] = {
        "controller": attempt.controller if attempt else job.preset.controller,
        "preset": attempt.preset if attempt else job.preset.name,
        "character": motion.character.name,
        "path": path_name,
        "speed_mps": job.speed,
        "duration_s": motion.duration,
        "fell": fell is not None,
        "fell_at_s": fell,
        "fallback": attempt.kind if attempt else None,
        "path_deviation_mean_m": deviation_mean,
        "path_deviation_worst_m": deviation_worst,
        "speed_error_percent": speed_error(walk, job),
        "arrival_m": arrival(walk, job),
        "stop_s": stop_time(walk, job),
        "foot_slip_median_mm": slip_median,
        "foot_slip_worst_mm": slip_worst,
        "foot_skate_cm_per_s": foot_skate(walk, job),
        "sole_flat_ms": sole_flat(walk, job),
        "penetration_mm": penetration(walk, job),
        "self_intersection_mm": self_intersection(walk, job),
        "shake_deg": shake(walk, job),
    }
    for joint in JOINTS:
        r, rms, rms_offset = against_norm(walk, job, joint)
        figures |= {f"{joint}_r": r, f"{joint}_rms_deg": rms, f"{joint}_rms_offset_deg": rms_offset}
    figures |= {
        "stance_percent": stance_percent(walk, job),
        "double_support_percent": double_support_percent(walk, job),
        "flight_percent": flight_percent(walk, job),
        "com_bob_mm": com_bob(walk, job),
        "pelvis_rotation_deg": pelvis_rotation(walk, job),
        "pelvis_list_deg": pelvis_list(walk, job),
        "arm_swing_deg": arm_swing(walk, job),
        "arm_phase_deg": arm_phase(walk, job),
        "step_length_m": step_length(walk, job),
        "cadence_steps_per_min": cadence(walk, job),
        "step_length_error_percent": step_length_error(walk, job),
        "bake_error_mm": None,
        "bake_error_deg": None,
        "cpu_s_per_s": motion.cpu / motion.duration if motion.duration > 0.0 else None,
        "push_forward_n": None,
        "push_back_n": None,
        "push_left_n": None,
        "push_right_n": None,
        "push_n": None,
    }
    return figures


# --- falling -----------------------------------------------------------------------------------------------------


def fell_at(motion: Motion, job: Job) -> float | None:
    """Return when it fell, s: see ``character.fallen``."""
    down = _down(motion, job)
    if down.any():
        return float(motion.times[int(down.argmax())])
    return motion.duration if motion.outcome == "fell" else None


def lies_still(motion: Motion, job: Job) -> bool:
    """Return whether no joint of a body that fell moves at the end of its motion: over the last quarter of a second."""
    last = motion.part(max(0, len(motion.times) - round(0.25 * RATE)), len(motion.times))
    seconds = max(float(last.times[-1] - last.times[0]), 1e-9)
    moved = np.linalg.norm(last.origins[-1] - last.origins[0], axis=-1).max()
    return bool(moved < LYING_SPEED * math.sqrt(motion.character.leg_length / LEG) * seconds)  # Froude's law


def before_fall(motion: Motion, job: Job) -> Motion:
    """Return what comes before a fall, at least one sample; the same motion when there is none."""
    down = _down(motion, job)
    end = max(1, int(down.argmax())) if down.any() else len(down)
    if end == len(down):
        return motion
    return replace(motion.part(0, end), outcome="fell")


def steady_span(motion: Motion, job: Job) -> tuple[float, float] | None:
    """Return begin and end, s, of steady walking before a fall; see ``gait_events.steady_span``."""
    return gait_events.steady_span(before_fall(motion, job), job)


def _down(motion: Motion, job: Job) -> Array:
    """Return at which samples (T,) the body has fallen."""
    body, under = motion.character, _ground_under(motion.origins, job)
    heights = motion.origins[..., 2] - (under if job.floor.flat else grounds(body, under))
    trunk = quaternion_matrix(motion.rotations[:, trunk_top(body)])[:, 2, 2]
    down = ~is_upright(body, heights[:, 0], trunk)
    turns = quaternion_matrix(motion.rotations[down])[..., 2, :]
    down[down] = fallen(body, heights[down], turns, job.may_touch)
    return np.asarray(down)


def _ground_under(places: Array, job: Job) -> Any:
    """Return the ground's height (...), m, under places (..., 3); of a flat one it is one number."""
    return job.ground if job.floor.flat else job.floor.heights(places)


def _lowest(shape: Shape, origin: Array, rotation: Array) -> Array:
    """Return the height (T,), world, m, of the lowest point of a shape whose frame is at origin (T, 3)."""
    return np.asarray(origin[:, 2] + shape.lowest(quaternion_matrix(rotation)[:, 2]))


# --- following the path ------------------------------------------------------------------------------------------


def path_deviation(motion: Motion, job: Job) -> tuple[float | None, float | None]:
    """Return mean and worst of ``deviations``, m."""
    _, away = deviations(motion, job)
    return (float(away.mean()), float(away.max())) if len(away) else (None, None)


def deviations(motion: Motion, job: Job) -> tuple[Array, Array]:
    """Return times (K,), s, and the horizontal distance (K,), m, from the mid-hip, averaged over a stride, to the path.

    From the second foot strike on, which there may be none of. Where a path comes back near itself only the part
    around the distance walked so far counts.
    """
    motion = before_fall(motion, job)
    hits = gait_events.strikes(motion)
    if len(hits) < 2 or len(motion.times) < 2:
        return np.empty(0), np.empty(0)
    middle, along = _progress(motion, job)
    after = motion.times >= hits[1][0]
    away = np.linalg.norm(middle - job.path.position(along), axis=1)[after]
    return motion.times[after], _scale(motion) * away


def speed_error(motion: Motion, job: Job) -> float | None:
    """Return how far the distance along the path per second, over steady walking, is from the job's speed, %."""
    speed = steady_speed(motion, job)
    return None if speed is None or job.speed <= 0.0 else 100.0 * abs(speed / job.speed - 1.0)


def steady_speed(motion: Motion, job: Job) -> float | None:
    """Return the distance along the path per second over steady walking, m/s, not scaled."""
    motion = before_fall(motion, job)
    span = steady_span(motion, job)
    if span is None:
        return None
    _, along = _progress(motion, job)
    begin, finish = np.interp(span, motion.times, along)
    return float(finish - begin) / (span[1] - span[0])


def arrival(motion: Motion, job: Job) -> float | None:
    """Return the distance, m, of the mid-hip from the path's end when standing; None when it never stands."""
    if not job.stop or _standing_since(motion, job) is None:
        return None
    return _scale(motion) * float(np.linalg.norm(motion.root[-1, :2] - job.path.position(job.path.length)))


def stop_time(motion: Motion, job: Job) -> float | None:
    """Return the time, s, from the last foot strike until the centre of mass stays under 0.02 m/s."""
    since, hits = _standing_since(motion, job), gait_events.strikes(motion)
    if since is None or not hits or not job.stop:
        return None
    return max(0.0, since - hits[-1][0])


def _standing_since(motion: Motion, job: Job) -> float | None:
    """Return from when on, s, the centre of mass stays under STANDING_SPEED; None when it does not end so."""
    if len(motion.times) < 3 or fell_at(motion, job) is not None:
        return None
    fast = np.linalg.norm(np.gradient(motion.com, motion.times, axis=0), axis=1) >= STANDING_SPEED
    if fast[-1]:
        return None
    return float(motion.times[int(np.flatnonzero(fast)[-1]) + 1]) if fast.any() else float(motion.times[0])


def _progress(motion: Motion, job: Job) -> tuple[Array, Array]:
    """Return the mid-hip averaged over a stride (T, 2) and the arc length (T,) of the path's point nearest to it.

    The point moves on with the walker and searches only close ahead, so that a crossing is not a short cut.
    """
    times = motion.times
    middle = gait_events.moving_mean(motion.root[:, :2], times, _stride_times(motion))
    step = max(1, round(RATE / 20.0))
    coarse = np.unique(np.append(np.arange(0, len(times), step), len(times) - 1))
    reach = max(0.5, 3.0 * job.speed / 20.0)
    along, at = np.empty(len(coarse)), job.start
    for k, i in enumerate(coarse):
        at = job.path.nearest(middle[i], max(0.0, at - 0.5 * reach), at + reach)
        along[k] = at
    fine = np.interp(times, times[coarse], along)
    exact = [job.path.nearest(p, max(0.0, s - 0.1), s + 0.1) for p, s in zip(middle, fine, strict=True)]
    return middle, np.array(exact)


def _stride_times(motion: Motion) -> Array:
    """Return how long the stride around each sample (T,) is, s; 0 where there are no strides."""
    strides = sorted(
        (0.5 * (s.start + s.end), s.end - s.start) for side in (0, 1) for s in gait_events.strides(motion, side)
    )
    if not strides:
        return np.zeros(len(motion.times))
    middle, length = np.array(strides).T
    return np.asarray(np.interp(motion.times, middle, length))


# --- contact -----------------------------------------------------------------------------------------------------


def foot_slip(motion: Motion, job: Job) -> tuple[float | None, float | None]:
    """Return median and worst slip of all stances, mm. See ``slips``."""
    found = [_scale(motion) * 1000.0 * slip for _, slip in slips(motion, job)]
    return (float(np.median(found)), float(max(found))) if found else (None, None)


def foot_skate(motion: Motion, job: Job) -> float | None:
    """Return the mean speed of heels and of the toes' joints while they touch the ground, cm/s; None if they never do.

    As papers on learnt motion report it: at 30 frames a second, what is low and slow touches.
    """
    motion = before_fall(motion, job)
    body, scale = motion.character, _scale(motion)
    times = np.arange(0.0, motion.times[-1], 1.0 / _SKATE_RATE)
    if len(times) < 2:
        return None
    found = []
    for side in gait_events.SIDES:
        foot, toes = body.index(f"foot.{side}"), body.index(f"toes.{side}")
        sole = body.links[foot].shape
        heel = motion.origins[:, foot] + quaternion_matrix(motion.rotations[:, foot]) @ np.array(
            (sole.center[0] - sole.half[0], sole.center[1], sole.center[2] - sole.half[2])
        )
        for place in (heel, motion.origins[:, toes]):
            at = scale * np.stack([np.interp(times, motion.times, place[:, k]) for k in range(3)], axis=1)
            speeds = np.linalg.norm(np.diff(at[:, :2], axis=0), axis=1) * _SKATE_RATE
            low = at[1:, 2] - scale * _ground_under(at[1:] / scale, job) < _SKATE_HEIGHT
            found.append(speeds[low & (speeds < _SKATE_SPEED)])
    touching = np.concatenate(found)
    return 100.0 * float(touching.mean()) if len(touching) else None


def slips(motion: Motion, job: Job) -> list[tuple[gait_events.Stance, float]]:
    """Return the slip of each stance, m, not scaled.

    The point that bears the load is the sole below the ball joint: it stays in place while the foot lies flat and
    while the heel rises. Its largest horizontal distance from where it was at foot-flat is the slip, from the first
    to the last moment at which the sole is flat (pitch under 5 degrees) and bears at least 5 % of the body's weight.
    Where a stance has several such times each counts from its own beginning. A foot that is never flat in a whole
    stance (on tiptoe) counts while it bears load.
    """
    motion = before_fall(motion, job)
    times, body, found = motion.times, motion.character, []
    for side in range(len(gait_events.SIDES)):
        point = gait_events.ball_track(motion, side)[:, :2]
        flat = np.abs(_tilts(motion, job, side)) < FLAT
        loaded = motion.loads[:, side] >= LOADED * body.mass * job.gravity
        for stance in gait_events.stances(motion, side):
            inside = (times >= stance.start) & (times <= stance.end) & loaded
            on_tiptoe = not (inside & flat).any() and stance.opened == stance.closed
            bearing = inside if on_tiptoe else inside & flat
            tracks = [point[a:b] for a, b in gait_events.runs(bearing)]
            if tracks:
                slip = max(float(np.linalg.norm(track - track[0], axis=1).max()) for track in tracks)
                found.append((stance, slip))
    return found


def sole_flat(motion: Motion, job: Job) -> float | None:
    """Return the median time from a foot strike until the sole is flat (pitch under 1 degree), ms.

    Of the strikes of steady walking; one by a sole that is flat already, or never is, does not count.
    """
    times, spans, found = motion.times, gait_events.steady_spans(motion, job), []
    for side in range(len(gait_events.SIDES)):
        over = np.abs(_tilts(motion, job, side)) - _ROLLED_DOWN
        for stance in gait_events.stances(motion, side):
            inside = np.flatnonzero((times > stance.start) & (times <= stance.end) & (over < 0.0))
            if not any(begin <= stance.start <= end for begin, end in spans) or not len(inside):
                continue
            k = int(inside[0])
            if float(np.interp(stance.start, times, over)) > 0.0 < over[k - 1]:
                share = over[k - 1] / (over[k - 1] - over[k])
                found.append(times[k - 1] + share * (times[k] - times[k - 1]) - stance.start)
    return 1000.0 * float(np.median(found)) if found else None


def _tilts(motion: Motion, job: Job, side: int) -> Array:
    """Return how far a foot's sole is turned up ahead from the ground below its ball, rad, (T,)."""
    foot = motion.character.index(f"foot.{gait_events.SIDES[side]}")
    ahead = quaternion_matrix(motion.rotations[:, foot])[:, :, 0]
    pitch: Array = np.arcsin(np.clip(ahead[:, 2], -1.0, 1.0))
    return pitch - _inclines(job, gait_events.ball_track(motion, side)[:, :2], ahead)


def _inclines(job: Job, places: Array, ahead: Array) -> Any:
    """Return how steeply the ground rises, rad, (T,) at places (T, 2) along directions (T, 3); of a flat one 0."""
    if job.floor.flat:
        return 0.0
    slopes = np.array([job.floor.slope(x, y) for x, y in places.tolist()])
    level = ahead[:, :2] / np.maximum(np.linalg.norm(ahead[:, :2], axis=1), 1e-9)[:, None]
    return np.arctan((slopes * level).sum(axis=1))


def penetration(motion: Motion, job: Job) -> float:
    """Return how deep the deepest point of a sole was below the ground under it, mm."""
    motion = before_fall(motion, job)
    body = motion.character
    if not job.floor.flat:
        return _scale(motion) * 1000.0 * max(float(np.max(_depths(motion, job, i))) for i in body.soles)
    lowest = min(
        float(_lowest(body.links[i].shape, motion.origins[:, i], motion.rotations[:, i]).min()) for i in body.soles
    )
    return _scale(motion) * 1000.0 * max(0.0, job.ground - lowest)


def _depths(motion: Motion, job: Job, link: int) -> Array:
    """Return how deep each corner of a link's box is below ground that is not flat (T, 8), m; at least 0.

    Next to a riser a corner may be under the edge above it, before the face of which the foot is: the depth is the way
    out, upwards or sideways, whichever is the shorter.
    """
    shape = motion.character.links[link].shape
    signs = np.array(list(product((-1.0, 1.0), repeat=3)))
    corners = np.array(shape.center) + signs * (np.array(shape.half) + (shape.radius if shape.kind != "box" else 0.0))
    turned = np.einsum("tij,kj->tki", quaternion_matrix(motion.rotations[:, link]), corners)
    places = motion.origins[:, link, None] + turned
    up = job.floor.heights(places) - places[..., 2]
    deep = np.maximum(up, 0.0)
    for k in np.argwhere(deep > _SIDEWAYS[0]):
        x, y, z = places[tuple(k)].tolist()
        for aside in _SIDEWAYS:
            turns = np.arange(8) * (np.pi / 4.0)
            around = np.stack((x + aside * np.cos(turns), y + aside * np.sin(turns)), axis=-1)
            if aside < deep[tuple(k)] and (job.floor.heights(around) <= z).any():
                deep[tuple(k)] = aside
                break
    return np.asarray(deep)


def self_intersection(motion: Motion, job: Job) -> float:
    """Return the deepest overlap of a left with a right leg part, mm, beyond what overlaps in the standing pose.

    Thigh against thigh does not count: thighs are soft, and those of people who walk press each other.
    """
    motion = before_fall(motion, job)
    body, origins, rotations = motion.character, motion.origins, motion.rotations
    standing, upright = (a[None] for a in body.standing())
    deepest = 0.0
    legs = [[i for i, k in enumerate(body.links) if k.role in _LEG_ROLES[side]] for side in gait_events.SIDES]
    balls = {i: _ball(body.links[i].shape, origins[:, i], rotations[:, i]) for i in (*legs[0], *legs[1])}
    thighs = (body.index("thigh.L"), body.index("thigh.R"))
    for i, j in product(*legs):
        if (i, j) == thighs:
            continue
        usual = max(0.0, float(overlap(body.links[i].shape, body.links[j].shape, standing[:, i], upright[:, i],
                                        standing[:, j], upright[:, j])[0]))  # fmt: skip
        (middle, reach), (other, more) = balls[i], balls[j]
        near = np.linalg.norm(middle - other, axis=1) < reach + more - usual - deepest  # where it could be deeper
        if near.any():
            depth = overlap(body.links[i].shape, body.links[j].shape, origins[near, i], rotations[near, i],
                            origins[near, j], rotations[near, j])  # fmt: skip
            deepest = max(deepest, float(depth.max()) - usual)
    return _scale(motion) * 1000.0 * deepest


def _ball(shape: Shape, origins: Array, rotations: Array) -> tuple[Array, float]:
    """Return the middle (T, 3) and the radius, m, of a ball that a shape is in."""
    return origins + rotate(rotations, np.array(shape.center)), float(np.linalg.norm(shape.half)) + shape.radius


# --- smoothness --------------------------------------------------------------------------------------------------


def shake(motion: Motion, job: Job) -> float | None:
    """Return the rms of what the worst joint's angle has above 8 Hz, degrees; None for less than two seconds."""
    motion = before_fall(motion, job)
    if len(motion.times) < round(2.0 * RATE):
        return None
    q = motion.rotations
    worst = 0.0
    for i, parent in enumerate(motion.character.parents):
        if parent >= 0:
            angle = rotation_vector(quaternion_product(quaternion_conjugate(q[:, parent]), q[:, i]))
            fast = _above(np.unwrap(angle, axis=0), SHAKE_FREQUENCY)
            worst = max(worst, float(np.sqrt((fast**2).sum(axis=1).mean())))
    return float(np.degrees(worst))


def _above(values: Array, frequency: float) -> Array:
    """Return what columns (T, K), sampled at RATE, have above ``frequency``, Hz, without half a second at each end.

    A windowed-sinc filter of one second: it falls off within 1.7 Hz on both sides of ``frequency``.
    """
    half = round(0.5 * RATE)
    n = np.arange(-half, half + 1)
    low = np.sinc(2.0 * frequency / RATE * n) * np.hamming(len(n))
    low /= low.sum()
    return np.stack([c[half:-half] - np.convolve(c, low, "valid") for c in values.T], axis=1)


# --- how people walk ---------------------------------------------------------------------------------------------


def flexion(motion: Motion, joint: str, side: int) -> Array:
    """Return the flexion (T,), degrees, of "hip", "knee" or "ankle" (dorsiflexion) of one side (0 left, 1 right).

    In the parent's sagittal plane: hip, thigh forward of the pelvis' vertical; knee, shank behind the thigh's line;
    ankle, foot up from square to the shank.
    """
    part = {"hip": "thigh", "knee": "shin", "ankle": "foot"}[joint]
    return bend(joint, _in_parent(motion, f"{part}.{gait_events.SIDES[side]}"))


def bend(joint: str, turns: Array) -> Array:
    """Return the flexion (T,), degrees, of a joint (see ``flexion``) whose link has turns (T, 3, 3) in its parent."""
    if joint == "ankle":
        return np.asarray(np.degrees(np.unwrap(np.arctan2(turns[:, 2, 0], turns[:, 0, 0]))))
    ahead, down = -turns[:, 0, 2], turns[:, 2, 2]
    return np.asarray(np.degrees(np.unwrap(np.arctan2(ahead if joint == "hip" else -ahead, down))))


def steady_strides(motion: Motion, job: Job) -> list[gait_events.Stride]:
    """Return the strides of both feet that lie within steady walking."""
    span = steady_span(motion, job)
    if span is None:
        return []
    return [s for side in (0, 1) for s in gait_events.strides(motion, side) if s.start >= span[0] and s.end <= span[1]]


def cycle(motion: Motion, values: Array, stride: gait_events.Stride) -> Array:
    """Return values (T,) over one stride (101,), at 0..100 % of it."""
    return np.asarray(np.interp(np.linspace(stride.start, stride.end, 101), motion.times, values))


def cycles(motion: Motion, job: Job, joint: str) -> Array:
    """Return the flexion of a joint over each steady stride (N, 101), degrees, both legs."""
    angles = [flexion(motion, joint, side) for side in (0, 1)]
    return np.array([cycle(motion, angles[s.side], s) for s in steady_strides(motion, job)]).reshape(-1, 101)


def against_norm(motion: Motion, job: Job, joint: str) -> tuple[float | None, float | None, float | None]:
    """Return correlation, rms difference, and that after the mean difference is taken off, degrees.

    Of the mean curve of a joint over steady strides against the adults' mean curve. A joint that does not move has
    no correlation.
    """
    curves = cycles(motion, job, joint)
    if not len(curves):
        return None, None, None
    mean, norm = curves.mean(axis=0), adult_norm()[joint].mean
    away = mean - norm
    r = float(np.corrcoef(mean, norm)[0, 1]) if np.ptp(mean) > 1e-6 else None
    return r, float(np.sqrt((away**2).mean())), float(away.std())


def stance_percent(motion: Motion, job: Job) -> float | None:
    """Return how much of a stride a foot is on the ground, %, over steady strides."""
    return _mean(100.0 * (s.toe_off - s.start) / (s.end - s.start) for s in steady_strides(motion, job))


def double_support_percent(motion: Motion, job: Job) -> float | None:
    """Return how much of the time both feet are on the ground, %, over steady walking."""
    span = steady_span(motion, job)
    if span is None:
        return None
    both = sum(
        max(0.0, min(a.end, b.end, span[1]) - max(a.start, b.start, span[0]))
        for a, b in product(gait_events.stances(motion, 0), gait_events.stances(motion, 1))
    )
    return 100.0 * both / (span[1] - span[0])


def flight_percent(motion: Motion, job: Job) -> float | None:
    """Return how much of the time no foot is on the ground, %, over steady walking: running has flight."""
    span = steady_span(motion, job)
    if span is None:
        return None
    stances = sorted((s.start, s.end) for side in (0, 1) for s in gait_events.stances(motion, side))
    flight, down = 0.0, span[0]
    for start, end in stances:
        flight += max(0.0, min(start, span[1]) - down)
        down = max(down, min(end, span[1]))
    return 100.0 * (flight + span[1] - down) / (span[1] - span[0])


def com_bob(motion: Motion, job: Job) -> float | None:
    """Return the range of the centre of mass' height over a stride, mm, mean of steady strides."""
    return _range(motion, job, _scale(motion) * 1000.0 * motion.com[:, 2])


def pelvis_rotation(motion: Motion, job: Job) -> float | None:
    """Return the range of the pelvis' turn about the vertical over a stride, degrees, the path's turn taken off."""
    facing = np.unwrap(yaw(motion.rotations[:, 0]))
    usual = gait_events.moving_mean(facing, motion.times, _stride_times(motion))
    return _range(motion, job, np.degrees(facing - usual))


def pelvis_list(motion: Motion, job: Job) -> float | None:
    """Return the range of the pelvis' sideways tilt over a stride, degrees, mean of steady strides."""
    left_up = quaternion_matrix(motion.rotations[:, 0])[:, 2, 1]
    return _range(motion, job, np.degrees(np.arcsin(np.clip(left_up, -1.0, 1.0))))


def arm_swing(motion: Motion, job: Job) -> float | None:
    """Return the range of the upper arms' swing against the chest over a stride, degrees, mean of both arms."""
    return _mean(
        float(np.ptp(cycle(motion, _arm_flexion(motion, s.side), s)))
        for s in steady_strides(motion, job)
        if motion.character.has(f"upper_arm.{gait_events.SIDES[s.side]}")
    )


def arm_phase(motion: Motion, job: Job) -> float | None:
    """Return how far the arms' swing lags behind the same side's thigh, degrees, 0..360; 180 is natural.

    Of the parts of both that repeat once a stride; None where an arm or a thigh does not swing (under a degree).
    """
    ratio = 0.0j
    for s in steady_strides(motion, job):
        if not motion.character.has(f"upper_arm.{gait_events.SIDES[s.side]}"):
            return None
        arm, thigh = (
            np.exp(-2.0j * np.pi * np.arange(100) / 100.0) @ cycle(motion, v, s)[:100] / 50.0
            for v in (_arm_flexion(motion, s.side), flexion(motion, "hip", s.side))
        )
        if abs(arm) < 0.5 or abs(thigh) < 0.5:
            return None
        ratio += (thigh / arm) / abs(thigh / arm)
    return float(np.degrees(np.angle(ratio))) % 360.0 if ratio else None


def step_length(motion: Motion, job: Job) -> float | None:
    """Return how far it comes along the path with a step, m, mean of steady steps: speed over cadence.

    Ankles are 8 % nearer than feet are set down apart: the foot behind is on its toes as the other one strikes.
    """
    length = _step_length(motion, job)
    return None if length is None else _scale(motion) * length


def cadence(motion: Motion, job: Job) -> float | None:
    """Return the steps a minute over steady walking."""
    span = steady_span(motion, job)
    if span is None:
        return None
    count = sum(span[0] < time <= span[1] for time, _ in gait_events.strikes(motion))
    return 60.0 * count / (span[1] - span[0])


def step_length_error(motion: Motion, job: Job) -> float | None:
    """Return how far the step length is from what people choose at the walker's own speed, %.

    See ``natural_step_length``; the body's height is taken from the leg's length.
    """
    length, speed = _step_length(motion, job), steady_speed(motion, job)
    if length is None or speed is None or speed <= 0.0:
        return None
    return 100.0 * abs(length / natural_step_length(speed, motion.character.leg_length / LEG_SHARE) - 1.0)


def natural_step_length(speed: float, height: float) -> float:
    """Return the step length, m, that people of a body height, m, choose at a speed, m/s.

    The normalising formula, step length / (steps a minute x height) = 0.004, up to 132 steps a minute, and a constant
    length beyond (Bruderlin 1988, section 5.1, after Inman 1981).
    """
    longest = 0.004 * 132.0 * height
    return float(min(np.sqrt(60.0 * speed * 0.004 * height), longest))


def _step_length(motion: Motion, job: Job) -> float | None:
    speed, steps = steady_speed(motion, job), cadence(motion, job)
    return 60.0 * speed / steps if speed is not None and steps else None


def _arm_flexion(motion: Motion, side: int) -> Array:
    """Return how far an upper arm is forward of the chest's vertical (T,), degrees."""
    down = -_in_parent(motion, f"upper_arm.{gait_events.SIDES[side]}")[:, :, 2]
    return np.asarray(np.degrees(np.unwrap(np.arctan2(down[:, 0], -down[:, 2]))))


def _in_parent(motion: Motion, role: str) -> Array:
    """Return a link's orientation (T, 3, 3) in its parent's frame."""
    i = motion.character.index(role)
    parent = quaternion_matrix(motion.rotations[:, motion.character.parents[i]])
    return np.asarray(parent.transpose(0, 2, 1) @ quaternion_matrix(motion.rotations[:, i]))


def _range(motion: Motion, job: Job, values: Array) -> float | None:
    """Return the range of values (T,) over a stride, mean of steady strides."""
    return _mean(float(np.ptp(cycle(motion, values, s))) for s in steady_strides(motion, job))


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return float(np.mean(found)) if found else None


def _scale(motion: Motion) -> float:
    return LEG / motion.character.leg_length
