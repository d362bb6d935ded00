"""What is known of an action that repeats one stride, kept on it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields

import bpy

from ...motion.cycle import Cycle


@dataclass(frozen=True)
class Stride:
    """A Cycle in figures; see there."""

    frames: int
    duration: float
    travel: float
    turn: float
    stretch: float
    blend: float
    blend_turn: float

    @classmethod
    def of(cls, cycle: Cycle) -> Stride:
        """Return the figures of a cycle."""
        return cls(**{f.name: getattr(cycle, f.name) for f in fields(cls)})

    @property
    def speed(self) -> float:
        """Speed at which the object has to move, m/s."""
        return self.travel / self.duration


def keep_stride(action: bpy.types.Action, stride: Stride | None) -> None:
    """Keep the figures of a stride on its action, or that it has the whole walk."""
    if stride is None:
        action.biped.property_unset("stride")
        return
    for name, value in asdict(stride).items():
        setattr(action.biped.stride, name, value)


def stride_of(action: bpy.types.Action) -> Stride | None:
    """Return the figures of the stride that an action repeats, or None when it is none."""
    kept = action.biped.stride
    return Stride(**{f.name: getattr(kept, f.name) for f in fields(Stride)}) if kept.frames else None
