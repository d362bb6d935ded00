# SPDX-License-Identifier: GPL-3.0-or-later
"""Subcommand lines as tables: from one description of a command come its reader, its help and its messages.

Runs on old Pythons (3.7), standard library only: build.py reads a command line before it chooses its Python.
"""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple


class Option(NamedTuple):
    """One option of a command, or with a flag that has no dashes what stands by itself.

    metavar: "" for an option that takes no value. kind: makes the value of the text; raises ValueError or
    ArgumentTypeError. usual: the default in words, where its own text does not say it. many: whether it may be given
    again and again.
    """

    flag: str
    metavar: str
    help: str
    kind: Callable[[str], Any] = str
    default: Any = None
    usual: str = ""
    many: bool = False

    @property
    def explained(self) -> str:
        """What it is, with its default."""
        text = self.usual or ("" if self.default is None or self.many else str(self.default))
        return f"{self.help} (default: {text})" if text else self.help

    def add_to(self, reader: argparse.ArgumentParser) -> None:
        """Let the reader of a command line know it."""
        if not self.metavar:
            reader.add_argument(self.flag, help=self.explained, action="store_true")
        elif not self.flag.startswith("-"):
            reader.add_argument(self.flag, metavar=self.metavar, help=self.explained, type=self.kind)
        elif self.many:
            reader.add_argument(
                self.flag, metavar=self.metavar, help=self.explained, type=self.kind, action="append", default=[]
            )
        else:
            reader.add_argument(
                self.flag, metavar=self.metavar, help=self.explained, type=self.kind, default=self.default
            )


class Subcommand(NamedTuple):
    """What a person can run: ``tools.commands.NAME``. time: about how long. rest: what else it takes, passed on."""

    name: str
    what: str
    time: str
    options: Sequence[Option] = ()
    rest: str = ""

    def unknown(self, words: Sequence[str]) -> str:
        """Return the message for words that are none of its options, with the option that is nearest."""
        flags = [option.flag for option in self.options if option.flag.startswith("-")]
        near = difflib.get_close_matches(words[0].partition("=")[0], flags, 1)
        nearest = f" Did you mean {near[0]}?" if near else ""
        return f"{self.name} does not know {' '.join(words)}.{nearest} See build.py {self.name} --help."


class CommandParser(argparse.ArgumentParser):
    """The reader of one command's line: the same in build.py and in the command itself."""

    def __init__(self, command: Subcommand) -> None:
        """Make the reader from a command's table."""
        takes = f" Takes {command.rest} too." if command.rest else ""
        super().__init__(
            prog=f"build.py {command.name}",
            allow_abbrev=False,
            description=f"{command.name}: {command.what} (about {command.time}).{takes}",
            epilog="build.py takes --python too, before or after the command: see build.py --help.",
        )
        self._command = command
        for option in command.options:
            option.add_to(self)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Return the values, and what is passed on. Ends the program when there is something that nobody knows."""
        given, rest = super().parse_known_args(args, namespace)
        if rest and not self._command.rest:
            self.error(self._command.unknown(rest))
        return given, rest


def count(least: int, most: int = 10_000) -> Callable[[str], int]:
    """Return what reads a whole number within limits."""

    def count_of(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text}: give a number from {least} to {most}")
        return value

    return count_of


def parts(names: Sequence[str]) -> Callable[[str], Sequence[str]]:
    """Return what reads some of these names, with commas between; each once, in the order given."""

    def parts_of(text: str) -> Sequence[str]:
        found = tuple(dict.fromkeys(text.split(",")))
        unknown = [part for part in found if part not in names]
        if unknown:
            raise argparse.ArgumentTypeError(
                f"there is no {', '.join(map(repr, unknown))}; choose of {', '.join(names)}"
            )
        return found

    return parts_of
