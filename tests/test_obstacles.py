"""Walks over and under what is across their way, from several starts: walking is chaotic."""

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.character.figure import stature
from blender_biped.character.standard import standard_character
from blender_biped.control.way import check_way, meetings
from blender_biped.job import Job
from blender_biped.motion import measures
from blender_biped.motion.summary import ended
from blender_biped.preset.preset import preset
from blender_biped.simulate import simulate
from blender_biped.walking import time_limit
from blender_biped.world.path import Path
from blender_biped.world.path_points import PathPoint
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import EMPTY, World
from tests.walks import enough, seeded, steady
from tools.trials import stairs, stepping
from tools.trials.obstacles import BODIES, SCENES, job_of

BODY = standard_character()
LARGE_HEAD = BODIES["short legs, large head"]()


@pytest.mark.long
@pytest.mark.parametrize("scene", ["over 0.35 m", "over a row"])
def test_it_gets_over(scene):
    job = job_of(scene, BODY)
    assert check_way(job)
    for motion, _ in enough(seeded(job, 3), 2):
        assert measures.penetration(motion, job) < 12.0


@pytest.mark.long
def test_it_steps_over_a_bar():
    job = job_of("over 0.2 m", BODY)
    assert check_way(job)
    motion = steady(replace(job, seed=1))
    assert measures.penetration(motion, job) < 12.0


@pytest.mark.long
def test_who_is_ducked_is_lower_there_and_nowhere_else():
    job = job_of("under 70 %", BODY)
    low, free = simulate(job), simulate(replace(job, world=EMPTY, duration=2.5))
    head = BODY.index("head")
    at_it = abs(low.root[:, 0] - job.world.things[0].place[0]) < 0.1
    assert low.outcome == "arrived" and low.origins[at_it, head, 2].max() < 0.8 * free.origins[:, head, 2].max()
    assert low.origins[-1, head, 2] == pytest.approx(free.origins[0, head, 2], abs=0.05)  # as it stood


@pytest.mark.parametrize(
    ("place", "solid", "within"),
    [
        ((0.0, 0.0, 0.5), Solid("box", (0.2, 0.2, 0.5)), True),
        ((0.1, 0.05, 1.2), Solid("sphere", radius=0.15), True),
        ((0.0, 0.0, 0.02), Solid("box", (0.3, 0.3, 0.02)), False),  # what it stands on
        ((0.0, 0.0, 2.6), Solid("box", (0.3, 0.3, 0.3)), False),  # above its head
        ((-0.6, 0.0, 0.5), Solid("box", (0.2, 0.2, 0.5)), False),
    ],
)
def test_a_prop_within_the_body_where_the_walk_begins_is_refused(place, solid, within):
    way = Path([[0.0, 0.0], [5.0, 0.0]])
    job = Job(BODY, way, preset("natural", "default"), world=World(things=(Thing("crate", solid, place, mass=5.0),)))
    if within:
        with pytest.raises(DataError, match="The prop 'crate' is within the body where the walk begins: move it"):
            check_way(job)
        check_way(replace(job, start=1.5))
    else:
        check_way(job)


@pytest.mark.parametrize("scene", [name for name in SCENES if name.startswith("over and under")])
def test_over_and_under_at_once_is_refused(scene):
    with pytest.raises(DataError, match="too near to each other"):
        check_way(job_of(scene, BODY))


@pytest.mark.parametrize("scene", [pytest.param("under 70 %", marks=pytest.mark.long), "over and under, 0 m"])
@pytest.mark.long
def test_natural_walking_ducks_and_steps_over_things_at_once(scene):
    job = stepping.job_of(scene, BODY)
    assert check_way(job)
    motion, head = simulate(job), BODY.index("head")
    assert motion.outcome == "arrived" and measures.fell_at(motion, job) is None
    beam = job.world.things[-1]
    at_it = np.abs(motion.origins[:, head, 0] - beam.place[0]) < 0.1
    assert at_it.any() and motion.origins[at_it, head, 2].max() < beam.place[2] - beam.solid.half[2]
    assert motion.origins[-1, head, 2] > 0.95 * motion.origins[0, head, 2]  # it is upright again


@pytest.mark.long
@pytest.mark.parametrize("scene", ["under 90 %", "under 70 %"])
def test_a_large_head_on_short_legs_gets_under_a_beam(scene):
    job = stepping.job_of(scene, LARGE_HEAD)
    assert check_way(job)  # it is higher than others with such legs
    assert measures.fell_at(steady(replace(job, seed=1)), job) is None


def test_a_beam_that_is_too_low_for_a_body_is_refused_with_the_height_that_it_ducks_to():
    job = stepping.job_of("under 70 %", LARGE_HEAD)
    (beam,) = job.world.things
    x, y, z = beam.place
    lower = replace(beam, place=(x, y, z - 0.02))
    with pytest.raises(DataError, match=rf"ducks to {0.7 * stature(LARGE_HEAD):.2f} m with this body"):
        check_way(replace(job, world=World(things=(lower,))))


def test_a_beam_above_a_body_is_no_matter_to_it():
    job = stepping.job_of("under 90 %", LARGE_HEAD)
    (beam,) = job.world.things
    x, y, _ = beam.place
    for above, met in ((0.01, True), (0.05, False)):
        place = (x, y, stature(LARGE_HEAD) + above + beam.solid.half[2])
        assert bool(check_way(replace(job, world=World(things=(replace(beam, place=place),))))) == met


def test_a_body_has_room_to_bend_before_a_beam():
    job = stepping.job_of("under 70 %", LARGE_HEAD)
    with pytest.raises(DataError, match=r"too near to its start or its end; .* with this body"):
        check_way(replace(job, start=0.4))


@pytest.mark.long
def test_a_walk_that_steps_on_the_spot_ends_and_says_so():
    job = stepping.job_of("under 90 %", BODY)
    crate = Thing("crate", Solid("box", (0.5, 1.0, 0.5)), (2.5, 0.0, 0.5), mass=2000.0)
    job = replace(job, world=World(things=(crate,)), fall_back=False)

    def sticks(motion, job):
        end = ended(motion, job)
        assert end in ("stuck", "fell")
        return end == "stuck"

    ((motion, _),) = enough(seeded(job, 3), 1, sticks)
    assert motion.duration < 0.7 * time_limit(job)
    assert motion.root[-1, 0] < crate.place[0]


@pytest.mark.parametrize(("behind", "refused"), [(0.9, True), (1.2, False)])
def test_what_stands_too_near_to_an_edge_of_stairs_is_not_stepped_over(behind, refused):
    ground, path = stairs.ground_of([(0.0, 0.15)], beyond=6.0)
    over = stepping.job_of("over 0.2 m", BODY)
    place = (stairs.FIRST + behind, 0.0, over.world.things[0].place[2] + 0.15)
    job = replace(over, path=path, world=World(ground=ground, things=(replace(over.world.things[0], place=place),)))
    if refused:
        with pytest.raises(DataError, match=r"not on level ground; .* needs 1\.0 m of it before and behind"):
            check_way(job)
    else:
        assert check_way(job) and meetings(job) == {over.world.things[0].name: "over"}


def test_a_walk_that_is_to_stand_beside_an_obstacle_is_refused():
    job = stepping.job_of("over 0.2 m", BODY)
    (bar,) = job.world.things
    for ahead, refused in ((-0.3, True), (0.5, True), (-1.6, False)):
        along = (PathPoint(bar.place[0] + ahead, wait=1.0),)
        if refused:
            with pytest.raises(DataError, match="is to stand"):
                check_way(replace(job, along=along))
        else:
            assert check_way(replace(job, along=along))
