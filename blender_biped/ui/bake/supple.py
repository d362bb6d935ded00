"""Which bones of an armature share simulated turns: those of spine and neck between two links' ends, and clavicles."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import bpy
import numpy as np

from ...base.spatial import Array, quaternion_matrix
from ...character.model import ARM, SIDES, Character
from ...character.naming import canonical
from ...character.supple import Shoulder, Stretch

_TRUNK = ("abdomen", "chest", "head")
_SHORTEST = 0.03  # of the leg: a shorter clavicle moves nothing
_SKULL = re.compile("head|skull|kopf|cabeza|头|頭|머리")


@dataclass(frozen=True)
class Sharing:
    """How simulated turns go over to bones. spread: over all of spine and neck. shoulders: how much clavicles move."""

    spread: bool = False
    shoulders: float = 0.0


STIFF = Sharing()


@dataclass(frozen=True, eq=False)
class Moved:
    """What bones move with at each of F frames: the links, and after them each bone with a turn of its own.

    turns (F, C, 3, 3), from rest; heads (F, C, 3), in the space of the turns.
    """

    turns: Array
    heads: Array


@dataclass(frozen=True, eq=False)
class Supple:
    """The bones with turns of their own. columns: bone -> which of them it moves with, counted from 0.

    firsts (C, 3): the head of each at rest, armature space. links_of: the link that each is a bone of.
    carries: the link that each moves, with all that hangs on it.
    ends: bone -> its link, of those that spread bones lead to: they stand where they are simulated.
    """

    columns: Mapping[str, int] = field(default_factory=dict)
    firsts: Array = field(default_factory=lambda: np.zeros((0, 3)))
    links_of: tuple[int, ...] = ()
    carries: tuple[int, ...] = ()
    ends: Mapping[str, int] = field(default_factory=dict)
    stretches: tuple[Stretch, ...] = ()
    shoulders: tuple[Shoulder, ...] = ()
    amount: float = 0.0

    def moved(self, turns: Array, heads: Array, firsts: Array) -> Moved:
        """Return what bones move with, for links as they are simulated: turns (F, L, 3, 3) and heads (F, L, 3).

        In armature space. firsts (L, 3): the heads at rest. Arms whose shoulders move are changed with them.
        """

        def point(link: int, rest: Array) -> Array:
            return np.asarray(heads[:, link] + turns[:, link] @ (rest - firsts[link]))

        new_turns, new_heads = [turns], [heads]
        for each in self.stretches:
            start, goal = point(each.begin, each.heads[0]), point(each.end, each.heads[-1])
            for found, new in zip(each.spread(turns, start, goal), (new_turns, new_heads), strict=True):
                new.append(found)
        if self.shoulders:
            turns, heads = turns.copy(), heads.copy()
            new_turns[0], new_heads[0] = turns, heads
        for arm in self.shoulders:
            turn, head = arm.turned(turns, self.amount), point(arm.chest, arm.head)
            new_turns.append(turn[:, None])
            new_heads.append(head[:, None])
            shift = (turn - turns[:, arm.chest]) @ (arm.joint - arm.head)
            upper, *below = arm.arm_links
            own = heads[:, upper].copy()
            heads[:, upper] += shift
            if below:
                turns[:, upper], shift = arm.moved_arm(turns[:, upper], own, heads[:, below[0]], shift)
                heads[:, below] += shift[:, None]
        return Moved(np.concatenate(new_turns, axis=1), np.concatenate(new_heads, axis=1))


def supple_of(armature: bpy.types.Object, character: Character, sharing: Sharing) -> Supple:
    """Return which bones share turns. Of a character with controls none: these move bones in ways of their own."""
    links = character.links
    if sharing == STIFF or any(link.controls for link in links):
        return Supple()
    tree = _Tree(armature, character)
    stretches = tree.stretches() if sharing.spread else []
    shoulders = tree.shoulders() if sharing.shoulders > 0.0 else []
    firsts = [head for _, each in stretches for head in each.heads[:-1]] + [each.head for _, each in shoulders]
    own = [(name,) for names, _ in stretches for name in names[:-1]] + [names for names, _ in shoulders]
    return Supple(
        columns={name: column for column, names in enumerate(own) for name in names},
        firsts=np.array(firsts).reshape(-1, 3),
        links_of=(*(k for _, each in stretches for k in each.links), *(each.chest for _, each in shoulders)),
        carries=(*(k for _, each in stretches for k in each.links), *(each.arm for _, each in shoulders)),
        ends={names[-1]: each.end for names, each in stretches},
        stretches=tuple(each for _, each in stretches),
        shoulders=tuple(each for _, each in shoulders),
        amount=sharing.shoulders,
    )


class _Tree:
    """The bones of an armature by what hangs on what, and the links of those that are mapped."""

    def __init__(self, armature: bpy.types.Object, character: Character) -> None:
        self._bones, self._poses = armature.data.bones, armature.pose.bones
        self._links = character.links
        self._index = {link.role: i for i, link in enumerate(character.links)}
        self._link_of = {
            name: i for i, link in enumerate(character.links) for name in link.bones if name in self._bones
        }
        data = armature.animation_data
        self._driven = tuple(curve.data_path for curve in data.drivers) if data else ()
        thigh, shin = (self._head(character.links[self._index[f"{part}.L"]].bones[0]) for part in ("thigh", "shin"))
        self._leg = 2.0 * float(np.linalg.norm(thigh - shin))
        self._path = self._trunk()
        while rigid := self._without_turn():
            self._path = [name for name in self._path if name not in rigid]

    def stretches(self) -> list[tuple[tuple[str, ...], Stretch]]:
        """Return the bones that may share turns, with the bone that each row of them leads to, and their geometry."""
        free = self._free()
        found = []
        at = 0
        while at < len(self._path):
            end = at
            while end < len(self._path) and self._path[end] in free:
                end += 1
            if at < end:
                made = self._stretch(self._path[at - 1 : end + 1])
                if made.base != made.end:
                    found.append((tuple(self._path[at : end + 1]), made))
            at = end + 1
        return found

    def shoulders(self) -> list[tuple[tuple[str, ...], Shoulder]]:
        """Return the bones of each side's clavicle that move as one, and where it and its arm are."""
        found = []
        for number, side in zip((1.0, -1.0), SIDES, strict=True):
            arm = [self._index[f"{part}.{side}"] for part in ARM if f"{part}.{side}" in self._index]
            names = self._clavicle(arm) if arm and self._links[arm[0]].part == "upper_arm" else ()
            if not names:
                continue
            chest, upper = self._index["chest"], self._links[arm[0]]
            joint, head = self._head(upper.bones[0]), self._head(names[0])
            if np.linalg.norm(joint - head) < _SHORTEST * self._leg:
                continue
            below = self._links[arm[1]].bones if len(arm) > 1 else ()
            made = Shoulder(
                chest, arm[0], tuple(arm) if below else tuple(arm[:1]), head, joint,
                quaternion_matrix(self._links[chest].rest), quaternion_matrix(upper.rest), number,
            )  # fmt: skip
            found.append((names, made))
        return found

    def _clavicle(self, arm: list[int]) -> tuple[str, ...]:
        """Return the bones of the chest that an arm (its links) alone hangs on, the innermost first."""
        chest = self._index.get("chest", -1)
        bones = self._links[arm[0]].bones
        above = [b.name for b in self._bones[bones[0]].parent_recursive] if bones else []
        own = {name for name, link in self._link_of.items() if link in arm}
        first = ""
        for name in above:
            below = {b.name for b in self._bones[name].children_recursive}
            others = [n for n, link in self._link_of.items() if n in below and n not in own and link != chest]
            if others or name in self._path:
                break
            first = name if self._link_of.get(name) == chest else first
        if not first:
            return ()
        below = {b.name for b in self._bones[first].children_recursive}
        return (first, *(n for n, link in self._link_of.items() if link == chest and n in below))

    def _trunk(self) -> list[str]:
        """Return the bones from the hips to the head, or without one to what carries the arms, one on the other."""
        top = self._top()
        if not top:
            return []
        names = [top, *(bone.name for bone in self._bones[top].parent_recursive)]
        hips = next((i for i, name in enumerate(names) if self._link_of.get(name) == 0), -1)
        path = names[: hips + 1][::-1]
        roles = [self._links[self._link_of[n]].role for n in path[1:] if n in self._link_of]
        return path if set(roles) <= set(_TRUNK) else []

    def _top(self) -> str:
        """Return the last bone of the trunk: the skull, or what carries the most of the chest."""
        for role in reversed(_TRUNK):
            own = [n for n, link in self._link_of.items() if self._links[link].role == role]
            own.sort(key=lambda n: len(self._bones[n].parent_recursive))
            if role == "head" and own:
                return next((n for n in own if _SKULL.search(canonical(n)[0])), own[-1])
            if own:
                return max(reversed(own), key=lambda n: len(self._mapped_below(n, own)))
        return ""

    def _mapped_below(self, name: str, besides: list[str]) -> set[str]:
        below = {bone.name for bone in self._bones[name].children_recursive}
        return below.intersection(self._link_of).difference(besides)

    def _free(self) -> set[str]:
        """Return the bones of the trunk, but for its ends, on which nothing mapped hangs but the trunk itself."""
        path = set(self._path)
        holding = {
            next((b.name for b in self._bones[name].parent_recursive if b.name in path), "")
            for name in self._link_of.keys() - path
        }
        return set(self._path[1:-1]) - holding

    def _without_turn(self) -> set[str]:
        """Return the bones of the trunk's way that are not mapped and stay as they hang on the bone before."""
        free = self._free()
        return {n for n in self._path if n not in self._link_of and not (n in free and self._may_turn(n))}

    def _may_turn(self, name: str) -> bool:
        """Return whether a bone that is not mapped may get keys: it carries skin, and nothing else moves it."""
        prefix = f'pose.bones["{bpy.utils.escape_identifier(name)}"]'
        moved = bool(self._poses[name].constraints) or any(path.startswith(prefix) for path in self._driven)
        return self._bones[name].use_deform and not moved

    def _stretch(self, names: list[str]) -> Stretch:
        """Return the geometry of bones between the first and the last of some, which are simulated."""
        links: list[int] = []
        base = self._link_of[names[0]]
        for name in names[1:]:
            links.append(self._link_of.get(name, links[-1] if links else base))
        return Stretch(
            begin=links[0], base=base, links=tuple(links[:-1]), end=links[-1],
            heads=np.array([self._head(name) for name in names[1:]]), leg=self._leg,
        )  # fmt: skip

    def _head(self, name: str) -> Array:
        return np.array(self._bones[name].head_local, dtype=float)
