"""A whole walk in the sagittal plane, sampled in time: hips, pelvis and feet along the path. At reference size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import ArrayLike

from ..base.curves import eased, monotone, smoothed
from ..base.spatial import Array
from .body import Plane
from .carriage import Carriage, Manners
from .foot import ROLL, Pose, on_ground
from .hips import hermite, pelvic_list, pelvic_turn
from .manner import Manner, astray
from .plan import PlacedStep
from .step import Step

_LANDING = 0.35  # of a swing: its last part, in which it is led to exactly where it shall come down
_SOFT = 0.025  # s, of smoothing the swing foot's path, where the phases of its dynamics meet
_STANDING = 1.1  # of a sole's breadth: how far apart feet stand at least, side by side
_INWARDS = math.sin(math.radians(20.0))  # of the leg: how far inside the hips a foot is set down, or as it stands
_NEAREST = 0.7  # of a sole's breadth: how near to the other foot's line one that staggers is set down
_ROOM = {"start": 0.6, "walk": 1.0, "stop": 0.6}  # how much a swing of a kind of step is lifted, or drags
_SKIMMING = 0.003  # m: how near to the ground the sole of a foot that drags is
_TRAILING = math.radians(14.0)  # by which the heel of a foot that drags is higher
_EDGE = 0.06  # s from toe-off and to heel strike in which it is not smoothed


@dataclass(frozen=True)
class FootTrack:
    """One foot over a walk, at T times. Arrays (T,).

    x: arc length of the ankle, m; y: its height above the ground, m; pitch: heel up, meta: toes bent up, rad.
    down: whether it is on the ground. before, after: arc length of the flat foot's ankle where it stood last and will
    stand next (the same while it is down), beside_before, beside_after: how far that is from the path's middle, m.
    share: how much of the way between them it has gone, 0..1, smooth. out_before, out_after: how far it is turned to
    the left there, rad. rolled: how much of x comes from its turning about heel and ball, m.
    """

    x: Array
    y: Array
    pitch: Array
    meta: Array
    down: Array
    before: Array
    after: Array
    beside_before: Array
    beside_after: Array
    share: Array
    out_before: Array
    out_after: Array
    rolled: Array


@dataclass(frozen=True)
class Stood:
    """How it stood before a walk.

    beside: how far left of the path's middle both feet were, m. out: how far left they were turned, rad. lean: of the
    upper body, rad. manner: how it was carried.
    """

    beside: tuple[float, float]
    out: tuple[float, float]
    lean: float
    manner: Manner


@dataclass(frozen=True)
class StepTrack:
    """A walk in the plane, at T times, s. Arrays (T,).

    x, y: mid-hip, arc length and height above the ground, m. turn: of the pelvis about the vertical, left side
    forward, rad; roll: left side up, rad. lean: of the upper body, theta2, forward, rad. sway: to the left, m, as a
    share of what is most (lateral displacement). feet: left, right. elbows (2, T): how far each leg's opposite arm
    bends its elbow, 0 to 1. load (T,): the left foot's share. step (T,): which step. speed: desired, m/s. carriage: how
    the body is carried beyond that; its lift is in y already.
    """

    times: Array
    x: Array
    y: Array
    turn: Array
    roll: Array
    lean: Array
    sway: Array
    feet: tuple[FootTrack, FootTrack]
    elbows: Array
    load: Array
    step: Array
    speed: Array
    carriage: Carriage

    @property
    def step_time(self) -> float:
        """Time from one sample to the next, s."""
        return float(self.times[1] - self.times[0])


def track_of(
    plane: Plane, placed: Sequence[PlacedStep], steps: Sequence[Step], times: Array, stood: Stood | None = None,
) -> StepTrack:  # fmt: skip
    """Return a walk's course at ``times`` (T,), s, ascending from 0; after its last step it stands.

    stood: how it stood before; as a body stands by itself without it.
    """
    starts = np.array([p.start for p in placed])
    ends = np.append(starts[1:], placed[-1].start + placed[-1].goal.time)
    step = np.clip(np.searchsorted(starts, times, side="right") - 1, 0, len(placed) - 1)
    t = np.minimum(times - starts[step], (ends - starts)[step])
    rows = []
    for p, s in zip(placed, steps, strict=True):
        table = np.array(s.hips)
        table[:, 0] += p.start
        table[:, 1] += p.stance
        rows.append(table)
    table = np.concatenate(rows)
    x, y = hermite(table, np.minimum(times, ends[-1]))
    lean = np.interp(times, table[:, 0], table[:, 8])
    if stood:  # it goes on as it stood
        lean += (stood.lean - lean[0]) * (1.0 - eased(np.clip(times / placed[0].goal.time, 0.0, 1.0)))
    time = (ends - starts)[step]
    double = np.array([p.goal.double_support for p in placed])[step]
    turns = np.array([s.turns for s in steps])[step]
    share = t / time
    forward = pelvic_turn(turns[:, 0], turns[:, 1], share)
    drop = np.array([s.drop for s in steps])[step] * pelvic_list(t, double, time)
    left = np.array([1.0 if p.side == 0 else -1.0 for p in placed])[step]
    walking = times < ends[-1]
    lifts = np.array([s.lift for s in steps])[step]
    load = np.where(walking, 0.5 + left * (np.clip(t / np.maximum(lifts, 1e-6), 0.0, 1.0) - 0.5), 0.5)
    besides = _besides(plane, placed, stood)
    manners = Manners(plane, placed, besides, stood.manner if stood else None)
    carriage = manners.carriage(times)
    first = step == 0
    load[first] = (0.5 + 0.5 * left)[first]
    return StepTrack(
        times=times,
        x=x - 0.5 * plane.l0 * np.sin(forward),
        y=y + plane.l9 - 0.5 * drop + carriage.lift,
        turn=left * forward,
        roll=left * np.arcsin(np.clip(drop / plane.l0, -0.9, 0.9)),
        lean=lean,
        sway=left * np.sin(np.pi * share) * walking,
        feet=(
            _foot(plane, placed, steps, times, 0, besides, manners, stood),
            _foot(plane, placed, steps, times, 1, besides, manners, stood),
        ),
        elbows=np.stack([_elbow(placed, steps, step, t, side) for side in (0, 1)]),
        load=load,
        step=step,
        speed=np.where(walking, np.array([p.speed for p in placed])[step], 0.0),
        carriage=carriage,
    )


def _elbow(placed: Sequence[PlacedStep], steps: Sequence[Step], step: Array, t: Array, side: int) -> Array:
    """Return how far the arm opposite to a leg bends, 0 to 1: from the end of SWING1 to heel strike, and back again.

    (Section 5.5.)
    """
    time = np.array([p.goal.time for p in placed])[step]
    begin = np.array([s.phases[0] for s in steps])[step]
    walks = np.array([float(p.goal.kind != "stop") for p in placed])
    before = np.append(0.0, walks[:-1])[step] * (step > 0)
    swings = np.array([p.side != side for p in placed])[step]
    up = walks[step] * np.clip((t - begin) / (time - begin), 0.0, 1.0)
    down = before * (1.0 - np.clip(t / time, 0.0, 1.0))
    return eased(np.where(swings, up, down))


def _foot(
    plane: Plane, placed: Sequence[PlacedStep], steps: Sequence[Step], times: Array, side: int,
    besides: Sequence[tuple[float, float]], manners: Manners, stood: Stood | None,
) -> FootTrack:  # fmt: skip
    count = len(times)
    columns = {f.name: np.zeros(count) for f in fields(FootTrack) if f.name != "down"}
    down = np.ones(count, dtype=bool)
    metas = np.zeros(count)
    for span in _spans(plane, placed, steps, side, besides, stood):
        if not manners.plain:
            span = _held_up(plane, span, manners)
        a, b = np.searchsorted(times, (span.begin, span.end))
        if span.last:
            b = count
        if a == b:
            continue
        t = np.minimum(times[a:b], span.times[-1])
        columns["before"][a:b], columns["after"][a:b] = span.at, span.to
        columns["beside_before"][a:b], columns["beside_after"][a:b] = span.beside
        columns["out_before"][a:b], columns["out_after"][a:b] = span.out
        if span.grounded:
            columns["pitch"][a:b] = manners.raised(monotone(span.times, span.poses[:, 2], t), t)
            metas[a:b] = span.meta_max
        else:
            _swung(plane, span, t, {k: v[a:b] for k, v in columns.items()})
            down[a:b] = False
    flat = np.flatnonzero(down)
    x, y, meta = grounded(plane, columns["pitch"][flat], metas[flat])
    columns["x"][flat], columns["y"][flat], columns["meta"][flat] = columns["before"][flat] + x, y, meta
    columns["rolled"][flat] = x
    return FootTrack(down=down, **columns)


@dataclass(frozen=True)
class _Span:
    """A time in which a foot is on the ground, or one in which it swings, and its poses, x in arc length.

    at, to: arc lengths, m, before and after, beside: how far from the middle, out: how far turned to the left, rad.
    landing: the pose in which it lands. leaving: by how much it leaves the ground in another pose than the dynamics'.
    rolled: see ``FootTrack``, as it leaves the ground and as it lands. clear: how high the toes are at least while they
    pass, lifted: how much higher the foot is lifted, m. drag: how much it trails, 0..1.
    """

    begin: float
    end: float
    times: Array
    poses: Array
    at: float
    to: float
    grounded: bool
    last: bool
    meta_max: float
    beside: tuple[float, float]
    out: tuple[float, float]
    landing: Pose = (0.0, 0.0, 0.0, 0.0)
    leaving: Pose = (0.0, 0.0, 0.0, 0.0)
    rolled: tuple[float, float] = (0.0, 0.0)
    clear: float = 0.0
    lifted: float = 0.0
    drag: float = 0.0


def _spans(
    plane: Plane, placed: Sequence[PlacedStep], steps: Sequence[Step], side: int,
    besides: Sequence[tuple[float, float]], stood: Stood | None,
) -> list[_Span]:  # fmt: skip
    """Return the spans of a foot: in turn on the ground (as stance foot, then behind) and in the air.

    besides: see ``_besides``.
    """
    found: list[_Span] = []
    still: Pose = (0.0, plane.l9, 0.0, 0.0)
    sign = _sign(side)
    beside = besides[0][side]
    out = stood.out[side] if stood else sign * np.radians(placed[0].style.manner.toe_out)
    times: list[float] = []
    poses: list[Pose] = []

    def standing_at(at: float, last: bool, p: PlacedStep) -> _Span:
        t, table = _table(times, poses)
        meta_max = np.radians(p.style.constants.meta_max)
        return _Span(t[0], t[-1], t, table, at, at, True, last, meta_max, (beside, beside), (out, out))

    for i, (p, s) in enumerate(zip(placed, steps, strict=True)):
        last = i == len(placed) - 1
        if p.side == side:
            times, poses = (p.start + s.hips[:, 0]).tolist(), s.stance.tolist()
            if last:
                found.append(standing_at(p.stance, True, p))
            continue
        at, to = p.stance - p.goal.before, p.stance + p.goal.length
        lift = int((s.swing_times <= s.lift + 1e-9).sum())
        if i > 0:
            times += (p.start + s.swing_times[1:lift]).tolist()
            poses += s.swing[1:lift].tolist()
            found.append(standing_at(at, False, p))
        t, table = _table(p.start + s.swing_times[lift - 1 :], s.swing[lift - 1 :])
        table[:, 0] += p.stance
        manner, meta_max = p.style.manner, np.radians(p.style.constants.meta_max)
        landing = on_ground(plane, 0.0 if p.goal.kind == "stop" else s.strike.pitch, meta_max)
        next_beside, next_out = besides[i + 1][side], sign * np.radians(manner.toe_out)
        begin = p.start + s.lift
        found.append(_Span(
            begin, t[-1], t, table, at, to, False, False, meta_max, (beside, next_beside), (out, next_out), landing,
            rolled=(float(table[0, 0]) - at, landing[0]), clear=p.style.attributes.toe_clear,
            lifted=manner.knee_lift * _ROOM[p.goal.kind], drag=manner.drag_of(side) * _ROOM[p.goal.kind],
        ))  # fmt: skip
        beside, out = next_beside, next_out
        if last:
            times, poses = [t[-1], t[-1] + 1.0], [still, still]
            found.append(standing_at(to, True, p))
    return found


def _held_up(plane: Plane, span: _Span, manners: Manners) -> _Span:
    """Return a swing between poses on the ground in which heels are held up; a foot that stands as it is."""
    if span.grounded:
        return span
    ends = np.array([span.poses[0, 2], span.landing[2]])
    pitches = manners.raised(ends, np.array([span.begin, span.end]))
    first, last = (on_ground(plane, float(pitch), span.meta_max) for pitch in pitches)
    x, y, pitch, meta = (a - b for a, b in zip(first, span.poses[0].tolist(), strict=True))
    leaving = (span.at + x, y, pitch, meta)
    return replace(span, landing=last, leaving=leaving, rolled=(first[0], last[0]))


def _besides(plane: Plane, placed: Sequence[PlacedStep], stood: Stood | None) -> list[tuple[float, float]]:
    """Return how far left of the middle both feet stand at the begin, and after each step, m."""
    standing = 0.5 * _STANDING * plane.breadth
    apart = max(_beside(plane, placed[0]), standing)
    found = [stood.beside if stood else (apart, -apart)]
    for i, p in enumerate(placed):
        side, stops = 1 - p.side, p.goal.kind == "stop"
        sign, other, own = _sign(side), found[-1][p.side], _beside(plane, p)
        usual = _beside(plane, placed[i - 1]) if i else standing  # of the other foot
        at = sign * max(own, 2.0 * standing - usual if stops else 0.0)
        strayed = astray(p.style.manner, i)
        if stops and i:
            at += other + sign * usual  # beside one that is astray
        elif strayed:
            least = min(usual + own, _NEAREST * plane.breadth)
            at = other + sign * max(sign * (at + strayed - other), least)
        found.append((at, other) if side == 0 else (other, at))
    return found


def _sign(side: int) -> float:
    return 1.0 if side == 0 else -1.0


def _beside(plane: Plane, p: PlacedStep) -> float:
    """Return how far from the middle a step's foot is set down, m (section 5.3, stride width).

    Under hips that are wider than the legs are long, a share of their distance would lean the legs so far inwards that
    the body sinks to its shins.
    """
    least = min(0.5 * plane.l0 - _INWARDS * plane.l1, 0.5 * plane.apart)
    return max(0.5 * p.style.attributes.stride_width_factor * plane.l0, least)


def _table(times: ArrayLike, poses: ArrayLike) -> tuple[Array, Array]:
    t, table = np.array(times), np.array(poses)
    keep = np.ones(len(t), dtype=bool)
    keep[:-1] = t[1:] - t[:-1] > 1e-6
    return t[keep], table[keep]


def _swung(plane: Plane, span: _Span, t: Array, into: dict[str, Array]) -> None:
    """Fill in a swing: smooth, and at its end exactly where the foot comes down."""
    share = (t - span.begin) / (span.end - span.begin)
    target = np.array([span.to + span.landing[0], *span.landing[1:]])
    led = eased(np.clip((share - 1.0 + _LANDING) / _LANDING, 0.0, 1.0))
    wrong = target - span.poses[-1]
    fine = np.linspace(span.begin, span.end, max(8, round((span.end - span.begin) * 120.0)))
    near = np.minimum(fine - span.begin, span.end - fine)
    mask = np.clip(near / _EDGE - 0.3, 0.0, 1.0)
    poses = monotone(span.times, span.poses, fine)
    poses += mask[:, None] * (smoothed(poses, fine[1] - fine[0], _SOFT, odd=True) - poses)
    for k, name in enumerate(("x", "y", "pitch", "meta")):
        into[name][:] = np.interp(t, fine, poses[:, k]) + led * wrong[k]
        if span.leaving[k]:
            into[name][:] += eased(np.clip(1.0 - share / _LANDING, 0.0, 1.0)) * span.leaving[k]
    into["share"][:] = eased(share)
    into["rolled"][:] = span.rolled[0] + into["share"] * (span.rolled[1] - span.rolled[0])
    between = np.sin(np.pi * np.clip(share, 0.0, 1.0)) ** 2
    if span.lifted:
        into["y"] += span.lifted * between
    if span.drag:
        into["pitch"] += _TRAILING * span.drag * between
        lowest = np.minimum.reduce(_soles(plane, into["y"], into["pitch"], into["meta"]))
        into["y"] -= span.drag * np.maximum(lowest - _SKIMMING, 0.0)
    heel, ball, tip = _soles(plane, into["y"], into["pitch"], into["meta"])
    needed = span.clear * (1.0 - span.drag) * np.clip(np.minimum(share - 0.1, 1.0 - share) / 0.15, 0.0, 1.0)
    into["y"] += np.maximum(np.maximum(-np.minimum(heel, ball), needed - tip), 0.0)


def _soles(plane: Plane, y: Array, pitch: Array, meta: Array) -> tuple[Array, Array, Array]:
    """Return how high the sole is above the ground below heel, ball and tip (K,), m."""
    s, c = np.sin(pitch), np.cos(pitch)
    ball = y - plane.l5 * s - plane.l9 * c
    drop = plane.l9 - plane.l7
    tips = y - plane.l5 * s - plane.l7 * c - plane.l6 * np.sin(pitch - meta) - drop * np.cos(pitch - meta)
    return y + plane.l8 * s - plane.l9 * c, ball, tips


def grounded(plane: Plane, pitch: Array, meta_max: Array) -> tuple[Array, Array, Array]:
    """Return x, y, m, and meta, rad, of feet on the ground (K,): ``foot.on_ground`` for arrays."""
    s, c = np.sin(pitch), np.cos(pitch)
    kept = (plane.l5 + plane.l8) * (1.0 - np.maximum(c, np.cos(ROLL)))
    heel_x, heel_y = plane.l8 * (c - 1.0) + plane.l9 * s + kept, plane.l9 * c - plane.l8 * s
    drop = plane.l9 - plane.l7
    meta = np.minimum(np.maximum(pitch, 0.0), meta_max) if plane.l6 > 0.0 else np.zeros_like(pitch)
    turn = np.maximum(pitch, 0.0) - meta
    ts, tc = np.sin(turn), np.cos(turn)
    ball_x = plane.l5 + drop * np.sin(np.minimum(pitch, ROLL)) + plane.l6 * (1.0 - tc) + drop * ts
    ball_y = drop * tc + plane.l6 * ts
    toe_x, toe_y = ball_x - plane.l5 * c + plane.l7 * s, ball_y + plane.l5 * s + plane.l7 * c
    return np.where(pitch > 0.0, toe_x, heel_x), np.where(pitch > 0.0, toe_y, heel_y), meta
