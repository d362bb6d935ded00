"""How the legs share the body's weight, the root torque and the virtual force."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.curves import ramp
from ..shared.legs import LEFT
from ..shared.root_torque import Pair

SOFT_HANDOVER = 1.4  # of the double support: till then the leg in front bears all; at once with hips twice as wide
TAKE_OVER = 0.25  # s in which a stopped body goes over to standing on both legs


class LegShares:
    """Shares of the legs (left, right), sum 1."""

    def __init__(self, double_support: float, wide: float, weight: float) -> None:
        """double_support: share of a step. wide: 0..1, how much wider hips are than usual. weight: of the body, N."""
        self._handover = double_support * (SOFT_HANDOVER + (1.0 - SOFT_HANDOVER) * wide)
        self._least = 1e-3 * weight
        self._stopped_share = 0.5

    def walking(
        self, stance: int, trailing: bool, phase: float, loads: Sequence[float], place: float = 0.0
    ) -> Pair:  # fmt: skip
        """Return the shares in a step: all on the stance leg, by the loads while the other one trails.

        The loads, N, follow the hips' torques as these follow the loads: without a hurry it stays where it was. So the
        leg in front bears at least the share of the double support that has passed, and at least ``place``: how far the
        body is over it, 0..1, which is its share of a body that stands still.
        """
        share = 1.0
        if trailing:
            lead, trail = loads[stance], loads[1 - stance]
            share = ramp(lead, 0.0, max(lead + trail, self._least))
            share = max(share, min(phase / max(self._handover, 1e-3), 1.0), place)
        return (share, 1.0 - share) if stance == LEFT else (1.0 - share, share)

    def stop(self, loads: Sequence[float]) -> None:
        """It stops with its feet so loaded, N: ``standing`` goes on from there."""
        left, right = loads
        self._stopped_share = left / max(left + right, self._least)

    def standing(self, left: float, stopped_for: float) -> Pair:
        """Return the shares of a body that stands. left: share by its place. stopped_for: s since it has stopped."""
        fresh = max(0.0, 1.0 - stopped_for / TAKE_OVER)
        left += fresh * (self._stopped_share - left)
        return left, 1.0 - left
