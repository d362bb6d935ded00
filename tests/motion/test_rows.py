"""Rows that come one by one: the same in memory and in a file, which nobody sees."""

from __future__ import annotations

import tempfile
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from blender_biped.motion.rows import PORTION, Rows


@pytest.mark.parametrize("count", [0, 1, PORTION - 1, PORTION, PORTION + 1, 3 * PORTION, 3 * PORTION + 7])
@pytest.mark.parametrize("kept", [False, True], ids=["memory", "file"])
def test_all_rows_come_back(tmp_path: Path, count: int, kept: bool) -> None:
    values = np.random.default_rng(1).normal(size=(count, 3, 4))
    rows = Rows(tmp_path if kept else None)
    for row in values:
        rows.add(row)
    assert len(rows) == count
    ends = sorted({0, 1, 5, PORTION - 1, PORTION, PORTION + 1, 2 * PORTION, count} & set(range(count + 1)))
    for first in ends:
        for end in ends:
            if first < end:
                assert np.array_equal(rows.between(first, end), values[first:end])


def test_what_comes_back_is_a_copy_and_more_may_follow(tmp_path: Path) -> None:
    rows = Rows(tmp_path)
    for i in range(PORTION + 10):
        rows.add((float(i),))
        if i % 200 == 0:
            rows.between(0, i + 1)[:] = -1.0
    assert np.array_equal(rows.between(0, len(rows))[:, 0], np.arange(PORTION + 10.0))


def test_a_file_keeps_them_out_of_memory_and_is_gone_with_them(tmp_path: Path) -> None:
    tracemalloc.start()
    rows = Rows(tmp_path)
    for _ in range(20 * PORTION):
        rows.add(np.zeros(100))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 4 * 8 * 100 * PORTION
    del rows
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = Rows(tmp_path)
    full = open("/dev/full", "w+b", buffering=0)  # noqa: SIM115
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda dir: full)
    with full, pytest.raises(OSError, match="No space left"):
        for _ in range(2 * PORTION):
            rows.add((1.0, 2.0))
