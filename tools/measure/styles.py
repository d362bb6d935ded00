"""How near KLAW's styles are to captured people who walk so: six figures of each, beside KLAW's usual walk.

    python -m tools.measure.styles

The captured figures judge the styles; none of them is in a preset. They are of one actor a clip, of the
Bandai Namco Research Motion Dataset (CC BY-NC 4.0), lengths scaled to a leg of 0.85 m from hip to ankle.
"""

from __future__ import annotations

import sys
from dataclasses import astuple, dataclass, fields
from functools import cache

import numpy as np

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


def _clip(speed: float, cadence: float, trunk: float, head: float, arm: float, bob: float) -> Look:
    return Look(cadence, 60.0 * speed / cadence, trunk, head, arm, bob)


PLAIN = _clip(1.34, 111.0, -1.0, -9.0, 51.0, 39.0)
"""The actor's own plain walk: where neutral trunk and head are."""

CAPTURED = {
    "brisk": _clip(1.56, 112.0, 2.0, 5.0, 60.0, 76.0),
    "proud": _clip(0.77, 76.0, -5.0, -18.0, 59.0, 21.0),
    "happy": _clip(1.50, 117.0, 3.0, -11.0, 87.0, 114.0),
    "angry": _clip(2.01, 152.0, 12.0, 12.0, 104.0, 67.0),
    "sad": _clip(0.62, 72.0, 0.0, 6.0, 12.0, 19.0),
    "tired": _clip(1.05, 100.0, 11.0, 35.0, 40.0, 67.0),
    "old": _clip(0.71, 102.0, 17.0, 19.0, 32.0, 43.0),
    "shy": _clip(0.50, 82.0, 10.0, 26.0, 12.0, 17.0),
    "catwalk": _clip(0.96, 91.0, -2.0, -9.0, 28.0, 28.0),
    "swagger": _clip(1.38, 129.0, 4.0, 35.0, 74.0, 64.0),
    "heavy": _clip(1.18, 93.0, 8.0, 17.0, 59.0, 116.0),
}
"""By the preset: active, proud, happy, angry, sad, tired, old, not confident, feminine, swagger and giant."""

SPREAD = Look(3.0, 0.03, 2.0, 3.0, 5.0, 8.0)
"""Within this of the captured figure two walks are equally near: one actor's clip says no more."""


def desired(name: str) -> Look:
    """Return how a style would look: trunk and head as far from KLAW's usual as the actor's from his plain walk."""
    own, usual = CAPTURED[name], look("walk")
    return Look(own.cadence, own.step, usual.trunk + own.trunk - PLAIN.trunk, usual.head + own.head - PLAIN.head,
                own.arm, own.bob)  # fmt: skip


def farther(name: str) -> dict[str, tuple[float, float, float]]:
    """Return the figures in which a style is not nearer to its captured one than KLAW's usual walk at its usual speed.

    Each: its own, the desired, the usual walk's.
    """
    own, goal, usual = look(name), desired(name), look("walk")
    found = {}
    for field, a, d, u, spread in zip(fields(Look), *map(astuple, (own, goal, usual, SPREAD)), strict=True):
        if abs(a - d) > max(spread, abs(u - d) - 1e-9):
            found[field.name] = (a, d, u)
    return found


@cache
def look(name: str) -> Look:
    """Return how a style of KLAW's looks at its usual speed, of the standard adult."""
    style = preset("klaw", name)
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


def main() -> int:
    """Print the table of docs/controllers/klaw.md; return 0, or 1 where a style is not nearer in all figures."""
    names = [field.name for field in fields(Look)]
    print(f"| style | {' | '.join(UNITS)} |\n|---{'|---' * len(names)}|")
    print(f"| walk | {' | '.join(map(_figure, names, astuple(look('walk'))))} |")
    wrong = 0
    for name in CAPTURED:
        worse = farther(name)
        pairs = zip(names, astuple(look(name)), astuple(desired(name)), strict=True)
        cells = [f"{_figure(f, own)} of {_figure(f, goal)}{' (!)' * (f in worse)}" for f, own, goal in pairs]
        print(f"| {name} | {' | '.join(cells)} |")
        wrong += len(worse)
    return int(wrong > 0)


def _figure(field: str, value: float) -> str:
    return f"{value:.2f}" if field == "step" else f"{round(value)}"


if __name__ == "__main__":
    sys.exit(main())
