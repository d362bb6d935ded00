"""Temporary folders that go with whoever made them: what a killed process leaves, the next one removes.

Each has a file that its maker holds locked. The system lets go of it when that process ends in whatever way, so a
folder whose file can be locked is nobody's any more. Numbers of processes would not say so: they are given again.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

PREFIX = "biped-"
OWNER = "owner"
"""The name of the file that is locked."""
_YOUNG = 60.0  # s in which a folder may not have its lock yet


class TemporaryFolder:
    """A new folder, which is this process' as long as it is not removed."""

    def __init__(self) -> None:
        """Make it. Raises OSError."""
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._number = -1
        try:
            self._number = os.open(self.path / OWNER, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            _lock(self._number)
        except OSError:
            self.remove()
            raise

    def remove(self) -> None:
        """Remove it with all that is in it; harmless when it is gone."""
        if self._number >= 0:
            os.close(self._number)  # Windows removes no file that is open
            self._number = -1
        shutil.rmtree(self.path, ignore_errors=True)


def remove_stale() -> None:
    """Remove the temporary folders of this user whose makers have ended without removing them.

    No links, nothing of other users, nothing without a lock, and nothing that is held or younger than a minute.
    """
    with suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX):
                with suppress(OSError):
                    _remove_if_stale(entry)


def _remove_if_stale(entry: os.DirEntry[str]) -> None:
    """Remove a folder that is nobody's. Raises OSError where it is somebody's, or no such folder."""
    known = entry.stat(follow_symlinks=False)
    if not stat.S_ISDIR(known.st_mode) or known.st_mtime > time.time() - _YOUNG:
        return
    if sys.platform != "win32" and known.st_uid != os.geteuid():
        return
    number = os.open(os.path.join(entry.path, OWNER), os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    try:
        _lock(number)
        if sys.platform != "win32":
            shutil.rmtree(entry.path, ignore_errors=True)  # held until it is gone
    finally:
        os.close(number)
    if sys.platform == "win32":
        shutil.rmtree(entry.path, ignore_errors=True)


def _lock(number: int) -> None:
    """Lock a file, which a process that ends lets go. Raises OSError where another one holds it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
