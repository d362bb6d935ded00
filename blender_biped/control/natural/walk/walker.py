"""What the phases of one walk share: the body, its surroundings, and the parts that make its torques."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from ....base.spatial import Array, nearest_rotations
from ....character.model import Character
from ....world.path import Path
from ...shared.clock import ControlTime
from ...shared.contacts import ContactLog
from ...shared.controller import Props
from ...shared.ducking import Ducking, NoDucking
from ...shared.legs import LEFT, RIGHT, Leg, legs_of
from ...shared.standing import Feet
from ...shared.state import BodyState
from ...shared.steering import Command
from ...shared.whole_body import WholeBody
from ..ground.ground import Ground
from ..hands.hands import Hands
from ..steps.aimed import DesiredFootholds
from ..steps.captured import CapturedStrides
from ..steps.planner import Planner
from ..steps.settings import Settings
from ..steps.strides import Strides
from ..steps.styled_steps import goes_on_toes
from .hips import Hips
from .leading import BendLeads
from .looking import LookingAbout
from .pressure import Pressure
from .recovery import Recovery
from .run import Runner
from .senses import Senses
from .step_state import StepState
from .style_sequence import Styles, StyleSequence
from .swaying import Swaying
from .tracking import CARRIED


@dataclass(frozen=True)
class Surroundings:
    """Where a body walks, and what it does on the way. clear: whether that is level ground and nothing else.

    runs: whether a body can run there, with its hands free. path: that it walks. stop: whether it stops at the end.
    footholds: where its feet are to be set down.
    """

    ground: Ground
    hands: Hands
    ducking: Ducking | NoDucking
    clear: bool
    runs: bool
    path: Path
    stop: bool
    footholds: DesiredFootholds = field(default_factory=lambda: DesiredFootholds((), (0j, 0j)))


Place = tuple[float, float, float]
NEAR_ITS_END = 0.5
"""m before its end, or a wait, from which it looks ahead."""
ANYWHERE: Place = (math.nan, math.nan, math.nan)
"""Where a foot stands that has not been seen to."""


@dataclass(slots=True)
class Posture:
    """How a body was held last.

    rotations (L, 3, 3): orientations of the links, in the character's frame, as the walk had them. looking: where the
    head looks. leads: of head and chest into bends; sways: of trunk and head with the steps, and leans into bends.
    before: the steps of the style that it comes from. stood: where the ankles of feet stand that bear, world, m.
    """

    rotations: Array
    looking: LookingAbout
    leads: BendLeads
    sways: Swaying
    before: Strides | CapturedStrides
    stood: list[Place] = field(default_factory=lambda: [ANYWHERE, ANYWHERE])


class Walker:
    """One body on its walk."""

    def __init__(
        self, character: Character, styles: Styles, gravity: float, control_step: float, around: Surroundings
    ) -> None:  # fmt: skip
        """character: of reference size. gravity: m/s2. control_step: s, of a physics step.

        Raises DataError naming a wrong field.
        """
        self.character, self.around = character, around
        self.time = ControlTime.of(control_step)
        self.legs = legs_of(character)
        self.styles = StyleSequence(styles, self.time)
        self.log = ContactLog(character.mass * gravity)
        self.feet = Feet(character, self.legs, gravity, self.time, around.ground.height)
        self.planner = Planner(character, self.legs, self.settings, gravity, around.ground.level)
        self.planner.styled.toes = self.planner.styled.toes and around.ground.takes_toes
        self.body = WholeBody(character, gravity)
        self.step = StepState()
        self.senses = Senses(character, self.legs, around.ground, self.feet, self.time)
        self.felt = self.senses.felt
        self.dorsiflexions = [dorsiflexion(character, leg) for leg in self.legs]
        self.hips = Hips(
            self.legs, self.dorsiflexions, gravity, around.ground, around.hands, around.ducking, self.felt, self.step
        )
        self.pressure = Pressure(self.legs, around.ground, self.feet, self.felt, self.step)
        self.recovery = Recovery(self.senses, around.ground, around.hands, self.body, self.step)
        self.run = Runner(character, self.legs, self.felt, gravity)
        leads = BendLeads(character, around.path, around.stop, self.time)
        looking = LookingAbout(character.index("head") if character.has("head") else -1, self.settings.take)
        sways = Swaying(character, gravity, self.time)
        still = np.tile(np.eye(3), (len(character.links), 1, 1))
        self.posture = Posture(still, looking, leads, sways, self.planner.strides)
        self.carried = [i for i, link in enumerate(character.links) if link.part in CARRIED]
        """The links that are carried as the style has them where it stands, and that lean on slopes."""
        self._chest = character.index("chest" if character.has("chest") else "pelvis")
        if self.styles.begin():
            self.planner.follow(self.settings, True, self.styles.shares)

    @property
    def settings(self) -> Settings:
        """Those of the step under way."""
        return self.styles.settings

    def follow(self, time: float) -> None:
        """Take the settings of a step that begins at ``time``, s: of the style that the walk is to go over to then.

        Who is on toes comes down before that, step by step, where the other style is not on them.
        """
        styled = self.planner.styled
        speed = self.step.plan.speed if self.step.planned else 0.0
        due = self.styles.due(time, self.felt.arc, speed)
        styled.comes_down = due and styled.on_toes and not goes_on_toes(self.styles.following)
        goes_over = due and not styled.comes_down
        settings = self.styles.begin_step(time, self.felt.arc, speed, goes_over)
        before = self.planner.strides
        self.planner.follow(settings, goes_over, self.styles.shares)
        self.posture.before = before if goes_over else self.posture.before

    @property
    def standing(self) -> float:
        """How high the mid-hip is above the ground while it stands, m, in the styles that the walk has now."""
        share, own = self.styles.shares[1], self.planner.strides.standing
        return own if share >= 1.0 else (1.0 - share) * self.posture.before.standing + share * own

    @property
    def carriage(self) -> Array:
        """How its links are turned while it stands (L, 3, 3), likewise."""
        share, own = self.styles.shares[1], self.planner.strides.posture
        return own if share >= 1.0 else nearest_rotations((1.0 - share) * self.posture.before.posture + share * own)

    def runs(self, command: Command) -> bool:
        """Return whether it is to run now, or to go on running."""
        around = self.around
        able = around.runs and around.ground.level_near(self.felt.arc)
        able = able and not around.hands.burdened and not self.styles.direction
        return able and self.run.wanted(self.settings.run, command)

    def turning(self, command: Command) -> Command:
        """Return a command as a step that begins is planned by: a body that is to face elsewhere begins to turn."""
        styles = self.styles
        change = styles.turning - styles.expected
        return replace(command, turn=command.turn + change) if styles.expected else command

    def feel(self, state: BodyState, command: Command) -> None:
        """Take in where the body is, how it moves and how its feet are borne."""
        self.senses.feel(state, command, self.planner, self.around.hands.shift, self.step)
        leads, free = self.posture.leads, not self.around.hands.burdened
        leads.feel(command, self.settings.steering)
        self.posture.sways.feel(command, leads.turning, self.step, self.settings, free)

    def use_hands(self, state: BodyState, command: Command, props: Props, stands: bool) -> None:
        """Let hands do what they do where it stands."""
        hands, soles = self.around.hands, self.felt.soles
        hands.props, hands.ground = props, self.around.ground.height
        left, right = soles[LEFT].middle(self.legs[LEFT]), soles[RIGHT].middle(self.legs[RIGHT])
        hands.feel(state, stands, self.felt.speed, command.arc, 0.5 * (left + right), command.heading)

    def lean(
        self, state: BodyState, command: Command, rotations: Array, angular_velocities: Array,
        angular_accelerations: Array | None = None,
    ) -> float:  # fmt: skip
        """Turn head, trunk, arms for steps, bends, hands: (L, 3, 3), (L, 3), (L, 3); return by how much lower hips are.

        That is in m.
        """
        hands = self.around.hands
        going = command.heading + self.styles.direction
        self.posture.sways.turn(command.heading, going, rotations, angular_velocities, angular_accelerations)
        if not hands.burdened:  # what hands hold is ahead of the hips
            self.posture.leads.turn(rotations, angular_velocities)
        about = self.styles.look_about if command.left > NEAR_ITS_END else 0.0
        self.posture.looking.turn(state.time, math.radians(about), rotations, angular_velocities)
        lower = hands.bend(rotations, angular_velocities, command.heading)
        hands.arms(state, command.heading, rotations, angular_velocities, self._chest)
        return lower


def dorsiflexion(character: Character, leg: Leg) -> float:
    """Return how far an ankle bends up, rad; infinite where nothing limits it."""
    ranges = character.joint_ranges(leg.foot)
    return -ranges[0][0] if ranges else math.inf
