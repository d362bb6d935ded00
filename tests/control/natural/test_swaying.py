"""Trunk and head move with the steps and lean into bends: laws of what is desired, and walks beside people's bands."""

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from blender_biped.character.body import build_character
from blender_biped.character.reference import GRAVITY
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature, standard_character
from blender_biped.control.natural.walk.step_state import StepState
from blender_biped.control.natural.walk.swaying import BANK, Swaying
from blender_biped.control.registry import preset
from blender_biped.control.shared.clock import ControlTime
from blender_biped.job import Job
from blender_biped.motion.measures import upper_body
from blender_biped.motion.measures.joint_angles import cycle
from blender_biped.motion.measures.motion_view import MotionView
from blender_biped.motion.similarity import at_reference_size
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tests.character.humanoid import without
from tests.control.bodies import CHARACTER, COUNT, command
from tools.measure import people

STEP = 1.0 / 60.0  # s between control steps: as fine as these laws need
TIME = 0.5  # s of a step
OWN = SimpleNamespace(is_captured=False, way=1.0 + 0.0j)


class Walk:
    """A body whose steps take TIME each: what its links shall do, control step for control step."""

    def __init__(self, speed, body=CHARACTER, own=OWN, turning=0.0, free=True):
        self.sways, self.body, self.own, self.speed = Swaying(body, GRAVITY, ControlTime.of(STEP)), body, own, speed
        self.commanded, self.turning, self.free, self.time, self.step = 0.0, turning, free, 0.0, StepState()
        plan: Any = SimpleNamespace(table=SimpleNamespace(time=TIME))
        self.step.plan, self.step.planned = plan, True

    def on(self, seconds, heading=0.0):
        """Walk on; return orientations (T, L, 3, 3), rates and accelerations (T, L, 3) and the stride's phase (T,)."""
        found = []
        for _ in range(round(seconds / STEP)):
            steps, self.step.phase = divmod(self.time / TIME, 1.0)
            self.step.stance = int(steps) % 2
            most = 0.9 * STEP  # m/s, by which walks get faster
            self.commanded += min(max(self.speed - self.commanded, -most), most)
            self.sways.feel(command(self.commanded), self.turning, self.step, self.own, self.free)
            count = len(self.body.links)
            turned = np.tile(np.eye(3), (count, 1, 1)), np.zeros((count, 3)), np.zeros((count, 3))
            self.sways.turn(heading, heading, *turned)
            found.append((*turned, 0.5 * (self.step.stance + self.step.phase)))
            self.time += STEP
        return [np.array(part) for part in zip(*found, strict=True)]


def degrees_up(rotations, role, axis):
    """Return by how much the side of an axis is up (T,), degrees: 0 the front, 1 the left side."""
    return np.degrees(np.arcsin(rotations[:, CHARACTER.index(role), 2, axis]))


def test_where_it_stands_nothing_moves_and_what_moved_comes_to_rest():
    walk = Walk(0.0)
    rotations, *rates = walk.on(0.5)[:3]
    assert (rotations == np.eye(3)).all() and not any(rate.any() for rate in rates)
    walk.speed = 1.0
    assert np.ptp(degrees_up(walk.on(3.0)[0], "head", 0)) > 3.0
    walk.speed = 0.0
    assert (walk.on(4.0)[0][-1] == np.eye(3)).all()


@pytest.mark.parametrize("speed", [0.6, 1.0, 1.3, 1.6])
def test_chest_and_head_dip_to_the_foot_that_has_struck_and_nod_twice_a_stride(speed):
    walk = Walk(speed)
    walk.on(4.0)
    rotations, _, _, stride = walk.on(2.0 * TIME)
    chest, head = (degrees_up(rotations, role, 1) for role in ("chest", "head"))
    for dips, name in ((chest, "chest_roll_deg"), (head, "head_roll_deg")):
        assert people.bands()[name].has(np.ptp(dips))
        assert 0.0 < stride[np.argmin(dips)] < 0.18 and 0.5 < stride[np.argmax(dips)] < 0.68
    assert np.ptp(head) < np.ptp(chest)
    nods = degrees_up(rotations, "head", 0)
    assert people.bands()["head_nod_deg"].has(np.ptp(nods))
    spectrum = np.abs(np.fft.rfft(nods))
    assert np.argmax(spectrum[1:]) == 1
    turns = np.degrees(np.arcsin(rotations[:, CHARACTER.index("head"), 1, 0]))
    assert people.bands()["head_yaw_deg"].has(np.ptp(turns))


def test_the_faster_it_walks_the_farther_the_chest_dips():
    slow, fast = Walk(0.6), Walk(1.6)
    ranges = []
    for walk in (slow, fast):
        walk.on(4.0)
        ranges.append(np.ptp(degrees_up(walk.on(2.0 * TIME)[0], "chest", 1)))
    assert 1.3 * ranges[0] < ranges[1]


@pytest.mark.parametrize("heading", [0.0, 2.0])
def test_rates_and_accelerations_are_those_of_the_turned_links(heading):
    walk = Walk(1.2, turning=0.4)
    rotations, rates, accelerations, _ = walk.on(4.0, heading)
    made = (rotations[2:] - rotations[:-2]) @ rotations[1:-1].swapaxes(-1, -2) / (2.0 * STEP)
    found = np.stack((made[..., 2, 1], made[..., 0, 2], made[..., 1, 0]), axis=-1)
    assert rates[1:-1] == pytest.approx(found, abs=0.02)
    steady = slice(round(3.0 / STEP), None)
    gained = (rates[2:] - rates[:-2]) / (2.0 * STEP)
    assert accelerations[1:-1][steady] == pytest.approx(gained[steady], abs=0.1)
    assert np.abs(accelerations[steady]).max() > 2.0


@pytest.mark.parametrize(("speed", "turning"), [(1.2, 0.4), (0.8, -0.6), (1.6, 0.5)])
def test_in_a_bend_the_body_leans_inwards_by_what_balance_asks_for(speed, turning):
    walk = Walk(speed, turning=turning, own=SimpleNamespace(is_captured=True, way=1.0 + 0.0j))
    rotations = walk.on(3.0)[0][-1:]
    lean = math.degrees(math.atan(speed * turning / GRAVITY))
    for role, share in (("abdomen", BANK.abdomen), ("chest", 1.0), ("hand.L", 1.0), ("head", BANK.head)):
        assert degrees_up(rotations, role, 1) == pytest.approx(-share * lean, rel=0.01)
    for role in ("pelvis", "foot.R"):
        assert degrees_up(rotations, role, 1) == 0.0
    assert math.degrees(walk.sways.lean) == pytest.approx(lean, rel=0.01)


@pytest.mark.parametrize("why", ["captured", "held", "aside", "urgent"])
def test_what_has_a_trunk_of_its_own_to_move_does_not_sway(why):
    own = SimpleNamespace(is_captured=why == "captured", way=1.0j if why == "aside" else 1.0 + 0.0j)
    walk = Walk(1.2, own=own, free=why != "held")
    walk.step.urgency = float(why == "urgent")
    assert (walk.on(2.0)[0] == np.eye(3)).all()


def test_a_strike_before_or_after_its_time_makes_no_jump():
    walk = Walk(1.2)
    walk.on(3.0)
    rotations = [walk.on(STEP)[0][0]]
    for late in (0.06, -0.05):  # s
        walk.time += late
        rotations.extend(walk.on(0.4)[0])
    turned = np.degrees(np.abs(np.diff([rotation[CHARACTER.index("head")] for rotation in rotations], axis=0))).max()
    assert turned < 40.0 * STEP


def test_bodies_without_a_head_or_a_waist_sway_with_what_they_have():
    armature = without(standard_armature(), "spine.004")
    body = at_reference_size(build_character(armature, map_bones(armature)))
    walk = Walk(1.2, body=body, turning=0.3)
    rotations = walk.on(3.0)[0]
    assert not body.has("head") and np.ptp(rotations[:, body.index("chest"), 2, 1]) > math.radians(2.0)
    legs = replace(CHARACTER, links=CHARACTER.links[:1])
    assert (Walk(1.2, body=legs, turning=0.3).on(0.2)[0] == np.eye(3)).all() and COUNT > 1


@pytest.mark.long
def test_a_body_that_walks_a_circle_sways_nods_and_leans_as_people_do():
    angles = np.linspace(0.0, 4.0, 80)
    circle = Path(np.stack((3.0 * np.sin(angles), 3.0 - 3.0 * np.cos(angles)), axis=1))
    job = Job(standard_character(), circle, preset("natural", "default"), 1.2, seed=7)
    view = MotionView(simulate(job), job)
    bands = people.bands()
    for name, measure in (
        ("chest_roll_deg", upper_body.chest_roll), ("head_roll_deg", upper_body.head_roll),
        ("head_nod_deg", upper_body.head_nod), ("head_yaw_deg", upper_body.head_yaw),
    ):  # fmt: skip
        assert bands[name].has(measure(view) or 0.0), name
    leans = [cycle(view.walk, upper_body.roll(view, "chest"), s).mean() for s in view.steady_strides]
    assert np.median(leans) == pytest.approx(-math.degrees(math.atan(1.2 * 1.2 / 3.0 / GRAVITY)), abs=1.0)


def test_a_trunk_that_lies_ahead_does_not_sway():
    def lying(link):
        return replace(link, offset=(0.3, 0.0, 0.05)) if link.role in ("abdomen", "chest") else link

    body = replace(CHARACTER, links=tuple(lying(link) for link in CHARACTER.links))
    rotations, rates, _, _ = Walk(1.2, body, turning=0.5).on(1.5)
    assert np.array_equal(rotations, np.broadcast_to(np.eye(3), rotations.shape)) and not rates.any()
