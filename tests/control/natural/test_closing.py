"""A body that has stopped sets its feet down side by side."""

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.natural.walk.closing import CLOSING
from blender_biped.control.registry import preset
from blender_biped.job import Job
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from blender_biped.world.path_points import PathPoint
from tests.marks import long_but

CHARACTER = standard_character()
WALK = Job(CHARACTER, Path([(0.0, 0.0), (5.0, 0.0)]), preset("natural", "default"), 1.0)
LEVEL = 7.5  # degrees that knees may be bent by as it stands


def apart(motion, at=-1):
    left, right = (motion.origins[at][CHARACTER.index(f"foot.{side}")] for side in "LR")
    return abs(left - right)[:2]


@pytest.mark.parametrize(("speed", "length"), long_but([(0.6, 5.0), (1.0, 5.13), (1.4, 5.29), (1.4, 5.0)], (1.4, 5.29)))
def test_feet_are_side_by_side_where_it_stops(speed, length):
    motion = simulate(replace(WALK, path=Path([(0.0, 0.0), (length, 0.0)]), speed=speed, seed=3))
    assert motion.outcome == "arrived"
    ahead, aside = apart(motion)
    assert ahead < CLOSING.apart and 0.08 < aside < 0.2
    knees = []
    for side in "LR":
        hip, knee, ankle = (motion.origins[-1][CHARACTER.index(f"{part}.{side}")] for part in ("thigh", "shin", "foot"))
        thigh, shin = (hip - knee) / np.linalg.norm(hip - knee), (knee - ankle) / np.linalg.norm(knee - ankle)
        knees.append(np.degrees(np.arccos(np.clip(thigh @ shin, -1.0, 1.0))))
    assert max(knees) < LEVEL


@pytest.mark.long
def test_who_waits_on_the_way_closes_its_feet_and_walks_on():
    motion = simulate(replace(WALK, along=(PathPoint(2.5, wait=4.0),), seed=2))
    assert motion.outcome == "arrived"
    speeds = np.abs(np.gradient(motion.root[:, 0], motion.times))
    stands = np.flatnonzero((speeds < 0.01) & (np.abs(motion.root[:, 0] - 2.5) < 0.4))
    assert apart(motion, stands[len(stands) // 2])[0] < CLOSING.apart
