"""Loads that are lifted, carried and set down: which scenes there are, and what is said of them."""

from dataclasses import replace

import pytest

from blender_biped.control.registry import check_terrain, stops_of
from blender_biped.control.way import check_way
from tests.marks import long_but
from tools.base.command_table import TRIAL_PARTS
from tools.commands.trials import SOURCES
from tools.trials import loads
from tools.trials.obstacles import BODIES
from tools.trials.scene_walks import SceneTrial

ADULT = BODIES["standard adult"]()
HEAVY = "25 kg from the floor"
MOST = ("15 kg up five steps of 0.15 m, over 0.2 m twice", "15 kg down five steps of 0.15 m")
"""Scenes with most in their way; the others are long tests."""


def test_the_parts_are_known_to_the_command_line():
    assert set(loads.PARTS) <= set(TRIAL_PARTS) <= set(SOURCES)


@pytest.mark.parametrize(("part", "scenes"), [("loads", loads.SCENES), ("loaded-stairs", loads.STAIRS)])
def test_every_body_carries_every_load(part, scenes):
    trials = loads.PARTS[part]()
    assert len(trials) == len(set(trials)) == 3 * len(scenes)


@pytest.mark.parametrize("name", long_but(BODIES, "standard adult"))
def test_no_load_from_the_floor_or_a_stand_is_refused(name):
    for scene in (HEAVY, "25 kg from 0.8 m", "5 kg from the floor"):
        taken, put = stops_of(loads.job_of(scene, BODIES[name]()))
        assert taken.place < put.place


def test_masses_go_with_the_body_and_lengths_with_its_legs():
    other = BODIES["long legs, wide hips"]()
    one, two = (loads.job_of(HEAVY, body).world.things[0] for body in (ADULT, other))
    assert two.mass / one.mass == pytest.approx(other.mass / ADULT.mass)
    assert two.place[0] / one.place[0] == pytest.approx(other.leg_length / ADULT.leg_length)


@pytest.mark.parametrize("scene", long_but(loads.STAIRS, *MOST))
def test_loads_are_taken_and_left_on_level_ground_beside_stairs(scene):
    job = loads.stairs_job_of(scene, ADULT)
    check_terrain(job)
    taken, put = stops_of(job)
    assert len(check_way(job)) == len(loads.STAIRS[scene].bars)
    over = loads.STAIRS[scene]
    steps = over.edges
    first, last = loads.TAKEN + loads.BEFORE, loads.TAKEN + loads.BEFORE + sum(away for away, _ in steps)
    size = ADULT.leg_length / 0.9
    assert taken.place < size * first - 0.6 and put.place > size * last + 0.6
    assert job.world.targets[1].place[2] == pytest.approx(size * sum(rise for _, rise in steps))


def test_how_far_off_loads_lie_is_told():
    walks = [{"outcome": "arrived", "left_off_m": off} for off in (0.01, 0.034)]
    found = {"group": "standard adult", "scene": HEAVY, "refused": "", "walks": walks}
    (_, line, *_) = loads.report_lines("loads", [found])
    assert "2 of 2 arrive" in line and "0.034 m off" in line


def test_too_heavy_a_load_is_refused_and_told(monkeypatch):
    monkeypatch.setitem(loads.SCENES, "27 kg", replace(loads.SCENES[HEAVY], mass=27.0))
    found = loads.run(SceneTrial("27 kg", "standard adult"), None)  # type: ignore[arg-type]
    assert "with both hands: make it lighter" in found["refused"] and not found["walks"]
    (_, line, *_) = loads.report_lines("loads", [found])
    assert "refused" in line
