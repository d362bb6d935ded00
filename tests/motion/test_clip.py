"""Recorded clips: read back as written, their steps found, and real walks judged as real."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path as FilePath

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import axis_angle_quaternion, quaternion_matrix, quaternion_product
from blender_biped.character.mapping import RigMap
from blender_biped.job import Job
from blender_biped.motion import gait_events, measures
from blender_biped.motion.bvh import write_bvh
from blender_biped.motion.clip import Clip, clip_motion, contacts, read_bvh, with_hanging_legs
from blender_biped.motion.motion import Motion
from blender_biped.world.path import Path
from tests.character.namings import named
from tests.marks import long_but
from tests.motion.recorded import cmu_02_01, cmu_12_01, humanoid_walk
from tests.motion.synthetic import Walk, walked

TURNED = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # Y up, Z forward to z up, -y forward
SMALL = """HIERARCHY
ROOT hip
{
  OFFSET 0 1 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT knee joint
  {
    OFFSET 0 -0.5 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -0.5 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.05
1 2 3 90 0 0 0 0 0
1 2 3 0 90 90 0 -90 0
"""


@pytest.fixture(scope="module")
def walk() -> Motion:
    return walked(Path([[0.0, 0.0], [8.0, 0.0]]))[0]


def file_with(tmp_path: FilePath, text: str) -> FilePath:
    file = tmp_path / "clip.bvh"
    file.write_text(text)
    return file


def test_channels_are_applied_in_the_order_they_stand(tmp_path: FilePath) -> None:
    clip = read_bvh(file_with(tmp_path, SMALL))
    assert clip.names == ("hip", "knee joint") and clip.parents == (-1, 0) and clip.rate == pytest.approx(20.0)
    assert clip.root == pytest.approx(np.array([[1.0, 2.0, 3.0]] * 2))
    assert clip.offsets[1] == pytest.approx([0.0, -0.5, 0.0]) == clip.ends[1]
    assert clip.rotations[0, 0] @ [1.0, 0.0, 0.0] == pytest.approx([0.0, 1.0, 0.0])
    assert clip.rotations[1, 0] @ [1.0, 0.0, 0.0] == pytest.approx([0.0, 1.0, 0.0])  # y takes x to -z, x that to y
    assert clip.rotations[1, 1] @ [0.0, 0.0, 1.0] == pytest.approx([0.0, 1.0, 0.0])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("MOTION", "MOVES", "no MOTION"),
        ("Frames: 2", "Frames: 3", "3 rows of 9"),
        ("Frame Time: 0.05", "Frame Time: 0", "Frame Time"),
        ("90 90 0", "nan 90 0", "not a finite number"),
        ("90 90 0", "ninety 90 0", "2 rows of 9"),
        ("OFFSET 0 -0.5 0", "OFFSET 0 half", "OFFSET 0 half"),
        ("Yrotation", "Wrotation", "Wrotation"),
        ("  JOINT", "  BONE", "BONE knee"),
        ("OFFSET 0 1 0\n", "OFFSET 0 1 0\n}\n}\n", "HIERARCHY"),
    ],
)
def test_a_broken_file_is_refused_by_its_fault(tmp_path: FilePath, old: str, new: str, said: str) -> None:
    assert old in SMALL
    with pytest.raises(DataError, match=said):
        read_bvh(file_with(tmp_path, SMALL.replace(old, new)))


def test_a_missing_file_is_named(tmp_path: FilePath) -> None:
    with pytest.raises(DataError, match="none"):
        read_bvh(tmp_path / "none.bvh")


@pytest.mark.parametrize("scale", long_but([1.0, 100.0], 100.0))
def test_a_motion_comes_back_as_it_was_written(walk: Motion, tmp_path: FilePath, scale: float) -> None:
    write_bvh(walk, tmp_path / "walk.bvh", 120.0, scale)
    roles = {link.role: (link.role,) for link in walk.character.links}
    mapped = RigMap("roles", roles, {}, {}, ())
    motion, _ = clip_motion(read_bvh(tmp_path / "walk.bvh"), "walk", 1.0 / scale, mapped)
    assert motion.origins[..., :2] == pytest.approx(walk.origins[..., :2] @ TURNED[:2, :2].T, abs=1e-4)
    assert np.ptp(motion.origins[..., 2] - walk.origins[..., 2]) < 1e-3  # a floor is found and levelled
    for i, link in enumerate(walk.character.links):
        if link.role not in ("abdomen", "chest", "head"):  # the rest of a trunk is taken as it stands
            turned = TURNED @ quaternion_matrix(walk.rotations[:, i])
            assert quaternion_matrix(motion.rotations[:, i]) == pytest.approx(turned, abs=1e-3), link.role


def test_steps_are_found_near_where_they_were(walk: Motion) -> None:
    strikes, lifts = contacts(walk)
    for found, known in ((strikes, walk.strikes), (lifts, walk.lifts)):
        inner = known[2:-2]
        for time, side in inner:
            near = found[(found[:, 1] == side) & (np.abs(found[:, 0] - time) < 0.15)]
            assert len(near) == 1, (time, side)
        assert len(found) <= len(known) + 1


def test_legs_that_rest_apart_hang_and_move_as_before() -> None:
    apart = np.array([0.3, -0.4, 0.0])
    clip = Clip(
        ("hip", "thigh", "foot"), (-1, 0, 1), np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], apart]),
        np.array([[np.nan] * 3] * 2 + [[0.0, 0.0, 0.1]]), 30.0, np.zeros((2, 3)),
        np.array([[np.eye(3)] * 3, [np.eye(3), TURNED, TURNED.T]]),
    )  # fmt: skip
    hung = with_hanging_legs(clip, ["thigh"], ["foot"])
    assert hung.offsets[2] == pytest.approx([0.0, -0.5, 0.0])
    for frame in (0, 1):
        was, now = (c.rotations[frame, 1] @ c.offsets[2] for c in (clip, hung))
        assert now == pytest.approx(was)
        end_was, end_now = (c.rotations[frame, 1] @ c.rotations[frame, 2] @ c.ends[2] for c in (clip, hung))
        assert end_now == pytest.approx(end_was)


def test_a_walk_on_a_rising_floor_is_levelled(tmp_path: FilePath) -> None:
    level, _ = walked(Path([[0.0, 0.0], [8.0, 0.0]]), Walk(speed=0.9))
    rising = level.root + np.outer(0.02 * level.root[:, 0] + 0.3, [0.0, 0.0, 1.0])
    write_bvh(replace(level, root=rising), tmp_path / "walk.bvh")
    roles = RigMap("roles", {link.role: (link.role,) for link in level.character.links}, {}, {}, ())
    motion, job = clip_motion(read_bvh(tmp_path / "walk.bvh"), "walk", 1.0, roles)
    height = motion.root[:, 2] - job.ground - level.root[: len(motion.times), 2]
    assert np.ptp(height) < 0.002  # against 0.16 m before
    assert height == pytest.approx(0.0, abs=0.02)  # how thick the sole is, is not in the file


def with_tremor(motion: Motion, role: str) -> Motion:
    """Return a motion one of whose links trembles by 5 degrees, 12 times a second."""
    link = motion.character.index(role)
    tremor = axis_angle_quaternion([0.0, 1.0, 0.0], np.radians(5.0) * np.sin(2.0 * np.pi * 12.0 * motion.times))
    rotations = motion.rotations.copy()
    rotations[:, link] = quaternion_product(rotations[:, link], tremor)
    return replace(motion, rotations=rotations)


# --- a generated walk, where recorded ones are missing ---------------------------------------------------------------


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Motion, Job]:
    """A synthetic walk, as a clip of another program: 30 frames a second, centimetres, Mixamo's names."""
    mixamo = "Mixamo / MotionBuilder / CMU"
    own = {"pelvis": "spine", "abdomen": "spine.001", "chest": "spine.003", "head": "spine.004"}
    made, _ = walked(Path([[0.0, 0.0], [8.0, 0.0]]), Walk(speed=1.1, pause=0.0))
    file = tmp_path_factory.mktemp("clip") / "walk.bvh"
    write_bvh(made, file, 30.0, 100.0)
    text = file.read_text(encoding="utf-8")
    for link in made.character.links:
        bone = own.get(link.role, link.role.replace("toes", "toe"))
        text = re.sub(rf"(ROOT|JOINT) {re.escape(link.role)}$", rf"\1 {named(mixamo, bone)}", text, flags=re.MULTILINE)
    file.write_text(text, encoding="utf-8")
    return clip_motion(read_bvh(file), "generated", 0.01)


def test_a_generated_clip_has_the_speed_and_cadence_that_it_was_given(generated: tuple[Motion, Job]) -> None:
    motion, job = generated
    report = measures.report(motion, job)
    assert not report["fell"]
    assert job.speed == pytest.approx(8.0 / motion.duration, rel=0.01)
    assert report["cadence_steps_per_min"] == pytest.approx(120.0, abs=6.0)  # steps of half a second


def test_a_generated_clip_is_smooth_and_a_tremor_on_top_is_seen(generated: tuple[Motion, Job]) -> None:
    motion, job = generated
    usual, shaken = measures.shake(motion, job), measures.shake(with_tremor(motion, "forearm.L"), job)
    assert usual is not None and usual < 2.0
    assert shaken is not None and shaken > 3.0


# --- real walks --------------------------------------------------------------------------------------------------


def test_a_real_walk_is_natural() -> None:
    report = measures.report(*humanoid_walk())
    assert not report["fell"]
    assert report["hip_r"] > 0.95 and report["knee_r"] > 0.95 and report["ankle_r"] > 0.80
    assert 57.0 < report["stance_percent"] < 68.0 and 16.0 < report["double_support_percent"] < 32.0
    assert 90.0 < report["cadence_steps_per_min"] < 115.0
    assert 165.0 < report["arm_phase_deg"] < 195.0 and 20.0 < report["arm_swing_deg"] < 60.0
    assert 20.0 < report["com_bob_mm"] < 60.0
    assert report["foot_slip_worst_mm"] < 3.0 and report["self_intersection_mm"] == 0.0


@pytest.mark.parametrize(("clip", "speed", "steps"), [(cmu_02_01, 1.18, 108.0), (cmu_12_01, 0.89, 93.0)])
def test_recorded_clips_have_the_speed_and_cadence_that_are_known(
    clip: Callable[[], tuple[Motion, Job]], speed: float, steps: float
) -> None:
    motion, job = clip()
    report = measures.report(motion, job)
    assert not report["fell"] and job.speed == pytest.approx(speed, abs=0.01)
    assert report["cadence_steps_per_min"] == pytest.approx(steps, abs=1.5)
    assert report["hip_r"] > 0.95 and 60.0 < report["stance_percent"] < 68.0
    assert report["foot_slip_worst_mm"] < 30.0  # the noise of a skeleton fitted to markers


def floor_noise(motion: Motion, job: Job) -> list[float]:
    """Return how much the sole goes up and down in each stance while it bears load and lies flat, mm, as slip counts.

    A floor does not: that much is the recording's own noise, and there is as much in each horizontal direction.
    """
    scale, found = 1000.0 * measures.LEG / motion.character.leg_length, []
    for stance, _ in measures.slips(motion, job):
        foot = motion.character.index(f"foot.{gait_events.SIDES[stance.side]}")
        ahead = quaternion_matrix(motion.rotations[:, foot])[:, 2, 0]
        flat = (np.abs(np.arcsin(ahead)) < measures.FLAT) & (motion.loads[:, stance.side] > 0.0)
        inside = flat & (motion.times >= stance.start) & (motion.times <= stance.end)
        found.append(scale * float(np.ptp(gait_events.ball_track(motion, stance.side)[inside, 2])))
    return found


@pytest.mark.parametrize("clip", [cmu_02_01, cmu_12_01, humanoid_walk])
def test_a_real_walk_slips_no_more_than_its_own_noise_and_a_slide_on_top_is_seen(
    clip: Callable[[], tuple[Motion, Job]],
) -> None:
    motion, job = clip()
    median, worst = measures.foot_slip(motion, job)
    noise = floor_noise(motion, job)
    assert median is not None and median < np.median(noise)
    assert worst is not None and worst < np.sqrt(2.0) * max(noise)  # two directions
    slide = 0.1 * motion.times  # m; 30 to 40 mm while a sole is flat
    slid = replace(motion, root=motion.root + np.outer(slide, [0.0, 1.0, 0.0]))
    median, worst = measures.foot_slip(slid, job)
    assert median is not None and median > np.median(noise)
    assert worst is not None and worst > np.sqrt(2.0) * max(noise)


@pytest.mark.parametrize("clip", [cmu_02_01, cmu_12_01, humanoid_walk])
def test_a_real_walk_is_smooth_and_a_tremor_on_top_is_seen(clip: Callable[[], tuple[Motion, Job]]) -> None:
    motion, job = clip()
    usual = measures.shake(motion, job)
    assert usual is not None and usual < 2.0  # the toes' markers, and the corners between 30 frames a second
    shaken = measures.shake(with_tremor(motion, "shin.L"), job)
    assert shaken is not None and shaken > 3.0
