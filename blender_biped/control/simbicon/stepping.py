"""The torques of a body that steps: poses, balance feedback, and what the ground answers (Yin 2007, 3.2 and 3.3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...base.spatial import Array
from ..shared.contacts import BORNE, ContactLog
from ..shared.controlled_body import ControlledBody
from ..shared.frames import Frames
from ..shared.ground import NO_FORCE, Bearing, Bounds, GroundReaction
from ..shared.instant import Instant, Vector
from ..shared.legs import LEFT, RIGHT
from ..shared.root_torque import Pair
from ..shared.stand import FIRM, IN_AIR, Aim, planted_feet
from ..shared.standing import Feet, tracked_shares
from ..shared.state import BodyState
from .feedback import balance_state
from .fitted import SHARE_STEPS, FittedState
from .gait_sequence import GaitSequence
from .leading import Lead

LANDING = 0.12  # s after a strike for which a foot may be let down from its heel
WALKING_EDGE = 0.6  # share of the sole within which the centre of pressure is held


class GaitStepping:
    """How one body steps. heading: where it shall face, rad."""

    def __init__(
        self, body: ControlledBody, gaits: GaitSequence, feet: Feet, footing: GroundReaction, contacts: ContactLog,
        lead: Lead, width: float,
    ) -> None:  # fmt: skip
        """width: m by which feet are set down farther apart."""
        self._body, self._gaits, self._feet, self._footing = body, gaits, feet, footing
        self._contacts, self._lead = contacts, lead
        self._spread = 0.5 * width / body.character.leg_length
        self._frames = Frames(len(body.character.links), 1)

    def torques(self, now: Instant, heading: float, aim: Aim) -> Array:
        """Return the torque of each link's joint on it (L, 3), world axes, N m. aim: of a body that stands."""
        if self._gaits.machine.state.support in ("planted", "alone"):
            return self._planted(now, aim)
        return self._posed(now, heading)

    def _planted(self, now: Instant, aim: Aim) -> Array:
        """Return the torques of a state in which feet are kept under the body as where it stands."""
        machine, fit = self._gaits.machine, self._gaits.fit
        rows = fit.state(self._gaits.level, machine.index, machine.stance).table.at(machine.phase)
        over = machine.stance if machine.state.support == "alone" else None
        alone = over is not None and machine.state.until != "over"
        aim = replace(aim, onto=over, ankles=True, alone=alone)
        dwell = max(machine.state.dwell, self._body.step)
        return fit.stand.torques(now.state, self._feet, self._footing, aim, now.com, now.velocity, rows, dwell)

    def _posed(self, now: Instant, heading: float) -> Array:
        """Return the torques of a state that goes through its poses."""
        machine, fit, loads, state = self._gaits.machine, self._gaits.fit, self._feet.loads, now.state
        weight, stance = self._body.weight, machine.stance
        both = machine.state.support == "both"
        fitted = fit.state(self._gaits.level, machine.index, stance)
        self._frames.follow(state, now.command.turn, heading)
        bases, dwell = fit.bases[stance], max(machine.state.dwell, self._body.step)
        reference = self._frames.reference(bases, fitted.table.at(machine.phase), dwell)
        places = balance_state(state, self._body.legs, stance, both, heading, now.com, now.velocity)
        self._feed_back(reference, fitted, places)
        tracking = fit.tracker.torques(state, reference)
        if fit.anticipation:
            place = machine.index, stance
            fit.anticipation.add(tracking, self._frames.matrices, state.time, place, machine.time, fit.gait.soft)
        if fit.physique and not both:
            self._carry(tracking, state, heading, now.com, fit.physique.carried)
        bears = None if both else stance
        weights = bearing_shares(loads, weight, bears, fit.gait.leading.sharing)
        torque = fit.assembled(tracking, weights, tracked_shares(weights, 1.0))
        planted = planted_feet(self._feet.now, weight, bears)
        torque = fit.corrected(state, torque, weights, stance, planted, machine.index)
        landing = state.time - self._contacts.last_strike < LANDING
        # A leg that swings is not held to the ground, though its foot may still touch it.
        bearing = weights if both else (1.0 - stance, float(stance))
        left, right = (b if load > BORNE * weight else 0.0 for b, load in zip(bearing, loads, strict=True))
        bounds = Bounds(WALKING_EDGE, fit.hip_limit, now.command.turn)
        self._footing.limit(torque, state, NO_FORCE, Bearing((left, right), loads, landing), bounds)
        return torque

    def _carry(self, tracking: Array, state: BodyState, heading: float, com: Vector, share: float) -> None:
        """Give the pelvis, in place, a share of the roll torque that carries the weight beside the stance hip.

        tracking (L, 3): N m, world. com: m. share: 0..1.
        """
        if share <= 0.0:
            return
        character = self._body.character
        leg = self._body.legs[self._gaits.machine.stance]
        own = character.masses[leg.span]
        whole = character.mass
        x, y, _ = whole * np.array(com) - own @ state.coms[leg.span] - (whole - own.sum()) * state.origins[leg.thigh]
        c, s = math.cos(heading), math.sin(heading)
        roll = share * self._body.weight / whole * float(y * c - x * s)
        tracking[0] += (roll * c, roll * s, 0.0)

    def _feed_back(self, reference: Array, fitted: FittedState, places: tuple[Pair, Pair]) -> None:
        """Add the balance feedback (3.3) and what leads the walk (7.2) to ``reference`` (L, 3, 4), in place.

        places: d and v of equation 1.
        """
        stance, phase = self._gaits.machine.stance, self._gaits.machine.phase
        swing_thigh = self._body.legs[1 - stance].thigh
        bases, frames = self._gaits.fit.bases[stance], self._frames.matrices
        distance, velocity = places
        for link in fitted.links:
            angles = list(fitted.table.angle(phase, link))
            for row in fitted.feedback:
                if row.link == link:
                    angles[row.axis] += row.angle(phase, distance[row.lateral], velocity[row.lateral])
            if link == swing_thigh:
                forward, aside = self._lead.offset
                angles[1] += forward  # a hip that is bent less lets the body fall ahead
                angles[0] -= aside
                angles[0] += self._spread if stance == RIGHT else -self._spread
            np.matmul(frames[bases[link]], _turned(*angles), out=reference[link, :, :3])


def bearing_shares(loads: Sequence[float], weight: float, stance: int | None, sharing: float) -> Pair:
    """Return how the hips (left, right) share the root torque, in steps of 1 / SHARE_STEPS; IN_AIR where no foot bears.

    loads: under the feet, N. weight: of the body, N. stance: the leg that a state stands on; None for both alike.
    sharing: how much of the share that a loaded swing leg bears its hip takes.
    """
    firm = FIRM * weight
    left, right = (load if load > BORNE * weight else 0.0 for load in loads)
    if left + right <= 0.0:
        return IN_AIR
    if stance is not None and loads[stance] > firm:
        left, right = (left, sharing * right) if stance == LEFT else (sharing * left, right)
    bears = min((left + right) / firm, 1.0) / (left + right)  # no ground, nothing to push against
    return round(SHARE_STEPS * bears * left) / SHARE_STEPS, round(SHARE_STEPS * bears * right) / SHARE_STEPS


def _turned(roll: float, pitch: float, yaw: float) -> Array:
    """Return the matrix Rz(yaw) Ry(pitch) Rx(roll) (3, 3)."""
    cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    rows = (
        cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,
        sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,
        -sp, cp * sr, cp * cr,
    )  # fmt: skip
    return np.array(rows).reshape(3, 3)  # faster than of rows
