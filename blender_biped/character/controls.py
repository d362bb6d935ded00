"""Control rigs by their names: which bones an animator moves in place of the ones that make the body.

A rig is known by bones that only it has. Its tables name the control of each body part, the properties that let
those controls drive the limbs, and the targets and poles for limbs that are set by inverse kinematics (IK).

Sources: the rig that Rigify (Blender 4.5) generates from its human metarig; the file of the Mesh2Motion rig
(Mesh2Motion/mesh2motion-assets, rigs/rig-human.blend); RIG-Cloud_Human of CloudRig's metarigs/MetaRigs.blend.
Auto-Rig Pro's names are as public retargeting scripts use them, and as The-Free-MRE-Foundation/avrtar has them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from .conventions import Names
from .model import ROLES, SIDES

_NUMBERED = re.compile(r"\.(\d{3})$")


@dataclass(frozen=True)
class Switch:
    """A custom property of a bone, and the value at which the controls drive the limbs."""

    bone: str
    name: str
    value: float


@dataclass(frozen=True)
class ControlRig:
    """A known control rig, as far as an armature has its bones.

    root: the bone that carries everything, "" for none. controls: role -> bones to move; a control moves rigidly
    with its body part. switches: what must hold for them. ik: role -> bones to move in their place where limbs are
    set by IK, and ``ik_switches``. poles: role of a thigh or an upper arm -> the bone that its limb's bend points at.
    """

    name: str
    root: str
    controls: Mapping[str, Names]
    switches: tuple[Switch, ...] = ()
    ik: Mapping[str, Names] = field(default_factory=dict)
    ik_switches: tuple[Switch, ...] = ()
    poles: Mapping[str, str] = field(default_factory=dict)


def control_rig(names: Collection[str], bones: Mapping[str, Names]) -> ControlRig | None:
    """Return the control rig that an armature is, None when it is none that is known.

    names: all its bones. bones: role -> the bones that make the body.
    """
    names = frozenset(names)
    for known_by, make in _KNOWN:
        if names.issuperset(known_by):
            return make(names, bones)
    return None


def controls_of(names: Collection[str], bones: Mapping[str, Names]) -> dict[str, Names]:
    """Return role -> the bones that an animator moves in place of ``bones``; {} where no control rig is known."""
    rig = control_rig(names, bones)
    return dict(rig.controls) if rig else {}


def _rigify(names: frozenset[str], bones: Mapping[str, Names]) -> ControlRig:
    """Return the rig that Rigify generates.

    The torso goes with the middle of the body, so that pelvis and chest turn about its ends. The hips and chest
    controls stay at rest: they turn pelvis and chest on top of what is baked. Each spine control and tweak goes
    with the body part that its own bone is of; tweaks get keys only where the spine controls cannot follow.
    """
    role_of = {_stem(name): role for role in ("pelvis", "abdomen", "chest") for name in bones.get(role, ())}
    middle = next(role for role in ("abdomen", "pelvis") if role in bones or role == "pelvis")
    found: dict[str, list[str]] = {middle: ["torso"]}
    for control in ("spine_fk", "tweak_spine"):
        for name in sorted(n for n in names if _NUMBERED.sub("", n) == control):
            role = role_of.get(name.replace(control, "spine"))
            if role:
                found.setdefault(role, []).append(name)
    found["head"] = ["neck", "head"]
    found.setdefault("chest", []).extend(f"shoulder.{side}" for side in SIDES)
    ik: dict[str, list[str]] = {}
    for side in SIDES:
        for part in ("thigh", "shin", "foot", "upper_arm", "forearm", "hand"):
            found[f"{part}.{side}"] = [f"{part}_fk.{side}"]
            ik[f"{part}.{side}"] = [f"{part}_ik.{side}"] if part in ("foot", "hand") else []
        found[f"toes.{side}"] = [next((n for n in (f"toe_fk.{side}", f"toe.{side}") if n in names), "")]
        ik[f"toes.{side}"] = [next((n for n in (f"toe_ik.{side}", f"toe.{side}") if n in names), "")]
    follow = (Switch("torso", "neck_follow", 1.0), Switch("torso", "head_follow", 1.0))
    limbs = [f"{part}_parent.{side}" for part in ("thigh", "upper_arm") for side in SIDES]
    return ControlRig(
        name="Rigify",
        root=_first(names, "root"),
        controls=_there(found, names),
        switches=(*follow, *(Switch(limb, "IK_FK", 1.0) for limb in limbs)),
        ik=_there(ik, names, keep_empty=True),
        ik_switches=(
            *follow,
            *(Switch(limb, "IK_FK", 0.0) for limb in limbs),
            *(Switch(limb, "pole_vector", 1.0) for limb in limbs),
        ),
        poles=_poles(names, "thigh_ik_target.{}", "upper_arm_ik_target.{}", SIDES),
    )


def _mesh2motion(names: frozenset[str], bones: Mapping[str, Names]) -> ControlRig:
    """Return Mesh2Motion's human rig, whose deform bones copy driving bones that are children of controls."""
    found: dict[str, list[str]] = {"pelvis": ["CTRL_Hips", "DRV_hips"], "head": ["DRV_neck", "DRV_head"]}
    role_of = {name: role for role in ("pelvis", "abdomen", "chest") for name in bones.get(role, ())}
    for name, drives in (("DRV_spine.001", "spine_01"), ("DRV_spine_002", "spine_02"), ("DRV_spine.003", "spine_03")):
        found.setdefault(role_of.get(drives, "chest"), []).append(name)
    found.setdefault("chest", []).extend(f"DRV_shoulder_{side}" for side in SIDES)
    ik: dict[str, list[str]] = {}
    for side in SIDES:
        for role, bone in (
            ("thigh", "thigh"), ("shin", "shin"), ("toes", "toe"), ("upper_arm", "upper_arm"), ("forearm", "forearm"),
        ):  # fmt: skip
            found[f"{role}.{side}"] = [f"DRV_{bone}_{side}"]
            ik[f"{role}.{side}"] = found[f"{role}.{side}"]  # the solvers begin where the keys put these
        found[f"foot.{side}"] = [f"CTRL_ILLEG_{side}", f"DRV_foot_{side}"]
        found[f"hand.{side}"] = [f"CTRL_Arm_{side}", f"DRV_hand_{side}"]
        ik[f"foot.{side}"], ik[f"hand.{side}"] = [f"CTRL_ILLEG_{side}"], [f"CTRL_Arm_{side}"]
    return ControlRig(
        name="Mesh2Motion",
        root=_first(names, "DRV_root"),
        controls=_there(found, names),
        ik=_there(ik, names, keep_empty=True),
        poles=_poles(names, "POLE_Leg_{}", "POLEARM_{}", SIDES),
    )


def _auto_rig_pro(names: frozenset[str], bones: Mapping[str, Names]) -> ControlRig:
    """Return Auto-Rig Pro's rig with its usual names. Untested: no such rig here."""
    found: dict[str, list[str]] = {"pelvis": ["c_root_master.x", "c_root.x"], "head": ["c_neck.x", "c_head.x"]}
    role_of = {name: role for role in ("pelvis", "abdomen", "chest") for name in bones.get(role, ())}
    for control in sorted(n for n in names if re.fullmatch(r"c_spine_\d+\.x", n)):
        role = role_of.get(control.removeprefix("c_"))
        if role:
            found.setdefault(role, []).append(control)
    found.setdefault("chest", []).extend(("c_shoulder.l", "c_shoulder.r"))
    ik: dict[str, list[str]] = {}
    for side, mark in zip(SIDES, "lr", strict=True):
        for role, bone in (
            ("thigh", "thigh"), ("shin", "leg"), ("foot", "foot"), ("toes", "toes"),
            ("upper_arm", "arm"), ("forearm", "forearm"), ("hand", "hand"),
        ):  # fmt: skip
            found[f"{role}.{side}"] = [f"c_{bone}_fk.{mark}"]
            ik[f"{role}.{side}"] = [f"c_{bone}_ik.{mark}"] if role in ("foot", "toes", "hand") else []
    limbs = [f"c_{part}_ik.{mark}" for part in ("foot", "hand") for mark in "lr"]
    return ControlRig(
        name="Auto-Rig Pro",
        root=_first(names, "c_traj", "c_pos"),
        controls=_there(found, names),
        switches=tuple(Switch(limb, "ik_fk_switch", 1.0) for limb in limbs),
        ik=_there(ik, names, keep_empty=True),
        ik_switches=tuple(Switch(limb, "ik_fk_switch", 0.0) for limb in limbs),
        poles=_poles(names, "c_leg_pole.{}", "c_arms_pole.{}", "lr"),
    )


def _cloudrig(names: frozenset[str], bones: Mapping[str, Names]) -> ControlRig:
    """Return the rig that CloudRig generates from its human, whose ORG bones copy FK bones, or hang on them.

    The bones of its spine hang on the control of the bone before.
    """
    found: dict[str, list[str]] = {"pelvis": ["MSTR-Torso", "MSTR-Hips"], "head": ["FK-Neck", "FK-Head"]}
    role_of = {name: role for role in ("pelvis", "abdomen", "chest") for name in bones.get(role, ())}
    for control, drives in (("FK-Spine", "ORG-RibCage"), ("FK-RibCage", "ORG-Chest"), ("FK-Chest", "ORG-Neck")):
        role = role_of.get(drives)
        if role and role != "pelvis":
            found.setdefault(role, []).append(control)
    if "chest" in bones:
        found.setdefault("chest", []).extend(f"FK-Shoulder.{side}" for side in SIDES)
    for side in SIDES:
        for role, controls in (
            ("thigh", ["FK-Thigh"]), ("shin", ["FK-Knee"]), ("foot", ["FK-W-Foot", "FK-Foot"]), ("toes", ["FK-Toes"]),
            ("upper_arm", ["FK-UpperArm"]), ("forearm", ["FK-Forearm"]), ("hand", ["FK-Wrist"]),
        ):  # fmt: skip
            found[f"{role}.{side}"] = [f"{control}.{side}" for control in controls]
    limbs = [f"ik_{side}_{part}" for part in ("thigh", "upperarm") for side in ("left", "right")]
    switches = tuple(Switch("Properties_IKFK", name, 0.0) for name in ("ik_spine", *limbs))
    return ControlRig(
        name="CloudRig",
        root=_first(names, "root"),
        controls=_there({role: own for role, own in found.items() if role in bones}, names),
        switches=switches,
        ik_switches=switches,
    )


_KNOWN = (
    (("torso", "spine_fk", "thigh_parent.L", "thigh_fk.L", "foot_fk.L"), _rigify),
    (("CTRL_Hips", "CTRL_ILLEG_L", "DRV_hips", "DRV_thigh_L"), _mesh2motion),
    (("c_root_master.x", "c_thigh_fk.l", "c_foot_ik.l"), _auto_rig_pro),
    (("Properties_IKFK", "FK-Thigh.L", "FK-W-Foot.L", "MSTR-Hips", "ORG-Thigh.L"), _cloudrig),
)


def _there(table: Mapping[str, Iterable[str]], names: frozenset[str], keep_empty: bool = False) -> dict[str, Names]:
    """Return the roles of a table in order, with the bones that are there."""
    found = {role: tuple(n for n in table[role] if n in names) for role in ROLES if role in table}
    return {role: bones for role, bones in found.items() if bones or keep_empty}


def _poles(names: frozenset[str], leg: str, arm: str, marks: Iterable[str]) -> dict[str, str]:
    made = {
        f"{part}.{side}": pattern.format(mark)
        for side, mark in zip(SIDES, marks, strict=True)
        for part, pattern in (("thigh", leg), ("upper_arm", arm))
    }
    return {role: name for role, name in made.items() if name in names}


def _first(names: frozenset[str], *wanted: str) -> str:
    return next((name for name in wanted if name in names), "")


def _stem(name: str) -> str:
    """Return a Rigify bone's name without the mark of its layer: "ORG-spine.001" -> "spine.001"."""
    return re.sub(r"^(?:ORG|DEF|MCH)-", "", name)
