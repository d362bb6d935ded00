"""Bone names in one form, whatever rig they come from."""

from __future__ import annotations

import re
import unicodedata

_SIDE_WORDS = {
    "l": "L", "left": "L", "r": "R", "right": "R",
    "links": "L", "linke": "L", "linker": "L", "linkes": "L",
    "rechts": "R", "rechte": "R", "rechter": "R", "rechtes": "R",
    "izquierda": "L", "izquierdo": "L", "izq": "L", "derecha": "R", "derecho": "R", "der": "R",
    "esquerda": "L", "esquerdo": "L", "direita": "R", "direito": "R", "gauche": "L", "droite": "R", "droit": "R",
    "sinistra": "L", "sinistro": "L", "sx": "L", "destra": "R", "destro": "R", "dx": "R",
    "lewa": "L", "lewy": "L", "lewe": "L", "prawa": "R", "prawy": "R", "prawe": "R", "sol": "L", "sag": "R",
    "vanster": "L", "hoger": "R", "kiri": "L", "kanan": "R",
    "левая": "L", "левый": "L", "левое": "L", "правая": "R", "правый": "R", "правое": "R",
}  # fmt: skip
_SIDE_SIGNS = {"왼쪽": "L", "오른쪽": "R", "왼": "L", "오른": "R", "左": "L", "右": "R"}
"""Of tongues that put no space between words, the longer ones first."""
_TAG = re.compile(r"\s*\[[^\]]*\]\s*$")  # Skyrim's short form of a name behind the name
_PREFIX = re.compile(
    r"^(?:.*:|NPC |mixamorig\d*[ _]|J_(?:Bip|Adj|Sec)_(?:C_)?|CC_Base_|(?:ValveBiped\.)?Bip\d+[ _]|Character\d+_)+"
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_HELPER_WORDS = frozenset(
    (
        "ik", "pole", "pt", "ctrl", "control", "ctl", "drv", "mch", "target", "poletarget", "helper", "socket", "slot",
        "handslot", "roll", "twist", "tweak", "widget", "end", "nub", "leaf", "tip", "weapon", "prop", "jiggle", "adj",
        "sec", "poleleg", "polearm",
    )
)  # fmt: skip
_TARGET_WORDS = frozenset(("ik", "ctrl", "control", "ctl", "target"))
_TARGET = re.compile(r"(?:^|[^a-z])ik|ik(?:$|[^a-z])")
_HELPER = re.compile(r"(?:^|[^a-z])(?:ik|pole)|(?:ik|fk)(?:$|[^a-z])|poletarget")


def words(name: str) -> list[str]:
    """Return the words and numbers of a name, in lower case: "mixamorig:LeftUpLeg" is left, up, leg.

    Letters of full width are as usual ones, Latin letters lose their accents. Other scripts stay as they are; what is
    written without a space or another script between is one word.
    """
    return [word.lower() for word in _split(name)]


def _split(name: str) -> list[str]:
    """Return the words and numbers of a name without its namespace."""
    plain = name if name.isascii() else "".join(_without_accent(c) for c in unicodedata.normalize("NFKC", name))
    return _WORD.findall(_PREFIX.sub("", _TAG.sub("", plain)))


def _without_accent(letter: str) -> str:
    if letter == "ß":
        return "ss"
    base = unicodedata.normalize("NFD", letter)[0]
    return base if base.isascii() else letter


def _sign(word: str) -> str:
    """Return the sign for a side at either end of a word, "" where there is none."""
    return next((sign for sign in _SIDE_SIGNS if word.startswith(sign) or word.endswith(sign)), "")


def canonical(name: str) -> tuple[str, str]:
    """Return a bone's name without namespace, side, case, separators and leading zeros, and its side.

    The side is "L", "R" or "". Numbers that follow each other stay apart: "toe1-1.L" -> ("toe1.1", "L").
    A sign for the side at either end of a word is one too: "左足" -> ("足", "L").
    A short form in brackets behind the name is left out: "NPC L Foot [Lft ]" -> ("foot", "L").
    """
    stem, side = "", ""
    for word in _split(name):
        lower = word.lower()
        if not side and lower in _SIDE_WORDS:
            side = _SIDE_WORDS[lower]
        elif not side and lower.startswith(("left", "right")):
            side = lower[0].upper()
            stem += lower.removeprefix("left").removeprefix("right")
        elif not side and not word.isascii() and (sign := _sign(word)):
            side = _SIDE_SIGNS[sign]
            stem += word.removeprefix(sign) if word.startswith(sign) else word.removesuffix(sign)
        elif word.isdigit():
            stem += ("." if stem[-1:].isdigit() else "") + str(int(word))
        else:
            stem += lower
    return stem, side


def is_target(name: str) -> bool:
    """Return whether a name says that its bone is moved by hand for others to follow; it may carry skin, too."""
    return not _TARGET_WORDS.isdisjoint(words(name)) or _TARGET.search(name.lower()) is not None


def is_helper(name: str) -> bool:
    """Return whether a name says that its bone is no part of the body: controls, targets, twists, ends."""
    return not _HELPER_WORDS.isdisjoint(words(name)) or _HELPER.search(name.lower()) is not None
