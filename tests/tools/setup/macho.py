# SPDX-License-Identifier: GPL-3.0-or-later
"""A reader of Mach-O modules, for what packaging must not break.

Layout: mach-o/loader.h, mach-o/nlist.h and mach-o/fat.h of macOS; a signature's: osfmk/kern/cs_blobs.h of XNU.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_MACHINES = {0x01000007: "x86_64", 0x0100000C: "arm64"}
_FAT, _THIN = b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe"
_SYMTAB, _CODE_SIGNATURE = 0x02, 0x1D
_LOAD_DYLIBS = (0x0C, 0x80000018, 0x8000001F)  # also weak, also re-exported
_SIGNATURE, _CODE_DIRECTORY = 0xFADE0CC0, 0xFADE0C02
_SHA256 = 2
_DYNAMIC_LOOKUP = 0xFE  # the ordinal of a symbol that whoever loads the module has: Python


@dataclass(frozen=True)
class Slice:
    """A module for one machine. libraries: those it loads. undefined: the library of each symbol it takes; "" any."""

    machine: str
    data: bytes
    libraries: tuple[str, ...]
    undefined: Mapping[str, str]
    signature: bytes

    def is_intact(self) -> bool:
        """Return whether each page has the sha256 that the signature says; raises ValueError where there is none."""
        magic, _, count = struct.unpack_from(">III", self.signature)
        if magic != _SIGNATURE:
            raise ValueError("no signature")
        entries = [struct.unpack_from(">II", self.signature, 12 + 8 * k) for k in range(count)]
        at = next(at for _, at in entries if struct.unpack_from(">I", self.signature, at)[0] == _CODE_DIRECTORY)
        hashes, _, _, pages, limit = struct.unpack_from(">IIIII", self.signature, at + 16)
        size, kind, _, exponent = struct.unpack_from("BBBB", self.signature, at + 36)
        if kind != _SHA256 or not pages:
            raise ValueError("a signature of another kind")
        starts = range(0, limit, 1 << exponent)
        own = [hashlib.sha256(self.data[k : min(k + (1 << exponent), limit)]).digest() for k in starts]
        said = [self.signature[at + hashes + k * size :][:size] for k in range(pages)]
        return own == said


def slices(module: bytes) -> dict[str, Slice]:
    """Return the modules in a file by their machines. Raises ValueError when it is no Mach-O file."""
    if module[:4] == _FAT:
        (count,) = struct.unpack_from(">I", module, 4)
        places = [struct.unpack_from(">IIIII", module, 8 + 20 * k)[2:4] for k in range(count)]
    else:
        places = [(0, len(module))]
    found = [_slice(module[offset : offset + size]) for offset, size in places]
    return {one.machine: one for one in found}


def _slice(data: bytes) -> Slice:
    if data[:4] != _THIN:
        raise ValueError("no Mach-O module of 64 bits")
    machine, signature, symbols = _MACHINES[struct.unpack_from("<I", data, 4)[0]], b"", {}
    libraries = tuple(_library(command) for kind, command in _commands(data) if kind in _LOAD_DYLIBS)
    for kind, command in _commands(data):
        if kind == _CODE_SIGNATURE:
            offset, size = struct.unpack_from("<II", command, 8)
            signature = data[offset : offset + size]
        elif kind == _SYMTAB:
            table, count, texts, texts_size = struct.unpack_from("<IIII", command, 8)
            entries, names = data[table : table + 16 * count], data[texts : texts + texts_size]
            symbols = _undefined(entries, names, libraries)
    return Slice(machine, data, libraries, symbols, signature)


def _commands(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the load commands: kind, and the command whole."""
    at = 32
    for _ in range(struct.unpack_from("<I", data, 16)[0]):
        kind, size = struct.unpack_from("<II", data, at)
        yield kind, data[at : at + size]
        at += size


def _library(command: bytes) -> str:
    """Return the path that a command to load a library names."""
    (at,) = struct.unpack_from("<I", command, 8)
    return command[at:].partition(b"\0")[0].decode()


def _undefined(table: bytes, texts: bytes, libraries: tuple[str, ...]) -> dict[str, str]:
    """Return the symbols that a module takes from outside, with the library of each; "" for whoever loads it."""
    result = {}
    for name, kind, _, description, _ in struct.iter_unpack("<IBBHQ", table):
        if kind & 0xE0 or kind & 0x0E or not kind & 1:
            continue  # for debuggers, or defined here, or not external
        ordinal = description >> 8
        text = texts[name : texts.index(b"\0", name)].decode()
        result[text] = "" if ordinal == _DYNAMIC_LOOKUP else libraries[ordinal - 1]
    return result
