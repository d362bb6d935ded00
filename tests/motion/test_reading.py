"""Motions read from files that are damaged or crafted: one error each, that is short and names the file."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path as FilePath
from typing import Any

import numpy as np
import pytest

from blender_biped.base import limits
from blender_biped.base.errors import DataError
from blender_biped.motion import motion as motions
from blender_biped.motion.motion import read_motion, write_motion
from blender_biped.world.path import Path
from tests.motion.synthetic import walked


@pytest.fixture
def file(tmp_path: FilePath) -> FilePath:
    motion, _ = walked(Path([[0.0, 0.0], [2.0, 0.0]]))
    write_motion(motion, tmp_path / "motion.npz")
    return tmp_path / "motion.npz"


def rewritten(file: FilePath, name: str, content: bytes) -> None:
    """Put other bytes in the place of an array's."""
    with zipfile.ZipFile(file) as archive:
        entries = {entry: archive.read(entry) for entry in archive.namelist()}
    with zipfile.ZipFile(file, "w") as archive:
        for entry, own in entries.items():
            archive.writestr(entry, content if entry == f"{name}.npy" else own)


def head(text: str) -> bytes:
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


def refusal(file: FilePath) -> str:
    with pytest.raises(DataError) as caught:
        read_motion(file)
    text = str(caught.value)
    assert "motion" in text and len(text) < 250 and "\n" not in text
    return text


@pytest.mark.parametrize("content", [
    head(f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({10**30}, 3), }}"),
    head(f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({10**13}, 3), }}"),
    head("{'descr': '<f8', 'fortran_order': False, 'shape': (-3, 3), }"),
    head("(" * 900 + ")" * 900), head("{'descr': '<f8'\x00"), head("__import__('os').getpid()"), b"", b"\x80\x04.",
], ids=["no long", "no memory", "negative", "nested", "zero byte", "call", "empty", "pickle"])  # fmt: skip
def test_an_array_with_another_head_is_refused(file: FilePath, content: bytes) -> None:
    rewritten(file, "root", content)
    assert refusal(file).startswith(("Cannot read the motion motion.npz", "motion.root: expected an array"))


def test_an_archive_that_is_damaged_within_is_refused(file: FilePath) -> None:
    content = file.read_bytes()
    packed = io.BytesIO()
    with zipfile.ZipFile(file) as archive, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as other:
        for entry in archive.namelist():
            other.writestr(entry, archive.read(entry))
    for whole in (content, packed.getvalue()):
        for at in range(60, len(whole), len(whole) // 40):
            file.write_bytes(whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1 :])
            try:
                read_motion(file)  # a bit of a number may be another number
            except DataError as error:
                assert len(str(error)) < 250


def test_a_small_file_that_unpacks_to_much_is_refused_unread(file: FilePath, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(motions, "MAX_MOTION_BYTES", 10**6)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("more.npy", bytes(2 * 10**6))
    assert file.stat().st_size < 10**6 and "has 2 MB; at most 1 are read" in refusal(file)
    assert limits.MAX_MOTION_BYTES == 2**31


@pytest.mark.parametrize(("name", "change"), [
    ("times", lambda a: a[::-1]), ("times", np.zeros_like), ("rotations", lambda a: 2.0 * a),
    ("rotations", np.zeros_like),
])  # fmt: skip
def test_samples_that_are_no_motion_are_refused(file: FilePath, name: str, change: Callable[[Any], Any]) -> None:
    with np.load(file) as found:
        arrays = {key: found[key] for key in found.files}
    np.savez(file, **{**arrays, name: change(arrays[name])})
    assert ("rising times" if name == "times" else "unit quaternions") in refusal(file)


def test_a_motion_without_samples_is_refused(file: FilePath) -> None:
    with np.load(file) as found:
        samples = ("times", "root", "rotations", "loads", "torques", "command")
        np.savez(file, **{key: found[key][:0] if key in samples else found[key] for key in found.files})
    assert "rising times" in refusal(file)
