"""The swing of natural walking: where a foot is set down, and how it gets there from where it left the ground."""

import cmath
import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

from blender_biped.base.curves import ramp
from blender_biped.base.spatial import Array, faced
from blender_biped.control.natural.ground.treads import Stairs
from blender_biped.control.natural.steps.constrained import HANDED, StanceLeg, constrained_table
from blender_biped.control.natural.steps.gliding import GLIDING
from blender_biped.control.natural.steps.planner import Plan, Planner
from blender_biped.control.natural.steps.settings import read_settings
from blender_biped.control.natural.steps.step_table import GRID, bent_up
from blender_biped.control.natural.swing.slope_swing import AHEAD, SlopeSwing
from blender_biped.control.natural.swing.stair_swing import StairSwing
from blender_biped.control.natural.swing.swing import (
    DOWN,
    GLIDES,
    IN_SOLE,
    LAST,
    Swing,
    aloft_at,
    settled,
)
from blender_biped.control.natural.swing.swing_step import LiftOff, SwingStep, SwingTarget
from blender_biped.control.registry import preset
from blender_biped.control.shared.ground_plane import GroundPlane
from blender_biped.control.shared.legs import LEFT, RIGHT
from blender_biped.control.shared.limb import STRAIGHT, angular_velocity
from blender_biped.control.shared.sole import Sole
from blender_biped.world.path import Path
from blender_biped.world.treads import Tread, Treads
from tests.control.bodies import CHARACTER, LEGS, command, standing

SETTINGS = read_settings(preset("natural", "default").values)
SPEED = 1.2  # m/s
WALK = command(SPEED)
SINCE = 1.0 / 240.0  # s between control steps
LOWER = 0.06  # m by which hips are lower than the style has them, so that each foot is reached
SIDES = pytest.mark.parametrize("side", [LEFT, RIGHT])
SLOPE = (0.1, 0.04)


@dataclass
class Swung:
    """A swing from lift-off to strike at K control steps. done (K,): share of its time.

    ankles (K, 3), lowest (K,): of sole and toes, m. feet, toes (K, 3, 3): their orientations. links, rates
    (K, 2, 3, 3), (K, 2, 3): those of thigh and shin, and how fast they turn, rad/s. nearest (K,): how near the foot may
    come to the line of the stance foot, m. target: at the end.
    """

    done: Array
    ankles: Array
    lowest: Array
    feet: Array
    toes: Array
    links: Array
    rates: Array
    nearest: Array
    target: SwingTarget


@pytest.fixture(scope="module")
def plans():
    """Return the steps of an even walk straight ahead, in which the left and in which the right foot swings."""
    planned = []
    for side in (LEFT, RIGHT):
        own = planner()
        planned.append(own.step(WALK, 1 - side, own.first(WALK, side), early=False))
    return tuple(planned)


@pytest.fixture(scope="module")
def slow():
    """Return a step of a slow walk, in which the left foot swings."""
    own, gentle = planner(), command(0.2)
    return own.step(gentle, RIGHT, own.first(gentle, LEFT), early=False)


@pytest.fixture(scope="module")
def stopping():
    """Return the last steps of a walk that is to stand, of either foot."""
    planned = []
    for side in (LEFT, RIGHT):
        own = planner()
        last = own.first(WALK, side)
        last.speed = 0.2
        planned.append(own.step(replace(command(0.2, left=0.05), halts=True), 1 - side, last, early=False))
    return tuple(planned)


def planner():
    return Planner(CHARACTER, LEGS, SETTINGS, 9.81)


def swings(plan):
    return 1 - plan.side


def body_at(plan, phase, origin=0j, ground=0.0):
    """Return a body whose pelvis is where the style has it at a phase, and lower. ground: m, as high as it is."""
    i = phase * (len(plan.table.pelvis) - 1)
    pelvis = np.array([np.interp(i, np.arange(len(plan.table.pelvis)), way) for way in plan.table.pelvis.T])
    pelvis += (origin.real, origin.imag, ground - LOWER)
    state = standing()
    for leg in LEGS:
        state.origins[leg.thigh] = pelvis + CHARACTER.offsets[leg.thigh]
    return state


def lifted(plan, off=(0.0, 0.0, 0.0), yaw=0.0, origin=0j, faster=0.0):
    """Return a foot that leaves the ground ``off``, m, from where the style has it, and points along yaw, rad.

    faster: m/s by which it rises faster than the style has it.
    """
    side, phase = swings(plan), plan.table.double
    leg, now = LEGS[side], plan.table.at(phase)
    ankle = np.array(now.ankles[side]) + off + (origin.real, origin.imag, 0.0)
    pitch = now.pitches[side]
    point = leg.heel if pitch < 0.0 else leg.ball
    at = ankle + faced(yaw, pitch) @ (point, 0.0, -leg.ankle_height)
    ahead = complex(math.cos(yaw), math.sin(yaw))
    sole = Sole(leg.heel, leg.ball, yaw, pitch, ahead, complex(*at[:2]) - point * ahead, 1.0)
    hip = body_at(plan, phase, origin).origins[leg.thigh]
    soon = plan.table.at(phase + 1.0 / GRID)
    moves = (np.array(soon.ankles[side]) - now.ankles[side]) * GRID / plan.table.time + (0.0, 0.0, faster)
    turns = now.pitch_rates[side] / plan.table.time
    return LiftOff(leg, side, sole, ankle, 0.0, phase, now, plan, origin, hip, 0.0, moves, turns)


def seen(plan: Plan, phase: float, **changed: object) -> SwingStep:
    """Return a step at a phase, undisturbed, the hip above where the style has it as the step ends."""
    side, table = swings(plan), plan.table
    x, y, z = (body_at(plan, 1.0).origins[LEGS[side].thigh]).tolist()
    step = SwingStep(
        plan=plan, settings=SETTINGS, command=WALK, phase=phase, rate=1.0 / table.time, now=table.at(phase),
        left=max(1.0 - phase, 0.0) * table.time, since=SINCE, origin=0j, ground=0.0, capture_error=0j,
        hip=complex(x, y), low=z, reach=LEGS[side].length, early=False, urgency=0.0, disturbance=0.0, burdened=False,
    )  # fmt: skip
    return replace(step, **changed)  # type: ignore[arg-type]


def target(plan: Plan, phase: float = 0.7, **changed: object) -> SwingTarget:
    return Swing(lifted(plan)).target(seen(plan, phase, **changed))


def ankle_from(rotations, state, leg):
    """Return where links of a leg have its ankle (3,), m."""
    thigh, shin = rotations[[leg.thigh, leg.shin]]
    along = leg.thigh_length * thigh[:, 2] + leg.shin_length * shin[:, 2]
    return state.origins[leg.thigh] - along + leg.aside * thigh[:, 1]


def lowest_of(rotations, ankle, leg):
    """Return how high the lowest point of a foot's sole or toes is, m."""
    foot = rotations[leg.foot]
    ball = ankle + foot @ (leg.ball, 0.0, -leg.ankle_height)
    points = ball, ball + leg.toe_length * rotations[leg.toes, :, 0], ankle + foot @ (leg.heel, 0.0, -leg.ankle_height)
    return min(point[2] for point in points)


def referred(swing: Swing, step: SwingStep, found: SwingTarget) -> tuple[Array, Array, Array]:
    """Return what a swing has the links do: (L, 3, 3), (L, 3), and where that has the ankle (3,), m."""
    state = body_at(step.plan, step.phase, step.origin, step.ground)
    rotations, (rates, accelerations) = step.now.rotations.copy(), step.now.motion.copy()
    rates *= step.rate
    swing.refer(state, step, found, rotations, rates, accelerations)
    return rotations, rates, ankle_from(rotations, state, LEGS[swings(step.plan)])


def swung(plan: Plan, swing: Swing, **changed: object) -> Swung:
    """Return a swing from its lift-off to its strike. changed: of the step as it is described."""
    leg, begin = LEGS[swings(plan)], plan.table.double
    links = [leg.thigh, leg.shin]
    rows = []
    for phase in np.append(np.arange(begin, 1.0, SINCE / plan.table.time), 1.0).tolist():
        step = seen(plan, phase, **changed)
        found = swing.target(step)
        rotations, rates, ankle = referred(swing, step, found)
        near = step.nearest(ankle[0] - step.origin.real, leg)
        low = lowest_of(rotations, ankle, leg)
        rows.append((
            (phase - begin) / (1.0 - begin), ankle, low, rotations[leg.foot], rotations[leg.toes], rotations[links],
            rates[links], near,
        ))  # fmt: skip
    done, ankles, lowest, feet, toes, legs, rates, nearest = map(np.array, zip(*rows, strict=True))
    return Swung(done, ankles, lowest, feet, toes, legs, rates, nearest, found)


def landing(plan, foothold, turned=None):
    """Return where a foot that lands on a foothold has its ankle, m: as far from it as in the style's step.

    turned: where it points, to the left, rad; None: as the style has it.
    """
    along = cmath.exp(1j * (out(plan) if turned is None else turned))
    return foothold + (plan.table.ankles[-1, swings(plan), 0] - plan.table.length) * along


def out(plan):
    """Return where the foot that swings is to point, to the left, rad."""
    return outward(plan).imag * math.radians(SETTINGS.manner.toe_out)


def outward(plan):
    """Return the direction from the stance foot to the foot that swings."""
    return 1j if swings(plan) == LEFT else -1j


@SIDES
def test_an_even_walk_steps_as_far_as_it_goes_in_a_step(plans, side):
    plan = plans[side]
    found = target(plan).foothold
    assert found.real == pytest.approx(SPEED * plan.table.time, abs=1e-4)
    assert abs(found.imag) == pytest.approx(abs(plan.table.width) + SETTINGS.wider, abs=1e-4)
    assert found.imag / outward(plan).imag > 0.0


@SIDES
@pytest.mark.parametrize("off", [(0.0, 0.0, 0.0), (-0.03, 0.02, 0.015), (0.04, -0.01, 0.0)])
def test_a_foot_starts_where_it_left_the_ground_and_ends_over_its_foothold(plans, side, off):
    plan, yaw = plans[side], 0.2
    lift = lifted(plan, off, yaw)
    found = swung(plan, Swing(lift))
    assert found.ankles[0] == pytest.approx(lift.ankle, abs=1e-3)
    assert found.feet[0] == pytest.approx(faced(yaw, lift.sole.pitch), abs=1e-3)
    at, table = landing(plan, found.target.foothold), plan.table
    assert complex(*found.ankles[-1, :2]) == pytest.approx(at, abs=1e-3)
    lower = settled(1.0, 1.0 / table.time)
    assert 0.005 < lower < 0.03 and found.ankles[-1, 2] == pytest.approx(table.ankles[-1, side, 2] - lower, abs=2e-3)
    assert found.feet[-1] == pytest.approx(faced(out(plan), table.pitches[-1, side]), abs=1e-3)
    steps = np.linalg.norm(np.diff(found.ankles, axis=0), axis=1)
    assert steps.max() < 8.0 * SINCE  # m/s: nowhere does it jump


def test_a_foot_that_is_set_down_in_a_bend_points_where_the_body_faces_in_the_middle_of_its_stance(plans):
    plan, turn = plans[LEFT], 0.4
    found = swung(plan, Swing(lifted(plan)), command=replace(WALK, turn=turn))
    ahead = found.feet[-1, :, 0]
    assert math.atan2(ahead[1], ahead[0]) == pytest.approx(0.5 * turn * plan.table.time + out(plan))


@SIDES
@pytest.mark.parametrize("degrees", [-12.0, 25.0])
def test_feet_are_set_down_turned_outwards_as_the_style_has_it(side, degrees):
    settings = replace(SETTINGS, manner=replace(SETTINGS.manner, toe_out=degrees))
    own = Planner(CHARACTER, LEGS, settings, 9.81)
    plan = own.step(WALK, 1 - side, own.first(WALK, side), early=False)
    found = swung(plan, Swing(lifted(plan)), settings=settings)
    ahead = found.feet[-1, :, 0]
    turned = outward(plan).imag * math.radians(degrees)
    assert math.atan2(ahead[1], ahead[0]) == pytest.approx(turned, abs=1e-6)
    middle = found.feet[len(found.feet) // 2, :, 1]  # and the bent leg swings ahead, or it would turn the body
    assert abs(math.atan2(-middle[0], middle[1])) < 0.6 * abs(turned)
    # And its next step rolls along it: what the centre of pressure goes ahead of the ankle it goes aside, too.
    late = complex(plan.next.pressure[-1])
    assert math.atan2(late.imag, late.real) == pytest.approx(turned, abs=1e-6)


@SIDES
@pytest.mark.parametrize("part", ["ahead", "aside"])
def test_a_step_catches_what_is_off_and_the_sole_cannot(plans, side, part):
    plan, settings = plans[side], replace(SETTINGS, step_ahead=0.8, step_aside=0.5)
    ahead, share = part == "ahead", settings.step_ahead if part == "ahead" else settings.step_aside
    way, sole, more = (1.0, IN_SOLE.ahead, 0.02) if ahead else (outward(plan), IN_SOLE.aside, 0.03)
    kept, within, beyond = (
        target(plan, settings=settings, capture_error=size * way, hip=complex(SPEED * plan.table.time)).foothold
        for size in (0.0, 0.9 * sole, sole + more)
    )
    assert within == pytest.approx(kept, abs=1e-9)
    grown = share * more * math.exp(plan.reference.frequency * 0.3 * plan.table.time)
    assert beyond - kept == pytest.approx(grown * way, abs=1e-9)  # what is off grows until the foot is down


def test_the_step_on_which_a_body_is_to_stand_catches_all(stopping):
    plan = stopping[LEFT]
    off = 0.5 * IN_SOLE.ahead
    moved = target(plan, capture_error=off).foothold - target(plan).foothold
    assert moved == pytest.approx(off * math.exp(plan.reference.frequency * 0.3 * plan.table.time), abs=1e-9)


@pytest.mark.parametrize("behind", [0.5, 0.8])
def test_a_foothold_out_of_reach_is_brought_nearer_to_the_hip(plans, behind):
    plan = plans[LEFT]
    near, leg = seen(plan, 0.7), LEGS[LEFT]
    free, hip = target(plan).foothold, near.hip - behind
    found = target(plan, hip=hip).foothold
    up = plan.table.ankles[-1, LEFT, 2]
    before, after = (landing(plan, place) - hip for place in (free, found))
    assert math.hypot(abs(before), near.low - up) > STRAIGHT * leg.length
    assert math.hypot(abs(after), near.low - up) == pytest.approx(STRAIGHT * leg.length)
    assert after / abs(after) == pytest.approx(before / abs(before))


def test_no_step_is_longer_than_the_longest(plans):
    plan, longest = plans[LEFT], 0.5
    error = complex(1.5, 0.0)
    for sign in (1.0, -1.0):
        hip = complex(sign * longest)
        far, free = (target(plan, reach=reach, hip=hip, capture_error=sign * error) for reach in (longest, 2.0))
        assert sign * far.foothold.real <= longest < sign * free.foothold.real


def test_the_farther_a_foot_goes_from_its_hip_the_lower_that_is_carried(plans):
    plan, hip = plans[LEFT], seen(plans[LEFT], 0.7).hip
    up, lengths, heights = plan.table.ankles[-1, LEFT, 2], [], []
    for back in (0.0, 0.1, 0.2):
        found = target(plan, hip=hip - back)
        heights.append(found.height)
        lengths.append(math.hypot(found.height - up, abs(landing(plan, found.foothold) - hip + back)))
    assert heights == sorted(heights, reverse=True) and heights[0] - heights[-1] > 0.05
    assert lengths == pytest.approx([lengths[0]] * 3) and lengths[0] > STRAIGHT * LEGS[LEFT].length


def test_a_shorter_step_has_a_smaller_share_of_the_style(plans):
    plan = plans[LEFT]
    shares = [target(plan, reach=reach).share for reach in (1.0, 0.5, 0.25)]
    assert shares == pytest.approx([1.0, 0.5 / plan.table.length, 0.25 / plan.table.length], abs=2e-3)


def test_feet_cross_far_ahead_or_behind_alone_and_farther_the_more_urgent(plans):
    calm = seen(plans[LEFT], 0.7)
    urgent, disturbed = replace(calm, urgency=1.0), replace(calm, disturbance=1.0)
    for ahead in (0.6, -0.6):
        assert calm.nearest(ahead, LEGS[LEFT]) == pytest.approx(SETTINGS.apart - SETTINGS.crossing)
        assert (
            replace(urgent, disturbance=1.0).nearest(ahead, LEGS[LEFT])
            < urgent.nearest(ahead, LEGS[LEFT])
            < calm.nearest(ahead, LEGS[LEFT])
            < 0.0
        )
        assert disturbed.nearest(ahead, LEGS[LEFT]) < calm.nearest(ahead, LEGS[LEFT])
    for step in (calm, urgent, disturbed):
        assert (
            step.nearest(0.0, LEGS[LEFT])
            == step.nearest(0.1, LEGS[LEFT])
            == step.nearest(-0.1, LEGS[LEFT])
            == SETTINGS.apart
        )
        near = [step.nearest(ahead, LEGS[LEFT]) for ahead in np.linspace(0.0, 0.6, 30).tolist()]
        assert near == sorted(near, reverse=True)


def test_broad_shoes_are_led_clear_of_each_other_unless_a_body_has_to_be_caught(plans):
    calm, broad = seen(plans[LEFT], 0.7), replace(LEGS[LEFT], apart=(0.11, 0.15))
    slow = replace(calm, plan=replace(calm.plan, speed=0.0))
    assert calm.nearest(0.0, LEGS[LEFT]) == SETTINGS.apart
    assert calm.nearest(0.2, broad) == calm.nearest(-0.2, broad) == pytest.approx(0.11)
    assert slow.nearest(0.0, broad) == pytest.approx(0.15)
    assert calm.nearest(0.6, broad) < 0.0
    assert replace(calm, capture_error=0.1j).nearest(0.0, broad) == SETTINGS.apart
    assert replace(calm, urgency=1.0).nearest(0.0, broad) == SETTINGS.apart


@SIDES
@pytest.mark.parametrize("urgency", [0.0, 1.0])
def test_a_foot_that_crosses_over_is_led_round_the_stance_foot(plans, side, urgency):
    plan = plans[side]
    way = outward(plan)
    found = swung(plan, Swing(lifted(plan)), capture_error=-0.5 * way, urgency=urgency)
    aside = found.ankles[:, 1] * way.imag
    assert (aside > found.nearest - 1e-3).all()
    hip = complex(SPEED * plan.table.time, 0.0)  # where its leg reaches
    crossed = target(plan, capture_error=-0.5 * way, urgency=urgency, hip=hip).foothold
    assert (crossed / way).real == pytest.approx(seen(plan, 0.7, urgency=urgency).nearest(crossed.real, LEGS[LEFT]))
    beside = np.abs(found.ankles[:, 0]) < 0.1
    assert aside[beside].min() == pytest.approx(SETTINGS.apart, abs=1e-3) and aside[-1] < 0.0


def test_a_disturbed_body_sets_its_feet_down_wider(plans):
    plan = plans[LEFT]
    wide, wider = (
        target(plan, disturbance=disturbance, capture_error=0.8j, hip=0.3 + 0.7j).foothold.imag
        for disturbance in (0.0, 1.0)
    )
    assert 0.5 < wide < wider < LEGS[LEFT].length


@SIDES
@pytest.mark.parametrize("clearance", [0.05, 0.1])
def test_soles_and_toes_clear_the_ground_in_the_middle_of_a_swing(plans, side, clearance):
    plan = plans[side]
    found = swung(plan, Swing(lifted(plan)), settings=replace(SETTINGS, clearance=clearance), early=True)
    aloft = np.array([aloft_at(done) for done in found.done])
    assert (aloft == 1.0).mean() > 0.5 and aloft[0] == aloft[-1] == 0.0
    assert (found.lowest > clearance * aloft - 1e-6).all()
    assert found.lowest[aloft == 1.0].min() == pytest.approx(clearance, abs=1e-3)


@SIDES
@pytest.mark.parametrize("clearance", [0.02, 0.05])
def test_a_foot_of_an_even_step_glides_in_over_the_ground(plans, side, clearance):
    plan = plans[side]
    assert plan.table.glides == 1.0
    found = swung(plan, Swing(lifted(plan)), settings=replace(SETTINGS, clearance=clearance))
    aloft = np.array([aloft_at(done) for done in found.done])
    low = found.lowest[(found.done > GLIDING.low) & (aloft == 1.0)]
    least = max(GLIDING.late, GLIDES.height * clearance)
    assert low.min() > least - 0.001 and low.max() < least + GLIDING.room + 0.004
    assert found.lowest[found.done < 0.35].max() > clearance
    leg = LEGS[swings(plan)]
    far = np.linalg.norm(leg.thigh_length * found.links[:, 0, :, 2] + leg.shin_length * found.links[:, 1, :, 2], axis=1)
    assert (far < (GLIDES.straight + 1e-4) * leg.length).all()


@SIDES
@pytest.mark.parametrize("faster", [-0.3, 0.3])
def test_a_foot_leaves_the_ground_as_fast_as_it_goes(plans, side, faster):
    plan = plans[side]
    plain, found = (swung(plan, Swing(lifted(plan, faster=more))).ankles for more in (0.0, faster))
    at_first = [(ankles[2, 2] - ankles[0, 2]) / (2.0 * SINCE) for ankles in (plain, found)]
    assert at_first[1] - at_first[0] == pytest.approx(faster, rel=0.15)
    assert found[len(found) // 2 :] == pytest.approx(plain[len(plain) // 2 :], abs=1e-9)  # and is led on as any other


@SIDES
@pytest.mark.parametrize("changed", [{"early": True}, {"urgency": 1.0}, {"disturbance": 1.0}])
def test_other_steps_set_their_feet_down_as_they_can(plans, side, changed):
    plan = plans[side]
    even, other = swung(plan, Swing(lifted(plan))), swung(plan, Swing(lifted(plan)), **changed)
    late = (even.done > 0.7) & (even.done < 0.9)
    assert other.lowest[late].min() > even.lowest[late].max() + 0.005


@SIDES
@pytest.mark.parametrize("raised", [0.0, 0.01])
def test_toes_straighten_early_in_a_swing_and_never_touch_the_ground(plans, side, raised):
    plan = plans[side]
    found = swung(plan, Swing(lifted(plan, (0.0, 0.0, raised))))
    bends = np.array([bent_up(foot, toes) for foot, toes in zip(found.feet, found.toes, strict=True)])
    assert bends[0] > np.radians(30.0)  # it rolls off over them
    assert bends[(found.done > 0.4) & (found.done < 0.9)].max() < np.radians(10.0)
    assert found.lowest[(found.done > 0.1) & (found.done < 0.9)].min() > 0.0


def test_a_swing_goes_up_and_down_with_the_ground(plans):
    plan, raised = plans[LEFT], 0.04
    flat, high = (swung(plan, Swing(lifted(plan, (0.0, 0.0, up))), ground=up).ankles for up in (0.0, raised))
    assert high[:, 2] - flat[:, 2] == pytest.approx(raised, abs=1e-3)


def fall(plan: Plan, **changed: object) -> float:
    """Return how fast a foot comes down, m/s, that is late, near the ground, and to be all the way down at once."""
    swing, since, heights = Swing(lifted(plan)), 0.002, []
    for phase in (0.98, 1.2):
        step = seen(plan, phase, since=since, **changed)
        heights.append(referred(swing, step, swing.target(step))[2][2])
    return (heights[0] - heights[1]) / since


def test_near_the_ground_a_foot_falls_no_faster_than_it_shall_land(slow, stopping):
    calm = fall(slow)
    assert calm == pytest.approx(DOWN.slow, abs=0.02)
    assert fall(slow, early=True) == pytest.approx(DOWN.soft, abs=0.02)
    assert fall(stopping[LEFT]) == pytest.approx(DOWN.soft, abs=0.02)
    assert calm < fall(slow, urgency=0.3) < fall(slow, urgency=0.6) <= DOWN.fast
    assert fall(slow, burdened=True) > 5.0 * calm


def test_a_late_foot_searches_for_the_ground_and_deeper_when_urgent(plans):
    plan, depths = plans[LEFT], []
    for urgency in (0.0, 1.0):
        swing, heights = Swing(lifted(plan)), []
        for phase in (1.0, 1.02, 1.05, 2.0, 3.0):
            step = seen(plan, phase, urgency=urgency, since=0.1)
            heights.append(referred(swing, step, swing.target(step))[2][2])
        assert heights[0] > heights[1] > heights[2] > heights[3] == pytest.approx(heights[4], abs=1e-6)
        depths.append(heights[0] - heights[3])
    assert 0.0 < depths[0] < depths[1] < 1.5 * LEGS[LEFT].ankle_height


def test_a_leg_turns_as_fast_as_on_its_way(plans):
    found = swung(plans[LEFT], Swing(lifted(plans[LEFT])))
    real = angular_velocity(found.links[1:], found.links[:-1], SINCE)
    middle = slice(len(real) // 4, -len(real) // 8)
    assert np.abs(real[middle]).max() > 3.0
    assert np.abs(found.rates[1:] - real)[middle].max() < 0.25 * np.abs(real[middle]).max()


@pytest.mark.parametrize("error", [0j, 0.06 + 0.05j])
def test_the_left_swing_is_the_right_one_mirrored(plans, error):
    left, right = (
        swung(plan, Swing(lifted(plan, (0.01, sign * 0.02, 0.0), sign * 0.1)), capture_error=own, urgency=0.5)
        for plan, sign, own in zip(plans, (1.0, -1.0), (error, error.conjugate()), strict=True)
    )
    mirror = np.diag((1.0, -1.0, 1.0))
    assert left.target.foothold == pytest.approx(right.target.foothold.conjugate(), abs=1e-3)
    assert left.target.height == pytest.approx(right.target.height, abs=1e-3)
    assert left.ankles == pytest.approx(right.ankles @ mirror, abs=2e-3)
    assert left.feet == pytest.approx(mirror @ right.feet @ mirror, abs=5e-3)
    assert left.links == pytest.approx(mirror @ right.links @ mirror, abs=0.02)


@SIDES
def test_the_last_step_sets_the_feet_side_by_side(stopping, side):
    plan = stopping[side]
    assert plan.stops
    found = target(plan).foothold
    assert abs(found.real) < 0.02 and (found / outward(plan)).real >= LAST.width
    sways = [(target(plan, capture_error=sway * outward(plan)).foothold / outward(plan)).real for sway in (0.0, 0.03)]
    assert sways[1] > sways[0]  # a body that sways aside stands with its feet wider apart
    ends = plan.reference.capture_ahead(0.7, 0.3 * plan.table.time, 0.0, 0.3 * plan.table.time)
    assert found.real + LEGS[side].middle == pytest.approx(ends.real)  # the body stands over the middle of its sole


class Sloping:
    """Ground that slopes evenly everywhere."""

    def __init__(self, slope: tuple[float, float]) -> None:
        self._plane = GroundPlane(0j, 0.0, slope)
        self.planes = [self._plane, self._plane]

    def under_foot(self, side: int, anchor: complex, yaw: float) -> GroundPlane:
        return replace(self._plane, place=anchor, height=self._plane.at(anchor))

    def above(self, side: int, plane: GroundPlane, yaw: float) -> float:
        return 0.0


def test_a_swing_over_a_slope_that_is_level_is_the_plain_one(plans):
    plan = plans[LEFT]
    plain, sloped = (swung(plan, own) for own in (Swing(lifted(plan)), SlopeSwing(lifted(plan), Sloping((0.0, 0.0)))))
    assert sloped.ankles == pytest.approx(plain.ankles) and sloped.links == pytest.approx(plain.links)
    assert sloped.target.height == pytest.approx(plain.target.height)


def test_a_swing_goes_as_high_over_a_slope_as_over_a_floor(plans):
    plan, ground = plans[LEFT], Sloping((0.2, 0.0))
    lift = lifted(plan, (0.0, 0.0, 0.01))
    under = ground.planes[LEFT].at(lift.sole.anchor)
    plain = swung(plan, Swing(lift), early=True)  # on slopes feet do not glide in
    sloped = swung(plan, SlopeSwing(replace(lift, ankle=lift.ankle + np.array((0.0, 0.0, under))), ground), early=True)
    gone = (sloped.ankles[:, 0] - sloped.ankles[0, 0]) / np.ptp(sloped.ankles[:, 0])
    line = under + gone * (ground.planes[LEFT].at(sloped.target.foothold) - under)
    assert sloped.ankles[:, 2] - line == pytest.approx(plain.ankles[:, 2], abs=2e-3)


def test_a_foot_lands_flat_on_ground_that_slopes(plans):
    plan, leg, ground = plans[LEFT], LEGS[LEFT], Sloping(SLOPE)
    plane = ground.planes[LEFT]
    lift = lifted(plan)
    lift.ankle[2] += plane.at(lift.sole.anchor)
    found = swung(plan, SlopeSwing(lift, ground))
    turned = (1.0 - ramp(math.hypot(*SLOPE), *AHEAD)) * out(plan)
    assert 0.0 < turned < out(plan)
    level = faced(turned, plan.table.pitches[-1, LEFT])
    assert found.feet[-1] == pytest.approx(plane.turn @ level, abs=1e-3)
    upright = landing(plan, found.target.foothold, turned) + leg.ankle_height * complex(*plane.normal[:2])
    assert complex(*found.ankles[-1, :2]) == pytest.approx(upright, abs=1e-3)
    heel = found.ankles[-1] + found.feet[-1] @ (leg.heel, 0.0, -leg.ankle_height)
    assert heel[2] == pytest.approx(plane.at(complex(*heel[:2])), abs=0.01)
    assert abs(heel[2]) > 0.02
    assert found.target.height - target(plan).height == pytest.approx(plane.at(found.target.foothold), abs=0.02)


@pytest.mark.parametrize("rise", [0.15, -0.15])
def test_a_foot_clears_the_edges_between_treads_and_lands_on_its_own(rise):
    depth, edges = 0.29, [2.0, 2.29, 2.58, 2.87]
    heights = [rise * k for k in range(5)]
    ends = zip([-1.0, *edges], [*edges, 5.0], heights, strict=True)
    treads = Treads(tuple(Tread(*end) for end in ends))
    stairs = Stairs(treads, Path([(0.0, 0.0), (4.0, 0.0)]), LEGS)
    middle = 0.5 * depth - LEGS[LEFT].middle
    begin, stance = edges[0] + middle, edges[1] + middle
    climb = stairs.constrained_step(stance, heights[1], depth, 0.0, begin)
    assert (climb.behind, climb.own, climb.foothold.height) == pytest.approx(heights[1:4])
    stances = [StanceLeg(leg, CHARACTER.stand_height - leg.ankle_height - leg.length, 0.5) for leg in LEGS]
    plan = planner().fitted(
        WALK, RIGHT, climb.speed, HANDED,
        lambda table, side: constrained_table(table, side, climb, climb.foothold.arc - stance, stances[side]),
    )  # fmt: skip
    origin, ground, leg = complex(stance, 0.0), heights[2], LEGS[LEFT]
    lift = lifted(plan, origin=origin)
    sole = replace(lift.sole, anchor=complex(begin, lift.sole.anchor.imag))
    ball = np.array((begin + leg.ball, sole.anchor.imag, heights[1]))
    ankle = ball - faced(0.0, sole.pitch) @ (leg.ball, 0.0, -leg.ankle_height)
    ankle += (-0.03, 0.02, 0.03)  # its sole has slipped, and is up already
    swing = StairSwing(replace(lift, ankle=ankle, sole=sole), climb, treads, begin, 0.5)
    found = swung(plan, swing, origin=origin, ground=ground)
    foothold = found.target.foothold.real
    assert climb.foothold.low <= foothold <= climb.foothold.high
    assert found.ankles[0] == pytest.approx(ankle, abs=0.01)
    for ankle, foot, low in zip(found.ankles[1:-1], found.feet[1:-1], found.lowest[1:-1], strict=True):
        heel, tip = (float((ankle + foot @ (x, 0.0, -leg.ankle_height))[0]) for x in (leg.heel, leg.ball))
        assert low > treads.highest(heel, tip) - 0.002
    assert found.lowest[-1] == pytest.approx(heights[3], abs=0.01)
