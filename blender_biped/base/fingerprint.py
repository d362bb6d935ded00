"""Names for values, for sources and for how this machine counts: the same in each process, others for anything else."""

from __future__ import annotations

import hashlib
import os
import platform
import struct
import sys
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import arithmetic


def fingerprint(*values: Any) -> str:
    """Return 64 hexadecimal digits for values: numbers to the last bit, text, arrays, data classes, tuples of these.

    A data class goes in by its name and its declared fields, those that are left out of comparing excepted. Raises
    TypeError for anything else.
    """
    found = hashlib.sha256()
    for part in _bytes_of(values):
        found.update(part)
    return found.hexdigest()


def sources(folder: Path, rooms: Iterable[str]) -> str:
    """Return a fingerprint of the Python sources in some rooms, files or folders, of a package's folder.

    Raises OSError where one of them cannot be read, or there are none.
    """
    content: list[str | bytes] = []
    for room in sorted(rooms):
        own = folder / room
        files = sorted(own.rglob("*.py")) if own.is_dir() else [own]
        if not files:
            raise FileNotFoundError(own)
        for file in files:
            content += (file.relative_to(folder).as_posix(), file.read_bytes())
    return fingerprint(content)


def counting() -> str:
    """Return a fingerprint of what last digits depend on beside the sources: Python, numpy, system and processor."""
    chosen = [os.environ.get(name, "") for name in (*arithmetic.THREADS, *arithmetic.AVX2)]
    return fingerprint(
        sys.version, np.__version__, sys.platform, platform.machine(), _system(), arithmetic.has_avx2(), chosen
    )


def _system() -> str:
    """Return the version of what has the functions of C: glibc where it says so, else the system."""
    if sys.platform == "win32":
        return str(sys.getwindowsversion()[:3])
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (OSError, ValueError):
        return os.uname().release


def _bytes_of(value: Any) -> Iterable[bytes]:
    """Yield a value as bytes that no other value has: each part says of what kind and how long it is."""
    match value:
        case None | bool():
            yield f"{value};".encode()
        case int():
            yield b"int %d;" % value
        case float():
            yield b"float " + struct.pack("<d", value)
        case np.generic():
            yield from _bytes_of(value.item())
        case str():
            yield from _counted("str", value.encode("utf-8", "surrogatepass"))
        case bytes():
            yield from _counted("bytes", value)
        case tuple() | list():
            yield from _listed("list", value)
        case np.ndarray() if not value.dtype.hasobject:
            yield from _listed("array", (value.dtype.str, value.shape, value.tobytes()))
        case _ if is_dataclass(value) and not isinstance(value, type):
            names = [own.name for own in fields(value) if own.compare]
            yield from _listed(type(value).__qualname__, [(name, getattr(value, name)) for name in names])
        case _:
            raise TypeError(type(value))


def _counted(kind: str, content: bytes) -> Iterable[bytes]:
    yield f"{kind} {len(content)};".encode()
    yield content


def _listed(kind: str, values: Iterable[Any]) -> Iterable[bytes]:
    own = list(values)
    yield f"{kind} {len(own)};".encode()
    for value in own:
        yield from _bytes_of(value)
