"""What moves the bones of an armature besides keys and parents, and what of it a bake turns off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import bpy

from .rig import ROTATIONS, Rig, bone_path, chain

_ONLY_SCALE = {"COPY_SCALE", "LIMIT_SCALE", "MAINTAIN_VOLUME"}
_CHAINS = {"IK", "SPLINE_IK"}


@dataclass(frozen=True)
class HeldInfluence:
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
                path = HeldInfluence(bone.name, constraint.name).path
                muted = constraint.mute and path.removesuffix("influence") + "mute" not in self._paths
                if muted or (constraint.influence == 0.0 and path not in self._paths):
                    continue
                for each in chain(bone, constraint) if constraint.type in _CHAINS else [bone]:
                    self._acting.setdefault(each.name, []).append((bone.name, constraint))

    def move(self, name: str) -> bool:
        """Return whether a constraint or a driver acts on a bone."""
        return name in self._driven_bones or name in self._acting

    def held(self, rig: Rig, stretched: bool) -> tuple[list[HeldInfluence], list[str]]:
        """Return what to hold of the constraints that turn or move keyed bones, and what cannot be held.

        That is the names of bones with such a constraint whose influence has a driver. The solvers of poles that
        are keyed stay, but may not stretch the limbs. stretched: the object is scaled unevenly, see ``_skewed``.
        """
        poles = {node.name for node in rig.nodes if node.pole}
        solving = poles if rig.by_ik else ()
        found: dict[HeldInfluence, None] = {}
        for node in rig.nodes:
            for owner, constraint in self._acting.get(node.name, []):
                disturbs = node.column >= 0 and constraint.type not in _ONLY_SCALE
                if disturbs and getattr(constraint, "pole_subtarget", "") not in solving:
                    found[HeldInfluence(owner, constraint.name)] = None
        bound = [each for each in found if each.path in self._paths]
        for owner, constraint in dict.fromkeys(each for acting in self._acting.values() for each in acting):
            solves = constraint.type == "IK" and constraint.pole_subtarget in poles and constraint.use_stretch
            if solves and any(b.ik_stretch > 0.0 for b in chain(rig.armature.pose.bones[owner], constraint)):
                found[HeldInfluence(owner, constraint.name, "use_stretch")] = None
        if stretched:
            found |= dict.fromkeys(self._skewed(rig))
        return [each for each in found if each.path not in self._paths], list(dict.fromkeys(b.bone for b in bound))

    def driven_on(self, rig: Rig) -> list[str]:
        """Return the bones to be keyed that drivers may hold: by constraints that they hold on, or by channels."""
        found = []
        for node in rig.nodes:
            if node.column < 0 or node.pole:
                continue
            constraints = [
                HeldInfluence(owner, constraint.name).path
                for owner, constraint in self._acting.get(node.name, [])
                if constraint.type not in _ONLY_SCALE
            ]
            channels = [f"{bone_path(node.name)}.{name}" for name in ROTATIONS]
            if not self._paths.isdisjoint((*constraints, *channels)):
                found.append(node.name)
        return found

    def _skewed(self, rig: Rig) -> list[HeldInfluence]:
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
                    found.append(HeldInfluence(owner, constraint.name))
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
