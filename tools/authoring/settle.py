# SPDX-License-Identifier: GPL-3.0-or-later
"""What leading a gait has learnt, written into the gait itself: so it walks at its speed from the first step.

SIMBICON's speed is led by an offset of the swing hip that is learnt stride by stride. A gait whose numbers make
another speed than its key says begins too slowly or too fast until that is learnt. ``build.py author GAIT --settle``
walks it straight on at the speed of each key and adds what was learnt to the key's swing hip.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from blender_biped.base.errors import DataError
from blender_biped.character.reference import GRAVITY
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.cues import GaitCue
from blender_biped.control.shared.state import BodyState
from blender_biped.control.shared.steering import Command
from blender_biped.control.simbicon.kind import SIMBICON
from blender_biped.control.simbicon.settings import Gait, read_gait
from blender_biped.control.simbicon.walk import Simbicon
from blender_biped.motion.similarity import at_reference_size
from blender_biped.physics.engine import Engine
from blender_biped.physics.options import EngineOptions
from blender_biped.walking import control_step

SECONDS = 14.0  # that it walks
ROUNDS = 2  # times that what was learnt is added: a walk at its speed learns less
FALLEN = 0.5  # share of its standing height
HIPS = ("swing_thigh_pitch", "both_thigh_pitch")  # angles that a key is settled by


def led(walk: Simbicon, step: float, seconds: float, command: Callable[[float], Command]) -> Iterator[BodyState]:
    """Let a walk go, and give the state of each control step of ``step`` s.

    command: what it follows, by the time, s. Raises DataError if it falls.
    """
    with Engine(walk.character, options=EngineOptions(step=step)) as engine:
        for _ in range(round(seconds / step)):
            state = engine.state()
            engine.apply(walk.torques(state, command(state.time)), state.matrices)
            if state.origins[0, 2] < FALLEN * walk.character.stand_height:
                raise DataError(f"It falls after {state.time:.1f} s: search better numbers first.")
            yield state
            engine.step()


def walking(gait: Gait, step: float) -> Simbicon:
    """Return the walk of the standard body, at reference size, with one gait."""
    return Simbicon(at_reference_size(standard_character()), [GaitCue(0.0, gait)], [], GRAVITY, step)


def learnt(gait: Gait, speed: float, step: float, seconds: float = SECONDS) -> float:
    """Return the swing hip's offset, rad, after going straight on at ``speed``, m/s, facing along x.

    step: s, of control. Raises DataError if it falls.
    """
    walk, quickening = walking(gait, step), gait.steering.acceleration

    def straight_on(time: float) -> Command:
        return Command(min(speed, quickening * max(time - 1.0, 0.0)), gait.direction, 0.0, 0.0, 0.0, math.inf)

    try:
        for _ in led(walk, step, seconds, straight_on):
            pass
    except DataError as error:
        raise DataError(f"At {speed} m/s: {error}") from error
    return walk.learnt[0]


def settled(data: Mapping[str, Any], rounds: int = ROUNDS, seconds: float = SECONDS) -> dict[str, Any]:
    """Return a preset's JSON with what each of its keys learns added to its angles. Raises DataError where it falls."""
    found: dict[str, Any] = copy.deepcopy(dict(data))
    for _ in range(rounds):
        values = found["values"]
        step = control_step(SIMBICON, [values])
        offsets = [learnt(read_gait(values), key["speed"], step, seconds) for key in values["keys"]]
        for key, offset in zip(values["keys"], offsets, strict=True):
            for state in key["states"]:
                for name in HIPS:
                    if name in state["angles"]:
                        state["angles"][name] = moved(state["angles"][name], math.degrees(offset))
    return found


def moved(angle: Any, by: float) -> Any:
    """Return an angle or a trajectory's knots, degrees, moved by ``by``."""
    if isinstance(angle, list):
        return [[phase, round(value + by, 4)] for phase, value in angle]
    return round(angle + by, 4)
