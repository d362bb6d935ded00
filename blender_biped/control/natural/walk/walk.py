"""Natural walking: KLAW's steps, walked by joint torques of the whole body (Bruderlin 1988; Coros and others 2010).

Four parts make one torque, as in generalized walking: a motion generator, KLAW (``steps``), footholds by the inverted
pendulum (``steps``, ``swing``), the centre of pressure under the soles in place of a virtual force (``pressure``), and
the equations of the whole body in place of gravity compensation and the stance hip's torque (``tracking``). A walk is
in one phase after the other (``phase``): standing, shifting the weight, double and single support.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ....base.spatial import Array, matrix_quaternion
from ....character.model import Character
from ...shared.controller import Controller
from ...shared.grips import Grip
from ...shared.standing import Mode
from ...shared.state import BodyState
from ...shared.steering import Command, SteeringSettings
from . import closing, running, standing, stepping  # they add their phases to the list  # noqa: F401
from .phase import Phases
from .step_state import Desired, StepState
from .style_sequence import Styles
from .tracking import Tracking
from .walker import Surroundings, Walker

FLICKING = 8.0  # rad/s that a torque turns toes by at most, and feet about where they point
BARELY = 0.05  # m/s that a body walks faster than where it is to run, at most
HOLDING = 2  # physics steps for which what the links shall do goes on as it was found, where the body is calm


class NaturalWalk(Controller):
    """One character's walk. Call ``torques`` once each control step."""

    def __init__(
        self, character: Character, styles: Styles, gravity: float, control_step: float, around: Surroundings
    ) -> None:  # fmt: skip
        """character: of reference size (see ``similarity``). gravity: m/s2. control_step: s, of a physics step.

        Raises DataError naming a wrong field.
        """
        self.character = character
        self._walker = walker = Walker(character, styles, gravity, control_step, around)
        self.strikes, self.lifts = walker.log.strikes, walker.log.lifts
        self._phases = Phases(walker, "standing")
        self._tracking = Tracking(character, walker.legs, walker.body)
        self._desired: list[Desired] = []
        self._since = 0.0  # s, since it was found
        self.arms_down = False

    def start(self) -> tuple[Array, Array, tuple[float, float]]:
        """Return how it begins: standing, its arms as the style carries them where there is room for that."""
        origins, rotations, velocity = super().start()
        arms, walker = list(self.character.arm_links), self._walker
        carried = np.eye(3) if self.arms_down else walker.carriage[arms]
        walker.posture.rotations[arms] = carried
        rotations[arms] = matrix_quaternion(walker.posture.rotations[arms])
        return self.character.forward_kinematics(origins[0], rotations), rotations, velocity

    @property
    def step(self) -> StepState:
        """The step that is under way."""
        return self._walker.step

    @property
    def phase(self) -> str:
        """The name of the phase that it is in."""
        return self._phases.now.name

    @property
    def hips_height(self) -> float:
        """The height that the hips are carried at now, m."""
        return self._walker.hips.height

    @property
    def mode(self) -> Mode:
        """Whether it stands, shifts its weight, or walks."""
        return self._phases.now.mode

    @property
    def busy(self) -> bool:
        """Whether its hands have something to do where it stands."""
        return self._walker.around.hands.due(self._walker.felt.arc)

    @property
    def fastest(self) -> Mapping[tuple[int, int], float]:
        """How fast torques turn toes, and feet about where they point, at most, rad/s."""
        return {axis: FLICKING for leg in self._walker.legs for axis in ((leg.toes, 1), (leg.foot, 0))}

    @property
    def grips(self) -> tuple[Grip, ...]:
        """What its hands hold now."""
        return self._walker.around.hands.grips

    @property
    def holds(self) -> bool:
        """Whether its torques may be held for one more physics step: it is calm, and nothing strikes the ground."""
        return self._phases.now.holds and self._calm

    @property
    def facing(self) -> float:
        """Where it faces, rad to the left of where it travels."""
        return -self._walker.styles.direction

    @property
    def steering(self) -> SteeringSettings:
        """The settings of its steering now."""
        return self._walker.run.steering(self._walker.settings.steering)

    def desired_speed(self, speed: float) -> float:
        """Return the speed, m/s, to walk at where the job desires ``speed``: slower with what hands move."""
        walker = self._walker
        around, braking = walker.around, self.steering.braking
        speed = walker.styles.desired_speed(speed)
        arc = walker.felt.arc + walker.run.lags
        speed = around.ground.desired_speed(speed, arc, braking, walker.step.given)
        return min(speed, around.hands.fastest)

    def torques(self, state: BodyState, command: Command) -> Array:
        """Return the torque of each link's joint on it (L, 3), world axes, N m."""
        walker = self._walker
        walker.time.go_on(state.time)
        hands = walker.around.hands
        if hands.bears:
            state, masses = hands.laden(state)
            walker.senses.weigh(masses)
            walker.body.weigh(masses)
        hands.press(state, walker.felt.velocity, command.heading, command.speed if self.walking else 0.0)
        command = walker.around.ducking.command(command, state)
        styles = walker.styles
        styles.go_on(self.walking, command.speed)
        if styles.direction:
            facing, turn = command.heading - styles.direction, command.turn - styles.turning
            command = replace(command, heading=facing, turn=turn)
        walker.feel(state, command)
        command = self._walkable(command)
        self._speed = walker.felt.speed
        changes = self._phases.advance(state, command) or walker.step.begun
        stands = self.mode == "stand" and (self.resting or self.busy)  # what it pulls is at its start
        walker.use_hands(state, command, self.props, stands)
        self._since += walker.time.passed
        if changes or not self._desired or not self._calm or self._since > (HOLDING - 0.5) * walker.time.step:
            self._desired = [self._phases.now.desired(state, command, self._since)]
            self._since, walker.step.begun = 0.0, False
        desired = self._desired[0]
        found = self._tracking.torques(state, desired, self._since, walker.felt.soles, hands.pulls())
        self._phases.now.eased(state, desired, found)
        return found

    def _walkable(self, command: Command) -> Command:
        """Return a command no faster than where a body that walks is to run: it runs from there on."""
        own, run = self._walker.settings.run, self._walker.run.now
        if run.runs or command.speed <= own.over or command.desired <= own.begins:
            return command
        return replace(command, speed=own.over + BARELY)

    @property
    def _calm(self) -> bool:
        """Whether its desired motion may be held: nothing is in its way, and it is on its reference."""
        step = self._walker.step
        calm = self._walker.around.clear and not step.on_toes and not step.recovers
        return calm and not self._walker.settings.is_captured
