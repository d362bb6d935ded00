"""Where a walk stands for what its hands do, and what it cannot do, which is said before it begins."""

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.character.standard import standard_character
from blender_biped.control.natural.hands import standing
from blender_biped.control.natural.hands.planning import hand_tasks_of
from blender_biped.control.natural.hands.standing import bowed
from blender_biped.control.natural.hands.tasks import PickUp, PullTask, PushTask
from blender_biped.control.registry import kinds, presets, stops_of
from blender_biped.control.way import check_way, meetings
from blender_biped.job import Job
from blender_biped.world.path import Path
from blender_biped.world.targets import Target
from blender_biped.world.terrain import Terrain
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import World
from tools.trials.stairs import ground_of

BODY = standard_character()
STYLE = presets("natural")[0]
BOX = Solid("box", (0.1, 0.1, 0.1))
TAKEN, PUT = Target("crate", "pick_up", thing="crate"), Target("there", "set_down", (7.0, 0.0, 0.0))


def crate(place=(3.4, 0.0, 0.1), mass=5.0, solid=BOX):
    return Thing("crate", solid, place, mass=mass)


def job_of(*targets, thing=None, path=((0.0, 0.0), (3.0, 0.0)), **more):
    world = World(things=(thing or crate(),), targets=targets or (TAKEN,))
    return Job(BODY, Path(path), STYLE, speed=1.0, world=world, **more)


LONG = ((0.0, 0.0), (6.6, 0.0))


def test_it_stands_short_of_what_it_picks_up_and_beside_what_it_sets_down():
    taken, put = hand_tasks_of(job_of(TAKEN, PUT, path=LONG))
    assert 0.25 < 3.4 - taken.arc < 0.6 and 0.25 < 7.0 - put.arc < 0.6
    assert isinstance(taken, PickUp) and (taken.prop, taken.sides, taken.load) == (0, (0, 1), 5.0)
    assert np.allclose(np.abs(taken.points)[:, 1], 0.1) and put.sides == taken.sides


@pytest.mark.parametrize(
    ("hands", "size", "mass", "sides"),
    [
        ("auto", 0.05, 1.0, (1,)), ("left", 0.05, 1.0, (0,)), ("auto", 0.05, 4.5, (0, 1)), ("both", 0.05, 1.0, (0, 1)),
        ("auto", 0.1, 1.0, (0, 1)),
    ],
)  # fmt: skip
def test_small_and_light_things_take_one_hand(hands, size, mass, sides):
    thing = crate((3.4, -0.05, 0.1), mass, Solid("box", (size, size, 0.1)))
    assert hand_tasks_of(job_of(replace(TAKEN, hands=hands), thing=thing))[0].sides == sides


@pytest.mark.parametrize(
    ("job", "said"),
    [
        (job_of(thing=crate((3.4, 2.0, 0.1))), "lead the path up to it"),
        (job_of(thing=crate((3.4, 0.0, 2.6))), "out of reach by"),
        (job_of(thing=crate((3.4, 0.0, -0.4))), "below the ground"),
        (job_of(thing=crate((0.9, 0.0, 0.1))), "near to the walk's start"),
        (job_of(thing=crate((3.05, 0.0, 0.1)), path=((0.0, 0.0), (3.0, 0.0)), start=2.95), "no room to stand|start"),
        (job_of(thing=crate(mass=40.0)), "weighs 40 kg"),
        (job_of(replace(TAKEN, hands="right"), thing=crate(mass=9.0)), "weighs 9 kg"),
        (job_of(thing=crate(solid=Solid("box", (0.1, 0.6, 0.1)))), "wide where hands hold it|out of reach"),
        (job_of(PUT, path=LONG), "nothing to set down"),
        (job_of(TAKEN, Target("switch", "reach", (6.0, 0.3, 1.1)), path=LONG), "still hold 'crate'"),
        (job_of(TAKEN, replace(PUT, place=(5.0, 0.0, 0.0)), path=LONG), "walked over"),
        (
            job_of(TAKEN, replace(PUT, place=(3.95, 0.0, 0.0)), path=((0.0, 0.0), (3.55, 0.0))),
            "too near to the target before it",
        ),
        (job_of(stop=False), "must be able to stand"),
    ],
)
def test_what_cannot_be_done_is_said_with_what_to_do(job, said):
    with pytest.raises(DataError, match=said):
        stops_of(job)


def test_uneven_ground_and_other_controllers_are_refused():
    ground = Terrain([(-9, -9, 0), (9, -9, 0), (9, 9, 2), (-9, 9, 2)], [(0, 1, 2), (0, 2, 3)])
    job = job_of()
    with pytest.raises(DataError, match="neither level nor stairs; hands of Natural Walking do nothing there"):
        stops_of(replace(job, world=replace(job.world, ground=ground)))
    for kind in kinds():
        if kind.hand_tasks is None and kind.controller is not None:
            with pytest.raises(DataError, match="choose Natural Walking"):
                stops_of(replace(job, preset=presets(kind.name)[0]))


def stairs_job(place, put=None, **more):
    """Return a walk up two steps of 0.15 m, the first edge at 4.0 m, with a crate at a place along it, m."""
    ground, path = ground_of(((0.0, 0.15), (0.29, 0.15)), beyond=3.0, first=4.0)
    thing = crate((place, 0.0, ground.height(place, 0.0) + 0.1))
    end = path.length + 0.42
    there = replace(PUT, place=(put or end, 0.0, ground.height(put or end, 0.0)))
    world = World(things=(thing,), targets=(TAKEN, there), ground=ground)
    return Job(BODY, path, STYLE, speed=0.8, world=world, **more)


def test_loads_are_taken_on_the_level_on_which_it_stands():
    taken, put = hand_tasks_of(stairs_job(2.2))
    assert taken.arc < 2.0 and put.arc > 4.29 + 0.6
    taken, put = hand_tasks_of(stairs_job(5.8))
    assert 4.29 + 0.6 < taken.arc < 5.6


@pytest.mark.parametrize("place", [4.1, 4.2, 4.6])
def test_what_is_on_stairs_or_at_their_edge_is_refused(place):
    with pytest.raises(DataError, match=r"'crate' is on stairs, or too near to an edge.*0\.6 m or more"):
        hand_tasks_of(stairs_job(place))


def test_what_is_pushed_over_edges_is_refused():
    job = stairs_job(2.2)
    pushed = replace(job.world, targets=(replace(TAKEN, act="push"),))
    with pytest.raises(DataError, match="cannot be pushed over the edges"):
        hand_tasks_of(replace(job, world=pushed))


def test_a_job_is_planned_once(monkeypatch):
    job, looks = job_of(TAKEN, PUT, path=LONG), []

    def counted(*own):
        looks.append(own)
        return bowed(*own)

    monkeypatch.setattr(standing, "bowed", counted)
    first = stops_of(job)
    count = len(looks)
    assert count and stops_of(job) == first and hand_tasks_of(job) is hand_tasks_of(job)
    assert len(looks) == count
    assert replace(job, speed=0.9) != job and replace(job, speed=1.0) == job
    stops_of(replace(job, speed=0.9))
    assert len(looks) == 2 * count


PUSHED = Target("crate", "push", thing="crate")


def heavy(place=(3.4, 0.0, 0.55), half=(0.4, 0.4, 0.55), mass=80.0, friction=0.2, rotation=(1.0, 0.0, 0.0, 0.0)):
    return Thing("crate", Solid("box", half), place, rotation, mass=mass, friction=friction)


def pushing(*targets, thing=None, length=6.0, **more):
    return job_of(PUSHED, *targets, thing=thing or heavy(), path=((0.0, 0.0), (length, 0.0)), **more)


def test_it_stands_before_what_it_pushes_with_palms_on_its_face_and_leaves_it_where_it_should():
    taken, left = hand_tasks_of(pushing(Target("there", "set_down", (6.0, 0.0, 0.0)), length=5.1))
    assert isinstance(taken, PushTask) and 0.3 < 3.0 - taken.arc < 0.8 and taken.sides == (0, 1)
    assert np.allclose(np.array(taken.points)[:, 0], -0.43, atol=2e-3)  # palms before the face
    assert np.all(np.abs(np.array(taken.points)[:, 2]) < 0.55) and taken.points[0][1] > 0.1 > -0.1 > taken.points[1][1]
    assert 0.4 < 6.0 - 0.4 - left.arc < 0.9
    turned = hand_tasks_of(pushing(thing=heavy(rotation=(np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)))))[0]
    assert isinstance(turned, PushTask) and np.isclose(turned.arc, taken.arc)
    assert np.allclose(np.array(turned.points)[:, 1], 0.43, atol=2e-3)


@pytest.mark.parametrize(
    ("job", "said"),
    [
        (pushing(thing=heavy(mass=160.0)), "weighs 160 kg; at a friction of 0.2 this body pushes 90 kg at most"),
        (pushing(thing=heavy(friction=0.6)), "a friction of 0.6 this body pushes 30 kg at most.* would tip over where"),
        (pushing(thing=heavy(friction=0.4, mass=40.0)), r"would tip over where hands push it.*or it 1\.\d+ m deep"),
        (pushing(thing=heavy((3.4, 0.0, 0.3), (0.4, 0.4, 0.3))), "too low or too narrow"),
        (pushing(thing=heavy((3.4, 0.0, 1.0))), "does not stand on the ground"),
        (pushing(thing=heavy((3.4, 0.3, 0.55))), "passes the middle of 'crate' 0.3"),
        (pushing(thing=heavy(rotation=(np.cos(0.3), 0.0, 0.0, np.sin(0.3)))), "No side of 'crate' faces the walk"),
        (pushing(length=2.0), "does not lead up to 'crate'"),
        (pushing(Target("there", "set_down", (6.0, 0.0, 0.0)), length=8.0), "walked into where it is left"),
        (pushing(Target("there", "set_down", (6.0, 1.0, 0.0)), length=5.1), "does not come to 'there'"),
        (
            job_of(PUSHED, thing=heavy(), path=((0.0, 0.0), (3.5, 0.0), (5.0, 0.15), (6.5, 0.9))),
            "The path bends by .* degrees where 'crate' is pushed",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_pushed_is_said_with_what_to_do(job, said):
    with pytest.raises(DataError, match=said):
        stops_of(job)


PULLED = Target("crate", "pull", thing="crate")
BEHIND = (-0.97, 0.0, 0.55)


def pulling(*targets, thing=None, hands="auto", path=((0.0, 0.0), (5.0, 0.0))):
    return job_of(replace(PULLED, hands=hands), *targets, thing=thing or heavy(BEHIND), path=path)


def test_it_pulls_from_where_it_begins_by_a_palm_on_the_face_behind_it_and_walks_on_from_where_it_leaves_it():
    taken, left = hand_tasks_of(pulling(Target("there", "set_down", (2.03, 0.0, 0.0))))
    assert isinstance(taken, PullTask) and (taken.arc, taken.sides) == (0.0, (1,)) and taken.pushed.pulled
    assert np.allclose(taken.points[0][:2], (0.43, 0.0), atol=1e-3)  # the palm before the face, behind the hips' middle
    assert abs(taken.points[0][2]) < 0.55 and left.arc == pytest.approx(3.0, abs=0.1)
    taken, left = hand_tasks_of(pulling(hands="left"))
    assert taken.sides == (0,) and left.arc == 5.0  # at the end at the latest


@pytest.mark.parametrize(
    ("job", "said"),
    [
        (pulling(thing=heavy(BEHIND, mass=90.0)), "weighs 90 kg; at a friction of 0.2 this body pulls 8. kg at most"),
        (pulling(thing=heavy((-0.8, 0.0, 0.55))), "let its face be .* behind where the walk begins"),
        (pulling(thing=heavy((-1.1, 0.0, 0.55))), "let its face be .* behind where the walk begins"),
        (pulling(thing=heavy((-0.97, 0.2, 0.55))), "its middle in line with the path"),
        (pulling(thing=heavy((3.0, 0.0, 0.55))), "let its face be .* behind where the walk begins"),
        (pulling(thing=heavy(rotation=(np.cos(0.3), 0.0, 0.0, np.sin(0.3)), place=BEHIND)), "No side of 'crate' faces"),
        (pulling(thing=heavy((-0.97, 0.0, 0.4), (0.4, 0.4, 0.4))), "too low or too narrow to be pulled"),
        (pulling(thing=heavy(BEHIND, friction=0.5, mass=30.0)), r"would tip over where a hand pulls it.*1\.\d+ m deep"),
        (pulling(hands="both"), "is pulled with one hand"),
        (pulling(path=((0.0, 0.0), (2.0, 0.0), (4.0, 1.0))), "The path bends by .* degrees where 'crate' is pulled"),
        (pulling(Target("there", "set_down", (4.5, 0.0, 0.0))), "is not pulled as far as 'there'"),
    ],
)  # fmt: skip
def test_what_cannot_be_pulled_is_said_with_what_to_do(job, said):
    with pytest.raises(DataError, match=said):
        stops_of(job)


def test_what_is_pulled_over_edges_is_refused():
    job = stairs_job(2.2)
    pulled = replace(job.world, targets=(replace(TAKEN, act="pull"),))
    with pytest.raises(DataError, match="cannot be pulled over the edges"):
        hand_tasks_of(replace(job, world=pulled))


@pytest.mark.long
def test_hands_carry_over_what_is_low_and_push_over_nothing():
    way = ((0.0, 0.0), (9.0, 0.0))
    there = replace(PUT, place=(9.4, 0.0, 0.0))

    def over(job, height, at):
        bar = Thing("bar", Solid("box", (0.05, 0.6, 0.5 * height)), (at, 0.0, 0.5 * height))
        return replace(job, world=replace(job.world, things=(*job.world.things, bar)))

    carried = job_of(TAKEN, there, path=way)
    assert check_way(over(carried, 0.2, 6.0)) and meetings(over(carried, 0.2, 6.0)) == {"bar": "over"}
    for wrong, said in (
        (over(carried, 0.4, 6.0), "with 'crate' in its hands Natural Walking steps over 0.31 m"),
        (over(carried, 0.2, 4.0), "near the obstacle 'bar'"),  # where it has just picked up
        (over(carried, 1.5, 6.0), "is in the way|is 1.50 m high"),
    ):
        with pytest.raises(DataError, match=said):
            check_way(wrong)
        assert meetings(wrong) == {"bar": "refused"}
    soon = job_of(TAKEN, replace(PUT, place=(5.0, 0.35, 0.8)), path=way)
    assert check_way(over(soon, 0.4, 7.5))  # it is set down before
    pushed = crate((2.4, 0.0, 0.55), 80.0, Solid("box", (0.4, 0.4, 0.55)))
    left = replace(there, place=(9.9, 0.0, 0.0))
    moved = job_of(Target("crate", "push", thing="crate"), left, thing=replace(pushed, friction=0.2), path=way)
    with pytest.raises(DataError, match="in the way of 'crate', which is moved over the ground"):
        check_way(over(moved, 0.2, 6.0))
