"""Job to Motion, as a user of the package runs it."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path as FilePath

import numpy as np
import pytest

from blender_biped import walking
from blender_biped.base.errors import DataError
from blender_biped.base.spatial import quaternion_matrix
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import kind_of, kinds
from blender_biped.job import Job, Push, job_from_json, read_job, write_job
from blender_biped.klaw import carriage as klaw_carriage
from blender_biped.klaw import pose as klaw_pose
from blender_biped.klaw import walk as klaw_walk
from blender_biped.motion import recorded, rows
from blender_biped.motion.motion import RATE, read_motion, write_motion
from blender_biped.motion.watch import Watch
from blender_biped.preset.cue import Cue
from blender_biped.preset.preset import Preset, preset, presets
from blender_biped.preset.transitions import ending, read_transitions
from blender_biped.simulate import simulate, simulate_into
from blender_biped.walking import control_step, sample_steps, time_limit
from blender_biped.world.path import Path
from blender_biped.world.path_points import PathPoint
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import World
from tests.walks import enough, reports, seeded, walks_well
from tools.trials.stairs import ground_of

ROOT = FilePath(__file__).parent.parent


def walk(length=4.0, **more):
    more.setdefault("preset", preset("generalized", "default"))
    return Job(standard_character(), Path([(0, 0), (length, 0)]), **more)


@pytest.fixture(scope="module")
def straight():
    """Return a short walk and its job, and the progress that was told."""
    told: list[float] = []
    job = walk(2.6, speed=1.0)
    return simulate(job, Watch(told.append)), job, told


def same(motion, other):
    """Check that two motions are the same, bit for bit."""
    for name in ("times", "root", "rotations", "loads", "torques", "strikes", "lifts", "command"):
        assert np.array_equal(getattr(motion, name), getattr(other, name)), name


def test_the_finest_rate_of_all_gaits_of_a_walk_is_taken():
    walk = preset("simbicon", "walk").values
    fine = {**walk, "rate": 360.0}
    assert control_step(kind_of("simbicon"), [walk]) == pytest.approx(1.0 / 240.0)
    assert (
        control_step(kind_of("simbicon"), [walk, fine])
        == control_step(kind_of("simbicon"), [fine])
        == pytest.approx(1.0 / 360.0)
    )
    with pytest.raises(DataError, match="rate"):
        control_step(kind_of("simbicon"), [{**walk, "rate": 10.0}])


@pytest.mark.parametrize("controller", ["generalized", "limit_cycle", "simbicon", "planar"])
def test_every_preset_has_a_rate(controller):
    assert all(1e-3 < control_step(kind_of(controller), [one.values]) < 5e-3 for one in presets(controller))


@pytest.mark.parametrize("scale", [0.7, 0.8, 0.9, 1.0, 1.05, 1.3])
def test_coarse_steps_are_no_coarser_for_any_size(scale):
    steps = sample_steps(walk(preset=preset("simbicon", "walk")), kind_of("simbicon"), scale)
    assert 1.0 / 360.0 < 1.0 / (RATE * scale * steps) < 1.06 / 240.0


def test_steps_are_shorter_among_things_and_on_ground_that_is_not_flat():
    job = walk(preset=preset("natural", "default"))
    box = Thing("Box", Solid("box", (0.1, 0.1, 0.1)), (3.0, 3.0, 0.1))
    ground, _ = ground_of([(1.0, 0.1)], beyond=1.0)
    step = replace(job, world=World(ground=ground))
    natural, generalized = kind_of("natural"), kind_of("generalized")
    among = replace(job, world=World(things=(box,)))
    assert sample_steps(job, natural, 1.0) == 2
    assert sample_steps(step, natural, 1.0) == sample_steps(among, natural, 1.0) == 3
    assert sample_steps(among, generalized, 1.0) == sample_steps(job, generalized, 1.0) == 3


def test_it_walks_there_and_stops(straight):
    motion, job, told = straight
    assert motion.outcome == "arrived"
    assert np.linalg.norm(motion.root[-1, :2] - job.path.position(job.path.length)) < 0.3
    assert len(motion.strikes) >= 5
    assert told == sorted(told)
    assert 0.9 < told[-1] <= 1.0


def test_samples_are_even_and_unit(straight):
    motion, _, _ = straight
    assert np.allclose(np.diff(motion.times), 1.0 / RATE)
    assert np.allclose(np.linalg.norm(motion.rotations, axis=-1), 1.0, atol=1e-6)
    assert (np.sum(motion.rotations[1:] * motion.rotations[:-1], axis=-1) > 0.0).all()


def test_feet_strike_in_turn_where_they_bear_weight(straight):
    motion, _, _ = straight
    feet = motion.strikes[:, 1]
    assert (np.diff(feet) != 0).all()
    for time, foot in motion.strikes[:-1]:
        after = (motion.times > time) & (motion.times < time + 0.15)
        assert motion.loads[after, int(foot)].max() > 0.3 * motion.character.mass * 9.81


def test_nothing_but_gravity_ground_and_joints_moves_it(straight):
    """Newton: the centre of mass accelerates by what the ground answers, all along the walk."""
    motion, _, _ = straight
    velocity = np.gradient(motion.com, motion.times, axis=0)
    impulse = (motion.loads.sum(axis=1) - motion.character.mass * 9.81).mean() * motion.duration
    gained = motion.character.mass * (velocity[-2, 2] - velocity[1, 2])
    assert impulse == pytest.approx(gained, abs=0.03 * motion.character.mass * 9.81 * motion.duration)


@pytest.mark.long
def test_the_same_job_gives_the_same_motion_bit_for_bit(straight):
    motion, job, _ = straight
    same(motion, simulate(job))


@pytest.mark.long
def test_another_process_gives_the_same_motion_bit_for_bit(straight, tmp_path):
    motion, job, _ = straight
    write_job(job, tmp_path / "job.json")
    done = subprocess.run(
        [sys.executable, "-m", "blender_biped.simulate", tmp_path / "job.json", tmp_path / "motion.npz"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert messages[-1] == {"type": "done"}
    same(motion, read_motion(tmp_path / "motion.npz"))


@pytest.mark.long
def test_a_motion_that_is_written_in_portions_is_the_same_bit_for_bit(straight, tmp_path, monkeypatch):
    for place in (rows, recorded):
        monkeypatch.setattr(place, "PORTION", 50)
    motion, job, _ = straight
    simulate_into(job, tmp_path / "motion.npz")
    assert len(motion.times) > 400
    same(motion, read_motion(tmp_path / "motion.npz"))


@pytest.mark.long
def test_a_motion_that_is_written_as_it_comes_is_the_same_bit_for_bit(tmp_path, monkeypatch):
    """Turning round twice, so that rotations change their signs, which must not be seen where portions meet."""
    for place in (rows, recorded):
        monkeypatch.setattr(place, "PORTION", 50)
    turns = np.linspace(0.0, 2.0 * np.pi, 33)[:-1]
    circle = Path(np.stack((1.2 * np.sin(turns), 1.2 - 1.2 * np.cos(turns)), axis=1), closed=True, laps=2)
    job = replace(walk(speed=1.0, duration=8.0), path=circle)
    whole = simulate(job)
    simulate_into(job, tmp_path / "motion.npz")
    assert [file.name for file in tmp_path.iterdir()] == ["motion.npz"]
    other = read_motion(tmp_path / "motion.npz")
    assert len(whole.times) > 900 and (other.character, other.outcome) == (whole.character, whole.outcome)
    assert (np.sum(whole.rotations[1:] * whole.rotations[:-1], axis=-1) > 0.0).all()
    same(whole, other)


@pytest.mark.long
def test_a_longer_walk_takes_no_more_memory(tmp_path):
    """A quarter of a minute more is 2 MB in the file."""
    shorter = _most_memory(walk(100.0, duration=11.0), tmp_path)
    assert _most_memory(walk(100.0, duration=22.0), tmp_path) - shorter < 0.6


@pytest.mark.long
def test_a_longer_walk_of_klaw_takes_less_memory_than_its_file(tmp_path):
    """Its rotations go into a file as they come; where it goes and what it does there is in memory."""
    job = replace(walk(700.0), preset=preset("klaw", "walk"), stop=False)
    shorter = _most_memory(replace(job, duration=60.0), tmp_path)
    longer = _most_memory(replace(job, duration=360.0), tmp_path)
    assert longer - shorter < 1.2 * 300.0 * 0.124  # MB a second of the file; it was 2.2 times that


@pytest.mark.parametrize("style", ["walk", "heavy"])
def test_a_walk_of_klaw_in_portions_is_the_same(tmp_path, monkeypatch, style):
    """Waiting once, so that portions end within its legs and where they meet."""
    job = replace(walk(speed=1.0), preset=preset("klaw", style), along=(PathPoint(2.0, wait=1.0),))
    whole = simulate(job)
    for place in (rows, recorded, klaw_walk, klaw_pose, klaw_carriage):
        monkeypatch.setattr(place, "PORTION", 50)
    simulate_into(job, tmp_path / "motion.npz")
    assert [file.name for file in tmp_path.iterdir()] == ["motion.npz"]
    other = read_motion(tmp_path / "motion.npz")
    assert len(whole.times) > 400 and other.outcome == whole.outcome == "arrived"
    assert (np.sum(other.rotations[1:] * other.rotations[:-1], axis=-1) > 0.0).all()
    for name in ("times", "root", "rotations", "torques", "strikes", "lifts", "command"):
        assert np.abs(getattr(whole, name) - getattr(other, name)).max(initial=0.0) < 1e-12, name
    assert np.abs(whole.loads - other.loads).max() < 1e-6  # N: of accelerations


def _most_memory(job, folder):
    """Return the most memory, MB, that a process takes which simulates a job."""
    write_job(job, folder / "job.json")
    code = (
        "from blender_biped import simulate\nfrom tools.base.memory import peak_memory\n"
        f"simulate.main([{str(folder / 'job.json')!r}, {str(folder / 'motion.npz')!r}])\n"
        "print(peak_memory() or 0.0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    most = float(done.stdout.split()[-1])
    if most == 0.0:
        pytest.skip("this system does not say what memory a process takes")
    return most


def test_a_motion_survives_its_file(straight, tmp_path):
    motion, _, _ = straight
    write_motion(motion, tmp_path / "motion.npz")
    back = read_motion(tmp_path / "motion.npz")
    assert back.character == motion.character
    assert (back.outcome, back.cpu) == (motion.outcome, motion.cpu)
    assert np.array_equal(back.rotations, motion.rotations)


def test_a_start_along_the_path_and_any_ground():
    motion = simulate(walk(6.0, start=2.0, ground=3.0, duration=1.0))
    assert np.allclose(motion.root[0], [2.0, 0.0, 3.0 + motion.character.stand_height], atol=1e-3)
    assert motion.outcome == "time"
    assert motion.duration == pytest.approx(1.0, abs=2 / RATE)


@pytest.mark.parametrize("facing", [0.6, -0.6])
def test_it_looks_to_the_left_of_where_it_goes(facing):
    job = Job(standard_character(), Path([(0, 0), (4, 0)]), preset("simbicon", "walk"), facing=facing, duration=0.1)
    for ahead in quaternion_matrix(simulate(job).rotations[[0, -1], 0])[:, :, 0]:
        assert np.arctan2(ahead[1], ahead[0]) == pytest.approx(facing, abs=0.02)


def test_a_walk_with_cues_has_the_time_that_its_last_gait_needs():
    gait = preset("simbicon", "walk")
    fast = Job(standard_character(), Path([(0, 0), (30, 0)]), gait, speed=1.4)
    slow = replace(fast, cues=(Cue(4.0, gait, speed=0.3),))
    assert time_limit(fast) < 30.0 / 0.3
    assert time_limit(slow) > 4.0 + 30.0 / 0.3
    assert time_limit(replace(slow, cues=(Cue(4.0, gait),))) == pytest.approx(4.0 + time_limit(fast))
    late = replace(fast, along=(PathPoint(2.0, speed=0.3), PathPoint(3.0, time=50.0, wait=5.0)))
    assert time_limit(late) > 50.0 + 5.0 + 30.0 / 0.3


class Restless:
    """A controller that stands, and says of itself that it came to rest, had to step again, and came to rest again."""

    def __init__(self, controller):
        self.controller, self.time = controller, 0.0

    def __getattr__(self, name):
        return getattr(self.controller, name)

    def torques(self, state, command):
        self.time = state.time
        return self.controller.torques(state, command)

    @property
    def resting(self):
        return 0.5 <= self.time < 0.7 or self.time >= 2.0

    @property
    def speed(self):
        return 0.1 if self.time < 2.2 else 0.0  # m/s


def test_a_walk_that_stood_and_must_step_again_ends_when_it_stands_again(monkeypatch):
    made = walking.controller_of
    monkeypatch.setattr(walking, "controller_of", lambda job, step: Restless(made(job, step)))
    motion = simulate(walk(3.0, start=3.0, preset=preset("simbicon", "walk")))
    assert motion.outcome == "arrived"
    assert motion.duration == pytest.approx(2.2 + 0.5, rel=0.03)  # half a second of standing; of a leg of 0.9 m


@pytest.mark.long
def test_pushed_while_it_stands_it_steps_and_stands_again():
    job = walk(1.5, preset=preset("simbicon", "walk"), speed=0.8)
    stood = simulate(job).duration
    pushed = seeded(replace(job, pushes=(Push("chest", stood - 0.3, 0.15, (120.0, 0.0, 0.0)),)), 3)
    arrived = enough(pushed, 2)
    assert all(figures["arrival_m"] is not None for figures in reports(*zip(*arrived, strict=True)))  # it is still
    assert all((motion.strikes[:, 0] > stood - 0.3).any() for motion, _ in arrived)


@pytest.mark.long
def test_it_walks_runs_and_comes_to_stand_at_the_end_of_a_curve():
    gait, run = preset("simbicon", "walk"), preset("simbicon", "run")
    known = {style.name: style for style in presets("simbicon")}
    along = np.linspace(0.0, 24.0, 120)
    bend = Path(np.stack((along, 1.2 * np.sin(2.0 * np.pi * along / 24.0)), axis=1))
    stop = ending(run, read_transitions("simbicon"), known)
    job = Job(standard_character(), bend, gait, 1.0, cues=(Cue(5.0, run, 0, 2.2),), ending=stop)
    motion = simulate(job)
    assert walks_well(motion, job, lambda f: f["path_deviation_mean_m"] < 0.25 and f["arrival_m"] < 0.4)
    fastest = np.diff(motion.root[:: int(RATE), 0]).max()
    assert fastest > 1.8


def test_a_mighty_push_fells_it_and_is_said():
    motion = simulate(walk(6.0, pushes=(Push("chest", 0.5, 0.3, (0.0, 2500.0, 0.0)),)))
    assert motion.outcome == "fell"
    assert np.isfinite(motion.root).all()


def test_job_json_round_trip():
    points = (PathPoint(1.0, speed=0.5, ease=0.3), PathPoint(2.0, time=4.0, wait=1.0))
    cues = (Cue(0.0, preset("generalized", "default"), place=2.5),)
    push = Push("chest", 1.0, 0.1, (1.0, 2.0, 3.0))
    job = walk(speed=0.8, start=0.5, pushes=(push,), seed=4, along=points, cues=cues)
    back = job_from_json(json.loads(json.dumps(job.as_json())))
    assert back.as_json() == job.as_json()
    assert back.along == points and back.cues == cues


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"version": 99}, "version 1"),
        ({"speed": None}, r"job\.speed"),
        ({"speed": float("nan")}, r"job\.speed.*finite"),
        ({"speed": -1.0}, r"job\.speed.*range"),
        ({"start": 99.0}, "beyond the path's end"),
        ({"stop": 1}, r"job\.stop"),
        ({"pushes": [{"role": "tail"}]}, r"pushes\[0\]"),
        ({"path": {"points": [[0, 0], [0.005, 0]]}}, "0.005 m"),
        ({"along": [{"place": 99.0}]}, r"job\.along\[0\]\.place.*range"),
        ({"along": 5}, r"job\.along.*list"),
        ({"preset": {"version": 1, "name": "x"}}, r"job\.preset\.controller"),
        ({"character": {"name": "x", "links": []}}, "pelvis"),
    ],
)
def test_a_wrong_job_names_its_field(change, word):
    data = {**walk().as_json(), **change}
    with pytest.raises(DataError, match=word):
        job_from_json(data)


@pytest.mark.parametrize("missing", ["version", "character", "path", "preset", "speed"])
def test_a_missing_field_is_named(missing):
    data = walk().as_json()
    del data[missing]
    with pytest.raises(DataError, match=rf"job\.{missing} is missing"):
        job_from_json(data)


def test_a_file_that_is_no_job_is_refused(tmp_path):
    (tmp_path / "job.json").write_text("{broken")
    with pytest.raises(DataError, match="not valid JSON"):
        read_job(tmp_path / "job.json")
    with pytest.raises(DataError, match="Cannot read"):
        read_job(tmp_path / "nowhere.json")


def test_the_command_line_says_what_is_wrong(tmp_path):
    (tmp_path / "job.json").write_text("{}")
    done = subprocess.run(
        [sys.executable, "-m", "blender_biped.simulate", tmp_path / "job.json", tmp_path / "motion.npz"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "job.version is missing" in done.stdout
    assert not (tmp_path / "motion.npz").exists()


def test_presets_are_listed_read_and_refused(tmp_path):
    assert "generalized" in [kind.name for kind in kinds()]
    assert presets("generalized")[0].name == "default"
    with pytest.raises(DataError, match=r"no preset 'stroll' for generalized; choose one of .*default"):
        preset("generalized", "stroll")
    with pytest.raises(DataError, match=r"no controller 'magic'; choose one of .*generalized"):
        preset("magic", "default")
    folder = tmp_path / "generalized"
    folder.mkdir()
    (folder / "odd.json").write_text(json.dumps({"version": 2}))
    with pytest.raises(DataError, match=r"odd\.json\.version is 2"):
        preset("generalized", "odd", tmp_path)


@pytest.mark.parametrize(
    ("place", "value", "word"),
    [
        (("gait", "width"), "wide", r"gait\.width: expected a number"),
        (("gait", "step_time"), [[0.5, 1.0], [0.2, 1.0]], r"step_time.*rising"),
        (("gains", "hip"), [1.0, 2.0], r"gains\.hip: expected 3 numbers"),
        (("gains", "hip"), [1.0, -2.0, 3.0], "negative"),
        (("style", "tail_pitch"), [[0.0, 1.0]], "tail"),
    ],
)
def test_a_wrong_preset_names_its_field(place, value, word):
    values = json.loads(json.dumps(dict(preset("generalized", "default").values)))
    values[place[0]][place[1]] = value
    job = Job(standard_character(), Path([(0, 0), (4, 0)]), Preset("own", "generalized", "Own", "", values))
    with pytest.raises(DataError, match=word):
        simulate(job)


@pytest.mark.parametrize("kind", ["generalized", "klaw"])
def test_a_path_of_many_hours_is_refused_at_once(kind):
    """A thousand laps are a mistake, or take the machine's memory in KLAW and its day in the others."""
    turns = np.linspace(0.0, 2.0 * np.pi, 33)[:-1]
    circle = Path(np.stack((2.0 * np.sin(turns), 2.0 * np.cos(turns)), axis=1), closed=True, laps=1000)
    job = replace(walk(speed=1.2, preset=presets(kind)[0]), path=circle)
    with pytest.raises(DataError, match=r"takes 2\.9 hours at 1\.20 m/s, and an hour is walked at a time: take fewer"):
        simulate(job)
    assert simulate(replace(job, duration=0.3)).duration == pytest.approx(0.3, abs=0.02)
