"""What a style says of a captured run: its stride, and in an animator's words how quick, high, leaning it is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....base.fields import Fields
from ....base.spatial import Array
from ....character.model import SIDES, Character
from ....character.reference import REFERENCE_LEG
from ....motion.periodic import Periodic, summed
from ....preset.declared import number_of, read
from ..steps.captured import Captured, captured_values
from ..steps.run_settings import Running
from .angles import ANGLES, LEANS, People
from .captured_poses import CapturedFigures, captured_links
from .timing import timing

_MIDDLE = 0.5  # of the time that a foot is down, at which it is flat
_OVER = 0.6, 1.5  # m/s slower than the captured speed from which it runs, at least, and from which it does at most


def running_values(found: Periodic, character: Character, source: str) -> dict[str, Any]:
    """Return what a preset says of a run under "running". character: that ran. source: what the motion is called.

    Numbers are held within their ranges.
    """
    stride = captured_values(found, character.leg_length, source)
    captured = read(Captured, Fields(stride, "stride"))
    people, figures = People(captured.speed), CapturedFigures.of(character, captured)
    numbers = {
        "begins": min(max(captured.speed - _OVER[0], 0.0), _OVER[1]),
        **timing_of(captured),
        "lean": math.degrees(figures.lean) / min(captured.speed / LEANS, 1.0),
        "knees": figures.thigh / people(ANGLES.thigh),
        "heels": figures.knee / people(ANGLES.knee),
        "arms": figures.arm / people(ANGLES.arm),
        "elbows": math.degrees(figures.elbow),
        "twist": figures.twist / ((1.0 + ANGLES.chest) * people(ANGLES.twist)),
        "strike": _strike(character, captured),
        "width": _width(found, character, captured) * REFERENCE_LEG / character.leg_length,
    }
    own = {name: round(number_of(Running, name).held(value), 4) for name, value in numbers.items()}
    return {**own, "stride": stride}


def timing_of(captured: Captured) -> dict[str, float]:
    """Return tempo and flight of a captured run: its steps' and flights' length beside people's at its speed."""
    people = timing(captured.speed, Running())
    time = 0.5 * captured.duration
    flight = time - 0.5 * captured.duration * sum(_contacts(captured))
    tempo = people.time / time
    return {"tempo": tempo, "flight": flight * tempo / people.flight}


def _contacts(captured: Captured) -> tuple[float, float]:
    """Return the shares of the stride for which the left and the right foot are down."""
    return captured.lifts[0] % 1.0, (captured.lifts[1] - captured.right) % 1.0


def _landings(captured: Captured, share: float) -> Array:
    """Return the phases (2,) at a share of the time that the left and the right foot are down."""
    return np.array((0.0, captured.right)) + share * np.array(_contacts(captured))


def _strike(character: Character, captured: Captured) -> float:
    """Return how far toes are up as feet land, degrees, beside how feet stand later."""
    feet = [character.index(f"foot.{side}") for side in SIDES]
    pitches = []
    for share in (0.0, _MIDDLE):
        turns = captured_links(character, captured, _landings(captured, share))[range(len(feet)), feet]
        pitches.append(np.arctan2(-turns[:, 2, 0], turns[:, 2, 2]))
    return float(np.degrees((pitches[1] - pitches[0]).mean()))


def _width(found: Periodic, character: Character, captured: Captured) -> float:
    """Return how far apart aside feet are set down, m."""
    phases = _landings(captured, _MIDDLE)
    root = np.zeros((len(phases), 3))
    root[:, 1] = summed(found.sway, phases)[:, 1]
    placed = character.placed(root, captured_links(character, captured, phases))
    ankles = placed[range(len(phases)), [character.index(f"foot.{side}") for side in SIDES], 1]
    return max(float(ankles[0] - ankles[1]), 0.0)
