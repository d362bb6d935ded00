"""How many props are in one place: so many that lie in each other take the physics minutes for a step. numpy only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.errors import DataError
from .blocked import world_corners
from .things import Thing

MOST_TOGETHER = 30
"""Of props over whose middle, by their bounds, as many others reach."""


def check_crowd(things: Sequence[Thing]) -> None:
    """Raise DataError where more props than MOST_TOGETHER are in one place."""
    loose = [thing for thing in things if thing.loose]
    if len(loose) <= MOST_TOGETHER:
        return
    corners = [world_corners(thing) for thing in loose]
    radius = np.array([thing.solid.radius for thing in loose])[:, None]
    low = np.array([own.min(axis=0) for own in corners]) - radius
    high = np.array([own.max(axis=0) for own in corners]) + radius
    middle = 0.5 * (low + high)[:, None]
    counts = ((low <= middle) & (middle <= high)).all(axis=2).sum(axis=1)
    most = int(counts.argmax())
    if counts[most] > MOST_TOGETHER:
        raise DataError(
            f"There are {counts[most]} props in one place, where {loose[most].name!r} is; at most {MOST_TOGETHER} may "
            "lie in each other: move them apart."
        )
