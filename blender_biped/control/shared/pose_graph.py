"""Pose graphs: desired angles, state by state (Yin 2007, section 3.1; pose control graphs of Laszlo 1996).

A state has target angles, constant or along the state's time, and ends after its dwell, or when the foot that its
controller waits for is down. Graphs are data; they are mixed by mixing their numbers, and changed by relative graphs
that are added to them. Several after one another make a composite one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Literal

import numpy as np

from ...base.errors import DataError
from ...base.fields import Fields
from ...base.spatial import Array, matrix_quaternion
from ...character.model import SIDES, Character
from ...preset.declared import choice, number, read, table
from .angles import angle_names, angle_places, turn_matrices
from .legs import LEFT, RIGHT
from .spline import Knots, catmull_rom, read_knots

Until = Literal["time", "contact", "over"]
Support = Literal["stance", "both", "planted", "alone"]

SAMPLES = 32  # intervals at which a trajectory within a state is kept
_ANGLES = "Angles", "Target angles of joints and links, degrees, constant or over the state's phase"
_FEEDBACK = "Feedback", "What c_d, rad/m, and c_v, rad s/m, add to an angle"
MIDDLE = 0.5  # phase of a state whose pose stands for it


def _read_row(f: Fields, name: str) -> tuple[Knots, Knots]:
    """Return c_d and c_v over the state: two numbers, or knots [phase, c_d, c_v]."""
    rows = f.items(name)
    if rows and all(isinstance(row, (list, tuple)) for row in rows):
        knots = f.rows(name, 3)
        if any(b[0] <= a[0] for a, b in pairwise(knots)):
            raise DataError(f"{f.where}.{name}: expected [c_d, c_v], or knots [phase, c_d, c_v] with rising phases.")
        return tuple((p, d) for p, d, _ in knots), tuple((p, v) for p, _, v in knots)
    c_d, c_v = f.vector(name, 2)
    return ((0.0, c_d),), ((0.0, c_v),)


@dataclass(frozen=True, kw_only=True)
class PoseState:
    """One state of a graph, for a left stance; times of the reference body.

    until: what ends it. dwell: s; of a state that ends by contact, the time that its trajectories take.
    support: whether one leg bears the body, or both alike; planted: both, kept under it as where it stands; alone: the
    stance leg, likewise, to which the weight is brought while the other one still bears.
    angles: name -> knots (phase, degrees), see ``angles``.
    feedback: name -> trajectories of c_d, rad/m, and c_v, rad s/m: rows of the matrix F (equation 1), added to the
    angle of that name.
    """

    until: Until = choice(
        None, ("time", "contact", "over"), "Until",
        "What ends the state: its time, a foot strike, or that the body comes to rest over the stance foot",
    )  # fmt: skip
    dwell: float = number(None, 0.0, 10.0, "s", "Dwell", "How long the state lasts")
    support: Support = choice(
        "stance", ("stance", "both", "planted", "alone"), "Support",
        "Whether one leg bears, or both; planted: both, alone: one, kept under the body as where it stands",
    )  # fmt: skip
    angles: Mapping[str, Knots] = table(read_knots, *_ANGLES, angle_names, required=True)
    feedback: Mapping[str, tuple[Knots, Knots]] = table(_read_row, *_FEEDBACK, angle_names)


Graph = tuple[PoseState, ...]


def state_json(state: PoseState) -> dict[str, object]:
    """Return plain JSON data that ``read_state`` reads back."""
    return {
        "until": state.until, "dwell": state.dwell, "support": state.support,
        "angles": {n: k[0][1] if len(k) == 1 else [list(p) for p in k] for n, k in state.angles.items()},
        "feedback": {
            n: [c_d[0][1], c_v[0][1]] if len(c_d) == 1 else [[p, d, v] for (p, d), (_, v) in zip(c_d, c_v, strict=True)]
            for n, (c_d, c_v) in state.feedback.items()
        },
    }  # fmt: skip


def mixed(a: Graph, b: Graph, share: float) -> Graph:
    """Return the graph between two (section 7.2): ``share`` 0 is the first, 1 the second.

    Raises DataError when their states do not correspond.
    """
    if len(a) != len(b) or any(x.until != y.until or x.support != y.support for x, y in zip(a, b, strict=True)):
        raise DataError("Two gaits can be mixed only if their states end in the same way, one by one.")
    if share <= 0.0 or share >= 1.0:
        return a if share <= 0.0 else b
    return tuple(_mixed_state(x, y, share) for x, y in zip(a, b, strict=True))


def _mixed_state(a: PoseState, b: PoseState, share: float) -> PoseState:
    still: Knots = ((0.0, 0.0),)
    feedback = {}
    for name in sorted({*a.feedback, *b.feedback}):
        (ad, av), (bd, bv) = a.feedback.get(name, (still, still)), b.feedback.get(name, (still, still))
        feedback[name] = (_mixed_knots(ad, bd, share), _mixed_knots(av, bv, share))
    names = sorted({*a.angles, *b.angles})
    angles = {name: _mixed_knots(a.angles.get(name, still), b.angles.get(name, still), share) for name in names}
    return replace(a, dwell=a.dwell + share * (b.dwell - a.dwell), angles=angles, feedback=feedback)


def _mixed_knots(a: Knots, b: Knots, share: float) -> Knots:
    if len(a) == 1 and len(b) == 1:
        return ((0.0, a[0][1] + share * (b[0][1] - a[0][1])),)
    phases = np.linspace(0.0, 1.0, SAMPLES + 1)
    values = (1.0 - share) * catmull_rom(a, phases) + share * catmull_rom(b, phases)
    return tuple(zip(phases.tolist(), values.tolist(), strict=True))


@dataclass(frozen=True, kw_only=True)
class StateChange:
    """A state of a relative graph: changes of a state's dwell, s, and of its angles, degrees."""

    dwell: float = number(0.0, -10.0, 10.0, "s", "Dwell", "By how much longer the state lasts")
    angles: Mapping[str, Knots] = table(read_knots, *_ANGLES, angle_names)


def read_state(f: Fields) -> PoseState:
    """Return the state in JSON data. Raises DataError naming the wrong field."""
    return read(PoseState, f)


def read_relative(f: Fields) -> PoseState:
    """Return a state of a relative graph in JSON data. Raises DataError naming the wrong field."""
    change = read(StateChange, f)
    return PoseState(until="time", dwell=change.dwell, angles=change.angles)


def added(base: Graph, relative: Graph, scale: float) -> Graph:
    """Return a graph changed by ``scale`` times a relative one (Laszlo 1996, 2.3.1): angles and dwells, state by state.

    What ends the states stays; a relative graph of one state changes them all alike. Raises DataError when the two
    have not as many states.
    """
    if len(relative) == 1:
        relative *= len(base)
    if len(base) != len(relative):
        raise DataError(f"A relative graph of {len(relative)} states cannot be added to one of {len(base)}.")
    return tuple(_changed(x, y, scale) for x, y in zip(base, relative, strict=True)) if scale else base


def _changed(base: PoseState, change: PoseState, scale: float) -> PoseState:
    angles = dict(base.angles)
    for name, knots in change.angles.items():
        more = tuple((phase, scale * value) for phase, value in knots)
        angles[name] = _summed_knots(angles[name], more) if name in angles else more
    return replace(base, dwell=max(base.dwell + scale * change.dwell, 0.0), angles=angles)


def _summed_knots(a: Knots, b: Knots) -> Knots:
    if len(a) == 1 and len(b) == 1:
        return ((0.0, a[0][1] + b[0][1]),)
    phases = np.linspace(0.0, 1.0, SAMPLES + 1)
    return tuple(zip(phases.tolist(), (catmull_rom(a, phases) + catmull_rom(b, phases)).tolist(), strict=True))


@dataclass(frozen=True)
class GraphPart:
    """One graph of a composite one, by the stance leg (left, right; each written for a left stance).

    passes: how often it is gone through before the next part; 0 for ever. balanced: whether it is to be balanced.
    """

    graphs: tuple[Graph, Graph]
    passes: int = 0
    balanced: bool = True


def read_part(f: Fields) -> GraphPart:
    """Return a part in JSON data: ``states``, or ``left`` and ``right`` ones. Raises DataError naming the field."""
    f.only({*side_names(f), "passes", "balanced"})
    return GraphPart(read_sides(f, read_state), f.integer("passes", 0, 10_000, 0), f.flag("balanced", True))


def read_sides(f: Fields, read_one: Callable[[Fields], PoseState]) -> tuple[Graph, Graph]:
    """Return the graphs of a left and a right stance: the same ``states``, or ``left`` and ``right``."""
    left, right = (tuple(read_one(state) for state in f.objects(name)) for name in side_names(f))
    return left, right


def side_names(f: Fields) -> tuple[str, str]:
    """Return the keys of the graphs of a left and a right stance."""
    return ("states", "states") if "states" in f.data else ("left", "right")


def part_of(parts: Sequence[GraphPart], number: int) -> GraphPart | None:
    """Return the part of a composite graph that its pass ``number``, from 0, belongs to; None behind its end."""
    for part in parts:
        if part.passes == 0 or number < part.passes:
            return part
        number -= part.passes
    return None


class PoseTable:
    """A state's target angles for one character and one stance leg, by phase."""

    def __init__(self, angles: Array, rows: Array, bent: Sequence[int]) -> None:
        """Take angles (K, L, 3), rad, at even phases, and rows (K, L, 3, 4) of turns and rates; see ``pose_tables``."""
        self._rows = rows
        self._angles = {link: angles[:, link].tolist() for link in bent}
        self._last = len(rows) - 1

    def at(self, phase: float) -> Array:
        """Return (L, 3, 4): rotations and, in the last column, rates, rad per dwell."""
        return np.asarray(self._rows[self._place(phase)])

    def angle(self, phase: float, link: int) -> tuple[float, float, float]:
        """Return roll, pitch and yaw, rad, of one of the links in ``bent``."""
        roll, pitch, yaw = self._angles[link][self._place(phase)]
        return roll, pitch, yaw

    def _place(self, phase: float) -> int:
        return min(int(phase * self._last + 0.5), self._last)


def pose_tables(character: Character, graph: Graph, stance: int, bent: Sequence[int] = ()) -> list[PoseTable]:
    """Return the table of each state of a graph for one stance leg.

    bent: links whose angles the caller adds to; see ``PoseTable.angle``. The states' turns are computed together: that
    takes hardly longer than those of one. Raises DataError for an unknown name of an angle.
    """
    still = [all(len(knots) == 1 for knots in state.angles.values()) for state in graph]
    ends = list(accumulate(1 if one else SAMPLES + 1 for one in still))
    angles = np.zeros((ends[-1], len(character.links), 3))
    rows = np.zeros((*angles.shape, 4))
    parts = list(zip(graph, np.split(angles, ends[:-1]), np.split(rows, ends[:-1]), strict=True))
    for state, own, row in parts:
        phases = np.linspace(0.0, 1.0, len(own))
        for name, knots in state.angles.items():
            values = knots[0][1] if len(knots) == 1 else catmull_rom(knots, phases)
            for link, column, sign in angle_places(name, character, SIDES[stance]):
                own[:, link, column] = sign * values
        np.radians(own, out=own)
        if len(own) > 1:
            row[..., 3] = np.gradient(own, phases, axis=0)
    rows[..., :3] = turn_matrices(angles)
    return [PoseTable(own, row, bent) for _, own, row in parts]


def pose_table(character: Character, state: PoseState, stance: int, bent: Sequence[int] = ()) -> PoseTable:
    """Return the table of one state; see ``pose_tables``."""
    return pose_tables(character, (state,), stance, bent)[0]


def orientations(rows: Array, bases: Sequence[int]) -> Array:
    """Return link rotations (L, 4), heading frame, of the links' own (L, 3, 3) in their bases' frames.

    bases (L,): a link that comes before; the link itself, or L: the heading frame.
    """
    matrices = np.concatenate((rows, np.eye(3)[None]))
    for i, base in enumerate(bases):
        matrices[i] = matrices[base] @ rows[i] if base != i else rows[i]
    return matrix_quaternion(matrices[:-1])


class Machine:
    """Where in a graph a body is. A mirrored graph is written for a left stance; a right one follows each pass."""

    def __init__(self, graph: Graph, stance: int = LEFT, index: int = 0) -> None:
        self.graph, self.stance, self.index = graph, stance, index
        self.time = 0.0  # s in this state
        self.step_time = 0.0  # s since the stance leg changed

    @property
    def state(self) -> PoseState:
        """The state that it is in."""
        return self.graph[self.index]

    @property
    def phase(self) -> float:
        """Share of the state's dwell that has passed, 0..1."""
        return min(self.time / max(self.state.dwell, 1e-6), 1.0)

    def advance(self, step: float, contact: bool) -> bool:
        """Move on by ``step`` s; contact: whether the swing foot is down. Return whether the stance leg changed.

        A state without dwell, or one that waits for a contact that is there already, takes no time.
        """
        self.time += step
        self.step_time += step
        changed = False
        for _ in self.graph:
            state = self.state
            if self.time < state.dwell if state.until == "time" else not contact:
                break
            self.time = 0.0
            self.index += 1
            if self.index == len(self.graph):
                self.index, changed, contact = 0, True, False
                self.stance = LEFT + RIGHT - self.stance
                self.step_time = 0.0
        return changed
