"""Styles of one's own: files like the shipped presets, in a folder that belongs to the user.

A style's file is ``<folder>/<controller>/<name>.json``, its thumbnail ``.png``. Its name is made from its label,
so that the same style has the same name wherever it is imported, and is a file's name on every system.
"""

from __future__ import annotations

import json
import re
import unicodedata
import zlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ..base.errors import DataError
from ..base.files import write_whole
from .preset import Preset

MAX_FILE = 2**20
"""Bytes of a style's file: the shipped ones have up to 6000."""
MAX_LABEL = 48
"""Bytes of a label: timeline markers, which call gaits by it, have 63 with a speed behind it."""
MAX_DESCRIPTION = 300
"""Characters of a description."""
_MAX_STEM = 40
_RESERVED = re.compile(r"con|prn|aux|nul|com\d|lpt\d")  # no names of files on Windows


def checked_label(label: str) -> str:
    """Return a label as it is kept: without blanks around it. Raises DataError that says what it must be like."""
    found = unicodedata.normalize("NFC", " ".join(label.split()))
    if not any(c.isalnum() for c in found):
        raise DataError("The style needs a name: type one with a letter or a digit in it.")
    if any(unicodedata.category(c) in ("Cc", "Cs") for c in found):
        raise DataError("The name has characters that are no text: type it anew.")
    if ":" in found:  # before it stands whom a marker is for
        raise DataError("A style's name has no colon: timeline markers use it after the name of a character.")
    if len(found.encode()) > MAX_LABEL:
        raise DataError(f"The name {found!r} is too long: make it shorter than {MAX_LABEL} letters.")
    return found


def same(a: str, b: str) -> bool:
    """Return whether two labels, or names, look the same: markers make no difference between them either."""
    return _plain(a) == _plain(b)


def taken(label: str, others: Iterable[Preset]) -> Preset | None:
    """Return which of other styles is called as ``label`` says."""
    return next((style for style in others if same(label, style.label) or same(label, style.name)), None)


def free_label(label: str, others: Iterable[Preset]) -> str:
    """Return a label that none of other styles has: with a number behind it where it must be."""
    known, found, number = tuple(others), label, 1
    while taken(found, known):
        number += 1
        end = f" {number}"
        found = label.encode()[: MAX_LABEL - len(end)].decode(errors="ignore").rstrip() + end
    return found


def name_of(label: str, others: Iterable[str]) -> str:
    """Return the name of a style's file by its label: small letters, digits and underscores, none of ``others``."""
    letters = unicodedata.normalize("NFKD", label.casefold())
    kept = "_".join(re.findall(r"[a-z0-9]+", "".join(c for c in letters if not unicodedata.combining(c))))
    own = f"{zlib.crc32(unicodedata.normalize('NFC', label.casefold()).encode()):08x}"
    whole = not any(c.isalnum() and not c.isascii() for c in letters)  # else other labels have the same letters left
    if whole and kept and len(kept) <= _MAX_STEM and not _RESERVED.fullmatch(kept) and kept not in set(others):
        return kept
    return f"{kept[: _MAX_STEM - 9] or 'style'}_{own}"


def file_of(folder: Path, style: Preset, suffix: str = ".json") -> Path:
    """Return the file of a style of one's own, or with another suffix what lies beside it."""
    return folder / style.controller / f"{style.name}{suffix}"


def style_content(style: Preset) -> bytes:
    """Return the content of a style's file. Raises DataError for one that is no text, or is larger than is read."""
    data = replace(style, shelf="").as_json()
    try:
        content = (json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()
        if len(content) > MAX_FILE:  # each number of a key has a line of its own there
            content = (json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False) + "\n").encode()
    except ValueError as error:  # UnicodeError is one, too
        raise DataError(f"{style.label!r} cannot be written as text: {error}.") from error
    if len(content) > MAX_FILE:
        raise DataError(
            f"The style {style.label!r} has {len(content) / 2**20:.1f} MB as a file, and at most "
            f"{MAX_FILE / 2**20:.0f} are read again: key fewer of its numbers, or at fewer frames."
        )
    return content


def write_file(file: Path, content: bytes) -> None:
    """Write a style's file or its thumbnail, and the folder that it lies in; see ``write_whole``. Raises DataError."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise DataError(f"Cannot write {file}: {getattr(error, 'strerror', None) or error}.") from error
    write_whole(file, content)


def remove_style(folder: Path, style: Preset) -> None:
    """Delete a style of one's own and its thumbnail. Raises DataError that says why it cannot be deleted."""
    try:
        for suffix in (".json", ".png"):
            file_of(folder, style, suffix).unlink(missing_ok=True)
    except OSError as error:
        raise DataError(f"Cannot delete the style {style.label!r}: {error.strerror or error}.") from error


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).replace("_", " ").casefold().split())
