"""What the names of timeline markers say of gaits: "Run", "fast walk 1.6 m/s", "Hero: Run"."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache

from ..base.errors import quoted
from .preset import Preset

_SPEED = re.compile(r"(.*\S)\s+(\d+(?:[.,]\d*)?|[.,]\d+)\s*([a-z/]*)")
_UNITS = {"m/s": 1.0, "km/h": 1.0 / 3.6, "ft/s": 0.3048, "mph": 0.44704}
_CLOSE = 0.65  # likeness from which a name was meant to be another

Names = tuple[tuple[str, str], ...]
"""Gaits: file name and label of each."""


@dataclass(frozen=True)
class MarkerReader:
    """Who reads markers. character: its name; characters: the names of all in the scene.

    gaits: those that there are. unit: m/s of a speed without a unit.
    """

    character: str
    characters: tuple[str, ...]
    gaits: Names
    unit: float = 1.0


@dataclass(frozen=True)
class MarkerMeaning:
    """What one marker says to a character. gait: its file name, "" for none. speed: m/s, None for the gait's usual.

    own: whether it is addressed to this character. doubt: what it seems to say, but does not.
    """

    gait: str = ""
    speed: float | None = None
    own: bool = False
    doubt: str = ""


@dataclass(frozen=True)
class GaitChange:
    """A gait from a frame on. speed: m/s, None for the gait's usual. marker: the name of the one that says so."""

    frame: int
    gait: str
    speed: float | None
    marker: str


@dataclass(frozen=True)
class Timeline:
    """What a scene's markers say to a character: changes in the order of frames, and what was probably meant."""

    changes: tuple[GaitChange, ...] = ()
    doubts: tuple[str, ...] = ()

    def begun(self, start: float) -> GaitChange | None:
        """Return the change that holds at frame ``start``, None before the first one."""
        return next((c for c in reversed(self.changes) if c.frame <= start), None)

    def later(self, start: float) -> tuple[GaitChange, ...]:
        """Return the changes after frame ``start``."""
        return tuple(c for c in self.changes if c.frame > start)


def names_of(gaits: Iterable[Preset]) -> Names:
    """Return the names by which markers can call gaits."""
    return tuple((gait.name, gait.label) for gait in gaits)


def read_markers(marks: Iterable[tuple[int, str]], reader: MarkerReader) -> Timeline:
    """Return what markers (frame, name) say. Of several at one frame, one addressed to the character counts."""
    found: dict[int, tuple[bool, GaitChange]] = {}
    doubts = []
    for frame, text in sorted(marks, key=lambda mark: mark[0]):
        said = read_marker(text, reader)
        if said.doubt:
            doubts.append(f"Frame {frame}: {said.doubt}")
        elif said.gait and (frame not in found or said.own >= found[frame][0]):
            found[frame] = said.own, GaitChange(frame, said.gait, said.speed, text)
    return Timeline(tuple(change for _, change in found.values()), tuple(doubts))


@lru_cache(maxsize=4096)  # the panel reads all markers whenever it is drawn
def read_marker(text: str, reader: MarkerReader) -> MarkerMeaning:
    """Return what a marker's name says to a character."""
    address, colon, rest = text.rpartition(":")
    said = _read_gait(text, rest, reader)
    if not colon:
        return said
    addressee = _plain(address)
    if addressee == _plain(reader.character):
        return replace(said, own=True)
    meant = _closest(addressee, {_plain(name): name for name in reader.characters})
    if not said.gait or not meant or _plain(meant) == addressee:
        return MarkerMeaning()  # another character's, or no gait at all
    return MarkerMeaning(doubt=f"{text!r} names no armature of this scene; did you mean {meant!r}?")


def _read_gait(text: str, rest: str, reader: MarkerReader) -> MarkerMeaning:
    """Return what the part of a marker's name after the address says."""
    calls = {_plain(name): file for file, label in reader.gaits for name in (file, label)}
    name, speed = _plain(rest), None
    parts = _SPEED.fullmatch(name)
    if parts and name not in calls:
        name = parts[1]
        unit = _UNITS.get(parts[3]) if parts[3] else reader.unit
        if unit is None:
            return MarkerMeaning(doubt=_unknown_unit(text, parts[3])) if name in calls else MarkerMeaning()
        speed = unit * float(parts[2].replace(",", "."))
        if not math.isfinite(speed):  # of digits without end
            return MarkerMeaning(doubt=f"{quoted(text)}: nothing goes that fast; use a smaller number.")
    if name in calls:
        return MarkerMeaning(calls[name], speed)
    meant = _closest(name, {_plain(label): label for _, label in reader.gaits})
    return MarkerMeaning(doubt=f"{text!r} is no gait; did you mean {meant!r}?") if meant else MarkerMeaning()


def _unknown_unit(text: str, unit: str) -> str:
    return f"{text!r}: {unit!r} is no unit of speed; use {', '.join(_UNITS)}, or none."


def _closest(text: str, known: Mapping[str, str]) -> str:
    """Return what was probably meant, "" for nothing."""
    found = get_close_matches(text, known, 1, _CLOSE)
    return known[found[0]] if found else ""


def _plain(text: str) -> str:
    """Return a name as it is compared: in lower case, with single spaces."""
    return " ".join(text.replace("_", " ").casefold().split())
