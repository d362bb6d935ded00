"""Where a style that does not go ahead meets what it cannot take, another one stands in."""

import math
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import quaternion_matrix
from blender_biped.character.standard import standard_character
from blender_biped.check import check
from blender_biped.control.natural.standing_in import STAND_IN, stand_ins, stood_in
from blender_biped.control.registry import preset
from blender_biped.job import Job
from blender_biped.preset.cue import Cue
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from blender_biped.world.targets import Target
from blender_biped.world.terrain import Terrain
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import World

BODY = standard_character()
NATURAL, BACKWARD, ASIDE, HAPPY = (preset("natural", name) for name in ("default", "backward", "side_step", "happy"))
WAY = Job(BODY, Path([(0.0, 0.0), (12.0, 0.0)]), BACKWARD, 0.6)


def bars(*places):
    solid = Solid("box", (0.03, 0.6, 0.03))
    return World(things=tuple(Thing(f"Bar {place:g}", solid, (place, 0.0, 0.15)) for place in places))


def slope():
    corners = [(x, y, 0.08 * max(x, 0.0)) for x in (-4.0, 0.0, 16.0) for y in (-4.0, 4.0)]
    return World(ground=Terrain(np.array(corners), np.array([[0, 2, 3], [0, 3, 1], [2, 4, 5], [2, 5, 3]])))


def styles(job):
    """Return which styles a job has, and from where, m."""
    made = stood_in(job)[0]
    return [(made.preset.name, job.start), *((cue.preset.name, round(cue.place, 2)) for cue in made.cues)]


BEFORE, AFTER = STAND_IN.before * BODY.size, STAND_IN.after * BODY.size


def test_another_style_stands_in_for_it_and_it_comes_back():
    first, last = 6.0 - 0.03 - BEFORE, 6.0 + 0.03 + AFTER
    found = styles(replace(WAY, world=bars(6.0)))
    assert [name for name, _ in found] == ["backward", "default", "backward"]
    assert [place for _, place in found] == pytest.approx([0.0, first, last], abs=0.02)
    said = f"Backward does not go ahead: Natural stands in from {first:.1f} m to {last:.1f} m."
    assert stand_ins(replace(WAY, world=bars(6.0))) == (said,)
    assert said in check(replace(WAY, world=bars(6.0))).passing


def test_what_is_close_together_is_passed_in_one_and_a_walk_may_begin_and_end_so():
    assert [name for name, _ in styles(replace(WAY, world=bars(5.0, 7.0)))] == ["backward", "default", "backward"]
    assert styles(replace(WAY, world=bars(2.0)))[0] == ("default", 0.0)
    late = replace(WAY, world=bars(10.5), path=Path([(0.0, 0.0), (11.0, 0.0)]))
    assert [name for name, _ in styles(late)] == ["backward", "default"]
    assert stand_ins(late)[0].endswith("m to the end.")


def test_only_styles_that_do_not_go_ahead_are_stood_in_for():
    ahead = replace(WAY, preset=HAPPY, world=bars(6.0))
    assert stood_in(ahead) == (ahead, ()) and stood_in(WAY) == (WAY, ())
    later = replace(ahead, cues=(Cue(0.0, BACKWARD, place=5.0), Cue(0.0, HAPPY, place=9.0)))
    assert [name for name, _ in styles(later)] == ["happy", "default", "backward", "happy"]
    assert styles(later)[1] == ("default", 5.0)


@pytest.mark.parametrize(
    "job",
    [
        replace(WAY, preset=NATURAL, cues=(Cue(9.0, BACKWARD),), world=bars(6.0)),
        replace(WAY, preset=ASIDE, world=bars(6.0)),
        replace(WAY, world=slope()),
    ],
    ids=["a marker", "aside", "a slope"],
)
def test_where_none_can_stand_in_it_is_refused(job):
    with pytest.raises(DataError, match="does not go ahead: it takes no stairs"):
        check(job)


def faces(motion, begin, end):
    """Return where the pelvis faces while it is between two places, m: the cosine from where it goes."""
    within = (motion.root[:, 0] > begin) & (motion.root[:, 0] < end)
    return quaternion_matrix(motion.rotations[within, 0])[:, 0, 0]


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("world", [bars(6.0), World(targets=(Target("switch", "reach", (6.0, 0.3, 1.0)),))])
def test_who_walks_backward_turns_for_it_and_back(world, seed):
    motion = simulate(replace(WAY, world=world, seed=seed))
    assert motion.outcome == "arrived"
    assert faces(motion, 1.0, 6.0 - BEFORE).max() < -0.9 and faces(motion, 9.5, 11.5).max() < -0.9
    assert faces(motion, 5.0, 6.0).min() > math.cos(math.radians(30.0))
