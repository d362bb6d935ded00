"""The trial of batches that are killed, and what a batch costs: what is told of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from blender_biped.batch.folder import SUMMARY, pieces
from tests.batch.jobs import motion_of
from tools.base.job_folders import STYLES, motion_hashes, write_folder
from tools.bench import batch as bench
from tools.bench.batch import BatchCost
from tools.trials import batches
from tools.trials.batches import Resumed


def test_jobs_are_of_four_controllers_and_all_differ(tmp_path: Path) -> None:
    write_folder(tmp_path / "jobs", 8, 0.5)
    found = pieces(tmp_path / "jobs")
    assert len({piece.digest for piece in found}) == 8 and len(STYLES) == 4
    for piece in found[:2]:
        piece.files[0].write_bytes(motion_of(piece.digest))
    hashes = motion_hashes(tmp_path / "jobs")  # what the stamp says is not of the walk
    assert list(hashes) == ["walk-000.npz", "walk-001.npz"] and len(set(hashes.values())) == 1


def test_who_is_walked_twice_or_replaced_is_noted(tmp_path: Path) -> None:
    seen = Resumed()
    (tmp_path / "b.npz").write_bytes(b"1")
    seen.note(tmp_path, "1 of 3  a: lost\n2 of 3  b: arrived after 1.0 s\n")
    (tmp_path / "other").write_bytes(b"2")
    (tmp_path / "other").replace(tmp_path / "b.npz")
    seen.note(tmp_path, "Ended.\n2 of 3  b: arrived after 1.0 s\nOf 3 jobs: 1 walked.\n")
    assert seen.walks == Counter({"a": 1, "b": 2}) and seen.replaced == {"b.npz"}


def test_what_is_the_same_and_what_is_stray_is_told() -> None:
    killed = {"code": 0, "kills": 10, "walks": {1: 3, 2: 1}, "replaced": 0, "same": 3, "stray": [SUMMARY]}
    dask = {"kills": 2, "states": {"walked": 4}, "same": 4, "stray": []}
    found = {"jobs": 4, "seconds": 0.5, "code": 0, "motions": 4, "distinct": 4, "killed": killed, "dask": dask}
    _, second, third = batches.report_lines("batch", [found])
    assert "killed 10 times" in second and "3 jobs 1 times, 1 jobs 2 times" in second and SUMMARY in second
    assert "4 motions the same" in third and third.endswith("stray files: none")


def test_the_cost_is_clock_times_cores_over_the_jobs_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "cores", lambda: 2)
    monkeypatch.setattr(bench, "cost_of", lambda *_: BatchCost(clock=11.0, cpu=21.0, own=20.0))
    section = bench.measure_batch()
    assert section.ratios["batch: Dask, 20 jobs of 60 s"] == pytest.approx(1.1)
    assert section.ratios["batch: batch, 200 jobs of 3 s, processor"] == pytest.approx(1.05)
    assert len(section.figures) == 4 and len(section.lines) == 5
