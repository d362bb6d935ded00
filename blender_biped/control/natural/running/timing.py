"""How long a step of a run takes at a speed, and how much of it the foot is down.

People's, by speed (Cavanagh 1990; Nilsson and Thorstensson 1985; Novacheck 1998), of the reference body.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..steps.run_settings import Running

_SPEEDS = (0.5, 1.5, 2.5, 3.5, 4.5, 6.0)  # m/s
_CADENCE = (148.0, 156.0, 163.0, 170.0, 182.0, 212.0)  # steps a minute
_CONTACT = (0.37, 0.345, 0.305, 0.26, 0.212, 0.155)  # s


@dataclass(frozen=True)
class RunTiming:
    """One step of a run. contact: s that its foot is down. flight: s that none is, behind that."""

    contact: float
    flight: float

    @property
    def time(self) -> float:
        """Of the step, s."""
        return self.contact + self.flight

    @property
    def stance(self) -> float:
        """Share of a stride in which a foot is down."""
        return 0.5 * self.contact / self.time


def timing(speed: float, own: Running) -> RunTiming:
    """Return the timing of a step at a speed, m/s."""
    time = 60.0 / float(np.interp(speed, _SPEEDS, _CADENCE)) / own.tempo
    contact = float(np.interp(speed, _SPEEDS, _CONTACT)) / own.tempo
    flight = own.flight * (time - contact)
    return RunTiming(max(time - flight, 0.4 * time), min(flight, 0.6 * time))
