"""Walks over and under what is across their way, from several starts: walking is chaotic."""

from dataclasses import replace

import pytest

from blender_biped.base.errors import DataError
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import check_way
from blender_biped.motion import measures
from blender_biped.simulate import simulate
from blender_biped.world.world import EMPTY
from tests.walks import seeded, simulated
from tools.trials.obstacles import SCENES, job_of

BODY = standard_character()


@pytest.mark.parametrize("scene", ["over 0.35 m", "over a row", "under 80 %"])
def test_it_gets_over_and_under(scene):
    job = job_of(scene, BODY)
    assert check_way(job)
    motions = simulated(seeded(job, 3))
    arrived = [motion for motion in motions if motion.outcome == "arrived"]
    assert len(arrived) >= 2
    for motion in arrived:
        assert measures.penetration(motion, job) < 12.0


def test_who_is_ducked_is_lower_there_and_nowhere_else():
    job = job_of("under 70 %", BODY)
    low, free = simulate(job), simulate(replace(job, world=EMPTY))
    head = BODY.index("head")
    at_it = abs(low.root[:, 0] - job.world.things[0].place[0]) < 0.1
    assert low.outcome == "arrived" and low.origins[at_it, head, 2].max() < 0.8 * free.origins[:, head, 2].max()
    assert low.origins[-1, head, 2] == pytest.approx(free.origins[-1, head, 2], abs=0.05)


@pytest.mark.parametrize("scene", [name for name in SCENES if name.startswith("over and under")])
def test_over_and_under_at_once_is_refused(scene):
    with pytest.raises(DataError, match="too near to each other"):
        check_way(job_of(scene, BODY))
