"""The world in a job: read back as it was, refused where it is wrong, and scaled with the body."""

import json
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.character.standard import standard_character
from blender_biped.job import VERSION, WORLD_VERSION, Job, Push, job_from_json
from blender_biped.motion.similarity import similarity
from blender_biped.preset.preset import preset
from blender_biped.world.path import Path
from blender_biped.world.terrain import Terrain
from blender_biped.world.things import Solid, Thing
from blender_biped.world.winds import Wind
from blender_biped.world.world import World

GROUND = Terrain([(0, -1, 0), (4, -1, 0.2), (4, 1, 0.2), (0, 1, 0)], [[0, 1, 2], [0, 2, 3]])
CORNERS = ((0.0, 0.0, 0.0), (0.2, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 0.3))
WORLD = World(
    ground=GROUND,
    friction=0.8,
    things=(
        Thing("crate", Solid("box", (0.2, 0.3, 0.2)), (1.0, 0.5, 0.2), mass=12.0, friction=0.4),
        Thing("ball", Solid("sphere", radius=0.1), (2.0, 0.5, 0.1), mass=0.5),
        Thing("post", Solid("capsule", (0.0, 0.0, 0.5), 0.1), (3.0, -0.5, 0.6)),
        Thing("stone", Solid("hull", points=CORNERS), (3.0, 0.5, 0.0), mass=3.0, com=(0.05, 0.05, 0.07)),
    ),
    winds=(Wind("gust", "wind", (0.0, 0.0, 1.0), (0.0, 1.0, 0.0), ((0.0, 0.0), (1.0, 20.0)), 1.0, 1.0, 0.5, 9.0),),
)
JOB = Job(standard_character(), Path([(0, 0), (4, 0)]), preset("generalized", "default"))


def written(job):
    return json.loads(json.dumps(job.as_json()))


def test_a_job_with_a_world_is_read_back_as_it_was():
    job = replace(JOB, world=WORLD, pushes=(Push("chest", 1.0, 0.2, (250.0, 0.0, 0.0), (0.0, 0.2, 0.3)),))
    assert job_from_json(written(job)) == job


def test_only_a_job_that_needs_it_has_the_new_version():
    assert written(JOB)["version"] == VERSION and "world" not in written(JOB)
    assert written(replace(JOB, pushes=(Push("chest", 1.0, 0.2, (9.0, 0.0, 0.0)),)))["version"] == VERSION
    assert written(replace(JOB, world=WORLD))["version"] == WORLD_VERSION
    with pytest.raises(DataError, match="version is 3"):
        job_from_json({**written(JOB), "version": 3})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"sky": 1}, r"world\.sky: there is no such field"),
        ({"friction": -1.0}, r"world\.friction: -1\.0 is out of range"),
        ({"ground": 5}, r"world\.ground: expected an object"),
        ({"things": [{"kind": "cone"}]}, r"things\[0\]\.kind: 'cone' is unknown"),
        ({"things": [{"kind": "sphere", "name": "a", "place": [0, 0, 0]}]}, r"a sphere needs one"),
        ({"things": [{"kind": "box", "name": "a", "place": [0, 0, 0], "half": [1, 1, 0]}]}, r"a box needs three"),
        ({"things": [{"kind": "hull", "name": "a", "place": [0, 0, 0], "points": [[0, 0, 0]]}]}, "4 to 256 corners"),
        (
            {"things": [{"kind": "hull", "name": "a", "place": [0, 0, 0],
                         "points": [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]}]},
            "the hull is flat",
        ),
        (
            {"things": [{"kind": "sphere", "radius": 1, "name": "a", "place": [0, 0, 0], "mass": 1e-9}]},
            "is too light",
        ),
        ({"things": [{"kind": "sphere", "radius": 1, "name": "a", "place": [0, 0, 0]}] * 2}, "are called 'a'"),
        ({"winds": [{"kind": "wind", "place": [0, 0, 0], "strengths": []}]}, "expected points"),
        (
            {"winds": [{"kind": "wind", "place": [0, 0, 0], "direction": [0, 0, 2], "strengths": [[0, 1]]}]},
            "a direction of length 1",
        ),
        ({"winds": [{"kind": "wind", "place": [0, 0, 0], "strengths": [[0, 1e9]]}]}, "out of range"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(changed, message):
    with pytest.raises(DataError, match=message):
        job_from_json({**written(JOB), "version": 2, "world": changed})


def test_a_wind_follows_its_keys_and_falls_off_as_blender_s_do():
    (wind,) = WORLD.winds
    assert [wind.strength(time) for time in (-1.0, 0.0, 0.5, 1.0, 9.0)] == [0.0, 0.0, 10.0, 20.0, 20.0]
    assert np.allclose(wind.force((3.0, 0.0, 5.0), 2.0), (0.0, 20.0, 0.0))  # beside its plane: no distance
    assert np.allclose(wind.force((3.0, 2.5, 5.0), 2.0), (0.0, 20.0 / 3.0, 0.0))
    assert wind.force((3.0, 9.5, 5.0), 2.0) == (0.0, 0.0, 0.0)
    away = replace(wind, kind="force", power=0.0, reach=0.0)
    assert np.allclose(away.force((3.0, 4.0, 1.0), 2.0), (12.0, 16.0, 0.0))


def test_a_world_scales_with_its_body():
    job = replace(JOB, character=standard_character(mass=300.0, stature=3.5), world=WORLD, gravity=4.0)
    scale = similarity(job)
    small = scale.job(job)
    place, time = (1.0, 3.0, 2.0), 0.7
    near = [value / scale.length for value in place]
    force = np.array(small.world.winds[0].force(near, time / scale.time)) * scale.force
    assert np.allclose(force, WORLD.winds[0].force(place, time))
    ground = small.world.ground
    assert ground and ground.height(1.0, 0.0) == pytest.approx(GROUND.height(scale.length, 0.0) / scale.length)
    assert small.world.things[0].mass * scale.mass == pytest.approx(12.0)
    assert np.allclose(np.array(small.world.things[3].solid.points) * scale.length, CORNERS)
