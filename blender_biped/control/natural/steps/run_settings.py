"""What a style says about its run, in an animator's words: 1 is as people do it at that speed."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ....preset.declared import Advanced, number, part
from .captured import Captured

_RUN, _FINER = "Run", Advanced("Run")
_GOES_OVER = 1.5  # m/s: walks that hurry more than that are not calm enough to go over to a run


@dataclass(frozen=True, kw_only=True)
class Running:
    """How a body runs."""

    begins: float = number(
        2.0, 0.3, 6.0, "m/s", "Runs From", "The speed from which it runs: slower it walks", _FINER,
    )  # fmt: skip
    tempo: float = number(
        1.0, 0.65, 1.3, "", "Running Tempo",
        "How quick the steps of a run are for their speed: 1 is what people choose", _FINER, keyed=True,
    )  # fmt: skip
    flight: float = number(
        1.0, 0.3, 5.0, "", "Flight", "How long it is off the ground in each step: 1 is as people are", _RUN,
        keyed=True,
    )  # fmt: skip
    lean: float = number(
        6.0, -10.0, 30.0, "degrees", "Running Lean", "How far the trunk leans ahead in a run", _RUN, keyed=True,
    )  # fmt: skip
    knees: float = number(
        1.0, 0.4, 2.0, "", "Knee Drive", "How high the knee is brought ahead in a run: 1 is as people do", _RUN,
        keyed=True,
    )  # fmt: skip
    heels: float = number(
        1.0, 0.4, 1.5, "", "Heel Kick", "How far the heel is kicked up behind in a run: 1 is as people do", _FINER,
        keyed=True,
    )  # fmt: skip
    arms: float = number(
        1.0, 0.0, 2.0, "", "Arm Drive", "How far the arms swing in a run: 1 is as people do", _RUN, keyed=True,
    )  # fmt: skip
    elbows: float = number(
        90.0, 0.0, 140.0, "degrees", "Running Elbows", "How far the elbows are bent in a run", _FINER, keyed=True,
    )  # fmt: skip
    twist: float = number(
        1.0, 0.0, 2.0, "", "Shoulder Twist", "How far shoulders and hips turn against each other in a run", _FINER,
        keyed=True,
    )  # fmt: skip
    strike: float = number(
        14.0, -20.0, 20.0, "degrees", "Foot Strike",
        "How the foot is set down in a run: above 0 heel first, below 0 on the forefoot", _FINER, keyed=True,
    )  # fmt: skip
    width: float = number(
        0.05, 0.0, 0.3, "m", "Running Width", "How far apart the feet are set down in a run", _FINER, keyed=True,
    )  # fmt: skip
    legs: float = number(
        1.0, 0.0, 1.0, "", "Captured Legs",
        "How far legs in the air go as in the run that was captured; the rest is as people's", _FINER, keyed=True,
    )  # fmt: skip
    stride: Captured | None = part(
        Captured, "Captured Run", "The stride of a clip or an action, which says how the body is held as it runs",
        optional=True,
    )  # fmt: skip

    @property
    def over(self) -> float:
        """The speed, m/s, at which a body that is to run goes over to it, and near which it walks again."""
        return min(self.begins, _GOES_OVER)


NEVER = Running(begins=math.inf)
"""Of a style that does not run."""
