"""Files that are read are plain and bounded; what lies where one is written is replaced whole, or refused."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from shutil import rmtree

import pytest

from blender_biped.base import files
from blender_biped.base.errors import DataError
from blender_biped.base.fields import load_json
from blender_biped.base.files import read_whole, write_whole, written

posix = pytest.mark.skipif(os.name != "posix", reason="needs links, pipes and rights as Unix has them")
NOBODY = 65534


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A folder of a plain user, who this process is meanwhile: root may do too much."""
    if os.name != "posix" or os.geteuid():
        yield tmp_path
        return
    folder, groups = Path(tempfile.mkdtemp()), os.getgroups()
    try:
        os.chown(folder, NOBODY, NOBODY)
        os.setgroups([])
        os.setegid(NOBODY)
        os.seteuid(NOBODY)
    except OSError:
        pytest.skip("cannot become a plain user")
    before = os.umask(0o027)
    try:
        yield folder
    finally:
        os.umask(before)
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)
        rmtree(folder)


def refusal(do: Callable[[], object]) -> str:
    with pytest.raises(DataError) as caught:
        do()
    return str(caught.value)


def rights(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


# --- what is written -------------------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
def test_a_new_file_has_the_rights_of_new_files(place: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        write_whole(place / "new.json", b"{}")
    finally:
        os.umask(before)
    assert rights(place / "new.json") == 0o666 & ~umask and [f.name for f in place.iterdir()] == ["new.json"]


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755, 0o200])
def test_a_file_that_is_replaced_keeps_its_rights_and_owner(place: Path, mode: int) -> None:
    file = place / "old.json"
    file.write_bytes(b"old")
    file.chmod(mode)
    before = file.stat()
    write_whole(file, b"new")
    after = file.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    file.chmod(0o600)
    assert file.read_bytes() == b"new"


def _linked(place: Path, file: Path) -> Path:
    (place / "other").write_bytes(b"old")
    file.symlink_to("other")
    return place / "other"


def _dangling(place: Path, file: Path) -> Path:
    file.symlink_to("nowhere")
    return place / "nowhere"


def _looped(place: Path, file: Path) -> Path:
    file.symlink_to(file.name)
    return place / "nowhere"


def _device(place: Path, file: Path) -> Path:
    file.symlink_to("/dev/null")
    return place / "nowhere"


def _pipe(place: Path, file: Path) -> Path:
    os.mkfifo(file)
    return place / "nowhere"


def _folder(place: Path, file: Path) -> Path:
    file.mkdir()
    return place / "nowhere"


def _read_only(place: Path, file: Path) -> Path:
    file.write_bytes(b"old")
    file.chmod(0o444)
    return file


@posix
@pytest.mark.parametrize(
    ("put", "why"),
    [
        (_linked, "is a link"), (_dangling, "is a link"), (_looped, "is a link"), (_device, "is a link"),
        (_pipe, "is a device or a pipe"), (_folder, "is a folder"), (_read_only, "is read-only"),
    ],
)  # fmt: skip
def test_what_is_no_plain_file_is_refused_and_stays(place: Path, put: Callable[[Path, Path], Path], why: str) -> None:
    file = place / "x.json"
    behind = put(place, file)
    before = file.lstat()
    assert why in refusal(lambda: write_whole(file, b"new"))
    assert file.lstat() == before and (not behind.exists() or behind.read_bytes() == b"old")
    assert not list(place.glob(".biped-*"))


@posix
def test_a_device_and_another_users_file_are_refused(place: Path) -> None:
    assert "is a device" in refusal(lambda: write_whole(Path("/dev/null"), b"new"))
    if os.getuid() == 0:  # else there is nobody else to make one
        os.seteuid(0)
        (place / "roots.json").write_bytes(b"old")
        (place / "roots.json").chmod(0o666)
        os.seteuid(NOBODY)
        assert "belongs to another user" in refusal(lambda: write_whole(place / "roots.json", b"new"))
        assert (place / "roots.json").read_bytes() == b"old"


@posix
def test_a_read_only_file_is_left_by_root_too(tmp_path: Path) -> None:
    _read_only(tmp_path, tmp_path / "x.json")
    assert "is read-only" in refusal(lambda: write_whole(tmp_path / "x.json", b"new"))


@posix
def test_a_folder_that_may_not_be_written_is_named(place: Path) -> None:
    (place / "shut").mkdir(0o500)
    assert refusal(lambda: write_whole(place / "shut" / "x", b"")) == f"Cannot write {place}/shut/x: Permission denied."


def test_names_that_are_none_are_refused(tmp_path: Path) -> None:
    for name in ("a\0b", "x" * 300):
        refusal(lambda: write_whole(tmp_path / name, b""))  # noqa: B023 (called at once)
    assert not list(tmp_path.iterdir())


def test_what_another_program_left_half_written_is_removed_when_it_is_old(tmp_path: Path) -> None:
    old, young, other = (tmp_path / f".{n}.part" for n in (f"biped-{'0' * 16}", f"biped-{'1' * 16}", "biped-mine"))
    for file in (old, young, other):
        file.write_bytes(b"")
    for file in (old, other):
        os.utime(file, (time.time() - 4000.0,) * 2)
    write_whole(tmp_path / "x", b"")
    assert {f.name for f in tmp_path.iterdir()} == {young.name, other.name, "x"}


def test_an_error_in_between_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"old")
    for error in (KeyError, KeyboardInterrupt, OSError):
        with suppress(error), written(file) as part:
            part.write(b"new")
            raise error
    assert file.read_bytes() == b"old" and list(tmp_path.iterdir()) == [file]


# --- what is read ----------------------------------------------------------------------------------------------------


@posix
def test_a_pipe_a_device_and_a_folder_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "linked").symlink_to("/dev/zero")
    (tmp_path / "folder.json").mkdir()
    began = time.perf_counter()
    assert "is a device or a pipe" in refusal(lambda: load_json(tmp_path / "pipe"))
    assert "is a device or a pipe" in refusal(lambda: load_json(tmp_path / "linked"))
    assert "is a folder" in refusal(lambda: load_json(tmp_path / "folder.json"))
    assert "no name of a file" in refusal(lambda: load_json(tmp_path / "a\0b"))
    assert time.perf_counter() - began < 1.0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs files without a size")
def test_a_file_that_says_it_has_no_size_is_read_no_farther_than_allowed() -> None:
    file = Path("/proc/self/status")
    assert file.stat().st_size == 0 and b"Pid:" in read_whole(file, 10_000)
    assert "at most 0 are read" in refusal(lambda: read_whole(file, 10))


@posix
def test_a_link_to_a_plain_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("[1]", encoding="utf-8")
    (tmp_path / "link.json").symlink_to("real.json")
    assert load_json(tmp_path / "link.json") == [1]
    assert load_json(tmp_path / "real.json") == [1]


def test_there_is_one_place_that_writes_files() -> None:
    """Whoever opens a file for writing elsewhere in the package leaves half of one behind."""
    package = Path(files.__file__).parents[1]
    ways = (".write_text(", ".write_bytes(", "mkstemp", "os.replace(", '.open("w', 'ZipFile(path, "w', "savez(")
    found = [
        str(file.relative_to(package))
        for file in package.rglob("*.py")
        if any(way in file.read_text(encoding="utf-8").replace("archive.open(", "") for way in ways)
    ]
    assert found == ["base/files.py"]
