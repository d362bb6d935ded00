"""Files of people's: read only where they are plain files of no more bytes than expected, written whole or not at all.

What lies where something is to be written decides what happens:

- nothing: a new file, with the rights that the system gives to new files (umask);
- a plain file that may be written: another one in its place, with its rights and its group;
- a link, a folder, a device, a pipe, a read-only file, another user's file: refused, in a message that says which.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from .errors import DataError

_PART = re.compile(r"\.biped-[0-9a-f]{16}\.part")  # a file that is not whole yet; a system that ends leaves one
_LEFT = 3600.0  # s after which such a file is nobody's any more, whoever made it
_HERE = hashlib.sha256(platform.node().encode("utf-8", "replace")).hexdigest()[:8]  # where a part was made
_TRIES = 100
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
_OLD = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_MEGABYTE = 2**20
_RIGHTS = 0o777


def read_whole(file: Path, most: int) -> bytes:
    """Return the content of a plain file, or of one that a link leads to.

    Raises DataError for a pipe, a device or a folder, which may have no end, and for more bytes than ``most``; OSError
    where it cannot be read.
    """
    with opened(file) as content:
        found = content.read(most + 1)  # not by its size: some system's files say that they have none
        if len(found) > most:
            size = max(os.fstat(content.fileno()).st_size, len(found)) / _MEGABYTE
            raise DataError(f"{file.name} has {size:.0f} MB; at most {most / _MEGABYTE:.0f} are read.")
        return found


@contextmanager
def opened(file: Path) -> Iterator[IO[bytes]]:
    """Open a plain file to be read, or one that a link leads to. Raises DataError for all else, OSError."""
    if "\0" in str(file):
        raise DataError(f"{file.name} is no name of a file.")
    _check_plain(file, os.stat(file).st_mode)  # to open a device may do something already
    number = os.open(file, _OLD)  # does not wait for who writes into a pipe
    with os.fdopen(number, "rb") as content:
        _check_plain(file, os.fstat(number).st_mode)
        yield content


def _check_plain(file: Path, mode: int) -> None:
    """Raise DataError for what is no plain file."""
    if stat.S_ISDIR(mode):
        raise DataError(f"{file} is a folder: choose a file.")
    if not stat.S_ISREG(mode):
        raise DataError(f"{file} is a device or a pipe: choose a plain file.")


def write_whole(file: Path, content: bytes, tidy: bool = True) -> None:
    """Write a file in place of the one that is there, or leave that as it is. Raises DataError that says why not.

    tidy: as for ``written``.
    """
    try:
        with written(file, tidy=tidy) as part:
            part.write(content)
    except OSError as error:
        raise DataError(f"Cannot write {file}: {error.strerror or error}.") from error


@contextmanager
def written(file: Path, lasting: bool = True, tidy: bool = True) -> Iterator[IO[bytes]]:
    """Let a file be written that takes its place at the end, and only if nothing goes wrong until then.

    lasting: whether it is to be there after a loss of power, too. tidy: whether what was left half written in its
    folder is removed before, for which all of that is looked through. Raises DataError where something lies in its
    place that is not replaced, OSError when the disk does not take it.
    """
    before = _replaced(file)
    if tidy:
        remove_left(file.parent)
    made, number = _new_part(file.parent, 0o666 if before is None else 0o600)
    held = os.dup(number) if os.name == "posix" else -1  # it stays locked until it has its name
    try:
        with os.fdopen(number, "w+b") as part:
            yield part
            part.flush()
            if before is not None:
                _with_rights(made, part.fileno(), before)
            if lasting:
                os.fsync(part.fileno())  # a full disk is noticed here at the latest
        os.replace(made, file)
    except BaseException:
        with suppress(OSError):
            os.unlink(made)
        raise
    finally:
        if held >= 0:
            os.close(held)
    if lasting:
        _settle(file.parent)


def _new_part(folder: Path, rights: int) -> tuple[Path, int]:
    """Return a new file in a folder, with its number, which is locked as long as it is open. Raises OSError."""
    for _ in range(_TRIES):
        made = folder / f".biped-{_HERE}{secrets.token_hex(4)}.part"
        try:
            number = os.open(made, _NEW, rights)
        except FileExistsError:
            continue
        if os.name != "posix":
            return made, number
        try:
            _lock(number)
            left = not os.fstat(number).st_nlink
        except BlockingIOError:
            left = True
        except OSError:  # some file systems have no locks
            left = False
        if not left:
            return made, number
        os.close(number)  # somebody has taken it for one that was left, and removes it
    raise FileExistsError(f"There is no free name in {folder}.")


def _replaced(file: Path) -> os.stat_result | None:
    """Return what is known of the file that will be replaced, None for a new one. Raises DataError, OSError."""
    if "\0" in str(file):
        raise DataError(f"{file.name} is no name of a file: choose another one.")
    try:
        found = os.lstat(file)
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(found.st_mode):
        raise DataError(f"{file} is a link: choose the file that it leads to, or another name.")
    if stat.S_ISDIR(found.st_mode):
        raise DataError(f"{file} is a folder: choose another name.")
    if not stat.S_ISREG(found.st_mode):
        raise DataError(f"{file} is a device or a pipe, not a file: choose another name.")
    own = getattr(os, "geteuid", lambda: 0)()
    if own and found.st_uid != own:
        raise DataError(f"{file} belongs to another user: choose another name.")
    if not found.st_mode & 0o222 or not os.access(file, os.W_OK):
        raise DataError(f"{file} is read-only: allow writing in its properties, or choose another name.")
    return found


def _with_rights(made: Path, number: int, before: os.stat_result) -> None:
    """Give a new file the owner, the group and the rights of the one that it replaces; no more than those."""
    rights = stat.S_IMODE(before.st_mode) & _RIGHTS
    if os.name == "posix":
        try:
            os.fchown(number, before.st_uid, before.st_gid)
        except OSError:  # a group that this user is not in: then another group gets no rights
            if os.fstat(number).st_gid != before.st_gid:
                rights &= ~0o070
    os.chmod(made, rights)


def remove_left(folder: Path) -> None:
    """Remove what was left half written by a program that was ended.

    That is what was made on this computer and nobody holds any more, and all that was made an hour ago or more.
    """
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _PART.fullmatch(entry.name):
                with suppress(OSError):
                    known = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(known.st_mode) and known.st_mtime < time.time() - _LEFT:
                        os.unlink(entry.path)
                    elif os.name == "posix" and entry.name.startswith(f".biped-{_HERE}"):
                        _remove_if_free(entry.path)


def _remove_if_free(part: str) -> None:
    """Remove a file that was made on this computer. Raises OSError where somebody writes it."""
    number = os.open(part, os.O_RDONLY | _OLD | getattr(os, "O_NOFOLLOW", 0))
    try:
        _lock(number)
        os.unlink(part)  # while it is held: who has just made it sees that
    finally:
        os.close(number)


def _lock(number: int) -> None:
    """Lock a file as long as it is open. Raises OSError where it is locked already, or cannot be."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _settle(folder: Path) -> None:
    """Have a folder's new name of a file on the disk."""
    if os.name == "posix":
        with suppress(OSError):
            number = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(number)
            finally:
                os.close(number)
