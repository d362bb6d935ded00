# SPDX-License-Identifier: GPL-3.0-or-later
"""What may come of an attack: it is done, it is refused by a message that can be read, or something failed."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from blender_biped.base.errors import BipedError
from blender_biped.base.limits import MAX_MESSAGE
from tools.base.command_table import ROOT

Rng = np.random.Generator
Attack = Callable[[Rng, Path], str]
"""Does something with numbers by chance and an empty folder, and returns in a word or two what came of it.

Raises BipedError where it is refused, FaultError where what came is wrong.
"""

Verdict = Literal["done", "refused", "failed"]
TRACE = "Traceback (most recent call last)"
_SHORTEST = 12  # characters: what is shorter says nothing
_KEPT = 400  # characters of what failed


class FaultError(Exception):
    """Something came of an attack that must not."""


@dataclass(frozen=True)
class Outcome:
    """What came of one attack. what: in a word or two, or the message, or the fault.

    seconds: of the processor that it took, of its process and those that it started: others' work is none of it.
    reading: s of these for which it held Blender's main thread at most, 0 where it read no scene.
    """

    kind: str
    seed: int
    verdict: Verdict
    what: str
    seconds: float
    reading: float = 0.0


_readings: list[float] = []  # of the attack that is under way


def note_reading(seconds: float) -> None:
    """Note for how long Blender's main thread was held by a reading, or a portion of one, s of the processor."""
    _readings.append(seconds)


def spent() -> float:
    """Return the processor's time that this process has used, and those that it has started and seen end, s."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def judged(kind: str, attack: Attack, seed: int, folder: Path) -> Outcome:
    """Return what comes of an attack by a seed. folder: an empty one for its files."""
    began = spent()
    _readings.clear()

    def outcome(verdict: Verdict, what: str) -> Outcome:
        return Outcome(kind, seed, verdict, what[:_KEPT], spent() - began, max(_readings, default=0.0))

    try:
        return outcome("done", attack(np.random.default_rng((seed, len(kind), ord(kind[0]))), folder))
    except BipedError as error:
        wrong = message_fault(str(error))
        return outcome("failed", wrong) if wrong else outcome("refused", str(error))
    except FaultError as error:
        return outcome("failed", str(error))
    except Exception as error:
        return outcome("failed", f"{type(error).__name__} ({place_of(error)}): {str(error)[:200]}")


def message_fault(text: str) -> str:
    """Return what is wrong with a message for people, "" for nothing."""
    if not _SHORTEST <= len(text) <= MAX_MESSAGE:
        return f"a message of {len(text)} characters: {text[:100]}"
    if TRACE in text or "\n" in text or "\x00" in text:
        return f"a message with lines or controls: {text[:200]!r}"
    return ""


def place_of(error: BaseException) -> str:
    """Return where in the project an exception was raised, or passed last: file:line, function."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if Path(f.filename).is_relative_to(ROOT / "blender_biped")] or frames
    last = own[-1]
    return f"{Path(last.filename).name}:{last.lineno}, {last.name}"


def demand(holds: bool, what: str) -> None:
    """Raise FaultError unless something holds. what: that is wrong otherwise."""
    if not holds:
        raise FaultError(what)
