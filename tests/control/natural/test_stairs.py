"""Stairs in natural walking: footholds on whole treads, hips that rise with the feet, swings that clear the edges."""

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.natural.footholds import footholds_of
from blender_biped.control.natural.ground.treads import Stairs
from blender_biped.control.natural.steps.constrained import StanceLeg, constrained_table, handing_over, hip_rises
from blender_biped.control.natural.steps.settings import read_settings
from blender_biped.control.natural.steps.strides import Strides
from blender_biped.control.registry import preset
from blender_biped.control.shared.legs import legs_of
from blender_biped.motion import measures
from blender_biped.motion.motion import RATE
from blender_biped.simulate import simulate
from blender_biped.world.treads import treads_of
from blender_biped.world.world import World
from tests.walks import enough, seeded
from tools.trials.stairs import SCENES, ground_of, job_of

BODY = standard_character()
LEGS = legs_of(BODY)


def stairs_of(scene):
    ground, path = ground_of(SCENES[scene])
    treads = treads_of(ground, path, 0.0)
    assert treads is not None
    return treads, Stairs(treads, path, LEGS)


@pytest.mark.parametrize("scene", ["five up of 0.15 m", "five down of 0.15 m", "a curb of 0.15 m, up and down"])
def test_each_step_is_set_down_whole_on_a_tread_one_after_the_other(scene):
    treads, stairs = stairs_of(scene)
    arc, behind, stepped = 1.0, 0.0, [0]
    while arc < treads.edges[-1]:
        given = stairs.constrained_step(arc, behind, 0.32, 0.0)
        behind, arc = given.own, given.foothold.arc
        tread = treads.at(arc)
        stepped.append(treads.place(arc))
        assert tread.height == given.foothold.height
        walled = stepped[-1] > 0 and treads.treads[stepped[-1] - 1].height > tread.height
        assert arc + LEGS[0].heel > tread.begin - (0.0 if walled else 0.03)
        closed = stepped[-1] + 1 < len(treads.treads) and treads.treads[stepped[-1] + 1].height > tread.height
        assert arc + LEGS[0].ball + LEGS[0].toe_length < tread.end + (0.0 if closed else 0.03)
    assert set(np.diff(stepped)) <= {0, 1} and stepped[-1] == len(treads.treads) - 1


def test_hips_rise_from_step_to_step_without_a_jump():
    _, stairs = stairs_of("five up of 0.15 m")
    first = stairs.constrained_step(2.05, 0.0, 0.3, 0.0)
    after = stairs.constrained_step(first.foothold.arc, first.own, 0.3, hip_rises(first)[3])
    assert first.own + hip_rises(first)[1] == pytest.approx(after.own + hip_rises(after)[0])
    assert hip_rises(after)[2] == hip_rises(first)[3] > 0.0


def test_a_step_down_has_the_heel_up_that_its_ankle_needs_and_one_up_has_not():
    style = read_settings(preset("natural", "default").values).style
    table = Strides(BODY, style, 9.81).tables(0.5)[0]
    bends = -BODY.joint_ranges(LEGS[0].foot)[0][0]
    stance = StanceLeg(LEGS[0], BODY.stand_height - LEGS[0].ankle_height - LEGS[0].length, bends)
    for scene, lifted in (("five up of 0.15 m", False), ("five down of 0.15 m", True)):
        _, stairs = stairs_of(scene)
        made = constrained_table(table, 0, stairs.constrained_step(2.1, 0.0, 0.3, 0.0), 0.29, stance)
        assert bool(made.pitches[-1, 0] > 0.2) is lifted
        assert made.pelvis[-1, 2] - made.pelvis[0, 2] == pytest.approx(-0.15 if lifted else 0.15, abs=0.02)


def test_the_weight_waits_for_a_body_that_is_behind():
    assert handing_over(0.0) == handing_over(0.05) == 1.0 > handing_over(-0.02) > handing_over(-0.1) == 0.0


@pytest.mark.long
def test_stairs_are_climbed_a_tread_a_step():
    flight = [(0.0, 0.18), (0.29, 0.18), (1.5, -0.15), (0.29, -0.15)]
    ground, path = ground_of(flight, beyond=1.0)
    job = replace(job_of("five up of 0.1 m", BODY, seed=1), path=path, world=World(ground=ground))

    def good(motion, job):
        upright = motion.outcome == "arrived" and measures.fell_at(motion, job) is None
        return upright and measures.penetration(motion, job) < 15.0

    ((motion, _),) = enough(seeded(job, 2), 1, good)
    hips = motion.root[-1]
    assert hips[2] - 0.06 == pytest.approx(BODY.stand_height, abs=0.05)
    strikes = motion.origins[(motion.strikes[:, 0] * RATE).astype(int)]
    feet = strikes[np.arange(len(strikes)), [LEGS[int(side)].foot for side in motion.strikes[:, 1]], 0]
    assert all((abs(feet - middle) < 0.15).any() for middle in (2.145, 3.935))  # each tread is stepped on


@pytest.mark.long
def test_level_ground_of_the_scene_is_walked_as_the_plane_is():
    ground, _ = ground_of([], beyond=6.0)
    job = replace(job_of("five up of 0.1 m", BODY), duration=3.0)
    flat, mesh = (simulate(replace(job, world=World(ground=own))) for own in (None, ground))
    assert np.abs(flat.root[:120] - mesh.root[:120]).max() < 0.02  # later steps are by chance, among other step sizes
    assert np.array_equal(flat.strikes[:, 1], mesh.strikes[:, 1])
    assert np.abs(flat.strikes[:, 0] - mesh.strikes[:, 0]).max() < 0.02


@pytest.mark.parametrize("scene", ["five up of 0.15 m", "five down of 0.15 m", "a curb of 0.15 m, up and down"])
def test_footholds_are_planned_foot_by_foot_whole_on_each_tread(scene):
    job = job_of(scene, BODY)
    assert job.world.ground is not None
    treads = treads_of(job.world.ground, job.path, 0.0)
    assert treads is not None
    holds = footholds_of(job)
    assert [hold.side for hold in holds] == [(holds[0].side + k) % 2 for k in range(len(holds))]
    assert all((hold.aside > 0.0) == (hold.side == 0) for hold in holds)
    assert [hold.height for hold in holds] == [treads.at(hold.arc).height for hold in holds]
    stepped = [treads.place(hold.arc) for hold in holds]
    assert set(np.diff(stepped)) <= {0, 1} and (stepped[0], stepped[-1]) == (0, len(treads.treads) - 1)
    assert footholds_of(replace(job, world=World())) == ()
