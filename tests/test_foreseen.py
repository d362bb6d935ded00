"""How long walks will take, as it is foreseen, against how long they take as they are simulated."""

import math

import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.registry import preset, presets
from blender_biped.foreseen import seconds_of
from blender_biped.job import Job
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from blender_biped.world.path_points import PathPoint
from blender_biped.world.targets import Target
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import World
from tests.marks import long_but

BODY = standard_character()
STRAIGHT, BENT = Path([(0, 0), (8, 0)]), Path([(x / 4, 1.2 * math.sin(0.9 * x / 4)) for x in range(33)])
NATURAL, RUN, SNEAK, BACKWARD = (preset("natural", name) for name in ("default", "run", "sneak", "backward"))
BAR = World(things=(Thing("Bar", Solid("box", (0.03, 0.6, 0.03)), (6.0, 0.0, 0.15)),))
SWITCH = World(targets=(Target("switch", "reach", (6.0, 0.3, 1.0)),))
WALKS = {
    "short": Job(BODY, Path([(0, 0), (3, 0)]), NATURAL, 1.2),
    "slow": Job(BODY, STRAIGHT, NATURAL, 0.6),
    "fast": Job(BODY, STRAIGHT, NATURAL, 1.6),
    "bends": Job(BODY, BENT, NATURAL, 1.1),
    "corner": Job(BODY, Path([(0, 0), (4, 0), (4, 4)]), NATURAL, 1.0),
    "waits": Job(BODY, STRAIGHT, NATURAL, 1.2, along=(PathPoint(3.0, wait=2.0), PathPoint(6.0, wait=1.0))),
    "slower": Job(BODY, STRAIGHT, NATURAL, 1.2, along=(PathPoint(3.0, 0.6, 1.0),)),
    "timed": Job(BODY, STRAIGHT, NATURAL, 1.2, along=(PathPoint(6.0, time=10.0),)),
    "run": Job(BODY, Path([(0, 0), (20, 0)]), RUN, 3.0),
    "sneak": Job(BODY, STRAIGHT, SNEAK, 0.7),
    "stands in": Job(BODY, Path([(0, 0), (12, 0)]), BACKWARD, 0.6, world=BAR),
    "stands in, reaches": Job(BODY, Path([(0, 0), (12, 0)]), BACKWARD, 0.6, world=SWITCH),
    "generalized": Job(BODY, STRAIGHT, preset("generalized", "default"), 1.0),
    "simbicon": Job(BODY, STRAIGHT, preset("simbicon", "walk"), 1.0),
}


@pytest.mark.parametrize("name", long_but(WALKS, "short", "waits"))
def test_it_is_within_a_twentieth(name):
    job, foreseen = WALKS[name], seconds_of(WALKS[name])
    assert foreseen is not None
    assert foreseen == pytest.approx(float(simulate(job).times[-1]), rel=0.05)


def test_where_it_is_not_known_nothing_is_said():
    assert seconds_of(Job(BODY, STRAIGHT, next(iter(presets("klaw"))), 1.2)) is None
