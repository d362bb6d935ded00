"""Which bones of an armature a bake keys, what else moves them, and what would disturb them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import bpy
import numpy as np

from ..character.controls import ControlRig, Switch, control_rig
from ..character.model import SIDES, Character
from ..errors import RigError
from ..spatial import Array

Limbs = Literal["FK", "IK"]

ROTATIONS = ("rotation_quaternion", "rotation_axis_angle", "rotation_euler")
_ONLY_SCALE = {"COPY_SCALE", "LIMIT_SCALE", "MAINTAIN_VOLUME"}
_CHAINS = {"IK", "SPLINE_IK"}


@dataclass(frozen=True)
class Pole:
    """A target that the bend of a limb points at. upper, end: the links where the limb begins and ends.

    up: the direction (3,), armature space at rest, of the upper link that Blender's solver turns towards the pole;
    None where no solver is found.
    """

    upper: int
    end: int
    up: Array | None


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


@dataclass(frozen=True)
class Held:
    """What of a constraint the action sets to nothing: its influence, or whether it may stretch bones."""

    bone: str
    constraint: str
    name: Literal["influence", "use_stretch"] = "influence"

    @property
    def path(self) -> str:
        """The data path."""
        return f'{bone_path(self.bone)}.constraints["{bpy.utils.escape_identifier(self.constraint)}"].{self.name}'

    @property
    def label(self) -> str:
        """What it is called for the user."""
        return f"{self.constraint} on {self.bone}" if self.name == "influence" else f"the stretch of {self.bone}"


class Rig:
    """The bones to key and all bones above them, parents first. Raises RigError when one does not exist."""

    def __init__(self, armature: bpy.types.Object, character: Character, limbs: Limbs = "FK") -> None:
        self.armature, self.character = armature, character
        self.known = known_controls(armature, character)
        self.by_ik = limbs == "IK" and self.known is not None
        columns, controls = self._columns()
        poles = self._poles() if self.by_ik else {}
        mapped = {name for link in character.links for name in link.bones}
        missing = [name for name in (*mapped, *columns) if name not in armature.data.bones]
        if missing:
            raise RigError(f"Armature {armature.name!r} has no bone {missing[0]!r} any more: press Map Bones again.")
        bones = armature.data.bones
        needed = {*columns, *poles}
        if self.known and self.known.root:
            needed.add(self.known.root)
        needed = needed.union(*([parent.name for parent in bones[name].parent_recursive] for name in needed))
        self.nodes: list[Node] = []
        self.place: dict[str, int] = {}
        for bone in sorted((bones[n] for n in needed), key=lambda b: len(b.parent_recursive)):
            self.place[bone.name] = len(self.nodes)
            pole = poles.get(bone.name)
            self.nodes.append(
                Node(
                    name=bone.name,
                    parent=self.place[bone.parent.name] if bone.parent else -1,
                    column=pole.upper if pole else columns.get(bone.name, -1),
                    head=np.array(bone.head_local, dtype=float),
                    rest=np.array(bone.matrix_local.to_3x3(), dtype=float),
                    inherits_rotation=bone.use_inherit_rotation,
                    local_location=bone.use_local_location,
                    connected=bone.use_connect,
                    control=bone.name in controls or pole is not None,
                    pole=pole,
                )
            )
        self.firsts = np.array([bones[link.bones[0]].head_local for link in character.links], dtype=float)
        """Heads (L, 3) of each link's first bone at rest, armature space."""
        self.hips = self.nodes[self.place[next(name for name, column in columns.items() if column == 0)]]

    @property
    def carrier(self) -> int:
        """The column of a bone that carries the travel."""
        return len(self.character.links) + 1

    @property
    def switches(self) -> tuple[Switch, ...]:
        """The properties that must hold, as far as the armature has them."""
        if self.known is None:
            return ()
        bones = self.armature.pose.bones
        wanted = self.known.ik_switches if self.by_ik else self.known.switches
        return tuple(s for s in wanted if s.bone in bones and s.name in bones[s.bone])

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

    def carry_by(self, place: int) -> Node:
        """Let a bone carry the travel, and return it."""
        self.nodes[place] = replace(self.nodes[place], column=self.carrier)
        return self.nodes[place]

    def _columns(self) -> tuple[dict[str, int], set[str]]:
        """Return the link of each bone to key, and which of them are controls."""
        links = self.character.links
        ik: Mapping[str, tuple[str, ...]] = self.known.ik if self.by_ik and self.known else {}
        if ik and not all(self.character.has(f"hand.{side}") for side in SIDES if f"upper_arm.{side}" in ik):
            raise RigError(
                f"Armature {self.armature.name!r} has no bones mapped to its hands, so nothing tells where to put the "
                "targets of its arms: choose FK for the limbs, or map the hands."
            )
        instead = [ik.get(link.role, link.controls) for link in links]
        keyed = [own if own or link.role in ik else link.bones for link, own in zip(links, instead, strict=True)]
        columns = {name: i for i, names in enumerate(keyed) for name in names}
        return columns, {name for names in instead for name in names}

    def _poles(self) -> dict[str, Pole]:
        """Return the targets of the limbs' bends, by their bones' names."""
        found: dict[str, Pole] = {}
        for role, name in (self.known.poles if self.known else {}).items():
            part, _, side = role.partition(".")
            end = f"foot.{side}" if part == "thigh" else f"hand.{side}"
            if self.character.has(role) and self.character.has(end):
                index = self.character.index
                found[name] = Pole(index(role), index(end), _solver_up(self.armature, name))
        return found


def known_controls(armature: bpy.types.Object, character: Character) -> ControlRig | None:
    """Return the tables of the armature's control rig; None where the character's controls are not of a known one."""
    own = {name for link in character.links for name in link.controls}
    known = control_rig(armature.data.bones.keys(), {link.role: link.bones for link in character.links})
    return known if known and own.intersection(*[{n for names in known.controls.values() for n in names}]) else None


def _solver_up(armature: bpy.types.Object, pole: str) -> Array | None:
    """Return the direction (3,) at rest, armature space, that the solver with this pole turns towards it."""
    for bone in armature.pose.bones:
        for constraint in bone.constraints:
            if constraint.type == "IK" and constraint.pole_target == armature and constraint.pole_subtarget == pole:
                top = _chain(bone, constraint)[-1]
                angle = constraint.pole_angle
                return np.array(top.bone.matrix_local.to_3x3()) @ np.array((np.cos(angle), 0.0, np.sin(angle)))
    return None


def _chain(bone: Any, constraint: Any) -> list[Any]:
    """Return the pose bones that a solver on a bone moves, from the lowest up."""
    bones = [bone, *bone.parent_recursive]
    if constraint.type == "IK" and not constraint.use_tail:
        bones = bones[1:]
    return bones[: constraint.chain_count] if constraint.chain_count else bones


class Influences:
    """What moves the bones of an armature besides their keys and parents: constraints and drivers."""

    def __init__(self, armature: bpy.types.Object) -> None:
        data = armature.animation_data
        self.driven = {(d.data_path, d.array_index) for d in data.drivers if not d.mute} if data else set()
        """Data path and array index of each driver."""
        self._paths = {path for path, _ in self.driven}
        self._driven_bones = {
            bone.name
            for bone in armature.pose.bones
            if any(f"{bone_path(bone.name)}.{name}" in self._paths for name in ("location", "scale", *ROTATIONS))
        }
        self._acting: dict[str, list[tuple[str, Any]]] = {}  # bone -> the constraints that act on it, with their owners
        for bone in armature.pose.bones:
            for constraint in bone.constraints:
                path = Held(bone.name, constraint.name).path
                muted = constraint.mute and path.removesuffix("influence") + "mute" not in self._paths
                if muted or (constraint.influence == 0.0 and path not in self._paths):
                    continue
                for each in _chain(bone, constraint) if constraint.type in _CHAINS else [bone]:
                    self._acting.setdefault(each.name, []).append((bone.name, constraint))

    def move(self, name: str) -> bool:
        """Return whether a constraint or a driver acts on a bone."""
        return name in self._driven_bones or name in self._acting

    def held(self, rig: Rig, stretched: bool) -> tuple[list[Held], list[str]]:
        """Return what to hold of the constraints that turn or move keyed bones, and what cannot be held.

        That is the names of bones with such a constraint whose influence has a driver. The solvers of poles that
        are keyed stay, but may not stretch the limbs. stretched: the object is scaled unevenly, see ``_skewed``.
        """
        poles = {node.name for node in rig.nodes if node.pole}
        found: dict[Held, None] = {}
        for node in rig.nodes:
            for owner, constraint in self._acting.get(node.name, []):
                disturbs = node.column >= 0 and constraint.type not in _ONLY_SCALE
                if disturbs and getattr(constraint, "pole_subtarget", "") not in poles:
                    found[Held(owner, constraint.name)] = None
        bound = [each for each in found if each.path in self._paths]
        for owner, constraint in dict.fromkeys(each for acting in self._acting.values() for each in acting):
            solves = constraint.type == "IK" and constraint.pole_subtarget in poles and constraint.use_stretch
            if solves and any(b.ik_stretch > 0.0 for b in _chain(rig.armature.pose.bones[owner], constraint)):
                found[Held(owner, constraint.name, "use_stretch")] = None
        if stretched:
            found |= dict.fromkeys(self._skewed(rig))
        return [each for each in found if each.path not in self._paths], list(dict.fromkeys(b.bone for b in bound))

    def _skewed(self, rig: Rig) -> list[Held]:
        """Return what an unevenly scaled object skews: scales that are copied in the world, and what mixes there."""
        bones = rig.armature.pose.bones
        waiting = [node.name for node in rig.nodes] + [name for link in rig.character.links for name in link.bones]
        seen: set[str] = set()
        found = []
        while waiting:
            name = waiting.pop()
            if name in seen or name not in bones:
                continue
            seen.add(name)
            waiting += [parent.name for parent in bones[name].parent_recursive]
            for owner, constraint in self._acting.get(name, []):
                waiting.append(getattr(constraint, "subtarget", ""))
                mixed = constraint.influence < 1.0 and constraint.owner_space == constraint.target_space == "WORLD"
                if constraint.type in _ONLY_SCALE or constraint.type == "STRETCH_TO" or mixed:
                    found.append(Held(owner, constraint.name))
        return found


def carried(rig: Rig, influences: Influences) -> list[int]:
    """Return the places of bones without keys that keyed ones hang on and that something else than parents moves."""
    found: set[int] = set()
    for node in rig.nodes:
        if node.column < 0:
            continue
        at = node.parent
        while at >= 0 and rig.nodes[at].column < 0:
            if influences.move(rig.nodes[at].name):
                found.add(at)
                break
            at = rig.nodes[at].parent
    return sorted(found)


def bone_path(name: str) -> str:
    """Return the data path of a pose bone."""
    return f'pose.bones["{bpy.utils.escape_identifier(name)}"]'


def property_path(switch: Switch) -> str:
    """Return the data path of a switch."""
    return f'{bone_path(switch.bone)}["{bpy.utils.escape_identifier(switch.name)}"]'
