"""Between two styles: all numbers of the first on their way to those of the second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

WHOLE = 1e-9  # a share of the second from which on it counts


def mixed(first: Any, second: Any, share: float) -> Any:
    """Return JSON data between two: ``share`` of the second's numbers, 0..1, the rest of the first's.

    Where they are not built alike (words, flags, lists of other lengths, what only one of them has) it is the first's.
    """
    if share <= WHOLE:
        return first
    if _is_number(first) and _is_number(second):
        return first if first == second else (1.0 - share) * first + share * second
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return {key: mixed(value, second[key], share) if key in second else value for key, value in first.items()}
    if _is_list(first) and _is_list(second) and len(first) == len(second):
        return [mixed(a, b, share) for a, b in zip(first, second, strict=True)]
    return first


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)
