"""Where feet point, and how high and how straight they swing."""

from __future__ import annotations

import numpy as np

from ...base.spatial import Array
from ...character.build import toes_bend
from ..gait_events import SIDES, Stride, ball, moving_mean
from .falling import ground_under
from .motion_view import MotionView
from .stride_means import mean

_TOES_PASS = (0.35, 0.75)  # of the swing, in which toes pass nearest to the ground
_EARLY, _LATE = (0.2, 0.4), (0.7, 0.9)  # of the swing


def toe_out(view: MotionView) -> float | None:
    """Return how far feet that stand point outwards from the way, degrees, mean of steady strides.

    From ankle to ball, in the middle of the stance, against the mid-hip's way over a stride.
    """
    walk = view.walk
    middle = moving_mean(walk.root[:, :2], walk.times, view.stride_times)
    velocity = np.gradient(middle, walk.times, axis=0) if len(walk.times) > 1 else np.zeros_like(middle)
    found = []
    for s in view.steady_strides:
        foot = view.rotation(walk.character.index(f"foot.{SIDES[s.side]}"))
        ahead = foot @ (ball(walk.character, s.side) * (1.0, 1.0, 0.0))
        k = min(int(np.searchsorted(walk.times, 0.5 * (s.start + s.toe_off))), len(walk.times) - 1)
        turned = np.angle(complex(*ahead[k, :2]) / complex(*velocity[k])) if np.any(velocity[k]) else 0.0
        found.append((1.0 - 2.0 * s.side) * float(np.degrees(turned)))
    return mean(found)


def toe_clearance(view: MotionView) -> float | None:
    """Return how near the tips of the toes come to the ground as they pass it, mm, mean of steady strides."""
    heights = [_tip_height(view, side) for side in (0, 1)]
    return mean(float(_swing(view, heights[s.side], s, _TOES_PASS).min()) for s in view.steady_strides)


def toe_bend(view: MotionView) -> float | None:
    """Return how far toes are bent up early in the swing (20 to 40 %), degrees, mean of steady strides.

    None where they cannot bend.
    """
    bend = [toes_bend(view.walk.character, side) for side in SIDES]
    return mean(
        float(_swing(view, _toe_angle(view, s.side), s, _EARLY).mean()) for s in view.steady_strides if bend[s.side]
    )


def late_sole_height(view: MotionView) -> float | None:
    """Return how high soles are late in the swing (70 to 90 %), mm: their lowest point, mean of steady strides.

    Above where that point is as the same foot stands: soles of captured bodies are guessed, and stand up to 20 mm in
    the ground.
    """
    heights, times = [_sole_height(view, side) for side in (0, 1)], view.walk.times

    def found(s: Stride) -> float:
        stands = float(np.interp(0.5 * (s.start + s.toe_off), times, heights[s.side]))
        return float(_swing(view, heights[s.side], s, _LATE).mean()) - stands

    return mean(found(s) for s in view.steady_strides)


def _swing(view: MotionView, values: Array, stride: Stride, part: tuple[float, float]) -> Array:
    """Return values (T,) at some moments of a part, shares, of a stride's swing."""
    shares = np.linspace(*part, 21)
    return np.asarray(np.interp(stride.toe_off + shares * (stride.end - stride.toe_off), view.walk.times, values))


def _toe_angle(view: MotionView, side: int) -> Array:
    turns = view.in_parent(f"toes.{SIDES[side]}")
    return np.asarray(np.degrees(np.arctan2(turns[:, 2, 0], turns[:, 0, 0])))


def _tip_height(view: MotionView, side: int) -> Array:
    """Return how high the lower edge of the toes' tip, or of a foot without toes, is above the ground (T,), mm."""
    body, name = view.walk.character, SIDES[side]
    i = body.index(f"toes.{name}" if body.has(f"toes.{name}") else f"foot.{name}")
    shape = body.links[i].shape
    x, y, z = shape.center
    tip = np.array((x + shape.half[0], y, z - shape.half[2]))
    return _height(view, view.walk.origins[:, i] + view.rotation(i) @ tip)


def _sole_height(view: MotionView, side: int) -> Array:
    """Return how high the lowest point of foot and toes is above the ground (T,), mm."""
    body, found = view.walk.character, []
    for part in ("foot", "toes"):
        if body.has(f"{part}.{SIDES[side]}"):
            i = body.index(f"{part}.{SIDES[side]}")
            low = view.walk.origins[:, i].copy()
            low[:, 2] += body.links[i].shape.lowest(view.rotation(i)[:, 2])
            found.append(_height(view, low))
    return np.asarray(np.min(found, axis=0))


def _height(view: MotionView, places: Array) -> Array:
    return np.asarray(view.scale * 1000.0 * (places[:, 2] - ground_under(places, view.job)))
