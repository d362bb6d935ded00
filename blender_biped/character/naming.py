"""Bone names in one form, whatever rig they come from."""

from __future__ import annotations

import re

_SIDE_WORDS = {"l": "L", "left": "L", "r": "R", "right": "R"}
_PREFIX = re.compile(
    r"^(?:.*:|mixamorig\d*[ _]|J_(?:Bip|Adj|Sec)_(?:C_)?|CC_Base_|(?:ValveBiped\.)?Bip\d+[ _]|Character\d+_)+"
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_HELPER_WORDS = frozenset(
    (
        "ik", "pole", "pt", "ctrl", "control", "ctl", "drv", "mch", "target", "poletarget", "helper", "socket", "slot",
        "handslot", "roll", "twist", "tweak", "widget", "end", "nub", "leaf", "tip", "weapon", "prop", "jiggle", "adj",
        "sec", "poleleg", "polearm",
    )
)  # fmt: skip
_HELPER = re.compile(r"(?:^|[^a-z])(?:ik|pole)|(?:ik|fk)(?:$|[^a-z])|poletarget")


def words(name: str) -> list[str]:
    """Return the words and numbers of a name, in lower case: "mixamorig:LeftUpLeg" is left, up, leg."""
    return [word.lower() for word in _WORD.findall(_PREFIX.sub("", name))]


def canonical(name: str) -> tuple[str, str]:
    """Return a bone's name without namespace, side, case, separators and leading zeros, and its side.

    The side is "L", "R" or "". Numbers that follow each other stay apart: "toe1-1.L" -> ("toe1.1", "L").
    """
    stem, side = "", ""
    for word in _WORD.findall(_PREFIX.sub("", name)):
        lower = word.lower()
        if not side and lower in _SIDE_WORDS:
            side = _SIDE_WORDS[lower]
        elif not side and lower.startswith(("left", "right")):
            side = lower[0].upper()
            stem += lower.removeprefix("left").removeprefix("right")
        elif word.isdigit():
            stem += ("." if stem[-1:].isdigit() else "") + str(int(word))
        else:
            stem += lower
    return stem, side


def is_helper(name: str) -> bool:
    """Return whether a name says that its bone is no part of the body: controls, targets, twists, ends."""
    return not _HELPER_WORDS.isdisjoint(words(name)) or _HELPER.search(name.lower()) is not None
