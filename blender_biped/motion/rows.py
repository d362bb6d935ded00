"""Rows of numbers that come one by one, in memory or in a file: an hour's walk has half a million of them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import ArrayLike

from ..base.spatial import Array

PORTION = 1200
"""Rows that are kept, written and read at once: ten seconds of a motion."""


class Rows:
    """Rows (N, ...) of one shape.

    folder: of the file that has all but the last ones, which has no name there and is gone with this; None keeps them
    in memory.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._count = self._kept = 0
        self._last: Array = np.zeros((0,))
        self._blocks: list[Array] = []
        self._file: IO[bytes] | None = None

    def __len__(self) -> int:
        return self._count

    def add(self, row: ArrayLike) -> None:
        """Add one. Raises OSError when the disk does not take it."""
        if not self._count:
            self._last = np.empty((PORTION, *np.shape(row)))
        place = self._count - self._kept
        if place == PORTION:
            self._keep()
            place = 0
        self._last[place] = row
        self._count += 1

    def extend(self, rows: Array) -> None:
        """Add rows (K, ...). Raises OSError when the disk does not take it."""
        for row in rows:
            self.add(row)

    def between(self, first: int, end: int) -> Array:
        """Return rows from one to before another (K, ...), a copy. Raises OSError when they cannot be read again."""
        found = []
        while first < min(end, self._kept):
            block = first // PORTION
            rows = self._block(block)[first - block * PORTION : end - block * PORTION]
            found.append(rows)
            first += len(rows)
        found.append(self._last[first - self._kept : end - self._kept])
        return np.concatenate(found)

    def _keep(self) -> None:
        """Put away what is in memory."""
        if self._folder is None:
            self._blocks.append(self._last)
            self._last = np.empty_like(self._last)
        else:
            if self._file is None:
                self._file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 (closed when this goes)
            self._file.seek(0, 2)
            self._file.write(self._last.data)
        self._kept = self._count

    def _block(self, place: int) -> Array:
        if self._file is None:
            return self._blocks[place]
        self._file.seek(place * self._last.nbytes)
        return np.frombuffer(self._file.read(self._last.nbytes)).reshape(self._last.shape)
