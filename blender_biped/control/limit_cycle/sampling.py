"""The discrete model of one step, from trials: how perturbations move the regulation variables (Laszlo 1996, 3.7).

K are the scalings of the perturbations, Q the regulation variables at the step's end; forward comes first, lateral
second. A model is linear, Q = Q_nom + J K, and its inverse tells which K reaches a target.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...spatial import Array

Strategy = Literal["superposition", "forward-lateral", "lateral-forward", "jacobian"]
STRATEGIES: tuple[Strategy, ...] = ("superposition", "forward-lateral", "lateral-forward", "jacobian")

Response = Callable[[Array], Array | None]
"""From K (N,) to Q (N,) at the step's end; None where the body falls."""

_WIDER = (0.0, -2.0, 2.0, -4.0, 4.0, -6.0)  # samples to either side at which a step may stand where the last K falls
_DAMPING = 1e-4  # squares of Q for a sample of K: how dear large corrections are
_BACK = 10.0  # times the damping for another try where a correction leads away
_ENOUGH = 0.5  # share of ``rebuild`` under which nothing is corrected
_FLAT = 1e-6  # of Q for each unit of K; less is no answer


@dataclass(frozen=True)
class Sampling:
    """How a step is sampled. samples (N,): K of the trials, to either side. most (N,): of |K| in the end.

    refinements: how often the result of "jacobian" may be tried and corrected.
    reuse: whether a model is kept; rebuild: |Q - target| at a step's end, or at the end of the one trial that a kept
    model is begun with, from which a new one is made.
    """

    strategy: Strategy
    samples: tuple[float, ...]
    most: tuple[float, ...]
    reuse: bool = False
    refinements: int = 0
    rebuild: float = 0.05


@dataclass(frozen=True)
class Answer:
    """What balances a step: its K (N,), the J (N, N) of the model that told it, how many trials and falls it took."""

    scalings: Array
    jacobian: Array
    trials: int
    falls: int


class Sampler:
    """Finds the K of each step; keeps the last model where it may be used again (thesis, 6.1.1)."""

    def __init__(self, sampling: Sampling) -> None:
        self._sampling = sampling
        self._jacobian: Array | None = None
        self._scalings = np.zeros(len(sampling.samples))
        self._good = False  # whether the kept model told the last step well
        self._trials = self._falls = 0

    def forget(self) -> None:
        """Make a new model for the next step: the gait changes."""
        self._good = False

    def learn(self, reached: Array, target: Array) -> None:
        """Take note of the Q (N,) that a step has reached, beside its target."""
        self._good = float(np.abs(reached - target).max()) < self._sampling.rebuild

    def answer(self, response: Response, target: Array) -> Answer:
        """Return the K that is to bring Q to ``target`` (N,)."""
        self._trials = self._falls = 0
        counted = self._counting(response)
        scalings = self._corrected(counted, target) if self._sampling.reuse and self._good else None
        if scalings is None:
            scalings = self._modelled(counted, target)
        most = np.array(self._sampling.most)
        self._scalings = np.clip(scalings, -most, most)
        jacobian = self._jacobian if self._jacobian is not None else np.zeros((len(most), len(most)))
        return Answer(self._scalings, jacobian, self._trials, self._falls)

    def _counting(self, response: Response) -> Response:
        def counted(scalings: Array) -> Array | None:
            self._trials += 1
            found = response(scalings)
            self._falls += found is None
            return found

        return counted

    # -- a kept model

    def _corrected(self, response: Response, target: Array) -> Array | None:
        """Return the last step's K, corrected by the kept J and one trial of it; None when that tells of a drift."""
        found = response(self._scalings)
        if self._jacobian is None or found is None:
            return None
        missing = target - found
        if float(np.abs(missing).max()) > self._sampling.rebuild:
            return None
        return self._scalings + self._change(self._jacobian, missing, _DAMPING)

    # -- a new model

    def _modelled(self, response: Response, target: Array) -> Array:
        strategy = self._sampling.strategy
        if strategy == "jacobian":
            return self._solved(response, target)
        count = len(self._sampling.samples)
        columns = np.zeros((count, count)) if self._jacobian is None else self._jacobian.copy()
        base, scalings = np.zeros(count), np.zeros(count)
        order = range(count - 1, -1, -1) if strategy == "lateral-forward" else range(count)
        found_any = False
        for i in order:
            line = self._line(response, base, i)
            if line is None:
                scalings[i] = self._scalings[i]
            else:
                at, slope = line  # Q (N,) at ``base``, and its change with K_i
                columns[:, i] = slope
                found_any = True
                if abs(slope[i]) > _FLAT:
                    scalings[i] = (target[i] - at[i]) / slope[i]
            scalings[i] = float(np.clip(scalings[i], -self._sampling.most[i], self._sampling.most[i]))
            if strategy in ("forward-lateral", "lateral-forward"):
                base[i] = scalings[i]
        self._jacobian = columns if found_any else self._jacobian
        return scalings

    def _solved(self, response: Response, target: Array) -> Array:
        """Return K by the full J, made at the last step's K; a trial of the result may correct it again."""
        sampling, most = self._sampling, np.array(self._sampling.most)
        base, found = self._scalings, response(self._scalings)
        for wide in _WIDER:
            if found is not None:
                break
            base = np.zeros(len(most))
            base[0] = min(max(wide * sampling.samples[0], -most[0]), most[0])
            found = response(base)
        if found is None:
            return self._scalings
        jacobian = np.zeros((len(most), len(most))) if self._jacobian is None else self._jacobian.copy()
        for i, sample in enumerate(sampling.samples):
            for offset in (sample, -sample):
                moved = response(_moved(base, i, offset))
                if moved is not None:
                    jacobian[:, i] = (moved - found) / offset
                    break
        base = self._refined(response, target, base, found, jacobian)
        self._jacobian = jacobian
        return base

    def _refined(self, response: Response, target: Array, base: Array, found: Array, jacobian: Array) -> Array:
        """Return K from ``base``, where Q is ``found``, corrected by J; tried and corrected again, with J, if asked for."""
        most, damping = np.array(self._sampling.most), _DAMPING
        if not self._sampling.refinements:
            return np.clip(base + self._change(jacobian, target - found, damping), -most, most)
        for _ in range(self._sampling.refinements):
            missing = target - found
            if float(np.abs(missing).max()) < _ENOUGH * self._sampling.rebuild:
                break
            change = np.clip(base + self._change(jacobian, missing, damping), -most, most) - base
            reached = response(base + change)
            size = float(change @ change)
            if reached is not None and size > 0.0:  # Broyden's: the least change of J that tells what was found
                jacobian += np.outer(reached - found - jacobian @ change, change) / size
            if reached is not None and float(np.abs(target - reached).sum()) < float(np.abs(missing).sum()):
                base, found = base + change, reached
            else:  # too far for a straight line
                damping *= _BACK
        return base

    def _change(self, jacobian: Array, missing: Array, damping: float) -> Array:
        """Return the change of K for a missing Q: least squares that spare K, in units of its samples (Levenberg)."""
        units = np.array(self._sampling.samples)
        scaled = jacobian * units
        square = scaled.T @ scaled + damping * np.eye(len(units))
        return np.asarray(units * np.linalg.solve(square, scaled.T @ missing))

    def _line(self, response: Response, base: Array, i: int) -> tuple[Array, Array] | None:
        """Return Q (N,) at ``base`` and its change with K_i, from trials to either side; falls are dropped."""
        sample = self._sampling.samples[i]
        points: list[tuple[float, Array]] = []
        for offset in (sample, -sample, 0.5 * sample, -0.5 * sample):
            if len(points) == 2:
                break
            found = response(_moved(base, i, offset))
            if found is not None:
                points.append((offset, found))
        if not points:
            return None
        (k1, q1), (k2, q2) = points[0], points[-1]
        if k1 != k2:
            slope = (q1 - q2) / (k1 - k2)
        elif self._jacobian is not None:
            slope = self._jacobian[:, i]
        else:
            return None
        return q1 - k1 * slope, slope


def _moved(base: Array, i: int, offset: float) -> Array:
    moved = base.copy()
    moved[i] += offset
    return moved
