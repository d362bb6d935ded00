"""The paper's obstacles and unseen grounds: which scenes there are, and what is said of them."""

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.world.floor import Floor
from tools.base.command_table import TRIAL_PARTS
from tools.commands.trials import SOURCES
from tools.trials import obstacles, unseen
from tools.trials.obstacles_picture import SHOWN


def test_the_parts_are_known_to_the_command_line():
    assert {"obstacles", "unseen"} <= set(TRIAL_PARTS) <= set(SOURCES)
    assert set(SHOWN) <= set(obstacles.SCENES)


def test_every_body_goes_through_every_scene():
    trials = obstacles.PARTS["obstacles"]()
    assert len(trials) == len(set(trials)) == 3 * len(obstacles.SCENES)


@pytest.mark.parametrize("scene", obstacles.SCENES)
def test_scenes_go_with_the_size_of_the_body(scene):
    adult, other = (obstacles.job_of(scene, obstacles.BODIES[name]()) for name in list(obstacles.BODIES)[:2])
    ratio = other.character.leg_length / adult.character.leg_length
    for one, two in zip(adult.world.things, other.world.things, strict=True):
        assert two.place[0] == pytest.approx(ratio * one.place[0])


def test_a_scene_beyond_the_limits_is_refused_and_told():
    found = obstacles.run(obstacles.ObstacleTrial("over 0.45 m", "standard adult"), None)  # type: ignore[arg-type]
    assert "is 0.46 m high" in found["refused"] and not found["walks"]
    (_, line, *_) = obstacles.report_lines("obstacles", [found])
    assert "over 0.45 m" in line and "refused" in line


def test_unseen_ground_begins_where_it_is_said_to():
    for _, fall, slope in unseen.GROUNDS.values():
        floor = Floor(0.0, unseen._ground(5.3, fall, slope))
        assert floor.height(5.2, 0.3) == pytest.approx(0.0)
        rise = np.tan(np.radians(slope)) * 2.0 - fall
        assert floor.height(7.3, -0.4) == pytest.approx(rise, abs=1e-6)
    assert len(unseen.PARTS["unseen"]()) == unseen.PHASES * len(unseen.GROUNDS)


def test_the_standard_adult_is_among_the_bodies():
    assert obstacles.BODIES["standard adult"]() == standard_character()
