"""A phase of a walk, and the list of phases that there are.

What stands, shifts its weight or steps is in one phase after the other. A phase knows how it begins, what the links
shall do in it, and what ends it. A new one is one more class: it is registered, says behind which phases it may come,
and when it is due; the others need not know it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from ....base.spatial import Array
from ...shared.standing import Mode
from ...shared.state import BodyState
from ...shared.steering import Command
from .step_state import Desired
from .walker import Walker


class Phase(ABC):
    """One phase of one body's walk."""

    name: ClassVar[str]
    mode: ClassVar[Mode]
    """Whether the body stands (its hands may work then), shifts its weight, or walks."""
    after: ClassVar[tuple[str, ...]] = ()
    """The phases that it interrupts as soon as it is due."""

    def __init__(self, walker: Walker) -> None:
        self.walker = walker

    def due(self, state: BodyState, command: Command) -> bool:
        """Return whether it begins now, in one of the phases of ``after``."""
        return False

    def begin(self, state: BodyState, command: Command) -> None:  # noqa: B027 (most have nothing to do)
        """Begin it."""

    @abstractmethod
    def advance(self, state: BodyState, command: Command) -> str:
        """Move on by a control step; return the name of the phase that it is in now: its own until something ends it.

        Called in each control step but the one in which the phase begins.
        """

    @abstractmethod
    def desired(self, state: BodyState, command: Command, since: float) -> Desired:
        """Return what the links shall do. since: s, since this was last asked."""

    @property
    def holds(self) -> bool:
        """Whether the joints' torques may be held for one more physics step, if nothing throws the body."""
        return False

    def eased(self, state: BodyState, desired: Desired, torques: Array) -> None:  # noqa: B027
        """Change the joints' torques (L, 3), N m, in place, after what the links shall do was found."""


PHASES: dict[str, type[Phase]] = {}
"""All phases by name."""


def phase(kind: type[Phase]) -> type[Phase]:
    """Add a phase to the list; a class decorator."""
    PHASES[kind.name] = kind
    return kind


@contextmanager
def registered(*kinds: type[Phase]) -> Iterator[None]:
    """Let walks that begin meanwhile know more phases; one of a name that there is takes its place."""
    before = dict(PHASES)
    PHASES.update({kind.name: kind for kind in kinds})
    try:
        yield
    finally:
        PHASES.clear()
        PHASES.update(before)


class Phases:
    """The phases of one walk: which one it is in."""

    def __init__(self, walker: Walker, first: str) -> None:
        self._all = {name: kind(walker) for name, kind in PHASES.items()}
        self._breaking = {name: [one for one in self._all.values() if name in one.after] for name in self._all}
        self.now = self._all[first]

    def advance(self, state: BodyState, command: Command) -> bool:
        """Move on by a control step; return whether another phase, or another step, begins with it."""
        name = next((one.name for one in self._breaking[self.now.name] if one.due(state, command)), "")
        name = name or self.now.advance(state, command)
        if name == self.now.name:
            return False
        self.now = self._all[name]
        self.now.begin(state, command)
        return True
