"""When a body has fallen: the one definition, for what simulates walks and for what measures them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.spatial import Array
from .model import SIDES, Character

LOW = 0.5
"""Share of its standing height below which the pelvis of a fallen body is."""

UPRIGHT = (0.85, 0.5)
"""Share of its standing height and cosine of the trunk's tilt above which a body is upright: soles alone bear it."""


def trunk_top(character: Character) -> int:
    """Return the place of the link whose tilt is the trunk's: the topmost of pelvis, abdomen and chest."""
    return max((i for i, k in enumerate(character.links) if k.role in ("pelvis", "abdomen", "chest")), default=0)


def is_upright(character: Character, height: Any, vertical: Any) -> Any:
    """Return whether a body is upright: the pelvis' height over the ground, m, the cosine of the trunk's tilt.

    For numbers a truth value, for arrays (T,) of both one (T,).
    """
    return (height >= UPRIGHT[0] * character.stand_height) & (vertical >= UPRIGHT[1])


def grounds(character: Character, under: Array) -> Array:
    """Return the ground's height (..., L), m, that a body's links stand over, from that under their origins (..., L).

    On stairs the pelvis is between treads: it counts above the lower one. A shin ends where its foot is.
    """
    found = np.array(under)
    for side in SIDES:
        if character.has(f"foot.{side}"):
            foot = found[..., character.index(f"foot.{side}")]
            found[..., 0] = np.minimum(found[..., 0], foot)
            if character.has(f"shin.{side}"):
                found[..., character.index(f"shin.{side}")] = foot
    return found


def fallen(character: Character, heights: Array, ups: Array, may_touch: Collection[str] = ()) -> NDArray[np.bool_]:
    """Return whether a body has fallen (...).

    It has with its pelvis below half of its standing height; and when it is no longer upright and a part other than a
    foot touches the ground. A shin's round end that grazes the ground while the feet carry an upright body is no fall.

    may_touch: parts, without their side, that a task lets touch the ground as well.
    heights (..., L): of the links' origins over the ground, m; where it is not flat over what ``grounds`` says.
    ups (..., L, 3): the vertical in the links' frames.
    """
    down = np.asarray(heights[..., 0] < LOW * character.stand_height)
    tipped = ~is_upright(character, heights[..., 0], ups[..., trunk_top(character), 2])
    if tipped.any():
        for i, link in enumerate(character.links):
            if i not in character.soles and link.part not in may_touch:
                down = down | (tipped & (heights[..., i] + link.shape.lowest(ups[..., i, :]) <= 0.0))
    return np.asarray(down)
