"""Character: the multibody that walks, in its standing pose. Plain data: no Blender, no physics engine.

In the standing pose every joint rotation is zero, every link frame has the axes of the character
frame (x forward, y left, z up), and the pelvis frame sits at the mid-hip. Links are ordered
parents first. SI units, kilograms, radians.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from ..base.spatial import IDENTITY, Array, quaternion_matrix, rotate
from .reference import REFERENCE_LEG

JointKind = Literal["free", "spherical", "universal", "hinge", "fixed"]

SIDES = ("L", "R")
ARM = ("upper_arm", "forearm", "hand")
"""Parts of an arm, from the shoulder on."""
ROLES = (
    "pelvis", "abdomen", "chest", "head",
    "upper_arm.L", "forearm.L", "hand.L", "upper_arm.R", "forearm.R", "hand.R",
    "thigh.L", "shin.L", "foot.L", "toes.L", "thigh.R", "shin.R", "foot.R", "toes.R",
)  # fmt: skip
"""Every link a character can have that is made from a rig, parents first."""

MORE_ROLES = ("hock.L", "metatarsus.L", "hock.R", "metatarsus.R")
"""Links of legs with more segments than a thigh and a shin, below the shin; of characters not made from a rig."""


def role_part(role: str) -> str:
    """Return a role without its side: "upper_arm" for "upper_arm.L"."""
    return role.partition(".")[0]


def role_words(role: str) -> str:
    """Return a role as an animator says it: "Left Upper Arm" for "upper_arm.L"."""
    part, _, side = role.partition(".")
    return f"{ {'L': 'Left ', 'R': 'Right '}.get(side, '') }{part.replace('_', ' ').title()}"


DEPTH_FIRST = "links must be listed depth first: each one right after its parent, or after all that hangs on another."
"""What is wrong with misplaced links, for messages."""

JOINT_RANGES: dict[str, tuple[tuple[float, float], ...]] = {
    "shin": ((0.0, 2.5),),
    "foot": ((-0.5, 0.9), (-0.3, 0.3)),
    "toes": ((-1.1, 0.5),),
    "forearm": ((-2.5, 0.0),),
    "hand": ((-1.2, 1.2),),
}
"""Range of each hinge axis, rad, of the links without their side (American Academy of Orthopaedic Surgeons,
rounded; the ankle's roll is what a loaded, shod ankle gives before the shoe's edge lifts)."""
_AXES = {"hinge": 1, "universal": 2}
_SHORTEST_SHIN = 0.8  # of its thigh, that people have; under a shorter one an ankle bends farther for the same lift


def misplaced(parents: Sequence[int]) -> int | None:
    """Return the first link that is not listed depth first, None where all are: physics would number it differently.

    parents: of each link, -1 for what hangs on nothing.
    """
    way = [-1]
    for number, parent in enumerate(parents):
        while way and way[-1] != parent:
            way.pop()
        if not way:
            return number
        way.append(number)
    return None


@dataclass(frozen=True)
class Shape:
    """A box or a capsule in its link's frame: what touches the ground, and what pictures show.

    ``kind`` "box": ``center`` and ``half`` (half extents along the link's axes), m.
    ``kind`` "capsule": its two end points are ``center`` -/+ ``half``; ``radius``, m.
    """

    kind: Literal["box", "capsule"]
    center: tuple[float, float, float]
    half: tuple[float, float, float]
    radius: float = 0.0

    @property
    def surface(self) -> float:
        """Area of its surface, m2."""
        x, y, z = self.half
        if self.kind == "box":
            return 8.0 * (x * y + y * z + z * x)
        return 4.0 * math.pi * self.radius * (math.sqrt(x * x + y * y + z * z) + self.radius)

    def lowest(self, up: Array) -> Array:
        """Return how high (...), m, its lowest point is above its link's origin; up (..., 3) in the link's frame."""
        center, half = up @ np.array(self.center), np.array(self.half)
        if self.kind == "box":
            return np.asarray(center - np.abs(up) @ half)
        return np.asarray(center - np.abs(up @ half) - self.radius)


@dataclass(frozen=True)
class Link:
    """One rigid segment and the joint that hangs it on its parent.

    role: one of ROLES or MORE_ROLES. parent: index in Character.links, -1 for the pelvis.
    joint: "free" (pelvis), "spherical" (3 degrees of freedom), "universal" (y, then x: pitch and roll
    of an ankle), "hinge" (y: positive turns z towards x; knees flex positive, elbows and hips negative), "fixed".
    offset (3,): the joint, in the parent's frame, m; the link's own frame has its origin there.
    com (3,): centre of mass in the link's frame, m. inertia (3,): about com, link axes, kg m2.
    bones: the rig's bones that move rigidly with this link; the first one defines it.
    rest (4,): the link's orientation in armature space when the rig is in its rest pose (w, x, y, z).
    controls: the rig's bones that an animator moves in place of ``bones``; none where those are moved themselves.
    """

    role: str
    parent: int
    joint: JointKind
    offset: tuple[float, float, float]
    mass: float
    com: tuple[float, float, float]
    inertia: tuple[float, float, float]
    shape: Shape
    bones: tuple[str, ...] = ()
    rest: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    controls: tuple[str, ...] = ()

    @cached_property
    def part(self) -> str:
        """What it is on either side: its role without the side, "thigh" for "thigh.L"."""
        return role_part(self.role)

    @cached_property
    def side(self) -> str:
        """The side it is on, one of SIDES; "" in the middle."""
        return self.role.partition(".")[2]


@dataclass(frozen=True)
class Character:
    """A biped: its links, and how it stands on its rig.

    name: for reports. links: parents first. stand_height: mid-hip above the soles, standing, m.
    hip_bone_offset (3,): head of the pelvis' first bone from the mid-hip, in the pelvis frame, m.
    arms_out: angle from straight down, rad, at which arms pass hips and thighs as they swing. feet_apart, legs_apart:
    how far apart ankles are at least, m, by the skin: as a foot passes, and as legs stand; 0 where there is none.
    """

    name: str
    links: tuple[Link, ...]
    stand_height: float
    hip_bone_offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    arms_out: float = 0.0
    feet_apart: float = 0.0
    legs_apart: float = 0.0
    _index: dict[str, int] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._index.update({link.role: i for i, link in enumerate(self.links)})

    def index(self, role: str) -> int:
        """Return the link's place. Raises KeyError when the character has no such link."""
        return self._index[role]

    def has(self, role: str) -> bool:
        """Return whether the character has this link."""
        return role in self._index

    def joint_ranges(self, link: int) -> tuple[tuple[float, float], ...]:
        """Return the least and the largest turn, rad, about each axis of a hinge or universal joint; () if free."""
        own = self.links[link]
        if own.joint not in _AXES:
            return ()
        role, above = own.part, self.links[own.parent].part
        if role == "foot" and not (above == "shin" and self._peoples_shin(link)):  # other legs' feet have others
            return ()
        return JOINT_RANGES.get(role, ())[: _AXES[own.joint]]

    def _peoples_shin(self, foot: int) -> bool:
        """Return whether the shin above a foot is as long beside its thigh as people's are."""
        shin, thigh = (math.hypot(*self.links[i].offset) for i in (foot, self.links[foot].parent))
        return shin > _SHORTEST_SHIN * thigh

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """Parent of each link (L,), -1 for the pelvis."""
        return tuple(link.parent for link in self.links)

    @cached_property
    def first_bones(self) -> tuple[str, ...]:
        """The bone that each link (L,) goes with: its own first one, else that of the link that it is fixed to."""
        found: list[str] = []
        for link in self.links:
            found.append(link.bones[0] if link.bones else found[link.parent] if link.parent >= 0 else "")
        return tuple(found)

    @cached_property
    def hinged(self) -> bool:
        """Whether no joint turns about another axis than y: a body that moves in a plane (see ``planar``)."""
        return all(link.joint in ("hinge", "fixed") for link in self.links[1:])

    @cached_property
    def soles(self) -> tuple[int, ...]:
        """The links that may touch the ground in a walk: feet and toes."""
        return tuple(i for i, link in enumerate(self.links) if link.role.startswith(("foot", "toes")))

    @cached_property
    def arm_links(self) -> tuple[int, ...]:
        """The links of both arms, hands among them."""
        return tuple(i for i, link in enumerate(self.links) if link.part in ARM)

    @cached_property
    def masses(self) -> Array:
        """Mass of each link (L,), kg."""
        return np.array([link.mass for link in self.links])

    @cached_property
    def mass(self) -> float:
        """Total mass, kg."""
        return float(self.masses.sum())

    @cached_property
    def coms(self) -> Array:
        """Centre of mass of each link (L, 3) in its own frame, m."""
        return np.array([link.com for link in self.links])

    @cached_property
    def offsets(self) -> Array:
        """Joint of each link (L, 3) in its parent's frame, m."""
        return np.array([link.offset for link in self.links])

    @property
    def size(self) -> float:
        """How long its legs are beside those of the reference body: 1 for legs of REFERENCE_LEG."""
        return self.leg_length / REFERENCE_LEG

    @cached_property
    def leg_length(self) -> float:
        """Hip joint to sole, standing, mean of both legs, m: the length that measures are scaled by."""
        return self.stand_height + float(np.mean([self.offsets[self.index(f"thigh.{s}")][2] for s in SIDES]))

    def forward_kinematics(self, root: Array, rotations: Array) -> Array:
        """Return link origins (..., L, 3), m, world.

        root (..., 3): the mid-hip, world. rotations (..., L, 4): world orientation of each link.
        """
        return self.placed(root, quaternion_matrix(rotations))

    def placed(self, root: Array, matrices: Array) -> Array:
        """Return link origins (..., L, 3), m, world, as ``forward_kinematics`` does, for matrices (..., L, 3, 3)."""
        origins = np.empty((*matrices.shape[:-2], 3))
        origins[..., 0, :] = root
        for i, parent in enumerate(self.parents):
            if parent >= 0:
                origins[..., i, :] = origins[..., parent, :] + matrices[..., parent, :, :] @ self.offsets[i]
        return origins

    def standing(self) -> tuple[Array, Array]:
        """Return link origins (L, 3), m, and rotations (L, 4) of the standing pose, soles at z = 0, facing x."""
        origins, rotations = self._standing
        return origins.copy(), rotations.copy()

    @cached_property
    def _standing(self) -> tuple[Array, Array]:
        rotations = np.tile(IDENTITY, (len(self.links), 1))
        return self.forward_kinematics(np.array([0.0, 0.0, self.stand_height]), rotations), rotations

    def com_positions(self, origins: Array, rotations: Array) -> Array:
        """Return each link's centre of mass (..., L, 3), world, from its origin and rotation (..., L, 3 / 4)."""
        return origins + rotate(rotations, self.coms)

    def _apart(self) -> dict[str, float]:
        """Return what the skin keeps apart, where it does: older programs know none of it."""
        known = {"feet_apart": self.feet_apart, "legs_apart": self.legs_apart}
        return known if any(known.values()) else {}

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data that ``reading.character_from_json`` reads back."""
        return {
            "name": self.name,
            "stand_height": self.stand_height,
            "hip_bone_offset": list(self.hip_bone_offset),
            "arms_out": self.arms_out,
            **self._apart(),
            "links": [
                {
                    "role": k.role, "parent": k.parent, "joint": k.joint, "offset": list(k.offset),
                    "mass": k.mass, "com": list(k.com), "inertia": list(k.inertia),
                    "shape": {"kind": k.shape.kind, "center": list(k.shape.center),
                              "half": list(k.shape.half), "radius": k.shape.radius},
                    "bones": list(k.bones), "rest": list(k.rest), "controls": list(k.controls),
                }
                for k in self.links
            ],
        }  # fmt: skip
