"""How near styles are to captured people who walk so: six figures of each, beside their controller's usual walk.

    python -m tools.measure.styles TABLE
    python -m tools.measure.styles TABLE --controller natural

Natural walking's styles are those of KLAW, simulated.

TABLE: a text with a Markdown table of captured walks, a row a style, lengths scaled to a leg of 0.85 m from hip to
ankle, columns named as in ``COLUMNS``. The captures that the project was judged by may not be handed on with it (CC
BY-NC 4.0), so that their figures are not in it either.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from functools import cache
from pathlib import Path as FilePath

import numpy as np

from blender_biped.base.arithmetic import make_reproducible
from blender_biped.base.spatial import Array, rotate
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import preset
from blender_biped.job import Job
from blender_biped.motion import gait_events, measures
from blender_biped.motion.motion import Motion
from blender_biped.preset.preset import usual_speed
from blender_biped.simulate import simulate
from blender_biped.world.path import Path

LEG = 0.85
"""m from hip to ankle, to which lengths are scaled."""

UNITS = ("steps/min", "step, m", "trunk, degrees", "head, degrees", "arm swing, degrees", "bob, mm")
"""What the figures of a look are, with their units."""

_WAY = 14.0  # m


@dataclass(frozen=True)
class Look:
    """How a walk looks.

    cadence: steps/min. step: its length, m, speed over cadence. trunk: pitch from hip to neck, head: from neck to head,
    forward, degrees. arm: swing of the upper arm, peak to peak, degrees. bob: of the hips, mm.
    """

    cadence: float
    step: float
    trunk: float
    head: float
    arm: float
    bob: float


PLAIN = "normal"
"""The row of the actor's own plain walk: where neutral trunk and head are."""

CLIPS = {
    "brisk": "active",
    "proud": "proud",
    "happy": "happy",
    "angry": "angry",
    "sad": "sad",
    "tired": "tired",
    "old": "old",
    "shy": "not confident",
    "catwalk": "feminine",
    "swagger": "swagger",
    "heavy": "giant",
    "toddler": "childish",
}
"""By the preset: how the name of its row begins."""

COLUMNS = ("m/s", "steps/min", "trunk deg", "head deg", "arm swing deg", "bob mm")

Captured = Mapping[str, Look]
"""Looks of captured walks by ``CLIPS``' presets, and by ``PLAIN``."""


def captured(table: FilePath) -> Captured:
    """Return the captured looks of a table (see the module). Raises ValueError for a row that it lacks."""
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in table.read_text(encoding="utf-8").splitlines()
        if line.startswith("|")
    ]
    heads = next((row for row in rows if set(COLUMNS) <= set(row)), None)
    if heads is None:
        raise ValueError(f"{table}: has no table with the columns {', '.join(COLUMNS)}.")
    places = [heads.index(name) for name in COLUMNS]
    found = {}
    for name, begin in (*CLIPS.items(), (PLAIN, PLAIN)):
        row = next((row for row in rows if row[0].startswith(begin) and len(row) == len(heads)), None)
        if row is None:
            raise ValueError(f"{table}: has no row {begin!r}.")
        speed, cadence, *rest = (float(row[place]) for place in places)
        found[name] = Look(cadence, 60.0 * speed / cadence, *rest)
    return found


SPREAD = Look(3.0, 0.03, 2.0, 3.0, 5.0, 8.0)
"""Within this of the captured figure two walks are equally near: one actor's clip says no more."""


USUAL = {"klaw": "walk", "natural": "default"}
"""Controllers with such styles, and the usual walk of each."""


def desired(name: str, clips: Captured, controller: str = "klaw") -> Look:
    """Return how a style would look: trunk and head as far from the usual walk's as the actor's from his plain walk."""
    own, plain, usual = clips[name], clips[PLAIN], look(USUAL[controller], controller)
    return Look(own.cadence, own.step, usual.trunk + own.trunk - plain.trunk, usual.head + own.head - plain.head,
                own.arm, own.bob)  # fmt: skip


def farther(name: str, clips: Captured, controller: str = "klaw") -> dict[str, tuple[float, float, float]]:
    """Return the figures in which a style is not nearer to its captured one than the usual walk at its usual speed.

    Each: its own, the desired, the usual walk's.
    """
    own, goal, usual = look(name, controller), desired(name, clips, controller), look(USUAL[controller], controller)
    found = {}
    for field, a, d, u, spread in zip(fields(Look), *map(astuple, (own, goal, usual, SPREAD)), strict=True):
        if abs(a - d) > max(spread, abs(u - d) - 1e-9):
            found[field.name] = (a, d, u)
    return found


@cache
def look(name: str, controller: str = "klaw") -> Look:
    """Return how a style looks at its usual speed, of the standard adult."""
    style = preset(controller, name)
    speed = usual_speed(style)
    assert speed is not None
    job = Job(standard_character(), Path([[0.0, 0.0], [_WAY, 0.0]]), style, speed)
    motion = simulate(job)
    return look_of(motion, job)


def look_of(motion: Motion, job: Job) -> Look:
    """Return how a walk looks. Raises ValueError for one without a steady stride."""
    body = motion.character
    strides, cadence = measures.steady_strides(motion, job), measures.cadence(motion, job)
    if not strides or cadence is None:
        raise ValueError(f"{job.preset.name}: there is no steady stride to look at.")
    size = LEG / sum(float(np.linalg.norm(body.offsets[body.index(part)])) for part in ("shin.L", "foot.L"))
    speed = measures.steady_speed(motion, job)
    assert speed is not None
    steady = (motion.times >= strides[0].start) & (motion.times <= strides[-1].end)
    neck = motion.origins[:, body.index("head")]
    up = rotate(motion.rotations[:, body.index("head")], np.array([0.0, 0.0, 1.0]))
    facing = gait_events.heading(motion)
    return Look(
        cadence, size * 60.0 * speed / cadence, float(_pitch(neck - motion.root, facing)[steady].mean()),
        float(_pitch(up, facing)[steady].mean()), measures.arm_swing(motion, job) or 0.0,
        float(np.mean([np.ptp(measures.cycle(motion, 1000.0 * size * motion.root[:, 2], s)) for s in strides])),
    )  # fmt: skip


def _pitch(way: Array, facing: Array) -> Array:
    """Return how far directions (T, 3) lean towards where it faces (T,), degrees."""
    ahead = way[:, 0] * np.cos(facing) + way[:, 1] * np.sin(facing)
    return np.asarray(np.degrees(np.arctan2(ahead, way[:, 2])))


def main(arguments: Sequence[str]) -> int:
    """Print each style beside its captured walk; return 0, or 1 where it is not nearer in all figures."""
    parser = argparse.ArgumentParser(prog="python -m tools.measure.styles", description="Judge styles.")
    parser.add_argument("table", type=FilePath, help="the table of captured walks, Markdown")
    parser.add_argument("--controller", default="klaw", choices=tuple(USUAL), help="whose styles")
    given = parser.parse_args(arguments)
    controller = given.controller
    make_reproducible()
    try:
        clips = captured(given.table)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    names = [field.name for field in fields(Look)]
    print(f"| style | {' | '.join(UNITS)} |\n|---{'|---' * len(names)}|")
    usual = USUAL[controller]
    print(f"| {usual} | {' | '.join(map(_figure, names, astuple(look(usual, controller))))} |", flush=True)
    wrong = 0
    for name in CLIPS:
        worse = farther(name, clips, controller)
        goals = astuple(desired(name, clips, controller))
        pairs = zip(names, astuple(look(name, controller)), goals, strict=True)
        cells = [f"{_figure(f, own)} of {_figure(f, goal)}{' (!)' * (f in worse)}" for f, own, goal in pairs]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
        wrong += len(worse)
    return int(wrong > 0)


def _figure(field: str, value: float) -> str:
    return f"{value:.2f}" if field == "step" else f"{round(value)}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
