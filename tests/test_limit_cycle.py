"""Limit-cycle control as a user runs it: jobs to motions, on bodies that would fall by their poses alone."""

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import yaw
from blender_biped.job import Job, Push
from blender_biped.motion.measures import report
from blender_biped.motion.motion import RATE, read_motion, write_motion
from blender_biped.physics.engine import Engine
from blender_biped.preset.cue import Cue
from blender_biped.preset.preset import preset
from blender_biped.simulate import simulate
from blender_biped.walking import controller_of
from blender_biped.world.path import Path
from tools.base.laszlo import laszlo_human

ARRAYS = ("times", "root", "rotations", "loads", "torques", "strikes", "lifts", "command", "perturbations")


def job(name="default", seconds=4.5, points=((0, 0), (50, 0)), **more):
    return Job(laszlo_human(), Path(points), preset("limit_cycle", name), 0.4, duration=seconds, **more)


def with_values(asked, **values):
    return replace(asked, preset=replace(asked.preset, values={**asked.preset.values, **values}))


@pytest.fixture(scope="module")
def walked():
    """Return a short walk from standing to standing, and its job."""
    asked = job(seconds=0.0, points=((0, 0), (1.4, 0)))
    return simulate(asked), asked


@pytest.mark.long
def test_a_cycle_that_falls_by_itself_walks_when_it_is_balanced(walked):
    motion, asked = walked
    alone = simulate(with_values(asked, balance={"dimensions": []}))
    assert alone.outcome == "fell"
    assert motion.outcome == "arrived" and motion.root[-1, 0] > 1.0
    assert len(motion.strikes) > 5 and (np.diff(motion.strikes[:, 1]) != 0.0).all()


@pytest.mark.long
def test_it_begins_standing_and_comes_to_rest_at_the_paths_end(walked):
    motion, asked = walked
    speed = np.linalg.norm(np.gradient(motion.com, motion.times, axis=0), axis=1)
    assert speed[: int(0.4 * RATE)].max() < 0.05 and motion.strikes[0, 0] > 0.5
    assert speed[-1] < 0.02 and motion.loads[-1].min() > 0.2 * motion.loads[-1].sum()
    found = report(motion, asked)
    assert not found["fell"] and found["arrival_m"] < 0.4 and found["stop_s"] < 3.0


@pytest.mark.parametrize(("name", "stands"), [("default", True), ("thesis", False)])
def test_what_begins_in_mid_step_ends_in_mid_walk(name, stands):
    asked = job(name)
    walk = controller_of(asked, 1.0 / 480.0)
    assert np.array_equal(walk.start()[1], asked.character.standing()[1]) == stands
    assert walk.can_rest == stands and walk.walking != stands


@pytest.mark.long
def test_a_standing_body_that_is_pushed_over_steps_and_stands_again(walked):
    """It was to rest; the steps that save it are tried as any other."""
    calm, asked = walked
    recorded = tuple(tuple(row) for row in calm.perturbations.tolist())
    push = Push("pelvis", float(calm.times[-1]) - 0.3, 0.2, (100.0, 0.0, 0.0))
    pushed = simulate(replace(asked, perturbations=recorded, pushes=(push,)))
    assert pushed.outcome == "arrived" and len(pushed.strikes) > len(calm.strikes)


@pytest.mark.long
def test_replayed_with_its_perturbations_it_is_the_same_bit_for_bit_and_nothing_is_tried(walked, monkeypatch):
    motion, asked = walked
    recorded = tuple(tuple(row) for row in motion.perturbations.tolist())
    monkeypatch.delattr(Engine, "tried")
    again = simulate(replace(asked, perturbations=recorded))
    for name in ARRAYS:
        assert np.array_equal(getattr(motion, name), getattr(again, name)), name


@pytest.mark.long
def test_its_perturbations_survive_the_file(walked, tmp_path):
    motion, _ = walked
    write_motion(motion, tmp_path / "motion.npz")
    assert np.array_equal(read_motion(tmp_path / "motion.npz").perturbations, motion.perturbations)


def test_perturbations_of_another_preset_are_refused():
    with pytest.raises(DataError, match=r"job\.perturbations\[0\]: expected 4 numbers, found 2"):
        simulate(job(perturbations=((1.0, 2.0),)))


@pytest.mark.long
def test_it_turns_to_where_the_path_goes():
    asked = job(points=((0, 0), (0.3, 0), (2, 3)))
    motion = simulate(with_values(asked, turning={**asked.preset.values["turning"], "after": 2}))
    assert motion.outcome == "time"
    assert float(yaw(motion.rotations[-1, 0])) > 0.2


@pytest.mark.long
def test_wind_is_leaned_into(walked):
    """A force that acts is known to the trials: the body meets it with its centre of mass."""
    calm, _ = walked
    windy = simulate(job(pushes=(Push("chest", 1.0, 60.0, (-40.0, 0.0, 0.0)),)))
    assert windy.outcome == "time"
    feet = [calm.character.index(f"foot.{side}") for side in "LR"]
    ahead = [float((m.com[:, 0] - m.origins[:, feet, 0].mean(axis=1))[-120:].mean()) for m in (calm, windy)]
    assert ahead[1] > ahead[0] + 0.01


@pytest.mark.long
def test_a_change_to_a_style_with_other_perturbations_is_recorded_and_replayed_without_trials(monkeypatch):
    """Steps of two numbers and of four: what the first have not is 0."""
    asked = job("thesis", 1.5, cues=(Cue(0.3, preset("limit_cycle", "default")),))
    motion = simulate(asked)
    assert motion.perturbations.shape[1] == 4 and not motion.perturbations[0, 2:].any()
    assert motion.perturbations[-1, 2:].any()
    monkeypatch.delattr(Engine, "tried")
    again = simulate(replace(asked, perturbations=tuple(map(tuple, motion.perturbations.tolist()))))
    assert np.array_equal(again.rotations, motion.rotations)
