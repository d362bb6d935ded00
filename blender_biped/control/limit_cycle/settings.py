"""What a limit-cycle preset says: pose graphs, perturbations, what a step is balanced by; every field checked.

Numbers are those of the body that the preset is written for (``body``: mass, kg, and leg, m), as a paper prints them,
and are turned here into those of the reference body, by which every controller is scaled (see ``similarity``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from ...base.errors import DataError
from ...base.fields import Fields
from ...character.reference import REFERENCE_LEG, REFERENCE_MASS
from ..generalized.settings import read_gain
from ..shared.legs import LEFT, RIGHT
from ..shared.pose_graph import Graph, Part, PoseState, added, mixed, read_part, read_relative, read_sides
from ..shared.spline import Knots, read_knots
from .regulation import Variable, read_variable
from .sampling import STRATEGIES, Sampling, Strategy

Sides = tuple[Graph, Graph]
_NO_GAIN = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Dimension:
    """One dimension of the balance: a perturbation that is scaled until a variable is on its target.

    target: of the variable, over the wished speed ahead, m/s; shift: what is added to it on a left stance, and taken
    from it on a right one, over the wished speed to the left. gain: change of the target for each m/s of a step that
    was too slow (equation 5.1); most: of that change; learning: what each m/s adds to it step by step. desired: m/s of
    a step along the variable's axis; None for the wished speed.
    """

    relative: Sides
    variable: Variable
    target: Knots
    shift: Knots
    gain: float
    most: float
    learning: float
    desired: float | None


@dataclass(frozen=True)
class Turning:
    """How a turn is led: scale of the relative graph for each rad off the wished heading, and for each rad/s of a turn.

    most: of that scale; change: of it from one step to the next. after: steps of the walk before it turns.
    """

    relative: Sides
    gain: float
    lead: float
    most: float
    change: float
    after: int


@dataclass(frozen=True)
class Start:
    """The pose and the velocity that a walk begins with. stance: of its first step.

    angles: in degrees, as of a state of the graph for that stance. velocity: m/s, ahead and to the left.
    """

    stance: int
    angles: Mapping[str, Knots]
    velocity: tuple[float, float]


@dataclass(frozen=True)
class LimitCycle:
    """One motion to balance, in numbers of the reference body.

    parts: the base graph, one part after another, its style added. dimensions: what balances it. level: links
    whose pitch is told in the heading frame, not from their parents (the torso servo, 3.8). direction: of travel from
    where it faces, rad. entering: steps over which it is mixed with the motion before it.
    """

    parts: tuple[Part, ...]
    dimensions: tuple[Dimension, ...]
    sampling: Sampling
    turning: Turning | None
    start: Start
    level: frozenset[str]
    gains: Mapping[str, tuple[float, float, float]]
    direction: float
    entering: int
    slowest: float
    fastest: float
    steering: Mapping[str, Any]


def read_limit_cycle(values: Mapping[str, Any]) -> LimitCycle:
    """Return the motion in a preset's values. Raises DataError naming the wrong field."""
    f = Fields(values, "preset.values")
    body = f.child("body", {"mass": REFERENCE_MASS, "leg": REFERENCE_LEG})
    mass, leg = body.number("mass", 1e-3, 1e6), body.number("leg", 1e-3, 1e4)
    size, pace = mass / REFERENCE_MASS * leg / REFERENCE_LEG, math.sqrt(leg / REFERENCE_LEG)
    given = f.child("relative", {})
    relatives = {name: _quick(read_sides(given.child(name), read_relative), pace) for name in given.data}
    balance = f.child("balance")
    items = balance.items("dimensions")
    fields = [Fields(item, f"{balance.where}.dimensions[{i}]") for i, item in enumerate(items)]
    slowest, fastest = f.vector("speeds", 2, (0.0, 10.0))
    if not 0.0 <= slowest <= fastest <= 10.0:
        raise DataError(f"preset.values.speeds: expected slowest and fastest, m/s, found {slowest:g}, {fastest:g}.")
    return LimitCycle(
        parts=tuple(_styled_parts(f, relatives, pace)),
        dimensions=tuple(_dimension(d, relatives, pace) for d in fields),
        sampling=_sampling(balance, fields),
        turning=_turning(f, relatives),
        start=_start(f, pace),
        level=frozenset(_texts(f, "level")),
        gains={"root": _NO_GAIN, "root_yaw": _NO_GAIN, **_gains(f.child("gains"), size, pace)},
        direction=math.radians(f.number("direction", -180.0, 180.0, 0.0)),
        entering=f.integer("entering", 0, 1000, 0),
        slowest=slowest,
        fastest=fastest,
        steering=f.child("steering", {}).data,
    )


def _styled_parts(f: Fields, relatives: Mapping[str, Sides], pace: float) -> list[Part]:
    """Return the base graph's parts with the preset's style, relative graphs by their scales, added."""
    parts = [read_part(Fields(item, f"preset.values.graph[{i}]")) for i, item in enumerate(f.items("graph"))]
    if not parts or any(not graph for part in parts for graph in part.graphs):
        raise DataError("preset.values.graph: expected at least one part with states.")
    parts = [replace(part, graphs=_quick(part.graphs, pace)) for part in parts]
    style = f.child("style", {})
    for name in style.data:
        scale, sides = style.number(name, -100.0, 100.0), _of(relatives, name, f"{style.where}.{name}")
        parts = [replace(part, graphs=perturbed(part.graphs, sides, scale)) for part in parts]
    for i, part in enumerate(parts):
        if not any(s.until == "contact" or s.dwell > 0.0 for graph in part.graphs for s in graph):
            raise DataError(f"preset.values.graph[{i}]: a graph needs a state that takes time.")
    return parts


def perturbed(graphs: Sides, relative: Sides, scale: float) -> Sides:
    """Return graphs with ``scale`` of a relative one added; a negative scale is that of its mirror image, for turns."""
    left, right = relative
    if scale < 0.0 and left is not right and left != right:
        left, right, scale = right, left, -scale
    return added(graphs[LEFT], left, scale), added(graphs[RIGHT], right, scale)


def between(a: Sides, b: Sides, share: float) -> Sides:
    """Return the graphs between two (5.2): ``share`` 0 is the first, 1 the second. Raises DataError."""
    return mixed(a[LEFT], b[LEFT], share), mixed(a[RIGHT], b[RIGHT], share)


def _quick(graphs: Sides, pace: float) -> Sides:
    """Return graphs with times of the reference body."""
    left, right = (tuple(replace(state, dwell=state.dwell / pace) for state in graph) for graph in graphs)
    return left, right


def _dimension(f: Fields, relatives: Mapping[str, Sides], pace: float) -> Dimension:
    name = f.text("perturbation")
    return Dimension(
        relative=_of(relatives, name, f"{f.where}.perturbation"),
        variable=read_variable(f),
        target=_over_speed(f, "target", pace),
        shift=_over_speed(f, "shift", pace) if "shift" in f.data else ((0.0, 0.0),),
        gain=f.number("gain", 0.0, 100.0, 0.0) * pace,
        most=f.number("most", 0.0, 10.0, 1.0),
        learning=f.number("learning", 0.0, 10.0, 0.0) * pace,
        desired=f.number("desired", -10.0, 10.0) / pace if "desired" in f.data else None,
    )


def _over_speed(f: Fields, name: str, pace: float) -> Knots:
    return tuple((speed / pace, value) for speed, value in read_knots(f, name))


def _sampling(f: Fields, dimensions: Sequence[Fields]) -> Sampling:
    return Sampling(
        strategy=cast(Strategy, f.text("strategy", "forward-lateral", choices=STRATEGIES)),
        samples=tuple(d.number("sample", 1e-3, 90.0) for d in dimensions),
        most=tuple(d.number("clamp", 0.0, 180.0, 180.0) for d in dimensions),
        reuse=f.flag("reuse", False),
        refinements=f.integer("refinements", 0, 10, 0),
        rebuild=f.number("rebuild", 0.0, 10.0, 0.05),
        trust=f.number("trust", 0.0, 10.0, 0.0),
    )


def _turning(f: Fields, relatives: Mapping[str, Sides]) -> Turning | None:
    if "turning" not in f.data:
        return None
    t = f.child("turning")
    name = t.text("perturbation")
    return Turning(
        relative=_of(relatives, name, f"{t.where}.perturbation"),
        gain=t.number("gain", 0.0, 1e4),
        lead=t.number("lead", 0.0, 1e4, 0.0),
        most=t.number("most", 0.0, 90.0),
        change=t.number("change", 0.0, 180.0, 180.0),
        after=t.integer("after", 0, 1000, 0),
    )


def _start(f: Fields, pace: float) -> Start:
    s = f.child("start", {})
    angles = s.child("angles", {})
    ahead, aside = s.vector("velocity", 2, (0.0, 0.0))
    return Start(
        LEFT if s.text("stance", "L", choices=("L", "R")) == "L" else RIGHT,
        {name: read_knots(angles, name) for name in angles.data},
        (ahead / pace, aside / pace),
    )


def _gains(f: Fields, size: float, pace: float) -> dict[str, tuple[float, float, float]]:
    found = {}
    for name in f.data:
        kp, kd, limit = read_gain(f, name)
        found[name] = kp / size, kd / (size * pace), limit / size
    return found


def _of(relatives: Mapping[str, Sides], name: str, where: str) -> Sides:
    if name not in relatives:
        raise DataError(f"{where}: there is no relative graph {name!r}; there are {', '.join(relatives) or 'none'}.")
    return relatives[name]


def _texts(f: Fields, name: str) -> list[str]:
    for i, value in enumerate(f.items(name, ())):
        if not isinstance(value, str):
            raise DataError(f"{f.where}.{name}[{i}]: expected the name of a body part, found {value!r}.")
    return list(f.items(name, ()))


def start_state(start: Start) -> PoseState:
    """Return the pose of a start as a state of a graph."""
    return PoseState("time", 0.0, "stance", start.angles, {})
