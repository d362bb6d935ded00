"""Errors that a user can act on: each message says what is wrong and what to do, and is short enough to be read."""

from __future__ import annotations

import re
from reprlib import Repr

from .limits import MAX_MESSAGE, MAX_NAME, MAX_QUOTED


class BipedError(Exception):
    """Anything this extension refuses, with a message for the user."""

    def __init__(self, message: str) -> None:
        """Keep the first MAX_MESSAGE characters of a message, in one line, and of each name in quotes MAX_NAME.

        Names in files may have any characters, and as many as they like; what is wrong is said behind them.
        """
        super().__init__(in_one_line(shortened(_LONG_NAME.sub(_short_name, message), MAX_MESSAGE)))


class DataError(BipedError):
    """A file or its content is not usable: names the field, the value and what is expected."""


class RigError(BipedError):
    """An armature cannot be mapped to a biped: names what is missing."""


class WorkerError(BipedError):
    """The simulation process ended without a result: says how."""


def quoted(value: object) -> str:
    """Return a wrong value as a message quotes it: as Python writes it, at most MAX_QUOTED characters."""
    return shortened(_QUOTE.repr(value), MAX_QUOTED)


def shortened(text: str, most: int) -> str:
    """Return a text of at most so many characters, with an ellipsis where its end is left out."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def in_one_line(text: str) -> str:
    """Return a text with blanks in the place of line ends, control characters and halves of characters."""
    return _NO_TEXT.sub(" ", text)


def _short_name(found: re.Match[str]) -> str:
    name = found[0]
    return name[0] + shortened(name[1:-1], MAX_NAME) + name[-1]


class _Quote(Repr):
    """Writes the beginning of a value without going through all of it."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = MAX_QUOTED
        self.maxlist = self.maxtuple = self.maxdict = 20

    def repr_int(self, x: int, level: int) -> str:
        """Return a number's digits, or how many there are: Python refuses to write very many."""
        digits = int(abs(x).bit_length() * _DIGITS)
        return repr(x) if digits < MAX_QUOTED else f"a number of about {digits} digits"


_DIGITS = 0.30103  # decimal ones for each binary one
_NO_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_LONG_NAME = re.compile(rf"""(?<!\w)(?:'[^']{{{MAX_NAME + 1},}}'|"[^"]{{{MAX_NAME + 1},}}")(?!\w)""")
_QUOTE = _Quote()
