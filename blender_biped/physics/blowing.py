"""Winds on a body and on props."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pybullet

from ..base.spatial import Array
from ..character.model import Character
from ..world.winds import Wind
from .body_builder import Built
from .stage import Stage


class Blowing:
    """What winds do to a body as one, and to each prop.

    The body's links share a wind's strength by how large they are: a convex body shows a quarter of its surface to the
    wind, the mean of all directions (Cauchy).
    """

    def __init__(self, stage: Stage, built: Built, character: Character, winds: Sequence[Wind], props: bool) -> None:
        """props: whether it is on this body to blow on the props, too, which one of a stage does."""
        self._physics, self._built, self._winds = stage.physics, built, winds
        self._props = stage.props if props else []
        areas = np.array([link.shape.surface for link in character.links])
        self._shares: list[float] = (areas / areas.sum()).tolist()

    def blow(self, time: float, coms: Array) -> None:
        """Apply what winds do at ``time``, s, for the next physics step. coms (L, 3): places of the links, m."""
        p = self._physics
        for wind in self._winds:
            if not wind.strength(time):
                continue
            for joint, share, place in zip(self._built.joints, self._shares, coms.tolist(), strict=True):
                force = [share * value for value in wind.force(place, time)]
                p.applyExternalForce(self._built.body, joint, force, place, pybullet.WORLD_FRAME)
            for own, _ in self._props:
                place = p.getBasePositionAndOrientation(own)[0]
                p.applyExternalForce(own, -1, wind.force(place, time), place, pybullet.WORLD_FRAME)
