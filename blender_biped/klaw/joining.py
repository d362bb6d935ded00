"""Tracks of a walk's legs, one after the other, as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Track = TypeVar("Track")


def taken(track: Track, at: NDArray[np.intp], axis: int) -> Track:
    """Return the samples ``at`` (N,) of a data class of arrays, and of others in it, whose ``axis`` is time."""
    return _mapped([track], lambda arrays: np.take(arrays[0], at, axis))


def joined(tracks: Sequence[Track], axis: int) -> Track:
    """Return such data classes one after the other, at least one."""
    return _mapped(tracks, lambda arrays: np.concatenate(arrays, axis)) if len(tracks) > 1 else tracks[0]


def _mapped(values: Sequence[Any], of: Callable[[Sequence[Any]], Any]) -> Any:
    first = values[0]
    if is_dataclass(first) and not isinstance(first, type):
        return type(first)(**{f.name: _mapped([getattr(v, f.name) for v in values], of) for f in fields(first)})
    if isinstance(first, tuple):
        return tuple(_mapped(parts, of) for parts in zip(*values, strict=True))
    return of(values)
