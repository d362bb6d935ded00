"""Which way feet point: by the skin on them, else by their bones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.spatial import Array
from .armature import Armature

_FEWEST = 8  # points of a foot's skin that tell something
_DECISIVE = 0.25  # of a foot's length: by how much more each must reach out on one side of its ankle
_LOW = 0.2  # of a shin: where its skin is the ankle
_EDGE = 2.0  # percent of a foot's points that may stick out


def skin_ahead(
    armature: Armature, feet: Sequence[Sequence[str]], shins: Sequence[Sequence[str]], axis: Array, up: Array
) -> float:
    """Return by which share of their length feet reach farther along an axis (3,) than against it, -1 to 1, by skin.

    From where the skin of their shins ends, for feet that are targets need not begin at the ankle. 0 where the skin
    does not tell. feet, shins: the bones of each; what hangs on them counts as well. up (3,).
    """
    skin = armature.skin
    found = []
    for foot, shin in zip(feet, shins, strict=True) if skin is not None else ():
        if skin is None or not foot or not shin:
            return 0.0
        points, above = skin.carried_by(armature.below(foot)), skin.carried_by(armature.below(shin, foot))
        if len(points) < _FEWEST or len(above) < _FEWEST:
            return 0.0
        heights = above @ up
        ankle = above[heights <= heights.min() + _LOW * np.ptp(heights)].mean(axis=0)
        along = (points - ankle) @ axis
        behind, ahead = (float(v) for v in np.percentile(along, (_EDGE, 100.0 - _EDGE)))
        found.append((ahead + behind) / (ahead - behind) if ahead > behind else 0.0)
    agreed = bool(found) and (min(found) > _DECISIVE or max(found) < -_DECISIVE)
    return float(np.clip(np.mean(found), -1.0, 1.0)) if agreed else 0.0
