"""Several walks in one world: they bump into each other, and where they do not they walk as alone."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path as FilePath
from statistics import median

import numpy as np
import pytest

from blender_biped.base.errors import DataError, WorkerError
from blender_biped.base.limits import MAX_COMPANIONS
from blender_biped.character.standard import standard_character
from blender_biped.company import (
    MOST_LARGER,
    Companion,
    Company,
    can_bump,
    company_from_json,
    motion_file,
    read_work,
    write_work,
)
from blender_biped.control.registry import kinds, presets
from blender_biped.job import Job, Push
from blender_biped.motion import measures
from blender_biped.motion.motion import RATE, read_motion
from blender_biped.motion.similarity import Similarity
from blender_biped.motion.summary import ended
from blender_biped.motion.watch import Watch
from blender_biped.simulate import simulate
from blender_biped.together import walked_together
from blender_biped.worker import CancelledError, Worker, library_folders
from blender_biped.world.path import Path
from blender_biped.world.terrain import Terrain
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import World
from tests.walks import seeded

ROOT = FilePath(__file__).parent.parent
BODY = standard_character()
STYLE = presets("generalized")[0]
LENGTH = 2.0
ASIDE = 0.2  # m between the ways of two that meet head-on: their trunks do not fit


def named(name, body=BODY):
    return replace(body, name=name)


def there(name="Ann", length=LENGTH, **more):
    """Return a walk ahead along x."""
    return Job(**{"character": named(name), "path": Path([(0, 0), (length, 0)]), "preset": STYLE, **more})


def back(name="Bob", aside=ASIDE, length=LENGTH, **more):
    """Return a walk the other way, on a line that is shifted."""
    return Job(**{"character": named(name), "path": Path([(length, aside), (0, aside)]), "preset": STYLE, **more})


def company(*jobs, starts=()):
    return Company(tuple(map(Companion, jobs, starts or [0.0] * len(jobs))))


def smaller(size, name="Child"):
    """Return the standard body, so many times as large."""
    return named(name, Similarity(1 / size, 1 / math.sqrt(size), 1 / size**3).character(BODY))


def same(one, other, until=None):
    """Return whether two motions are the same, bit for bit. until: s, None for to their ends."""
    end = None if until is None else int(until * RATE)
    names = ("root", "rotations", "loads", "torques", "command")
    return all(np.array_equal(getattr(one, name)[:end], getattr(other, name)[:end]) for name in names)


NEAR = 1.6  # m that two are apart who are soon to meet
MEETING = there(length=NEAR, duration=2.8), back(length=NEAR, duration=2.8)  # until they have pushed each other


@pytest.fixture(scope="module")
def alone():
    return [simulate(job) for job in MEETING]


@pytest.fixture(scope="module")
def met():
    return walked_together(company(*MEETING))


# --- who meets -------------------------------------------------------------------------------------------------------


def test_two_that_meet_push_each_other_and_walked_as_alone_until_then(met, alone):
    assert len(met[0].times) == len(met[1].times)
    apart = np.linalg.norm(met[0].root[:, :2] - met[1].root[:, :2], axis=1)
    near = int(np.argmax(apart < 1.2)) / RATE  # arms do not reach so far
    assert near > 0.5
    for own, lone in zip(met, alone, strict=True):
        assert same(own, lone, near)
        count = min(len(own.times), len(lone.times))
        assert np.abs(own.root[:count] - lone.root[:count]).max() > 0.05
    assert apart.min() > 0.1  # nobody goes through the other


@pytest.mark.long
def test_the_same_company_gives_the_same_motions_bit_for_bit(met):
    for one, other in zip(met, walked_together(company(*MEETING)), strict=True):
        assert same(one, other) and np.array_equal(one.strikes, other.strikes) and one.outcome == other.outcome


@pytest.mark.long
def test_who_meet_nobody_walk_as_alone_bit_for_bit_and_stand_on_until_all_are_there():
    jobs = there(length=1.2), back(aside=5.0)
    short, long = walked_together(company(*jobs))
    assert [ended(m, j) for m, j in zip((short, long), jobs, strict=True)] == ["arrived", "arrived"]
    own = simulate(jobs[0])
    assert same(short, own, own.duration) and len(short.times) == len(long.times) > len(own.times)
    assert np.abs(short.root[-1] - own.root[-1]).max() < 0.02
    assert same(long, simulate(jobs[1]))


@pytest.mark.long
@pytest.mark.parametrize("name", [kind.name for kind in kinds() if can_bump(kind)])
def test_whoever_walks_far_away_changes_nothing_bit_for_bit_whenever_it_begins(name):
    own = there(preset=presets(name)[0], speed=1.0, duration=1.2)
    lone, far = simulate(own), replace(own, character=named("Bob"), path=Path([(0, 50), (LENGTH, 50)]))
    motions = [walked_together(company(own, far))[0], walked_together(company(far, own, starts=(0.0, 0.25)))[1]]
    for motion in motions:
        assert same(motion, lone) and np.array_equal(motion.strikes, lone.strikes)
        assert len(motion.times) == len(lone.times)


@pytest.mark.long
def test_natural_walks_on_the_same_soles_beside_another():
    """In one world contacts are solved in another order than alone: the walks differ, by no more than two starts do."""
    deep, alone = [], []
    for own in seeded(there(preset=presets("natural")[0], speed=1.0, duration=2.5), 3):
        other = replace(own, character=named("Bob"), path=Path([(0, 3), (LENGTH, 3)]))
        beside, _ = walked_together(company(own, other))
        lone = simulate(own)
        assert np.abs(beside.root - lone.root).max() < 0.02
        deep.append(measures.penetration(beside, own))
        alone.append(measures.penetration(lone, own))
    assert median(deep) < 1.5 * max(alone)


@pytest.mark.long
def test_each_walks_on_the_ground_of_its_own_job():
    corners = [(x, y, 0.05 * x) for x in (-4.0, 8.0) for y in (-4.0, 4.0)]
    slope = World(ground=Terrain(np.array(corners), np.array([[0, 2, 3], [0, 3, 1]])))
    jobs = there(length=1.5, world=slope), back(aside=2.5, length=1.5, ground=-1.0)
    for motion, job in zip(walked_together(company(*jobs)), jobs, strict=True):
        own = simulate(job)
        assert same(motion, own, own.duration) and ended(motion, job) == "arrived"


@pytest.mark.long
def test_one_that_fell_lies_in_the_way_of_another():
    fells = there(length=3.0, ragdoll=8.0, pushes=(Push("chest", 1.8, 0.2, (0.0, 700.0, 0.0)),))
    walker = Job(named("Bob"), Path([(1.6, 1.5), (-1.0, 1.5)]), STYLE)  # across its legs
    lying, walking = walked_together(company(fells, walker, starts=(0.0, 3.5)))
    lone = simulate(walker)
    at = measures.fell_at(lying, fells)
    assert at is not None and at < 3.5 and lying.root[int(3.5 * RATE) :, 2].max() < 0.5 * BODY.stand_height
    count = min(len(walking.times), len(lone.times))
    assert same(walking, lone, 0.5) and np.abs(walking.root[:count] - lone.root[:count]).max() > 0.02
    assert lying.times[-1] == pytest.approx(walking.times[-1] + 3.5, abs=2.0 / RATE)


@pytest.mark.long
def test_who_begins_later_stands_there_before_as_it_begins():
    early, late = there(length=1.5), Job(named("Bob"), Path([(1.0, 0.15), (1.0, 1.5)]), STYLE)
    first, second = walked_together(company(early, late, starts=(1.0, 5.0)))  # the first one's start is time 0
    lone = simulate(early)
    count = min(len(first.times), len(lone.times))
    assert np.abs(first.root[:count] - lone.root[:count]).max() > 0.05
    assert second.root[0, :2] == pytest.approx((1.0, 0.15), abs=0.02)
    assert first.times[-1] == pytest.approx(second.times[-1] + 4.0, abs=2.0 / RATE)


@pytest.mark.long
def test_one_that_ends_in_mid_walk_ends_there_and_the_other_goes_on():
    passing, other = there(length=1.2, stop=False), back(aside=5.0)
    first, second = walked_together(company(passing, other))
    assert same(first, simulate(passing)) and ended(first, passing) == "passed"
    assert len(second.times) > len(first.times)


@pytest.mark.long
def test_one_that_the_other_had_arrived_before_is_bumped_where_it_stands():
    stands, comes = there(length=1.0), back(aside=0.1)
    alone = simulate(stands)
    first, _ = walked_together(company(stands, comes, starts=(0.0, alone.duration - 1.0)))
    assert same(first, alone, alone.duration)
    stood = first.root[int(alone.duration * RATE) - 1]
    assert np.linalg.norm(first.root - stood, axis=1)[int(alone.duration * RATE) :].max() > 0.05


# --- of different sizes and controllers ------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("size", [0.5, 1.0 / MOST_LARGER])
def test_bodies_of_different_sizes_walk_in_one_world(size):
    child = Job(smaller(size), Path([(0, 5), (max(1.5 * size, 0.6), 5)]), STYLE, 1.2 * math.sqrt(size))
    jobs = there(length=1.5), child
    for motion, job in zip(walked_together(company(*jobs)), jobs, strict=True):
        assert ended(motion, job) == "arrived"
        assert measures.penetration(motion, job) < 12.0
        assert motion.character == job.character
        end = motion.root[-1, :2] - job.path.source[-1]
        assert np.linalg.norm(end) < 0.2 * job.character.leg_length
        assert motion.loads.sum(axis=1).mean() == pytest.approx(job.character.mass * 9.81, rel=0.05)


@pytest.mark.long
def test_an_adult_bumps_a_child_out_of_its_way():
    child = Job(smaller(0.5), Path([(1.5, 0.05), (-1.0, 0.05)]), STYLE, 0.6, ragdoll=1.0)
    adult = there(length=2.0)
    _, small = walked_together(company(adult, child))
    lone = simulate(child)
    count = min(len(small.times), len(lone.times))
    assert np.linalg.norm(small.root[:count] - lone.root[:count], axis=1).max() > 0.2


@pytest.mark.long
def test_controllers_of_different_rates_walk_in_one_world():
    jobs = [
        replace(there(), preset=presets(name)[0], path=Path([(0, 3.0 * i), (1.5, 3.0 * i)]), speed=0.9)
        for i, name in enumerate(("natural", "simbicon", "limit_cycle"))
    ]
    motions = walked_together(company(*jobs))
    assert [ended(motion, job) for motion, job in zip(motions, jobs, strict=True)] == ["arrived"] * 3


# --- files and processes ---------------------------------------------------------------------------------------------


def test_a_company_comes_back_from_its_file(tmp_path):
    own = company(there(), back(), starts=(0.0, 1.5))
    write_work(own, tmp_path / "job.json")
    assert read_work(tmp_path / "job.json").as_json() == own.as_json()
    write_work(there(), tmp_path / "job.json")
    assert read_work(tmp_path / "job.json").as_json() == there().as_json()


def data(*jobs, **more):
    return {**company(*jobs).as_json(), **more}


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (data(there(), version=2), "company.version"),
        (data(there(), more=1), "company.more: there is no such field"),
        ({"version": 1, "company": {}}, "company.company: expected a list"),
        ({"version": 1, "company": [1]}, r"company\[0\]: expected an object"),
        ({"version": 1, "company": [{"start": 0.0}]}, r"company\[0\].job is missing"),
        ({"version": 1, "company": [{"start": -1.0, "job": there().as_json()}]}, r"company\[0\].start: -1"),
        ({"version": 1, "company": [{"start": math.nan, "job": there().as_json()}]}, r"company\[0\].start"),
        ({"version": 1, "company": [{"job": {**there().as_json(), "speed": -1.0}}]}, r"company\[0\]: job.speed: -1"),
        ({"version": 1, "company": []}, "no character"),
        (data(*[there()] * (MAX_COMPANIONS + 1)), f"at most {MAX_COMPANIONS}"),
    ],
)
def test_bad_files_are_refused_by_what_is_wrong(broken, message, tmp_path):
    with pytest.raises(DataError, match=message):
        company_from_json(broken)
    (tmp_path / "job.json").write_text(json.dumps(broken), encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_work(tmp_path / "job.json")


BOX = World(things=(Thing("Box", Solid("box", half=(0.1, 0.1, 0.1)), (9.0, 9.0, 0.1)),))


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (back(preset=presets("klaw")[0]), "'Bob': KLAW is no simulation of the body.*another controller"),
        (back(preset=presets("planar")[0]), "'Bob': .* is no simulation of the body in space.*another controller"),
        (back(gravity=20.0), "'Bob' and 'Ann' walk under different gravity.*Pace"),
        (back(character=smaller(0.9 / MOST_LARGER)), "'Ann' are 8.9 times as long as those of 'Child'"),
        (back(world=BOX), "'Bob' and 'Ann' are among different things"),
        (back(path=Path([(0.1, 0.0), (3.0, 0.0)])), r"'Ann' and 'Bob' begin 0.\d\d m inside each other: move"),
        (back(character=smaller(2.0, "Bob"), length=0.8, aside=5.0), "'Bob': The path is 0.8 m long"),
        (back(preset=replace(STYLE, values={"speed_gain": "fast"})), "'Bob': "),
    ],
)
def test_what_cannot_walk_together_is_refused_and_named(other, message):
    with pytest.raises(DataError, match=message):
        walked_together(company(there(), other))


def test_too_many_and_none_are_refused():
    with pytest.raises(DataError, match=f"{MAX_COMPANIONS + 1} characters"):
        walked_together(company(*[there()] * (MAX_COMPANIONS + 1)))
    with pytest.raises(DataError, match="no character"):
        walked_together(Company(()))


def test_no_job_falls_back():
    falls = there(length=3.0, fall_back=True, pushes=(Push("chest", 0.3, 0.2, (0.0, 900.0, 0.0)),))
    (motion,) = walked_together(company(falls))
    assert motion.outcome == "fell" and motion.attempt is None


@pytest.mark.long
def test_props_are_recorded_of_whoever_begins_first():
    ball = World(things=(Thing("Ball", Solid("sphere", radius=0.1), (0.8, 0.0, 0.1), mass=1.0),))
    jobs = there(world=ball, length=2.0), back(world=ball, aside=3.0, length=2.0)
    first, second = walked_together(company(*jobs, starts=(0.0, 0.5)))
    assert first.props.shape == (len(first.times), 1, 7) and not second.things.size
    assert np.linalg.norm(first.props[-1, 0, :3] - first.props[0, 0, :3]) > 0.05


@pytest.mark.long
def test_progress_grows_to_the_end():
    shares: list[float] = []
    walked_together(company(there(length=1.5), back(aside=5.0, length=2.0)), Watch(shares.append))
    assert shares == sorted(shares) and shares[0] < 0.1 and 0.9 < shares[-1] <= 1.0


@pytest.mark.long
def test_the_command_line_writes_a_motion_for_each(tmp_path, met):
    write_work(company(*MEETING), tmp_path / "job.json")
    done = subprocess.run(
        [sys.executable, "-m", "blender_biped.simulate", tmp_path / "job.json", tmp_path / "motion.npz"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout.splitlines()[-1]) == {"type": "done"}
    for place, own in enumerate(met):
        assert same(read_motion(motion_file(tmp_path / "motion.npz", place)), own)


@pytest.mark.long
def test_a_worker_gives_all_motions_or_says_who_is_wrong(met):
    worker = Worker.start(company(*MEETING), folders=library_folders())
    while worker.poll().state == "running":
        time.sleep(0.01)
    assert all(same(one, other) for one, other in zip(worker.results(), met, strict=True))
    assert worker.result() is worker.results()[0] and not worker.folder.exists()
    worker = Worker.start(company(there(), back(preset=presets("klaw")[0])), folders=library_folders())
    while worker.poll().state == "running":
        time.sleep(0.01)
    with pytest.raises(WorkerError, match="'Bob': KLAW"):
        worker.results()


def test_a_worker_of_a_company_is_cancelled():
    worker = Worker.start(company(there(), back()), folders=library_folders())
    worker.cancel()
    with pytest.raises(CancelledError):
        worker.results()
    assert not worker.folder.exists()
