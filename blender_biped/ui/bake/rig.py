"""Which bones of an armature a bake keys, and what they move with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import bpy
import numpy as np

from ...base.errors import RigError
from ...base.spatial import Array
from ...character.controls import ControlRig, Switch, control_rig
from ...character.model import SIDES, Character
from .supple import STIFF, Sharing, supple_of

Limbs = Literal["FK", "IK"]
Root = Literal["HIPS", "ROOT_BONE", "OBJECT"]

ROTATIONS = ("rotation_quaternion", "rotation_axis_angle", "rotation_euler")


@dataclass(frozen=True)
class Pole:
    """A target that the bend of a limb points at. links: where the limb begins, where it bends, where it ends.

    up: the direction (3,), armature space at rest, of the upper link that Blender's solver turns towards the pole.
    hinge (3,): the axis that it bends the limb about. None for what cannot be read from the rig.
    """

    links: tuple[int, int, int]
    up: Array | None = None
    hinge: Array | None = None


@dataclass(frozen=True)
class Node:
    """A bone that matters: keyed, or above a keyed one. Its rest is in armature space.

    parent: place in Rig.nodes, -1 for none. column: what it moves rigidly with (see Placed), -1 for a bone without
    keys. control: it is moved in place of mapped bones. pole: set for a target, which gets a location only.
    """

    name: str
    parent: int
    column: int
    head: Array
    rest: Array
    inherits_rotation: bool
    local_location: bool
    connected: bool
    control: bool = False
    pole: Pole | None = None


class Rig:
    """The bones to key and all bones above them, parents first. Raises RigError when one does not exist."""

    def __init__(
        self, armature: bpy.types.Object, character: Character, limbs: Limbs = "FK", sharing: Sharing = STIFF
    ) -> None:
        self.armature, self.character = armature, character
        self.known = known_controls(armature, character)
        self.by_ik = limbs == "IK" and self.known is not None
        self.supple = supple_of(armature, character, sharing)
        columns, controls = self._columns()
        poles = self._poles()
        mapped = {name for link in character.links for name in link.bones}
        missing = [name for name in (*mapped, *columns) if name not in armature.data.bones]
        if missing:
            raise RigError(f"Armature {armature.name!r} has no bone {missing[0]!r} any more: press Map Bones again.")
        columns |= {name: len(character.links) + 1 + own for name, own in self.supple.columns.items()}
        bones = armature.data.bones
        needed = {*columns, *poles}
        if self.known and self.known.root:
            needed.add(self.known.root)
        needed = needed.union(*([parent.name for parent in bones[name].parent_recursive] for name in needed))
        self.nodes: list[Node] = []
        self.place: dict[str, int] = {}
        for bone in sorted((b for b in bones if b.name in needed), key=lambda b: len(b.parent_recursive)):
            self.place[bone.name] = len(self.nodes)
            pole = poles.get(bone.name)
            self.nodes.append(
                Node(
                    name=bone.name,
                    parent=self.place[bone.parent.name] if bone.parent else -1,
                    column=pole.links[0] if pole else columns.get(bone.name, -1),
                    head=np.array(bone.head_local, dtype=float),
                    rest=np.array(bone.matrix_local.to_3x3(), dtype=float),
                    inherits_rotation=bone.use_inherit_rotation,
                    local_location=bone.use_local_location,
                    connected=bone.use_connect,
                    control=bone.name in controls or pole is not None,
                    pole=pole,
                )
            )
        self.firsts = np.array([bones[name].head_local for name in character.first_bones], dtype=float)
        """Heads (L, 3) of each link's first bone at rest, armature space."""
        self.hips = self._topmost(next(name for name, column in columns.items() if column == 0))

    @property
    def carrier(self) -> int:
        """The column of a bone that carries the travel."""
        return len(self.character.links) + 1 + len(self.supple.firsts)

    @property
    def switches(self) -> tuple[Switch, ...]:
        """The properties that must hold, as far as the armature has them; by FK those of IK, too, where they agree."""
        if self.known is None:
            return ()
        bones = self.armature.pose.bones
        switches = self.known.ik_switches
        if not self.by_ik:
            own = {(s.bone, s.name) for s in self.known.switches}
            switches = (*self.known.switches, *(s for s in switches if (s.bone, s.name) not in own))
        return tuple(s for s in switches if s.bone in bones and s.name in bones[s.bone])

    def root_bone(self) -> int:
        """Return the place of the bone that carries the whole rig, the topmost above the hips where none is known.

        Raises RigError when there is none that is free.
        """
        at = self.place[self.hips.name]
        while self.nodes[at].parent >= 0:
            at = self.nodes[at].parent
        if self.known and self.known.root:
            at = self.place[self.known.root]
        if self.nodes[at].column >= 0:
            raise RigError(
                f"Armature {self.armature.name!r} has no root bone above its hips ({self.hips.name!r}): "
                "choose Hips or Object to travel on."
            )
        return at

    def movable(self) -> int:
        """Return the place of the nearest bone above connected hips that can move. Raises RigError for a keyed one."""
        at = self.place[self.hips.name]
        while self.nodes[at].connected:
            at = self.nodes[at].parent
            if self.nodes[at].column >= 0:
                raise RigError(
                    f"The hips bone {self.hips.name!r} is connected to {self.nodes[at].name!r}, so it cannot move: "
                    "untick Connected in Edit mode."
                )
        return at

    def _topmost(self, name: str) -> Node:
        """Return the hips' bone, or the one above that it is connected to where that moves rigidly with it."""
        node = self.nodes[self.place[name]]
        while node.connected and node.parent >= 0 and self.nodes[node.parent].column == node.column:
            node = self.nodes[node.parent]
        return node

    def carry_by(self, place: int) -> Node:
        """Let a bone carry the travel, and return it."""
        self.nodes[place] = replace(self.nodes[place], column=self.carrier)
        return self.nodes[place]

    def _columns(self) -> tuple[dict[str, int], set[str]]:
        """Return the link of each bone to key, and which of them are controls.

        Where limbs are set by FK, their controls of IK go along: who switches over finds them in place.
        """
        links = self.character.links
        ik: Mapping[str, tuple[str, ...]] = self.known.ik if self.by_ik and self.known else {}
        if ik and not all(self.character.has(f"hand.{side}") for side in SIDES if f"upper_arm.{side}" in ik):
            raise RigError(
                f"Armature {self.armature.name!r} has no bones mapped to its hands, so there is no place for the "
                "targets of its arms: choose FK for the limbs, or map the hands."
            )
        instead = [ik.get(link.role, link.controls) for link in links]
        keyed = [own if own or link.role in ik else link.bones for link, own in zip(links, instead, strict=True)]
        along = {} if self.by_ik or self.known is None else self.known.ik
        beside = {name: i for i, link in enumerate(links) for name in along.get(link.role, ())}
        columns = beside | {name: i for i, names in enumerate(keyed) for name in names}
        return columns, {name for names in instead for name in names} | beside.keys()

    def _poles(self) -> dict[str, Pole]:
        """Return the targets of the limbs' bends, by their bones' names."""
        found: dict[str, Pole] = {}
        for role, name in (self.known.poles if self.known else {}).items():
            part, _, side = role.partition(".")
            roles = (role, *(f"{r}.{side}" for r in (("shin", "foot") if part == "thigh" else ("forearm", "hand"))))
            if all(self.character.has(r) for r in roles):
                first, middle, last = (self.character.index(r) for r in roles)
                found[name] = Pole((first, middle, last), *_solver_axes(self.armature, name))
        return found


def check_rig(armature: bpy.types.Object, character: Character, root: Root, limbs: Limbs) -> None:
    """Raise RigError for a rig that a bake could not key, before anything is simulated. root: what travels."""
    rig = Rig(armature, character, limbs)
    if root == "ROOT_BONE":
        rig.root_bone()
    elif root == "HIPS" and rig.hips.connected and not rig.hips.control:
        rig.movable()


def known_controls(armature: bpy.types.Object, character: Character) -> ControlRig | None:
    """Return the tables of the armature's control rig; None where the character's controls are not of a known one."""
    own = {name for link in character.links for name in link.controls}
    known = control_rig(armature.data.bones.keys(), {link.role: link.bones for link in character.links})
    return known if known and own.intersection(*[{n for names in known.controls.values() for n in names}]) else None


def _solver_axes(armature: bpy.types.Object, pole: str) -> tuple[Array | None, Array | None]:
    """Return what the solver with this pole turns towards it and what it bends the limb about, see Pole."""
    for bone in armature.pose.bones:
        for constraint in bone.constraints:
            if constraint.type == "IK" and constraint.pole_target == armature and constraint.pole_subtarget == pole:
                top = chain(bone, constraint)[-1]
                angle = constraint.pole_angle
                up = np.array(top.bone.matrix_local.to_3x3()) @ np.array((np.cos(angle), 0.0, np.sin(angle)))
                free = [i for i, locked in enumerate((bone.lock_ik_x, bone.lock_ik_y, bone.lock_ik_z)) if not locked]
                return up, np.array(bone.bone.matrix_local.to_3x3())[:, free[0]] if len(free) == 1 else None
    return None, None


def chain(bone: Any, constraint: Any) -> list[Any]:
    """Return the pose bones that a solver on a bone moves, from the lowest up."""
    bones = [bone, *bone.parent_recursive]
    if constraint.type == "IK" and not constraint.use_tail:
        bones = bones[1:]
    return bones[: constraint.chain_count] if constraint.chain_count else bones


def bone_path(name: str) -> str:
    """Return the data path of a pose bone."""
    return f'pose.bones["{bpy.utils.escape_identifier(name)}"]'


def property_path(switch: Switch) -> str:
    """Return the data path of a switch."""
    return f'{bone_path(switch.bone)}["{bpy.utils.escape_identifier(switch.name)}"]'
