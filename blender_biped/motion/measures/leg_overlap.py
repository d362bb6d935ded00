"""How deep the legs are in each other."""

from __future__ import annotations

from itertools import product

import numpy as np

from ...base.spatial import Array
from ..gait_events import SIDES
from ..overlap import overlap
from .motion_view import MotionView

_LEG_ROLES = {side: tuple(f"{part}.{side}" for part in ("thigh", "shin", "foot", "toes")) for side in SIDES}


def self_intersection(view: MotionView) -> float:
    """Return the deepest overlap of a left with a right leg part, mm, beyond what overlaps in the standing pose.

    Thigh against thigh does not count: thighs are soft, and those of people who walk press each other.
    """
    body, origins, rotations = view.walk.character, view.walk.origins, view.walk.rotations
    standing, upright = (a[None] for a in body.standing())
    deepest = 0.0
    legs = [[i for i, k in enumerate(body.links) if k.role in _LEG_ROLES[side]] for side in SIDES]
    balls = {i: _ball(view, i) for i in (*legs[0], *legs[1])}
    thighs = (body.index("thigh.L"), body.index("thigh.R"))
    for i, j in product(*legs):
        if (i, j) == thighs:
            continue
        (middle, reach), (other, more) = balls[i], balls[j]
        apart = np.linalg.norm(middle - other, axis=1)
        if not (apart < reach + more - deepest).any():  # nowhere could it be deeper, whatever overlaps in standing
            continue
        usual = max(0.0, float(overlap(body.links[i].shape, body.links[j].shape, standing[:, i], upright[:, i],
                                        standing[:, j], upright[:, j], 0.0)[0]))  # fmt: skip
        near = apart < reach + more - usual - deepest
        if near.any():
            depth = overlap(body.links[i].shape, body.links[j].shape, origins[near, i], rotations[near, i],
                            origins[near, j], rotations[near, j], deepest + usual)  # fmt: skip
            deepest = max(deepest, float(depth.max()) - usual)
    return view.scale * 1000.0 * deepest


def _ball(view: MotionView, link: int) -> tuple[Array, float]:
    """Return the middle (T, 3) and the radius, m, of a ball that a link's shape is in."""
    shape = view.walk.character.links[link].shape
    middle = np.einsum("...ij,...j->...i", view.rotation(link), np.array(shape.center))
    return view.walk.origins[:, link] + middle, float(np.linalg.norm(shape.half)) + shape.radius
