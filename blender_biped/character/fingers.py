"""The fingers of a rig, and how a hand at rest curls them.

Fingers are found by their names, or by their shape where names say nothing: at least three chains of two to four bones
that lie before a hand. Which way they curl is told by the hand: towards its palm, which is known by the side of the
body and by where the thumb is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ..base.spatial import Array, axis_angle_quaternion, matrix_quaternion, normalized, quaternion_matrix
from .armature import Armature
from .naming import canonical, is_helper, words

_KINDS = {
    "thumb": "thumb", "pollex": "thumb", "daumen": "thumb", "pulgar": "thumb", "親指": "thumb",
    "index": "index", "pointer": "index", "zeige": "index", "人指": "index", "人差指": "index",
    "middle": "middle", "mid": "middle", "mittel": "middle", "中指": "middle",
    "ring": "ring", "薬指": "ring",
    "pinky": "pinky", "pinkie": "pinky", "little": "pinky", "小指": "pinky",
}  # fmt: skip
_NOT_FINGERS = frozenset(("toe", "toes", "foot", "eye", "weapon", "sword", "shield", "prop", "metacarpal", "palm",
                          "master", "drv", "hair", "skirt", "tail", "ear", "wing"))  # fmt: skip
_PALMS = frozenset(("middlehand", "midhand"))
_INNER = frozenset(("mch", "org", "def"))  # of Rigify: what its controls move
_REACH = 1.3  # of a forearm: how far from the hand's head fingers may end
_MOST = 3  # joints of a finger that curl
_LONGEST = 4  # bones of a chain that has the shape of a finger
_FEWEST = 3  # chains that are fingers though nothing says so
_IN_PALM = 0.5  # of how far from the wrist the next bone begins, one inside the palm does
_BEHIND = 0.75  # of how far before the wrist the nearest other finger begins, a thumb does
_ORDER = ("index", "middle", "ring", "pinky")
_FORWARD = 0.3  # cosine of the angle between such a chain and the hand

# How a hand hangs: flexion at knuckle, middle and end joint, degrees, from the index to the little finger (a hand at
# rest flexes more towards the little finger), and of the thumb.
_CURLS = {
    "thumb": (4.0, 10.0, 12.0), "index": (14.0, 20.0, 12.0), "middle": (18.0, 24.0, 14.0),
    "ring": (21.0, 27.0, 16.0), "pinky": (23.0, 29.0, 17.0), "finger": (18.0, 24.0, 14.0),
}  # fmt: skip


@dataclass(frozen=True)
class Finger:
    """One finger: its kind, a key of the curls, and its bones that curl, from the knuckle on."""

    kind: str
    bones: tuple[str, ...]


def fingers_of(armature: Armature, hand: str, forearm: str, side: str) -> tuple[Finger, ...]:
    """Return the fingers of a hand, by the names of its bone, of its forearm's and its side, "L" or "R"."""
    found = _named(armature, hand, forearm, side)
    return found or _shaped(armature, hand, forearm)


def curled(armature: Armature, hand: str, side: str, fingers: Iterable[Finger]) -> Mapping[str, Array]:
    """Return how each bone of a hand's fingers turns from rest (4,), in its own axes, so that the hand is relaxed.

    A joint that is bent at rest gets as much less.
    """
    fingers = tuple(fingers)
    palm = _palm(armature, hand, side, fingers)
    if palm is None:
        return {}
    across = normalized(np.mean([_ways(armature, f)[0] for f in fingers if f.kind != "thumb"], axis=0))
    before = _thumb_side(armature, fingers, across)
    turns: dict[str, Array] = {}
    for finger in fingers:
        ways = _ways(armature, finger)
        # A thumb closes towards the little finger, in front of the palm.
        towards = normalized(palm - before) if finger.kind == "thumb" else palm
        for name, way, last, angle in zip(
            finger.bones,
            ways,
            [across if finger.kind != "thumb" else ways[0], *ways],
            _CURLS[finger.kind],
            strict=False,
        ):
            axis = np.cross(way, towards)
            size = float(np.linalg.norm(axis))
            if size < 0.2:  # it points at the palm
                continue
            bent = np.degrees(np.arctan2(np.cross(last, way) @ (axis / size), last @ way))
            left = np.radians(np.clip(angle - max(bent, 0.0), 0.0, angle))
            turn = quaternion_matrix(axis_angle_quaternion(axis / size, left))
            rest = armature.bones[armature.index[name]].matrix
            turns[name] = matrix_quaternion(rest.T @ turn @ rest)
    return turns


def _palm(armature: Armature, hand: str, side: str, fingers: tuple[Finger, ...]) -> Array | None:
    """Return where the palm faces (3,), armature space, None where the fingers do not tell."""
    longer = [f for f in fingers if f.kind != "thumb"]
    if not longer:
        return None
    along = normalized(np.mean([_ways(armature, f)[0] for f in longer], axis=0))
    before = _thumb_side(armature, fingers, along)
    if not before.any():
        return None
    # Seen with the fingers up and the palm to the eye, a left hand has its thumb on the left.
    return normalized(np.cross(along, before) if side == "L" else np.cross(before, along))


def _thumb_side(armature: Armature, fingers: tuple[Finger, ...], along: Array) -> Array:
    """Return from the little finger's side to the thumb's (3,), across the fingers; zero where nothing tells."""
    longer = [f for f in fingers if f.kind != "thumb"]
    thumb = next((f for f in fingers if f.kind == "thumb"), None)
    places = {f.kind: armature.bones[armature.index[f.bones[0]]].head for f in longer}
    order = [kind for kind in _ORDER if kind in places]
    if len(order) >= 2:
        way = places[order[0]] - places[order[-1]]
    elif thumb:
        # Its middle joint: the base of a thumb may lie behind the wrist.
        way = armature.bones[armature.index[thumb.bones[min(1, len(thumb.bones) - 1)]]].head
        way = way - np.mean(list(places.values()), axis=0)
    else:
        return np.zeros(3)
    return normalized(way - (way @ along) * along)


def _ways(armature: Armature, finger: Finger) -> list[Array]:
    """Return where each bone of a finger points (3,): to the next one, the last as its own tail says."""
    heads = [armature.bones[armature.index[name]].head for name in finger.bones]
    ways = [normalized(b - a) for a, b in pairwise(heads)]
    bone = armature.bones[armature.index[finger.bones[-1]]]
    own = normalized(bone.tail - bone.head)
    if ways and own @ ways[-1] < 0.5:  # an importer's guess
        own = ways[-1]
    return [*ways, own]


def _named(armature: Armature, hand: str, forearm: str, side: str) -> tuple[Finger, ...]:
    """Return the fingers that names tell of, near a hand."""
    place = armature.bones[armature.index[hand]].head
    reach = _REACH * float(np.linalg.norm(place - armature.bones[armature.index[forearm]].head))
    found: dict[str, int] = {}
    for bone in armature.bones:
        kind = _kind(bone.name)
        own = canonical(bone.name)[1]
        if kind and own in ("", side) and np.linalg.norm(bone.head - place) < reach:
            found[bone.name] = len(_above(armature, bone.name))
    if any(_INNER.isdisjoint(words(name)) for name in found):
        found = {name: depth for name, depth in found.items() if _INNER.isdisjoint(words(name))}
    chains: dict[str, list[str]] = {}
    begins: dict[str, str] = {}
    for name in sorted(found, key=lambda n: (found[n], n)):
        above = next((n for n in _above(armature, name) if n in begins), None)
        begins[name] = begins[above] if above else name
        chains.setdefault(begins[name], []).append(name)
    fingers = [_finger(armature, place, _kind(first), bones) for first, bones in chains.items()]
    plain = [f for f in fingers if f.kind == "finger"]
    return (*[f for f in fingers if f.kind != "finger"], *_told_apart(armature, plain, hand, forearm))


def _finger(armature: Armature, wrist: Array, kind: str, bones: list[str]) -> Finger:
    """Return a finger of a chain, without a bone inside the palm before the knuckle."""
    joints = [n for n in bones if not _is_tip(n)] or bones
    away = [float(np.linalg.norm(armature.bones[armature.index[n]].head - wrist)) for n in joints]
    inside = len(joints) > _MOST and kind != "thumb" and away[0] < _IN_PALM * away[1]
    return Finger(kind, tuple(joints[1:] if inside else joints)[:_MOST])


def _kind(name: str) -> str:
    """Return which finger a name tells of, "finger" where it is one of them, "" for none."""
    found, stem = words(name), canonical(name)[0]
    if not _NOT_FINGERS.isdisjoint(found) or stem in _PALMS:
        return ""
    kinds = [kind for word in found for part, kind in _KINDS.items() if word.startswith(part) and _whole(word, part)]
    return kinds[0] if kinds else "finger" if any(word.startswith("finger") for word in found) else ""


def _whole(word: str, part: str) -> bool:
    """Return whether a part of a word is all of it, but for "finger"."""
    return word[len(part) :] in ("", "s", "finger", "fingers")


def _is_tip(name: str) -> bool:
    return not {"end", "tip", "nub", "leaf"}.isdisjoint(words(name))


def _above(armature: Armature, name: str) -> list[str]:
    """Return the bones above one, the nearest first."""
    found, at = [], armature.bones[armature.index[name]].parent
    while at >= 0:
        found.append(armature.bones[at].name)
        at = armature.bones[at].parent
    return found


def _shaped(armature: Armature, hand: str, forearm: str) -> tuple[Finger, ...]:
    """Return the chains below a hand that have the shape of fingers, the one beside the others as the thumb."""
    place = armature.index[hand]
    start = armature.bones[place].head
    along = normalized(start - armature.bones[armature.index[forearm]].head)
    chains = []
    for child in armature.children[place]:
        chain = [child]
        while len(armature.children[chain[-1]]) == 1:
            chain.append(armature.children[chain[-1]][0])
        bones = [armature.bones[i] for i in chain]
        plain = not armature.children[chain[-1]] and not any(is_helper(b.name) for b in bones[:1])
        way = normalized(bones[-1].head - bones[0].head)
        if plain and 2 <= len(bones) <= _LONGEST and way @ along > _FORWARD:
            chains.append([b.name for b in bones])
    if len(chains) < _FEWEST:
        return ()
    return _told_apart(armature, [Finger("finger", tuple(c[:_MOST])) for c in chains], hand, forearm)


def _told_apart(armature: Armature, fingers: list[Finger], hand: str, forearm: str) -> tuple[Finger, ...]:
    """Return fingers whose names do not tell which they are, with the one that begins behind the others as the thumb.

    Where there are five, the others are known by how far they are from that one.
    """
    if len(fingers) < _FEWEST:
        return tuple(fingers)
    heads = np.array([armature.bones[armature.index[f.bones[0]]].head for f in fingers])
    start = armature.bones[armature.index[hand]].head
    along = normalized(start - armature.bones[armature.index[forearm]].head)
    away = (heads - start) @ along
    thumb = int(np.argmin(away))
    if away[thumb] > _BEHIND * float(np.delete(away, thumb).min()):
        return tuple(fingers)
    others = sorted(
        (i for i in range(len(fingers)) if i != thumb), key=lambda i: np.linalg.norm(heads[i] - heads[thumb])
    )
    kinds = _ORDER if len(others) == len(_ORDER) else ("finger",) * len(others)
    named = zip(others, kinds, strict=True)
    return (replace(fingers[thumb], kind="thumb"), *(replace(fingers[i], kind=kind) for i, kind in named))
