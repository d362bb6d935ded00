"""The discrete model of one step, from trials: how perturbations move the regulation variables (Laszlo 1996, 3.7).

K are the scalings of the perturbations, Q the regulation variables at the step's end; forward comes first, lateral
second. A model is linear, Q = Q_nom + J K, and its inverse gives the K that reaches a target.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...base.spatial import Array

Strategy = Literal["superposition", "forward-lateral", "lateral-forward", "jacobian"]
STRATEGIES: tuple[Strategy, ...] = ("superposition", "forward-lateral", "lateral-forward", "jacobian")

Response = Callable[[Array], Array | None]
"""From K (N,) to Q (N,) at the step's end; None where the body falls."""

_WIDER = (0.0, -2.0, 2.0, -4.0, 4.0, -6.0)  # samples of the first perturbation that are tried where the last K falls
_DAMPING = 1e-4  # squares of Q for a sample of K: how dear large corrections are
_PULL = 3e-5  # likewise, of K itself
_MODELS = 2  # made for a step at most
_BACK = 10.0  # times the damping for another try where a correction leads away
_ENOUGH = 0.3  # share of ``rebuild`` under which what was tried is taken
_UNTRIED = 0.5  # of a sample: the most that a model corrects without another trial
_SAME = 0.1  # of a sample: changes of K that are none
_FLAT = 1e-6  # of Q for each unit of K; less is no answer


@dataclass(frozen=True)
class Sampling:
    """How a step is sampled. samples (N,): K of the trials, to either side. most (N,): of |K| in the end.

    refinements: how often a correction by the full J may be tried and corrected again. reuse: whether a model is kept;
    rebuild: |Q - target| in the trials with a kept model from which a new one is made; trust: |Q - target| at a step's
    end under which the next step of the same leg is not tried at all.
    """

    strategy: Strategy
    samples: tuple[float, ...]
    most: tuple[float, ...]
    reuse: bool = False
    refinements: int = 0
    rebuild: float = 0.05
    trust: float = 0.0


@dataclass(frozen=True)
class Answer:
    """What balances a step: its K (N,), and how many trials and falls it took to find it."""

    scalings: Array
    trials: int
    falls: int


class Sampler:
    """Finds the K of each step; keeps the last model where it may be used again (thesis, 6.1.1)."""

    def __init__(self, sampling: Sampling) -> None:
        self._sampling = sampling
        self._jacobian: Array | None = None
        self._taken = [np.zeros(len(sampling.samples))]  # K of the last steps, of the legs in turn
        self._targets: list[Array] = []
        self._reached: list[Array] = []  # Q at their ends
        self._trials = self._falls = 0
        self._tried: list[tuple[Array, Array]] = []  # K and Q of the present step's trials that did not fall

    def learn(self, reached: Array, target: Array) -> None:
        """Take note of the Q (N,) that a step has reached, beside its target."""
        self._reached, self._targets = [*self._reached[-1:], reached], [*self._targets[-1:], target]

    def answer(self, response: Response, target: Array, unchanged: bool = False) -> Answer:
        """Return the K that is to bring Q to ``target`` (N,). unchanged: whether target and graphs are, nearly."""
        self._trials = self._falls = 0
        self._tried = []
        scalings = self._found(self._counting(response), target, unchanged)
        most = np.array(self._sampling.most)
        scalings = np.clip(scalings, -most, most)
        self._taken = [*self._taken[-3:], scalings]
        return Answer(scalings, self._trials, self._falls)

    def _counting(self, response: Response) -> Response:
        def counted(scalings: Array) -> Array | None:
            self._trials += 1
            found = response(scalings)
            if found is None:
                self._falls += 1
            else:
                self._tried.append((scalings.copy(), found))
            return found

        return counted

    def _found(self, response: Response, target: Array, unchanged: bool) -> Array:
        if self._sampling.reuse and self._jacobian is not None:
            if unchanged and self._settled:
                return self._untried(self._jacobian, self._taken[-2], target - self._reached[-2])
            led = target - self._targets[-2] if len(self._targets) == 2 else np.zeros(len(target))
            base, found = self._standing(response, self._untried(self._jacobian, self._taken[-2:][0], led))
            if found is not None:
                base, found = self._refined(response, target, base, found, self._jacobian)
                if self._near(target, found):
                    return base
        return self._modelled(response, target)

    @property
    def _settled(self) -> bool:
        """Whether the last steps went well, each with nearly the same K as the one of its leg before."""
        errors = [np.abs(q - target).max() for q, target in zip(self._reached, self._targets, strict=True)]
        if len(self._taken) < 4 or max(errors) > self._sampling.trust:
            return False
        changes = np.abs([self._taken[-1] - self._taken[-3], self._taken[-2] - self._taken[-4]])
        return bool((changes < _SAME * np.array(self._sampling.samples)).all())

    def _near(self, target: Array, found: Array) -> bool:
        return float(np.abs(target - found).max()) < self._sampling.rebuild

    def _untried(self, jacobian: Array, base: Array, missing: Array) -> Array:
        """Return K ``base`` corrected for a missing Q as the model has it, a little at most."""
        most = _UNTRIED * np.array(self._sampling.samples)
        return base + np.clip(self._change(jacobian, missing, _DAMPING, base), -most, most)

    # -- the full J

    def _standing(self, response: Response, base: Array) -> tuple[Array, Array | None]:
        """Return a K from which the step can be corrected, ``base`` if it does not fall, and its Q."""
        found = response(base)
        for wide in _WIDER:
            if found is not None:
                break
            base = np.zeros(len(base))
            base[0] = min(max(wide * self._sampling.samples[0], -self._sampling.most[0]), self._sampling.most[0])
            found = response(base)
        return (base, found) if found is not None else (self._taken[-1], None)

    def _solved(self, response: Response, target: Array) -> Array:
        """Return K by the full J; trials of the result may correct it again, and more of them make a new J.

        J is made at the best K that was tried for this step, else at this leg's last one.
        """
        for _ in range(_MODELS if self._sampling.refinements else 1):
            base, found = self._best(target) if self._tried else self._standing(response, self._taken[-2:][0])
            if found is None:
                return base
            jacobian = self._sampled(response, base, found)
            if not self._sampling.refinements:
                return base + self._change(jacobian, target - found, _DAMPING, base)
            if self._near(target, self._refined(response, target, base, found, jacobian)[1]):
                break
        return self._best(target)[0]

    def _best(self, target: Array) -> tuple[Array, Array]:
        """Return the K of the present step's trials that came nearest to the target, and its Q."""
        return min(self._tried, key=lambda pair: float(np.abs(target - pair[1]).sum()))

    def _sampled(self, response: Response, base: Array, found: Array) -> Array:
        """Return J (N, N) at K ``base``, where Q is ``found``, from a trial of each perturbation; keep it."""
        count = len(base)
        jacobian = np.zeros((count, count)) if self._jacobian is None else self._jacobian.copy()
        for i, sample in enumerate(self._sampling.samples):
            for offset in (sample, -sample):
                moved = response(_moved(base, i, offset))
                if moved is not None:
                    jacobian[:, i] = (moved - found) / offset
                    break
        self._jacobian = jacobian
        return jacobian

    def _refined(
        self, response: Response, target: Array, base: Array, found: Array, jacobian: Array
    ) -> tuple[Array, Array]:
        """Return K and its Q: those given, corrected by J, tried, and corrected again, with J, until Q is near."""
        most, damping = np.array(self._sampling.most), _DAMPING
        for _ in range(self._sampling.refinements):
            missing = target - found
            if float(np.abs(missing).max()) < _ENOUGH * self._sampling.rebuild:
                break
            change = np.clip(base + self._change(jacobian, missing, damping, base), -most, most) - base
            reached = response(base + change)
            size = float(change @ change)
            if reached is not None and size > 0.0:  # Broyden's: the least change of J that tells what was found
                jacobian += np.outer(reached - found - jacobian @ change, change) / size
            if reached is not None and float(np.abs(target - reached).sum()) < float(np.abs(missing).sum()):
                base, found = base + change, reached
            else:  # too far for a straight line
                damping *= _BACK
        return base, found

    def _change(self, jacobian: Array, missing: Array, damping: float, base: Array) -> Array:
        """Return the change of K from ``base`` for a missing Q: least squares that spare it, in samples (Levenberg).

        Where several K reach a target the small ones are meant: they are pulled to 0, weakly.
        """
        units = np.array(self._sampling.samples)
        scaled = jacobian * units
        square = scaled.T @ scaled + (damping + _PULL) * np.eye(len(units))
        return np.asarray(units * np.linalg.solve(square, scaled.T @ missing - _PULL * base / units))

    # -- the thesis' simplified forms

    def _modelled(self, response: Response, target: Array) -> Array:
        strategy = self._sampling.strategy
        if strategy == "jacobian":
            return self._solved(response, target)
        count = len(self._sampling.samples)
        columns = np.zeros((count, count)) if self._jacobian is None else self._jacobian.copy()
        base, scalings = np.zeros(count), np.zeros(count)
        for i in range(count - 1, -1, -1) if strategy == "lateral-forward" else range(count):
            line = self._line(response, base, i)
            if line is None:
                scalings[i] = self._taken[-1][i]
            else:
                at, columns[:, i] = line  # Q (N,) at ``base``, and its change with K_i
                if abs(columns[i, i]) > _FLAT:
                    scalings[i] = (target[i] - at[i]) / columns[i, i]
                self._jacobian = columns
            scalings[i] = float(np.clip(scalings[i], -self._sampling.most[i], self._sampling.most[i]))
            if strategy != "superposition":
                base[i] = scalings[i]
        return scalings

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
