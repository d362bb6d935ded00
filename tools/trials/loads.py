# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads (``tools.trials``): crates that are lifted, carried on and set down, on three bodies, from three starts each.

From the floor and from a stand. Masses go with the bodies', lengths with their legs. What is beyond a body's limits is
refused, with the reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath

import numpy as np

from blender_biped.character.model import Character
from blender_biped.character.reference import REFERENCE_MASS
from blender_biped.control.natural.hands.limits import ROOM
from blender_biped.control.natural.kind import NATURAL
from blender_biped.control.registry import presets
from blender_biped.control.shared.legs import legs_of
from blender_biped.job import Job
from blender_biped.motion import measures
from blender_biped.motion.motion import Motion
from blender_biped.world.path import Path
from blender_biped.world.targets import Target
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import World
from tools.trials.obstacles import BODIES
from tools.trials.scene_walks import Figures, SceneTrial, lines_of, walked
from tools.trials.stairs import Edge, flight, ground_of

SEEDS = (1, 2, 3)
SPEED = 1.0  # m/s, with a leg of measures.LEG
STAIR_SEEDS = (1, 2, 3, 4)
TAKEN, BEFORE = 2.0, 1.6  # m along the path of the crate before stairs, and from there to the first edge
BEYOND = 2.5  # m of level way behind them
FIRST_BAR, BARS_APART = 1.5, 1.4  # m from the last edge to the first obstacle, and from one to the next
BAR_DEPTH, BAR_HALF_WIDTH = 0.1, 0.6  # m
FIRST, CARRIED = 2.5, 4.0  # m along the path of the crate, and how far it is carried
HALF = (0.12, 0.18, 0.12)  # m of the crate
POST = 0.1  # m of the stand, half its breadth
BEND = 0.12  # m: how sharply the way turns away from a stand, which is in the way of a wider turn
_PIECES = 8  # of the bend


@dataclass(frozen=True)
class Load:
    """A crate's mass, kg, for a body of the reference mass, and how high it stands, m."""

    mass: float
    height: float


SCENES: dict[str, Load] = {
    f"{mass:g} kg from {where}": Load(mass, height)
    for mass in (5.0, 10.0, 15.0, 20.0, 25.0)
    for where, height in (("the floor", 0.0), ("0.8 m", 0.8))
}


@dataclass(frozen=True)
class LoadedWay:
    """A crate's mass, kg, for a body of the reference mass, and what it is carried over.

    edges: of steps, as ``stairs.SCENES`` has them. bars: heights of what stands across the level way behind them, m.
    """

    mass: float
    edges: tuple[Edge, ...] = ()
    bars: tuple[float, ...] = ()


STAIRS: dict[str, LoadedWay] = {
    "5 kg up five steps of 0.15 m": LoadedWay(5.0, flight(5, 0.15)),
    "15 kg up five steps of 0.15 m": LoadedWay(15.0, flight(5, 0.15)),
    "15 kg down five steps of 0.1 m": LoadedWay(15.0, flight(5, -0.1)),
    "15 kg down five steps of 0.15 m": LoadedWay(15.0, flight(5, -0.15)),
    "15 kg up five steps of 0.15 m, over 0.2 m twice": LoadedWay(15.0, flight(5, 0.15), (0.2, 0.2)),
    "15 kg over 0.2 m twice": LoadedWay(15.0, (), (0.2, 0.2)),
    "25 kg over 0.3 m": LoadedWay(25.0, (), (0.3,)),
}


PARTS: dict[str, Callable[[], list[SceneTrial]]] = {
    "loads": lambda: [SceneTrial(scene, body) for body in BODIES for scene in SCENES],
    "loaded-stairs": lambda: [SceneTrial(scene, body) for body in BODIES for scene in STAIRS],
}


def job_of(scene: str, body: Character, seed: int = 0) -> Job:
    """Return a body's walk with a load; lengths go with its legs, masses with its own."""
    load, size = SCENES[scene], body.leg_length / measures.LEG
    x, y, z = (size * own for own in HALF)
    first, carried, high = size * FIRST, size * CARRIED, size * load.height
    ahead = max(leg.ball + leg.toe_length for leg in legs_of(body)) + size * ROOM.feet + x
    stands = first - ahead
    mass = load.mass * body.mass / REFERENCE_MASS
    things = [Thing("crate", Solid("box", (x, y, z)), (first, 0.0, high + z), mass=mass)]
    if high:
        bend = size * BEND
        turned = np.linspace(0.0, 0.5 * math.pi, _PIECES)
        turn = [(stands + bend * math.sin(a), bend * (1.0 - math.cos(a))) for a in turned]
        way, place = Path([(0.0, 0.0), *turn, (stands + bend, carried)]), (stands + bend, carried + ahead, high)
        post = Solid("box", (size * POST, size * POST, 0.5 * high))
        for k, (at, aside) in enumerate(((first, 0.0), place[:2])):
            things.append(Thing(f"stand {k + 1}", post, (at, aside, 0.5 * high)))
    else:
        way, place = Path([(0.0, 0.0), (stands + carried, 0.0)]), (first + carried, 0.0, 0.0)
    targets = (Target("crate", "pick_up", thing="crate"), Target("there", "set_down", place))
    world = World(things=tuple(things), targets=targets)
    return Job(body, way, presets(NATURAL.name)[0], speed=SPEED * size**0.5, seed=seed, world=world)


def stairs_job_of(scene: str, body: Character, seed: int = 0) -> Job:
    """Return a body's walk with a load over steps and obstacles of ``STAIRS``."""
    return laden_job(STAIRS[scene], body, seed)


def laden_job(over: LoadedWay, body: Character, seed: int = 0, taken: float = TAKEN) -> Job:
    """Return a body's walk with a load; lengths go with its legs, masses with its own. taken: m along the path."""
    size = body.leg_length / measures.LEG
    x, y, z = (size * own for own in HALF)
    last = taken + BEFORE + sum(away for away, _ in over.edges)
    ground, path = ground_of(over.edges, size, BEYOND + BARS_APART * len(over.bars), taken + BEFORE)
    mass = over.mass * body.mass / REFERENCE_MASS
    things = [Thing("crate", Solid("box", (x, y, z)), (size * taken, 0.0, z), mass=mass)]
    for k, height in enumerate(over.bars):
        at, half = size * (last + FIRST_BAR + k * BARS_APART), size * 0.5 * height
        bar = Solid("box", (size * 0.5 * BAR_DEPTH, size * BAR_HALF_WIDTH, half))
        things.append(Thing(f"bar {k + 1}", bar, (at, 0.0, ground.height(at, 0.0) + half)))
    ahead = max(leg.ball + leg.toe_length for leg in legs_of(body)) + size * ROOM.feet + x
    end = path.length + ahead
    place = (end, 0.0, ground.height(end, 0.0))
    targets = (Target("crate", "pick_up", thing="crate"), Target("there", "set_down", place))
    world = World(things=tuple(things), ground=ground, targets=targets)
    return Job(body, path, presets(NATURAL.name)[0], speed=SPEED * size**0.5, seed=seed, world=world)


def left_off(motion: Motion, job: Job) -> Figures:
    """Return how far from where it was to be set down a load lies at the end, m."""
    x, y, z = job.world.targets[-1].place
    place = np.array((x, y, z + job.world.loose[0].solid.half[2]))
    return {"left_off_m": float(np.linalg.norm(motion.props[-1, 0, :3] - place))}


def run(trial: SceneTrial, out: FilePath) -> Figures:
    """Return the figures of a scene: why it is refused, or how each of its walks ended."""
    body = BODIES[trial.group]()
    if trial.scene in SCENES:
        return walked(trial, job_of(trial.scene, body), SEEDS, left_off)
    return walked(trial, stairs_job_of(trial.scene, body), STAIR_SEEDS, left_off)


def farthest_off(walks: Sequence[Figures]) -> str:
    """Return, in words, how far off the loads of walks lie at most."""
    return f", loads {max(walk['left_off_m'] for walk in walks):.3f} m off at most"


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people. part: of PARTS."""
    return lines_of(found, BODIES, farthest_off)
