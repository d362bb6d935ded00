"""A cluster of Dask: whom it talks to, what comes back from it, and the same bits from it."""

from __future__ import annotations

import io
import json
import os
import pickle
import zipfile
from pathlib import Path

import pytest

from blender_biped.base.errors import DataError, WorkerError
from blender_biped.batch.cluster import LOCAL, Cluster, check_address, connected
from blender_biped.batch.folder import pieces
from blender_biped.batch.remote import crew, motions_in, walked
from blender_biped.batch.run import BatchRun
from blender_biped.worker import RefusedError
from tests.batch.jobs import Noted, jobs_in, motion_of


@pytest.mark.parametrize(
    "address", ["tcp://localhost:8786", "tcp://127.0.0.1:1", "tcp://127.8.9.1:1", "tcp://[::1]:8786", "tls://farm:8786"]
)
def test_this_computer_and_tls_are_used(address: str) -> None:
    check_address(address, even_open=False)


@pytest.mark.parametrize(
    "address",
    ["tcp://farm:8786", "tcp://10.0.0.1:1", "tcp://0.0.0.0:8786", "tcp://127.0.0.1.farm:1", "tcp://localhost.farm:1",
     "tcp://[2001:db8::1]:1", "tcp://127.1:1"],
)  # fmt: skip
def test_an_open_scheduler_elsewhere_is_refused_unless_told_so(address: str) -> None:
    with pytest.raises(DataError, match="has no TLS: whoever reaches it"):
        check_address(address, even_open=False)
    check_address(address, even_open=True)


@pytest.mark.parametrize(
    "address",
    ["", "farm", "farm:8786", "http://farm:8786", "inproc://1", "ucx://farm:1", "tcp://farm", "tcp://:8786",
     "tls://farm:99999", "tcp://localhost@farm:1", "tls://a/b:1", "tls://farm:1/x", "file:///etc/passwd", "tcp://[::1"],
)  # fmt: skip
def test_what_is_no_address_is_refused(address: str) -> None:
    for even_open in (False, True):
        with pytest.raises(DataError, match="is no scheduler's address"):
            check_address(address, even_open)


def archive(**content: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        for name, data in content.items():
            file.writestr(name.replace("_", "."), data)
    return made.getvalue()


def read(content: bytes) -> list[bytes]:
    return [file.read() for file in motions_in(content)]


class Springs:
    """Does something when it is unpickled."""

    def __reduce__(self):
        return os.mkdir, ("sprung",)


def test_what_comes_back_is_read_as_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert read(archive(**{"1_npz": b"one", "2_npz": b"two"})) == [b"one", b"two"]
    with pytest.raises(RefusedError, match="Too steep"):
        read(archive(error_json=json.dumps({"message": "Too steep.", "refused": True}).encode()))
    with pytest.raises(WorkerError, match=r"Killed\.") as caught:
        read(archive(error_json=json.dumps({"message": "Killed.", "refused": False}).encode()))
    assert not isinstance(caught.value, RefusedError)
    crafted = [
        b"", b"PK", pickle.dumps(Springs()), archive(x=b""), archive(**{"2_npz": b""}), archive(error_json=b"{"),
        archive(error_json=b'{"message": 1, "refused": true}'), archive(**{"../1_npz": b""}),
    ]  # fmt: skip
    for content in crafted:
        with pytest.raises(WorkerError):
            read(content)
    assert not list(tmp_path.iterdir())


class Answer:
    """What Dask gives for a job that was sent."""

    def __init__(self, content: object) -> None:
        self._content = content

    def done(self) -> bool:
        return True

    def result(self) -> object:
        if isinstance(self._content, Exception):
            raise self._content
        return self._content

    def release(self) -> None:
        """Do nothing."""


class Client:
    """Dask's, which gives what a test says."""

    def __init__(self, content: object) -> None:
        self._content = content

    def submit(self, function: object, given: object, **_: object) -> Answer:
        assert function is walked and isinstance(given, bytes)
        return Answer(self._content)

    def nthreads(self) -> dict[str, int]:
        return {"a": 40, "b": 60}


def test_motions_from_a_cluster_come_beside_their_jobs(tmp_path: Path) -> None:
    (a,) = jobs_in(tmp_path, "a")
    for content, state in (
        (pickle.dumps(Springs()), "lost"), (Springs(), "lost"), (KeyError("gone"), "lost"),
        (archive(**{"1_npz": motion_of("0" * 64)}), "lost"), (archive(**{"1_npz": motion_of(a.digest)}), "walked"),
    ):  # fmt: skip
        cluster = Cluster(Client(content))
        batch = BatchRun(tmp_path, pieces(tmp_path), cluster.begin, Noted(), cluster.at_once)
        batch.run()
        assert batch.outcomes["a"].state == state
    assert cluster.at_once == 300


def test_dask_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(DataError, match=r"pip install 'biped-locomotion\[farm\]'"), connected(LOCAL, False, 1):
        pass


@pytest.mark.long
def test_the_fixed_function_takes_bytes_and_gives_bytes(tmp_path: Path) -> None:
    pytest.importorskip("pybullet")
    (a,) = jobs_in(tmp_path, "a")
    try:
        (motion,) = read(walked(a.content))
        assert motion.startswith(b"PK")
        with pytest.raises(RefusedError, match="character is missing"):
            read(walked(b'{"version": 1}'))
        with pytest.raises(RefusedError, match="is not valid JSON"):
            read(walked(pickle.dumps(Springs())))
    finally:
        crew().stop()
