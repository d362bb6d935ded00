"""Natural walking: KLAW's steps, walked by joint torques of the whole body (Bruderlin 1988; Coros and others 2010).

Four parts make one torque, as in generalized walking: a motion generator, KLAW (``strides``), footholds by the inverted
pendulum (``course``, ``swing``), the centre of pressure under the soles in place of a virtual force (``sole``),
and the equations of the whole body in place of gravity compensation and the stance hip's torque (``whole_body``).
``planner`` says which step comes next. Standing, starting and stopping are here. What hands do where it stands, and
what they carry on, is in the room ``hands``.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...base.curves import eased, ramp, softly
from ...base.spatial import Array, faced, nearest_rotations, yawed
from ...character.model import Character
from ...preset.keyed import Keyed
from ...preset.preset import Track
from ...world.course import Crossed
from ...world.floor import Floor
from ...world.path import Path
from ...world.treads import Treads
from ..shared.contacts import ContactLog
from ..shared.controller import Controller
from ..shared.ducking import Ducking
from ..shared.grips import Grip
from ..shared.legs import LEFT, RIGHT, Leg, legs_of
from ..shared.limb import lean, leg_turns
from ..shared.sole import EDGE, Sole, pressed, sole_of, toe_drops
from ..shared.standing import Feet, Mode, StandingMachine
from ..shared.state import BodyState
from ..shared.steering import Command, SteeringSettings
from ..shared.tracking import missing_turn
from ..shared.whole_body import LEAST_RISE, Contact, WholeBody
from .course import begun, rolled
from .hands.hands import Hands
from .hands.tasks import HandTask
from .hands.working import hands_of
from .leg_way import limb_of
from .over import OverSwing
from .planner import FLAT_SPEED, Plan, Planner
from .relief import Relief, ReliefSwing
from .settings import Settings, read_settings
from .stairs import (
    HANDED,
    STAIR_SPEED,
    Climb,
    Stairs,
    StairSwing,
    Stance,
    climbing,
    handing_over,
    level_stance,
    rises,
)
from .strides import Moment, StepTable, between, on_ball
from .swing import REACH, Step, Swing, Target

GAINS: Mapping[str, tuple[float, float, float]] = {
    "pelvis": (200.0, 28.0, 400.0), "abdomen": (200.0, 28.0, 400.0), "chest": (200.0, 28.0, 400.0),
    "head": (200.0, 28.0, 400.0), "upper_arm": (150.0, 24.0, 400.0), "forearm": (150.0, 24.0, 400.0),
    "hand": (200.0, 28.0, 400.0), "thigh": (450.0, 42.5, 400.0), "shin": (450.0, 42.5, 400.0),
    "foot": (1300.0, 72.0, 1200.0), "toes": (6000.0, 150.0, 6000.0),
}  # fmt: skip
"""Of each part: 1/s2 and 1/s, by which a turn that is missing is made up, and the most of that, rad/s2."""
UPPER = ("chest", "head", "upper_arm", "forearm", "hand")
CARRIED = ("abdomen", *UPPER)
"""The parts that are carried as the style has them where it stands."""
SWIVEL = 0.3
"""The parts that turn back to their heading that much less hard than they lean: feet hold little of a turn."""
HEIGHT = (250.0, 30.0), (600.0, 46.0)  # 1/s2, 1/s: how hard the hips are kept at their height, and firmly
LIFT = (-0.45, 0.8)  # of gravity: least and most that they are accelerated by: in free fall nothing would hold the body
LOWEST = 0.04  # m that they are lowered by at most to reach a foothold
LOWEST_RELIEF, LOWERING_RELIEF = 0.1, 0.3  # m, likewise where the ground is not flat, and the phase from which they are
STEPS_DOWN = 0.02  # m from one foot to the next from which a body steps down there
LOWEST_OVER = 0.1  # m, likewise, to reach one behind an obstacle
OVER_EDGE = 0.9  # of the half width within which a foot is pressed near an obstacle, where steps are long
MOST_RAISED = 0.08  # m that they are raised by at most for an ankle to bend no farther than it can
YIELDING, STIFF = 0.04, 0.08  # rad short of that, from which the heel comes up, and from which the hips are raised
SAG = 0.35  # m that they are carried lower for each m that they are behind the centre of mass of body and load
STRAIGHT = 0.997  # of a leg: longer, its knee is all but straight
PUSHING_STRAIGHT = 0.985  # likewise, of a body that leans on its hands: its hips are far ahead of its feet
LOWERING = 0.6  # phase from which they are
SETTLING = 0.1  # s in which what differs from the style's height goes
TIPPING = (0.3, 0.02, 0.03)  # m/rad, m s/rad, m: how far ahead a foot that is to tilt is pressed, and the most
TOES = (0.2, 0.015, 0.004)  # share of the load that toes take over what they bear, s in which more, and less, is felt
FLICKING = 8.0  # rad/s that a torque turns toes by at most, and feet about where they point
RELIED = 1.2  # times the load that a foot bears, that its toes may be pressed with their share of
PACE = (0.75, 1.3)  # how much slower and faster than planned a step goes on
CATCHES, HASTE = (0.35, 0.2), 1.8  # m ahead and aside that a step catches; how much a body that is off hurries it
UPSET = (0.15, 0.3), (0.12, 0.22)  # m ahead and aside that it is off by as it begins to be upset, and is so in full
RECOVERING = 0.5  # s in which a body that was upset is calm again
LOWEST_UPSET, LOWERING_UPSET = 0.12, 0.2  # m that its hips are lowered by at most, and the phase from which they are
SHORTER = 0.015  # of a leg that bears it: how much shorter than straight that is kept
CROUCH, SLOW = 0.04, 0.5  # m that hips are lowered by in haste where they are high, m/s under which they are
DUE = 0.1  # s within which a foot that is due shall be down
BOBS = 1.2  # times as fast as planned the body goes up and down at most, or it would leave the ground
HASTY = 0.35  # of the weight that a foot behind still bears as it is lifted in haste
CALMING = 0.3  # s in which a body that was in haste is calm again
ROCKING = 0.03  # rad of heel down from which a foot rolls on it
ROLLING_DOWN = (120.0, 4.0, 60.0)  # N m/rad, N m s/rad, N m at most: how it is held as it rolls down
HEEL_DOWN = (0.03, 0.09)  # m behind its course, from which a body that goes on its toes comes down, and is on its heel
LATE = (0.03, 0.09)  # rad heel down more than planned, from which a foot is late to come down, and in full
STEADY = 0.3  # m/s under which a body counts as that fast, for its pace
FREE, LADEN = 0.04, 0.3  # of the weight: under which a foot behind has unloaded, and must not stand on its tip
AIRBORNE = 0.03  # of the weight, under which nothing bears the body
ON_TIP = 1.15  # rad of a foot that stands on its tip
STRIKE_LOAD = 0.03  # of the weight, over which a swing foot has landed
STRIKE_PHASES = (0.7, 0.93, 1.5)  # from which a touch near the foothold, any touch, and no touch at all is a strike
NEAR = 0.1  # m that is near
HANDOVER = (0.12, 0.15, 0.4)  # first share of the foot in front, and how far balance takes it below and above the plan
TAKING = 0.2  # of the weight that a foot bears, from which it is pressed wherever, and in haste with all of it
QUICKER = 0.2  # m/s that a step is quicker than the one before, from which its heel behind is raised from where it is
RENEWED = (0.35, 0.6, 0.8)  # phases at which the next step is planned anew
EARLY = 2  # steps that are the first ones
STEPPING = 0.1  # share of bending from which no step would save a body
STANDING = 0.006  # m that it stands lower than on straight legs
RELAXING = 0.35  # s in which it comes to stand upright from how it walked
BEARING = 0.04  # of the weight: a foot that bears less is held where it stands
HOLD = 1.5  # how hard a standing body is pushed back to between its feet
ASIDE = 0.3  # share of its way to the left, from which its left foot steps first: the other one would be in its way
ONTO, LEANING, PATIENCE = 0.8, 0.06, 0.45  # share of the way to the stance foot, m ahead, s: how a walk begins
REPLANNED = 0.0125  # s after which the first step is planned anew while the weight is shifted
STRAIGHTENING = (1.2, 1.4, 0.0166)  # m/s from which, and to which, knees are less soft, m: quick steps yield anyway
SHIFTING = 0.2  # s that the weight is shifted at least: a foot that is lifted sooner throws the body, and it slides
WITHIN = 0.01  # m: a step can begin once the stance foot can hold it but for this
ROOM = (0.9, 0.7)  # of heel and half width: where a first stance foot is pressed at most
LEVEL = 0.2  # rad that soles may be tilted by for a body to stand
STOP_LEFT, STOP_SPEED, STOP_LOAD = 0.1, 0.2, 0.2  # m of path, m/s, share of the weight under either foot: it can stand
EASING = 0.9  # phase from which legs of a body in haste no more brake as the style has it
HOLDING = 2  # control steps for which what the links shall do goes on as it was found, where the body is calm
STOP_BETWEEN, STOP_AHEAD = 0.15, 0.3  # share of the way between the feet, of the sole: how well it must be between


@dataclass(slots=True)
class Desired:
    """What the links shall do now, world axes.

    turns (L, 3, 3): their orientations. spins (L, 3): their rates, rad/s. bends (L, 3): accelerations that these have,
    rad/s2, None where there are none. lift: vertical acceleration, m/s2. contacts: how the feet are pressed.
    down: which feet are on the ground: their legs carry the body as it needs, but for the pitch of a leg behind.
    pitch, pitching: of the stance foot, heel up, rad, and its rate, rad/s.
    """

    turns: Array
    spins: Array
    bends: Array | None
    lift: float
    contacts: Sequence[Contact]
    down: tuple[bool, bool]
    pitch: float = 0.0
    pitching: float = 0.0


class NaturalWalk(Controller):
    """One character's walk. Call ``torques`` once each control step."""

    def __init__(
        self, character: Character, values: Mapping[str, Any], gravity: float, step: float, ground: float = 0.0,
        keyed: Mapping[str, Track] | None = None, hand_tasks: Sequence[HandTask] = (),
        stairs: tuple[Treads, Path] | None = None, hurdles: Sequence[Crossed] = (),
        lintels: Sequence[Crossed] = (), floor: Floor | None = None,
    ) -> None:  # fmt: skip
        """Take a preset's values. gravity: m/s2. step: s between calls. ground: height of the floor, m.

        hand_tasks: what hands do on the way. hurdles, lintels: what is to be stepped over, and ducked under.
        stairs: the treads of the way, and the path, where it is not level or there are hurdles. floor: the ground where
        it is neither level nor made of treads.

        character: of reference size (see ``similarity``). keyed: numbers that change along the walk. Raises DataError
        naming a wrong field.
        """
        self.character = character
        self._keyed = Keyed(read_settings(values), keyed or {})
        self.settings: Settings = self._keyed.at(0.0)
        self._gravity, self._step, self._ground = gravity, step, ground
        self._weight, self._legs = character.mass * gravity, legs_of(character)
        self._shares = character.masses / character.mass
        self._drops = toe_drops(character, self._legs)
        self._contacts = ContactLog(self._weight)
        self.strikes, self.lifts = self._contacts.strikes, self._contacts.lifts
        self._bends = [_dorsiflexion(character, leg) for leg in self._legs]
        self._feet = Feet(character, self._legs, gravity, step, ground)
        self._machine = StandingMachine(character, self._feet, gravity)
        self._planner = Planner(character, self._legs, self.settings, gravity)
        self._body = WholeBody(character, gravity)
        rows = np.array([GAINS[link.part] for link in character.links])
        swivels = [SWIVEL if k.part in UPPER else 1.0 for k in character.links]
        self._swivels = np.array([(1.0, 1.0, swivel) for swivel in swivels])
        self._free = [i for i, k in enumerate(character.links) if k.part in CARRIED]
        self._held = np.tile(np.eye(3), (len(rows), 1, 1))
        self._kp, self._kd, self._most = (rows[:, k, None] for k in range(3))
        self.stance, self.phase = LEFT, 0.0
        self._rate, self._haste, self._saves = 1.0, 0.0, False
        self._plan: Plan | None = None
        self._swing: Swing | None = None
        self._target: Target | None = None
        self._renewals: list[float] = []
        self._bearing = [0.0, 0.0]
        self._raised, self._lowered, self._height, self._firm = 0.0, 0.0, 0.0, 0.0
        self._lacking = self._wrong = 0j
        self._due = 0.0  # s, when the first step is planned anew
        self._upset = 0.0
        self._over_hips = 0.0
        self._struck, self._flatter = 0j, 0.0
        self._desired: Desired | None = None
        self._since = 0.0  # s, since it was found
        self._ahead: list[float] = []
        self._stood: list[tuple[float, float, float] | None] = [None, None]
        self._soles: list[Sole] = []
        self._handling = hands_of(character, hand_tasks, ground, step, stairs is not None) if hand_tasks else None
        self._chest = character.index("chest" if character.has("chest") else "pelvis")
        self._arc = 0.0
        self._stairs = Stairs(*stairs, self._legs, hurdles) if stairs is not None else None
        self._climb: Climb | None = None
        self._ducking = Ducking(lintels, character, hurdles) if lintels else None
        self._stances = [
            Stance(leg, character.stand_height - leg.ankle_height - leg.length, bends)
            for leg, bends in zip(self._legs, self._bends, strict=True)
        ]
        self._limbs = [limb_of(character, leg, side) for side, leg in enumerate(self._legs)] if hurdles else []
        self._relief = Relief(floor, self._legs) if floor is not None else None
        self._planner.toes = self._planner.toes and floor is None  # slopes are walked on whole soles
        self._leans = [(i, 1.0) for i in self._free] if floor is not None else []
        self._under = [ground, ground]
        if self._stairs is not None:
            self._ground = self._feet.ground = self._stairs.first
            self._under = [self._ground, self._ground]

    @property
    def mode(self) -> Mode:
        """Whether it stands, shifts its weight, or walks."""
        return self._machine.mode

    @property
    def busy(self) -> bool:
        """Whether its hands have something to do where it stands."""
        return self._handling is not None and self._handling.due(self._arc)

    @property
    def fastest(self) -> Mapping[tuple[int, int], float]:
        """How fast torques turn toes, and feet about where they point, at most, rad/s."""
        return {axis: FLICKING for leg in self._legs for axis in ((leg.toes, 1), (leg.foot, 0))}

    @property
    def grips(self) -> tuple[Grip, ...]:
        """What its hands hold now."""
        return self._handling.grips if self._handling is not None else ()

    @property
    def _pushing(self) -> bool:
        """Whether hands move something over the ground."""
        return self._handling is not None and self._handling.moving

    @property
    def _laden(self) -> bool:
        """Whether hands carry something."""
        return self._handling is not None and self._handling.load > 0.0

    @property
    def _goes_over(self) -> bool:
        """Whether its swing foot goes over an obstacle."""
        return self._climb is not None and self._climb.over is not None

    @property
    def _on_toes(self) -> bool:
        """Whether it walks on its toes now: what bears, the ankle's place included, is up to the leg then."""
        return self._plan is not None and self._plan.table.on_toes

    @property
    def facing(self) -> float:
        """Where it faces, rad to the left of where it travels."""
        return -self.settings.direction

    @property
    def steering(self) -> SteeringSettings:
        """The settings of its steering now."""
        return self.settings.steering

    def desired_speed(self, speed: float) -> float:
        """Return the speed, m/s, to walk at where the job desires ``speed``: slower with what hands move."""
        if self._stairs is not None:
            speed = min(speed, self._stairs.fastest(self._arc, self.steering.braking))
            if self._climb is not None and self._stairs.crossed(self._arc):
                speed = min(speed, self._climb.speed)
        if self._relief is not None:
            speed = min(speed, self._relief.fastest)
        return min(speed, self._handling.fastest) if self._handling is not None else speed

    def torques(self, state: BodyState, command: Command) -> Array:
        """Return the torque of each link's joint on it (L, 3), world axes, N m."""
        if self._handling is not None and self._handling.moving:
            speed = command.speed if self.walking else 0.0
            self._handling.press(state, self._moving, command.heading, speed)
        elif self._handling is not None and self._handling.bears:
            state, masses = self._handling.laden(state)
            self._shares = masses / masses.sum()
            self._body.weigh(masses)
        if self._ducking is not None:
            command = self._ducking.command(command, state)
        if self.settings.direction:
            command = replace(command, heading=command.heading - self.settings.direction)
        self._feel(state, command)
        if self.walking:
            self._advance(state, command)
        else:
            self._set_off(state, command)
        if self._handling is not None:
            self._handle(self._handling, state, command)
        self._since += self._step
        if self._desired is None or self._since > (HOLDING - 0.5) * self._step or not self._calm:
            self._desired = self._stepping(state, command) if self.walking else self._standing(state, command)
            self._since = 0.0
        found = self._driven(state, self._desired, self._since)
        if self.walking:
            self._roll_on_heel(state, self._desired, found)
        return found

    @property
    def _calm(self) -> bool:
        """Whether its desired motion may be held: nothing is in its way, and it is on its course."""
        if self._stairs is not None or self._handling is not None or self._ducking is not None or self._on_toes:
            return False
        return self._relief is None and not self._catches and self.settings.captured is None

    def _feel(self, state: BodyState, command: Command) -> None:
        """Take in where the body is, how it moves and how its feet are borne."""
        x, y, z = (self._shares @ state.coms).tolist()
        u, v, w = (self._shares @ state.velocities).tolist()
        self._place, self._moving, self._rising = complex(x, y), complex(u, v), w
        if self._handling is not None:
            self._place -= self._handling.shift
        self._speed = math.sqrt(u * u + v * v + w * w)
        if self._relief is not None:
            self._ground = self._feet.ground = self._relief.feel(state, command.heading)
            self._planner.quick = self._relief.quick
        self._frequency = self._planner.frequency(z - self._ground)
        self._over_hips = z - float(state.origins[0, 2])
        self._feet.feel(state)
        self._planner.feel(state.time, command)
        _, loading, unloading = TOES
        for side, leg in enumerate(self._legs):
            toes, foot = float(state.loads[leg.toes]), float(state.loads[leg.foot])
            bears = toes / max(toes + foot, 0.05 * self._weight)
            memory = loading if bears > self._bearing[side] else unloading  # free toes flick at what would hold a load
            self._bearing[side] += (bears - self._bearing[side]) * min(self._step / memory, 1.0)
        if self._relief is None:
            self._soles = [
                sole_of(state, leg, drop, bears)
                for leg, drop, bears in zip(self._legs, self._drops, self._bearing, strict=True)
            ]
        else:
            self._soles = [
                self._relief.sole(side, state, self._drops[side], self._bearing[side]) for side in (LEFT, RIGHT)
            ]
            self._under = [lie.at(sole.anchor) for lie, sole in zip(self._relief.lies, self._soles, strict=True)]
        if self._stairs is not None:
            self._arc = command.arc
            self._stairs.feel(command.arc)
            for side, sole in enumerate(self._soles):
                if side == self.stance or self._swing is None:
                    self._stairs.held(sole, self._stairs.arc(sole.anchor))

    def _handle(self, handling: Hands, state: BodyState, command: Command) -> None:
        """Let hands do what they do where it stands."""
        self._arc = command.arc
        handling.props, handling.ground = self.props, self._ground
        middles = [sole.middle(leg) for sole, leg in zip(self._soles, self._legs, strict=True)]
        stands = self._machine.mode == "stand" and (self.resting or self.busy)  # what it pulls is at its start
        handling.feel(state, stands, self._speed, command.arc, 0.5 * (middles[0] + middles[1]), command.heading)

    # -- standing

    def _set_off(self, state: BodyState, command: Command) -> None:
        """Shift the weight and begin to walk, where a standing body shall, or must so as not to topple."""
        machine, stance = self._machine, RIGHT if self.settings.way.imag > ASIDE else LEFT
        if self._handling is not None and self._handling.pulling:
            stance = self._handling.first_stance(stance)
        if machine.mode == "stand" and self.resting and not command.onward:
            com = (self._place.real, self._place.imag, float(self._shares @ state.coms[:, 2]))
            saved = self._feet.saving_stance(
                state, command.heading, com, (self._moving.real, self._moving.imag, self._rising)
            )
            if saved is None or (self._handling is not None and self._handling.squats > STEPPING):
                return
            stance = saved
        elif machine.mode == "stand":
            if command.left <= STOP_LEFT:
                return
            machine.enter("shift", state.time)
        since = state.time - machine.since
        if machine.mode == "shift" and since > 0.0 and state.time < self._due:
            return
        self._due = state.time + REPLANNED
        self._begin(state, command, stance, first=True)
        shifted = since > SHIFTING and abs(self._lacking.imag) < WITHIN
        if machine.mode == "stand" or shifted or since > PATIENCE:
            machine.enter("walk", state.time)
            self._lift(state, command)

    def _standing(self, state: BodyState, command: Command) -> Desired:
        """Return what the links shall do to keep it between its feet, or bring it over the first stance foot."""
        middles = [sole.middle(leg) for sole, leg in zip(self._soles, self._legs, strict=True)]
        goal = 0.5 * (middles[0] + middles[1])
        if self._machine.mode == "shift":
            onward = self.settings.way * cmath.exp(1j * command.heading)
            goal += ONTO * (middles[self.stance] - goal) + LEANING * onward
        elif self._handling is not None:
            goal += self._handling.ahead * cmath.exp(1j * command.heading)
        capture = self._place + self._moving / self._frequency
        pressure = capture + HOLD * (capture - goal)
        left = min(max(((pressure - middles[1]) / (middles[0] - middles[1])).real, 0.03), 0.97)
        rest = pressure - (left * middles[0] + (1.0 - left) * middles[1])
        contacts = [
            self._pressed(state, side, middles[side] + rest, share, 0.0, 0.0)
            for side, share in enumerate((left, 1.0 - left))
        ]
        goes = min(self._since / RELAXING, 1.0)
        ground = self._ground if self._relief is None else min(self._under)
        height = self._planner.strides.standing + ground - STANDING
        self._height += (height - self._height) * (goes if self._height else 1.0)
        if self._handling is not None and self._handling.pulling:
            self._height = min(self._height, self._stretched(state))  # it still leans: its hips are far from its feet
        facing = yawed(command.heading)
        turns = np.tile(facing, (len(self._kp), 1, 1))
        self._held += (self._planner.strides.posture - self._held) * goes
        turns[self._free] = facing @ nearest_rotations(self._held[self._free])
        if self._relief is not None:
            for leg, lie in zip(self._legs, self._relief.lies, strict=True):
                turns[leg.foot] = turns[leg.toes] = lie.turn @ facing
        spins = np.zeros((len(turns), 3))
        lower, rising = 0.0, self._rising
        if self._handling is not None:
            lower = self._handling.bend(turns, spins, command.heading)
            rising = float(state.velocities[0, 2]) + self._handling.sinking if lower else rising
            self._handling.arms(state, command.heading, turns, spins, self._chest)
        kp, kd = HEIGHT[0]
        low, high = LIFT
        lift = kp * (self._height - lower - float(state.origins[0, 2])) - kd * rising
        lift = min(max(lift, low * self._gravity), high * self._gravity)
        down = self._kept_in_place(state, turns)
        return Desired(turns, spins, None, lift, contacts, down)

    def _kept_in_place(self, state: BodyState, turns: Array) -> tuple[bool, bool]:
        """Keep a foot that bears nothing where it stood, or it would drift away; return which feet bear the body.

        turns (L, 3, 3): desired orientations, changed in place.
        """
        bearing = [True, True]
        for side, leg in enumerate(self._legs):
            stood = self._stood[side]
            if self._feet.now[side] > BEARING * self._weight or stood is None:
                x, y, _ = state.origins[leg.foot].tolist()
                self._stood[side] = (x, y, self._under[side] + leg.ankle_height)
                continue
            hip, yaw = state.origins[leg.thigh].tolist(), self._soles[side].yaw
            turns[leg.thigh], turns[leg.shin] = leg_turns(leg, hip, stood, yaw)
            if self._relief is None:
                turns[leg.foot] = turns[leg.toes] = yawed(yaw)
            bearing[side] = False
        return bearing[0], bearing[1]

    @property
    def _catches(self) -> bool:
        """Whether it has to catch itself, and no time for what can wait."""
        return self._haste > 0.0 or self._upset > 0.0

    @property
    def _light(self) -> bool:
        """Whether the foot that has struck bears all but nothing yet: its leg holds it there, or it would slide."""
        if self._swing is not None or self._climb is not None or self._on_toes or not self.strikes:
            return False
        return not self._catches and self._feet.now[self.stance] < BEARING * self._weight

    def _can_stop(self, command: Command) -> bool:
        """Return whether it shall stop, and can stand on both feet now."""
        assert self._plan is not None
        if not self._plan.stops and (command.left >= STOP_LEFT or command.speed > STOP_SPEED):
            return False
        if min(self._feet.loads) < STOP_LOAD * self._weight or max(abs(s.pitch) for s in self._soles) > LEVEL:
            return False
        left, right = (sole.middle(leg) for sole, leg in zip(self._soles, self._legs, strict=True))
        capture = self._place + self._moving / self._frequency
        share = ((capture - right) / (left - right)).real
        ahead = ((capture - 0.5 * (left + right)) / cmath.exp(1j * command.heading)).real
        sole = min(leg.ball - leg.heel for leg in self._legs)  # what is beyond it topples, however slowly
        return STOP_BETWEEN < share < 1.0 - STOP_BETWEEN and abs(ahead) < STOP_AHEAD * sole

    # -- steps

    def _begin(self, state: BodyState, command: Command, stance: int, first: bool = False) -> None:
        """Begin a step on a stance foot."""
        own = self._keyed.at(state.time)
        if own is not self.settings:
            self.settings = own
            self._planner.follow(own)
        self.stance, self._swing, self._target, self._desired = stance, None, None, None
        last, self._climb = None if first else self._climb, None
        if self._stairs is not None:
            self._under[stance] = self._stairs.height(self._stairs.arc(self._soles[stance].anchor))
            self._ground = self._feet.ground = self._under[stance]
        if self._relief is not None:
            sole = self._soles[stance]
            self._relief.lies[stance] = self._relief.under(stance, sole.anchor, sole.yaw)
        place = complex(*state.origins[0, :2].tolist())
        if first or self._plan is None:
            self._planner.forget(state.time, place)
            self._saves = self._machine.mode == "stand"
            plan = self._planner.first(command, stance, saving=self._saves)
            self.phase = plan.table.double
            frame, leg = cmath.exp(1j * plan.frame), self._legs[stance]
            here = (self._place - self._soles[stance].anchor) / frame, self._moving / frame
            heel, half = ROOM[0] * leg.heel, ROOM[1] * leg.half_width
            room = complex(heel, -half), complex(leg.ball, half)
            plan.course, self._lacking = begun(
                self._planner.pendulum, plan.course, plan.tables, stance, self.phase, here, room
            )
        else:
            self._saves, self._struck = False, self._soles[stance].anchor
            self._planner.learn(state.time, place, self._led())
            climbs = self._climbed(command, stance, last)
            plan = climbs or self._planner.step(command, stance, self._plan, len(self.strikes) < EARLY)
            self.phase = 0.0
        self._ahead.clear()
        self._firm = 0.0 if first else 1.0
        self._flatter = 0.0
        quicker = not first and self._plan is not None and plan.speed > self._plan.speed + QUICKER
        if quicker and self._climb is None and not self.settings.backs and not plan.table.on_toes:
            # A heel that were raised all at once to where the quicker step has it would throw the body off its foot.
            tilted = self._soles[1 - stance].pitch - float(plan.table.at(0.0).pitches[1 - stance])
            self._flatter = min(tilted, 0.0)
        self._plan, self._renewals = plan, list(RENEWED) if self._climb is None else []
        target, _, _ = self._carried(self.phase, *between(plan.table.rows, self.phase)[:3].tolist())
        self._raised = (self._height or float(state.origins[0, 2])) - (target - self._sunk(state))
        self._lowered = 0.0  # that is in it

    def _led(self) -> float:
        """Return how much farther ahead soles were pressed in the step that ends than its course has it, m.

        None of it counts where the body was in haste, or on stairs: that is no error of each step alike.
        """
        if self._haste > 0.0 or not self._ahead:
            return 0.0
        return (1.0 + self.settings.sole_ahead) * sum(self._ahead) / len(self._ahead)

    def _climbed(self, command: Command, stance: int, last: Climb | None) -> Plan | None:
        """Return a step on stairs; None where it is one as on level ground. last: the step before it, if on stairs."""
        if self._stairs is None:
            return None
        arc = self._stairs.arc(self._soles[stance].anchor)
        near = self._stairs.crossed(arc)  # it is slow there, because steps over obstacles are
        length = self._planner.level_length(STAIR_SPEED if near else min(command.speed, STAIR_SPEED))
        begin = self._stairs.arc(self._soles[1 - stance].anchor)
        climb = self._stairs.climb(arc, self._under[1 - stance], length, rises(last)[3] if last else 0.0, begin)
        if climb.flat:
            return None
        self._climb = climb
        after = self._stairs.climb(climb.foothold.arc, climb.own, length, rises(climb)[3], arc)
        onward = None
        if not after.flat and (after.over is not None or climb.over is not None):
            onward = self._fitted(command, 1 - stance, after).course
        plan = self._fitted(command, stance, climb)
        plan.next = onward or plan.next  # before long steps over obstacles, the foot is set down for theirs
        left, right = (level_stance(table, side) for side, table in enumerate(plan.tables))
        plan.tables = left, right
        return plan

    def _fitted(self, command: Command, stance: int, climb: Climb) -> Plan:
        """Return the plan of a step on stairs, or over an obstacle."""
        ahead = climb.foothold.arc - climb.arc
        ducking, over_hips = self._ducking, self._over_hips

        def shaped(table: StepTable, side: int) -> StepTable:
            if ducking is None or not ducking.share:
                return climbing(table, side, climb, ahead, self._stances[side])
            upright = float((table.com - table.pelvis)[:, 2].mean())  # a body that is bent falls faster
            sunk = ducking.lower + max(upright - over_hips, 0.0)
            return climbing(table, side, climb, ahead, self._stances[side], ducking.lower, sunk)

        return self._planner.fitted(command, stance, climb.speed, HANDED, shaped)

    def _lift(self, state: BodyState, command: Command) -> None:
        """Let the foot behind swing."""
        assert self._plan is not None
        side = 1 - self.stance
        leg, sole = self._legs[side], self._soles[side]
        now = self._plan.table.at(self.phase)
        if self._stairs is not None and self._climb is not None and self._climb.over is not None:
            self._swing = OverSwing(
                leg, side, sole, state.origins[leg.foot], command.heading, self.phase, now, self._climb,
                self._climb.over, self._plan, self._soles[self.stance].anchor, self._limbs[side],
                self._under[self.stance], state.origins[leg.thigh], float(self.character.offsets[leg.thigh][1]),
                self._ducking.share if self._ducking is not None else 0.0,
            )  # fmt: skip
        elif self._stairs is not None and self._climb is not None:
            self._swing = StairSwing(
                leg, side, sole, state.origins[leg.foot], command.heading, self.phase, now, self._climb, self._stairs,
                self._stairs.arc(sole.anchor), self._bends[side],
            )  # fmt: skip
        elif self._relief is not None:
            self._swing = ReliefSwing(
                leg, side, sole, state.origins[leg.foot], command.heading, self.phase, now, self._relief
            )
        else:
            self._swing = Swing(leg, side, sole, state.origins[leg.foot], command.heading, self.phase, now)
        self._desired = None
        self._contacts.lift(state.time, side)

    def _advance(self, state: BodyState, command: Command) -> None:
        """Move the phase on; lift, land and stop when it is time to."""
        assert self._plan is not None
        side, table = 1 - self.stance, self._plan.table
        both = 1.0 if self._climb is None else handing_over(self._wrong.real)
        self.phase += self._step / table.time * (self._rate if self._swing else both)
        if self._swing is not None:
            if self._strikes(side):
                self._contacts.strike(state.time, side)
                self._begin(state, command, side)
            return
        if self._can_stop(command):
            self._machine.enter("stand", state.time)
            self._stood, self._desired = [None, None], None
            return
        load = self._feet.loads[side]
        free = load < FREE * self._weight and self.phase > 0.5 * table.double
        free = free or load < self._haste * HASTY * self._weight
        on_tip = load < LADEN * self._weight and self._soles[side].pitch > ON_TIP
        if free or on_tip or self.phase > table.double:
            self._lift(state, command)

    def _strikes(self, side: int) -> bool:
        """Return whether the swing foot strikes now; an earlier touch is a scuff."""
        near, any_touch, none = STRIKE_PHASES
        if self.phase > none:
            return True
        if self._feet.now[side] <= STRIKE_LOAD * self._weight:
            return False
        if self.phase > any_touch:
            return True
        if self.phase < near or self._target is None:
            return False
        return abs(self._soles[side].anchor - self._target.foothold) < NEAR

    def _stepping(self, state: BodyState, command: Command) -> Desired:
        """Return what the links shall do to walk the step."""
        assert self._plan is not None
        plan, course, stance = self._plan, self._plan.course, self.stance
        table, origin, frame = plan.table, self._soles[stance].anchor, cmath.exp(1j * plan.frame)
        place, moving = (self._place - origin) / frame, self._moving / frame
        own, velocity, pressed_at, _ = course.at(self.phase)
        now = table.at(self.phase)
        moving += self._lent(state, plan, now)
        wrong = place + moving / course.frequency - (own + velocity / course.frequency)
        self._wrong = wrong
        if self._climb is None:
            self._ahead.append(wrong.real)
        slow, fast = PACE
        late = (place - own).real / max(abs(velocity.real), STEADY)
        late = -late if self.settings.backs else late  # a body that is farther ahead than planned is late
        self._rate = min(max(1.0 + self.settings.pull * late / table.time, slow), fast)
        planned = max(1.0 - self.phase, 0.0) * table.time
        in_haste = self._swing is not None or not plan.stops  # who stops has the ground between both feet
        in_haste = in_haste and not self._goes_over  # nothing but its whole way brings a foot over an obstacle
        caught = wrong if self._climb is None else 1j * wrong.imag  # on stairs no step catches what is off ahead
        self._be_upset(wrong)
        hurried = self._hurried(caught, course.frequency, planned) if in_haste else 1.0
        if self._saves and self._swing is not None:  # nothing but the time until it is down decides such a step
            hurried = HASTE
        self._rate = max(self._rate, hurried)
        self._haste = max((hurried - 1.0) / (HASTE - 1.0), self._haste - self._since / CALMING)
        rate, left = self._rate / table.time, planned / self._rate
        if self._swing is None:
            now.pitches[1 - stance] += self._flatter
        for side in (0, 1):
            if abs(plan.ahead) < FLAT_SPEED and (side == stance or self._swing is None):
                now.pitches[side] = now.pitch_rates[side] = 0.0
            if side == stance or self._swing is None:
                yields = self._yielding(state, side)
                if yields > now.pitches[side]:
                    now.pitches[side], now.pitch_rates[side] = yields, 0.0
        if table.on_toes:
            stays = _heel_up(wrong.real)
            now.pitches[stance] *= stays
            now.pitch_rates[stance] *= stays
        aimed = complex((1.0 + self.settings.sole_ahead) * wrong.real, (1.0 + self.settings.sole_aside) * wrong.imag)
        aimed += self._planner.led(plan.speed)
        pressure = origin + (pressed_at + aimed) * frame
        contacts = self._contacts_at(state, plan, pressure, now, rate)
        lift = self._lifted(state, now, min(rate, BOBS / table.time))
        if self._relief is not None:
            lift += self._relief.body.rise(course.frequency**2 * (self._place - pressure))
        turns, spins, bends = self._styled(command, now, rate)
        if self._ducking is not None:
            lean(turns, self._ducking.leans, self._ducking.share, command.heading)
        if self._relief is not None:
            lean(turns, self._leans, self._relief.leaning, command.heading)
        if self._handling is not None:
            self._handling.bend(turns, spins, command.heading)
            self._handling.arms(state, command.heading, turns, spins, self._chest)
        for side in (0, 1):
            if side == stance or self._swing is None:
                self._ground_foot(state, side, now, rate, turns, spins, bends)
        if self._swing is not None:
            if self._renewals and self.phase > self._renewals[0]:
                del self._renewals[0]
                self._planner.renew(plan, command, left, len(self.strikes) < EARLY)
            leg = self._legs[1 - stance]
            hip = complex(*state.origins[leg.thigh, :2].tolist()) + left * self._moving
            low = self._lowest(left, state) + float(state.origins[leg.thigh, 2] - state.origins[0, 2])
            low -= self._ground if self._relief is None else 0.0
            step = Step(
                plan=plan, settings=self.settings, command=command, phase=self.phase, rate=rate, now=now, left=left,
                since=self._since, origin=origin, ground=self._ground, wrong=wrong, hip=hip, low=low,
                reach=REACH * self.character.leg_length, early=len(self.strikes) < EARLY, haste=self._haste,
                upset=self._upset, burdened=self._pushing or self._laden,
            )  # fmt: skip
            self._target = self._swing.target(step)
            if self._relief is not None and isinstance(self._swing, ReliefSwing):
                self._relief.lies[1 - stance] = self._swing.lie
            self._swing.refer(state, step, self._target, turns, spins, bends)
        down = [stance == LEFT or self._swing is None, stance != LEFT or self._swing is None]
        down[stance] = not self._light
        pitch, pitching = now.pitches[stance], now.pitch_rates[stance] * rate
        return Desired(turns, spins, bends, lift, contacts, (down[0], down[1]), pitch, pitching)

    def _roll_on_heel(self, state: BodyState, desired: Desired, torques: Array) -> None:
        """Hold a foot that has struck with its heel as it rolls down, or it would clap down on the ground.

        torques (L, 3): of the joints, changed in place. The shin is pulled ahead by it, and so the knee bends.
        """
        leg, side = self._legs[self.stance], self.stance
        pitch = self._soles[side].pitch
        if pitch > -ROCKING or self.phase > 0.5 or self.settings.backs:
            return
        axis = state.matrices[leg.foot, :, 1]
        kp, kd, most = ROLLING_DOWN
        fast = float(axis @ state.spins[leg.foot]) - desired.pitching
        moment = min(max(kp * (desired.pitch - pitch) - kd * fast, -most), 0.0)
        torques[leg.foot] += axis * moment

    def _lent(self, state: BodyState, plan: Plan, now: Moment) -> complex:
        """Return the velocity, m/s, in the stance foot's frame, that limbs owe the body beyond what the course has.

        A leg that is thrown ahead harder than the style throws it pushes the body ahead, and takes that back as it
        comes to rest: what is off by that alone calls for no longer step, which would be thrown harder still.
        """
        x, y, _ = self._body.momentum(state)
        u, v, _ = now.momentum
        off = complex(x, y) / cmath.exp(1j * plan.frame) - complex(u, v) * plan.course.share / plan.table.time
        height = max(float(self._shares @ state.coms[:, 2]) - self._ground, LEAST_RISE)
        return -1j * off / (self._body.mass * height)

    def _hurried(self, wrong: complex, frequency: float, left: float) -> float:
        """Return how much faster than planned the step must go on so that the next foot catches what is off.

        wrong: m off the course, which grows until the foot is down. frequency: 1/s. left: planned, s.
        """
        ahead, aside = CATCHES
        off = max(abs(wrong.real) / ahead, abs(wrong.imag) / aside)
        time, left = -math.log(max(off, 1e-6)) / frequency, max(left, DUE)
        return min(left / max(time, 0.02), HASTE) if time < left else 1.0

    def _be_upset(self, wrong: complex) -> None:
        """Feel how upset the body is by how far, m, it is off its course, in the stance foot's frame.

        None is on stairs or over obstacles, where feet have their places, or that hold something.
        """
        if self._climb is not None or self._laden or self._pushing:
            self._upset = 0.0
            return
        offs = zip((abs(wrong.real), abs(wrong.imag)), UPSET, strict=True)
        now = max(ramp(off, begins, full) for off, (begins, full) in offs)
        self._upset = max(now, self._upset - self._since / RECOVERING)

    def _styled(self, command: Command, now: Moment, rate: float) -> tuple[Array, Array, Array]:
        """Return what the style has: orientations (L, 3, 3), rates (L, 3), accelerations (L, 3), world axes."""
        heading = yawed(command.heading)
        turns = np.asarray(heading @ now.turns)
        self._held = now.turns
        going = rate if self.phase <= 1.0 else 0.0
        spins, bends = now.moves @ heading.T
        spins *= going
        spins[:, 2] += command.turn
        # As the phase is hurried they would grow so that the hips could not hold against them, and the pelvis tips.
        bends *= going**2 * (1.0 - max(self._haste, self._upset) * softly(self.phase, EASING))
        return turns, spins, bends

    def _carried(
        self, phase: float, height: float, rise: float = 0.0, rising: float = 0.0
    ) -> tuple[float, float, float]:  # fmt: skip
        """Return how high the hips are to be carried, m, and its derivatives to the phase, by what the style has.

        Knees are soft where legs change: a leg that bears alone is as straight as the style has it.
        """
        soft, angle = self.settings.sink, math.pi * min(phase, 1.0)
        if self._plan is not None:
            begins, ends, less = STRAIGHTENING
            soft -= less * ramp(self._plan.speed, begins, ends)
        height += self._ground - soft * math.cos(angle) ** 2
        rise += soft * math.pi * math.sin(2.0 * angle)
        rising += 2.0 * soft * math.pi**2 * math.cos(2.0 * angle)
        if self._relief is None or self._plan is None:
            return height, rise, rising
        calm = self._relief.calm
        mean = float(self._plan.table.pelvis[:, 2].mean()) + self._ground - 0.5 * soft
        return mean + calm * (height - mean), calm * rise, calm * rising

    def _lifted(self, state: BodyState, now: Moment, rate: float) -> float:
        """Return the desired vertical acceleration of the hips, m/s2."""
        fade = math.exp(-self._since / SETTLING)
        self._raised *= fade
        own, rise, rising = self._carried(self.phase, now.height, now.rise, now.rising)
        if self._swing is not None and self._plan is not None:  # in haste hips stay where feet land from in time
            lands, _, _ = self._carried(1.0, float(self._plan.table.pelvis[-1, 2]))
            calm = 1.0 - self._haste
            slow = max(1.0 - self._plan.speed / SLOW, 0.0)  # hips are high then, over legs that are all but straight
            own = min(own, lands + calm * (own - lands)) - CROUCH * slow * self._haste
            rise, rising = calm * rise, calm * rising
        height = own - self._sunk(state) + self._raised
        if self._swing is not None:
            begins = LOWERING if self._relief is None else LOWERING_RELIEF
            late = softly(self.phase, begins + self._upset * (LOWERING_UPSET - begins))
            reachable = self._target.height if self._target else height
            lowest = LOWEST_OVER if self._goes_over else self._lowest_hips
            self._lowered = min(max(height - reachable, 0.0), lowest) * late
        else:
            self._lowered *= fade
        self._height = height - self._lowered
        bent = self._goes_over and self._ducking is not None and self._ducking.share > 0.0
        # Who steps down, or over something while the hips are low, lets the heel come up instead.
        if not bent and not self._sinks:
            self._height += min(max(self._reached(state) - self._height, 0.0), MOST_RAISED)
        if self._pushing or self._laden or self._upset > 0.0 or self.settings.captured is not None:
            self._height = min(self._height, self._stretched(state))
        soft, firm = HEIGHT
        share = self._firm * (1.0 - self._haste)
        # A body that sets off or is pushed comes to its height as it can: its legs have other things to do.
        kp, kd = (least + share * (most - least) for least, most in zip(soft, firm, strict=True))
        rises = float(state.velocities[0, 2]) - self._climbing(state)
        lift = kp * (self._height - float(state.origins[0, 2])) + kd * (rise * rate - rises)
        low, high = LIFT
        return min(max(lift + rising * rate * rate, low * self._gravity), high * self._gravity)

    @property
    def _sinks(self) -> bool:
        """Whether it steps down."""
        if self._relief is not None:
            lower = self._under[self.stance] - self._under[1 - self.stance]
            return (lower if self._swing is not None else -lower) > STEPS_DOWN
        return self._climb is not None and self._climb.sinks

    def _climbing(self, state: BodyState) -> float:
        """Return how fast the ground rises under the hips, m/s."""
        if self._relief is None:
            return 0.0
        return self._relief.body.rise(complex(*state.velocities[0, :2].tolist()))

    def _sunk(self, state: BodyState) -> float:
        """Return how much lower, m, the hips are carried than the style has them."""
        sunk = self._sagging(state)
        if self._relief is not None:
            sunk += self._relief.sinking(self._plan.speed * self._plan.table.time if self._plan is not None else 0.0)
        return sunk + (self._ducking.lower if self._ducking is not None else 0.0)

    def _sagging(self, state: BodyState) -> float:
        """Return how much lower, m, the hips of a body are carried that holds something before it.

        They are behind the centre of mass then, and so farther from the foot in front: as much lower its leg reaches.
        """
        if not self._laden or self._plan is None:
            return 0.0
        place = complex(*state.origins[0, :2].tolist())
        behind = max(((self._place - place) / cmath.exp(1j * self._plan.frame)).real, 0.0)
        return SAG * behind

    def _lowest(self, left: float, state: BodyState) -> float:
        """Return how high the hips will be at least, m, in ``left`` s: as low as they may be, or as they can fall."""
        height, rises = float(state.origins[0, 2]), float(state.velocities[0, 2])
        lowest = self._height - self._lowest_hips + left * self._climbing(state)
        return max(lowest, height + left * rises + 0.5 * LIFT[0] * self._gravity * left**2)

    @property
    def _lowest_hips(self) -> float:
        """How far, m, the hips are lowered at most to reach a foothold."""
        calm = LOWEST if self._relief is None else LOWEST_RELIEF
        return calm + self._upset * (LOWEST_UPSET - calm)

    def _yielding(self, state: BodyState, side: int) -> float:
        """Return how far, rad, a foot that bears must tilt for its ankle to bend no farther than it can."""
        x, y, z = state.matrices[self._legs[side].shin, :, 2].tolist()
        lean = math.atan2((complex(x, y) / self._soles[side].ahead).real, z)
        lean += self._tilt(side)
        return lean - self._bends[side] + YIELDING

    def _tilt(self, side: int) -> float:
        """Return how far the ground is turned up ahead of a foot, rad."""
        return 0.0 if self._relief is None else self._relief.lies[side].pitch(self._soles[side].yaw)

    def _stretched(self, state: BodyState) -> float:
        """Return how high, m, the hips can be for no leg that bears to be straight: knees at their limit throw a body.

        KLAW's steps keep their knees bent by what they are; those of another body need not.
        """
        highest = math.inf
        for side in (0, 1):
            if side == self.stance or self._swing is None:
                leg = self._legs[side]
                (hx, hy, hz), (ax, ay, az) = state.origins[[leg.thigh, leg.foot]].tolist()
                straight = PUSHING_STRAIGHT if self._pushing or self._laden else STRAIGHT
                straight -= self._upset * SHORTER
                up = math.sqrt(max((straight * leg.length) ** 2 - (hx - ax) ** 2 - (hy - ay) ** 2, 0.0))
                highest = min(highest, az + up + float(state.origins[0, 2]) - hz)
        return highest

    def _reached(self, state: BodyState) -> float:
        """Return how high, m, the hips must be at least for the stance ankle to bend no farther than it can.

        At its limit it would push the shin, and throw the pelvis off.
        """
        leg, sole, bends = self._legs[self.stance], self._soles[self.stance], self._bends[self.stance]
        if not math.isfinite(bends):
            return -math.inf
        (hx, hy, hz), (ax, ay, az) = state.origins[[leg.thigh, leg.foot]].tolist()
        shin = bends - STIFF + max(sole.pitch, 0.0) - self._tilt(self.stance)  # how far it leans ahead
        short = (complex(hx - ax, hy - ay) / sole.ahead).real - leg.shin_length * math.sin(shin)
        if abs(short) > leg.thigh_length:
            return -math.inf
        up = az + leg.shin_length * math.cos(shin) + math.sqrt(leg.thigh_length**2 - short**2)
        return up + float(state.origins[0, 2]) - hz

    def _contacts_at(
        self, state: BodyState, plan: Plan, pressure: complex, now: Moment, rate: float
    ) -> list[Contact]:  # fmt: skip
        """Return how the feet are pressed for a centre of pressure, world, m."""
        stance, behind = self.stance, 1 - self.stance

        def foot(side: int, place: complex, share: float) -> Contact:
            going = rate if self.phase <= 1.0 else 0.0
            return self._pressed(state, side, place, share, now.pitches[side], now.pitch_rates[side] * going)

        if self._swing is not None:
            return [foot(stance, pressure, 1.0)]
        phases = np.array((self.phase, 1.0 + self.phase))
        places = []
        for k, side in enumerate((stance, behind)):
            ahead = float(rolled(self._legs[side], phases, plan.ahead, plan.table.double)[k])
            if plan.table.on_toes:
                ahead = max(ahead, on_ball(now.pitches[side]) * (self._legs[side].ball + plan.table.onto))
            places.append(self._soles[side].anchor + ahead * self._soles[side].ahead)
        line = places[0] - places[1]
        done = min(self.phase / max(plan.handover * plan.table.double, 1e-3), 1.0)
        planned = float(eased(done))
        share = ((pressure - places[1]) / line).real if abs(line) > NEAR else planned
        first, below, above = HANDOVER
        bears = min(self._feet.loads[stance] / (TAKING * self._weight), 1.0)
        if self._stairs is not None or self._on_toes:  # feet come down flat on stairs, and are needed there
            bears = 1.0
        above += (1.0 - above) * self._haste * bears
        share = min(max(share, planned - below * (1.0 - self._haste), first), planned + above, 0.98)
        rest = pressure - (share * places[0] + (1.0 - share) * places[1])
        # Its ankle would dig the toes of a foot that does not bear yet into the ground.
        front, sole = places[0] + rest, self._soles[stance]
        if self._haste <= 0.0 or plan.stops:
            front -= (1.0 - bears) * max(((front - sole.anchor) / sole.ahead).real, 0.0) * sole.ahead
        return [foot(stance, front, share), foot(behind, places[1] + rest, 1.0 - share)]

    def _pressed(
        self, state: BodyState, side: int, place: complex, share: float, pitch: float, rate: float
    ) -> Contact:  # fmt: skip
        """Return the contact of a foot that shall be pressed at a place and tilted: pitch, rad, and its rate, rad/s."""
        found = self._pressed_flat(state, side, place, share, pitch, rate)
        if self._relief is not None:
            lie = self._relief.lies[side]
            (x, y, _), (u, v, _) = found.place, found.borne
            found.place, found.borne = (x, y, lie.at(complex(x, y))), (u, v, lie.at(complex(u, v)))
            found.slope = lie.slope
        return found

    def _pressed_flat(
        self, state: BodyState, side: int, place: complex, share: float, pitch: float, rate: float
    ) -> Contact:  # fmt: skip
        """Return that contact where the ground is level."""
        leg, sole = self._legs[side], self._soles[side]
        if sum(self._feet.now) < AIRBORNE * self._weight:  # an ankle's torque would but spin the foot
            return pressed(leg, sole, sole.anchor, share, self._under[side], 0.0, 0.0, 0.0, 0.0)
        kp, kd, most = TIPPING
        turning = float(state.matrices[leg.foot, :, 1] @ state.spins[leg.foot])
        tipping = min(max(kp * (pitch - sole.pitch) + kd * (rate - turning), -most), most)
        bearing = self._bearing[side]
        taking = min(bearing + TOES[0], 1.0)
        early, most_late = LATE
        late = ramp(pitch - sole.pitch, early, most_late)
        late = 0.0 if self._climb is not None else late  # feet are set down flat there
        load = RELIED * self._feet.loads[side]
        edge = OVER_EDGE if self._climb is not None and self._limbs else EDGE
        return pressed(leg, sole, place, share, self._under[side], tipping, bearing, taking, load, late, edge)

    def _ground_foot(
        self, state: BodyState, side: int, now: Moment, rate: float, turns: Array, spins: Array, bends: Array
    ) -> None:  # fmt: skip
        """Fill in what a foot on the ground does, and the leg behind, which rolls over its toes.

        Where it stands on its toes the other leg is led, too: a heel that is up is held by what the leg does, not by
        the ground, and with each strike it sank to half of its height.
        """
        leg, sole, pitch = self._legs[side], self._soles[side], now.pitches[side]
        facing = yawed(sole.yaw)
        bends[leg.links] = 0.0
        turns[leg.foot], turns[leg.toes] = faced(sole.yaw, pitch), facing
        spins[leg.foot] = spins[leg.toes] = 0.0
        lie = None if self._relief is None else self._relief.lies[side]
        if lie is not None:
            turns[leg.foot], turns[leg.toes] = lie.turn @ turns[leg.foot], lie.turn @ facing
        anchor = sole.anchor
        if side == self.stance and self._light:
            anchor = self._struck
        elif side == self.stance and not self._on_toes:
            return
        spins[leg.foot] = turns[leg.foot, :, 1] * (now.pitch_rates[side] * rate)
        edge = leg.heel if pitch < 0.0 and self.settings.backs else leg.ball
        at = anchor + edge * sole.ahead
        below = np.array((at.real, at.imag, self._under[side] if lie is None else lie.at(at)))
        ankle = below - turns[leg.foot] @ (edge, 0.0, -leg.ankle_height)
        hip = state.origins[leg.thigh].tolist()
        turns[leg.thigh], turns[leg.shin] = leg_turns(leg, hip, ankle.tolist(), sole.yaw)

    # -- torques

    def _driven(self, state: BodyState, desired: Desired, since: float = 0.0) -> Array:
        """Return torques (L, 3) by which the links come to what they shall do. since: s, since that was found."""
        reference = np.empty((len(self._kp), 3, 4))
        # They have turned on since then, and what is missing of that is made up like what is missing of the rates.
        onward = desired.spins * (1.0 + since * self._kp / self._kd) if since else desired.spins
        reference[:, :, :3], reference[:, :, 3] = desired.turns, onward - state.spins
        local = state.matrices.transpose(0, 2, 1) @ reference
        turning = self._kp * missing_turn(local) + self._kd * local[:, :, 3]
        np.maximum(np.minimum(turning, self._most, out=turning), -self._most, out=turning)
        found = (state.matrices @ turning[:, :, None])[:, :, 0]
        found *= self._swivels
        if desired.bends is not None:
            found += desired.bends
        for side, leg in enumerate(self._legs):
            if not desired.down[side]:
                continue
            if self.walking and (side != self.stance or self._on_toes):
                ahead = self._soles[side].ahead
                for link in (leg.thigh, leg.shin):
                    x, y, _ = found[link].tolist()
                    about = y * ahead.real - x * ahead.imag
                    found[link] = -about * ahead.imag, about * ahead.real, 0.0
            else:
                found[leg.thigh] = found[leg.shin] = 0.0
        self._body.possible(state, found)
        pulls = self._handling.pulls() if self._handling is not None else ()
        return self._body.torques(state, found, desired.lift, desired.contacts, pulls)


def _heel_up(ahead: float) -> float:
    """Return how much, 0..1, of its tilt a foot keeps that stands on its toes. ahead: of its course, m.

    Nothing behind the toes holds a body that falls back, but the heel.
    """
    begins, full = HEEL_DOWN
    return 1.0 - ramp(-ahead, begins, full)


def _dorsiflexion(character: Character, leg: Leg) -> float:
    """Return how far an ankle bends up, rad; infinite where nothing limits it."""
    ranges = character.joint_ranges(leg.foot)
    return -ranges[0][0] if ranges else math.inf
