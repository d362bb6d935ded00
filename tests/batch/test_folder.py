"""What lies in a folder of jobs, and what is made of names and files that somebody has crafted."""

from __future__ import annotations

import json
import os
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.batch.folder import JobOutcome, Piece, digest_of, pieces, summary, write_summary
from blender_biped.batch.told import said
from blender_biped.motion.stamp import Figure, Stamp, read_stamp, write_stamp
from tests.batch.jobs import company_in, jobs_in, motion_of


class Trap:
    """What does something when it is unpickled."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def __reduce__(self):
        return os.mkdir, (str(self._file),)


def test_jobs_are_json_files_but_those_that_a_batch_has_written(tmp_path: Path) -> None:
    for name in ("b.json", "a.json", "a.error.json", "summary.json", "manifest.json", ".x.json", "c.npz", "a.JSON.txt"):
        (tmp_path / name).touch()
    (tmp_path / "folder.json").mkdir()
    assert [piece.name for piece in pieces(tmp_path)] == ["a", "b"]
    with pytest.raises(DataError, match="Cannot read the folder"):
        pieces(tmp_path / "nowhere")


def test_two_jobs_have_no_motion_of_one_name(tmp_path: Path) -> None:
    jobs_in(tmp_path, "pair-1")
    pair = company_in(tmp_path, "pair")
    with pytest.raises(DataError, match=r"pair-1\.npz would be of pair\.json and of pair-1\.json: rename one"):
        pair.check_place()
    assert Piece(tmp_path, "pair-1").files == (tmp_path / "pair-1.npz",)


@pytest.mark.parametrize("data", [{"company": []}, {"company": [0] * 9}])
def test_a_company_of_none_or_too_many_is_refused(data: object, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(DataError, match="1 to 8 can be in one world"):
        _ = Piece(tmp_path, "a").files


def test_a_motion_that_was_cut_off_is_not_there(tmp_path: Path) -> None:
    (piece,) = jobs_in(tmp_path, "a")
    whole = motion_of(piece.digest)
    for size in (0, 1, len(whole) // 2, len(whole) - 30, len(whole) - 1):
        piece.files[0].write_bytes(whole[:size])
        assert piece.outcome().state == "missing"
    piece.files[0].write_bytes(whole)
    assert piece.outcome().state == "walked" and piece.outcome().motions[0][1]["outcome"] == "arrived"


@pytest.mark.parametrize("what", ["header", "other", "comment"])
def test_a_motion_that_would_unpickle_is_no_motion(what: str, tmp_path: Path) -> None:
    (piece,) = jobs_in(tmp_path, "a")
    trap = np.array([Trap(tmp_path / "sprung")], dtype=object)
    if what == "comment":
        piece.files[0].write_bytes(motion_of(piece.digest))
        with zipfile.ZipFile(piece.files[0], "a") as archive:
            archive.comment = pickle.dumps(Trap(tmp_path / "sprung"))
    else:
        np.savez(piece.files[0], **{what: trap})
        with zipfile.ZipFile(piece.files[0], "a") as archive:
            archive.comment = json.dumps({"version": 1, "work": "0" * 64, "figures": {}}).encode()
    assert piece.outcome().state == "missing" and not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    "crafted",
    [
        b"", b"{}", b"[1]", b"\xff", b"[" * 60_000, b'{"version": 2, "work": "x"}', b'{"version": 1, "work": 3}',
        b'{"version": true, "figures": 1}',
    ],
)  # fmt: skip
def test_a_stamp_that_is_none_is_none(crafted: bytes, tmp_path: Path) -> None:
    file = tmp_path / "a.npz"
    file.write_bytes(motion_of("0" * 64))
    with zipfile.ZipFile(file, "a") as archive:
        archive.comment = crafted
    assert read_stamp(file) is None


def test_of_a_stamp_known_plain_figures_alone_are_read(tmp_path: Path) -> None:
    file = tmp_path / "a.npz"
    file.write_bytes(motion_of("0" * 64))
    figures = {"cpu_s": 1.5, "outcome": "fell", "duration_s": float("inf"), "evil": 1, "steps": [1], "lies": "x" * 200}
    with zipfile.ZipFile(file, "a") as archive:
        archive.comment = json.dumps({"version": 1, "work": "w", "figures": figures}).encode()
    stamp = read_stamp(file)
    assert stamp == Stamp("w", {"cpu_s": 1.5, "outcome": "fell"})
    write_stamp(file, Stamp("v", {}))
    assert read_stamp(file) == Stamp("v", {})


def test_an_error_is_of_the_bytes_that_were_refused(tmp_path: Path) -> None:
    (piece,) = jobs_in(tmp_path, "a")
    piece.note("refused", "Too steep.")
    assert piece.outcome() == JobOutcome("a", "refused", message="Too steep.")
    (tmp_path / "a.json").write_bytes(piece.content + b" ")
    assert Piece(tmp_path, "a").outcome().state == "missing"
    for crafted in ("", "[]", '{"version": 1, "work": 1}', json.dumps({"version": 1, "work": digest_of(b"")})):
        (tmp_path / "a.error.json").write_text(crafted, encoding="utf-8")
        assert Piece(tmp_path, "a").outcome().state == "missing"


def test_a_summary_counts_and_names_all(tmp_path: Path) -> None:
    fell: dict[str, Figure] = {"outcome": "fell", "duration_s": 1.0, "cpu_s": 1.0}
    outcomes = [
        JobOutcome("a", "walked", (("a.npz", {"outcome": "arrived", "duration_s": 2.0, "cpu_s": 0.5}),)),
        JobOutcome("p", "walked", (("p-1.npz", dict(fell)), ("p-2.npz", dict(fell)))),
        JobOutcome("r", "refused", message="Too steep."),
        JobOutcome("m", "missing"),
    ]  # fmt: skip
    made = summary(outcomes)
    assert [made[name] for name in ("jobs", "walked", "refused", "lost", "missing", "motions")] == [4, 2, 1, 0, 1, 3]
    assert made["outcomes"] == {"arrived": 1, "fell": 2} and made["duration_s"] == 4.0 and made["cpu_s"] == 2.5
    write_summary(tmp_path, outcomes)
    assert json.loads((tmp_path / "summary.json").read_text(encoding="ascii")) == made
    assert [said(own) for own in outcomes] == [
        "a: arrived after 2.0 s", "p: fell after 1.0 s; fell after 1.0 s", "r: Too steep.", "m: missing",
    ]  # fmt: skip
