# SPDX-License-Identifier: GPL-3.0-or-later
"""What films share: an eye that follows softly, and the file. Needs Pillow."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from PIL import Image

from blender_biped.base.spatial import Array


def followed(places: Array, rate: float, over: float) -> Array:
    """Return where an eye is (T, N) that follows places (T, N) softly. rate: of these, a second. over: s."""
    count = max(round(over * rate), 1)
    window = np.hanning(2 * count + 3)[1:-1]
    padded = np.pad(places, ((count, count), (0, 0)), mode="edge")
    return np.stack([np.convolve(column, window / window.sum(), "valid") for column in padded.T], axis=1)


def write_webp(file: Path, pictures: Iterable[Image.Image], rate: float, quality: int) -> None:
    """Write pictures, one at least, as a film that goes on for ever. rate: pictures a second. Raises OSError."""
    first, *others = pictures
    first.save(
        file, format="WEBP", save_all=True, append_images=others, duration=round(1000.0 / rate), loop=0,
        quality=quality, method=4,
    )  # fmt: skip
