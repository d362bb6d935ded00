"""A folder is walked: once each, whole or not at all, and what goes wrong is said beside the job."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from blender_biped.base import files
from blender_biped.base.errors import WorkerError
from blender_biped.batch.folder import Piece, pieces
from blender_biped.batch.run import BatchRun, StoppedError
from blender_biped.motion.motion import read_motion
from blender_biped.worker import RefusedError
from tests.batch.jobs import Noted, Walker, company_in, jobs_in, motion_of, own_motions
from tools.attack import disk


def batch(folder: Path, walker: Walker, retry: bool = False, at_once: int = 2) -> tuple[BatchRun, Noted]:
    noted = Noted()
    return BatchRun(folder, pieces(folder), walker, noted, at_once, retry), noted


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def test_a_motion_comes_beside_each_job_and_is_not_walked_again(tmp_path: Path) -> None:
    jobs_in(tmp_path, "a", "b", "c")
    company_in(tmp_path, "pair")
    walker = Walker()
    first, noted = batch(tmp_path, walker)
    first.run()
    assert names(tmp_path) == {f"{n}.json" for n in ("a", "b", "c", "pair")} | {
        "a.npz", "b.npz", "c.npz", "pair-1.npz", "pair-2.npz",
    }  # fmt: skip
    assert {own.state for own in first.outcomes.values()} == {"walked"} and len(noted.done) == 4 and not noted.there
    assert all(walk.ended for walk in walker.walks.values())
    assert read_motion(tmp_path / "pair-2.npz").duration > 0.0

    again, noted = batch(tmp_path, Walker(lambda piece: pytest.fail(piece.name)))
    again.run()
    assert again.outcomes == first.outcomes and len(noted.there) == 4 and not noted.done


def test_a_job_that_was_changed_or_whose_company_is_not_complete_is_walked_again(tmp_path: Path) -> None:
    a, b = jobs_in(tmp_path, "a", "b")
    pair = company_in(tmp_path, "pair")
    batch(tmp_path, Walker())[0].run()
    old, kept, file = a.digest, b.files[0].stat().st_ino, tmp_path / "a.json"
    file.write_bytes(file.read_bytes() + b"\n")
    pair.files[1].unlink()
    walker = Walker()
    second, _ = batch(tmp_path, walker)
    second.run()
    assert set(walker.walks) == {"a", "pair"} and b.files[0].stat().st_ino == kept
    assert Piece(tmp_path, "a").digest != old and second.outcomes["a"].state == "walked"


def test_one_that_cannot_be_walked_says_so_beside_it_and_waits_for_retry(tmp_path: Path) -> None:
    jobs_in(tmp_path, "a", "b")
    (tmp_path / "c.json").write_text("{", encoding="utf-8")

    def answer(piece: Piece) -> list[bytes] | Exception:
        return RefusedError("Its hurdle is too high.") if piece.name == "a" else own_motions(piece)

    first, noted = batch(tmp_path, Walker(answer))
    first.run()
    assert {n: o.state for n, o in first.outcomes.items()} == {"a": "refused", "b": "walked", "c": "refused"}
    said = json.loads((tmp_path / "a.error.json").read_text(encoding="ascii"))
    assert said["message"] == "Its hurdle is too high." and said["state"] == "refused"
    assert "c.json is not valid JSON" in first.outcomes["c"].message and "c.npz" not in names(tmp_path)

    again, noted = batch(tmp_path, Walker(lambda piece: pytest.fail(piece.name)))
    again.run()
    assert noted.there == ["a", "b", "c"] and again.outcomes == first.outcomes

    walker = Walker()
    retried, _ = batch(tmp_path, walker, retry=True)
    retried.run()
    assert set(walker.walks) == {"a"} and retried.outcomes["a"].state == "walked"
    assert "a.error.json" not in names(tmp_path) and "c.error.json" in names(tmp_path)


def test_one_whose_walk_was_lost_is_walked_again_by_itself(tmp_path: Path) -> None:
    jobs_in(tmp_path, "a", "b")
    first, _ = batch(tmp_path, Walker(lambda p: WorkerError("Killed.") if p.name == "a" else own_motions(p)))
    first.run()
    assert first.outcomes["a"].state == "lost" and "a.error.json" in names(tmp_path)
    walker = Walker()
    batch(tmp_path, walker)[0].run()
    assert set(walker.walks) == {"a"} and "a.error.json" not in names(tmp_path) and "a.npz" in names(tmp_path)


def test_many_lost_in_a_row_stop_the_batch(tmp_path: Path) -> None:
    jobs_in(tmp_path, *(f"{k:02}" for k in range(30)))
    walker = Walker(lambda _: WorkerError("No memory."))
    with pytest.raises(StoppedError, match=r"10 walks in a row were lost, the last one so: No memory\."):
        batch(tmp_path, walker, at_once=1)[0].run()
    assert len(walker.walks) < 15


@pytest.mark.parametrize("made", [[], [b"no motion"], ["another"], ["own", "own"]])
def test_what_is_no_motion_of_the_job_is_not_put_beside_it(made: list[str | bytes], tmp_path: Path) -> None:
    (a,) = jobs_in(tmp_path, "a")
    of = {"another": motion_of("0" * 64), "own": motion_of(a.digest)}
    came = [of[own] if isinstance(own, str) else own for own in made]
    first, _ = batch(tmp_path, Walker(lambda _: came))
    first.run()
    assert first.outcomes["a"].state == "lost"
    assert len(made) == 2 or names(tmp_path) == {"a.json", "a.error.json"}


def test_what_somebody_else_has_put_there_is_not_replaced(tmp_path: Path) -> None:
    jobs_in(tmp_path, "a", "b", "c")
    (tmp_path / "a.npz").write_bytes(b"mine")
    (tmp_path / "b.npz").mkdir()
    first, _ = batch(tmp_path, Walker(lambda piece: own_motions(piece) if piece.name == "c" else pytest.fail()))
    first.run()
    assert (tmp_path / "a.npz").read_bytes() == b"mine" and (tmp_path / "b.npz").is_dir()
    for name in "ab":
        assert f"{name}.npz is there, and is no whole motion" in first.outcomes[name].message
    (tmp_path / "a.npz").unlink()  # as the message asks for
    walker = Walker()
    again, _ = batch(tmp_path, walker)
    again.run()
    assert set(walker.walks) == {"a"} and again.outcomes["a"].state == "walked"


def test_many_that_others_have_put_there_stop_nothing(tmp_path: Path) -> None:
    own = jobs_in(tmp_path, *(f"{k:02}" for k in range(14)))
    for piece in own[:12]:
        piece.files[0].write_bytes(motion_of(piece.digest)[:-1])  # a copy that came by half
    walker = Walker()
    first, _ = batch(tmp_path, walker)
    first.run()
    assert set(walker.walks) == {"12", "13"} and first.outcomes["00"].state == "lost"


def test_a_motion_that_must_stay_is_named_before_its_job_is_walked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (a,) = jobs_in(tmp_path, "a")
    a.files[0].write_bytes(motion_of("0" * 64))
    a.files[0].chmod(0o444)
    monkeypatch.setattr(os, "access", lambda file, _: bool(os.stat(file).st_mode & 0o200))  # root may write all
    first, _ = batch(tmp_path, Walker(lambda piece: pytest.fail(piece.name)))
    first.run()
    assert "a.npz is of another walk, and is read-only" in first.outcomes["a"].message


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_links_lead_nowhere(tmp_path: Path) -> None:
    folder, outside = tmp_path / "jobs", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    jobs_in(outside, "there")
    (folder / "in.json").symlink_to(outside / "there.json")
    jobs_in(folder, "out", "error")
    (folder / "out.npz").symlink_to(outside / "made.npz")
    (folder / "error.npz").write_bytes(b"mine")
    (folder / "error.error.json").symlink_to(outside / "said.json")
    first, _ = batch(folder, Walker())
    with pytest.raises(StoppedError, match="is a link"):
        first.run()
    assert names(outside) == {"there.json"}
    (folder / "error.error.json").unlink()
    second, _ = batch(folder, Walker())
    second.run()
    states = {name: own.state for name, own in second.outcomes.items()}
    assert states == {"in": "refused", "out": "lost", "error": "lost"} and names(outside) == {"there.json"}
    assert "is a link" in second.outcomes["in"].message


def test_a_disk_that_is_full_ends_a_batch_with_nothing_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = 0
    for at in range(1, 100):  # at each of the writes in turn
        folder = tmp_path / str(at)
        folder.mkdir()
        jobs_in(folder, "a", "b")
        own, _ = batch(folder, Walker(), at_once=1)
        with monkeypatch.context() as patch:
            full = disk.Disk(at, disk.full)
            patch.setattr(files, "os", full)
            try:
                own.run()
            except StoppedError as error:
                assert "No space left on device" in str(error)
                stopped += 1
        if full.count < at:
            break
        whole = [piece for piece in pieces(folder) if piece.outcome().state == "walked"]
        assert names(folder) == {"a.json", "b.json", *(f"{piece.name}.npz" for piece in whole)}
        for piece in whole:
            read_motion(piece.files[0])
    assert stopped >= 2 * 3  # to open, to have it on the disk, to give it its name


def test_what_a_killed_batch_has_left_is_removed_by_the_next(tmp_path: Path) -> None:
    jobs_in(tmp_path, "a")
    folder = tmp_path / "here"
    child = os.fork() if hasattr(os, "fork") else pytest.skip("needs fork")
    if not child:
        with files.written(tmp_path / "a.npz") as part:
            part.write(b"half")
            os._exit(0)
    os.waitpid(child, 0)
    assert len({n for n in names(tmp_path) if n.endswith(".part")}) == 1 and not folder.exists()
    batch(tmp_path, Walker())[0].run()
    assert names(tmp_path) == {"a.json", "a.npz"}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root, to be another user")
def test_a_folder_that_cannot_be_written_is_named_before_anything_is_walked(tmp_path: Path) -> None:
    jobs_in(tmp_path, "a")
    tmp_path.chmod(0o555)
    parent = tmp_path
    while parent != Path("/tmp") and parent != parent.parent:
        if parent != tmp_path:
            parent.chmod(0o755)
        parent = parent.parent
    os.seteuid(65534)
    try:
        with pytest.raises(StoppedError, match=r"Cannot write into .*: Permission denied"):
            batch(tmp_path, Walker(lambda piece: pytest.fail(piece.name)))[0].run()
    finally:
        os.seteuid(0)
        tmp_path.chmod(0o755)


def test_an_error_that_nobody_foresaw_leaves_no_walk(tmp_path: Path) -> None:
    jobs_in(tmp_path, "a", "b")
    walker = Walker()

    def look() -> None:
        raise KeyboardInterrupt

    own, _ = batch(tmp_path, walker)
    walker.answer = lambda piece: own_motions(piece)
    original = Walker.__call__

    def running(piece: Piece):
        walk = original(walker, piece)
        walk.running = True
        return walk

    own = BatchRun(tmp_path, pieces(tmp_path), running, Noted(), 2)
    with pytest.raises(KeyboardInterrupt):
        own.run(look)
    assert len(walker.walks) == 2 and all(walk.cancelled for walk in walker.walks.values())
    assert names(tmp_path) == {"a.json", "b.json"}
