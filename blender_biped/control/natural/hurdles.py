"""Steps over what is across the way: the leg's way is searched before its swing, and followed from where the hip is."""

from __future__ import annotations

import cmath
import math

import numpy as np

from ...base.curves import eased, gently
from ...base.spatial import Array, nearest_rotations
from ...character.model import Character
from ..shared.legs import LEFT, Leg
from ..shared.state import BodyState
from ..shared.steering import Command
from .legway import SAMPLES, Bar, LegWay, Limb, Search, guessed
from .limb import drop, leg_turns, pitched, turn_rate, yawed
from .planner import Plan
from .settings import Settings
from .sole import Sole
from .stairs import Climb
from .strides import Moment, between
from .swing import Swing, Target, searched

APART = 0.05  # m that the swing foot's ankle keeps from the line of the stance foot
LEAD = 0.04  # s by which the foot is led ahead: so late is what a leg does of what it shall
STRAIGHT = 0.985  # of the leg with which the foot lands
ENDS = 0.2  # share of the swing at its begin and end over which the foot turns from, and to, the ground
SOFT, FASTEST = 0.015, 20.0  # s in which rates are felt, rad/s of them


def limb_of(character: Character, leg: Leg, side: int) -> Limb:
    """Return what of a leg has to pass over an obstacle. side: LEFT or not."""
    thigh, shin = (character.links[i].shape.radius for i in (leg.thigh, leg.shin))
    knee, ankle = character.joint_ranges(leg.shin), character.joint_ranges(leg.foot)
    free = (-math.pi, math.pi)
    return Limb(
        leg.thigh_length, leg.shin_length, leg.ankle_height, leg.heel, leg.ball, leg.ball + leg.toe_length,
        leg.half_width, (thigh, shin), (knee[0] if knee else free)[1], ankle[0] if ankle else free,
        1.0 if side == LEFT else -1.0,
    )  # fmt: skip


class OverSwing(Swing):
    """A swing over an obstacle."""

    def __init__(
        self, leg: Leg, side: int, sole: Sole, ankle: Array, heading: float, phase: float, now: Moment, climb: Climb,
        plan: Plan, origin: complex, limb: Limb, ground: float, hip: Array,
    ) -> None:  # fmt: skip
        """hip (3,): of the leg now, m. plan: of the step. origin: the stance foot's anchor, m. ground: its height, m."""
        super().__init__(leg, side, sole, ankle, heading, phase, now)
        assert climb.over is not None
        over = self._over = climb.over
        self._turn = cmath.exp(1j * over.heading)
        self._middle = complex(over.x, over.y) + 0.5 * (over.far - over.near) * self._turn
        self._ground, self._climb = ground, climb
        phases = np.linspace(phase, 1.0, SAMPLES)
        table, frame = plan.table, cmath.exp(1j * plan.frame)
        places = []
        for p in phases.tolist():
            pelvis, com = between(table.pelvis, p), between(table.com, p)
            away = complex(*(pelvis - com)[:2].tolist()) + 1j * limb.side * HIP
            at = self._seen(origin + (complex(between(plan.course.place, p)) + away) * frame)
            places.append((at.real, at.imag, float(pelvis[2])))
        hips = np.array(places)
        own = self._seen(complex(*hip[:2].tolist()))
        now_off = np.array((own.real, own.imag, float(hip[2]) - ground)) - hips[0]
        hips += (np.linspace(1.0, 0.0, SAMPLES)[:, None] ** 2) * now_off
        stands = self._seen(origin)
        ends = self._seen(origin + complex(climb.foothold.arc - climb.arc, limb.side * abs(table.width)) * frame)
        first = self._seen(complex(*ankle[:2].tolist()))
        start = np.array((first.real, first.imag, float(ankle[2]) - ground))
        end = np.array((ends.real, ends.imag, leg.ankle_height))
        time = (1.0 - phase) * table.time
        apart = np.full(SAMPLES, limb.side * stands.imag + APART)
        bar = Bar(0.5 * (over.far - over.near), over.top)
        self._leads = climb.arc < over.near
        search = Search(limb, bar, hips, (start, sole.yaw - over.heading, sole.pitch), (end, 0.0, 0.0), time, apart)
        self.bad, self.way = search.best(guessed(limb, bar, start, end, self._leads))
        self.terms = search.terms
        self._planned_end = ends
        self._lasts: list[Array] | None = None
        self._rates = np.zeros((3, 3))

    def _seen(self, place: complex) -> complex:
        """Return a place of the ground from the obstacle's middle, ahead + i left, m."""
        return (place - self._middle) / self._turn

    def target(
        self, plan: Plan, settings: Settings, origin: complex, wrong: complex, phase: float, left: float,
        command: Command, hip: complex, low: float, haste: float, leg_length: float,
    ) -> Target:  # fmt: skip
        """Return where the foot is set down: where the step has it along the way, aside where it catches the body."""
        found = super().target(plan, settings, origin, wrong, phase, left, command, hip, low, haste, leg_length)
        frame = cmath.exp(1j * plan.frame)
        own = (found.foothold - origin) / frame
        found.foothold = origin + complex(self._climb.foothold.arc - self._climb.arc, own.imag) * frame
        found.share = 1.0
        ankle, (_, _, up) = self._landing(plan, command, found.foothold, left)
        straight = STRAIGHT * self._leg.length
        found.height = math.sqrt(max(straight**2 - abs(ankle - hip) ** 2, (0.6 * straight) ** 2)) + up
        return found

    def refer(
        self, state: BodyState, command: Command, plan: Plan, settings: Settings, target: Target, now: Moment,
        origin: complex, phase: float, rate: float, left: float, haste: float, ground: float, step: float,
        turns: Array, spins: Array, bends: Array,
    ) -> None:  # fmt: skip
        """Fill in what the leg's links do, as a swing's ``refer`` does. ground: of the stance foot."""
        leg = self._leg
        done = min((phase + rate * LEAD - self._begin) / max(1.0 - self._begin, 0.05), 1.0)
        ankle, yaw, bend, pitch = self.way.at(done)
        foothold = self._gliding(target.foothold, step)
        at = self._middle + complex(ankle[0], ankle[1]) * self._turn
        at += float(gently(done)) * (foothold - self._middle - self._planned_end * self._turn)
        up = float(ankle[2]) + ground - searched(phase, haste)
        facing = self._over.heading + yaw
        thigh, shin = leg_turns(leg, state.origins[leg.thigh].tolist(), (at.real, at.imag, up), facing)
        level = yawed(facing)
        free = float(eased(min(done / ENDS, (1.0 - done) / ENDS, 1.0)))
        foot = nearest_rotations((free * shin @ pitched(bend) + (1.0 - free) * level @ pitched(pitch))[None])[0]
        toes = nearest_rotations((free * foot + (1.0 - free) * level @ pitched(min(pitch, 0.0)))[None])[0]
        links = [leg.thigh, leg.shin, leg.foot]
        found = [thigh, shin, foot]
        if self._lasts is None:
            self._rates = state.spins[links].copy()
        else:
            made = np.array([turn_rate(a, b, step) for a, b in zip(found, self._lasts, strict=True)])
            self._rates += min(step / SOFT, 1.0) * (np.clip(made, -FASTEST, FASTEST) - self._rates)
        self._lasts = found
        turns[links], turns[leg.toes] = np.array(found), toes
        spins[links], spins[leg.toes] = self._rates, self._rates[2]
        bends[leg.links] = 0.0


HIP = 0.0875
