"""Planar jobs: SIMBICON on a body in its sagittal plane, with the gaits of Yin 2007's Table 1."""

import math

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.character.standard import standard_character
from blender_biped.job import Job, Push
from blender_biped.preset.cue import Cue
from blender_biped.preset.preset import preset, presets
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tests.marks import long_but
from tools.base.yin import planar_biped

GAITS = (
    "walk", "in_place", "fast_walk", "high_step", "half_bent", "bent", "crouch", "scissor_hop", "back_walk",
    "fast_run", "run", "skip",
)  # fmt: skip


def gait(name):
    return preset("planar", name)


def job(name, character=None, length=20.0, **more):
    path = more.pop("path", None) or Path([(0, 0), (length, 0)])
    return Job(character or planar_biped(), path, gait(name), **more)


def test_the_twelve_gaits_are_there():
    assert {p.name for p in presets("planar")} == set(GAITS)


@pytest.mark.parametrize(
    ("path", "refused"),
    [
        (Path([(0, 0), (6, 0), (9, 3)]), True),
        (Path([(0, 0), (3, 0.2), (6, 0)]), True),
        (Path([(0, 0), (2, 0), (4, 0)], closed=True), True),
        (Path([(0, 0), (2, 2.0001), (4, 4)]), False),
    ],
)
def test_a_bent_path_is_refused_and_a_straight_one_taken(path, refused):
    asked = job("walk", path=path, duration=0.1)
    if not refused:
        assert simulate(asked).outcome == "time"
        return
    with pytest.raises(DataError, match="choose a straight path"):
        simulate(asked)


@pytest.mark.parametrize(
    "more",
    [
        {"facing": 1.0},
        {"cues": (Cue(1.0, gait("back_walk")),)},
    ],
)
def test_what_would_turn_the_body_is_refused(more):
    with pytest.raises(DataError, match="cannot turn"):
        simulate(job("walk", duration=0.1, **more))


def test_gaits_of_two_controllers_are_not_mixed():
    with pytest.raises(DataError, match="one controller"):
        simulate(job("walk", duration=0.1, cues=(Cue(1.0, preset("simbicon", "run")),)))


def test_the_motion_is_the_character_s_own_and_in_one_plane():
    """A heading that is no axis: the motion fits the rig's character, and no link leaves the plane or turns in it."""
    character = standard_character(mass=62.0)
    motion = simulate(job("walk", character, path=Path([(1, 2), (13, 18)]), duration=4.0))
    along, across = np.array([0.6, 0.8, 0.0]), np.array([-0.8, 0.6, 0.0])
    assert motion.character == character
    assert motion.outcome == "time"
    assert (motion.root[-1] - motion.root[0]) @ along > 1.0
    assert np.allclose((motion.root - (1.0, 2.0, 0.0)) @ across, 0.0, atol=1e-9)
    w, x, y, z = np.moveaxis(motion.rotations, -1, 0)
    axes = np.stack((2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)), axis=-1)
    assert np.allclose(axes, across, atol=1e-6)


# Table 1 of the paper in its own signs (hip +, knee -, ankle + flexion; torso - leans forward), rad: dwell, s, or FC
# for foot contact, c_d, c_v, torso, swing hip, swing knee, swing ankle, stance knee, stance ankle. nan: not readable,
# or, of the bent walk, re-authored.
X, FC = math.nan, math.inf
TABLE: dict[str, list[tuple[float, ...]]] = {
    "walk": [
        (0.30, 0.0, 0.20, 0.0, 0.40, -1.10, 0.20, -0.05, 0.20),
        (FC, 2.20, 0.0, 0.0, -0.70, -0.05, 0.20, -0.10, 0.20),
    ],
    "in_place": [
        (0.30, 0.0, 0.40, 0.0, 0.62, -1.10, 0.20, -0.05, 0.20),
        (FC, 1.55, 0.0, 0.0, -0.10, -0.05, 0.20, -0.10, 0.20),
    ],
    "fast_walk": [
        (0.27, 0.0, 0.20, -0.1, 0.73, -1.83, 0.20, -0.05, 0.20),
        (FC, 2.00, 0.0, -0.1, -0.70, -0.05, 0.20, -0.10, X),
    ],
    "high_step": [
        (0.30, 0.0, 0.20, 0.0, 1.00, -2.40, 0.20, -0.05, 0.20),
        (FC, 2.00, 0.0, 0.0, -0.70, -0.05, 0.20, -0.10, 0.20),
    ],
    "half_bent": [
        (0.23, 0.0, 0.20, -0.2, 0.62, -1.10, 0.0, -0.05, 0.0),
        (FC, 0.60, 0.0, -0.2, -0.10, -0.05, 0.0, -0.10, 0.0),
    ],
    "bent": [
        (0.30, 0.0, 0.20, X, 0.80, -1.10, 0.0, -0.05, 0.0),
        (FC, 0.60, 0.0, X, -0.10, -0.05, 0.0, -0.10, 0.0),
    ],
    "scissor_hop": [
        (0.21, X, X, X, X, X, X, X, 0.09),
        (FC, X, X, X, X, -0.27, 0.20, -0.10, 0.12),
    ],
    "back_walk": [
        (0.30, X, X, 0.3, X, X, X, X, 0.0),
        (FC, X, 0.0, 0.3, -0.10, -0.05, 0.0, -0.10, 0.0),
    ],
    "fast_run": [(0.15, 0.0, 0.20, -0.2, 1.08, -2.18, 0.20, -0.05, 0.27)],
    "run": [
        (0.21, 0.0, 0.20, 0.0, 0.80, -1.84, 0.20, -0.05, 0.27),
        (0.0, 0.0, 0.20, -0.2, 1.08, -2.18, 0.20, -0.05, 0.27),
    ],
    "skip": [
        (0.19, 0.0, X, X, X, X, X, X, 0.20),
        (0.12, 0.0, X, X, X, X, X, X, -1.60),
        (0.26, 0.0, X, X, X, X, X, X, 0.20),
        (FC, 0.18, 0.37, 0.0, -0.40, -0.03, 0.20, -0.10, 0.20),
    ],
}  # fmt: skip
ANGLES = (
    "pelvis_pitch", "swing_thigh_pitch", "swing_shin_pitch", "swing_foot_pitch", "stance_shin_pitch",
    "stance_foot_pitch",
)  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_printed_values_are_those_of_table_1(name):
    (key,) = gait(name).values["keys"]
    states = key["states"]
    assert len(states) == len(TABLE[name])
    for state, (dwell, c_d, c_v, *angles) in zip(states, TABLE[name], strict=True):
        assert state["until"] == ("contact" if dwell == FC else "time")
        if dwell != FC:
            assert state["dwell"] == dwell
        found = [*state["feedback"]["swing_thigh_pitch"], *(-math.radians(state["angles"][a]) for a in ANGLES)]
        for value, printed in zip(found, (c_d, c_v, *angles), strict=True):
            assert math.isnan(printed) or value == pytest.approx(printed, abs=1e-5)
        assert set(state["feedback"]) == {"swing_thigh_pitch"}
        assert set(state["angles"]) == set(ANGLES)


@pytest.fixture(scope="module", params=long_but(GAITS, "walk"))
def walked(request):
    """Return a gait's preset and its motion on the seven-link biped, from standing until it has its speed."""
    duration = 20.0 if request.param == "fast_run" else 6.0
    asked = job(request.param, length=60.0, duration=duration, speed=gait(request.param).values["usual"], stop=False)
    return asked.preset, simulate(asked)


def test_each_gait_walks_at_the_speed_it_says(walked):
    style, motion = walked
    assert motion.outcome == "time"
    last = motion.times > motion.times[-1] - 3.0
    speed = np.ptp(motion.root[last, 0]) / np.ptp(motion.times[last])
    slowest, fastest = style.values["speeds"]
    assert slowest - 0.1 <= speed <= fastest + 0.1
    assert len(motion.strikes) >= 8


def test_runs_skips_and_hops_fly_and_walks_do_not(walked):
    style, motion = walked
    flight = float((motion.loads[motion.times > 3.0].sum(axis=1) == 0.0).mean())
    if style.name in ("run", "fast_run", "skip", "scissor_hop"):
        assert flight > 0.1
    else:
        assert flight < 0.05


def test_feet_strike_in_turn_but_a_skip_hops_on_each(walked):
    style, motion = walked
    feet = motion.strikes[motion.strikes[:, 0] > 2.0, 1]
    turns = float((np.diff(feet) != 0.0).mean())
    assert turns == pytest.approx(0.5, abs=0.15) if style.name == "skip" else turns > 0.9


def test_a_back_walk_faces_where_it_comes_from(walked):
    style, motion = walked
    facing = 1.0 - 2.0 * (
        motion.rotations[:, 0, 3] ** 2 + motion.rotations[:, 0, 2] ** 2
    )  # the pelvis' x axis, along x
    assert motion.root[-1, 0] > motion.root[0, 0] or style.name == "in_place"
    assert (facing < -0.5).all() if style.name == "back_walk" else (facing > 0.5).all()


@pytest.mark.long
@pytest.mark.parametrize("name", GAITS)
def test_each_gait_walks_on_an_adult_too(name):
    motion = simulate(job(name, standard_character(), length=60.0, duration=4.0, stop=False))
    assert motion.outcome == "time"


def test_one_gait_follows_another_within_a_walk():
    """Section 7.1: from a state of the walk to the next one of the run."""
    motion = simulate(job("walk", length=60.0, duration=7.0, stop=False, cues=(Cue(3.0, gait("run")),)))
    flight = motion.loads.sum(axis=1) == 0.0
    assert motion.outcome == "time"
    assert flight[motion.times < 3.0].mean() < 0.05
    assert flight[motion.times > 5.0].mean() > 0.1


@pytest.mark.long
@pytest.mark.parametrize("force", [600.0, -500.0])
def test_the_walk_bears_the_paper_s_pushes(force):
    """Section 7.1: 0.1 s on the trunk; here at two of the stride's phases, early and late in a step."""
    for time in (6.0, 6.2):
        asked = job(
            "walk", length=60.0, duration=10.0, stop=False, pushes=(Push("pelvis", time, 0.1, (force, 0.0, 0.0)),)
        )
        motion = simulate(asked)
        assert motion.outcome == "time"
