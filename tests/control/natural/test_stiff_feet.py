"""Feet whose toes do not bend roll over their tips, as KLAW's do."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.natural.steps.com_reference import rolled
from blender_biped.control.registry import preset
from blender_biped.control.shared.legs import LEFT, legs_of
from blender_biped.job import Job
from blender_biped.motion import measures
from blender_biped.simulate import simulate
from blender_biped.world.path import Path

CHARACTER = standard_character()
STIFF = replace(
    CHARACTER,
    links=tuple(replace(link, joint="fixed") if link.role.startswith("toes") else link for link in CHARACTER.links),
)
STRAIGHT = Path([(0.0, 0.0), (6.0, 0.0)])


@cache
def walk(speed, seed):
    job = Job(STIFF, STRAIGHT, preset("natural", "default"), speed, seed=seed)
    motion = simulate(job)
    return motion, measures.report(motion, job)


def test_a_foot_rolls_over_the_tip_of_toes_that_do_not_bend():
    bends, stiff = legs_of(CHARACTER)[LEFT], legs_of(STIFF)[LEFT]
    assert bends.ball < bends.toe < stiff.ball == stiff.toe
    assert stiff.toe_length == 0.0 < bends.toe_length
    ends = [float(rolled(leg, np.array(1.0), 1.2, 0.2)) for leg in (bends, stiff)]
    assert ends[1] - ends[0] == pytest.approx(1.05 * (stiff.ball - bends.ball))


@pytest.mark.parametrize("speed", [0.7, 1.2])
def test_its_heel_rises_before_the_other_foot_strikes_so_the_pelvis_stays_level(speed):
    motion, report = walk(speed, 1)
    assert motion.outcome == "arrived"
    assert report["pelvis_list_deg"] < 15.0
