"""Numbers that take long to find and depend on nothing but their name, kept on the disk for the next process.

All of it may be thrown away at any time. A file that is not what its name says, be it cut off, changed or another's, is
as good as none, and so is a folder that cannot be read or written, or a disk that is full: nothing is ever raised.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .errors import DataError
from .files import read_whole, written

VARIABLE = "BIPED_TABLES"
"""The environment's word: a folder to keep in, whatever is told, or ``none`` for none."""
NONE = "none"
MOST = 64 * 2**20
"""Bytes in a folder: 280 pairs of a walk's tables, of which a walk in one style needs about seven."""

_FILE = re.compile(r"[0-9a-f]{64}\.npy")
_DIGEST = hashlib.sha256().digest_size
_HEADER = 1024  # bytes that a file has before its numbers, at most
_WRONG = (OSError, DataError, ValueError, EOFError, MemoryError)
Numbers = NDArray[np.float64]


class Cache(Protocol):
    """Where numbers are kept."""

    def numbers(self, name: Callable[[], str], count: int, make: Callable[[], Numbers]) -> Numbers:
        """Return the numbers (count,) of a name, 64 hexadecimal digits; made where they are not kept yet.

        Raises what ``make`` raises.
        """


class NoCache:
    """Keeps nothing."""

    def numbers(self, name: Callable[[], str], count: int, make: Callable[[], Numbers]) -> Numbers:
        """Return numbers as they are made; see ``Cache``."""
        return make()


class DiskCache:
    """Keeps numbers in a folder, a file for each name; several processes may do so at once.

    A file is there whole or not at all. Where all would take more than ``most`` bytes, those go that were used longest
    ago: whoever has written looks, so whatever the order, it holds once the last one is done.
    """

    def __init__(self, folder: Path, most: int = MOST) -> None:
        """folder: made when something is to be kept."""
        self._folder, self._most = folder, most

    def numbers(self, name: Callable[[], str], count: int, make: Callable[[], Numbers]) -> Numbers:
        """Return numbers, from the disk where they are there, bit for bit as they were made; see ``Cache``.

        Those that are not finite are not kept, nor those whose name cannot be found out (OSError).
        """
        try:
            file = self._folder / f"{name()}.npy"
        except OSError:
            return make()
        found = _read(file, count)
        if found is None:
            found = make()
            if found.shape == (count,) and np.isfinite(found).all():
                self._write(file, found)
        return found

    def _write(self, file: Path, numbers: Numbers) -> None:
        content = BytesIO()
        np.save(content, numbers, allow_pickle=False)
        with suppress(*_WRONG):
            self._folder.mkdir(parents=True, exist_ok=True)
            with written(file, lasting=False) as part:
                part.write(content.getvalue() + digest_of(file, content.getvalue()))
            self._trim()

    def _trim(self) -> None:
        """Remove what was used longest ago, as far as there is too much. Raises OSError."""
        files: list[tuple[int, int, str]] = []
        with os.scandir(self._folder) as entries:
            for entry in entries:
                if _FILE.fullmatch(entry.name):
                    with suppress(OSError):  # another process may have removed it
                        known = entry.stat(follow_symlinks=False)
                        files.append((known.st_mtime_ns, known.st_size, entry.path))
        much = sum(size for _, size, _ in files) - self._most
        for _, size, path in sorted(files):
            if much <= 0:
                break
            with suppress(OSError):
                os.unlink(path)
            much -= size


def cache() -> Cache:
    """Return where this process keeps numbers: where the environment says, or else where it was told; else nowhere."""
    folder = os.environ.get(VARIABLE) or _told[0]
    return DiskCache(Path(folder)) if folder and folder != NONE else NoCache()


def cache_in(folder: str) -> None:
    """Have this process keep numbers in a folder, "" for none."""
    _told[0] = folder


_told = [""]


def digest_of(file: Path, content: bytes) -> bytes:
    """Return what the end of a file has to be: its name goes in, so that none is taken for another."""
    return hashlib.sha256(file.name.encode("utf-8") + content).digest()


def _read(file: Path, count: int) -> Numbers | None:
    """Return the numbers (count,) of a file, None where it has none; and note that it was used."""
    try:
        content = read_whole(file, 8 * count + _HEADER + _DIGEST)
        content, digest = content[:-_DIGEST], content[-_DIGEST:]
        if digest != digest_of(file, content):
            return None
        found = np.load(BytesIO(content), allow_pickle=False)
    except _WRONG:
        return None
    if not isinstance(found, np.ndarray) or found.dtype != np.float64 or found.shape != (count,):
        return None
    if not np.isfinite(found).all():
        return None
    with suppress(OSError):  # a folder that is only read
        os.utime(file)
    return np.asarray(found)
