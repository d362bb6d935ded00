"""Bones to roles: which bones of an armature are the pelvis, the left thigh, and so on, and how sure that is.

By name first, then by shape (``structure``): names are checked against where their bones are, what they leave out is
completed by shape, and a rig whose names say nothing is mapped by its shape alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..base.errors import RigError
from ..base.spatial import normalized
from .armature import STANDS, Armature, ends_at, hung_by_constraints
from .conflicts import conflicts, leg_skin
from .controls import control_rig
from .conventions import CONVENTIONS, Convention, Names
from .mapping import REQUIRED, UNSURE, RigMap
from .model import ROLES, SIDES, role_part
from .naming import canonical, is_helper, words
from .segments import CHEST_START
from .structure.body_parts import LYING, NO_CLAVICLE, NO_TRUNK, BodyParts, find_body_parts
from .structure.skeleton import FourLegsError, KneelessError, UpwardLegsError, check_direction
from .structure.standing import ON_ALL_FOURS, four_legs_error, has_hands, rises
from .twins import without_twins

_LIMBS = ("upper_arm", "forearm", "hand", "thigh", "shin", "foot", "toes")
_ARM = re.compile(r"^(?:upper|fore|lower)?arms?$|^elbow$|^wrist$|^hands?$|腕|ひじ|肘|手首|胳膊|手臂|팔")
_FRONT_LEG = re.compile(r"^(?:front|fore)(?:leg|thigh|shin|foot|toe|upleg|upperleg|lowerleg|paw|hoof)")
_AT_THE_GROUND = 0.1  # of the height of all bones
_ON_ITS_HANDS = 0.2  # of the leg: hands lower than that above the feet bear weight
_ABOVE = 0.1  # of the leg: what a hip is above its knee, and a knee above its ankle, at least
_BEYOND_ARMS = 0.03  # of the trunk up to the arms: what begins so far beyond them is a neck
_LEAST_SKIN = 0.1  # of what the shape's legs carry: less is no leg's
_TRUNK = 0.1  # of the thigh: a head nearer to the hips is a part of them
_CARRIES = 0.5  # of the leg: how far from the hips the bone that carries both legs may begin

_FEW = "Few of its parts were found, or few of its bones mirror each other: compare the bones with Show Body."

Places = Mapping[tuple[str, str], Names]


@dataclass(frozen=True)
class _Named:
    """What one convention finds: role -> bones, side -> heel bones."""

    convention: Convention
    bones: Mapping[str, Names]
    heels: Mapping[str, Names]

    @property
    def absent(self) -> list[str]:
        """Required roles that were not found."""
        return [role for role in REQUIRED if role not in self.bones]


def map_bones(armature: Armature) -> RigMap:
    """Return the roles of an armature's bones, by names and by shape.

    Raises RigError for an armature without what walking needs (pelvis, thighs, shins), naming what is missing, and
    for animals on four legs.
    """
    armature = without_twins(armature)
    places = _places(armature)
    front = _standing_front_legs(armature)
    if front:
        raise four_legs_error(armature, f"front legs ({', '.join(front[:4])})")
    candidates = [_by_convention(convention, places, armature) for convention in CONVENTIONS]
    best = max(candidates, key=lambda n: (-len(n.absent), _nested_legs(n, armature), len(n.bones)))
    named = _by_convention(best.convention, places, armature, whole=True)
    shaped, refusal = _by_shape(armature)
    for side in SIDES if not named.absent else ():
        check_direction(armature, *(armature.index[named.bones[f"{part}.{side}"][0]] for part in ("thigh", "shin")))
    standing = not named.absent and (_stands(named.bones, armature) or _same_legs(named.bones, shaped))
    if standing and not (shaped and _bare(named.bones, shaped, armature)):
        fours = _hands_on_the_ground(named, armature)
        if isinstance(refusal, FourLegsError) and "hand.L" not in named.bones:
            raise refusal  # with hands that do not stand on the ground it is a person, whatever else reaches down
        return _confirmed(named, shaped, places, armature, fours)
    if shaped is not None:
        return _completed(shaped, named, armature)
    raise RigError(_refusal(armature, named, refusal))


def _by_shape(armature: Armature) -> tuple[BodyParts | None, RigError | None]:
    try:
        return find_body_parts(hung_by_constraints(armature)), None
    except RigError as error:
        return None, error


def _places(armature: Armature) -> dict[tuple[str, str], Names]:
    """Return the bones of each canonical name and side, those that carry the skin first."""
    found: dict[tuple[str, str], list[str]] = {}
    for bone in sorted(armature.bones, key=lambda b: not b.deform):
        found.setdefault(canonical(bone.name), []).append(bone.name)
    return {name: tuple(bones) for name, bones in found.items()}


def _standing_front_legs(armature: Armature) -> Names:
    """Return the bones named as front legs when they reach the ground (a raptor's do not)."""
    heights = np.array([armature.world[2, :3] @ bone.head for bone in armature.bones])
    ground = heights.min() + _AT_THE_GROUND * np.ptp(heights)
    front = [i for i, bone in enumerate(armature.bones) if _FRONT_LEG.match(canonical(bone.name)[0])]
    return tuple(armature.bones[i].name for i in front) if any(heights[i] < ground for i in front) else ()


# -- by names


def _by_convention(convention: Convention, places: Places, armature: Armature, whole: bool = False) -> _Named:
    """Return the roles that one convention finds. whole: also bones of the trunk that it has no name for."""

    def present(stems: Names, side: str) -> Names:
        known = (places.get((convention.prefix + stem, side), ("",))[0] for stem in stems)
        return tuple(name for name in known if name)

    found: dict[str, Names] = {}
    for side in SIDES:
        for part in _LIMBS:
            found[f"{part}.{side}"] = _from_the_joint(present(getattr(convention, part), side), armature)
    spreaders = tuple(n for side in SIDES for n in present(convention.spreader, side))
    clavicles = tuple(n for side in SIDES for n in present(convention.clavicle, side))
    clavicles = _with_shoulders(clavicles, found, armature) if whole else clavicles
    pelvis = present(convention.pelvis, "")
    carrier = pelvis or _carrying((), found, armature)
    found["pelvis"] = _carrying(carrier + spreaders, found, armature) if carrier else ()
    taken = set(found["pelvis"])
    trunk, head = (tuple(n for n in present(s, "") if n not in taken) for s in (convention.trunk, convention.head))
    if convention.numbered_spine:
        trunk, head = _split_at_arms((*trunk, *head), len(trunk), found, armature)
    trunk = _up_to_the_arms(trunk, head, found, armature) if whole else trunk
    found["abdomen"], chest = _split_trunk(trunk, head, found, armature)
    found["chest"] = chest + clavicles if chest else ()
    found["head"] = head
    heels = {side: present(convention.heel, side) for side in SIDES}
    return _Named(
        convention,
        {role: names for role, names in found.items() if names},
        {side: names for side, names in heels.items() if names},
    )


def _from_the_joint(names: Names, armature: Armature) -> Names:
    """Return a limb part's bones with the one first that carries the first, or ends there: it begins at the joint.

    That is a twist bone, or the upper half where the lower one hangs on a root and follows.
    """
    if not names:
        return names
    first = armature.bones[armature.index[names[0]]]
    above = armature.carriers(armature.index[names[0]])
    ending = next((n for n in names if ends_at(armature.bones[armature.index[n]], first)), names[0])
    carrying = max((n for n in names if armature.index[n] in above), key=lambda n: above.index(armature.index[n]),
                   default=ending)  # fmt: skip
    return (carrying, *(n for n in names if n != carrying))


def _nested_legs(named: _Named, armature: Armature) -> bool:
    """Return whether shins hang on thighs: volumes that hang on the bones of a leg do not carry each other."""
    if named.absent:
        return False
    pairs = ((named.bones[f"thigh.{side}"], named.bones[f"shin.{side}"][0]) for side in SIDES)
    return all(armature.index[thigh[0]] in armature.carriers(armature.index[shin]) for thigh, shin in pairs)


def _carrying(pelvis: Names, found: Mapping[str, Names], armature: Armature) -> Names:
    """Return the pelvis' bones, and before them the bone that carries both thighs where that is another one nearby.

    Without any the carrier is the pelvis, whatever its name.
    """
    thighs = [found[f"thigh.{side}"] for side in SIDES]
    shins = [found[f"shin.{side}"] for side in SIDES]
    if not all(thighs) or not all(shins):
        return pelvis
    hips, knees = (
        np.mean([armature.bones[armature.index[names[0]]].head for names in both], axis=0) for both in (thighs, shins)
    )
    left, right = ([armature.bones[i].name for i in armature.ancestors(armature.index[t[0]])] for t in thighs)
    common = [name for name in left if name in right]
    if not common or common[0] in pelvis or any(name in common for name in pelvis):
        return pelvis
    carrier = armature.bones[armature.index[common[0]]]
    near = float(np.linalg.norm(carrier.head - hips)) < _CARRIES * 2.0 * float(np.linalg.norm(hips - knees))
    carries = not pelvis or armature.index[common[0]] in armature.ancestors(armature.index[pelvis[0]])
    return (carrier.name, *pelvis) if near and carries else pelvis


def _split_at_arms(chain: Names, usual: int, found: Mapping[str, Names], armature: Armature) -> tuple[Names, Names]:
    """Return trunk and neck of a spine whose bones are only numbered: it is neck above what carries the arms.

    chain: from the lowest bone up. usual: how many are trunk where there are no arms.
    """
    arms = [found[f"upper_arm.{side}"] for side in SIDES]
    if all(arms):
        above = [set(armature.ancestors(armature.index[arm[0]])) for arm in arms]
        carrying = [
            i for i, name in enumerate(chain)
            if all(armature.index[name] in a for a in above)
            and (i == 0 or not _above_arms(name, found, armature, last=i == len(chain) - 1))
        ]  # fmt: skip
        usual = carrying[-1] + 1 if carrying else usual
    return chain[:usual], chain[usual:]


def _above_arms(name: str, found: Mapping[str, Names], armature: Armature, last: bool = False) -> bool:
    """Return whether a bone begins beyond the shoulders, seen from the hips: a neck, though it carries arms.

    last: nothing goes on beyond it; then it need only reach farther beyond them than it begins below.
    """
    middles = []
    for part in ("thigh", "upper_arm"):
        own = [found[f"{part}.{side}"] for side in SIDES]
        if not all(own):
            return False
        middles.append(np.mean([armature.bones[armature.index[names[0]]].head for names in own], axis=0))
    hips, shoulders = middles
    line, bone = shoulders - hips, armature.bones[armature.index[name]]
    begins, ends = (float((point - shoulders) @ line) for point in (bone.head, bone.tail))
    return begins > _BEYOND_ARMS * float(line @ line) or (last and ends > -begins)


def _up_to_the_arms(trunk: Names, head: Names, found: Mapping[str, Names], armature: Armature) -> Names:
    """Return the trunk's bones, from the lowest one up, with all that lie between the hips and what carries both arms.

    A name that a convention does not have must not cut the trunk off below its arms, and a bone of the trunk that
    carries the thighs is its lowest.
    """
    arms, thighs = ([found[f"{part}.{side}"] for side in SIDES] for part in ("upper_arm", "thigh"))
    if not all(arms) or not found["pelvis"]:
        return trunk
    left, right = (armature.ancestors(armature.index[arm[0]]) for arm in arms)
    low = {armature.index[name] for name in found["pelvis"]}
    for name in (*found["pelvis"], *(thigh[0] for thigh in thighs if thigh)):
        low.update(armature.ancestors(armature.index[name]))
    bones = [
        armature.bones[i] for i in reversed(left) if i in right and (i not in low or armature.bones[i].name in trunk)
    ]
    between = tuple(
        bone.name for bone in bones
        if bone.deform and not is_helper(bone.name) and bone.name not in head
        and (bone.name in trunk or not _above_arms(bone.name, found, armature))
    )  # fmt: skip
    return (*between, *(name for name in trunk if name not in between))


def _with_shoulders(clavicles: Names, found: Mapping[str, Names], armature: Armature) -> Names:
    """Return the clavicles with all that lies between an upper arm and what carries both arms."""
    arms = [found[f"upper_arm.{side}"] for side in SIDES]
    if not all(arms):
        return clavicles
    left, right = (armature.ancestors(armature.index[arm[0]]) for arm in arms)
    bones = [armature.bones[i] for i in (*left, *right) if i not in left or i not in right]
    own = (bone.name for bone in bones if bone.deform and not is_helper(bone.name) and bone.name not in clavicles)
    return (*clavicles, *own)


def _split_trunk(trunk: Names, head: Names, found: Mapping[str, Names], armature: Armature) -> tuple[Names, Names]:
    """Return abdomen and chest: the chest begins at the bone nearest to where the published upper trunk begins.

    A trunk of one bone is chest.
    """
    hips = [found[f"thigh.{side}"] for side in SIDES]
    if len(trunk) < 2 or not all(hips):
        return (), trunk
    heads = {n: armature.bones[armature.index[n]].head for n in (*trunk, *head, *(h[0] for h in hips))}
    base = np.mean([heads[h[0]] for h in hips], axis=0)
    line = (heads[head[0]] if head else armature.bones[armature.index[trunk[-1]]].tail) - base
    beside = [abs((heads[n] - base) @ line - CHEST_START * (line @ line)) for n in trunk[1:]]
    start = 1 + int(np.argmin(beside))
    return trunk[:start], trunk[start:]


def _stands(bones: Mapping[str, Names], armature: Armature) -> bool:
    """Return whether the bones named as legs are legs: hip above knee above ankle along the line of both."""
    heads = {role: armature.bones[armature.index[names[0]]].head for role, names in bones.items()}
    lines = []
    for side in SIDES:
        thigh, shin, foot = (heads.get(f"{part}.{side}") for part in ("thigh", "shin", "foot"))
        if thigh is None or shin is None:
            return False
        line = thigh - (2.0 * shin - thigh if foot is None else foot)
        length = float(np.linalg.norm(line))
        if not length > 0.0 or not _ABOVE < float((thigh - shin) @ line) / length**2 < 1.0 - _ABOVE:
            return False
        lines.append(line / length)
    return bool(lines[0] @ lines[1] > 0.5)


def _same_legs(bones: Mapping[str, Names], shaped: BodyParts | None) -> bool:
    """Return whether the shape has the same legs as the names: then these are right, and the legs are broken."""
    legs = [f"{part}.{side}" for part in ("thigh", "shin") for side in SIDES]
    return shaped is not None and all(bones[role][0] == shaped.bones[role][0] for role in legs)


def _bare(bones: Mapping[str, Names], shaped: BodyParts, armature: Armature) -> bool:
    """Return whether the bones named as legs carry next to nothing of the skin that those of the shape's legs carry."""
    legs = [f"{part}.{side}" for part in ("thigh", "shin") for side in SIDES]
    named, found = (sum(leg_skin(own, armature, role) for role in legs) for own in (bones, shaped.bones))
    return found > 0.0 and named < _LEAST_SKIN * found and not control_rig([b.name for b in armature.bones], bones)


def _hands_on_the_ground(named: _Named, armature: Armature) -> list[str]:
    """Return the doubt about a person, or an ape, by name, on all fours.

    Raises FourLegsError where what is named as hands stands on the ground before a level trunk, and has no fingers.
    """
    heads = {role: armature.bones[armature.index[names[0]]].head for role, names in named.bones.items()}
    if any(f"{part}.{side}" not in heads for part in ("foot", "hand", "upper_arm") for side in SIDES):
        return []
    places = {part: np.mean([heads[f"{part}.{side}"] for side in SIDES], axis=0)
              for part in ("thigh", "foot", "hand", "upper_arm")}  # fmt: skip
    leg = places["thigh"] - places["foot"]
    vertical = normalized(np.linalg.pinv(armature.world[:3, :3]) @ (0.0, 0.0, 1.0))
    up = vertical if leg @ vertical > STANDS * np.linalg.norm(leg) else normalized(leg)
    above = float((places["hand"] - places["foot"]) @ up) / float(leg @ up)
    if above >= _ON_ITS_HANDS or rises(places["thigh"], places["upper_arm"], up):
        return []
    if not has_hands(armature, *(armature.index[named.bones[role][0]] for role in ("upper_arm.L", "thigh.L"))):
        hands = ", ".join(named.bones[f"hand.{side}"][0] for side in SIDES)
        raise four_legs_error(armature, f"its hands ({hands})")
    return [ON_ALL_FOURS]


# -- names and shape together


def _confirmed(named: _Named, shaped: BodyParts | None, places: Places, armature: Armature, fours: list[str]) -> RigMap:
    """Return the mapping of a rig with known names, completed by its shape, and as sure as the two agree.

    fours: the doubt about a rest pose on all fours.
    """
    bones = dict(named.bones)
    reasons = dict.fromkeys(bones, _by_name(named.convention))
    if canonical(bones["pelvis"][0]) not in ((named.convention.prefix + stem, "") for stem in named.convention.pelvis):
        reasons["pelvis"] = "it carries both legs"
    taken = {name for names in bones.values() for name in names}
    doubts = [
        f"Two bones are named like {role}: {names[0]} was taken, {places[key][1]} was not."
        for role, names in bones.items()
        if len(places.get(key := canonical(names[0]), ())) > 1 and armature.bones[armature.index[places[key][1]]].deform
    ]
    against = conflicts(bones, armature)
    agreement = 0.5
    if shaped is not None:
        agreement, other = _agreement(bones, shaped)
        known = control_rig([bone.name for bone in armature.bones], bones)  # its controls have the body's shape, too
        told = {LYING, ON_ALL_FOURS, *([NO_TRUNK] if "chest" in bones else [])}
        told |= {NO_CLAVICLE} if "upper_arm.L" in bones else set()
        doubts += [*(() if known else other), *(doubt for doubt in shaped.doubts if doubt not in told)]
        for role, names in shaped.bones.items():
            if role not in bones and _hangs_on(role, names[0], bones, armature) and taken.isdisjoint(names):
                bones[role], reasons[role] = names, f"by shape: {shaped.reasons[role]}"
                taken.update(names)
    doubts += [*_lying(bones, armature), *fours, *against]
    confidence = 0.8 + 0.19 * agreement - 0.05 * min(len(doubts), 4)
    return _rig_map(named.convention.name, bones, named.heels, reasons, confidence, doubts)


def _lying(bones: Mapping[str, Names], armature: Armature) -> list[str]:
    """Return the doubt about a rest pose whose legs, ankles or ends to hips, do not stand in the scene."""
    heads = {role: armature.bones[armature.index[names[0]]].head for role, names in bones.items()}
    line = np.zeros(3)
    for side in SIDES:
        hip, knee, ankle = heads[f"thigh.{side}"], heads[f"shin.{side}"], heads.get(f"foot.{side}")
        line = line + (2.0 * (hip - knee) if ankle is None else hip - ankle)
    world = armature.world[:3, :3] @ line
    return [LYING] if world[2] < STANDS * float(np.linalg.norm(world)) else []


def _by_name(convention: Convention) -> str:
    return convention.name if convention.name.endswith("names") else f"{convention.name} names"


def _agreement(bones: Mapping[str, Names], shaped: BodyParts) -> tuple[float, list[str]]:
    """Return the share of limb parts for which names and shape agree, and sentences about legs for which not."""
    both = [role for role in bones if role in shaped.bones and "." in role]
    if not both:
        return 0.5, []
    apart = [role for role in both if set(bones[role]).isdisjoint(shaped.bones[role])]
    doubts = [
        f"{role}: {bones[role][0]} by name, {shaped.bones[role][0]} by shape."
        for role in apart
        if role.endswith(".L") and role.startswith(("thigh", "shin", "foot"))
    ]
    return 1.0 - len(apart) / len(both), doubts


def _hangs_on(role: str, bone: str, bones: Mapping[str, Names], armature: Armature) -> bool:
    """Return whether a limb's part found by shape hangs on the bone that has the part before it by name."""
    part, _, side = role.partition(".")
    before = {"hand": "forearm", "toes": "foot", "foot": "shin", "forearm": "upper_arm", "upper_arm": "chest"}.get(part)
    if before is None:
        return False
    above = bones.get(before if before == "chest" else f"{before}.{side}")
    if not above:
        return False
    return part == "foot" or any(armature.index[name] in armature.carriers(armature.index[bone]) for name in above)


def _completed(shaped: BodyParts, named: _Named, armature: Armature) -> RigMap:
    """Return the mapping of a rig by its shape, with the parts that only names tell."""
    bones = dict(shaped.bones)
    reasons = {role: f"by shape: {why}" for role, why in shaped.reasons.items()}
    told = {LYING}
    if "upper_arm.L" not in bones and (upper := _upper_body(named.bones, bones, armature)):
        for role in ("abdomen", "chest", "head"):
            bones.pop(role, None)
        bones |= upper
        reasons |= dict.fromkeys(upper, _by_name(named.convention))
        told.add(NO_TRUNK)
    taken = {name for names in bones.values() for name in names}
    for role, names in named.bones.items():
        if role in bones or not taken.isdisjoint(names):
            continue
        follows = role_part(role) in ("forearm", "hand", "toes") and _hangs_on(role, names[0], bones, armature)
        if follows or (role == "head" and not _at_the_hips(names[0], bones, armature)):
            bones[role], reasons[role] = names, _by_name(named.convention)
            taken.update(names)
    optional = sum(role in bones for role in ("head", "chest", "foot.L", "toes.L", "upper_arm.L", "hand.L")) / 6.0
    found = (doubt for doubt in shaped.doubts if doubt not in told)
    doubts = [*found, *_lying(bones, armature), *_lost_arms(bones, armature), *conflicts(bones, armature)]
    confidence = 0.45 + 0.2 * shaped.symmetry + 0.2 * optional - 0.15 * len(doubts)
    return _rig_map("the skeleton's shape", bones, {}, reasons, confidence, doubts)


def _upper_body(named: Mapping[str, Names], shaped: Mapping[str, Names], armature: Armature) -> dict[str, Names]:
    """Return trunk, head and arms by name, where they are whole and hang together; {} where not, or on the legs.

    named, shaped: role -> bones, by name and by shape.
    """
    upper = {
        r: n for r, n in named.items() if r.startswith(("abdomen", "chest", "head", "upper_arm", "forearm", "hand"))
    }
    if any(
        role not in upper for role in ("chest", *(f"{part}.{s}" for s in SIDES for part in ("upper_arm", "forearm")))
    ):
        return {}
    legs = {n for r, names in shaped.items() if r not in ("abdomen", "chest", "head") for n in names}
    hung = all(_hangs_on(f"forearm.{side}", upper[f"forearm.{side}"][0], upper, armature) for side in SIDES)
    return upper if hung and legs.isdisjoint(n for names in upper.values() for n in names) else {}


def _at_the_hips(name: str, bones: Mapping[str, Names], armature: Armature) -> bool:
    """Return whether a bone begins at the hips, as the head of a ball on legs does."""
    heads = {role: armature.bones[armature.index[names[0]]].head for role, names in bones.items()}
    hips = np.mean([heads[f"thigh.{side}"] for side in SIDES], axis=0)
    thigh = float(np.mean([np.linalg.norm(heads[f"thigh.{side}"] - heads[f"shin.{side}"]) for side in SIDES]))
    return float(np.linalg.norm(armature.bones[armature.index[name]].head - hips)) < _TRUNK * thigh


def _lost_arms(bones: Mapping[str, Names], armature: Armature) -> list[str]:
    """Return that a rig without arms has bones with a side that are named as arms."""
    taken = {name for names in bones.values() for name in names}
    if any(f"upper_arm.{side}" in bones for side in SIDES):
        return []
    lost = [
        bone.name for bone in armature.bones
        if bone.deform and bone.name not in taken and not is_helper(bone.name)
        and canonical(bone.name)[1] and any(_ARM.search(word) for word in words(bone.name))
    ]  # fmt: skip
    return [f"No arms were found, though bones are named as arms: {', '.join(lost[:4])}."] if lost else []


def _rig_map(
    convention: str, bones: Mapping[str, Names], heels: Mapping[str, Names], reasons: Mapping[str, str],
    confidence: float, doubts: list[str],
) -> RigMap:  # fmt: skip
    if confidence < UNSURE and not doubts:
        doubts = [_FEW]
    return RigMap(
        convention=convention,
        bones={role: bones[role] for role in ROLES if role in bones},
        heels=heels,
        reasons={role: reasons[role] for role in ROLES if role in bones},
        missing=tuple(role for role in ROLES if role not in bones),
        confidence=round(min(max(confidence, 0.05), 0.99), 2),
        doubts=tuple(doubts),
    )


def _refusal(armature: Armature, named: _Named, refusal: RigError | None) -> str:
    if isinstance(refusal, (FourLegsError, KneelessError, UpwardLegsError)) or len(named.bones) < len(REQUIRED):
        return str(refusal)
    text = (
        f"Armature {armature.name!r} ({len(armature.bones)} bones): its names fit {named.convention.name} best "
        f"({len(named.bones)} of {len(ROLES)} parts), but "
    )
    missing = (
        f"missing are {', '.join(named.absent)}" if named.absent else "the bones named as legs are not placed as legs"
    )
    return f"{text}{missing}. Pick the bones by hand in the Bones table."
