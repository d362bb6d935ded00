"""A walk of SIMBICON on a body of another build than people's."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.character.body import build_character
from blender_biped.character.model import Character
from blender_biped.character.reference import REFERENCE_LEG
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature, standard_character
from blender_biped.control.shared.legs import LEFT, Leg, legs_of
from blender_biped.control.shared.tracking import Tracker
from blender_biped.control.simbicon.physique import (
    LEANS,
    UPRIGHT,
    Physique,
    lean_of,
    leant,
    moment_over_hips,
    same_ankle,
)
from blender_biped.control.simbicon.settings import Gait, read_gait
from blender_biped.job import Job
from blender_biped.motion.similarity import at_reference_size
from blender_biped.preset.preset import preset
from blender_biped.preset.transitions import own_ending
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tests.walks import enough, seeded
from tools.base.paths import paths
from tools.trials.obstacles import BODIES

WALK = preset("simbicon", "walk")
WIDE_HIPS = {"leg_scale": 0.54, "hip_scale": 2.16}


def gait() -> Gait:
    return read_gait(WALK.values)


def body(**scales: float) -> Character:
    rig = standard_armature(**scales)
    return at_reference_size(build_character(rig, map_bones(rig), None))


def gains(character: Character) -> Tracker:
    tracker = Tracker(character, gait().gains)
    Physique(character).stiffen(tracker)
    return tracker


def ankle(angles: dict[str, float], leg: Leg) -> tuple[float, float, float]:
    """Return where a swing ankle is from its hip, m ahead and down, and the foot's pitch, degrees."""
    thigh, shin, foot = (angles[f"swing_{part}_pitch"] for part in ("thigh", "shin", "foot"))
    a, b = math.radians(thigh), math.radians(thigh + shin)
    ahead = -leg.thigh_length * math.sin(a) - leg.shin_length * math.sin(b)
    return ahead, leg.thigh_length * math.cos(a) + leg.shin_length * math.cos(b), thigh + shin + foot


RUN = preset("simbicon", "run")


def moment(character: Character) -> float:
    return moment_over_hips(character) / moment_over_hips(standard_character())


def test_a_run_leans_by_the_moment_of_what_is_over_the_hips() -> None:
    light, heavy = UPRIGHT
    power = read_gait(RUN.values).lean
    usual, low, tall = at_reference_size(standard_character()), body(leg_scale=1.2), body(leg_scale=0.85)
    assert lean_of(usual, power) == 1.0 and moment(usual) == pytest.approx(1.0)
    assert LEANS[0] < moment(low) < light < heavy < moment(tall) < LEANS[1]
    assert lean_of(low, power) == pytest.approx((light / moment(low)) ** power) and lean_of(low, power) > 1.1
    assert lean_of(tall, power) == pytest.approx((heavy / moment(tall)) ** power) and lean_of(tall, power) < 0.9
    assert lean_of(body(leg_scale=0.5), power) == pytest.approx((LEANS[1] / heavy) ** -power)  # no farther than tried
    assert lean_of(low, 0.0) == 1.0


def test_who_leans_farther_does_so_in_every_state_and_nothing_else_changes() -> None:
    graph = read_gait(RUN.values).graph(0)
    assert leant(graph, 1.0) is graph
    for own, plain in zip(leant(graph, 1.5), graph, strict=True):
        for name, knots in plain.angles.items():
            share = 1.5 if name == "pelvis_pitch" else 1.0
            assert own.angles[name] == tuple((phase, share * angle) for phase, angle in knots)


@pytest.mark.long
def test_a_run_goes_as_fast_as_it_should_on_long_legs() -> None:
    motion = simulate(Job(body(leg_scale=1.2), Path([(0, 0), (40, 0)]), RUN, 2.2, stop=False, duration=9.0))
    assert motion.outcome != "fell"
    late = motion.times > 6.0
    x, t = motion.root[late, 0], motion.times[late]
    assert (x[-1] - x[0]) / (t[-1] - t[0]) == pytest.approx(2.2, abs=0.11)  # 1.97 with the usual lean


@pytest.mark.long
def test_a_top_heavy_body_runs_a_short_path_and_stands() -> None:
    one = BODIES["short legs, large head"]()
    size = one.leg_length / REFERENCE_LEG
    way = Path(size * np.array(paths()["s-curve"].source))
    job = Job(one, way, RUN, 2.2 * size**0.5, ending=own_ending(RUN))
    enough(seeded(job, 3), 2)  # none arrives with the usual lean


def test_nothing_changes_for_people() -> None:
    for one in (at_reference_size(standard_character()), body(hip_scale=1.2, leg_scale=1.1)):
        fit, own, plain = Physique(one), gains(one), Tracker(one, gait().gains)
        assert (fit.speed, fit.shift, fit.carried) == (1.0, 1.0, 0.0)
        assert fit.graph(gait().graph(3)) is not None
        assert all(a == b for a, b in zip(fit.graph(gait().keys[0][1]), gait().keys[0][1], strict=True))
        for name in ("kp", "kd", "limit"):
            assert np.array_equal(getattr(own, name), getattr(plain, name))


def test_a_heavy_trunk_is_held_harder_and_walked_slower() -> None:
    one = body(leg_scale=0.6, head_scale=2.0)
    assert Physique(one).speed < 0.7
    assert gains(one).kp[0, 1] > 1.2 * Tracker(one, gait().gains).kp[0, 1]


def test_wide_hips_are_kept_level_and_shift_their_weight_less() -> None:
    one = body(hip_scale=2.5)
    fit, own, plain = Physique(one), gains(one), Tracker(one, gait().gains)
    assert 0.4 < fit.carried < 0.6
    assert fit.shift < 0.8
    assert own.kp[0, 0] / own.kp[0, 1] > 1.8 * plain.kp[0, 0] / plain.kp[0, 1]


@pytest.mark.parametrize("share", [0.5, 1.9])
def test_a_long_shin_and_a_short_one_put_the_foot_where_people_s_is(share: float) -> None:
    usual = legs_of(at_reference_size(standard_character()))[LEFT]
    lower = usual.length / (1.0 + share)
    leg = replace(usual, thigh_length=usual.length - lower, shin_length=lower)
    angles = {"swing_thigh_pitch": -29.0, "swing_shin_pitch": 60.0, "swing_foot_pitch": -20.0}
    other = usual.thigh_length / usual.shin_length
    found = same_ankle({name: ((0.0, angle),) for name, angle in angles.items()}, "swing", leg, other)
    own = {name: knots[0][1] for name, knots in found.items()}
    assert ankle(own, leg) == pytest.approx(ankle(angles, usual), abs=1e-6)


def test_long_feet_pitch_less() -> None:
    states, own = gait().keys[0][1], Physique(body(foot_scale=2.0)).graph(gait().keys[0][1])

    def pitch(angles: dict[str, tuple[tuple[float, float], ...]]) -> float:
        return sum(angles[f"swing_{part}_pitch"][0][1] for part in ("thigh", "shin", "foot"))

    assert 0.0 < pitch(dict(own[0].angles)) < 0.8 * pitch(dict(states[0].angles))


@pytest.mark.long
@pytest.mark.parametrize("scales", [{"leg_scale": 0.61, "head_scale": 2.0}, WIDE_HIPS])
def test_short_legs_and_wide_hips_set_off(scales: dict[str, float]) -> None:
    rig = standard_armature(**scales)
    one = build_character(rig, map_bones(rig), None)
    path = Path(one.leg_length / 0.9 * np.array([[0.0, 0.0], [40.0, 0.0]]))
    speed = 1.2 * math.sqrt(one.leg_length / 0.9)
    assert simulate(Job(one, path, WALK, speed=speed, duration=6.0 * math.sqrt(one.leg_length / 0.9))).outcome == "time"


@pytest.mark.long
def test_wide_hips_come_to_rest() -> None:
    """What a push is limited to is not used up by where the body leans: it fell as it stopped."""
    rig = standard_armature(**WIDE_HIPS)
    one = build_character(rig, map_bones(rig), None)
    size = one.leg_length / 0.9
    path = Path(size * np.array([[0.0, 0.0], [3.0, 0.0]]))
    assert simulate(Job(one, path, WALK, speed=1.2 * math.sqrt(size))).outcome == "arrived"
