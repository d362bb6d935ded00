"""Kept motions: what their hashes tell apart, and that no kind of walk is missing among the jobs."""

from dataclasses import replace

import pytest

from blender_biped.base.errors import BipedError
from blender_biped.company import Company
from blender_biped.control.registry import kinds
from blender_biped.klaw.walk import walk
from blender_biped.motion.motion import write_motion
from tools.base.command_table import ROOT
from tools.base.motion_hash import motion_hash
from tools.kept.hashes import REFUSED, commit, differing, hashes, write_jobs
from tools.kept.jobs import JOBS

KLAW = "klaw-walk"


@pytest.fixture(scope="module")
def motion():
    job = JOBS[KLAW]()
    assert not isinstance(job, Company)
    return walk(replace(job, duration=1.0))


def test_a_hash_is_of_the_walk_and_not_of_the_run(motion, tmp_path):
    def hashed(one, name):
        write_motion(one, tmp_path / name)
        return motion_hash(tmp_path / name)

    own = hashed(motion, "own.npz")
    moved = motion.root.copy()
    moved[3, 2] += 1e-12
    assert hashed(replace(motion, cpu=motion.cpu + 1.0), "slower.npz") == own
    assert hashed(replace(motion, root=moved), "moved.npz") != own
    assert hashed(replace(motion, outcome="fell"), "fallen.npz") != own


def test_each_controller_has_jobs_that_are_kept():
    def names(work):
        return (
            [one.job.preset.controller for one in work.companions]
            if isinstance(work, Company)
            else [work.preset.controller]
        )

    kept = {name for made in JOBS.values() for name in names(made())}
    assert kept == {kind.name for kind in kinds()} and len(JOBS) >= 40


def test_a_tree_walks_the_jobs_and_what_it_refuses_is_told(tmp_path):
    write_jobs([KLAW], tmp_path)
    (tmp_path / "bad.json").write_text("{}", encoding="utf-8")
    found = hashes([KLAW, "bad"], tmp_path, ROOT, 1)
    assert len(found[KLAW]) == 64 and found["bad"].startswith(REFUSED)
    assert differing({KLAW: found[KLAW], "bad": "other"}, found) == ["bad"]


def test_a_commit_that_is_not_there_is_named():
    with pytest.raises(BipedError, match="No commit 'nowhere'"), commit("nowhere"):
        pass
