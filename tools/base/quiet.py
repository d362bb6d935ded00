"""Keeping what libraries print from the terminal."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

OUTPUT, ERRORS = 1, 2


@contextlib.contextmanager
def quiet(descriptor: int = OUTPUT) -> Iterator[None]:
    """Drop what this process, its libraries and processes it starts write to OUTPUT or ERRORS."""
    stream = sys.stdout if descriptor == OUTPUT else sys.stderr
    stream.flush()
    kept = os.dup(descriptor)
    try:
        with open(os.devnull, "w") as nothing:
            os.dup2(nothing.fileno(), descriptor)
        yield
    finally:
        stream.flush()
        os.dup2(kept, descriptor)
        os.close(kept)
