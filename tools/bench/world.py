# SPDX-License-Identifier: GPL-3.0-or-later
"""Cost against what is in the world: the flat floor alone, ground of triangles, obstacles, props, wind."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import numpy as np

from blender_biped.world.terrain import Terrain
from blender_biped.world.things import Solid, Thing
from blender_biped.world.winds import Wind
from blender_biped.world.world import World
from tools.base.children import in_child
from tools.bench.section import Section, fall_words, table_lines
from tools.bench.walks import REPEATS, straight_job, walks_of

LENGTH = 10.0  # s
_MANY = 50
_FAR = (-5.0, 20.0)  # m along the way


def _ground() -> Terrain:
    """Return level ground of triangles, 0.5 m wide."""
    x, y = np.meshgrid(np.arange(-5.0, 40.5, 0.5), np.arange(-3.0, 3.5, 0.5))
    rows, columns = x.shape
    a = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    faces = np.concatenate((np.stack((a, a + 1, a + columns), 1), np.stack((a + 1, a + columns + 1, a + columns), 1)))
    return Terrain(np.stack((x.ravel(), y.ravel(), np.zeros(x.size)), axis=1), faces)


def _boxes(mass: float) -> tuple[Thing, ...]:
    """Return boxes beside the way, on both sides of it. mass: kg, 0 for obstacles."""
    places = np.linspace(*_FAR, _MANY).tolist()
    box = Solid("box", (0.2, 0.2, 0.2))
    return tuple(
        Thing(f"box {i}", box, (x, (-1.0) ** i * (0.8 + 0.1 * (i % 5)), 0.2), mass=mass) for i, x in enumerate(places)
    )


WORLDS: dict[str, World] = {
    "flat floor": World(),
    "ground of triangles": World(ground=_ground()),
    f"{_MANY} obstacles": World(things=_boxes(0.0)),
    f"{_MANY} props": World(things=_boxes(5.0)),
    "wind": World(winds=(Wind("wind", "wind", (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), ((0.0, 5.0),)),)),
}


def measure_world() -> Section:
    """Return the cost of the same walk in each of WORLDS, taken in turns."""
    best: dict[str, Any] = {}
    for _ in range(REPEATS):
        for name, world in WORLDS.items():
            found = in_child(walks_of, [replace(straight_job(LENGTH), world=world)])
            if name not in best or found.cpu_s < best[name].cpu_s:
                best[name] = found
    costs = {name: found.cpu_s / found.simulated_s for name, found in best.items()}
    usual = next(iter(costs.values()))
    ratios = {f"world: {name}": cost / usual for name, cost in costs.items()}
    rows = [
        [name, f"{costs[name]:.4f}", f"{ratios[f'world: {name}']:.2f}", f"{found.simulated_s:.1f} s"
         f"{fall_words(*found.outcomes)}"]
        for name, found in best.items()
    ]  # fmt: skip
    lines = table_lines(["world", "CPU s per s", "times the flat floor", "reached"], rows)
    return Section([{"world": name, **asdict(found)} for name, found in best.items()], ratios, lines)
