# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk that is full, or a program that is killed, at one of the writes of ``blender_biped.base.files``."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from blender_biped.base import files

KILLED = 77
"""The exit code of a process that is killed."""
_WRITES = ("open", "fchown", "chmod", "fsync", "replace", "unlink")
Stop = Callable[[], NoReturn]


def full() -> NoReturn:
    """Say that the disk is full."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def killed() -> NoReturn:
    """End this process at once, as a signal does."""
    os._exit(KILLED)


class Disk:
    """The system's calls, of which one, by its number from 1 on, is not done, or half."""

    def __init__(self, at: int, stop: Stop) -> None:
        self.count, self._at, self._stop = 0, at, stop

    def __getattr__(self, name: str) -> Any:
        own = getattr(os, name)
        return self._counted(own) if name in _WRITES else own

    def fdopen(self, number: int, mode: str) -> Any:
        """Return a file that writes at once: what a killed program had in memory is lost anyway."""
        return _Part(os.fdopen(number, mode, buffering=0), self) if "w" in mode else os.fdopen(number, mode)

    def due(self) -> bool:
        """Count a call; return whether it is the one."""
        self.count += 1
        return self.count == self._at

    def stop(self) -> NoReturn:
        """End as this one ends."""
        self._stop()

    def _counted(self, own: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            if self.due():
                self.stop()
            return own(*arguments)

        return call


class _Part:
    """A file whose writes are counted, and of which the last one is done by half."""

    def __init__(self, own: Any, disk: Disk) -> None:
        self._own, self._disk = own, disk

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)

    def __enter__(self) -> _Part:
        return self

    def __exit__(self, *_: object) -> None:
        self._own.close()

    def write(self, content: Any) -> int:
        """Write it all, or half of it."""
        whole = memoryview(bytes(content))
        if self._disk.due():
            self._own.write(whole[: len(whole) // 2])
            self._disk.stop()
        done = 0
        while done < len(whole):
            done += self._own.write(whole[done:])
        return done


@contextmanager
def writing_on(disk: Disk) -> Iterator[Disk]:
    """Let files be written on a disk while the context lasts."""
    setattr(files, "os", disk)  # noqa: B010 (for mypy it is no module)
    try:
        yield disk
    finally:
        setattr(files, "os", os)  # noqa: B010


def killed_at(number: int, write: Callable[[], object]) -> bool:
    """Write in a process that is killed at a call; return whether it came so far. Raises ChildProcessError."""
    child = os.fork()
    if not child:
        try:
            with writing_on(Disk(number, killed)):
                write()
        except BaseException:
            os._exit(1)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code not in (0, KILLED):
        raise ChildProcessError(f"a process that was to be killed ended with {code}")
    return code == KILLED
