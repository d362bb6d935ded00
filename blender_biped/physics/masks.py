"""What touches what in a world that is not empty.

PyBullet lets two bodies touch where the group of one, a bit, is in the mask of the other. A body's links touch props
and obstacles always, the ground where they may, and companions; ground and obstacles stay where they are. Each distinct
ground is touched by those alone who stand on it: grounds may be at several heights. Props lie on the first one.
"""

from __future__ import annotations

FIRST_GROUND, SOLE, LINK, PROP, OBSTACLE, _OTHER_GROUNDS = 1, 2, 4, 8, 16, 32

ON_PROP = FIRST_GROUND | LINK | PROP | OBSTACLE
"""What a prop touches."""

ON_OBSTACLE = LINK | PROP
"""What an obstacle touches."""


def ground_group(place: int) -> int:
    """Return the group of the ground that is the ``place``-th of a stage, from 0."""
    return FIRST_GROUND if place == 0 else _OTHER_GROUNDS << (place - 1)


def ground_mask(place: int, shared: bool) -> int:
    """Return what a ground touches; on a stage that is shared it is left to a body's mask which ground it is on."""
    props = PROP if place == 0 else 0
    return props if shared else SOLE | props
