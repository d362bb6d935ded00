"""A folder of jobs is walked: what is whole stays, what is not is walked by whoever computes it, and written whole."""

from __future__ import annotations

import errno
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Protocol

from ..base.errors import BipedError, DataError, WorkerError
from ..base.files import remove_left, written
from ..company import work_from_json
from ..motion.stamp import stamp_in
from ..pool import Computing, Crew, CrewWalk, Pool
from ..worker import CancelledError, RefusedError
from .folder import JobOutcome, OccupiedError, Piece, parsed
from .told import Told

_LOOK = 0.01  # s between two looks at what is computed
_FULL = (errno.ENOSPC, errno.EDQUOT)
_IN_A_ROW = 10  # walks that were lost, after which it is no accident


class StoppedError(BipedError):
    """A batch cannot go on, whatever the next job is; the message says why."""


class BatchWalk(Computing, Protocol):
    """The walk of one job on its way, here or elsewhere."""

    def motions(self) -> Iterator[IO[bytes]]:
        """Return the contents of its motions' files, once it has ended; each is open until the next is asked for.

        Raises RefusedError where the job cannot be walked, WorkerError where the walk was lost.
        """

    def end(self) -> None:
        """Let go of what it has taken; called once, when its motions are no longer needed."""


class BatchRun:
    """Jobs of a folder that are walked; see ``run``."""

    def __init__(
        self,
        folder: Path,
        pieces: Sequence[Piece],
        begin: Callable[[Piece], BatchWalk],
        told: Told,
        at_once: int = 1,
        retry: bool = False,
    ) -> None:
        """pieces: of the folder, which of its jobs are walked. begin: starts one. told: is told how far it is.

        retry: whether those are walked again of which an error says that they cannot be.
        """
        self._folder, self._pieces, self._told, self._retry = folder, pieces, told, retry
        self._start, self._lost, self._why = begin, 0, ""
        self.outcomes: dict[str, JobOutcome] = {}
        self.pool = Pool[Piece, BatchWalk](self._waiting(), self._begin, self._take, self._failed, at_once)

    def run(self, look: Callable[[], None] = lambda: None) -> None:
        """Walk all that is not there yet; what became of each is in ``outcomes``. look: called again and again.

        Raises StoppedError where no more can be walked, as on a full disk. Leaves nothing that is half written.
        """
        self._check_folder()
        try:
            while not self.pool.settled:
                self.pool.advance()
                self._told.progress(sum(own.progress for own in self.pool.running))
                if self._why:
                    raise StoppedError(self._why)
                look()
                time.sleep(_LOOK)
        finally:
            self.pool.stop()
            remove_left(self._folder)

    def _check_folder(self) -> None:
        """Raise StoppedError where nothing can be written into the folder; remove what another batch left by half."""
        remove_left(self._folder)
        with suppress(_UnwrittenError):
            try:
                with written(self._folder / ".biped-trial", tidy=False) as file:
                    file.write(bytes(1))
                    file.flush()
                    raise _UnwrittenError
            except OSError as error:
                raise StoppedError(f"Cannot write into {self._folder}: {error.strerror or error}.") from error

    def _waiting(self) -> Iterator[Piece]:
        """Give the jobs that are to be walked, looking at each when its turn has come: another one may have done it."""
        for piece in self._pieces:
            if self._why:
                return
            known = piece.outcome()
            if known.state == "walked" or (known.state == "refused" and not self._retry):
                self.outcomes[known.name] = known
                self._told.found(known)
            else:
                yield piece

    def _begin(self, piece: Piece) -> BatchWalk:
        piece.check_place()
        return self._start(piece)

    def _take(self, piece: Piece, walk: BatchWalk) -> None:
        """Put the motions of a walk beside its job."""
        files, count = piece.files, 0
        try:
            for content in walk.motions():
                if count < len(files):
                    _place(content, files[count], piece.digest)
                count += 1
        finally:
            walk.end()
        if count != len(files):
            raise WorkerError(f"{count} motions came back, and {len(files)} were to come.")
        piece.error_file.unlink(missing_ok=True)
        self._lost = 0
        self._note(piece.outcome())

    def _failed(self, piece: Piece, error: Exception) -> None:
        """Note beside a job why it has no motion; what is no fault of a job's, or of one walk's, stops the batch."""
        if isinstance(error, OSError):
            full = " Free some space, and start again." if error.errno in _FULL else ""
            self._why = f"Cannot write into {self._folder}: {error.strerror or error}.{full}"
            return
        if isinstance(error, CancelledError):
            return
        occupied = isinstance(error, OccupiedError)
        refused = isinstance(error, RefusedError | DataError) and not occupied
        message = str(error) if isinstance(error, BipedError) else f"The walk could not be computed ({error!r})."
        self._lost = 0 if refused or occupied else self._lost + 1
        try:
            self._note(piece.note("refused" if refused else "lost", message))
        except DataError as wrong:
            self._why = str(wrong)
        if self._lost >= _IN_A_ROW:
            self._why = f"{self._lost} walks in a row were lost, the last one so: {message}"

    def _note(self, outcome: JobOutcome) -> None:
        self.outcomes[outcome.name] = outcome
        self._told.ended(outcome)


class LocalWalk:
    """The walk of one job by a process of this computer."""

    def __init__(self, walk: CrewWalk) -> None:
        self._walk = walk
        self.poll, self.cancel, self.end = walk.poll, walk.cancel, walk.end

    def motions(self) -> Iterator[IO[bytes]]:
        """Return the contents of its motions' files; see ``BatchWalk``."""
        for file in self._walk.files():
            try:
                content = file.open("rb")
            except OSError as error:
                raise WorkerError(f"The motion is gone: {error.strerror or error}.") from error
            with content:
                yield content


def locally(crew: Crew) -> Callable[[Piece], LocalWalk]:
    """Return what starts jobs in processes of this computer. Both raise DataError for what is no job, WorkerError."""

    def begin(piece: Piece) -> LocalWalk:
        return LocalWalk(crew.begin(work_from_json(parsed(piece.content, piece.name)), piece.digest))

    return begin


class _UnwrittenError(Exception):
    """Nothing is to be left of a file that was written to see whether it can be."""


def _place(content: IO[bytes], file: Path, digest: str) -> None:
    """Write a motion in its place. Raises OSError; DataError where it must not be; WorkerError for no such motion."""
    stamp = stamp_in(content)
    if stamp is None or stamp.work != digest:
        raise WorkerError(f"What came back for {file.name} is no motion of this job.")
    content.seek(0)
    with written(file, tidy=False) as place:
        shutil.copyfileobj(content, place)
