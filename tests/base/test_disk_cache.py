"""What is kept on the disk: the same numbers bit for bit, or made anew; nothing that is wrong there raises anything."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import IO, Any

import numpy as np
import pytest
from numpy.typing import NDArray

from blender_biped.base import disk_cache
from blender_biped.base.disk_cache import NONE, VARIABLE, DiskCache, NoCache, Numbers, cache, cache_in
from blender_biped.base.files import written

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = np.array([0.1, -0.0, 1.0 / 3.0, 5e-324, 1.7976931348623157e308])
SIZE = 168 - 8 + 8 * len(NUMBERS)  # bytes of its file


class Counted:
    """Makes numbers, and counts how often."""

    def __init__(self, numbers: Numbers = NUMBERS) -> None:
        self.numbers, self.times = numbers, 0

    def __call__(self) -> Numbers:
        self.times += 1
        return self.numbers.copy()


def named(name: str) -> Callable[[], str]:
    return lambda: sha256(name.encode()).hexdigest()


def asked(folder: Path, make: Callable[[], Numbers], name: str = "walk", most: int = disk_cache.MOST) -> Numbers:
    return DiskCache(folder, most).numbers(named(name), len(NUMBERS), make)


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.npy"))


def the_only_file(folder: Path) -> Path:
    (file,) = files(folder)
    return file


def same(found: Numbers, numbers: Numbers = NUMBERS) -> bool:
    return found.dtype == np.float64 and found.tobytes() == numbers.tobytes()


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A folder in which the numbers are kept."""
    asked(tmp_path, Counted())
    return tmp_path


def test_numbers_are_made_once_and_are_the_same_to_the_last_bit(tmp_path: Path) -> None:
    make, folder = Counted(), tmp_path / "not" / "there"
    assert same(asked(folder, make)) and same(asked(folder, make))
    assert make.times == 1 and the_only_file(folder).stat().st_size == SIZE
    assert same(np.load(the_only_file(folder), allow_pickle=False))  # a file of numpy's
    assert not list(folder.glob(".*"))


def test_another_name_is_another_thing(kept: Path) -> None:
    make = Counted(NUMBERS + 1.0)
    assert same(asked(kept, make, "run"), NUMBERS + 1.0) and make.times == 1
    assert len(files(kept)) == 2 and same(asked(kept, make))


def test_what_was_read_may_be_changed(kept: Path) -> None:
    found = asked(kept, Counted())
    found[:] = 0.0
    assert same(asked(kept, Counted()))


@pytest.mark.parametrize("spoilt", [
    b"", b"\0" * SIZE, b"some text", b"\x93NUMPY\x01\x00", b"\x80\x04N.", b"PK\x03\x04" + b"\0" * 60,
    b"\xff" * 100_000,
], ids=["empty", "zeros", "text", "header", "pickle", "zip", "long"])  # fmt: skip
def test_a_foreign_file_is_made_anew(kept: Path, spoilt: bytes) -> None:
    the_only_file(kept).write_bytes(spoilt)
    make = Counted()
    assert same(asked(kept, make)) and same(asked(kept, make)) and make.times == 1


def test_every_flipped_bit_and_every_cut_is_noticed(kept: Path) -> None:
    file = the_only_file(kept)
    whole = file.read_bytes()
    for place in range(0, len(whole), 7):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        make = Counted()
        assert same(asked(kept, make)) and make.times == 1 and file.read_bytes() == whole
        file.write_bytes(whole[:place])
        assert same(asked(kept, make)) and make.times == 2 and file.read_bytes() == whole


def test_a_file_under_anothers_name_is_not_taken_for_it(kept: Path) -> None:
    other = kept / f"{named('run')()}.npy"
    the_only_file(kept).rename(other)
    make = Counted(NUMBERS + 1.0)
    assert same(asked(kept, make, "run"), NUMBERS + 1.0) and make.times == 1


@pytest.mark.parametrize("wrong", [
    np.zeros(len(NUMBERS) + 1), np.zeros((len(NUMBERS), 1)), np.zeros(len(NUMBERS), dtype=np.float32),
    np.zeros(len(NUMBERS), dtype=np.complex128), np.full(len(NUMBERS), np.nan), np.full(len(NUMBERS), np.inf),
    np.float64(1.0), np.array(["a"] * len(NUMBERS)),
], ids=["count", "shape", "single", "complex", "nan", "infinite", "one", "text"])  # fmt: skip
def test_numbers_of_another_kind_are_made_anew(kept: Path, wrong: NDArray[Any]) -> None:
    """As another version would have them whose names were the same."""
    file, content = the_only_file(kept), BytesIO()
    np.save(content, wrong, allow_pickle=False)
    file.write_bytes(content.getvalue() + disk_cache.digest_of(file, content.getvalue()))
    make = Counted()
    assert same(asked(kept, make)) and make.times == 1


def test_objects_are_never_unpickled(kept: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    class Touches:
        def __reduce__(self) -> tuple[Callable[..., object], tuple[str]]:
            return os.mkdir, (str(made),)

    made = tmp_path_factory.mktemp("touched") / "made"
    file, content = the_only_file(kept), BytesIO()
    np.save(content, np.array([Touches()], dtype=object), allow_pickle=True)
    file.write_bytes(content.getvalue() + disk_cache.digest_of(file, content.getvalue()))
    assert same(asked(kept, Counted())) and not made.exists()


@pytest.mark.parametrize("odd", [NUMBERS * np.nan, np.append(NUMBERS, 1.0)], ids=["not finite", "too many"])
def test_what_would_not_be_read_is_not_kept(tmp_path: Path, odd: Numbers) -> None:
    make = Counted(odd)
    assert same(asked(tmp_path, make), odd) and same(asked(tmp_path, make), odd)
    assert make.times == 2 and not files(tmp_path)


def test_what_goes_wrong_in_the_making_is_told(tmp_path: Path) -> None:
    def fails() -> Numbers:
        raise OSError("no such walk")

    with pytest.raises(OSError, match="no such walk"):
        asked(tmp_path, fails)
    assert not files(tmp_path)


def test_without_a_name_nothing_is_kept(tmp_path: Path) -> None:
    def nameless() -> str:
        raise FileNotFoundError("no sources")

    assert same(DiskCache(tmp_path).numbers(nameless, len(NUMBERS), Counted()))
    assert not list(tmp_path.iterdir())


# --- folders and disks -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["file", "file/below", "a\0b", "x" * 5000, "link"])
def test_a_folder_that_cannot_be_is_none(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    if os.name == "posix":
        (tmp_path / "link").symlink_to(tmp_path / "link")
    make = Counted()
    for _ in range(2 if folder != "link" or os.name == "posix" else 0):
        assert same(asked(tmp_path / folder, make))
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


def _only_read(own: Callable[..., int]) -> Callable[..., int]:
    def opened(file: object, flags: int, *more: object, **named: object) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise PermissionError(errno.EACCES, "Permission denied")
        return own(file, flags, *more, **named)

    return opened


def test_a_folder_that_may_not_be_written_is_only_read(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    make = Counted()
    for name in ("mkdir", "utime", "unlink", "replace", "open"):
        monkeypatch.setattr(os, name, refused if name != "open" else _only_read(os.open))
    assert same(asked(kept, make)) and make.times == 0
    assert same(asked(kept, make, "run")) and make.times == 1
    monkeypatch.undo()
    assert len(files(kept)) == 1


def test_a_folder_that_may_not_be_read_is_none(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(disk_cache, "read_whole", refused)
    assert same(asked(kept, Counted()))


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_a_full_disk_keeps_nothing_and_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:  # fmt: skip
    own = written

    @contextmanager
    def full(file: Path, lasting: bool = True) -> Iterator[IO[bytes]]:
        with own(file, lasting) as part:
            part.write(b"the first bytes")
            raise OSError(number, os.strerror(number))
            yield part

    monkeypatch.setattr(disk_cache, "written", full)
    make = Counted()
    assert same(asked(tmp_path, make)) and same(asked(tmp_path, make)) and make.times == 2
    assert not list(tmp_path.iterdir())


def test_what_lies_in_a_files_place_stays(tmp_path: Path) -> None:
    (tmp_path / f"{named('walk')()}.npy").mkdir()
    make = Counted()
    assert same(asked(tmp_path, make)) and same(asked(tmp_path, make)) and make.times == 2
    assert (tmp_path / f"{named('walk')()}.npy").is_dir()


# --- how much there is -----------------------------------------------------------------------------------------------


def used_before(file: Path, seconds: float) -> None:
    moment = file.stat().st_mtime - seconds
    os.utime(file, (moment, moment))


def test_what_was_used_longest_ago_goes_first(tmp_path: Path) -> None:
    for age, name in enumerate(("three", "two", "one")):
        asked(tmp_path, Counted(), name, 4 * SIZE)
        used_before(tmp_path / f"{named(name)()}.npy", 300.0 - 100.0 * age)
    asked(tmp_path, Counted(), "three", 4 * SIZE)  # used again
    for name in ("four", "five"):
        asked(tmp_path, Counted(), name, 4 * SIZE)
    make = Counted()
    for name in ("three", "one", "four", "five"):
        asked(tmp_path, make, name, 4 * SIZE)
    assert make.times == 0 and len(files(tmp_path)) == 4
    asked(tmp_path, make, "two", 4 * SIZE)
    assert make.times == 1


def test_what_is_not_the_caches_is_left_and_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "other.npy").write_bytes(b"\0" * 100 * SIZE)
    for number in range(6):
        asked(tmp_path, Counted(), str(number), 3 * SIZE)
    assert (tmp_path / "other.npy").stat().st_size == 100 * SIZE and len(files(tmp_path)) == 3 + 1


def test_what_is_larger_than_the_folder_may_be_is_not_kept(tmp_path: Path) -> None:
    assert same(asked(tmp_path, Counted(), most=SIZE - 1)) and not files(tmp_path)


WRITER = """
import sys
from hashlib import sha256
from pathlib import Path
import numpy as np
from blender_biped.base.disk_cache import DiskCache
folder, seed, most = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
cache, order = DiskCache(folder, most), np.random.default_rng(seed).integers(0, 40, 300)
for number in order.tolist():
    name = sha256(str(number).encode()).hexdigest()
    found = cache.numbers(lambda: name, 5, lambda: np.arange(5.0) + number)
    assert found.tobytes() == (np.arange(5.0) + number).tobytes(), number
"""


def test_two_processes_at_once_have_what_is_right_and_no_more_than_there_may_be(tmp_path: Path) -> None:
    most = 10 * SIZE
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), str(seed), str(most)], cwd=ROOT)
        for seed in (1, 2)
    ]  # fmt: skip
    assert [writer.wait(60) for writer in writers] == [0, 0]
    assert 0 < sum(file.stat().st_size for file in files(tmp_path)) <= most
    assert not [file for file in tmp_path.iterdir() if file.suffix != ".npy"]


# --- where -----------------------------------------------------------------------------------------------------------


def test_by_itself_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert isinstance(cache(), NoCache)
    make = Counted()
    assert same(cache().numbers(named("walk"), 5, make)) and same(cache().numbers(named("walk"), 5, make))
    assert make.times == 2


def test_who_is_told_keeps_and_the_environment_has_the_last_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.delenv(VARIABLE, raising=False)
    told, own = tmp_path / "told", tmp_path / "own"
    cache_in(str(told))
    try:
        cache().numbers(named("walk"), 5, Counted())
        assert len(files(told)) == 1
        monkeypatch.setenv(VARIABLE, NONE)
        assert isinstance(cache(), NoCache)
        monkeypatch.setenv(VARIABLE, str(own))
        cache().numbers(named("run"), 5, Counted())
        assert len(files(told)) == 1 == len(files(own))
    finally:
        cache_in("")
    monkeypatch.setenv(VARIABLE, str(own))
    assert isinstance(cache(), DiskCache)


@pytest.mark.skipif(os.name != "posix", reason="rights as Unix has them")
def test_files_have_the_rights_that_new_files_have(kept: Path) -> None:
    before = os.umask(0o077)
    os.umask(before)
    assert stat.S_IMODE(the_only_file(kept).stat().st_mode) == 0o666 & ~before
