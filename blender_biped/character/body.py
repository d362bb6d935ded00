"""From an armature and its roles to a Character: joints, masses, inertias and shapes in the standing pose."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from ..base.errors import RigError
from ..base.spatial import Array, matrix_quaternion, normalized, quaternion_matrix, rotate
from . import proportions, segments
from .armature import Armature
from .hanging import hanging
from .mapping import RigMap
from .model import ROLES, SIDES, Character, JointKind, Link, Shape, role_part
from .passing import passing
from .posture import DOWN, StandingRig, parent_role, standing
from .proportions import Foot
from .rolling import beyond
from .segments import SEGMENTS, TRUNK, default_mass
from .tail import Tail, tail_of

Triple = tuple[float, float, float]

_JOINTS: Mapping[str, JointKind] = {
    "pelvis": "free", "abdomen": "spherical", "chest": "spherical", "head": "spherical",
    "upper_arm": "spherical", "forearm": "hinge", "hand": "hinge",
    "thigh": "spherical", "shin": "hinge", "foot": "universal", "toes": "hinge",
}  # fmt: skip
_LEAST_GYRATION = 0.02  # of the leg, m/m: thinner than a toe's; below it joints become too light to drive
_SMALLEST, _TALLEST = 0.05, 40.0  # m
_LIGHTEST, _HEAVIEST = 1e-3, 1e6  # kg
_BALANCED = 0.09  # of the leg: how far the centre of mass may be before or behind the hips of a rest pose
_HEAVIEST_TAIL = 0.2  # of the body's mass
_LYING = math.radians(45.0)  # below it, above the horizontal, a trunk of a rest pose lies and is meant to
_ON_HANDS = 0.2  # of the leg: hands of a rest pose that are no higher above the ankles bear it
_LIGHTEST_FRONT = 0.2  # of people's shares: what a lying trunk, its head and arms weigh at least
_LEANING = (math.radians(-30.0), math.radians(60.0))  # of the trunk, for balance
_AHEAD = ("abdomen", "chest", "head", "upper_arm", "forearm", "hand")  # of the hips, where a trunk lies
_HALVINGS = 12
_TAIL_GYRATION = 3.0 / 80.0  # radius of gyration of a cone about its middle, squared, over its length squared
_WIDEST = {"pelvis": 0.44, "abdomen": 0.66, "chest": 0.85}
"""Of the trunk's length: 1.5 times the standard adult's breadth of hips, of what is between, and of the chest. Up to
that a link turns as heavily as people's do with a trunk as long; a broader one turns more heavily, as it is."""
_LEAST_SPAN = 0.1  # of the trunk: the height of a trunk link's shape


@dataclass(frozen=True)
class _LinkBody:
    """Mass, centre of mass in the link's frame, radii of gyration about the link's axes (m), shape."""

    mass: float
    com: Triple
    gyration: Triple
    shape: Shape


def build_character(armature: Armature, rig_map: RigMap, mass: float | None = 70.0) -> Character:
    """Return the character that a mapped armature stands for.

    mass: total, kg; None takes ``default_mass`` of the character's stature. Links that the rig does not
    have are left out; their mass goes to the link they would hang on.
    Raises RigError when the rig does not fit: see ``posture``.
    """
    given = rig_map
    rig_map, pose, feet = _stood(armature, given)
    _, stand = passing(_built(armature, rig_map, mass, pose, feet), armature, rig_map, pose)
    if stand > proportions.ankles_apart(pose):
        rig_map, pose, feet = _stood(armature, given, stand)
    tail = tail_of(armature, rig_map, pose)
    character = _built(armature, rig_map, mass, pose, feet)
    if abs(_ahead(character)) > _BALANCED * pose.leg:
        character = _balanced(
            tail,
            _lies(pose),
            lambda angle, tail, front: _built(armature, rig_map, mass, pose.leaning(angle), feet, tail, front),
        )
    pass_by, stand = passing(character, armature, rig_map, pose)
    out, widest = hanging(character, armature, rig_map, pose), proportions.ankles_apart(pose)
    return replace(character, arms_out=out, feet_apart=min(pass_by, widest), legs_apart=min(stand, widest))


def _stood(armature: Armature, rig_map: RigMap, apart: float = 0.0) -> tuple[RigMap, StandingRig, Mapping[str, Foot]]:
    """Return how a rig stands, ankles ``apart``, m, at least, and its feet; toes that do not bend are of their feet."""
    pose = standing(armature, rig_map, apart)
    feet = proportions.feet(pose)
    if proportions.stiff_toes(pose, feet):
        points = {role: pose.turns[role] for role in (f"foot.{side}" for side in SIDES)}
        rig_map = _with_whole_feet(rig_map)
        pose = standing(armature, rig_map, apart)
        # A foot points to its toes' joint: ends of bones beyond may be made up.
        pose = replace(pose, turns={**pose.turns, **points})
        feet = proportions.feet(pose)
    feet = {side: replace(foot, beyond=beyond(armature, rig_map, pose, foot, side)) for side, foot in feet.items()}
    return rig_map, proportions.with_toes(pose, feet), feet


def _lies(pose: StandingRig) -> bool:
    """Return whether the trunk, mid-hip to neck, lies along the ground in rest: such a body is meant to stand so.

    Not one that is on all fours: its hands bear it in rest, and do not as it walks.
    """
    base, neck = proportions.trunk_line(pose)
    ahead, _, up = (neck - base).tolist()
    ends = [pose.tails[role] for role in pose.heads if role.startswith(("forearm", "hand"))]
    ground = min(float(pose.heads[f"foot.{side}"][2]) for side in SIDES)
    bears = any(float(end[2]) < ground + _ON_HANDS * pose.leg for end in ends)
    return bool(math.atan2(up, abs(ahead)) < _LYING) and not bears


def _with_whole_feet(rig_map: RigMap) -> RigMap:
    """Return a mapping whose feet have their toes' bones: these move rigidly with them."""
    bones = {role: names for role, names in rig_map.bones.items() if role_part(role) != "toes"}
    for side in SIDES:
        if f"foot.{side}" in bones:
            bones[f"foot.{side}"] = (*bones[f"foot.{side}"], *rig_map.bones.get(f"toes.{side}", ()))
    return replace(rig_map, bones=bones)


def _ahead(character: Character) -> float:
    """Return how far the centre of mass is before the mid-hip, standing, m."""
    coms = character.com_positions(*character.standing())
    return float(character.masses @ coms[:, 0] / character.mass)


def _balanced(tail: Tail | None, lies: bool, built: Callable[[float, Tail | None, float], Character]) -> Character:
    """Return a body that stands in balance on its feet, which are below its hips.

    One with a tail is as heavy there as it takes, within bounds. A trunk that lies keeps its slope: what is left is
    taken from the masses ahead and given to the hips, for its rest pose stands. Any other trunk leans back or forth.
    built: the body for an angle of lean, rad, a tail with its share of the mass, and what is ahead of the hips in
    people's shares.
    """

    def shared(share: float) -> Tail | None:
        return None if tail is None else replace(tail, share=share)

    share = 0.0
    if tail is not None:
        share = _crossing(lambda s: _ahead(built(0.0, shared(s), 1.0)), 0.0, _HEAVIEST_TAIL)
    if lies:
        less = _crossing(lambda own: _ahead(built(0.0, shared(share), 1.0 - own)), 0.0, 1.0 - _LIGHTEST_FRONT)
        return built(0.0, shared(share), 1.0 - less)
    angle = _crossing(lambda a: _ahead(built(a, shared(share), 1.0)), *_LEANING)
    return built(angle, shared(share), 1.0)


def _crossing(value: Callable[[float], float], low: float, high: float) -> float:
    """Return where a falling function crosses zero between two bounds, or the nearer bound."""
    if value(low) <= 0.0:
        return low
    if value(high) >= 0.0:
        return high
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if value(middle) > 0.0 else (low, middle)
    return 0.5 * (low + high)


def _built(
    armature: Armature, rig_map: RigMap, mass: float | None, pose: StandingRig, feet: Mapping[str, Foot],
    tail: Tail | None = None, front: float = 1.0,
) -> Character:  # fmt: skip
    """Return the body for a standing pose. Raises RigError for a size or mass that nothing walks with.

    front: what is ahead of the hips weighs, in people's shares.
    """
    stand_height = max(feet[side].drop - float(proportions.ankle(pose, side)[2]) for side in SIDES)
    crown = proportions.crown(pose)
    stature = stand_height + float(crown[2])
    if not _SMALLEST <= stature <= _TALLEST:
        raise RigError(
            f"Armature {armature.name!r} stands {stature:.3g} m tall; characters from {_SMALLEST:g} to {_TALLEST:g} m "
            "can walk. Scale its object, for example by 0.01 when it was made in centimetres."
        )
    total = default_mass(stature) if mass is None else mass
    if not _LIGHTEST <= total <= _HEAVIEST:
        raise RigError(f"The mass of a character must be {_LIGHTEST:g} to {_HEAVIEST:g} kg; it is {total:g}.")
    share = tail.share if tail else 0.0
    masses = _masses(pose, (1.0 - share) * total, front)
    bodies = _bodies(pose, feet, masses, crown, stand_height)
    if tail:
        bodies["pelvis"] = _with_tail(bodies["pelvis"], tail, share * total, rotate(pose.lean, tail.center))
    roles = [role for role in ROLES if role in pose.heads]
    links = tuple(_link(role, roles, pose, bodies[role], rig_map) for role in roles)
    first = armature.bones[armature.index[rig_map.bones["pelvis"][0]]].head
    return Character(
        name=armature.name,
        links=links,
        stand_height=stand_height,
        hip_bone_offset=_triple(rotate(pose.lean, armature.scale * (first @ pose.axes) - pose.heads["pelvis"])),
    )


def _with_tail(pelvis: _LinkBody, tail: Tail, mass: float, center: Array) -> _LinkBody:
    """Return the pelvis with a tail rigid on it: a mass, kg, spread along its length round ``center`` (3,)."""
    whole = pelvis.mass + mass
    com = (pelvis.mass * np.array(pelvis.com) + mass * center) / whole
    squares = pelvis.mass * np.array(pelvis.gyration) ** 2
    for part, at, own in ((pelvis.mass, np.array(pelvis.com), 0.0), (mass, center, tail.length**2 * _TAIL_GYRATION)):
        away = at - com
        squares += part * (away @ away - away**2 + own * np.array([0.0, 1.0, 1.0]))
    return replace(pelvis, mass=whole, com=_triple(com), gyration=_triple(np.sqrt(squares / whole)))


def _link(role: str, roles: list[str], pose: StandingRig, body: _LinkBody, rig_map: RigMap) -> Link:
    parent = parent_role(role, pose.heads) if role != "pelvis" else ""
    least = _LEAST_GYRATION * pose.leg
    turned_back = quaternion_matrix(pose.turned(role)).T
    return Link(
        role=role,
        parent=roles.index(parent) if parent else -1,
        joint=_joint(role, rig_map),
        offset=_triple(pose.offset(role, parent)) if parent else (0.0, 0.0, 0.0),
        mass=body.mass,
        com=body.com,
        inertia=_triple(body.mass * np.maximum(body.gyration, least) ** 2),
        shape=body.shape,
        bones=tuple(rig_map.bones.get(role, ())),
        rest=cast(
            tuple[float, float, float, float],
            tuple(float(v) for v in matrix_quaternion(pose.axes @ turned_back)),
        ),
        controls=tuple(rig_map.controls.get(role, ())),
    )


def _joint(role: str, rig_map: RigMap) -> JointKind:
    """Return a link's joint: what the rig has no bone for cannot move by itself.

    Except for a block below the shin: it turns as on a hidden ankle, for without one nothing stands.
    """
    part = role_part(role)
    return _JOINTS[part] if role in rig_map.bones or part == "foot" else "fixed"


def _masses(pose: StandingRig, total: float, front: float = 1.0) -> dict[str, float]:
    """Return the mass of each link, kg; what a rig does not have is carried by what it would hang on.

    front: what is ahead of the hips weighs, in people's shares; the pelvis has the rest.
    """
    shares = {role: segment.mass for role, segment in TRUNK.items()}
    shares |= {role: SEGMENTS[role_part(role)].mass for role in ROLES if role_part(role) in SEGMENTS}
    for side in SIDES:
        shares[f"foot.{side}"] = segments.FOOT_MASS * (1.0 - segments.TOES_MASS)
        shares[f"toes.{side}"] = segments.FOOT_MASS * segments.TOES_MASS
    for role in reversed(ROLES):
        if role not in pose.heads:
            carrier = _trunk_carrier(pose, role) if role in TRUNK else parent_role(role, pose.heads)
            shares[carrier] += shares.pop(role)
    if front < 1.0:
        for role in shares:
            if role_part(role) in _AHEAD:
                shares["pelvis"] += (1.0 - front) * shares[role]
                shares[role] *= front
    scale = total / sum(shares.values())
    return {role: scale * share for role, share in shares.items()}


def _trunk_carrier(pose: StandingRig, role: str) -> str:
    """Return the link that carries a part of the trunk: itself, else its neighbour above, else below."""
    order = {"pelvis": ("pelvis",), "abdomen": ("abdomen", "chest", "pelvis"), "chest": ("chest", "abdomen", "pelvis")}
    return next(r for r in order[role] if r in pose.heads)


def _bodies(
    pose: StandingRig, feet: Mapping[str, Foot], masses: Mapping[str, float], crown: Array, stand_height: float
) -> dict[str, _LinkBody]:
    hips = proportions.hip_breadth(pose)
    bodies = _trunk_bodies(pose, masses, hips)
    for role in pose.heads:
        part, _, side = role.partition(".")
        if part == "foot":
            bodies[role] = _foot_body(masses[role], feet[side], hips)
        elif part == "toes":
            bodies[role] = _toes_body(masses[role], feet[side], hips, pose.offset(role, f"foot.{side}"))
        elif part == "head":
            base, neck = proportions.trunk_line(pose)
            bodies[role] = _head_body(masses[role], crown - (neck - base))
        elif part not in TRUNK:
            length = proportions.limb_length(pose, part, side)
            widest = 0.48 * hips if part == "thigh" else math.inf
            below = {"hand": 0.0, "shin": 0.5 * feet[side].drop}.get(part, math.inf)  # what the rounded end may take
            line, room = DOWN, math.inf
            if part in ("thigh", "shin"):
                line = normalized(pose.reach(role))
            else:
                room = proportions.hanging_room(pose, role, stand_height)
            bodies[role] = _limb_body(part, masses[role], length, line, widest, below, room)
    return bodies


def _limb_body(
    part: str, mass: float, length: float, line: Array, widest: float, below: float, room: float
) -> _LinkBody:
    """Return a limb's segment along a line (3,).

    Of its shape, m: the largest radius ``widest``, what it may reach on beyond its end ``below``, and how long it may
    be at most, ``room``.
    """
    segment = SEGMENTS[part]
    radius = math.sqrt(mass / (segments.DENSITY * math.pi * length))
    radius = min(max(radius, 0.05 * length), 0.25 * length, widest)
    end = max(min(length - max(0.0, radius - below), room - radius), 0.0)
    shape = Shape("capsule", _triple(0.5 * end * line), _triple(-0.5 * end * line), radius)
    return _LinkBody(mass, _triple(segment.com * length * line), _triple(np.multiply(segment.gyration, length)), shape)


def _head_body(mass: float, reach: Array) -> _LinkBody:
    """Return neck and head: ``reach`` (3,) is the crown from the base of the neck, m."""
    length = float(reach[2])
    radius = 0.3 * length
    low, high = 0.36 * length, length - radius
    com = SEGMENTS["head"].com * reach
    shape = Shape("capsule", _triple((com[0], com[1], 0.5 * (low + high))), (0.0, 0.0, 0.5 * (high - low)), radius)
    return _LinkBody(mass, _triple(com), _triple(np.multiply(SEGMENTS["head"].gyration, length)), shape)


def _trunk_bodies(pose: StandingRig, masses: Mapping[str, float], hips: float) -> dict[str, _LinkBody]:
    """Return pelvis, abdomen and chest: published parts of the whole trunk, on the line from mid-hip to neck."""
    base, neck = proportions.trunk_line(pose)
    length = float(np.linalg.norm(neck - base))
    present = [role for role in TRUNK if role in pose.heads]
    joints = [*(float(pose.heads[role][2]) for role in present), float(neck[2])]
    bodies = {}
    for place, role in enumerate(present):
        parts = [TRUNK[p] for p in TRUNK if _trunk_carrier(pose, p) == role]
        shares = np.array([p.mass for p in parts]) / sum(p.mass for p in parts)
        at = np.array([p.com for p in parts])
        mean = float(shares @ at)
        com = base + mean * (neck - base) - pose.heads[role]
        span = max(joints[place + 1] - joints[place], _LEAST_SPAN * length)
        squares = shares @ (np.array([p.gyration for p in parts]) ** 2)
        squares[:2] += shares @ (at - mean) ** 2
        shape = _trunk_shape(pose, role, masses[role] / segments.DENSITY, com, span, hips)
        squares = _widened(squares, _breadth(shape, hips) / (_WIDEST[role] * length))
        bodies[role] = _LinkBody(masses[role], _triple(com), _triple(length * np.sqrt(squares)), shape)
    return bodies


def _breadth(shape: Shape, hips: float) -> float:
    """Return how broad a trunk link is, m: a pelvis, a capsule, as its hips are."""
    return 2.0 * shape.half[1] if shape.kind == "box" else hips


def _widened(squares: Array, wider: float) -> Array:
    """Return radii of gyration (3,), squared, of what is ``wider`` times as broad and as deep as people come to be."""
    if wider <= 1.0:
        return squares
    x, y, z = (0.5 * squares.sum() - squares) * (wider**2, wider**2, 1.0)
    return np.array((y + z, x + z, x + y))


def _trunk_shape(pose: StandingRig, role: str, volume: float, com: Array, span: float, hips: float) -> Shape:
    """Return a trunk link's shape: the pelvis a capsule across the hips, the others boxes up to the next joint."""
    if role == "pelvis":
        radius = float(np.clip(_capsule_radius(volume, hips), 0.3 * hips, 0.8 * hips))
        return Shape("capsule", _triple(com), (0.0, 0.5 * hips, 0.0), radius)
    breadth = 1.5 * hips
    if role == "chest" and all(f"upper_arm.{side}" in pose.heads for side in SIDES):
        shoulders = abs(float(pose.heads["upper_arm.L"][1] - pose.heads["upper_arm.R"][1]))
        breadth = max(0.75 * shoulders, 0.1 * hips)
    depth = float(np.clip(volume / (span * breadth), 0.4 * breadth, 0.8 * breadth))
    return Shape("box", _triple((com[0], com[1], 0.5 * span)), _triple((0.5 * depth, 0.5 * breadth, 0.5 * span)))


def _capsule_radius(volume: float, straight: float) -> float:
    """Return the radius, m, of a capsule of ``volume``, m3, whose ends are ``straight`` apart, m."""
    roots = np.roots([4.0 / 3.0 * math.pi, math.pi * straight, 0.0, -volume])
    return float(roots[np.abs(roots.imag) < 1e-9].real.max())


def _foot_sizes(foot: Foot, hips: float) -> tuple[float, float]:
    """Return half the breadth and the thickness of a foot, m."""
    breadth = segments.FOOT_BREADTH / segments.FOOT_LENGTH * foot.length
    return 0.5 * min(breadth, 0.9 * hips), min(0.8 * foot.drop, 0.35 * foot.length)


def _foot_body(mass: float, foot: Foot, hips: float) -> _LinkBody:
    """Return heel to ball, and what of its sole is beyond: a box that stands on the ground."""
    half_breadth, thickness = _foot_sizes(foot, hips)
    share = segments.TOES_MASS
    whole = -foot.heel + segments.FOOT_COM * foot.length
    com_x = (whole - share * (foot.ball + 0.5 * foot.toes)) / (1.0 - share)
    front = foot.ball + foot.beyond
    return _box_body(mass, -foot.heel, front, half_breadth, -foot.drop - foot.lift, thickness + foot.lift, com_x)


def _toes_body(mass: float, foot: Foot, hips: float, joint: Array) -> _LinkBody:
    """Return ball to tip: a box that stands on the ground before the foot's. joint (3,): from the ankle, m."""
    half_breadth, thickness = _foot_sizes(foot, hips)
    center_x = foot.ball + 0.5 * foot.toes
    bottom = -foot.drop - foot.lift
    body = _box_body(mass, foot.ball, foot.ball + foot.toes, half_breadth, bottom, 0.5 * thickness, center_x)
    shape = replace(body.shape, center=_triple(body.shape.center - joint))
    return replace(body, com=_triple(body.com - joint), shape=shape)


def _box_body(
    mass: float, back: float, front: float, half_breadth: float, bottom: float, thickness: float, com_x: float
) -> _LinkBody:
    center = (0.5 * (back + front), 0.0, bottom + 0.5 * thickness)
    half = (0.5 * (front - back), half_breadth, 0.5 * thickness)
    x, y, z = (h * h / 3.0 for h in half)
    gyration = (math.sqrt(y + z), math.sqrt(x + z), math.sqrt(x + y))
    return _LinkBody(mass, (com_x, 0.0, center[2]), gyration, Shape("box", center, half))


def _triple(values: ArrayLike) -> Triple:
    x, y, z = (float(v) for v in np.asarray(values, dtype=float))
    return x, y, z
