"""A character as a PyBullet multibody in its world: torques in, states out.

One ``Engine`` is one body on a ``Stage``: of its own, or with companions. What was measured of PyBullet and is relied
on here: links are numbered depth first; every joint has a motor that must be switched off; a spherical joint's torque
is given in the child's frame; damping is on by default; contact friction is the product of both bodies'.

A planar body hangs on a rail: links without mass slide along x and z and turn about y, the last of them the pelvis, so
that its joints alone, exactly, keep it in the sagittal plane in which it was placed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, combinations, product
from operator import itemgetter
from struct import Struct
from typing import Any, NamedTuple

import numpy as np
import pybullet

from ..base.errors import DataError
from ..base.spatial import Array, quaternion_conjugate, quaternion_matrix, quaternion_product, yaw_quaternion
from ..character.fallen import grounds, is_upright, trunk_top
from ..character.model import DEPTH_FIRST, Character, Link, misplaced
from ..control.shared.clock import CONTROL_STEP, ITERATIONS
from ..control.shared.grips import Grip
from ..control.shared.state import BodyState
from ..world.floor import Floor
from ..world.things import Solid, Thing
from ..world.world import EMPTY, World
from .stage import Stage

FOOT_FRICTION = 0.9  # with the ground's 1.0; rubber sole on a dry floor
_MOVES = itemgetter(0, 1, 6, 7)  # of a link's state: place and orientation of its centre of mass, its velocities
_WXYZ = np.array((6, 3, 4, 5))  # columns of a quaternion in PyBullet's rows: position, orientation x, y, z, w, ...
_GYROSCOPE = (1e-3, (1e-6, 1e-6, 1e-6))  # mass, inertia of the link inside a universal joint
_RAIL = (0.0, (0.0, 0.0, 0.0))  # of the links on which a planar body slides: what they carry moves as if free
_HERE = (0.0, 0.0, 0.0)
_CLEAR = 0.005  # m between links that can be let touch each other
_CORNER = 0.001  # m, radius of a sole's corner, at most
LEVELLING = (64.0, 16.0, 0.03)  # 1/s2, 1/s, m: how hands keep what they hold level, and at most, of their strength

# Bits of what touches what in a world that is not empty: PyBullet lets two touch where one's group is in the other's
# mask. A body's links touch props and obstacles always, the ground where they may, and other bodies; ground and
# obstacles stay where they are. Each companion has a ground of its own, which is no one else's: theirs may be at other
# heights. Props lie on the first one's.
_ON_GROUND, _SOLE, _LINK, _PROP, _OBSTACLE, _GROUNDS = 1, 2, 4, 8, 16, 32
_MASKS = {_ON_GROUND: _SOLE | _PROP, _PROP: _ON_GROUND | _LINK | _PROP | _OBSTACLE, _OBSTACLE: _LINK | _PROP}


class Engine:
    """One character in a physics world. Use as a context manager, or call ``close``."""

    def __init__(
        self, character: Character, ground: float = 0.0, friction: float = FOOT_FRICTION, step: float = CONTROL_STEP,
        planar: bool = False, world: World = EMPTY, ragdoll: bool = False, stage: Stage | None = None,
        iterations: int = ITERATIONS, fastest: Mapping[tuple[int, int], float] | None = None, corners: bool = False,
    ) -> None:  # fmt: skip
        """Build the body in its standing pose with its soles on the ground at height ``ground``, m. step: s.

        planar: keep it in the vertical plane that it faces along where it is placed. world: what else there is, and its
        ground in place of the flat one. ragdoll: whether links can be let touch each other, see ``touch_itself``.
        stage: the world that it shares with others, whose things are those of the first one; ``close`` leaves it open.
        iterations: of the contact solver in a step, at most, in a world of its own. fastest: of hinges and
        universal joints, by link and its axis, 0 x, 1 y: how fast a torque turns it at most, rad/s; beyond that it
        gives way, as a muscle does that shortens too fast. corners: whether soles touch by their corners alone, all of
        them at once, where there is nothing but a flat ground: of a box and a plane PyBullet finds one more corner in
        each step, and a foot that comes down flat tips about the first one, and sinks in by the last ones. Companions
        do not meet these corners, between which a leg has room, but boxes: massless links, fixed to the soles.

        Raises DataError for links that are not depth first, and for a planar body with other joints than hinges (see
        ``character.planar``).
        """
        if planar and not character.hinged:
            raise DataError(f"character.links of {character.name!r}: a planar body has hinges only.")
        self.character, self.ground, self._step, self._planar = character, ground, step, planar
        self.time = 0.0
        self.last: BodyState
        """What ``state`` has returned last."""
        self._stage, self._shared = stage or Stage(step, iterations), stage is not None
        self._first = not self._stage.members
        self._on_ground = _ON_GROUND if self._first else _GROUNDS << (len(self._stage.members) - 1)
        self._physics = self._stage.physics
        p = self._physics
        self._world, self._floor = (None if world.empty else world), Floor(ground, world.ground)
        self._flat = self._floor.flat
        if world.ground is None:
            plane = p.createCollisionShape(pybullet.GEOM_PLANE)
            self._plane = p.createMultiBody(0.0, plane, basePosition=(0.0, 0.0, ground))
        else:
            mesh = p.createCollisionShape(
                pybullet.GEOM_MESH, flags=pybullet.GEOM_FORCE_CONCAVE_TRIMESH,
                vertices=world.ground.vertices.tolist(), indices=world.ground.faces.ravel().tolist(),
            )  # fmt: skip
            self._plane = p.createMultiBody(0.0, mesh)
        p.changeDynamics(self._plane, -1, lateralFriction=world.friction)
        self._props: list[tuple[int, Thing]] = self._stage.props
        self._grips: dict[Grip, _Held | None] = {}  # with how each that is firm holds
        bare = world.ground is None and not world.things
        soles = character.soles if corners and bare else ()
        self._cornered = [i for i in soles if character.links[i].shape.kind == "box"]
        self._build(friction, ragdoll and not planar)
        self._limit(fastest or {})
        if self._world is not None or self._shared:
            self._touch(self._plane, -1, self._on_ground, self._on_this_ground())
        if self._world is not None:
            self._furnish(self._world)
        self._stage.members.append(self)
        self._applied: tuple[list[list[float]], list[float]] | None = None
        self.place(*character.standing())

    @property
    def body(self) -> int:
        """PyBullet's number of the body."""
        return self._body

    def _build(self, friction: float, ragdoll: bool) -> None:
        p, links = self._physics, self.character.links
        base = links[0]
        rows: list[_Row] = []
        if self._planar:
            rows.append(_Row(None, 0, pybullet.JOINT_PRISMATIC, (1, 0, 0), _HERE, _RAIL))
            rows.append(_Row(None, 1, pybullet.JOINT_PRISMATIC, (0, 0, 1), _HERE, _RAIL))
            rows.append(_Row(base, 2, pybullet.JOINT_REVOLUTE, (0, 1, 0), _HERE))
        self._joint_of: list[int] = [len(rows) - 1]  # PyBullet's index of each link's own frame
        universal: list[tuple[int, int, int]] = []
        boxes: dict[int, Link] = {}  # by row, with the sole that each is on
        for i, link in enumerate(links[1:], start=1):
            parent = self._joint_of[link.parent] + 1
            if link.joint == "spherical":
                rows.append(_Row(link, parent, pybullet.JOINT_SPHERICAL, (0, 0, 0), link.offset))
            elif link.joint == "hinge":
                rows.append(_Row(link, parent, pybullet.JOINT_REVOLUTE, (0, 1, 0), link.offset))
            elif link.joint == "fixed":
                rows.append(_Row(link, parent, pybullet.JOINT_FIXED, (0, 0, 1), link.offset))
            else:
                rows.append(_Row(None, parent, pybullet.JOINT_REVOLUTE, (0, 1, 0), link.offset))
                rows.append(_Row(link, len(rows), pybullet.JOINT_REVOLUTE, (1, 0, 0), _HERE))
                universal.append((i, len(rows) - 2, len(rows) - 1))
            self._joint_of.append(len(rows) - 1)
            if self._shared and i in self._cornered:
                boxes[len(rows)] = link
                rows.append(_Row(None, len(rows), pybullet.JOINT_FIXED, (0, 0, 1), _HERE, _RAIL))
        if misplaced([row.parent - 1 for row in rows]) is not None:
            raise DataError(f"character.links of {self.character.name!r}: {DEPTH_FIRST}")
        identity = (0.0, 0.0, 0.0, 1.0)
        base_shape = -1 if self._planar else self._shape(base)
        shapes = [self._shape(r.link) if r.link else -1 for r in rows]
        for box, sole in boxes.items():
            shapes[box] = self._box(sole)
        self._body: int = p.createMultiBody(
            0.0 if self._planar else base.mass,
            base_shape,
            basePosition=(0, 0, 0),
            baseInertialFramePosition=_HERE if self._planar else base.com,
            baseInertialFrameOrientation=identity,
            linkMasses=[r.mass for r in rows],
            linkCollisionShapeIndices=shapes,
            linkVisualShapeIndices=[-1] * len(rows),
            linkPositions=[r.position for r in rows],
            linkOrientations=[identity] * len(rows),
            linkInertialFramePositions=[r.link.com if r.link else (0, 0, 0) for r in rows],
            linkInertialFrameOrientations=[identity] * len(rows),
            linkParentIndices=[r.parent for r in rows],
            linkJointTypes=[r.kind for r in rows],
            linkJointAxis=[r.axis for r in rows],
            flags=pybullet.URDF_USE_SELF_COLLISION if ragdoll else 0,
        )
        inertias = [_RAIL[1] if self._planar else base.inertia, *(r.inertia for r in rows)]
        for index, inertia in enumerate(inertias, start=-1):
            # Given together with damping, inertia and friction are dropped silently: a call for each.
            p.changeDynamics(
                self._body, index, linearDamping=0.0, angularDamping=0.0, jointDamping=0.0, maxJointVelocity=1000.0
            )
            p.changeDynamics(self._body, index, localInertiaDiagonal=inertia)
            p.changeDynamics(self._body, index, lateralFriction=friction)
            p.changeDynamics(self._body, index, restitution=0.0)
        self._spherical = [i for i, k in enumerate(links) if k.joint == "spherical"]
        self._hinges = [i for i, k in enumerate(links) if k.joint == "hinge"]
        self._universals = [u[0] for u in universal]
        self._spherical_joints = [self._joint_of[i] for i in self._spherical]
        self._turning_joints = [self._joint_of[i] for i in self._hinges]
        for _, first, second in universal:
            self._turning_joints += [first, second]
        self._universal_parents = [links[i].parent for i in self._universals]
        for i in (*self._hinges, *self._universals):
            ranges = self.character.joint_ranges(i)
            for k, (low, high) in enumerate(ranges):
                joint = self._joint_of[i] - (len(ranges) - 1 - k)
                p.changeDynamics(self._body, joint, jointLowerLimit=low, jointUpperLimit=high)
        pairs = combinations(self._joint_of, 2) if ragdoll else ()
        self._apart = list(pairs)
        """Links that could touch each other, and do not yet."""
        for one, other in self._apart:
            p.setCollisionFilterPair(self._body, self._body, one, other, 0)
        for box in boxes:  # nothing but a companion touches it
            self._touch(self._body, box, _LINK, _LINK)
            for own in (*self._joint_of, *boxes) if ragdoll else ():
                p.setCollisionFilterPair(self._body, self._body, box, own, 0)
        self._kept: int | None = None  # the world as it is now, while trials go back to it
        self._trying = False
        self._link_of = {j: i for i, j in enumerate(self._joint_of)}
        self._above = trunk_top(self.character)
        self._frames = self._joint_of[0 if self._planar else 1 :]
        self._local_coms = self.character.coms[:, :, None]
        self._packed = Struct(f"{13 * len(self._joint_of)}d")
        for joint in self._spherical_joints:
            p.setJointMotorControlMultiDof(
                self._body, joint, pybullet.POSITION_CONTROL, targetPosition=[0, 0, 0, 1],
                positionGain=0, velocityGain=0, force=[0, 0, 0],
            )  # fmt: skip
        p.setJointMotorControlArray(
            self._body, self._turning_joints, pybullet.VELOCITY_CONTROL, forces=[0.0] * len(self._turning_joints)
        )
        for joint in range(self._joint_of[0] + 1):
            p.setJointMotorControl2(self._body, joint, pybullet.VELOCITY_CONTROL, force=0.0)

    def _limit(self, fastest: Mapping[tuple[int, int], float]) -> None:
        """Let torques turn links at most so fast about their axes, rad/s."""
        axes = [(i, 1) for i in self._hinges] + [(i, axis) for i in self._universals for axis in (1, 0)]
        self._limited = [(k, fastest[axis]) for k, axis in enumerate(axes) if axis in fastest]
        limited = [k for k, _ in self._limited]
        self._limited_joints = [self._turning_joints[k] for k in limited]
        self._unlimited = [k for k in range(len(self._turning_joints)) if k not in limited]
        self._unlimited_joints = [self._turning_joints[k] for k in self._unlimited]

    def _furnish(self, world: World) -> None:
        """Put things into the world, if they are not there yet."""
        p = self._physics
        for thing in world.things if self._first else ():
            own = p.createMultiBody(thing.mass, self._solid(thing.solid), baseInertialFramePosition=thing.com)
            turn = np.array(thing.rotation)
            place = np.array(thing.place) + quaternion_matrix(turn) @ np.array(thing.com)
            p.resetBasePositionAndOrientation(own, place.tolist(), _xyzw(turn))
            p.changeDynamics(own, -1, lateralFriction=thing.friction)
            self._touch(own, -1, _PROP if thing.loose else _OBSTACLE)
            if thing.loose:
                self._props.append((own, thing))
        areas = np.array([link.shape.surface for link in self.character.links])
        self._exposed: list[float] = (areas / areas.sum()).tolist()

    def _on_this_ground(self) -> int:
        """Return the mask of its ground: with companions, that leaves it to its own body's mask what else is on it."""
        if not self._shared:
            return _MASKS[_ON_GROUND]
        return _PROP if self._first else 0

    def _touch(self, body: int, link: int, group: int, mask: int | None = None) -> None:
        """Let a link touch what is of a mask's groups: of those that its own group touches by itself."""
        self._physics.setCollisionFilterGroupMask(body, link, group, _MASKS[group] if mask is None else mask)

    def _solid(self, solid: Solid) -> int:
        """Return the collision shape of a thing."""
        p = self._physics
        if solid.kind == "box":
            return p.createCollisionShape(pybullet.GEOM_BOX, halfExtents=solid.half)
        if solid.kind == "sphere":
            return p.createCollisionShape(pybullet.GEOM_SPHERE, radius=solid.radius)
        if solid.kind == "capsule":
            return p.createCollisionShape(pybullet.GEOM_CAPSULE, radius=solid.radius, height=2.0 * solid.half[2])
        return p.createCollisionShape(pybullet.GEOM_MESH, vertices=[list(point) for point in solid.points])

    def _shape(self, link: Link) -> int:
        s = link.shape
        if any(link is self.character.links[i] for i in self._cornered):
            radius = min(_CORNER, *s.half)
            inside = np.array(s.half) - radius
            corners = [(s.center + inside * way).tolist() for way in product((-1.0, 1.0), repeat=3)]
            return self._physics.createCollisionShapeArray(
                shapeTypes=[pybullet.GEOM_SPHERE] * len(corners), radii=[radius] * len(corners),
                collisionFramePositions=corners,
            )  # fmt: skip
        if s.kind == "box":
            return self._box(link)
        half = np.array(s.half)
        length = float(np.linalg.norm(half)) * 2.0
        if length < 1e-9:
            return self._physics.createCollisionShape(
                pybullet.GEOM_SPHERE, radius=s.radius, collisionFramePosition=s.center
            )
        axis = half / (0.5 * length)
        turn = np.array([axis[1] * -1.0, axis[0], 0.0, 1.0 + axis[2]])  # x, y, z, w: z axis to ``axis``
        turn = turn / np.linalg.norm(turn) if turn[3] > 1e-9 else np.array([1.0, 0.0, 0.0, 0.0])
        return self._physics.createCollisionShape(
            pybullet.GEOM_CAPSULE, radius=s.radius, height=length,
            collisionFramePosition=s.center, collisionFrameOrientation=turn.tolist(),
        )  # fmt: skip

    def _box(self, link: Link) -> int:
        return self._physics.createCollisionShape(
            pybullet.GEOM_BOX, halfExtents=link.shape.half, collisionFramePosition=link.shape.center
        )

    def place(self, origins: Array, rotations: Array, velocity: Sequence[float] = (0.0, 0.0, 0.0)) -> None:
        """Put the body in a pose: link rotations (L, 4) w, x, y, z; mid-hip at origins[0] (3,), above the flat ground.

        Where the ground is not flat, heights are the world's.

        ``velocity`` (3,): of the whole body, m/s. Joint speeds become zero. A planar body's plane is from now on the
        vertical one through the mid-hip along the pelvis' x axis; what leaves that plane is left out.
        """
        p = self._physics
        self._collide(False)
        self._forget()
        q = np.asarray(rotations)
        root = np.asarray(origins)[0] + (0.0, 0.0, self.ground if self._flat else 0.0)
        if self._planar:
            self._place_on_rail(root, q[0], velocity)
        else:
            base_com = root + quaternion_matrix(q[0]) @ self.character.coms[0]
            p.resetBasePositionAndOrientation(self._body, base_com.tolist(), _xyzw(q[0]))
            p.resetBaseVelocity(self._body, list(velocity), (0.0, 0.0, 0.0))
        for reset in self._joint_resets(q):
            reset()

    def _joint_resets(self, q: Array) -> Iterator[Callable[[], None]]:
        """Give what puts each joint, still, where link rotations (L, 4) have it."""
        p = self._physics
        for i, link in enumerate(self.character.links[1:], start=1):
            relative = quaternion_product(quaternion_conjugate(q[link.parent]), q[i])
            joint = self._joint_of[i]
            if link.joint == "spherical":
                yield partial(p.resetJointStateMultiDof, self._body, joint, _xyzw(relative), (0.0, 0.0, 0.0))
            elif link.joint == "hinge":
                angle = 2.0 * float(np.arctan2(relative[2], relative[0]))
                yield partial(p.resetJointState, self._body, joint, angle, 0.0)
            elif link.joint == "universal":
                m = quaternion_matrix(relative)  # Ry(pitch) Rx(roll)
                pitch, roll = float(np.arctan2(-m[2, 0], m[0, 0])), float(np.arctan2(-m[1, 2], m[1, 1]))
                yield partial(p.resetJointState, self._body, joint - 1, pitch, 0.0)
                yield partial(p.resetJointState, self._body, joint, roll, 0.0)

    def held(self) -> Callable[[], None]:
        """Return what keeps the body, which is not planar, still where the last state has it.

        To be called before each physics step. Whatever touches the body finds it in the way, and moves it by no more
        than a step's motion.
        """
        p, (root, q) = self._physics, self._pose
        base_com = (root + quaternion_matrix(q[0]) @ self.character.coms[0]).tolist()
        resets: list[Callable[[], None]] = [
            partial(p.resetBasePositionAndOrientation, self._body, base_com, _xyzw(q[0])),
            partial(p.resetBaseVelocity, self._body, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
            *self._joint_resets(q),
        ]

        def hold() -> None:
            for reset in resets:
                reset()

        return hold

    def _place_on_rail(self, root: Array, rotation: Array, velocity: Sequence[float]) -> None:
        """Lay the rail of a planar body through ``root`` (3,), m, along the heading of ``rotation`` (4,)."""
        p, m = self._physics, quaternion_matrix(rotation)
        heading = float(np.arctan2(-m[0, 1], m[1, 1]))  # of the y axis: a pitch leaves it alone
        c, s = float(np.cos(heading)), float(np.sin(heading))
        pitch = float(np.arctan2(-m[2, 0], m[0, 0] * c + m[1, 0] * s))
        p.resetBasePositionAndOrientation(self._body, root.tolist(), _xyzw(yaw_quaternion(heading)))
        x, y, z = velocity
        for joint, (place, rate) in enumerate(((0.0, c * x + s * y), (0.0, z), (pitch, 0.0))):
            p.resetJointState(self._body, joint, place, rate)

    def _collide(self, whole: bool) -> None:
        """Let the whole body touch the ground, or its soles alone: testing links high above it costs time."""
        self._whole = whole
        for i, joint in enumerate(self._joint_of):
            sole = i in self.character.soles
            # It touches already: set anew, it has hardly a contact for two steps, and sinks 15 mm into a mesh. On the
            # flat floor it still is: five of eight of generalized's walks under a beam, tuned so, fell without that.
            if whole and sole and not self._flat:
                continue
            group = int(whole or sole)
            if self._world is None and not self._shared:
                self._physics.setCollisionFilterGroupMask(self._body, joint, group, group)
            elif i in self._cornered:
                self._touch(self._body, joint, _SOLE, self._on_ground)
            else:
                on = group * self._on_ground | _PROP | _OBSTACLE | (_LINK if self._shared else 0)
                self._touch(self._body, joint, group * _SOLE | _LINK, on)

    def state(self) -> BodyState:
        """Return the body's state now."""
        p, body = self._physics, self._body
        base = () if self._planar else (*p.getBasePositionAndOrientation(body), *p.getBaseVelocity(body))
        links = map(_MOVES, p.getLinkStates(body, self._frames, computeLinkVelocity=1, computeForwardKinematics=1))
        numbers = chain.from_iterable(chain(base, chain.from_iterable(links)))
        data = np.frombuffer(self._packed.pack(*numbers)).reshape(-1, 13)  # faster than to iterate
        q, coms = data.take(_WXYZ, axis=1), data[:, 0:3]
        matrices = quaternion_matrix(q)
        origins = coms - (matrices @ self._local_coms)[:, :, 0]
        self._pose = origins[0], q
        if not (self._whole or self._upright(origins, matrices)):  # until then only soles can touch the ground
            self._collide(True)
        loads = [0.0] * len(self._joint_of)
        if self._world is None:
            for contact in p.getContactPoints(body, self._plane):
                loads[self._link_of[contact[3]]] += contact[9]
        else:  # on slopes and things a contact's normal is not upright, and friction bears its part
            companions = [other.body for other in self._stage.others(self)] if self._shared else ()
            for contact in p.getContactPoints(body):
                if contact[2] in companions:
                    continue
                up = contact[7][2] * contact[9] + contact[11][2] * contact[10] + contact[13][2] * contact[12]
                loads[self._link_of[contact[3]]] += up
        self.last = BodyState(self.time, origins, matrices, coms, data[:, 7:10], data[:, 10:13], np.array(loads))
        return self.last

    def _upright(self, origins: Array, matrices: Array) -> bool:
        """Return whether the body is upright. origins (L, 3), m, matrices (L, 3, 3): of its links."""
        height, vertical = float(origins[0, 2]), float(matrices[self._above, 2, 2])
        if self._flat:
            return bool(is_upright(self.character, height - self.ground, vertical))
        under = self._floor.height(*origins[0, :2].tolist())
        if is_upright(self.character, height - under, vertical):
            return True
        under = float(grounds(self.character, self._floor.heights(origins))[0])  # on stairs it is between its feet's
        return bool(is_upright(self.character, height - under, vertical))

    def pose(self) -> tuple[Array, Array]:
        """Return the mid-hip (3,), m, and the orientation of each link (L, 4), w, x, y, z, world, in the last state."""
        return self._pose

    def apply(self, torques: Array, matrices: Array) -> Array:
        """Set each joint's torque until the next call of ``step``; return what its axes let through.

        torques (L, 3): on each link by its joint, world axes, N m. matrices (L, 3, 3): the orientations in
        the state that they were computed from.
        """
        local = (matrices.transpose(0, 2, 1) @ torques[:, :, None])[:, :, 0]
        forces = local.take(self._spherical, axis=0).tolist()
        values = local[self._hinges, 1].tolist()
        for i, parent in zip(self._universals, self._universal_parents, strict=True):
            values.append(float(matrices[parent, :, 1] @ torques[i]))
            values.append(float(local[i, 0]))
        if not self._trying:
            self._applied = forces, values
        self._set(forces, values)
        return local

    def _set(self, forces: list[list[float]], values: list[float]) -> None:
        """Set the torques of spherical joints and of all others until the next physics step."""
        p = self._physics
        if self._spherical:
            p.setJointMotorControlMultiDofArray(
                self._body, self._spherical_joints, pybullet.TORQUE_CONTROL, forces=forces
            )
        # Motors as strong as the torques are solved with the contacts: so light links feel what they are on.
        if self._limited:
            p.setJointMotorControlArray(
                self._body, self._limited_joints, pybullet.VELOCITY_CONTROL,
                targetVelocities=[rate if values[k] > 0.0 else -rate for k, rate in self._limited],
                forces=[abs(values[k]) for k, _ in self._limited],
            )  # fmt: skip
            values = [values[k] for k in self._unlimited]
        p.setJointMotorControlArray(self._body, self._unlimited_joints, pybullet.TORQUE_CONTROL, forces=values)

    def again(self) -> None:
        """Apply the last torques for the next physics step, too: the trial of a companion is no more exact."""
        if self._applied is not None:
            self._set(*self._applied)

    def touch_itself(self) -> None:
        """Let links touch each other from now on, but for those that overlap now, as at joints: these never do."""
        for one, other in self._apart:
            if not self._physics.getClosestPoints(self._body, self._body, _CLEAR, one, other):
                self._physics.setCollisionFilterPair(self._body, self._body, one, other, 1)
        self._apart = []

    def touched(self) -> bool:
        """Return whether a companion has pushed the body in the last step."""
        if not self._shared:
            return False
        p = self._physics
        contacts = (p.getContactPoints(self._body, other.body) for other in self._stage.others(self))
        return any(contact[9] > 0.0 for found in contacts for contact in found)

    def things(self) -> Array:
        """Return place (3,), m, and orientation (4,), w, x, y, z, of each prop's frame now: (P, 7)."""
        found = np.empty((len(self._props), 7))
        for row, (own, thing) in zip(found, self._props, strict=True):
            place, (x, y, z, w) = self._physics.getBasePositionAndOrientation(own)
            row[3:] = w, x, y, z
            row[:3] = np.array(place) - quaternion_matrix(row[3:]) @ np.array(thing.com)
        return found

    def grip(self, grips: Sequence[Grip]) -> None:
        """Let links hold props from now on, and nothing else: until the next call.

        A grip that is firm is a constraint between both bodies, as strong as it says; the arm that reaches for a prop
        or holds it does not push it about.
        """
        for grip in [own for own in self._grips if own not in grips]:
            held = self._grips.pop(grip)
            if held is not None:
                self._physics.removeConstraint(held.constraint)
            if not any(other.thing == grip.thing and other.arm == grip.arm for other in grips):
                self._touching(grip, True)
        for grip in grips:
            if grip not in self._grips:
                self._touching(grip, False)
                self._grips[grip] = self._held(grip) if grip.strength > 0.0 else None

    def _touching(self, grip: Grip, touches: bool) -> None:
        """Let an arm touch a prop, or not."""
        own, _ = self._props[grip.thing]
        for link in grip.arm:
            self._physics.setCollisionFilterPair(self._body, own, self._joint_of[link], -1, int(touches))

    def _held(self, grip: Grip) -> _Held:
        """Return a new hold of a prop where it is now."""
        p, (own, _), joint = self._physics, self._props[grip.thing], self._joint_of[grip.link]
        state = p.getLinkState(self._body, joint, computeForwardKinematics=1)
        base = p.getBasePositionAndOrientation(own)
        place, turn = p.multiplyTransforms(*p.invertTransform(*base), *state[:2])
        point = [a - b for a, b in zip(grip.point, self.character.coms[grip.link].tolist(), strict=True)]
        child, _ = p.multiplyTransforms(place, turn, point, (0.0, 0.0, 0.0, 1.0))
        kind = pybullet.JOINT_FIXED if grip.turns else pybullet.JOINT_POINT2POINT
        held = p.createConstraint(
            self._body, joint, own, -1, kind, (0, 0, 0), point, child, (0.0, 0.0, 0.0, 1.0), turn
        )  # fmt: skip
        p.changeConstraint(held, maxForce=grip.strength)
        x, y, z, w = base[1]
        inertia = float(np.mean(p.getDynamicsInfo(own, -1)[2]))
        return _Held(held, quaternion_matrix(np.array((w, x, y, z)))[2], inertia)

    def steady(self) -> None:
        """Apply what hands that hold a prop by points twist it with for the next physics step, so that it stays level.

        A spring and a damper between it and the arms that hold it.
        """
        p = self._physics
        for grip, held in self._grips.items():
            if held is None or grip.turns or not grip.levels:
                continue
            own, _ = self._props[grip.thing]
            x, y, z, w = p.getBasePositionAndOrientation(own)[1]
            up = quaternion_matrix(np.array((w, x, y, z))) @ held.up
            spin = np.array(p.getBaseVelocity(own)[1])
            share = held.inertia / sum(other.thing == grip.thing for other in self._grips)
            torque = share * (LEVELLING[0] * np.cross(up, (0.0, 0.0, 1.0)) - LEVELLING[1] * spin)
            torque *= min(1.0, LEVELLING[2] * grip.strength / max(float(np.linalg.norm(torque)), 1e-9))
            p.applyExternalTorque(own, -1, torque.tolist(), pybullet.WORLD_FRAME)
            arm = self._joint_of[self.character.parents[grip.link]]
            p.applyExternalTorque(self._body, arm, (-torque).tolist(), pybullet.WORLD_FRAME)

    def blow(self, time: float) -> None:
        """Apply what winds do at ``time``, s, for the next physics step: to the body as one, and to each prop.

        The body's links share a wind's strength by how large they are: a convex body shows a quarter of its surface to
        the wind, the mean of all directions (Cauchy).
        """
        p = self._physics
        for wind in self._world.winds if self._world else ():
            if not wind.strength(time):
                continue
            for joint, share, place in zip(self._joint_of, self._exposed, self.last.coms.tolist(), strict=True):
                force = [share * value for value in wind.force(place, time)]
                p.applyExternalForce(self._body, joint, force, place, pybullet.WORLD_FRAME)
            for own, _ in self._props if self._first else ():
                place = p.getBasePositionAndOrientation(own)[0]
                p.applyExternalForce(own, -1, wind.force(place, time), place, pybullet.WORLD_FRAME)

    def push(self, link: int, force: Sequence[float], point: Sequence[float] | None = None) -> None:
        """Apply a force (3,), N, world, on a link for the next physics step.

        point (3,): where, in its frame, m; None for its centre of mass.
        """
        p, joint = self._physics, self._joint_of[link]
        if point is not None:
            place = self.last.origins[link] + self.last.matrices[link] @ np.array(point)
            p.applyExternalForce(self._body, joint, list(force), place.tolist(), pybullet.WORLD_FRAME)
            return
        at = p.getBasePositionAndOrientation(self._body)[0] if joint < 0 else p.getLinkState(self._body, joint)[0]
        p.applyExternalForce(self._body, joint, list(force), at, pybullet.WORLD_FRAME)

    def step(self) -> None:
        """Advance by one control step with the torques that were applied; with companions, ``Stage.step`` does.

        In trials of such a body its companions apply the torques that they applied last.
        """
        if not self._trying:
            self._forget()
        elif self._shared:
            for other in self._stage.others(self):
                other.again()
        self._physics.stepSimulation()
        self.time += self._step

    def stepped(self) -> None:
        """Note that the stage has made a step."""
        self._forget()
        self.time += self._step

    def tried(self, run: Callable[[], None]) -> None:
        """Call ``run``, which may step and apply, and put the world back as it was, bit for bit.

        ``last``, the state that was read last, is back too: contacts read anew before the next step would be stale.
        Links that the ground does not touch now, it does not touch in ``run`` either.
        """
        if self._kept is None:  # one state serves all trials of an instant: keeping one takes as long as 20 steps
            self._kept = self._physics.saveState()
        time, pose, last, whole = self.time, self._pose, self.last, self._whole
        self._whole = self._trying = True
        try:
            run()
        finally:
            self._physics.restoreState(self._kept)
            self.time, self._pose, self.last, self._whole = time, pose, last, whole
            self._trying = False

    def _forget(self) -> None:
        """Give up the state that trials go back to."""
        if self._kept is not None:
            self._physics.removeState(self._kept)
            self._kept = None

    def close(self) -> None:
        """End its own physics world."""
        if not self._shared:
            self._stage.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Held(NamedTuple):
    """How a grip holds. up (3,): the vertical in the prop's frame as it was taken. inertia: the prop's, kg m2."""

    constraint: int
    up: Array
    inertia: float


class _Row:
    """One link as PyBullet wants it; ``link`` None for one of its joint's own, of mass and inertia ``inner``."""

    def __init__(
        self, link: Link | None, parent: int, kind: int, axis: tuple[int, int, int], position: Any,
        inner: tuple[float, tuple[float, float, float]] = _GYROSCOPE,
    ) -> None:  # fmt: skip
        self.link, self.parent, self.kind, self.axis, self.position = link, parent, kind, axis, position
        self.mass, self.inertia = (link.mass, link.inertia) if link else inner


def _xyzw(q: Array) -> tuple[float, float, float, float]:
    w, x, y, z = (float(v) for v in q)
    return (x, y, z, w)
