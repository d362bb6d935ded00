"""How feet touch the ground: how far they slip and skate, how fast they roll down, how deep they are in it."""

from __future__ import annotations

from itertools import product

import numpy as np

from ...base.spatial import Array
from .. import gait_events
from .falling import ground_under
from .motion_view import MotionView

FLAT = np.radians(5.0)  # a sole tilted less than this is flat
_ROLLED_DOWN = np.radians(1.0)  # and less than this, come down from its heel
SLAP = 0.2  # s after a strike in which a sole comes down
LOADED = 0.05  # share of the body's weight on a foot that makes it bear load
_SIDEWAYS = (0.002, 0.004, 0.008, 0.016, 0.032)  # m to the side, at which a corner's way out of the ground is sought
_SKATE_RATE, _SKATE_HEIGHT, _SKATE_SPEED = 30.0, 0.1, 0.15  # Hz, m, m/s: joints that are lower and slower touch


def foot_slip(view: MotionView) -> tuple[float | None, float | None]:
    """Return median and worst slip of all stances, mm. See ``slips``."""
    found = [view.scale * 1000.0 * slip for _, slip in slips(view)]
    return (float(np.median(found)), float(max(found))) if found else (None, None)


def slips(view: MotionView) -> list[tuple[gait_events.Stance, float]]:
    """Return the slip of each stance, m, not scaled.

    The point that bears the load is the sole below the ball joint: it stays in place while the foot lies flat and
    while the heel rises. Its largest horizontal distance from where it was at foot-flat is the slip, from the first
    to the last moment at which the sole is flat (pitch under 5 degrees) and bears at least 5 % of the body's weight.
    Where a stance has several such times each counts from its own beginning. A foot that is never flat in a whole
    stance (on tiptoe) counts while it bears load.
    """
    walk, found = view.walk, []
    for side, stances in enumerate(view.stances):
        point = view.ball_track(side)[:, :2]
        flat = np.abs(view.sole_tilt(side)) < FLAT
        loaded = walk.loads[:, side] >= LOADED * walk.character.mass * view.job.gravity
        for stance in stances:
            inside = (walk.times >= stance.start) & (walk.times <= stance.end) & loaded
            on_tiptoe = not (inside & flat).any() and stance.opened == stance.closed
            bearing = inside if on_tiptoe else inside & flat
            tracks = [point[a:b] for a, b in gait_events.runs(bearing)]
            if tracks:
                slip = max(float(np.linalg.norm(track - track[0], axis=1).max()) for track in tracks)
                found.append((stance, slip))
    return found


def foot_skate(view: MotionView) -> float | None:
    """Return the mean speed of heels and of the toes' joints while they touch the ground, cm/s; None if they never do.

    As papers on learnt motion report it: at 30 frames a second, what is low and slow touches.
    """
    walk, scale = view.walk, view.scale
    body = walk.character
    times = np.arange(0.0, walk.times[-1], 1.0 / _SKATE_RATE)
    if len(times) < 2:
        return None
    found = []
    for side in gait_events.SIDES:
        foot, toes = body.index(f"foot.{side}"), body.index(f"toes.{side}")
        sole = body.links[foot].shape
        heel = walk.origins[:, foot] + view.rotation(foot) @ np.array(
            (sole.center[0] - sole.half[0], sole.center[1], sole.center[2] - sole.half[2])
        )
        for place in (heel, walk.origins[:, toes]):
            at = scale * np.stack([np.interp(times, walk.times, place[:, k]) for k in range(3)], axis=1)
            speeds = np.linalg.norm(np.diff(at[:, :2], axis=0), axis=1) * _SKATE_RATE
            low = at[1:, 2] - scale * ground_under(at[1:] / scale, view.job) < _SKATE_HEIGHT
            found.append(speeds[low & (speeds < _SKATE_SPEED)])
    touching = np.concatenate(found)
    return 100.0 * float(touching.mean()) if len(touching) else None


def sole_flat(view: MotionView) -> float | None:
    """Return the median time from a foot strike until the sole is flat (pitch under 1 degree), ms.

    Of the strikes of steady walking; one by a sole that is flat already, or never is, does not count.
    """
    times, spans, found = view.walk.times, view.steady_spans, []
    for side, stances in enumerate(view.stances):
        over = np.abs(view.sole_tilt(side)) - _ROLLED_DOWN
        for stance in stances:
            inside = np.flatnonzero((times > stance.start) & (times <= stance.end) & (over < 0.0))
            if not any(begin <= stance.start <= end for begin, end in spans) or not len(inside):
                continue
            k = int(inside[0])
            if float(np.interp(stance.start, times, over)) > 0.0 < over[k - 1]:
                share = over[k - 1] / (over[k - 1] - over[k])
                found.append(times[k - 1] + share * (times[k] - times[k - 1]) - stance.start)
    return 1000.0 * float(np.median(found)) if found else None


def foot_slap(view: MotionView) -> float | None:
    """Return how fast soles come down after a foot strike, degrees/s: the fastest of each, median of steady strikes.

    Until the sole is flat (pitch under 1 degree), or for SLAP where it never is.
    """
    times, spans, found = view.walk.times, view.steady_spans, []
    if len(times) < 2:
        return None
    for side, stances in enumerate(view.stances):
        tilt = view.sole_tilt(side)
        falling = -np.degrees(np.gradient(tilt, times))
        for stance in stances:
            if not stance.opened or not any(begin <= stance.start <= end for begin, end in spans):
                continue
            coming = (times >= stance.start) & (times <= min(stance.end, stance.start + SLAP))
            flat = np.flatnonzero(coming & (tilt < _ROLLED_DOWN))
            if len(flat):
                coming &= times <= times[flat[0]]
            if coming.any():
                found.append(float(falling[coming].max()))
    return float(np.median(found)) if found else None


def penetration(view: MotionView) -> float:
    """Return how deep the deepest point of a sole was below the ground under it, mm."""
    soles = view.walk.character.soles
    if not view.job.floor.flat:
        return view.scale * 1000.0 * max(float(np.max(_depths(view, i))) for i in soles)
    lowest = min(float(_lowest(view, i).min()) for i in soles)
    return view.scale * 1000.0 * max(0.0, view.job.ground - lowest)


def _lowest(view: MotionView, link: int) -> Array:
    """Return the height (T,), world, m, of the lowest point of a link's shape."""
    shape = view.walk.character.links[link].shape
    return np.asarray(view.walk.origins[:, link, 2] + shape.lowest(view.rotation(link)[:, 2]))


def _depths(view: MotionView, link: int) -> Array:
    """Return how deep each corner of a link's box is below ground that is not flat (T, 8), m; at least 0.

    Next to a riser a corner may be under the edge above it, before the face of which the foot is: the depth is the way
    out, upwards or sideways, whichever is the shorter.
    """
    floor, shape = view.job.floor, view.walk.character.links[link].shape
    signs = np.array(list(product((-1.0, 1.0), repeat=3)))
    corners = np.array(shape.center) + signs * (np.array(shape.half) + (shape.radius if shape.kind != "box" else 0.0))
    turned = np.einsum("tij,kj->tki", view.rotation(link), corners)
    places = view.walk.origins[:, link, None] + turned
    up = floor.heights(places) - places[..., 2]
    deep = np.maximum(up, 0.0)
    for k in np.argwhere(deep > _SIDEWAYS[0]):
        x, y, z = places[tuple(k)].tolist()
        for aside in _SIDEWAYS:
            turns = np.arange(8) * (np.pi / 4.0)
            around = np.stack((x + aside * np.cos(turns), y + aside * np.sin(turns)), axis=-1)
            if aside < deep[tuple(k)] and (floor.heights(around) <= z).any():
                deep[tuple(k)] = aside
                break
    return np.asarray(deep)
