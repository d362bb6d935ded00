"""Strange armatures for tests, each from a seed: skeletons and animals, broken in every way that we could think of.

Numpy only; tests/blender makes real armatures of the same drafts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from blender_biped.base.spatial import Array, axis_angle_quaternion, quaternion_matrix
from blender_biped.character.armature import Armature, Bone
from blender_biped.character.conventions import CONVENTIONS, Convention
from blender_biped.character.standard import standard_armature

Rng = np.random.Generator


@dataclass
class Part:
    """A bone to be: its name, its parent's place or -1, both ends (3,) and its orientation (3, 3)."""

    name: str
    parent: int
    head: Array
    tail: Array
    matrix: Array = field(default_factory=lambda: np.eye(3))


@dataclass
class Draft:
    """An armature to be. world (4, 4): of its object. how: what was done to it, for messages."""

    parts: list[Part]
    world: Array = field(default_factory=lambda: np.eye(4))
    how: list[str] = field(default_factory=list)
    name: str = "Strange"

    def armature(self) -> Armature:
        """Return it as plain arrays. Raises RigError for what no armature can be."""
        bones = (Bone(p.name, p.parent, np.array(p.head), np.array(p.tail), np.array(p.matrix)) for p in self.parts)
        return Armature(self.name, tuple(bones), np.array(self.world))


def strange(seed: int, most: int = 3) -> Draft:
    """Return the draft of a seed, with up to ``most`` things done to a skeleton; some are left as they are."""
    rng = np.random.default_rng(seed)
    draft = SKELETONS[int(rng.choice(len(SKELETONS), p=_SHARES))](rng)
    count = int(rng.integers(0, most + 1))
    for _ in range(count):
        change = CHANGES[int(rng.integers(len(CHANGES)))]
        draft.how.append(change.__name__)
        with np.errstate(all="ignore"):  # once there is a number that is none, it spreads
            change(draft, rng)
    if rng.random() < 0.3:
        _mix_order(draft, rng)
    return draft


# --- skeletons -------------------------------------------------------------------------------------------------------

_SIDES: tuple[Callable[[str, str], str], ...] = (
    lambda stem, side: f"{stem}.{side}",
    lambda stem, side: f"{stem}_{side.lower()}",
    lambda stem, side: f"{'Left' if side == 'L' else 'Right'}{stem.capitalize()}",
    lambda stem, side: f"{side}_{stem}",
    lambda stem, side: f"{'left' if side == 'L' else 'right'} {stem}",
    lambda stem, side: f"{side.lower()}{stem.capitalize()}",
    lambda stem, side: f"{stem}-{side}.001",
)
_PREFIXES = ("", "", "", "mixamorig:", "Character1_", "Bip01 ", "CC_Base_", "DEF-", "ORG-", "char:rig:", "Armature_")
_SPINE = ("spine", "spine.001", "spine.002", "spine.003")


def person(rng: Rng) -> Draft:
    """Return a person of some build, named by one of the known conventions."""
    body = standard_armature(
        stature=float(rng.uniform(0.5, 3.0)), leg_scale=float(rng.uniform(0.3, 1.6)),
        trunk_scale=float(rng.uniform(0.5, 1.5)), arm_scale=float(rng.uniform(0.3, 1.5)),
        arm_angle=float(rng.uniform(0.0, math.pi / 2.0)),
    )  # fmt: skip
    parts = [Part(b.name, b.parent, b.head.copy(), b.tail.copy(), b.matrix.copy()) for b in body.bones]
    names = "as Rigify has them"
    if rng.random() < 0.8:
        convention = CONVENTIONS[int(rng.integers(len(CONVENTIONS)))]
        names = convention.name
        sided = _SIDES[int(rng.integers(len(_SIDES)))]
        prefix = _PREFIXES[int(rng.integers(len(_PREFIXES)))]
        for part in parts:
            part.name = prefix + _renamed(part.name, convention, sided)
    return Draft(parts, how=[f"a person, names: {names}"])


def _renamed(name: str, convention: Convention, sided: Callable[[str, str], str]) -> str:
    if name in _SPINE:
        stems = (*convention.pelvis[:1], *convention.trunk)
        return stems[min(_SPINE.index(name), len(stems) - 1)]
    stem, _, side = name.rpartition(".")
    if side not in ("L", "R"):
        return convention.head[-1]
    known = {"shoulder": convention.clavicle, "toe": convention.toes, "heel.02": convention.heel}
    stems = known.get(stem) or getattr(convention, stem)
    return sided(stems[0], side)


def four_legs(rng: Rng) -> Draft:
    """Return a dog, named in one of three ways."""
    names = (
        ("pelvis", "spine", "neck", "thigh", "shin", "foot", "front_thigh", "front_shin", "front_foot"),
        ("Hips", "Spine", "Neck", "BackUpLeg", "BackLowLeg", "BackFoot", "FrontUpLeg", "FrontLowLeg", "FrontFoot"),
        ("root", "back", "head", "UpperLeg", "LowerLeg", "Paw", "UpperArm", "LowerArm", "Hand"),
    )[int(rng.integers(3))]
    draft = Draft([], how=["a dog"])
    hips = _add(draft, names[0], -1, (0.0, 0.4, 0.6), (0.0, 0.1, 0.6))
    chest = _add(draft, names[1], hips, (0.0, 0.1, 0.6), (0.0, -0.4, 0.65))
    _add(draft, names[2], chest, (0.0, -0.4, 0.65), (0.0, -0.7, 0.9))
    _chain(draft, "tail", hips, (0.0, 0.4, 0.6), (0.0, 0.2, 0.05), int(rng.integers(0, 6)))
    for side, x in (("L", 0.12), ("R", -0.12)):
        for above, y, part in ((hips, 0.4, names[3:6]), (chest, -0.35, names[6:9])):
            at = above
            for name, high, low in zip(part, (0.6, 0.35, 0.1), (0.35, 0.1, 0.0), strict=True):
                at = _add(draft, f"{name}.{side}", at, (x, y, high), (x, y - 0.02, low))
    return draft


def many_legs(rng: Rng) -> Draft:
    """Return a spider or an insect."""
    draft = Draft([], how=["a spider"])
    body = _add(draft, "body", -1, (0.0, 0.0, 0.2), (0.0, 0.3, 0.2))
    _add(draft, "head", body, (0.0, -0.2, 0.2), (0.0, -0.4, 0.2))
    for k in range(int(rng.integers(3, 9))):
        for side, x in (("L", 1.0), ("R", -1.0)):
            y = 0.1 * k - 0.3
            at = _add(draft, f"leg{k}_thigh.{side}", body, (0.1 * x, y, 0.2), (0.4 * x, y, 0.5))
            at = _add(draft, f"leg{k}_shin.{side}", at, (0.4 * x, y, 0.5), (0.7 * x, y, 0.3))
            _add(draft, f"leg{k}_foot.{side}", at, (0.7 * x, y, 0.3), (0.8 * x, y, 0.0))
    return draft


def bird(rng: Rng) -> Draft:
    """Return a bird or a mech with two legs of three or more segments, and a tail."""
    draft = Draft([], how=["a bird"])
    body = _add(draft, "body", -1, (0.0, 0.0, 1.0), (0.0, -0.4, 1.1))
    _chain(draft, "neck", body, (0.0, -0.4, 1.1), (0.0, -0.1, 0.2), int(rng.integers(1, 5)))
    _chain(draft, "tail", body, (0.0, 0.1, 1.0), (0.0, 0.25, -0.02), int(rng.integers(0, 6)))
    count = int(rng.integers(2, 7))
    names = [["thigh", "shin", "foot"], ["leg1", "leg2", "leg3"], ["femur", "tibia", "tarsus"]][int(rng.integers(3))]
    for side, x in (("L", 0.2), ("R", -0.2)):
        at, heights = body, np.linspace(1.0, 0.05, count + 1)
        for k in range(count):
            y = [0.0, -0.2, 0.15][k % 3]
            low = [0.0, -0.2, 0.15][(k + 1) % 3]
            name = names[k] if k < len(names) else f"digit{k}"
            at = _add(draft, f"{name}.{side}", at, (x, y, heights[k]), (x, low, heights[k + 1]))
    return draft


def random_tree(rng: Rng) -> Draft:
    """Return up to 1,000 bones that hang on each other anyhow, named from all that rigs are named."""
    count = int(rng.choice((0, 1, 2, 5, 20, 60, 200, 1000), p=(0.1, 0.15, 0.15, 0.15, 0.15, 0.15, 0.1, 0.05)))
    words = [*_words(), *(f"Bone.{k:03}" for k in range(30))]
    draft = Draft([], how=[f"{count} bones anyhow"])
    for k in range(count):
        stem = words[int(rng.integers(len(words)))]
        side = ("", ".L", ".R", "_l", "_r", " left")[int(rng.integers(6))]
        parent = int(rng.integers(-1, k)) if k else -1
        head = draft.parts[parent].tail if parent >= 0 and rng.random() < 0.7 else rng.normal(size=3)
        _add(draft, _free(draft, stem + side), parent, head, head + 0.3 * rng.normal(size=3))
    return draft


def _words() -> list[str]:
    found: set[str] = set()
    for convention in CONVENTIONS:
        for names in (convention.pelvis, convention.trunk, convention.head, convention.thigh, convention.shin,
                      convention.foot, convention.toes, convention.clavicle, convention.upper_arm,
                      convention.forearm, convention.hand):  # fmt: skip
            found.update(names)
    return sorted(found)


SKELETONS: tuple[Callable[[Rng], Draft], ...] = (person, four_legs, many_legs, bird, random_tree)
_SHARES = (0.66, 0.08, 0.06, 0.1, 0.1)


def _add(draft: Draft, name: str, parent: int, head: Sequence[float] | Array, tail: Sequence[float] | Array) -> int:
    draft.parts.append(Part(_free(draft, name), parent, np.array(head, dtype=float), np.array(tail, dtype=float)))
    return len(draft.parts) - 1


def _chain(draft: Draft, name: str, parent: int, start: Sequence[float], step: Sequence[float], count: int) -> None:
    at, head = parent, np.array(start, dtype=float)
    for k in range(count):
        at = _add(draft, f"{name}{k + 1}", at, head, head + step)
        head = head + step


def _free(draft: Draft, name: str) -> str:
    taken = {p.name for p in draft.parts}
    return next(n for n in (name, *(f"{name}.{k:03}" for k in range(1, len(taken) + 2))) if n not in taken)


# --- what is done to them --------------------------------------------------------------------------------------------


def shuffled_names(draft: Draft, rng: Rng) -> None:
    """Give all bones, or two of them, each other's names."""
    if len(draft.parts) < 2:
        return
    places = np.arange(len(draft.parts)) if rng.random() < 0.5 else rng.choice(len(draft.parts), 2, replace=False)
    names = [draft.parts[i].name for i in rng.permutation(places)]
    for i, name in zip(places, names, strict=True):
        draft.parts[i].name = name


def branch_deleted(draft: Draft, rng: Rng) -> None:
    """Take a bone and all that hangs on it away."""
    if draft.parts:
        gone = _branch(draft, int(rng.integers(len(draft.parts))))
        _keep(draft, [i for i in range(len(draft.parts)) if i not in gone])


def bone_deleted(draft: Draft, rng: Rng) -> None:
    """Take one bone away; what hangs on it hangs on its parent."""
    if draft.parts:
        i = int(rng.integers(len(draft.parts)))
        for part in draft.parts:
            if part.parent == i:
                part.parent = draft.parts[i].parent
        _keep(draft, [k for k in range(len(draft.parts)) if k != i])


def branch_doubled(draft: Draft, rng: Rng) -> None:
    """Put a copy of a bone and all that hangs on it beside it."""
    if not draft.parts or len(draft.parts) > 600:
        return
    branch = sorted(_branch(draft, int(rng.integers(len(draft.parts)))))
    aside = rng.normal(scale=0.3, size=3) if rng.random() < 0.7 else np.zeros(3)
    new = {old: len(draft.parts) + k for k, old in enumerate(branch)}
    for old in branch:
        part = draft.parts[old]
        parent = new.get(part.parent, part.parent)
        draft.parts.append(replace(part, name=_free(draft, part.name), parent=parent, head=part.head + aside,
                                  tail=part.tail + aside))  # fmt: skip


def other_parent(draft: Draft, rng: Rng) -> None:
    """Hang a bone on any other that does not hang on it."""
    if draft.parts:
        i = int(rng.integers(len(draft.parts)))
        free = [-1, *(set(range(len(draft.parts))) - _branch(draft, i))]
        draft.parts[i].parent = int(free[int(rng.integers(len(free)))])


def no_parents(draft: Draft, rng: Rng) -> None:
    """Let every bone be a root."""
    for part in draft.parts:
        part.parent = -1


def zero_length(draft: Draft, rng: Rng) -> None:
    """Let some bones, or all, end where they begin."""
    share = float(rng.choice((0.1, 0.5, 1.0)))
    for part in draft.parts:
        if rng.random() < share:
            part.tail = part.head.copy()


def all_in_one_point(draft: Draft, rng: Rng) -> None:
    """Put all bones into the same place."""
    for part in draft.parts:
        part.head = part.tail = np.zeros(3)


def flat(draft: Draft, rng: Rng) -> None:
    """Press it flat along an axis."""
    axis = int(rng.integers(3))
    for part in draft.parts:
        part.head, part.tail = part.head.copy(), part.tail.copy()
        part.head[axis] = part.tail[axis] = 0.0


def not_finite(draft: Draft, rng: Rng) -> None:
    """Put a number that is none somewhere."""
    bad = float(rng.choice((np.nan, np.inf, -np.inf, 1e300)))
    where = int(rng.integers(4))
    if where == 3 or not draft.parts:
        draft.world = draft.world.copy()
        draft.world[int(rng.integers(3)), int(rng.integers(4))] = bad
        return
    part = draft.parts[int(rng.integers(len(draft.parts)))]
    name = ("head", "tail", "matrix")[where]
    value = np.array(getattr(part, name), dtype=float)
    value.flat[int(rng.integers(value.size))] = bad
    setattr(part, name, value)


def other_size(draft: Draft, rng: Rng) -> None:
    """Scale the object, or the bones, or one against the other."""
    scale = float(rng.choice((1e-9, 1e-4, 0.01, 0.1, 10.0, 100.0, 1e4, 1e9)))
    if rng.random() < 0.6:
        draft.world = draft.world @ np.diag((scale, scale, scale, 1.0))
    if rng.random() < 0.6:
        for part in draft.parts:
            part.head, part.tail = part.head / scale, part.tail / scale


def uneven_size(draft: Draft, rng: Rng) -> None:
    """Mirror the object, scale it unevenly or to nothing, or shear it."""
    sizes = rng.choice((-1.0, 0.0, 0.5, 1.0, 1.0001, 2.0), 3)
    draft.world = draft.world @ np.diag((*sizes, 1.0))
    if rng.random() < 0.3:
        draft.world[0, 1] += 0.3


def turned(draft: Draft, rng: Rng) -> None:
    """Turn and move the object, sometimes far away."""
    turn = np.eye(4)
    turn[:3, :3] = quaternion_matrix(axis_angle_quaternion(_direction(rng), np.array(rng.uniform(-3.0, 3.0))))
    turn[:3, 3] = rng.normal(size=3) * float(rng.choice((1.0, 1e3, 1e7)))
    draft.world = turn @ draft.world


def turned_bones(draft: Draft, rng: Rng) -> None:
    """Turn the bones in the armature, in steps of 90 degrees or anyhow, as models with another axis up."""
    angle = float(rng.choice((0.5 * math.pi, math.pi, rng.uniform(-3.0, 3.0))))
    axis = np.eye(3)[int(rng.integers(3))] if rng.random() < 0.7 else _direction(rng)
    turn = quaternion_matrix(axis_angle_quaternion(axis, np.array(angle)))
    for part in draft.parts:
        part.head, part.tail, part.matrix = turn @ part.head, turn @ part.tail, turn @ part.matrix


def any_roll(draft: Draft, rng: Rng) -> None:
    """Give all bones any orientation."""
    for part in draft.parts:
        part.matrix = quaternion_matrix(axis_angle_quaternion(_direction(rng), np.array(rng.uniform(-3.0, 3.0))))


def no_orientation(draft: Draft, rng: Rng) -> None:
    """Give a bone an orientation that is none."""
    if draft.parts:
        draft.parts[int(rng.integers(len(draft.parts)))].matrix = np.zeros((3, 3))


def other_leg(draft: Draft, rng: Rng) -> None:
    """Make whatever is on the left longer or shorter."""
    scale = float(rng.choice((0.2, 0.7, 0.95, 1.1, 3.0)))
    for part in draft.parts:
        if part.head[0] > 0.0:
            part.head = part.head * (1.0, 1.0, scale)
            part.tail = part.tail * (1.0, 1.0, scale)


def sides_together(draft: Draft, rng: Rng) -> None:
    """Put left and right on each other, or exchange them."""
    factor = float(rng.choice((0.0, -1.0, 1e-6)))
    for part in draft.parts:
        part.head, part.tail = part.head * (factor, 1.0, 1.0), part.tail * (factor, 1.0, 1.0)


def shaken(draft: Draft, rng: Rng) -> None:
    """Move every joint a little, or a lot."""
    size = float(rng.choice((1e-3, 0.03, 0.3, 3.0)))
    for part in draft.parts:
        part.head = part.head + rng.normal(scale=size, size=3)
        part.tail = part.tail + rng.normal(scale=size, size=3)


def odd_names(draft: Draft, rng: Rng) -> None:
    """Name some bones as nobody should, or as others in other scripts do."""
    odd = (
        "", " ", "骨盆", "Бедро.L", "\uff54\uff48\uff49\uff47\uff48.L", "thigh.L\n", "🦵.L", "\u202ethigh.R",
        "a" * 63, "..L", "L", "R", "%s{}[0]'\"\\", "Hips\x00", "left right", "007", "mixamorig:", "cafe\u0301",
        "İ", "ß_l", "-1", "NaN",
    )  # fmt: skip
    for part in draft.parts:
        if rng.random() < 0.2:
            part.name = _free(draft, odd[int(rng.integers(len(odd)))])


def names_twice(draft: Draft, rng: Rng) -> None:
    """Give two bones the same name, which only broken data can have."""
    if len(draft.parts) > 1:
        a, b = rng.choice(len(draft.parts), 2, replace=False)
        draft.parts[a].name = draft.parts[b].name


def bad_parent(draft: Draft, rng: Rng) -> None:
    """Let a bone hang on itself, on one that hangs on it, or on none that exists."""
    if draft.parts:
        i = int(rng.integers(len(draft.parts)))
        branch = sorted(_branch(draft, i))
        draft.parts[i].parent = int(rng.choice((branch[int(rng.integers(len(branch)))], len(draft.parts), -2)))


def no_sides(draft: Draft, rng: Rng) -> None:
    """Take the words for sides out of all names."""
    for part in draft.parts:
        stem = part.name
        for word in (".L", ".R", "_l", "_r", "Left", "Right", "left ", "right ", "L_", "R_"):
            stem = stem.replace(word, "")
        part.name = ""
        part.name = _free(draft, stem)


def plain_numbers(draft: Draft, rng: Rng) -> None:
    """Name all bones Bone, Bone.001 and so on."""
    for k, part in enumerate(draft.parts):
        part.name = f"Bone.{k:03}" if k else "Bone"


def feet_elsewhere(draft: Draft, rng: Rng) -> None:
    """Hang feet, or thighs, on the root, as rigs for IK do."""
    word = ("foot", "thigh", "leg", "toe")[int(rng.integers(4))]
    root = next((i for i, p in enumerate(draft.parts) if p.parent < 0), -1)
    for i, part in enumerate(draft.parts):
        if word in part.name.lower() and i != root and root not in _branch(draft, i):
            part.parent = root


def split_limbs(draft: Draft, rng: Rng) -> None:
    """Put twist bones into the middle of some chains."""
    for i in range(len(draft.parts)):
        part = draft.parts[i]
        if rng.random() < 0.3 and len(draft.parts) < 900:
            middle = 0.5 * (part.head + part.tail)
            new = _add(draft, f"{part.name}_twist", i, middle, part.tail)
            for kid in draft.parts[:new]:
                if kid.parent == i and kid is not draft.parts[new]:
                    kid.parent = new
            part.tail = middle


def crowded(draft: Draft, rng: Rng) -> None:
    """Add many small bones: a face, hair, fingers."""
    if draft.parts:
        for k in range(int(rng.choice((10, 50, 300)))):
            parent = int(rng.integers(len(draft.parts)))
            head = draft.parts[parent].tail
            draft.parts.append(Part(f"extra_{len(draft.parts)}_{k}", parent, head, head + 0.02 * rng.normal(size=3)))


CHANGES: tuple[Callable[[Draft, Rng], None], ...] = (
    shuffled_names, branch_deleted, bone_deleted, branch_doubled, other_parent, no_parents, zero_length,
    all_in_one_point, flat, not_finite, other_size, uneven_size, turned, turned_bones, any_roll, no_orientation,
    other_leg, sides_together, shaken, odd_names, names_twice, bad_parent, no_sides, plain_numbers, feet_elsewhere,
    split_limbs, crowded,
)  # fmt: skip


def _mix_order(draft: Draft, rng: Rng) -> None:
    _keep(draft, [int(i) for i in rng.permutation(len(draft.parts))])


def _branch(draft: Draft, start: int) -> set[int]:
    """Return the places of a bone and of all that hangs on it."""
    kids: dict[int, list[int]] = {}
    for i, part in enumerate(draft.parts):
        kids.setdefault(part.parent, []).append(i)
    found, todo = set[int](), [start]
    while todo:
        at = todo.pop()
        if at not in found:
            found.add(at)
            todo += kids.get(at, [])
    return found


def _keep(draft: Draft, order: Sequence[int]) -> None:
    """Leave only these bones, in this order; what hung on others becomes a root."""
    place = {old: new for new, old in enumerate(order)}
    parts = [draft.parts[i] for i in order]
    for part in parts:
        if 0 <= part.parent < len(draft.parts):
            part.parent = place.get(part.parent, -1)
    draft.parts = parts


def _direction(rng: Rng) -> Array:
    value = rng.normal(size=3)
    return np.asarray(value / np.linalg.norm(value))
