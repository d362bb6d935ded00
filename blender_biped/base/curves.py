"""Curves through samples: eased, cubic, smoothed, and above others. numpy only."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from .spatial import Array

_Number = TypeVar("_Number", float, Array)
FEW = 50  # samples that are looked at all, whichever are needed


def eased(share: _Number) -> _Number:
    """Return a share, 0..1, as one that begins and ends softly."""
    return share * share * (3.0 - 2.0 * share)


def gently(share: _Number) -> _Number:
    """Return a share, 0..1, as one that begins and ends without acceleration."""
    return share**3 * (10.0 - 15.0 * share + 6.0 * share**2)


def ramp(value: float, begin: float, end: float) -> float:
    """Return how far a value is from ``begin`` (0) to ``end`` (1), and beyond them 0 and 1."""
    share = (value - begin) / (end - begin)
    return 0.0 if share < 0.0 else 1.0 if share > 1.0 else share


def softly(value: float, first: float = 0.0, last: float = 1.0) -> float:
    """Return how far a value is from ``first`` (0) to ``last`` (1), eased, and beyond them 0 and 1."""
    return eased(ramp(value, first, last))


def cubic(u: Array, width: Array, ends: tuple[Any, Any], slopes: tuple[Any, Any]) -> Array:
    """Return the values of Hermite's cubic at shares ``u``, 0..1, of pieces of a width, from values and slopes there.

    Arrays broadcast: u and width (K,) or (K, 1), ends and slopes (K, ...).
    """
    return np.asarray(
        (1 + 2 * u) * (1 - u) ** 2 * ends[0]
        + u * (1 - u) ** 2 * width * slopes[0]
        + u**2 * (3 - 2 * u) * ends[1]
        + u**2 * (u - 1) * width * slopes[1]
    )


def monotone(at: Array, values: Array, times: Array) -> Array:
    """Return values (K, ...) at ``times`` (K,) of the cubic through samples (N, ...) that makes no new extremes.

    at (N,): rising. (Fritsch and Butland 1984.)
    """
    if len(at) < 2:
        return np.repeat(values, len(times), axis=0)
    if len(at) > FEW and len(times):  # a slope depends on the samples beside it alone
        first, end = at.searchsorted((times.min(), times.max())).tolist()
        near = slice(max(first - 3, 0), max(end + 3, 2))
        at, values = at[near], values[near]
    column = (-1,) + (1,) * (values.ndim - 1)
    width = (at[1:] - at[:-1]).reshape(column)
    rise = (values[1:] - values[:-1]) / width
    a, b = rise[:-1], rise[1:]
    product = np.maximum(a * b, 0.0)
    w1, w2 = 2.0 * width[1:] + width[:-1], width[1:] + 2.0 * width[:-1]
    below = w1 * b + w2 * a
    below[product == 0.0] = 1.0
    slope = np.concatenate((rise[:1], (w1 + w2) * product / below, rise[-1:]))
    i = np.minimum(np.maximum(at.searchsorted(times, side="right") - 1, 0), len(at) - 2)
    u = np.minimum(np.maximum((times - at[i]).reshape(column) / width[i], 0.0), 1.0)
    return cubic(u, width[i], (values[i], values[i + 1]), (slope[i], slope[i + 1]))


def slopes(values: Array, step: float) -> Array:
    """Return the derivative (T, ...) of samples (T, ...), ``step`` apart, two at least: np.gradient, but sooner."""
    found = np.empty_like(values)
    found[1:-1] = (values[2:] - values[:-2]) / (2.0 * step)
    found[0], found[-1] = (values[1] - values[0]) / step, (values[-1] - values[-2]) / step
    return found


def smoothed(values: Array, step: float, sigma: float, odd: bool = False) -> Array:
    """Return values (T,) or (T, K), one each ``step`` s, after a Gaussian of ``sigma`` s.

    Beyond the ends they stay as they are, or, ``odd``, go on.
    """
    half = min(int(np.ceil(3.0 * sigma / step)), len(values) - 1)
    if half < 1 or len(values) < 3:
        return values
    n = np.arange(-half, half + 1) * step
    kernel = np.exp(-0.5 * (n / sigma) ** 2)
    kernel /= kernel.sum()
    first, last = values[0], values[-1]
    if odd:
        before, after = 2.0 * first - values[half:0:-1], 2.0 * last - values[-2 : -half - 2 : -1]
    else:
        before, after = np.repeat(values[:1], half, axis=0), np.repeat(values[-1:], half, axis=0)
    padded = np.concatenate((before, values, after))
    if values.ndim == 1:
        return np.convolve(padded, kernel, "valid")
    return np.asarray(np.lib.stride_tricks.sliding_window_view(padded, len(kernel), axis=0) @ kernel)


def envelope(values: Array, step: float, early: float, sigma: float) -> Array:
    """Return a smooth course (T,) near the highest of ``values`` (T,), one each ``step`` s, ``early`` s round each.

    sigma: s, of the smoothing; with at most half of ``early`` the course is hardly anywhere below the values.
    """
    count = max(1, round(early / step))
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(values, count, mode="edge"), 2 * count + 1)
    return smoothed(windows.max(axis=1), step, sigma)
