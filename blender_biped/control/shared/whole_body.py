"""Joint torques that give the links of a body accelerations, its feet pressed where and as hard as the ground bears it.

The Newton-Euler equations of the whole tree at once: gravity compensation, virtual force and the stance hip's torque of
generalized walking (Coros 2010, sections 3.3 to 3.5) in one computation that knows the links' inertia. All arrays in
world axes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.curves import ramp
from ...base.spatial import Array
from ...character.model import Character
from .crossing import crossed, left_factors, right_factors
from .slope import Slope, normal
from .state import BodyState
from .tracking import subtrees

FRICTION = 0.75  # of the pressing force: what may act sideways
COUPLE = 0.5  # of the friction of the foot that is pressed less: what two feet may turn the body with
LEAST_RISE = 0.3  # m that the centre of mass counts as above the ground at least
BY_HANDS = 40.0  # N m of a turn that hands which hold something on the ground take at most
HOLDS = 0.5  # of what turns chest and arms: what they hold of a turn of the body at least, or the trunk does it
LIGHT = (0.0, 0.8)  # of the weight, under which the ground holds nothing of a turn, and over which all of it
SPUN = 1.0  # N m that chest and arms need not take
_BELOW = ("pelvis", "abdomen", "thigh", "shin", "hock", "metatarsus", "foot", "toes")


LEVEL: Slope = (0.0, 0.0)
Vector = tuple[float, float, float]
"""Single numbers, where an array of three would cost more to make than to compute with."""


@dataclass(slots=True)
class Contact:
    """How a foot is pressed. foot, toes: its links. share: of the weight.

    place: centre of pressure, x, y, z, m, as the body's balance has it. borne: where the ground bears the toes, m.
    on_toes: share of the load that the toes take. most_on_toes: that they bear at most, N: toes that are pressed harder
    than the ground presses back flick down. grip: lever, m, with which the friction of the pressing force holds a turn.
    slope: of the ground there, m/m.
    """

    foot: int
    toes: int
    share: float
    place: Vector
    borne: Vector
    on_toes: float
    most_on_toes: float
    grip: float
    slope: Slope = LEVEL


@dataclass(slots=True)
class ExternalForce:
    """What pulls at a link. place (3,): where, m. force (3,): on it, N."""

    link: int
    place: Array
    force: Array


@dataclass(slots=True)
class Kinetics:
    """What both momentum and torques need of a state. centre (3,): of mass, m.

    levers (3, L): from there to the links' centres of mass times their masses, kg m. arms (3 L, 3): from each joint's
    parent's joint to it, and from it to its link's centre of mass, m; then the links' own angular momentum, spun
    (L, 3). joints, coms (6 L,): left factors of the links' joints, and of their centres of mass.
    """

    centre: Array
    levers: Array
    arms: Array
    spun: Array
    joints: Array
    coms: Array


class TreeFactors:
    """One look-up or product each, in place of many small ones: what a character's tree says of its arrays.

    subtree (L, L): what hangs on a joint. on (2 L,): the joints that levers to joints, then to centres of mass, begin
    at; the root has none to its parent. gathering (L, 2 L): what gains at both ends of links add up to. Factors of
    cross products: left ones, turns: of angular accelerations and velocities at both ends of links, and of the latter;
    spins: of these at both ends; turned: of angular accelerations at both ends; joints, coms; right ones, levers: of
    levers twice, then of angular momenta; first: of what velocities made of levers; arms: of levers once; forces: of
    what hangs on joints.
    """

    def __init__(self, character: Character) -> None:
        count = len(character.links)
        own, parents = np.arange(count), np.array([max(parent, 0) for parent in character.parents])
        both = np.arange(2 * count)
        self.subtree = subtrees(character)
        self.on = np.concatenate((parents, own))
        self.gathering = np.hstack((self.subtree.T, np.eye(count)))
        self.turns = left_factors(np.concatenate((self.on, self.on + count, own + count)))
        self.spins, self.turned = left_factors(self.on + count), left_factors(self.on)
        self.joints, self.coms = left_factors(own), left_factors(own + count)
        self.levers = right_factors(np.concatenate((both, both, own + 2 * count)))
        self.first, self.arms = right_factors(both + 2 * count), right_factors(both)
        self.forces = right_factors(own, 6, 3)


class WholeBody:
    """The dynamics of one character's tree."""

    def __init__(self, character: Character, gravity: float) -> None:
        """gravity: m/s2."""
        c = character
        count = len(c.links)
        self._gravity, self._mass, self._masses = gravity, c.mass, c.masses[:, None]
        self._tree, self._joints = TreeFactors(c), JointAxes(c)
        self._inertia = np.array([link.inertia for link in c.links])
        self._upper = turning_back(c)
        self._upright = np.zeros((count, 3))
        self._upright[self._upper, 2] = 1.0
        self._felt: tuple[BodyState, Kinetics] | None = None
        # Written anew in each control step.
        self._places, self._turning = np.empty((2 * count, 3)), np.empty((2 * count, 3))
        self._arms, self._hangs = np.empty((3 * count, 3)), np.empty((count, 6))

    def weigh(self, masses: Array) -> None:
        """Let its links have other masses (L,), kg: those of what it holds among them."""
        self._mass, self._masses, self._felt = float(masses.sum()), masses[:, None], None

    @property
    def mass(self) -> float:
        """The mass of the body and of what it holds, kg."""
        return self._mass

    def _kinetics(self, state: BodyState) -> Kinetics:
        if self._felt is None or self._felt[0] is not state:
            places, arms, count, tree = self._places, self._arms, len(self._masses), self._tree
            places[:count], places[count:] = state.origins, state.coms
            centre = self._masses[:, 0] @ state.coms / self._mass
            levers = (self._masses * (state.coms - centre)).T
            np.subtract(places, places.take(tree.on, axis=0), out=arms[: 2 * count])
            arms[2 * count :] = spun = self._inertial(state, state.angular_velocities)
            joints, coms = places.take(tree.joints), places.take(tree.coms)
            self._felt = state, Kinetics(centre, levers, arms, spun, joints, coms)
        return self._felt[1]

    def _inertial(self, state: BodyState, vectors: Array) -> Array:
        """Return the links' moments of inertia times angular velocities, or accelerations (L, 3), world axes."""
        m = state.matrices
        return np.asarray((m @ (self._inertia * (vectors[:, None] @ m)[:, 0])[:, :, None])[:, :, 0])

    def momentum(self, state: BodyState) -> Vector:
        """Return the angular momentum about the centre of mass, N m s, world axes."""
        body = self._kinetics(state)
        return _turning(body.levers @ state.velocities, body.spun)

    def project(self, state: BodyState, angular_accelerations: Array) -> None:
        """Take out of desired angular accelerations (L, 3), rad/s2, what the joints do not let through; in place."""
        self._joints.project(state, angular_accelerations)

    def torques(
        self, state: BodyState, angular_accelerations: Array, lift: float, contacts: Sequence[Contact],
        pulls: Sequence[ExternalForce] = (), bounces: bool = False,
    ) -> Array:  # fmt: skip
        """Return the torque of each link's joint on it (L, 3), N m.

        angular_accelerations (L, 3): desired, of the links, rad/s2. lift: desired vertical acceleration of the
        centre of mass, m/s2. contacts: where the body is borne; their shares add up to 1. Their places say which
        horizontal acceleration there is: a body on its feet cannot choose both. What the feet cannot hold of a turn
        about the vertical, chest and arms turn less. pulls: what else acts on it, as at its hands.
        Without contacts the body flies: gravity and pulls alone move its centre of mass, whatever ``lift`` is, and
        what they cannot hold of a turn the body turns less as a whole, so its joints turn as desired.
        bounces: whether the feet may be pressed as lightly as that, and what they hold of a turn is to go with it.
        """
        body = self._kinetics(state)
        gained, own = self._motion(state, body, angular_accelerations)
        centre, wrung = body.centre.tolist(), _turning(body.levers @ gained, own)  # rate of the angular momentum
        up = self._mass * (self._gravity + lift)
        for pull in pulls:
            (x, y, z), (u, v, w) = (pull.place - body.centre).tolist(), pull.force.tolist()
            wrung = wrung[0] - (y * w - z * v), wrung[1] - (z * u - x * w), wrung[2] - (x * v - y * u)
            up -= w
        light = 1.0 - ramp(up, *(share * self._mass * self._gravity for share in LIGHT)) if bounces else 0.0
        holds = 1.0 - light
        turned = (holds * wrung[0], holds * wrung[1], holds * wrung[2]) if light else wrung
        forces, twist = _pushes(contacts, centre, up, turned)
        most = [FRICTION * f[2] * c.grip for f, c in zip(forces, contacts, strict=True)]
        whole = sum(most)
        held = min(max(twist, -whole), whole)
        if len(pulls) == 2:
            pulls, twist = _wrung(pulls, twist, held)
            held = min(max(twist, -whole), whole)
        if not contacts:
            gained, own = self._flying(state, gained, own, (wrung[0], wrung[1], twist))
        elif abs(twist - held) > SPUN and self._upper:  # a body that is all hips has nothing else to turn
            more, own_more, (_, _, resisting) = self._costs(state, self._upright)
            less = (held - twist) / resisting
            gained, own = gained + less * more, own + less * own_more
        if light:
            gained, own = self._flying(state, gained, own, _unheld(contacts, forces, centre, wrung))
        moments = [held * m / max(whole, 1e-9) for m in most]
        mean = self._masses[:, 0] @ gained / self._mass
        return self._carried(body, gained - mean, own, forces, moments, contacts, pulls)

    def _motion(self, state: BodyState, body: Kinetics, angular_accelerations: Array) -> tuple[Array, Array]:
        """Return how the links' centres of mass are accelerated, from the root's on, and their own moments (L, 3).

        Of desired angular accelerations (L, 3), rad/s2, and of the angular velocities.
        """
        count, tree = len(angular_accelerations), self._tree
        self._turning[:count], self._turning[count:] = angular_accelerations, state.angular_velocities
        first = crossed(self._turning.take(tree.turns), body.arms.take(tree.levers))
        made = crossed(self._turning.take(tree.spins), first.take(tree.first))
        made += first[: 6 * count]
        own = self._inertial(state, angular_accelerations) + first[12 * count :].reshape(-1, 3)
        return tree.gathering @ made.reshape(-1, 3), own

    def _costs(self, state: BodyState, angular_accelerations: Array) -> tuple[Array, Array, Vector]:
        """Return what accelerations (L, 3), rad/s2, add to motion, to own moments (L, 3), and to the body's moment."""
        body, tree = self._kinetics(state), self._tree
        made = crossed(angular_accelerations.take(tree.turned), body.arms.take(tree.arms))
        more = tree.gathering @ made.reshape(-1, 3)
        own = self._inertial(state, angular_accelerations)
        return more, own, _turning(body.levers @ more, own)

    def _flying(self, state: BodyState, gained: Array, own: Array, wrung: Vector) -> tuple[Array, Array]:
        """Return motion and own moments (L, 3) of a body that turns as a whole so that no moment, N m, is left."""
        costs = [self._costs(state, np.tile(axis, (len(own), 1))) for axis in np.eye(3)]
        resisting = np.array([moment for _, _, moment in costs]).T
        for less, (more, own_more, _) in zip(np.linalg.solve(resisting, wrung).tolist(), costs, strict=True):
            gained, own = gained - less * more, own - less * own_more
        return gained, own

    def _carried(
        self, body: Kinetics, gained: Array, own: Array, forces: Sequence[Vector], moments: Sequence[float],
        contacts: Sequence[Contact], pulls: Sequence[ExternalForce],
    ) -> Array:  # fmt: skip
        """Return joint torques (L, 3): of all that hangs on a joint, what it needs less what the ground gives."""
        pushed = [*forces, *(pull.force.tolist() for pull in pulls)]
        pushing = [sum(along) / self._mass for along in zip(_NOTHING, *pushed, strict=True)]
        hangs, forces_at = self._hangs, self._tree.forces
        np.multiply(self._masses, gained + np.array(pushing), out=hangs[:, 3:])
        np.add(crossed(body.coms, hangs.take(forces_at)).reshape(-1, 3), own, out=hangs[:, :3])
        for pull in pulls:
            _give(hangs[pull.link], pull.place.tolist(), pull.force.tolist(), -1.0)
        for f, moment, c in zip(forces, moments, contacts, strict=True):
            _give(hangs[c.foot], c.place, f, -1.0, moment)
            if c.on_toes > 0.0:  # the toes bear it where it is, not where it is to be for the foot to tilt
                toes = min(c.on_toes, c.most_on_toes / max(f[2], 1e-9))
                _give(hangs[c.foot], c.borne, f, toes)
                _give(hangs[c.toes], c.borne, f, -toes)
        hanging = self._tree.subtree @ hangs
        torque = hanging[:, :3] - crossed(body.joints, hanging.take(forces_at)).reshape(-1, 3)
        torque[0] = 0.0
        return np.asarray(torque)


class JointAxes:
    """What the joints of one character let through."""

    def __init__(self, character: Character) -> None:
        self._joints: list[tuple[int, int, str]] = []
        places: list[int] = []
        for i, link in enumerate(character.links):
            if link.joint in _FREE:
                continue
            parent = max(link.parent, 0)
            self._joints.append((i, parent, link.joint))
            if link.joint == "hinge":
                places.extend(_axis(i, 1))
            elif link.joint == "universal":
                places.extend((*_axis(i, 0), *_axis(parent, 1)))
        self._places = np.array(places, dtype=np.intp).reshape(-1, 3)

    def project(self, state: BodyState, angular_accelerations: Array) -> None:
        """Take out of desired angular accelerations (L, 3), rad/s2, what they do not let through; in place."""
        # single numbers: joints come one after another
        found, axes = angular_accelerations.tolist(), iter(state.matrices.take(self._places).tolist())
        for i, parent, kind in self._joints:
            if kind == "hinge":
                (x, y, z), (ax, ay, az), (bx, by, bz) = next(axes), found[parent], found[i]
                along = x * (bx - ax) + y * (by - ay) + z * (bz - az)
                own = [ax + along * x, ay + along * y, az + along * z]
            elif kind == "universal":  # all but what is about the third axis
                (ax, ay, az), (bx, by, bz) = found[parent], found[i]
                (xx, xy, xz), (px, py, pz) = next(axes), next(axes)
                x, y, z = xy * pz - xz * py, xz * px - xx * pz, xx * py - xy * px
                along = (x * (bx - ax) + y * (by - ay) + z * (bz - az)) / max(x * x + y * y + z * z, 1e-9)
                own = [bx - along * x, by - along * y, bz - along * z]
            else:
                own = found[parent]
            angular_accelerations[i] = found[i] = own


def _axis(link: int, axis: int) -> tuple[int, int, int]:
    """Return where in matrices (L, 3, 3) the x, y and z of an axis of a link are."""
    first = 9 * link + axis
    return first, first + 3, first + 6


def turning_back(character: Character) -> list[int]:
    """Return the links that turn less where feet cannot hold a turn: chest and arms, or more of the trunk.

    What lies far ahead of the hips and reaches back from its joint changes the body's turn by little, or the wrong way
    round, as it turns about that: then what carries it turns less, too. A head that chest and arms can do without is
    left out: people steady it, and turned about with them it would look aside at each strike.
    """
    upper = [i for i, link in enumerate(character.links) if link.part not in _BELOW]
    for role in ("abdomen", "pelvis"):
        body, own = held_turn(character, upper)
        if body > HOLDS * own or not upper:
            break
        if character.has(role):
            upper = sorted((character.index(role), *upper))
    if any(character.links[i].part in _BELOW for i in upper):
        return upper
    body, own = held_turn(character, rest := [i for i in upper if character.links[i].part != "head"])
    return rest if body > HOLDS * own else upper


def held_turn(character: Character, links: Sequence[int]) -> tuple[float, float]:
    """Return what links that turn about the vertical add to the body's turn, standing, and what turns them, kg m2."""
    origins, rotations = character.standing()
    coms = character.com_positions(origins, rotations)
    away = coms - character.masses @ coms / character.mass
    body = turned = 0.0
    for i in links:
        joint = i
        while character.parents[joint] in links:
            joint = character.parents[joint]
        own, arm = character.links[i].inertia[2], coms[i, :2] - origins[joint, :2]
        body += own + character.masses[i] * float(away[i, :2] @ arm)
        turned += own + character.masses[i] * float(arm @ arm)
    return body, turned


_FREE = ("free", "spherical")
_NOTHING: Vector = (0.0, 0.0, 0.0)  # no force: what is pushed by nothing has a sum too


def _pushes(contacts: Sequence[Contact], centre: Vector, up: float, wrung: Vector) -> tuple[list[Vector], float]:
    """Return the ground's force on each foot, N, and what it has to turn the body with besides, N m.

    Each force points through the centre of mass, but for what changes the angular momentum. centre: of mass, m.
    up: of all of them, N. wrung: rate of the angular momentum about it.
    """
    x, y, z = centre
    found, ahead, aside = [], 0.0, 0.0
    for c in contacts:
        px, py, pz = c.place
        load, rise = c.share * up, max(z - pz, LEAST_RISE)
        u = load * (x - px) / rise - c.share * wrung[1] / rise
        v = load * (y - py) / rise + c.share * wrung[0] / rise
        found.append((u, v, load))
        ahead, aside = ahead + u, aside + v
    held = min(1.0, FRICTION * up / max(math.hypot(ahead, aside), 1e-9))
    for c, f in zip(contacts, found, strict=True):
        if c.slope != LEVEL:
            held = min(held, _holding(f, c.slope))
    twist, forces = wrung[2], []
    for (u, v, w), c in zip(found, contacts, strict=True):
        u, v = held * u, held * v
        twist -= (c.place[0] - x) * v - (c.place[1] - y) * u
        forces.append((u, v, w))
    if len(contacts) == 2:  # feet apart turn the body by pushing against each other
        (first, second), (one, other) = contacts, forces
        along, aside = first.place[0] - second.place[0], first.place[1] - second.place[1]
        distance = max(math.hypot(along, aside), 0.1)
        spare = COUPLE * FRICTION * min(one[2], other[2])
        pair = min(max(twist / distance, -spare), spare)
        u, v = -aside * pair / distance, along * pair / distance
        forces = [(one[0] + u, one[1] + v, one[2]), (other[0] - u, other[1] - v, other[2])]
        twist -= pair * distance
    return forces, twist


def _unheld(
    contacts: Sequence[Contact], forces: Sequence[Vector], centre: Vector, wrung: Vector
) -> Vector:  # fmt: skip
    """Return what of the rate of the angular momentum about level axes forces on feet do not give, N m."""
    about, over = wrung[0], wrung[1]
    for c, (u, v, w) in zip(contacts, forces, strict=True):
        x, y, z = c.place[0] - centre[0], c.place[1] - centre[1], c.place[2] - centre[2]
        about -= y * w - z * v
        over -= z * u - x * w
    return about, over, 0.0


def _holding(force: Vector, slope: Slope) -> float:
    """Return the share of a force's horizontal part, 0..1, with which ground of a slope holds it by friction.

    What lies in the ground is at most FRICTION of what is upright on it. A vertical force counts as held.
    """
    u, v, w = force
    x, y, z = normal(slope)
    # Of s (u, v) + w: pressing is a + s b; what it is in all, squared, is w2 + s2 h.
    a, b, h, most = w * z, u * x + v * y, u * u + v * v, 1.0 + FRICTION * FRICTION
    # w2 + s2 h = most (a + s b)2, the larger s of both: at 0 the left side is less.
    p, q, r = h - most * b * b, most * a * b, most * a * a - w * w
    if r <= 0.0:
        return 0.0
    if p - 2.0 * q <= r:
        return 1.0
    return min(max((q + math.sqrt(q * q + p * r)) / p, 0.0), 1.0) if p > 0.0 else 1.0


def _wrung(pulls: Sequence[ExternalForce], twist: float, held: float) -> tuple[list[ExternalForce], float]:
    """Return what pulls at two hands once they take what feet cannot hold of a turn, and what is left of it, N m.

    twist: that the body needs, held: that feet can hold.
    """
    first, second = pulls
    apart = first.place - second.place
    apart[2] = 0.0
    taken = min(max(twist - held, -BY_HANDS), BY_HANDS)
    pair = taken / max(float(apart @ apart), 0.04) * np.array((-apart[1], apart[0], 0.0))
    found = [
        ExternalForce(first.link, first.place, first.force + pair),
        ExternalForce(second.link, second.place, second.force - pair),
    ]
    return found, twist - taken


def _give(row: Array, place: Sequence[float], force: Sequence[float], share: float, moment: float = 0.0) -> None:
    """Add ``share`` of the moment, N m, about the origin and of a force, N, at a place, m, to a row (6,), in place.

    moment: about the vertical, N m, likewise.
    """
    x, y, z = place
    u, v, w = force
    a, b, c, d, e, f = row.tolist()
    row[:] = (
        a + share * (y * w - z * v), b + share * (z * u - x * w), c + share * (x * v - y * u + moment),
        d + share * u, e + share * v, f + share * w,
    )  # fmt: skip


def _turning(moments: Array, own: Array) -> Vector:
    """Return what links (L, 3) make in all by their own turning and, levers times motion (3, 3), by their places."""
    (_, xy, xz), (yx, _, yz), (zx, zy, _) = moments.tolist()
    x, y, z = np.add.reduce(own).tolist()
    return x + yz - zy, y + zx - xz, z + xy - yx
