"""Joint torques that give the links of a body accelerations, its feet pressed where and as hard as the ground bears it.

The Newton-Euler equations of the whole tree at once: gravity compensation, virtual force and the stance hip's torque of
generalized walking (Coros 2010, sections 3.3 to 3.5) in one computation that knows the links' inertia. All arrays in
world axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.spatial import Array
from ...character.model import Character
from ..shared.state import BodyState
from ..shared.tracking import subtrees

FRICTION = 0.75  # of the pressing force: what may act sideways
COUPLE = 0.5  # of the friction of the foot that is pressed less: what two feet may turn the body with
LEAST_RISE = 0.3  # m that the centre of mass counts as above the ground at least
BY_HANDS = 40.0  # N m of a turn that hands which hold something on the ground take at most
SPUN = 1.0  # N m that chest and arms need not take
_BELOW = ("pelvis", "abdomen", "thigh", "shin", "hock", "metatarsus", "foot", "toes")


@dataclass(slots=True)
class Contact:
    """How a foot is pressed. foot, toes: its links. share: of the weight.

    place (3,): centre of pressure, m, as the body's balance has it. borne (3,): where the ground bears the toes, m.
    on_toes: share of the load that the toes take. most_on_toes: that they bear at most, N: toes that are pressed harder
    than the ground presses back flick down. grip: lever, m, with which the friction of the pressing force holds a turn.
    """

    foot: int
    toes: int
    share: float
    place: Array
    borne: Array
    on_toes: float
    most_on_toes: float
    grip: float


@dataclass(slots=True)
class Pull:
    """What pulls at a link. place (3,): where, m. force (3,): on it, N."""

    link: int
    place: Array
    force: Array


@dataclass(slots=True)
class Kinetics:
    """What both momentum and torques need of a state. centre (3,): of mass; away (L, 3), arms (2 L, 3): m.

    away: from there to the links' centres of mass; arms: from each joint's parent's joint to it, and from it to its
    link's centre of mass. inertia (L, 3, 3): of the links, world axes, kg m2. spun (L, 3): their angular momentum.
    """

    centre: Array
    away: Array
    arms: Array
    inertia: Array
    spun: Array


class WholeBody:
    """The dynamics of one character's tree."""

    def __init__(self, character: Character, gravity: float) -> None:
        """gravity: m/s2."""
        c = character
        count = len(c.links)
        self._gravity, self._mass, self._masses = gravity, c.mass, c.masses[:, None]
        self._subtree = subtrees(c)
        on_parents = np.zeros((count, count))
        on_parents[np.arange(1, count), list(c.parents[1:])] = 1.0
        own, none = np.eye(count), np.zeros((count, count))
        # One product each, in place of many small ones: what turns and spins (2 L, 3) are at both ends of links, and
        # what gains at both ends add up to.
        self._ends: Array = np.block([[on_parents, none], [own, none], [none, on_parents], [none, own], [none, own]])
        self._levers: Array = np.block([[own - on_parents, none], [-own, own]])
        self._levers[0] = 0.0
        self._gathering = np.hstack((self._subtree.T, own))
        self._inertia = np.array([link.inertia for link in c.links])
        self._joints = [(i, max(k.parent, 0), k.joint) for i, k in enumerate(c.links) if k.joint not in _FREE]
        self._upper = [i for i, link in enumerate(c.links) if link.role.partition(".")[0] not in _BELOW]
        self._upright = np.zeros((count, 3))
        self._upright[self._upper, 2] = 1.0
        self._felt: tuple[BodyState, Kinetics] | None = None

    def weigh(self, masses: Array) -> None:
        """Let its links have other masses (L,), kg: those of what it holds among them."""
        self._mass, self._masses, self._felt = float(masses.sum()), masses[:, None], None

    @property
    def mass(self) -> float:
        """The mass of the body and of what it holds, kg."""
        return self._mass

    def _kinetics(self, state: BodyState) -> Kinetics:
        if self._felt is None or self._felt[0] is not state:
            m = state.matrices
            inertia = (m * self._inertia[:, None, :]) @ m.transpose(0, 2, 1)
            centre = self._masses[:, 0] @ state.coms / self._mass
            spun = (inertia @ state.spins[:, :, None])[:, :, 0]
            arms = self._levers @ np.concatenate((state.origins, state.coms))
            self._felt = state, Kinetics(centre, state.coms - centre, arms, inertia, spun)
        return self._felt[1]

    def momentum(self, state: BodyState) -> Array:
        """Return the angular momentum about the centre of mass (3,), N m s, world axes."""
        body = self._kinetics(state)
        return np.asarray((_cross(body.away, self._masses * state.velocities) + body.spun).sum(axis=0))

    def possible(self, state: BodyState, turns: Array) -> None:
        """Take out of desired angular accelerations (L, 3), rad/s2, what the joints do not let through; in place."""
        rows, found = state.matrices.tolist(), turns.tolist()  # single numbers: joints come one after another
        for i, parent, kind in self._joints:
            (ax, ay, az), (bx, by, bz) = found[parent], found[i]
            if kind not in ("hinge", "universal"):
                found[i] = found[parent]
                continue
            (xx, yx, _), (xy, yy, _), (xz, yz, _) = rows[i]
            u, v, w = bx - ax, by - ay, bz - az
            if kind == "hinge":
                along = yx * u + yy * v + yz * w
                found[i] = [ax + along * yx, ay + along * yy, az + along * yz]
            else:  # all but what is about the third axis
                (_, px, _), (_, py, _), (_, pz, _) = rows[parent]
                x, y, z = xy * pz - xz * py, xz * px - xx * pz, xx * py - xy * px
                along = (x * u + y * v + z * w) / max(x * x + y * y + z * z, 1e-9)
                found[i] = [bx - along * x, by - along * y, bz - along * z]
        turns[:] = found

    def torques(
        self, state: BodyState, turns: Array, lift: float, contacts: Sequence[Contact], pulls: Sequence[Pull] = ()
    ) -> Array:  # fmt: skip
        """Return the torque of each link's joint on it (L, 3), N m.

        turns (L, 3): desired angular accelerations of the links, rad/s2. lift: desired vertical acceleration of the
        centre of mass, m/s2. contacts: where the body is borne; their shares add up to 1. Their places say which
        horizontal acceleration there is: a body on its feet cannot choose both. What the feet cannot hold of a turn
        about the vertical, chest and arms turn less. pulls: what else acts on it, as at its hands.
        """
        body, count = self._kinetics(state), len(turns)
        centre, away = body.centre, body.away
        ends = self._ends @ np.concatenate((turns, state.spins))
        first = _cross(ends, np.concatenate((body.arms, body.arms, body.spun)))
        made = first[: 2 * count] + _cross(ends[2 * count : 4 * count], first[2 * count : 4 * count])
        gained = self._gathering @ made
        own = (body.inertia @ turns[:, :, None])[:, :, 0] + first[4 * count :]
        wrung = (_cross(away, self._masses * gained) + own).sum(axis=0)  # rate of the angular momentum
        up = self._mass * (self._gravity + lift)
        for pull in pulls:
            wrung -= _moment(pull.place - centre, pull.force)
            up -= float(pull.force[2])
        forces, twist = _pushes(contacts, centre, up, wrung)
        most = [FRICTION * f[2] * c.grip for f, c in zip(forces, contacts, strict=True)]
        held = min(max(twist, -sum(most)), sum(most))
        if len(pulls) == 2:
            pulls, twist = _wrung(pulls, twist, held)
            held = min(max(twist, -sum(most)), sum(most))
        if abs(twist - held) > SPUN:
            more = self._gathering @ _cross(self._ends[: 2 * count, :count] @ self._upright, body.arms)
            own_more = (body.inertia @ self._upright[:, :, None])[:, :, 0]
            resisting = float(_cross(away, self._masses * more)[:, 2].sum() + own_more[:, 2].sum())
            less = (held - twist) / resisting
            gained, own = gained + less * more, own + less * own_more
        moments = [held * m / max(sum(most), 1e-9) for m in most]
        mean = self._masses[:, 0] @ gained / self._mass
        return self._carried(state, gained - mean, own, forces, moments, contacts, pulls)

    def _carried(
        self, state: BodyState, gained: Array, own: Array, forces: Sequence[Array], moments: Sequence[float],
        contacts: Sequence[Contact], pulls: Sequence[Pull],
    ) -> Array:  # fmt: skip
        """Return joint torques: of all that hangs on a joint, what its motion needs less what the ground gives."""
        pushed = [*forces, *(pull.force for pull in pulls)]
        needed = self._masses * (gained + sum(pushed) / self._mass)
        turning = _cross(state.coms, needed) + own
        for pull in pulls:
            needed[pull.link] -= pull.force
            turning[pull.link] -= _moment(pull.place, pull.force)
        for f, moment, c in zip(forces, moments, contacts, strict=True):
            needed[c.foot] -= f
            turning[c.foot] -= _moment(c.place, f)
            turning[c.foot, 2] -= moment
            if c.on_toes > 0.0:  # the toes bear it where it is, not where it is to be for the foot to tilt
                toes = min(c.on_toes, c.most_on_toes / max(float(f[2]), 1e-9)) * f
                moved = _moment(c.borne, toes)
                needed[c.foot] += toes
                turning[c.foot] += moved
                needed[c.toes] -= toes
                turning[c.toes] -= moved
        hanging = self._subtree @ np.concatenate((turning, needed), axis=1)
        torque = hanging[:, :3] - _cross(state.origins, hanging[:, 3:])
        torque[0] = 0.0
        return np.asarray(torque)


_FREE = ("free", "spherical")


def _pushes(contacts: Sequence[Contact], centre: Array, up: float, wrung: Array) -> tuple[list[Array], float]:
    """Return the ground's force on each foot (3,), N, and what it has to turn the body with besides, N m.

    Each force points through the centre of mass, but for what changes the angular momentum. centre (3,): of mass, m.
    up: of all of them, N. wrung (3,): rate of the angular momentum about it.
    """
    x, y, z = centre.tolist()
    found = []
    for c in contacts:
        px, py, pz = c.place.tolist()
        load, rise = c.share * up, max(z - pz, LEAST_RISE)
        found.append([load * (x - px) / rise - c.share * wrung[1] / rise,
                      load * (y - py) / rise + c.share * wrung[0] / rise, load])  # fmt: skip
    level = float(np.hypot(sum(f[0] for f in found), sum(f[1] for f in found)))
    held = min(1.0, FRICTION * up / max(level, 1e-9))
    twist = float(wrung[2])
    forces = [np.array((held * f[0], held * f[1], f[2])) for f in found]
    for f, c in zip(forces, contacts, strict=True):
        twist -= (c.place[0] - x) * f[1] - (c.place[1] - y) * f[0]
    if len(contacts) == 2:  # feet apart turn the body by pushing against each other
        apart = contacts[0].place - contacts[1].place
        distance = max(float(np.hypot(apart[0], apart[1])), 0.1)
        spare = COUPLE * FRICTION * min(forces[0][2], forces[1][2])
        pair = min(max(twist / distance, -spare), spare)
        aside = np.array((-apart[1], apart[0], 0.0)) * (pair / distance)
        forces = [forces[0] + aside, forces[1] - aside]
        twist -= pair * distance
    return forces, float(twist)


def _wrung(pulls: Sequence[Pull], twist: float, held: float) -> tuple[list[Pull], float]:
    """Return what pulls at two hands once they take what feet cannot hold of a turn, and what is left of it, N m.

    twist: that the body needs, held: that feet can hold.
    """
    first, second = pulls
    apart = first.place - second.place
    apart[2] = 0.0
    taken = min(max(twist - held, -BY_HANDS), BY_HANDS)
    pair = taken / max(float(apart @ apart), 0.04) * np.array((-apart[1], apart[0], 0.0))
    found = [Pull(first.link, first.place, first.force + pair), Pull(second.link, second.place, second.force - pair)]
    return found, twist - taken


def _moment(place: Array, force: Array) -> tuple[float, float, float]:
    x, y, z = place.tolist()
    u, v, w = force.tolist()
    return y * w - z * v, z * u - x * w, x * v - y * u


_CYCLE = np.array((0, 1, 2, 0, 1))


def _cross(a: Array, b: Array) -> Array:
    """Return the cross products (N, 3) of rows; faster than numpy's for arrays as small as these."""
    p, q = a.take(_CYCLE, axis=1), b.take(_CYCLE, axis=1)
    return np.asarray(p[:, 1:4] * q[:, 2:5] - p[:, 2:5] * q[:, 1:4])
