"""Head and chest lead into bends: laws of what is desired, and a walk round a bend."""

import math

import numpy as np
import pytest

from blender_biped.base.spatial import yaw, yawed
from blender_biped.character.standard import standard_character
from blender_biped.control.natural.walk.leading import CHEST, HEAD, BendLeads
from blender_biped.control.registry import preset
from blender_biped.control.shared.clock import ControlTime
from blender_biped.control.shared.steering import SteeringSettings
from blender_biped.job import Job
from blender_biped.motion.gait_events import moving_mean
from blender_biped.motion.measures.motion_view import MotionView
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tests.control.bodies import CHARACTER, COUNT, command
from tools.base.paths import paths

STEP = 1.0 / 60.0  # s between control steps: as fine as these laws need
OWN = SteeringSettings()
HAIRPIN = paths()["turn"]
CORNER = Path([(0.0, 0.0), (3.0, 0.0), (3.0, -3.0)])


def led(path, speed=1.0, stop=True, seconds=0.0):
    """Return a leading at the end of a walk at one speed, m/s, and its leads (T, 2), rad, on the way."""
    leading, leads = BendLeads(CHARACTER, path, stop, ControlTime.of(STEP)), []
    for i in range(round((seconds or path.length / speed) / STEP)):
        leading.feel(command(speed, arc=i * STEP * speed), OWN)
        leads.append(leading.leads)
    return leading, np.array(leads)


def test_along_a_straight_path_nothing_leads_not_even_by_rounding():
    for points in ([(0.0, 0.0), (4.0, 0.0)], [(0.3, 0.1), (1.7, 2.3), (3.1, 4.5)]):
        leading, leads = led(Path(points))
        rotations, rates = np.tile(np.eye(3), (COUNT, 1, 1)), np.ones((COUNT, 3))
        leading.turn(rotations, rates)
        assert not leads.any() and (rotations == np.eye(3)).all() and (rates == 1.0).all()


@pytest.mark.parametrize(("path", "side"), [(HAIRPIN, 1.0), (CORNER, -1.0)], ids=["half turn", "corner"])
def test_head_leads_chest_and_chest_leads_pelvis_to_the_inside_of_a_bend(path, side):
    _, leads = led(path)
    most = np.degrees((side * leads).max(axis=0))
    assert 8.0 < most[0] < math.degrees(CHEST.most) and 8.0 < most[1] < math.degrees(HEAD.most)
    for lead in side * np.degrees(leads).T:
        assert lead[np.argmax(np.abs(lead) > 1.0)] > 0.0, "it begins with a look to the outside"


def test_a_part_faces_where_the_pelvis_faces_as_much_later_as_it_turns_sooner():
    circle = Path(3.0 * np.exp(1j * np.linspace(0.0, 9.0, 400)).view(float).reshape(-1, 2))
    _, leads = led(circle, speed=0.9, stop=False)
    times = CHEST.sooner, HEAD.sooner - CHEST.sooner
    for lead, part, sooner in zip(leads[len(leads) // 2], (CHEST, HEAD), times, strict=True):
        assert lead == pytest.approx(part.most * math.tanh(0.3 * sooner / part.most), rel=0.02)


def test_leads_die_away_where_the_body_stands():
    leading, leads = led(HAIRPIN, seconds=5.5)
    assert np.degrees(leads[-1].max()) > 3.0
    arc = 5.5
    for speed in [*np.linspace(1.0, 0.0, round(2.0 / STEP)).tolist(), *[0.0] * round(2.0 / STEP)]:
        arc += speed * STEP
        leading.feel(command(speed, arc=arc), OWN)
    assert np.degrees(np.abs(leading.leads).max()) < 0.1


def test_rates_are_those_of_the_turned_links_and_the_pelvis_and_legs_stay():
    leading, _ = led(HAIRPIN, seconds=5.0)
    turned = []
    for i in range(2):
        rotations, rates = np.tile(yawed(0.2), (COUNT, 1, 1)), np.zeros((COUNT, 3))
        leading.turn(rotations, rates)
        turned.append((np.arctan2(rotations[:, 1, 0], rotations[:, 0, 0]), rates[:, 2].copy()))
        leading.feel(command(1.0, arc=5.0 + i * STEP), OWN)
    grown = (turned[1][0] - turned[0][0]) / STEP
    assert grown == pytest.approx(0.5 * (turned[0][1] + turned[1][1]), abs=0.01)
    parts = {link.role: angle for link, angle in zip(CHARACTER.links, turned[1][0] - 0.2, strict=True)}
    assert parts["head"] > parts["chest"] > parts["pelvis"] == pytest.approx(0.0, abs=1e-12)
    assert parts["forearm.L"] == parts["chest"] and parts["foot.L"] == parts["pelvis"]


@pytest.mark.long
def test_a_body_that_walks_a_half_turn_looks_first():
    job = Job(standard_character(), HAIRPIN, preset("natural", "default"), 1.0, seed=6)
    motion = simulate(job)
    view, body = MotionView(motion, job), motion.character
    pelvis, chest, head = (
        moving_mean(np.unwrap(yaw(motion.rotations[:, body.index(role)])), motion.times, view.stride_times)
        for role in ("pelvis", "chest", "head")
    )
    assert motion.outcome == "arrived"
    assert 8.0 < np.degrees((chest - pelvis).max()) < 20.0 and 8.0 < np.degrees((head - chest).max()) < 28.0
    half = [float(motion.times[np.argmax(turned > 0.5 * math.pi)]) for turned in (head, chest, pelvis)]
    assert 0.15 < half[2] - half[1] < 0.4 and half[0] < half[1] - 0.05
