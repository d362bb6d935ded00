"""BVH files: read back by Blender's own importer they give the motion that was written."""

from __future__ import annotations

from pathlib import Path as FilePath

import numpy as np
import pytest

from blender_biped.base.spatial import quaternion_matrix
from blender_biped.motion.bvh import write_bvh
from blender_biped.motion.motion import Motion
from blender_biped.world.path import Path
from tests.motion.synthetic import walked

TURNED = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # what Blender's importer makes of the axes


@pytest.fixture(scope="module")
def walk() -> Motion:
    x = np.linspace(0.0, 3.0, 50)
    return walked(Path(np.column_stack((x, 0.3 * np.sin(2.0 * x)))))[0]


@pytest.mark.parametrize(("rate", "scale"), [(120.0, 1.0), (30.0, 100.0)])
def test_blender_reads_the_same_motion(walk: Motion, tmp_path: FilePath, rate: float, scale: float) -> None:
    bpy = pytest.importorskip("bpy")
    file = tmp_path / "walk.bvh"
    write_bvh(walk, file, rate, scale)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = round(rate)
    bpy.ops.import_anim.bvh(filepath=str(file), global_scale=1.0 / scale, rotate_mode="QUATERNION")
    rig = bpy.context.object
    heads, turns = [], []
    count = int(walk.duration * rate + 1e-6) + 1
    for frame in range(count):
        bpy.context.scene.frame_set(frame + 1)
        pose = [rig.matrix_world @ rig.pose.bones[link.role].matrix for link in walk.character.links]
        rest = [rig.matrix_world @ rig.data.bones[link.role].matrix_local for link in walk.character.links]
        heads.append([m.translation[:] for m in pose])
        turns.append([np.array((m @ r.inverted()).to_3x3()) for m, r in zip(pose, rest, strict=True)])
    wanted = walk.sampled(np.arange(count) / rate)
    distance = np.linalg.norm(np.array(heads) - wanted.origins @ TURNED.T, axis=2)
    assert distance.max() < 1e-3
    expected = TURNED @ quaternion_matrix(wanted.rotations) @ TURNED.T
    difference = np.array(turns).transpose(0, 1, 3, 2) @ expected
    angle = np.arccos(np.clip((np.trace(difference, axis1=2, axis2=3) - 1.0) / 2.0, -1.0, 1.0))
    assert np.degrees(angle.max()) < 0.1
    assert np.ptp(np.array(heads)[:, 0, 1]) > 2.5  # it did walk


def test_frames_and_their_time_are_as_set(walk: Motion, tmp_path: FilePath) -> None:
    file = tmp_path / "walk.bvh"
    write_bvh(walk, file, 24.0)
    lines = file.read_text().splitlines()
    start = lines.index("MOTION")
    frames = int(lines[start + 1].removeprefix("Frames: "))
    assert frames == len(lines) - start - 3 == int(walk.duration * 24.0) + 1
    assert float(lines[start + 2].removeprefix("Frame Time: ")) == pytest.approx(1.0 / 24.0, abs=1e-9)
    joints = sum(line.strip().startswith(("ROOT", "JOINT")) for line in lines)
    assert joints == len(walk.character.links)
    assert {len(line.split()) for line in lines[start + 3 :]} == {3 + 3 * joints}


def test_scale_multiplies_lengths_and_leaves_angles(walk: Motion, tmp_path: FilePath) -> None:
    rows = []
    for scale in (1.0, 100.0):
        write_bvh(walk, tmp_path / "walk.bvh", 30.0, scale)
        rows.append(np.array((tmp_path / "walk.bvh").read_text().splitlines()[-1].split(), dtype=float))
    assert rows[1][:3] == pytest.approx(100.0 * rows[0][:3], abs=1e-4)
    assert rows[1][3:] == pytest.approx(rows[0][3:])


def test_a_folder_that_is_not_there_is_an_error(walk: Motion, tmp_path: FilePath) -> None:
    with pytest.raises(OSError, match="nowhere"):
        write_bvh(walk, tmp_path / "nowhere" / "walk.bvh")
