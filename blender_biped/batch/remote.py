"""What a computer of a cluster is asked for: the bytes of a job's file in, the bytes of its motions out.

Both are plain bytes, so nothing of this package is ever pickled: what comes back is an archive with ``1.npz`` and so
on, or with ``error.json``, and is read as any file is of which nobody knows where it comes from.
"""

from __future__ import annotations

import json
import time
import zipfile
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from typing import IO

from ..base.errors import BipedError, DataError, WorkerError
from ..base.fields import Fields
from ..base.limits import MAX_BYTES, MAX_COMPANIONS, MAX_MOTION_BYTES
from ..company import work_from_json
from ..pool import Crew
from ..worker import RefusedError
from .folder import digest_of, parsed

_LOOK = 0.02  # s between two looks at the walk
_ERROR = "error.json"


def walked(content: bytes) -> bytes:
    """Return the motions of a job, or of a company, in an archive; see ``motions_in``.

    The walk is that of a process of its own, as everywhere, which the next call uses again. content: of the job's file.
    """
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as made:
        try:
            walk = crew().begin(work_from_json(parsed(content, "job")), digest_of(content))
            try:
                while walk.poll().state == "running":
                    time.sleep(_LOOK)
                for place, file in enumerate(walk.files()):
                    made.write(file, f"{place + 1}.npz")
            finally:
                walk.end()
        except BipedError as error:
            refused = isinstance(error, RefusedError | DataError)
            made.writestr(_ERROR, json.dumps({"message": str(error), "refused": refused}))
    return archive.getvalue()


@cache
def crew() -> Crew:
    """Return the processes that walk for this one."""
    return Crew()


def motions_in(content: bytes) -> Iterator[IO[bytes]]:
    """Return the contents of the motions' files in an archive that ``walked`` has made.

    Raises RefusedError for a job that cannot be walked; WorkerError where its walk was lost, and for other archives.
    """
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            names = archive.namelist()
            if sum(entry.file_size for entry in archive.infolist()) > MAX_MOTION_BYTES * MAX_COMPANIONS:
                raise WorkerError("What came back is larger than any motion.")
            if names == [_ERROR]:
                raise _error(archive)
            if names != [f"{place + 1}.npz" for place in range(len(names))]:
                raise WorkerError("What came back are no motions.")
            for name in names:
                with BytesIO(archive.read(name)) as motion:
                    yield motion
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise WorkerError(f"What came back cannot be read: {error}.") from error


def _error(archive: zipfile.ZipFile) -> WorkerError:
    """Return what an archive says in place of motions. Raises WorkerError where it says nothing."""
    try:
        with archive.open(_ERROR) as file:
            said = Fields(json.loads(file.read(MAX_BYTES)), "error")
        return (RefusedError if said.flag("refused") else WorkerError)(said.text("message"))
    except (DataError, ValueError, RecursionError) as error:
        raise WorkerError(f"What came back cannot be read: {error}.") from error
