# SPDX-License-Identifier: GPL-3.0-or-later
"""Attacks on walks by too much around them: grounds, things, paths, waits, captured strides and companies.

All numbers are ones that a file may have: about as many as can be walked, and beyond that.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blender_biped.base.spatial import Array, yaw_quaternion
from blender_biped.character.model import ROLES
from blender_biped.character.standard import standard_character
from blender_biped.company import company_from_json
from blender_biped.control.registry import presets
from blender_biped.job import Job, job_from_json
from blender_biped.motion.watch import Watch
from blender_biped.together import walked_together
from blender_biped.world.path import Path as Way
from tools.attack.readers import WALKED, check_motion, walked
from tools.attack.verdict import Rng, demand

_CONTROLLERS = ("natural", "natural", "generalized", "simbicon", "limit_cycle", "klaw")
Change = Callable[[dict[str, Any], Rng], None]


def attack_world(rng: Rng, folder: Path) -> str:
    """Read a job or a company in a world with too much in it, as from a file, and simulate it where it is taken."""
    if rng.random() < 0.15:
        return _company(rng)
    data = plain(rng)
    for change in rng.permutation(len(CHANGES))[: int(rng.integers(1, 3))]:
        CHANGES[change](data, rng)
    return walked(job_from_json(json.loads(json.dumps(data))), folder if rng.random() < 0.1 else None)


@cache
def _plain(controller: str) -> str:
    job = Job(standard_character(), Way([(0.0, 0.0), (12.0, 0.0)]), presets(controller)[0], duration=0.3)
    return json.dumps(job.as_json())


def plain(rng: Rng, controllers: Sequence[str] = _CONTROLLERS) -> dict[str, Any]:
    """Return the data of a short walk straight ahead along x."""
    data: dict[str, Any] = json.loads(_plain(controllers[int(rng.integers(len(controllers)))]))
    return data


def some_count(rng: Rng, most: int) -> int:
    """Return a count of any size up to somewhat more than the most, mostly large."""
    return max(1, int(most * min(rng.uniform(0.0, 1.4), rng.uniform(0.3, 1.4))))


def slivers(rng: Rng, count: int, reach: float = 15.0) -> tuple[Array, NDArray[np.int_]]:
    """Return vertices (N, 3) and triangles (count, 3) of any length and width, in one direction or in all."""
    turns = rng.uniform(0.0, math.pi) + rng.choice((0.0, 0.01, 3.0)) * rng.random(count)
    length, width = 10.0 ** rng.uniform(-2.0, 2.0), 10.0 ** rng.uniform(-4.0, 1.0)
    ahead = np.stack((np.cos(turns), np.sin(turns)), axis=1)
    left = np.stack((-ahead[:, 1], ahead[:, 0]), axis=1)
    middles = rng.uniform(-reach, reach, (count, 2)) * rng.choice((1.0, 0.01))
    flat = np.stack((middles - length * ahead, middles + length * ahead, middles + width * left), axis=1)
    heights = rng.normal(scale=float(rng.choice((0.0, 0.001, 0.5))), size=(count, 3, 1))
    return np.concatenate((flat, heights), axis=2).reshape(-1, 3), np.arange(3 * count).reshape(-1, 3)


def _world(data: dict[str, Any]) -> dict[str, Any]:
    data["version"] = 2
    own: dict[str, Any] = data.setdefault("world", {"ground": None, "friction": 1.0, "things": [], "winds": []})
    return own


def _ground(data: dict[str, Any], rng: Rng) -> None:
    """A floor with long, thin, tiny or overlapping triangles on it."""
    size = float(10.0 ** rng.uniform(1.2, 3.5))
    floor = [(-size, -size, 0.0), (size, -size, 0.0), (size, size, 0.0), (-size, size, 0.0)]
    vertices, faces = slivers(rng, some_count(rng, int(rng.choice((50, 500, 8_000, 33_000)))))
    whole = np.concatenate((floor, vertices))
    _world(data)["ground"] = {"vertices": whole.tolist(), "faces": [[0, 1, 2], [0, 2, 3], *(faces + 4).tolist()]}


def _long_way(data: dict[str, Any], rng: Rng) -> None:
    """A path of many points, many metres or many laps."""
    count = some_count(rng, int(rng.choice((3, 1000, 20_000)))) + 2
    turns = np.linspace(0.0, math.tau, count, endpoint=False)
    radius = float(10.0 ** rng.uniform(-0.5, 3.3))
    ring = radius * np.stack((np.sin(turns), 1.0 - np.cos(turns)), axis=1)
    laps = int(10.0 ** rng.uniform(0.0, 3.2))
    data["path"] = {"points": ring.tolist(), "closed": bool(rng.random() < 0.7), "laps": laps}


def _thing(name: str, rng: Rng, place: Sequence[float], loose: bool) -> dict[str, Any]:
    kind = str(rng.choice(("box", "hull", "sphere")))
    points: list[list[float]] = []
    if kind == "hull":
        corners = rng.normal(size=(int(rng.integers(4, 257)), 3))
        points = (0.2 * corners / np.linalg.norm(corners, axis=1)[:, None]).tolist()
    return {
        "name": name, "kind": kind, "half": rng.uniform(0.01, 0.3, 3).tolist(), "radius": 0.1 * (kind == "sphere"),
        "points": points, "place": [float(at) for at in place], "friction": 0.5, "mass": 1.0 if loose else 0.0,
        "rotation": yaw_quaternion(float(rng.uniform(0.0, math.pi))).tolist(), "com": [0.0, 0.0, 0.0],
    }  # fmt: skip


def _things(data: dict[str, Any], rng: Rng) -> None:
    """Obstacles in a row along the path, or beside it, or props there, or in one place."""
    count, loose, way = some_count(rng, int(rng.choice((20, 300, 1000)))), bool(rng.random() < 0.5), rng.random()
    apart = float(rng.choice((0.1, 1.3)))

    def place(k: int) -> Sequence[float]:
        return (2.0 + 0.001 * k, 3.0, 0.3) if way < 0.3 else (2.0 + apart * k, 2.0 * (way < 0.6), 0.1)

    _world(data)["things"] = [_thing(f"thing {k}", rng, place(k), loose) for k in range(count)]
    if rng.random() < 0.5:
        data["path"]["points"] = [[0.0, 0.0], [4.0 + apart * count, 0.0]]


def _targets(data: dict[str, Any], rng: Rng) -> None:
    """Many targets beside the path."""
    count = some_count(rng, 8 if rng.random() < 0.9 else 40)
    _world(data)["targets"] = [
        {"name": f"target {k}", "act": "reach", "place": [3.0 + 1.5 * k, 0.4, 1.1], "thing": "", "hands": "auto"}
        for k in range(count)
    ]
    data["path"]["points"] = [[0.0, 0.0], [6.0 + 1.5 * count, 0.0]]


def _hours(data: dict[str, Any], rng: Rng) -> None:
    """Waits, times, speeds and changes of gait that take hours, nearly or for ever."""
    data["duration"] = 0.0
    late, way = float(10.0 ** rng.uniform(0.0, 300.0)), int(rng.integers(5))
    if way == 0:
        places = range(some_count(rng, 1_000))
        data["along"] = [{"place": 0.01 * k, "wait": float(rng.uniform(0.0, 600.0))} for k in places]
    elif way == 1:
        data["along"] = [{"place": 5.0, "time": float(rng.uniform(1.0, 3600.0))}, {"place": 9.0, "wait": 500.0}]
    elif way == 2:
        data["speeds"] = [[0.0, 0.0], [late, float(rng.uniform(0.0, 2.0))]]
    elif way == 3:
        data["speeds"] = [[float(k), float(k % 2)] for k in range(some_count(rng, 50_000))]
    else:
        data["speed"] = float(rng.choice((0.0, 1e-9, 0.05)))
        data["cues"] = [{"time": min(late, 1e6), "preset": data["preset"], "speed": 1.2}]


def _captured(data: dict[str, Any], rng: Rng) -> None:
    """A captured stride of any numbers within their ranges."""
    data["preset"] = plain(rng, ("natural",))["preset"]
    much = float(10.0 ** rng.uniform(-2.0, 0.8))
    joints = {role: np.clip(rng.normal(scale=much, size=(int(rng.integers(2, 5)), 6)), -6.2, 6.2) for role in ROLES}
    data["preset"]["values"]["captured"] = {
        "source": "x", "duration": float(rng.choice((0.2, 10.0, rng.uniform(0.2, 10.0)))),
        "travel": float(rng.choice((0.05, 10.0, rng.uniform(0.05, 10.0)))), "right": float(rng.uniform(0.2, 0.8)),
        "lifts": rng.uniform(0.0, 1.0, 2).tolist(), "sway": rng.normal(scale=0.1 * much, size=(2, 4)).tolist(),
        "joints": {role: rows.tolist() for role, rows in joints.items() if rng.random() < 0.5},
    }  # fmt: skip
    data["speed"] = float(rng.choice((0.0, 0.01, 1.0, 5.0)))


def _company(rng: Rng) -> str:
    """Several in one world, beside or inside one another, who begin at any time. Raises as ``attack_world``."""
    count, apart = int(rng.integers(1, 10)), float(rng.choice((0.0, 0.5, 1.5, 40.0)))
    own = []
    for k in range(count):
        data = plain(rng, ("natural", "generalized"))
        data["path"]["points"] = [[0.0, apart * k], [4.0, apart * k]]
        if rng.random() < 0.2:
            CHANGES[int(rng.integers(len(CHANGES)))](data, rng)
        own.append({"start": float(rng.choice((0.0, 0.0, 0.1, 3599.0, 3600.0))), "job": data})
    company = company_from_json(json.loads(json.dumps({"version": 1, "company": own})))
    until = time.monotonic() + WALKED

    class EnoughError(Exception):
        """They walk on, and have been looked at for long enough."""

    def progress(share: float) -> None:
        demand(0.0 <= share <= 1.0, f"a progress of {share}")
        if time.monotonic() > until:
            raise EnoughError

    try:
        for motion in walked_together(replace(company), Watch(progress)):
            check_motion(motion)
    except EnoughError:
        return "walk on"
    return "walked together"


CHANGES: tuple[Change, ...] = (_ground, _ground, _long_way, _things, _targets, _hours, _hours, _captured)
