"""The one speed of a walk: what its slider shows is what the character goes at, and stays within what its style can do.

How it follows from the speed that is kept depends on the character's size, which rooms above know: they say so here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...preset.preset import Speeds


@dataclass(frozen=True)
class SpeedRule:
    """How a character's own speed follows from the one that is kept with its walk.

    factor: its own speed for 1 m/s that are kept. speeds: its own, m/s, that the style can have; None where that is not
    known. holds: whether a walk keeps within them; else they only say what the style can do.
    """

    factor: float = 1.0
    speeds: Speeds | None = None
    holds: bool = True

    def walked(self, own: float) -> float:
        """Return the speed, m/s, that the character goes at where ``own``, m/s, is desired."""
        return self.speeds.held(own) if self.speeds and self.holds else own

    def shown(self, kept: float) -> float:
        """Return the character's own speed, m/s, for one that is kept."""
        return self.walked(self.factor * kept)

    def kept(self, own: float) -> float:
        """Return what is kept, m/s, for the character's own speed: the nearest one that the style can have."""
        return (self.speeds.held(own) if self.speeds else own) / self.factor

    @property
    def usual(self) -> float | None:
        """What is kept, m/s, for the speed that the style has by itself; None where that is not known."""
        return self.speeds.usual / self.factor if self.speeds else None


_finders: list[Callable[[Any, str], SpeedRule]] = []


def use(finder: Callable[[Any, str], SpeedRule]) -> None:
    """Have the rule of a walk in a style found by a function. It must not raise: Blender calls it for a property."""
    _finders.append(finder)


def use_no_more() -> None:
    """Show speeds as they are kept."""
    _finders.clear()


def rule_of(walk: Any, style: str = "") -> SpeedRule:
    """Return the rule of a walk's settings. style: its name, "" for the panel's."""
    return _finders[-1](walk, style) if _finders else SpeedRule()


def begin_style(walk: Any) -> None:
    """Let a walk go at the usual speed of a style that has just been chosen, where it has one."""
    usual = rule_of(walk).usual
    if usual is not None:
        walk.speed_mps = usual
