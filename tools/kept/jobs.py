# SPDX-License-Identifier: GPL-3.0-or-later
"""The jobs whose motions are kept: each controller, each kind of ground, things, hands, company, captured styles."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from blender_biped.character.model import Character
from blender_biped.company import Companion, Company
from blender_biped.control.natural.making import CapturedMaking
from blender_biped.job import Job, Push
from blender_biped.klaw.walk import walk
from blender_biped.motion.similarity import Similarity
from blender_biped.preset.cue import Cue
from blender_biped.preset.preset import Preset, preset
from blender_biped.world.path import Path
from blender_biped.world.path_points import PathPoint
from blender_biped.world.targets import Target
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import World
from tools.trials import loads, obstacles, slopes, stairs, stepping
from tools.trials.obstacles import ADULT, BODIES

STRAIGHT = Path([(0.0, 0.0), (6.0, 0.0)])
BEND = Path([(0.0, 0.0), (1.5, 0.0), (2.5, 1.2), (4.5, 1.2)])
TIME = 4.0  # s of a walk that needs not arrive
Kept = Job | Company


def _adult() -> Character:
    return BODIES[ADULT]()


def _walk(
    controller: str, style: str = "default", speed: float = 1.0, path: Path = STRAIGHT, body: str = ADULT, **more: Any
) -> Job:  # fmt: skip
    """Return a walk on level ground."""
    return Job(**{
        "character": BODIES[body](), "path": path, "preset": preset(controller, style), "speed": speed,
        "duration": TIME, **more,
    })  # fmt: skip


def _for(job: Job, time: float) -> Job:
    """Return a job that ends after a time, s."""
    return replace(job, duration=time)


def _pushed(controller: str, style: str, force: float, time: float = 2.0) -> Job:
    return _walk(controller, style, pushes=(Push("chest", time, 0.1, (0.0, force, 0.0)),))


def _changes() -> Job:
    """Return a walk that goes over to another style with one step, and to a third one little by little."""
    happy, sad = preset("natural", "happy"), preset("natural", "sad")
    cues = (Cue(0.0, happy, place=1.5), Cue(0.0, sad, place=3.0, ease=1.0))
    return _walk("natural", path=Path([(0.0, 0.0), (4.5, 0.0)]), cues=cues, duration=6.0)


def _waits() -> Job:
    """Return a walk with a point where it is faster and one where it waits."""
    points = PathPoint(place=1.5, speed=0.8), PathPoint(place=2.5, wait=0.8)
    return _walk("natural", along=points, path=Path([(0.0, 0.0), (3.5, 0.0)]), duration=0.0)


def _moving(kind: str, ahead: float, there: float, length: float) -> Job:
    """Return a walk that pushes a crate before it, or pulls one behind it. kind: of its target; the rest in m."""
    crate = Thing("crate", Solid("box", (0.35, 0.35, 0.55)), (ahead, 0.0, 0.55), mass=30.0, friction=0.2)
    target = Target("crate", "push" if kind == "push" else "pull", thing="crate")
    world = World(things=(crate,), targets=(target, Target("there", "set_down", (there, 0.0, 0.0))))
    return _walk("natural", path=Path([(0.0, 0.0), (length, 0.0)]), world=world, duration=9.0)


def _picked() -> Job:
    """Return a walk to a box on a stand, which is picked up."""
    half, height = (0.08, 0.1, 0.08), 0.8
    box = Thing("box", Solid("box", half), (2.4, 0.0, height + 0.001), mass=5.0)
    below = 0.5 * (height - half[2])
    stand = Thing("stand", Solid("box", (0.08, 0.08, below)), (2.4, 0.0, below))
    world = World(things=(box, stand), targets=(Target("box", "pick_up", thing="box"),))
    return _walk("natural", path=Path([(0.0, 0.0), (2.0, 0.0)]), world=world, duration=8.0)


def _sloping() -> Job:
    """Return a walk up a slope of 8 degrees."""
    ground = slopes.mesh([-1.0, 1.0, 8.0], [-3.0, 3.0], slopes.sloping(8.0))
    return _walk("generalized", speed=0.8, world=World(ground=ground))


def _loose() -> Job:
    """Return a walk into a box that gives way."""
    box = Thing("box", Solid("box", (0.1, 0.4, 0.1)), (1.6, 0.0, 0.1), mass=2.0)
    return _walk("generalized", world=World(things=(box,)))


def _reached() -> Job:
    """Return a walk to a switch on the way's end."""
    target = Target("switch", "reach", (2.35, -0.2, 1.2))
    return _walk("natural", path=Path([(0.0, 0.0), (2.0, 0.0)]), world=World(targets=(target,)), duration=0.0)


@cache
def _captured() -> Preset:
    """Return the style of a captured walk: KLAW's, with its arms raised, as the first try of *Make Style*."""
    style = preset("klaw", "walk")
    style = replace(style, values={**style.values, "manner": {"arms_forward": 50.0}})
    motion = walk(Job(_adult(), Path([(0.0, 0.0), (9.0, 0.0)]), style, 1.1, stop=False))
    return CapturedMaking(motion, "Kept", "an action").ask()[2].preset


def _company(controller: str, style: str, child: float = 1.0) -> Company:
    """Return two who meet. child: size of the second one."""
    one = _walk(controller, style, path=Path([(0.0, 0.0), (3.0, 0.0)]), character=replace(_adult(), name="Ann"))
    size = Similarity(1.0 / child, 1.0 / math.sqrt(child), 1.0 / child**3)
    body = replace(size.character(_adult()), name="Bob")
    other = _walk(controller, style, path=Path([(3.0, 0.2), (0.0, 0.2)]), character=body)
    return Company((Companion(one), Companion(other)))


JOBS: dict[str, Callable[[], Kept]] = {
    "natural-straight": lambda: _walk("natural", path=Path([(0.0, 0.0), (2.5, 0.0)]), duration=0.0),
    "natural-slow": lambda: _walk("natural", speed=0.5),
    "natural-bend": lambda: _walk("natural", speed=1.2, path=BEND, duration=5.0),
    "natural-perturbed": lambda: _walk("natural", seed=3),
    "natural-long-legs": lambda: _walk("natural", body="long legs, wide hips"),
    "natural-short-legs": lambda: _walk("natural", body="short legs, large head", path=BEND),
    "natural-pushed": lambda: _pushed("natural", "default", 300.0),
    "natural-pushed-standing": lambda: replace(_pushed("natural", "default", 200.0, 0.3), speed=0.0),
    "natural-floored": lambda: _for(_pushed("natural", "default", 1500.0), 4.0),
    "natural-ragdoll": lambda: replace(_pushed("natural", "default", 1500.0), ragdoll=2.0),
    "natural-waits": _waits,
    "natural-changes": _changes,
    "natural-quick": lambda: _walk("natural", speed=1.5),
    "natural-tiptoe": lambda: _walk("natural", "tiptoe", 0.8),
    "natural-backward": lambda: _walk("natural", "backward", 0.7),
    "natural-side-step": lambda: _walk("natural", "side_step", 0.5),
    "natural-toddler": lambda: _walk("natural", "toddler", 0.7, path=BEND),
    "natural-zombie": lambda: _walk("natural", "zombie", 0.7),
    "natural-keyed": lambda: _walk("natural", speeds=((0.0, 0.7), (2.0, 1.3))),
    "natural-captured": lambda: replace(_walk("natural", speed=1.1), preset=_captured()),
    "natural-stairs-up": lambda: _for(stairs.job_of("five up of 0.15 m", _adult()), 7.0),
    "natural-stairs-down": lambda: _for(stairs.job_of("five down of 0.15 m", _adult()), 7.0),
    "natural-curb": lambda: _for(stairs.job_of("a curb of 0.15 m, up and down", _adult()), 7.0),
    "natural-slope-up": lambda: _for(slopes.job_of("10 degrees up, 1.2 m/s", _adult()), 5.0),
    "natural-slope-across": lambda: _for(slopes.job_of("8 degrees across, 0.8 m/s", _adult()), 5.0),
    "natural-rough": lambda: _for(slopes.job_of("rough, 0.02 m, 1.2 m/s", _adult()), 5.0),
    "natural-over": lambda: _for(stepping.job_of("over 0.3 m", _adult()), 6.0),
    "natural-over-and-under": lambda: _for(stepping.job_of("over and under, 0.5 m", _adult()), 8.0),
    "natural-under": lambda: _for(stepping.job_of("under 80 %", _adult()), 5.0),
    "natural-reach": _reached,
    "natural-pick-up": _picked,
    "natural-carry": lambda: _for(loads.job_of("15 kg from the floor", _adult()), 10.0),
    "natural-push-crate": lambda: _moving("push", 2.2, 3.8, 3.04),
    "natural-pull-crate": lambda: _moving("pull", -0.95, 1.6, 4.4),
    "natural-company": lambda: _company("natural", "default"),
    "generalized-bend": lambda: _walk("generalized", path=BEND),
    "generalized-pushed": lambda: _pushed("generalized", "default", 250.0),
    "generalized-slope": _sloping,
    "generalized-over": lambda: _for(obstacles.job_of("over 0.2 m", _adult()), 6.0),
    "generalized-under": lambda: _for(obstacles.job_of("under 80 %", _adult()), 5.0),
    "generalized-loose": _loose,
    "generalized-company": lambda: _company("generalized", "default", 0.8),
    "generalized-falls-back": lambda: replace(_pushed("generalized", "default", 900.0), fall_back=True, duration=0.0),
    "simbicon-walk": lambda: _walk("simbicon", "walk"),
    "simbicon-run": lambda: _walk("simbicon", "run", 2.0),
    "simbicon-bend": lambda: _walk("simbicon", "slow_walk", 0.6, path=BEND),
    "planar-walk": lambda: _walk("planar", "walk"),
    "limit-cycle": lambda: _walk("limit_cycle", path=Path([(0.0, 0.0), (1.5, 0.0)])),
    "klaw-walk": lambda: _walk("klaw", "walk", path=BEND),
}  # fmt: skip
"""By name: the controller, and what is special."""
