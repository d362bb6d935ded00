# SPDX-License-Identifier: GPL-3.0-or-later
"""The scenes of Coros 2010, section 5.4, figures 8 to 12 (``tools.trials``): three bodies, four starts each.

Reaching for objects, pulling and pushing a crate, over and under obstacles, lifting crates, and stairs with one. Each
is laid out in a Blender file of its own, is read from there as a user's is, walks, and is kept as paper/NAME.blend
with its baked walk and as NAME.png. Needs bpy and matplotlib.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path as FilePath

import matplotlib
import numpy as np
from numpy.typing import NDArray

matplotlib.use("Agg")
from matplotlib import pyplot

from blender_biped.base.errors import BipedError
from blender_biped.base.spatial import quaternion_matrix
from blender_biped.character.figure import stature
from blender_biped.character.model import Character
from blender_biped.check import check
from blender_biped.control.natural.kind import NATURAL
from blender_biped.control.registry import presets, stops_of
from blender_biped.control.shared.arms import Arm, arms_of
from blender_biped.job import Job
from blender_biped.motion import measures
from blender_biped.motion.motion import Motion
from blender_biped.preset.preset import Preset
from blender_biped.world.path import Path
from blender_biped.world.targets import Hands, Target
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import World
from tools.scene.characters import A_POSE
from tools.scene.laid_out import laid_out
from tools.trials import loads, stepping
from tools.trials.kept_walk import keep
from tools.trials.obstacles import ADULT, BODIES, BUILDS
from tools.trials.scene_walks import Figures, SceneTrial, lines_of, walked

FOLDER = "paper"
COLUMN = 6.0  # inches of the picture of all
SEEDS = (1, 2, 3, 4)
SPEED = 1.0  # m/s, with a leg of measures.LEG
PICKED = 3.0  # kg, of a body of the adult's mass
BOX = (0.08, 0.1, 0.095)  # m, half of what is picked up
AT, SHORT = 2.4, (0.4, 0.32)  # m of way to it, and how far before it the path ends; nearer where it is high
HIGH = 1.2  # m from which it is
CRATE, HEAVY, FRICTION = 0.4, 80.0, 0.2  # m, half its breadth and depth; kg
OF_SHOULDERS = 0.77  # of their height is the crate's
MOVED, ON = 2.6, 2.0  # m that it is moved; m beyond where a crate that is pulled is left that the path ends
AWAY = tuple(0.3 + 0.02 * k for k in range(55))
"""m from where a crate that is pushed is left to the path's end, and from the side of one that is pulled to the path's
start: where arms reach, as a message of the bake says it, is among them."""
SHARES = (1.0, 0.8)
"""Of that mass: the first that is not refused as too heavy."""
NEAR = 0.03  # m, for legs of measures.LEG, that a path may end beyond where a crate is left
MOVING = 0.02  # m from where it began, or ends, beyond which something is held
SIDES: dict[Hands, float] = {"left": -1.0, "right": 1.0}
"""Where a crate goes to, along x, and for one that is pulled the hand."""
STEPPING = ("over a row to 0.45 m", *(f"over and under, {offset:g} m" for offset in (0.0, 0.5, 1.0)))
LIFTING, STAIRS = "25 kg from the floor", "15 kg up five steps of 0.15 m, over 0.2 m twice"


def _picking(height: float, body: Character, seed: int = 0) -> Job:
    """Return a walk to a box whose middle is at a height, m, and that is picked up; on a stand where it is not low.

    The height goes with the body's.
    """
    size = body.leg_length / measures.LEG
    half = (size * BOX[0], size * BOX[1], size * BOX[2])
    middle = max(height * stature(body) / stature(BODIES[ADULT]()), half[2])
    box = Thing("box", Solid("box", half), (size * AT, 0.0, middle), mass=PICKED * body.mass / BODIES[ADULT]().mass)
    below = 0.5 * (middle - half[2])
    post = Thing("stand", Solid("box", (half[0], half[0], below)), (size * AT, 0.0, below))
    things = (box, post) if below > half[2] else (box,)
    targets = (Target("box", "pick_up", thing="box"),)
    return _job(body, size * (AT - SHORT[height > HIGH]), 1.0, things, targets, seed)


def _pushing(sign: float, body: Character, seed: int = 0) -> Job:
    """Return a walk that pushes a crate to the right (1) or to the left (-1), as who looks along y sees it."""
    size = body.leg_length / measures.LEG
    left = size * (AT + MOVED)
    targets = (Target("crate", "push", thing="crate"), Target("there", "set_down", (sign * left, 0.0, 0.0)))
    crate = _crate(body, size * AT)
    jobs = _accepted([_job(body, left - size * away, sign, (crate,), targets, seed) for away in AWAY])
    return next((job for job in jobs if job.path.length - stops_of(job)[-1].place < NEAR * size), jobs[-1])


def _pulling(sign: float, hand: Hands, body: Character, seed: int = 0) -> Job:
    """Return a walk that pulls a crate to there by a hand."""
    size = body.leg_length / measures.LEG

    def pulled(away: float, share: float) -> Job:
        crate = _crate(body, -size * (away + CRATE), share)
        left = size * (MOVED - away - CRATE)
        there = Target("there", "set_down", (sign * left, 0.0, 0.0))
        targets = (Target("crate", "pull", thing="crate", hands=hand), there)
        return _job(body, left + size * ON, sign, (crate,), targets, seed)

    jobs = next(filter(None, (_accepted([pulled(away, share) for away in AWAY]) for share in SHARES)))
    return jobs[len(jobs) // 2]


def _crate(body: Character, ahead: float, share: float = 1.0) -> Thing:
    """Return a crate on the ground, its middle m ahead of the path's start. share: of the usual mass."""
    size, (origins, _) = body.leg_length / measures.LEG, body.standing()
    shoulders = float(np.mean([origins[arm.upper, 2] for arm in arms_of(body) if arm is not None]))
    half, mass = 0.5 * OF_SHOULDERS * shoulders, share * HEAVY
    solid = Solid("box", (size * CRATE, size * CRATE, half))
    return Thing("crate", solid, (ahead, 0.0, half), mass=mass, friction=FRICTION)


def _job(
    body: Character, end: float, sign: float, things: Sequence[Thing], targets: tuple[Target, ...], seed: int
) -> Job:
    """Return a walk that ends m along x. sign: -1 where it and the things are turned round."""
    turned = tuple(replace(own, place=(sign * own.place[0], *own.place[1:])) for own in things)
    speed, way = SPEED * (body.leg_length / measures.LEG) ** 0.5, Path([(0.0, 0.0), (sign * end, 0.0)])
    world = World(things=turned, targets=targets)
    return Job(body, way, _style(), speed, seed=seed, world=world)


@cache
def _style() -> Preset:
    return presets(NATURAL.name)[0]


def _accepted(jobs: Sequence[Job]) -> list[Job]:
    """Return those jobs that are not refused."""
    found = []
    for job in jobs:
        with suppress(BipedError):
            check(job)
            found.append(job)
    return found


SCENES: dict[str, Callable[..., Job]] = {
    **{f"picking up at {height:g} m": partial(_picking, height) for height in (0.1, 0.8, 1.7)},
    **{f"pushing to the {side}": partial(_pushing, sign) for side, sign in SIDES.items()},
    **{f"pulling to the {side}": partial(_pulling, sign, side) for side, sign in SIDES.items()},
    **{scene: partial(stepping.job_of, scene) for scene in STEPPING},
    LIFTING: partial(loads.job_of, LIFTING),
    STAIRS: partial(loads.stairs_job_of, STAIRS),
}
"""By name, what makes the walk of a body, and of a seed."""

PARTS: dict[str, Callable[[], list[SceneTrial]]] = {
    "paper": lambda: [SceneTrial(scene, body) for body in BODIES for scene in SCENES]
}


def job_of(scene: str, group: str, seed: int = 0) -> Job:
    """Return the walk of a body, by its name, through a scene."""
    return SCENES[scene](BODIES[group](), seed=seed)


def handled(motion: Motion, job: Job) -> Figures:
    """Return how far palms moved in what they held, mm, how far it was moved, m, and how far off it was left, m."""
    targets = job.world.targets
    if not targets:
        return {"palms_mm": None, "moved_m": None, "left_off_m": None}
    moved = np.linalg.norm(motion.props[:, 0, :3] - motion.props[0, 0, :3], axis=1)
    held = (moved > MOVING) & (moved < moved[-1] - MOVING) if targets[-1].act == "set_down" else moved > MOVING
    sides = [k for k, side in enumerate(SIDES) if targets[0].hands in (side, "auto", "both")]
    off = loads.left_off(motion, job)["left_off_m"] if targets[-1].act == "set_down" else None
    slip = max((1000.0 * slipped(motion, arms_of(job.character)[side], held) for side in sides), default=None)
    return {"palms_mm": slip, "moved_m": float(moved[-1]), "left_off_m": off}


def slipped(motion: Motion, arm: Arm | None, held: NDArray[np.bool_]) -> float:
    """Return how far a palm moves in what it holds, m, at most, from where it is at first. held (T,): when it does."""
    if arm is None or not held.any():
        return 0.0
    track = motion.props[held, 0]
    turns, props = quaternion_matrix(motion.rotations[held, arm.hand]), quaternion_matrix(track[:, 3:])
    palms = motion.origins[held, arm.hand] + turns @ arm.held
    own = np.einsum("tji,tj->ti", props, palms - track[:, :3])
    return float(np.linalg.norm(own - own[0], axis=1).max())


def run(trial: SceneTrial, out: FilePath) -> Figures:
    """Return the figures of a scene, and keep the first walk that arrives, or the first one, as a file.

    In a process of its own: it empties Blender's file.
    """
    import bpy

    from blender_biped.ui.job.request import read_request

    walks: list[Motion] = []

    def more(motion: Motion, job: Job) -> Figures:
        walks.append(motion)
        return handled(motion, job)

    with laid_out(job_of(trial.scene, trial.group), BUILDS[trial.group].armature(A_POSE)) as rig:
        try:
            request = read_request(bpy.context, rig)
        except BipedError as error:
            return {"group": trial.group, "scene": trial.scene, "refused": str(error), "walks": []}
        found = walked(trial, replace(request.job, fall_back=False), SEEDS, more)
        if walks:
            kept = next((motion for motion in walks if motion.outcome == "arrived"), walks[0])
            title = f"{trial.scene}, {trial.group}".capitalize()
            keep(rig, request, kept, out / FOLDER / file_name(trial.scene, trial.group), title)
    return found


def _told(walks: Sequence[Figures]) -> str:
    """Return, in words, how far palms moved and loads lie off at most."""
    palms, off = ([walk[key] for walk in walks if walk[key] is not None] for key in ("palms_mm", "left_off_m"))
    said = f", palms moved by {max(palms):.1f} mm at most" if palms else ""
    return said + (f", loads {max(off):.3f} m off" if off else "")


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people. part: of PARTS."""
    return lines_of(found, BODIES, _told)


def picture(part: str, found: Sequence[Figures], out: FilePath) -> FilePath:
    """Put the pictures of kept walks into one, a row for each scene, a column for each body; return the file.

    part: of PARTS. Raises OSError.
    """
    walks = [(one["scene"], one["group"]) for one in found]
    files = {key: out / FOLDER / f"{file_name(*key)}.png" for key in walks}
    images = {key: pyplot.imread(file) for key, file in files.items() if file.exists()}
    shapes = {key: image.shape[0] / image.shape[1] for key, image in images.items()}
    scenes = [scene for scene in SCENES if any(scene == key[0] for key in images)]
    tall = [max(shape for key, shape in shapes.items() if key[0] == scene) for scene in scenes]
    size = (COLUMN * len(BODIES), COLUMN * sum(tall))
    figure, rows = pyplot.subplots(len(scenes), len(BODIES), figsize=size, height_ratios=tall, squeeze=False)
    for scene, row in zip(scenes, rows, strict=True):
        for body, axes in zip(BODIES, row, strict=True):
            axes.axis("off")
            if (scene, body) in images:
                axes.imshow(images[scene, body], interpolation="antialiased")
    figure.subplots_adjust(0.0, 0.0, 1.0, 1.0, 0.01, 0.02)
    file = out / f"{part}.webp"
    figure.savefig(file, dpi=84, pil_kwargs={"quality": 75, "method": 6})
    pyplot.close(figure)
    return file


def file_name(scene: str, group: str) -> str:
    """Return the name, without its ending, of a body's file of a scene."""
    return f"{scene}, {group}".replace(", ", "-").replace(" ", "-")
