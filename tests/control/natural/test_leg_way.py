"""Ways of legs over obstacles: nothing of them touches what is below, within joints' ranges."""

from itertools import product

import numpy as np
import pytest

from blender_biped.base.spatial import pitched
from blender_biped.character.standard import standard_character
from blender_biped.control.natural.ground.treads import PAST, SHORT_OF
from blender_biped.control.natural.swing.leg_way import CLEARS, SAMPLES, Bar, FootPose, LegWaySearch, leg_shape
from blender_biped.control.shared.legs import LEFT, RIGHT, legs_of
from blender_biped.control.shared.limb import leg_rotations
from blender_biped.motion.similarity import at_reference_size
from blender_biped.world.obstacles import Crossed
from tests.marks import long_but
from tools.trials.obstacles import BODIES

HALF = 0.05
ENDS = 3  # samples at each end in which the foot is near where it stands


def searched(body, top, leads, side=LEFT, near=None):
    """Return a leg's way over a bar, its shape, and where its hip is.

    near: how far before it the foot stays, m; None for as far as walks have it.
    """
    character = at_reference_size(body)
    leg = legs_of(character)[side]
    shape = leg_shape(character, leg, side)
    bar = Crossed("bar", -HALF, HALF, 0.0, top, 0.0, 0.0, 0.0)
    near = SHORT_OF.from_obstacle(bar.top) if near is None else near
    before, behind = -HALF - near - leg.ball - leg.toe_length, HALF + PAST.from_obstacle(bar.top) - leg.heel
    done = np.linspace(0.0, 1.0, SAMPLES)
    first, last = (before - 0.1, -0.1) if leads else (0.02, 0.43)
    hips = np.stack((
        first + (last - first) * done, np.full(SAMPLES, shape.side * 0.085), 0.845 + 0.035 * np.sin(np.pi * done) ** 2
    ), axis=1)  # fmt: skip
    pitch = 0.5 if leads else 0.8
    start, end = (before - 0.4, behind) if leads else (before, behind + 0.36)
    lifted = np.array((
        start + leg.ball * (1.0 - np.cos(pitch)) + leg.ankle_height * np.sin(pitch), shape.side * 0.1,
        leg.ankle_height * np.cos(pitch) + leg.ball * np.sin(pitch),
    ))  # fmt: skip
    landed = np.array((end, shape.side * 0.1, leg.ankle_height))
    way = LegWaySearch(
        shape, Bar(HALF, top), hips, FootPose(lifted, 0.0, pitch), FootPose(landed, 0.0, 0.0),
        0.88 * (0.8 + 0.9 * top), -0.05, leads,
    ).best()  # fmt: skip
    return way, shape, hips


def nearest(way, shape, hips, top):
    """Return how near the leg comes to the bar, m, by where its links are, and how far its knee bends, rad."""
    leg, away, bends = shape.leg, [], []
    for k in range(ENDS, SAMPLES - ENDS):
        ankle, yaw = way.ankles[k], float(way.yaws[k])
        thigh, shin = leg_rotations(leg, hips[k].tolist(), ankle.tolist(), yaw)
        knee = hips[k] - leg.thigh_length * thigh[:, 2]
        foot = shin @ pitched(float(way.ankle_angles[k]))
        parts = [(ankle + foot @ point, 0.0) for point in shape.outline]
        for share in np.linspace(0.0, 1.0, 15):
            parts += [(hips[k] + share * (knee - hips[k]), shape.thigh), (knee + share * (ankle - knee), shape.shin)]
        for place, thick in parts:
            over, above = abs(place[0]) - HALF, place[2] - top
            away.append(np.hypot(max(over, 0.0), max(above, 0.0)) + min(max(over, above), 0.0) - thick)
        bends.append(float(np.arccos(np.clip(thigh[:, 2] @ shin[:, 2], -1.0, 1.0))))
    return min(away), max(bends)


@pytest.mark.parametrize("leads", [True, False])
@pytest.mark.parametrize(("name", "top"), long_but(product(BODIES, (0.1, 0.3, 0.45)), ("short legs, large head", 0.45)))
def test_no_part_of_a_leg_touches_what_it_goes_over(name, top, leads):
    way, shape, hips = searched(BODIES[name](), top, leads)
    away, bent = nearest(way, shape, hips, top)
    assert away > 0.5 * CLEARS and way.clear > 0.5 * CLEARS
    assert bent < shape.knee
    low, high = shape.ankle
    assert (way.ankle_angles > low - 0.02).all() and (way.ankle_angles < high + 0.02).all()


def test_a_foot_that_stays_close_before_a_high_obstacle_could_only_go_over_it_above_the_hips():
    roomy, close = (searched(standard_character(), 0.45, False, near=near) for near in (None, 0.05))
    above = [float((way.ankles[:, 2] - hips[:, 2]).max()) for way, _, hips in (roomy, close)]
    assert above[0] < 0.0 < above[1]  # its knee has no room between the obstacle and the body


def test_ways_of_both_legs_are_mirrored():
    left, right = (searched(standard_character(), 0.2, True, side)[0] for side in (LEFT, RIGHT))
    assert right.ankles[-1, 1] == -left.ankles[-1, 1]
    assert right.clear == pytest.approx(left.clear, abs=0.02)


def test_a_way_begins_and_ends_where_the_foot_stands():
    way, shape, _ = searched(standard_character(), 0.3, True)
    ankle, yaw, _, pitch = way.at(0.0)
    assert pitch == pytest.approx(0.5) and yaw == 0.0 and (ankle == way.ankles[0]).all()
    ankle, yaw, _, pitch = way.at(1.0)
    assert pitch == pytest.approx(0.0) and ankle[2] == pytest.approx(shape.leg.ankle_height)
