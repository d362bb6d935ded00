"""Walks on ground that is not flat, from several starts: walking is chaotic."""

import math
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import kind_of
from blender_biped.job import Job
from blender_biped.motion.measures import foot_slip, penetration
from blender_biped.preset.preset import preset
from blender_biped.simulate import simulate
from blender_biped.world.passable import GroundLimits
from blender_biped.world.path import Path
from blender_biped.world.terrain import Terrain
from blender_biped.world.world import World
from tests.walks import enough, seeded

LIMITS = kind_of("generalized").terrain or GroundLimits(0.0, 0.0, 0.0, 0.0, 0.0)
JOB = Job(standard_character(), Path([(0, 0), (4, 0)]), preset("generalized", "default"), speed=0.8)


def ramp(degrees, first=1.0):
    """Return ground along x that is level up to ``first`` m, then a slope."""
    end = (9.0 - first) * math.tan(math.radians(degrees))
    points = [(x, y, z) for x, z in ((-2.0, 0.0), (first, 0.0), (9.0, end)) for y in (-2.0, 2.0)]
    return Terrain(points, [[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5]])


@pytest.mark.long
def test_flat_triangles_are_walked_on_as_the_plane_is():
    job = replace(JOB, duration=2.5)
    plane, mesh = simulate(job), simulate(replace(job, world=World(ground=ramp(0.0))))
    assert len(plane.strikes) == pytest.approx(len(mesh.strikes), abs=1)
    assert np.abs(plane.root[:240] - mesh.root[:240]).max() < 0.02


@pytest.mark.long
@pytest.mark.parametrize("degrees", [LIMITS.up, -LIMITS.down])
def test_the_slopes_that_it_says_it_walks_on_it_walks_on(degrees):
    for motion, job in enough(seeded(replace(JOB, world=World(ground=ramp(degrees))), 3), 2):
        assert penetration(motion, job) < 12.0
        median, _ = foot_slip(motion, job)
        assert median is not None and median < 6.0
        height = motion.root[-1, 2] - job.floor.height(*motion.root[-1, :2].tolist())
        assert height == pytest.approx(JOB.character.stand_height, abs=0.06)


def test_what_it_cannot_walk_on_is_refused():
    with pytest.raises(DataError, match="slopes 20 degrees up"):
        simulate(replace(JOB, world=World(ground=ramp(20.0))))
    with pytest.raises(DataError, match="needs flat ground"):
        simulate(replace(JOB, preset=preset("simbicon", "walk"), world=World(ground=ramp(2.0))))
