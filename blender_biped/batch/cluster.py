"""A cluster of Dask: the same walks on other computers. Its library is there with ``biped-locomotion[farm]``.

A scheduler of Dask unpickles what it is sent, so whoever reaches one without TLS runs what he likes on all of its
computers. One that is not on this computer is therefore used with TLS only, unless the command line says otherwise.
"""

from __future__ import annotations

import importlib
import ipaddress
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any
from urllib.parse import urlsplit

from ..base.errors import DataError, WorkerError, quoted, shortened
from ..base.limits import MAX_QUOTED
from ..pool import cores
from ..worker import CancelledError, Status
from .folder import Piece
from .remote import motions_in, walked

LOCAL = "local"
_AHEAD = 3  # jobs that are sent for each one that is walked: nobody waits for the next
_LEAST = 50  # of these: by them a cluster that grows sees that there is work
_FRESH = 2.0  # s for which it is known how many computers there are
_RETRIES = 2  # for what is lost on the way; a computer that ends is Dask's own affair
_PATIENCE = "30s"  # until a scheduler answers


class Cluster:
    """Computers that walk jobs. See ``connected``."""

    def __init__(self, client: Any) -> None:
        """client: of Dask."""
        self.client, self._threads, self._asked = client, 0, -_FRESH

    @property
    def at_once(self) -> int:
        """How many jobs are sent at present: more than are walked at once."""
        if time.monotonic() - self._asked > _FRESH:
            self._asked = time.monotonic()
            self._threads = sum(self.client.nthreads().values())
        return max(_LEAST, _AHEAD * self._threads)

    def begin(self, piece: Piece) -> ClusterWalk:
        """Send a job. Raises DataError for one that cannot be read, WorkerError."""
        content = piece.content
        try:
            return ClusterWalk(self.client.submit(walked, content, pure=False, retries=_RETRIES))
        except Exception as error:
            raise WorkerError(f"The scheduler does not take the job: {_short(error)}.") from error


class ClusterWalk:
    """The walk of one job somewhere on a cluster."""

    def __init__(self, future: Any) -> None:
        self._future, self._cancelled = future, False

    def poll(self) -> Status:
        """Return how far it is: nothing comes before the end."""
        if self._cancelled:
            return Status("cancelled", 0.0)
        return Status("done", 1.0) if self._future.done() else Status("running", 0.0)

    def cancel(self) -> None:
        """End it where it has not begun; let go of it where it has."""
        self._cancelled = True
        with suppress(Exception):
            self._future.cancel()

    def motions(self) -> Iterator[IO[bytes]]:
        """Return the contents of its motions' files; see ``BatchWalk``."""
        if self._cancelled:
            raise CancelledError
        try:
            content = self._future.result()
        except Exception as error:
            raise WorkerError(f"The walk was lost on the cluster: {_short(error)}.") from error
        if not isinstance(content, bytes):
            raise WorkerError("What came back are no bytes.")
        yield from motions_in(content)

    def end(self) -> None:
        """Let the cluster forget the motions."""
        with suppress(Exception):
            self._future.release()


@contextmanager
def connected(address: str, even_open: bool, workers: int) -> Iterator[Cluster]:
    """Give a cluster by its scheduler's address, or LOCAL for one of this computer.

    even_open: whether one without TLS is used that is not on this computer. workers: of LOCAL, 0 for one a core.
    Raises DataError for an address that must not be used, or where Dask is not there; WorkerError where nobody answers.
    """
    if address != LOCAL:
        check_address(address, even_open)
    try:
        dask = importlib.import_module("distributed")
        if address == LOCAL:
            importlib.import_module("cryptography")
    except ImportError as error:
        raise DataError(
            f"A scheduler needs {error.name or 'Dask'}, which is not installed: pip install 'biped-locomotion[farm]'."
        ) from error
    with _client(dask, address, workers) as client:
        yield Cluster(client)


@contextmanager
def _client(dask: Any, address: str, workers: int) -> Iterator[Any]:
    """Give Dask's client. Raises WorkerError where nobody answers."""
    own = None
    try:
        if address == LOCAL:  # with certificates of its own: others who work on this computer do not get in
            own = dask.LocalCluster(
                n_workers=workers or cores(), threads_per_worker=1, dashboard_address=None, security=True,
                silence_logs=logging.ERROR,
            )  # fmt: skip
        client = dask.Client(own or address, timeout=_PATIENCE)
    except Exception as error:
        if own is not None:
            own.close()
        raise WorkerError(f"No scheduler answers at {address}: {_short(error)}.") from error
    try:
        yield client
    finally:
        client.close()
        if own is not None:
            own.close()


def check_address(address: str, even_open: bool) -> None:
    """Raise DataError for the address of a scheduler that is not to be used: see ``connected``."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        parts, host, port = urlsplit(""), "", None
    if parts.scheme not in ("tcp", "tls") or not host or port is None or parts.path or parts.username is not None:
        raise DataError(
            f"{quoted(address)} is no scheduler's address: give one as tls://farm:8786, tcp://localhost:8786, or local."
        )
    if parts.scheme == "tcp" and not is_loopback(host) and not even_open:
        raise DataError(
            f"The scheduler {address} has no TLS: whoever reaches it can run anything on all of its computers. Give it "
            "certificates and use tls://, or say --open-scheduler where nobody else can reach it."
        )


def is_loopback(host: str) -> bool:
    """Return whether a host is this computer itself, by a name or an address that never leaves it."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _short(error: Exception) -> str:
    return shortened(" ".join(str(error).split()) or type(error).__name__, MAX_QUOTED * 5).rstrip(".")
