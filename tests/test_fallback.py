"""What is walked in place of a walk that failed, and that it is told as what it is.

A made-up controller faints at once unless the job is one that it likes, and walks like generalized walking then: so it
does not hang on any body's balance which attempt arrives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path as FilePath
from typing import NamedTuple

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import Array
from blender_biped.character.standard import standard_character
from blender_biped.control.generalized.kind import GENERALIZED
from blender_biped.control.generalized.walk import GeneralizedWalk
from blender_biped.control.kind import Kind
from blender_biped.control.registry import kind_of, kinds, preset, registered
from blender_biped.control.shared.controller import Controller
from blender_biped.control.shared.state import BodyState
from blender_biped.control.shared.steering import Command
from blender_biped.fallback import CALMER, calmer, instead
from blender_biped.job import Job, Push, job_from_json
from blender_biped.motion.measures import report
from blender_biped.motion.motion import Failure, Motion, read_motion, write_motion
from blender_biped.motion.similarity import similarity
from blender_biped.motion.summary import ended, summarised
from blender_biped.motion.watch import Watch
from blender_biped.preset.cue import Cue
from blender_biped.preset.declared import number_of
from blender_biped.preset.preset import Preset
from blender_biped.simulate import fallen_back, simulate, simulate_into
from blender_biped.world.path import Path
from blender_biped.world.path_points import PathPoint
from tests.marks import long_but
from tests.motion.synthetic import walked

BODY = standard_character()
NATURAL = preset("generalized", "default")
WIDTH = NATURAL.values["gait"]["width"]
FASTEST = 1.1  # m/s at reference size, that the made-up controller walks at
SAMPLES = ("times", "root", "rotations", "loads", "torques", "strikes", "lifts", "command")


class Faint(GeneralizedWalk):
    """Has no strength."""

    def torques(self, state: BodyState, command: Command) -> Array:
        return np.zeros_like(super().torques(state, command))


class Statue(GeneralizedWalk):
    """Stands and never walks."""

    def torques(self, state: BodyState, command: Command) -> Array:
        return super().torques(state, replace(command, speed=0.0))


@contextmanager
def liking(
    likes: Callable[[Job], bool], other: type[GeneralizedWalk] = Faint, simpler: str = ""
) -> Iterator[None]:  # fmt: skip
    """Let there be a controller "fickle" that walks the jobs, at reference size, that it likes.

    simpler: the controller that walks where it does not.
    """

    def controller(job: Job, step: float) -> Controller:
        walk = GeneralizedWalk if likes(job) else other
        return walk(job.character, job.preset.values, job.gravity, step, job.ground, job.preset.keyed)

    with registered(replace(GENERALIZED, name="fickle", controller=controller, simpler=simpler)):
        yield


def job_of(length: float = 1.5, **given: object) -> Job:
    style = replace(NATURAL, controller="fickle")
    told = {"speed": 1.2, "fall_back": True, "preset": style, **given}
    return Job(BODY, Path([[0.0, 0.0], [length, 0.0]]), **told)  # type: ignore[arg-type]


def slowly(job: Job) -> bool:
    return job.speed < FASTEST


def wide(job: Job) -> bool:
    return slowly(job) and job.preset.values["gait"]["width"] > WIDTH + 0.01


def never(_job: Job) -> bool:
    return False


def same(a: Motion, b: Motion) -> bool:
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in SAMPLES)


@pytest.fixture(scope="module")
def arrived() -> tuple[Job, Motion]:
    """Return a job that arrives as it is set, with its motion."""
    with liking(lambda job: True):
        return job_of(), simulate(job_of())


class Calmed(NamedTuple):
    """A job that falls and is then walked slower: its motion, and what was told and handed over meanwhile."""

    job: Job
    motion: Motion
    told: list[float]
    parts: list[Motion]


@pytest.fixture(scope="module")
def calmed() -> Calmed:
    """Return a walk that arrives slower, all of whose parts are handed over as they come."""
    told: list[float] = []
    parts: list[Motion] = []
    with pytest.MonkeyPatch.context() as patch, liking(slowly):
        patch.setattr("blender_biped.simulate.PART_TIME", 0.0)
        motion = simulate(job_of(), Watch(told.append, parts.append))
    return Calmed(job_of(), motion, told, parts)


@pytest.fixture(scope="module")
def floored() -> tuple[Job, Motion]:
    """Return a job that falls whatever is tried, with the motion in its place."""
    with liking(never):
        return job_of(8.0), simulate(job_of(8.0))


# --- which attempt ---------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_walk_that_arrives_is_the_same_with_and_without_the_wish(arrived: tuple[Job, Motion]) -> None:
    job, motion = arrived
    with liking(lambda job: True):
        own = simulate(replace(job, fall_back=False))
        assert motion.attempt is None and motion.outcome == "arrived" and same(motion, own)
        assert fallen_back(job, motion) is None


def test_without_the_wish_a_fall_stays_a_fall() -> None:
    with liking(slowly):
        motion = simulate(job_of(fall_back=False))
        assert motion.outcome == "fell" and motion.attempt is None
    data = job_of().as_json()
    assert data.pop("fall_back") is True and job_from_json(data).fall_back is False


def test_a_walk_that_falls_is_walked_slower(calmed: Calmed) -> None:
    job, motion, *_ = calmed
    assert ended(motion, job) == "arrived" and motion.attempt is not None
    assert (motion.attempt.kind, motion.attempt.controller, motion.attempt.wider) == ("calmer", "fickle", False)
    assert motion.attempt.speed == pytest.approx(CALMER)
    (failed,) = motion.attempt.before
    assert (failed.how, failed.speed) == ("fell", 1.0) and 0.2 < failed.time < 3.0
    assert np.abs(motion.torques).max() > 10.0  # by its joints


@pytest.mark.long
def test_the_slower_walk_is_the_one_that_is_set_so(calmed: Calmed) -> None:
    with liking(slowly):
        slower = calmer(calmed.job)
        assert slower is not None and slower.speed == pytest.approx(CALMER * calmed.job.speed)
        assert same(calmed.motion, simulate(replace(slower, fall_back=False)))


@pytest.mark.long
def test_what_falls_then_walks_with_wider_steps_too() -> None:
    with liking(wide):
        motion = simulate(job_of())
    assert motion.attempt and motion.attempt.kind == "calmer" and motion.attempt.wider
    assert [failed.speed for failed in motion.attempt.before] == pytest.approx([1.0, CALMER])


def test_what_falls_whatever_it_does_is_walked_by_klaw_and_told_so(floored: tuple[Job, Motion]) -> None:
    job, motion = floored
    assert motion.attempt and (motion.attempt.kind, motion.attempt.controller) == ("kinematic", "klaw")
    assert not motion.attempt.simulated and not motion.torques.any() and ended(motion, job) == "arrived"
    assert [failed.how for failed in motion.attempt.before] == ["fell"] * 3
    figures = report(motion, job)
    assert (figures["controller"], figures["fallback"]) == ("klaw", "kinematic")
    assert figures["preset"] == motion.attempt.preset and figures["speed_error_percent"] < 2.0
    summary = summarised(motion, job)
    assert summary.fallback == "kinematic" and summary.calmer_speed == pytest.approx(CALMER)
    assert summary.set_fell_at == motion.attempt.before[0].time and summary.fell_at is None


@pytest.mark.long
def test_where_there_is_a_simpler_controller_it_walks_before_klaw_does() -> None:
    with liking(never, simpler="generalized"):
        job = job_of(pushes=(Push("chest", 1.0, 0.1, (0.0, 5.0, 0.0)),))
        motion = simulate(job)
    attempt = motion.attempt
    assert attempt and (attempt.kind, attempt.controller, attempt.label) == (
        "another", "generalized", GENERALIZED.label,
    )  # fmt: skip
    assert attempt.simulated and not attempt.wider and attempt.speed == 1.0
    assert [failed.how for failed in attempt.before] == ["fell"] * 3
    own = replace(job, preset=preset("generalized", "default"), fall_back=False)
    assert same(motion, simulate(own))  # pushes count: it is simulated
    summary = summarised(motion, job)
    assert (summary.fallback, summary.fallback_style) == ("another", GENERALIZED.label)


def test_a_simpler_controller_is_not_asked_for_more_than_it_can() -> None:
    assert GENERALIZED.speeds is not None
    with liking(never, simpler="generalized"):
        job = job_of(speed=1.55, speeds=((0.0, 1.55), (2.0, 0.5)), along=(PathPoint(2.0, speed=1.5),))
        jobs = list(instead(job, simulate(replace(job, fall_back=False))))
    own, slower = (found for found in jobs if found.preset.controller == "generalized")
    most = similarity(job).speed * GENERALIZED.speeds.fastest
    assert own.speed == own.along[0].speed == most < 1.5
    assert own.speeds == ((0.0, most), (2.0, 0.5))
    assert slower.speed == pytest.approx(CALMER * own.speed)


@pytest.mark.long
def test_what_never_gets_there_falls_back_too() -> None:
    with liking(never, Statue):
        job = job_of(1.0)
        motion = simulate(job)
        assert motion.attempt and motion.attempt.before[0].how == "unfinished"
        assert motion.attempt.kind == "kinematic" and summarised(motion, job).set_fell_at == 0.0
        short = simulate(replace(job, duration=2.0))  # it was to stop then
    assert short.attempt is None and short.outcome == "time" and short.duration == pytest.approx(2.0, abs=0.02)


@pytest.mark.long
def test_where_nothing_walks_the_walk_stays_as_it_was() -> None:
    with liking(never):
        job = job_of(speed=0.0, duration=3.0)
        motion = simulate(job)
        assert motion.outcome == "fell" and motion.attempt is None
        assert same(motion, simulate(replace(job, fall_back=False)))


@pytest.mark.long
def test_pushes_that_floor_every_body_leave_klaw() -> None:
    job = replace(job_of(preset=NATURAL), pushes=(Push("chest", 0.5, 0.3, (0.0, 3000.0, 0.0)),))
    motion = simulate(job)
    assert motion.attempt and motion.attempt.kind == "kinematic" and motion.outcome == "arrived"


def test_klaw_does_not_fall_back() -> None:
    job = job_of(preset=preset("klaw", "walk"))
    assert simulate(job).attempt is None


# --- how it is told --------------------------------------------------------------------------------------------------


def test_progress_never_goes_back_and_each_attempt_begins_its_parts_anew(calmed: Calmed) -> None:
    _, motion, told, parts = calmed
    assert told == sorted(told) and 0.8 < told[-1] <= 1.0
    begun = [i for i, part in enumerate(parts) if part.times[0] == 0.0]
    assert len(begun) == 2
    count = sum(len(part.times) for part in parts[begun[1] :])
    assert np.array_equal(np.concatenate([p.root for p in parts[begun[1] :]]), motion.root[:count])


@pytest.mark.long
def test_the_time_of_all_attempts_counts() -> None:
    with liking(slowly):
        job = job_of()
        slower = calmer(job)
        assert slower is not None
        alone, both = simulate(replace(slower, fall_back=False)).cpu, simulate(job).cpu
    assert both > 0.5 * alone  # of another run


@pytest.mark.parametrize("likes", long_but([slowly, never], never))
def test_a_file_keeps_which_attempt_it_is(
    likes: Callable[[Job], bool], calmed: Calmed, floored: tuple[Job, Motion], tmp_path: FilePath
) -> None:
    job, motion = (calmed.job, calmed.motion) if likes is slowly else floored
    with liking(likes):
        simulate_into(job, tmp_path / "motion.npz")
    found = read_motion(tmp_path / "motion.npz")
    assert found.attempt == motion.attempt and found.attempt and same(found, motion)


@pytest.mark.long
def test_a_motion_of_its_own_job_has_nothing_of_it_in_its_file(arrived: tuple[Job, Motion], tmp_path: FilePath) -> None:
    write_motion(arrived[1], tmp_path / "motion.npz")
    with np.load(tmp_path / "motion.npz") as file:
        assert "attempt" not in str(file["header"])


def test_a_wrong_attempt_in_a_file_is_named(floored: tuple[Job, Motion], tmp_path: FilePath) -> None:
    _, motion = floored
    assert motion.attempt
    write_motion(replace(motion, attempt=replace(motion.attempt, speed=7.0)), tmp_path / "motion.npz")
    with pytest.raises(DataError, match=r"motion\.attempt\.speed: 7\.0 is out of range"):
        read_motion(tmp_path / "motion.npz")
    wrong = replace(motion.attempt, before=(Failure("flew", 1.0),))  # type: ignore[arg-type]
    write_motion(replace(motion, attempt=wrong), tmp_path / "motion.npz")
    with pytest.raises(DataError, match=r"motion\.attempt\.before\[0\]\.how"):
        read_motion(tmp_path / "motion.npz")


# --- a calmer job ----------------------------------------------------------------------------------------------------


def style(slowest: float) -> Preset:
    """Return a style that goes no slower than a speed, m/s, of legs of 0.9 m."""
    return replace(NATURAL, values={**NATURAL.values, "speeds": [slowest, 1.4], "usual": 1.2})


def test_all_speeds_are_lower_and_times_later() -> None:
    job = Job(
        BODY, Path([[0.0, 0.0], [20.0, 0.0]]), NATURAL, speed=1.0, speeds=((0.0, 1.0), (4.0, 0.5)),
        cues=(Cue(5.0, NATURAL, speed=0.8), Cue(9.0, NATURAL)),
        along=(PathPoint(3.0, speed=0.6), PathPoint(8.0, time=10.0), PathPoint(9.0, wait=1.0)),
    )  # fmt: skip
    found = calmer(job)
    assert found is not None
    assert found.speed == pytest.approx(0.8) and [v for _, v in found.speeds] == pytest.approx([0.8, 0.4])
    assert [cue.speed for cue in found.cues] == pytest.approx([0.64, 0.0])
    assert [(p.speed, p.time, p.wait) for p in found.along] == [
        (pytest.approx(0.48), 0.0, 0.0), (0.0, pytest.approx(12.5), 0.0), (0.0, 0.0, 1.0),
    ]  # fmt: skip
    assert [t for t, _ in found.speeds] == [0.0, 4.0] and [cue.time for cue in found.cues] == [5.0, 9.0]


def test_a_style_goes_no_slower_than_it_can() -> None:
    unit = similarity(job_of()).speed
    for slowest, speed, expected in ((0.9, 1.0, 0.9), (0.5, 1.0, 0.8), (1.0, 1.0, None), (1.2, 1.0, None)):
        found = calmer(job_of(preset=style(slowest), speed=unit * speed))
        assert (found and found.speed / unit) == (expected and pytest.approx(expected)), slowest


def others(job: Job) -> list[Job]:
    """Return what is walked in place of a job whose walk sank after 3 s."""
    motion = walked(job.path, None, job.character)[0]
    sunk = np.outer(np.where(motion.times >= 3.0, -0.6, 0.0), (0.0, 0.0, 1.0))
    return list(instead(job, replace(motion, root=motion.root + sunk, outcome="fell")))


@pytest.mark.long
def test_each_controller_has_wider_steps_in_its_own_way() -> None:
    job = job_of(8.0, preset=NATURAL)
    _, wider, *_ = others(job)
    assert wider.preset.values["gait"]["width"] == pytest.approx(WIDTH + 0.06) and wider.speed == pytest.approx(0.96)
    keyed = replace(NATURAL, keyed={"gait.width": ((0.0, 0.1), (2.0, 0.99))})
    _, wider, *_ = others(replace(job, preset=keyed, cues=(Cue(4.0, NATURAL),)))
    assert [value for _, value in wider.preset.keyed["gait.width"]] == pytest.approx([0.16, 1.0])  # 1 m is the most
    assert wider.cues[0].preset.values["gait"]["width"] == pytest.approx(WIDTH + 0.06)
    _, wider, *_ = others(replace(job, preset=preset("simbicon", "walk"), step_width=0.02))
    assert wider.step_width == pytest.approx(0.02 + 0.06 * BODY.leg_length / 0.9)
    slower, *more = others(replace(job, preset=preset("limit_cycle", "default")))
    assert slower.preset.controller == "limit_cycle" and {own.preset.controller for own in more} == {"klaw"}


def test_klaw_has_the_path_the_speeds_and_no_more() -> None:
    gait = preset("simbicon", "walk")
    job = replace(
        job_of(8.0, preset=gait), cues=(Cue(3.0, preset("simbicon", "run"), speed=9.0), Cue(5.0, gait)), ending=(gait,),
        facing=0.5, step_width=0.1, pushes=(Push("chest", 1.0, 0.1, (50.0, 0.0, 0.0)),), stop=False,
    )  # fmt: skip
    for own in others(job)[2:]:
        assert {style.controller for style in (own.preset, *(cue.preset for cue in own.cues))} == {"klaw"}
        assert own.preset.shelf == "" and (own.path, own.speed, own.stop) == (job.path, job.speed, job.stop)
        assert [cue.time for cue in own.cues] == [3.0, 5.0] and 1.5 < own.cues[0].speed < 5.0  # as fast as people walk
        assert (own.ending, own.facing, own.step_width, own.pushes) == ((), 0.0, 0.0, ())
        assert simulate(own).outcome == "arrived"


def test_klaw_creeps_nowhere_for_hours() -> None:
    assert {own.preset.controller for own in others(job_of(8.0, preset=NATURAL, speed=0.002))} == {"generalized"}


@pytest.mark.parametrize("kind", [kind for kind in kinds() if kind.width], ids=lambda kind: kind.name)
def test_the_number_for_the_width_of_steps_is_one_of_the_controllers(kind: Kind) -> None:
    assert number_of(kind.settings, kind.width).unit == "m" and kind_of(kind.name) is kind
