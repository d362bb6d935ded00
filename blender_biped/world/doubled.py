"""Where a path doubles back on itself within a step: a walk that is to turn there on the spot steps there for long."""

from __future__ import annotations

import numpy as np

from .path import Path

_LOOKS = 0.05  # m of path between places that are looked at
_STEP = 0.4  # m before and behind the place: of a step, for legs of 0.9 m
_TURN, _FINE = 0.25, 201  # of a step, before and behind a place, in which it turns, and looks at that
_NEAR = 0.08  # m between the ways there and back, likewise: turns that are wider are walked


def doubled_back(path: Path, start: float, size: float) -> list[float]:
    """Return the places of a path, m along it, from ``start`` on, where it doubles back within a step.

    size: of the body, 1 for legs of 0.9 m.
    """
    step, lap = _STEP * size, path.length
    arcs = np.arange(start + step, lap - step, _LOOKS * size)
    if not len(arcs):
        return []
    apart = np.linalg.norm(path.position(arcs + step) - path.position(arcs - step), axis=1)
    near = apart < _NEAR * size
    begins = np.flatnonzero(near & ~np.concatenate(([False], near[:-1])))
    ends = np.flatnonzero(near & ~np.concatenate((near[1:], [False])))
    return [_farthest(path, 0.5 * (arcs[a] + arcs[b]), step) for a, b in zip(begins, ends, strict=True)]


def _farthest(path: Path, place: float, step: float) -> float:
    """Return where a path turns back, m along it, near a place: as far as it gets from where it was a step before."""
    arcs = place + np.linspace(-_TURN, _TURN, _FINE) * step
    away = np.linalg.norm(path.position(arcs) - path.position([place - step]), axis=1)
    return float(arcs[away.argmax()])
