"""The clock of control: how long a control step is, and what its length implies for all who compute once a step.

Motions are sampled at RATE (see ``motion``); control and physics go in whole steps of their own between samples.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...motion.motion import RATE

CONTROL_STEP = 1.0 / 360.0
"""s, of control and of physics where nothing sets another: three to a motion sample."""

ITERATIONS = 16
"""Of the contact solver in a step at most, where a controller says nothing else."""

COARSE_STEP = 1.0 / 300.0
"""s; longer steps are coarse."""


@dataclass(frozen=True)
class StepPolicy:
    """What the length of a control step implies.

    pd_margin: on the derivative in stable PD, whose mass matrix is made for one pose while a walk has many.
    look_ahead: how early a contact is seen, as a share of the foot's size. PyBullet's own 0.02 sees a sole's edge only
    when it is in the ground already: at these steps that would be by up to 10 or 20 mm; a contact that is seen before
    stops it at the surface. settled: square of the velocity by which the contact solver's last iteration changes
    contacts. longer: share of a step by which it may be longer than desired, to be a whole part of a sample's time.
    plan_steps, target_steps, command_steps: control steps for which hold: a plan of what carries the body and where it
    steps; orientations of a swing leg; a command.
    """

    pd_margin: float
    look_ahead: float
    settled: float
    longer: float
    plan_steps: int = 3
    target_steps: int = 2
    command_steps: int = 3


@dataclass(slots=True)
class ControlTime:
    """How a controller's time goes on. step: s, of a physics step. passed: s, since the last control step.

    That is one physics step, or two where torques were held (see ``Controller.holds``). now: s, of this one.
    """

    step: float
    passed: float
    now: float = 0.0

    def go_on(self, now: float) -> None:
        """Note that a control step begins at a time, s."""
        self.passed, self.now = self.step * max(round((now - self.now) / self.step), 1), now

    @classmethod
    def of(cls, step: float) -> ControlTime:
        """Return the time of a controller that is called in each physics step, of ``step`` s."""
        return cls(step, step)


FINE = StepPolicy(pd_margin=1.5, look_ahead=0.05, settled=1e-7, longer=0.5)
COARSE = StepPolicy(pd_margin=0.9, look_ahead=0.25, settled=1e-4, longer=0.1)


def step_policy(step: float) -> StepPolicy:
    """Return what a control step of ``step`` s implies."""
    return COARSE if step > COARSE_STEP else FINE


def steps_per_sample(step: float, time_scale: float = 1.0) -> int:
    """Return how many control steps of about ``step`` s there are to a motion sample, at least 1.

    time_scale: how much longer the sample lasts in the motion than in the simulation (see ``similarity``).
    """
    sample = 1.0 / (RATE * time_scale)
    fewest = 1 if step > COARSE_STEP else math.ceil(sample / COARSE_STEP)  # a fine step stays one, whatever the size
    return max(fewest, math.ceil(sample / step - step_policy(step).longer))
