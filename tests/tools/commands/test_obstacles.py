"""The paper's obstacles and unseen grounds: which scenes there are, and what is said of them."""

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.spatial import quaternion_matrix
from blender_biped.character.standard import standard_character
from blender_biped.control.simbicon.kind import SIMBICON
from tools.base.command_table import TRIAL_PARTS
from tools.commands.trials import SOURCES
from tools.trials import obstacles, stepping, unseen
from tools.trials.obstacles_picture import SHOWN
from tools.trials.scene_walks import SceneTrial
from tools.trials.stepping_picture import SHOWN as STEPPED


def test_the_parts_are_known_to_the_command_line():
    assert {"obstacles", "stepping", "unseen"} <= set(TRIAL_PARTS) <= set(SOURCES)
    assert set(SHOWN) <= set(obstacles.SCENES)


def test_every_body_goes_through_every_scene():
    trials = obstacles.PARTS["obstacles"]()
    assert len(trials) == len(set(trials)) == 3 * len(obstacles.SCENES)


def test_natural_walking_goes_through_the_same_scenes():
    assert set(STEPPED) <= set(stepping.SCENES)
    assert len(stepping.PARTS["stepping"]()) == 3 * len(stepping.SCENES)
    job = stepping.job_of("over a row to 0.45 m", standard_character(), seed=2)
    assert (job.preset.controller, job.seed) == ("natural", 2) and len(job.world.things) == 4
    (line, *_) = stepping.report_lines("stepping", [])
    assert "standard adult" in line


@pytest.mark.parametrize("scene", obstacles.SCENES)
def test_scenes_go_with_the_size_of_the_body(scene):
    adult, other = (obstacles.job_of(scene, obstacles.BODIES[name]()) for name in list(obstacles.BODIES)[:2])
    ratio = other.character.leg_length / adult.character.leg_length
    for one, two in zip(adult.world.things, other.world.things, strict=True):
        assert two.place[0] == pytest.approx(ratio * one.place[0])


def test_a_scene_beyond_the_limits_is_refused_and_told():
    found = obstacles.run(SceneTrial("over 0.45 m", "standard adult"), None)  # type: ignore[arg-type]
    assert "is 0.46 m high" in found["refused"] and not found["walks"]
    (_, line, *_) = obstacles.report_lines("obstacles", [found])
    assert "over 0.45 m" in line and "refused" in line


@pytest.mark.parametrize("name", unseen.GROUNDS)
def test_unseen_ground_is_where_it_is_said_to_be(name):
    _, fall, slope = unseen.GROUNDS[name]
    boxes = unseen.ground(5.3, fall, slope)
    for x in (0.0, 5.2, 5.4, 7.3, 12.0):
        corners = [_top(box, x) for box in boxes]
        assert max(corners) == pytest.approx(unseen.height(x, 5.3, fall, slope), abs=1e-6)
    assert len(unseen.PARTS["unseen"]()) == unseen.PHASES * len(unseen.GROUNDS)


def _top(box, x):
    """Return how high a box is at x, m, -inf beside it."""
    turn, (along, _, up) = quaternion_matrix(np.array(box.rotation)), box.solid.half
    middle = np.array(box.place) + turn @ (0.0, 0.0, up)
    share = (x - middle[0]) / turn[0, 0]
    return middle[2] + share * turn[2, 0] if abs(share) <= along + 1e-9 else -np.inf


def test_a_controller_is_told_of_flat_ground_where_it_begins():
    job = replace(unseen.walk_of("3d"), ground=-6.0)
    origins, _, _ = unseen.blind(SIMBICON, job, 1.0 / 240.0).start()
    assert SIMBICON.controller is not None
    usual, _, _ = SIMBICON.controller(replace(job, ground=0.0), 1.0 / 240.0).start()
    assert np.allclose(origins - usual, (0.0, 0.0, 6.0))


def test_the_standard_adult_is_among_the_bodies():
    assert obstacles.BODIES["standard adult"]() == standard_character()
