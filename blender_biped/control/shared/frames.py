"""Reference orientations: from what a gait says of each link in its base frame to the world's axes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...base.spatial import Array
from .state import BodyState


class Frames:
    """The frames in which links of one character have their reference orientation.

    The first L are those of its links, as parents; then come heading frames: upright ones that face some way.
    """

    def __init__(self, links: int, headings: int) -> None:
        self.matrices = np.empty((links + headings, 3, 3))
        self._angular_velocities = np.zeros((links + headings, 3))
        self._links = links
        self._headings = self.matrices.reshape(-1)[9 * links :]  # as plain numbers

    def follow(self, state: BodyState, turn: float, *headings: float) -> None:
        """Take the links' frames of a state, and heading frames that face ``headings``, rad. turn: of these, rad/s."""
        count = self._links
        self.matrices[:count], self._angular_velocities[:count] = state.matrices, state.angular_velocities
        rows: list[float] = []
        for heading in headings:
            rows += heading_rows(heading)
        self._headings[:] = rows
        self._angular_velocities[count:, 2] = turn

    def reference(self, bases: NDArray[np.int_], rows: Array, time: float) -> Array:
        """Return orientations and, in the last column, angular velocities, rad/s, of links (L, 3, 4), world axes.

        bases (L,): the frame of each link. rows (L, 3, 4): rotation in it, and its rate, rad for each ``time`` s.
        """
        found = np.asarray(self.matrices.take(bases, axis=0) @ rows)
        rates = found[:, :, 3]
        rates *= 1.0 / time
        rates += self._angular_velocities.take(bases, axis=0)
        return found


def heading_rows(heading: float) -> Sequence[float]:
    """Return the matrix (9 numbers, row by row) of an upright frame that faces ``heading``, rad."""
    c, s = math.cos(heading), math.sin(heading)
    return (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
