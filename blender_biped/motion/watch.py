"""Who follows a walk while it is made, and where its samples are kept meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .motion import Motion

Progress = Callable[[float], None]
"""Called with the share done, 0..1."""


def nobody(share: float) -> None:
    """Do nothing with the share that is done."""


@dataclass(frozen=True)
class Watch:
    """What is told of a walk while it is made.

    progress: called with the share done, about ten times a second of motion. parts: called about each tenth of a second
    on the clock with the motion's samples since the last call, and all contacts so far, of a walk that is simulated;
    where it falls back on another one the next part begins at time 0 again; None for nobody. folder: that the samples
    are kept in while there are more to come, None for memory.
    """

    progress: Progress = nobody
    parts: Callable[[Motion], None] | None = None
    folder: Path | None = None


UNWATCHED = Watch()
"""Nobody follows, and samples are kept in memory."""
