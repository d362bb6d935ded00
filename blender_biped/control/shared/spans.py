"""Links of a character as numpy indexes them fastest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Span = slice | NDArray[np.intp]


def span_of(links: Sequence[int]) -> Span:
    """Return what indexes some links of an array (L, ...): a slice where they follow each other, as legs' mostly do."""
    places = list(links)
    if places and places == list(range(places[0], places[0] + len(places))):
        return slice(places[0], places[0] + len(places))
    return np.array(places, dtype=np.intp)
