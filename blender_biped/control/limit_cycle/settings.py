"""What a limit-cycle preset says: pose graphs, perturbations, what a step is balanced by; every field declared.

Numbers are those of the body that the preset is written for (``body``: mass, kg, and leg, m), as a paper prints them,
and are turned here into those of the reference body, by which every controller is scaled (see ``similarity``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from ...base.errors import DataError
from ...base.fields import Fields
from ...character.model import SIDES
from ...character.reference import REFERENCE_LEG, REFERENCE_MASS
from ...preset.declared import (
    Advanced,
    angle,
    choice,
    flag,
    integer,
    item,
    names,
    number,
    part,
    parts,
    read,
    table,
    vector,
)
from ...preset.preset import COMMON, Speeds, Track, read_speeds
from ..shared.angles import angle_names
from ..shared.gains import Gain, Gains, joint_names, read_gain
from ..shared.legs import LEFT, RIGHT
from ..shared.pose_graph import (
    Graph,
    GraphPart,
    PoseState,
    added,
    mixed,
    read_part,
    read_relative,
    read_sides,
    side_names,
)
from ..shared.spline import Knots, read_knots
from ..shared.steering import SteeringSettings
from .regulation import AXES, VECTORS, Variable, variable
from .sampling import STRATEGIES, Sampling, Strategy

Sides = tuple[Graph, Graph]
_NO_GAIN = (0.0, 0.0, 0.0)
_WHERE = "preset.values"
ANY_SPEED = Speeds(0.0, 5.0, 10.0)  # m/s, of a preset that keeps no range


@dataclass(frozen=True)
class Dimension:
    """One dimension of the balance: a perturbation that is scaled until a variable is on its target.

    target: of the variable, over the desired speed ahead, m/s; shift: what is added to it on a left stance, and taken
    from it on a right one, over the desired speed to the left. gain: change of the target for each m/s of a step that
    was too slow (equation 5.1); most: of that change; learning: what each m/s adds to it step by step. desired: m/s of
    a step along the variable's axis; None for the desired speed.
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
    """How a turn is led: scale of the relative graph for each rad off the desired heading and each rad/s of a turn.

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
    whose desired pitch is in the heading frame, not from their parents (the torso servo, 3.8). direction: of travel
    from where it faces, rad. entering: steps over which it is mixed with the motion before it. tracks: those of the
    steering's numbers that change along a walk.
    """

    parts: tuple[GraphPart, ...]
    dimensions: tuple[Dimension, ...]
    sampling: Sampling
    turning: Turning | None
    start: Start | None
    level: frozenset[str]
    gains: Mapping[str, tuple[float, float, float]]
    direction: float
    entering: int
    slowest: float
    fastest: float
    steering: SteeringSettings
    tracks: Mapping[str, Track] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class BodyFields:
    """The body that a preset's numbers are for."""

    mass: float = number(REFERENCE_MASS, 1e-3, 1e6, "kg", "Mass", "Mass of the body that the numbers are for")
    leg: float = number(REFERENCE_LEG, 1e-3, 1e4, "m", "Leg", "Length of its legs")


@dataclass(frozen=True, kw_only=True)
class DimensionFields:
    """A dimension of the balance as a preset has it; see ``Dimension`` and ``Sampling``."""

    perturbation: str = item(
        lambda f, name: f.text(name), "Perturbation", "The relative graph that is scaled",
    )  # fmt: skip
    vectors: Mapping[str, float] = table(
        lambda f, name: f.number(name, -10.0, 10.0), "Vectors", "Weights of the vectors that the variable is made of",
        lambda: VECTORS, required=True,
    )  # fmt: skip
    axis: str = choice(None, AXES, "Axis", "The plane that it balances in")
    link: str = item(lambda f, name: f.text(name, "pelvis"), "Link", "The link whose up vector counts", "pelvis")
    target: Knots = item(read_knots, "Target", "Of the variable, over the desired speed ahead, m/s")
    shift: Knots = item(
        lambda f, name: read_knots(f, name) if name in f.data else ((0.0, 0.0),), "Shift",
        "What a left stance adds to the target, over the desired speed to the left, m/s", ((0.0, 0.0),),
    )  # fmt: skip
    gain: float = number(0.0, 0.0, 100.0, "s/m", "Gain", "Change of the target for each m/s that a step was too slow")
    most: float = number(1.0, 0.0, 10.0, "", "Change at Most", "How far the target is changed at most")
    learning: float = number(0.0, 0.0, 10.0, "s/m", "Learning", "What each m/s adds to the target from step to step")
    desired: float | None = item(
        lambda f, name: f.number(name, -10.0, 10.0) if name in f.data else None, "Desired",
        "Speed along the axis, m/s, in place of the walk's",
    )  # fmt: skip
    sample: float = number(None, 1e-3, 90.0, "", "Sample", "Scale of the perturbation in trials")
    clamp: float = number(180.0, 0.0, 180.0, "", "Clamp", "Largest scale of the perturbation")


_BALANCE, _PATH = Advanced("Balance"), Advanced("Steering")


@dataclass(frozen=True, kw_only=True)
class BalanceFields:
    """How a step is balanced, as a preset has it; see ``Sampling``."""

    dimensions: tuple[DimensionFields, ...] = parts(
        DimensionFields, "Dimensions", "What keeps it upright, one entry for each plane"
    )
    strategy: str = choice("forward-lateral", STRATEGIES, "Strategy", "Which perturbations are tried")
    reuse: bool = flag(False, "Reuse", "Whether what trials found is used for later steps, too")
    refinements: int = integer(
        0, 0, 10, "", "Refinements", "How often a step's correction may be tried and corrected again", _BALANCE,
    )  # fmt: skip
    rebuild: float = number(
        0.05, 0.0, 10.0, "", "New Model From", "Error in the trials with a kept model from which a new one is made",
        _BALANCE,
    )  # fmt: skip
    trust: float = number(
        0.0, 0.0, 10.0, "", "Trust To", "Error of a step under which the next one of that leg is not tried", _BALANCE,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class TurningFields:
    """How a turn is led, as a preset has it; see ``Turning``."""

    perturbation: str = item(
        lambda f, name: f.text(name), "Perturbation", "The relative graph that is scaled",
    )  # fmt: skip
    gain: float = number(None, 0.0, 1e4, "1/rad", "Gain", "Scale of the turning graph for each rad off the heading")
    lead: float = number(0.0, 0.0, 1e4, "s/rad", "Lead", "Scale of the turning graph for each rad/s of a turn")
    most: float = number(None, 0.0, 90.0, "", "At Most", "Largest scale of the turning graph")
    change: float = number(180.0, 0.0, 180.0, "", "Change", "Largest change of it from one step to the next")
    after: int = integer(0, 0, 1000, "", "After", "Steps of the walk before it turns")


@dataclass(frozen=True, kw_only=True)
class StartFields:
    """How a walk begins, as a preset has it; see ``Start``."""

    stance: str = choice("L", SIDES, "Stance", "The leg that bears the first step")
    angles: Mapping[str, Knots] = table(read_knots, "Angles", "The pose that it begins in, degrees", angle_names)
    velocity: tuple[float, float] = vector(
        (0.0, 0.0), 2, -100.0, 100.0, "Velocity", "That it begins with, ahead and to the left, m/s",
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class LimitCycleFields:
    """All fields of a limit-cycle preset, in numbers of the body that it is written for."""

    body: BodyFields = part(BodyFields, "Body", "The body that the numbers are for")
    graph: tuple[GraphPart, ...] = item(lambda f, name: _read_graph(f, name), "Graph", "The cycle of poses")
    relative: Mapping[str, Sides] = table(
        lambda f, name: _read_relative_graphs(f, name), "Relative Graphs", "Changes of the cycle that can be scaled",
    )  # fmt: skip
    style: Mapping[str, float] = table(
        lambda f, name: f.number(name, -100.0, 100.0), "Style", "Scales of the relative graphs that are always added",
    )  # fmt: skip
    balance: BalanceFields = part(BalanceFields, "Balance", "How each step is balanced")
    turning: TurningFields | None = part(
        TurningFields, "Turning", "How it turns; without it, it goes straight on", optional=True,
    )  # fmt: skip
    start: StartFields | None = part(
        StartFields, "Start", "How it begins in mid-step; without it, it stands before and after", optional=True,
    )  # fmt: skip
    level: frozenset[str] = names("Level", "Links whose pitch is in the heading frame")
    gains: Gains = table(
        read_gain, "Gains", "Of each joint: stiffness, N m/rad, damping, N m s/rad, and the most torque, N m",
        joint_names, required=True,
    )  # fmt: skip
    speeds: Speeds = item(
        lambda f, _name: read_speeds(f) if "speeds" in f.data else ANY_SPEED, "Speeds", "Slowest and fastest, m/s",
    )  # fmt: skip
    direction: float = angle(0.0, -180.0, 180.0, "Direction", "Where it goes, to the left of where it faces", _PATH)
    entering: int = integer(
        0, 0, 1000, "steps", "Entering", "Steps over which it is mixed with the motion before it", _PATH,
    )  # fmt: skip
    steering: SteeringSettings = part(SteeringSettings, "Steering", "How it follows its path")


def _read_graph(f: Fields, name: str) -> tuple[GraphPart, ...]:
    parts_read = tuple(read_part(row) for row in f.objects(name))
    if not parts_read or any(not graph for part_read in parts_read for graph in part_read.graphs):
        raise DataError(f"{f.where}.{name}: expected at least one part with states.")
    return parts_read


def _read_relative_graphs(f: Fields, name: str) -> Sides:
    own = f.child(name)
    own.only(side_names(own))
    return read_sides(own, read_relative)


def read_limit_cycle(values: Mapping[str, Any], keyed: Mapping[str, Track] | None = None) -> LimitCycle:
    """Return the motion in a preset's values, with its keyed numbers. Raises DataError naming the wrong field."""
    tracks = {path.removeprefix("steering."): track for path, track in (keyed or {}).items()}
    return replace(at_reference(read(LimitCycleFields, Fields(values, _WHERE), COMMON)), tracks=tracks)


def at_reference(own: LimitCycleFields) -> LimitCycle:
    """Return the motion of a preset's fields in numbers of the reference body. Raises DataError."""
    mass, leg = own.body.mass, own.body.leg
    size = mass / REFERENCE_MASS * leg / REFERENCE_LEG
    time_scale = math.sqrt(leg / REFERENCE_LEG)  # and that of speeds
    relatives = {name: _quick(sides, time_scale) for name, sides in own.relative.items()}
    balance = own.balance
    return LimitCycle(
        parts=tuple(_styled_parts(own, relatives, time_scale)),
        dimensions=tuple(_dimension(d, i, relatives, time_scale) for i, d in enumerate(balance.dimensions)),
        sampling=Sampling(
            strategy=cast(Strategy, balance.strategy),
            samples=tuple(d.sample for d in balance.dimensions),
            most=tuple(d.clamp for d in balance.dimensions),
            reuse=balance.reuse,
            refinements=balance.refinements,
            rebuild=balance.rebuild,
            trust=balance.trust,
        ),
        turning=_turning(own.turning, relatives),
        start=None if own.start is None else _start(own.start, time_scale),
        level=own.level,
        gains={"root": _NO_GAIN, "root_yaw": _NO_GAIN, **_gains(own.gains, size, time_scale)},
        direction=own.direction,
        entering=own.entering,
        slowest=own.speeds.slowest,
        fastest=own.speeds.fastest,
        steering=own.steering,
    )


def _styled_parts(own: LimitCycleFields, relatives: Mapping[str, Sides], time_scale: float) -> list[GraphPart]:
    """Return the base graph's parts with the preset's style, relative graphs by their scales, added."""
    found = [replace(one, graphs=_quick(one.graphs, time_scale)) for one in own.graph]
    for name, scale in own.style.items():
        sides = _of(relatives, name, f"{_WHERE}.style.{name}")
        found = [replace(one, graphs=perturbed(one.graphs, sides, scale)) for one in found]
    for i, one in enumerate(found):
        if not any(s.until == "contact" or s.dwell > 0.0 for graph in one.graphs for s in graph):
            raise DataError(f"{_WHERE}.graph[{i}]: a graph needs a state that takes time.")
    return found


def perturbed(graphs: Sides, relative: Sides, scale: float) -> Sides:
    """Return graphs with ``scale`` of a relative one added; a negative scale is that of its mirror image, for turns."""
    left, right = relative
    if scale < 0.0 and left is not right and left != right:
        left, right, scale = right, left, -scale
    return added(graphs[LEFT], left, scale), added(graphs[RIGHT], right, scale)


def between(a: Sides, b: Sides, share: float) -> Sides:
    """Return the graphs between two (5.2): ``share`` 0 is the first, 1 the second. Raises DataError."""
    return mixed(a[LEFT], b[LEFT], share), mixed(a[RIGHT], b[RIGHT], share)


def _quick(graphs: Sides, time_scale: float) -> Sides:
    """Return graphs with times of the reference body."""
    left, right = (tuple(replace(state, dwell=state.dwell / time_scale) for state in graph) for graph in graphs)
    return left, right


def _dimension(own: DimensionFields, i: int, relatives: Mapping[str, Sides], time_scale: float) -> Dimension:
    return Dimension(
        relative=_of(relatives, own.perturbation, f"{_WHERE}.balance.dimensions[{i}].perturbation"),
        variable=variable(own.vectors, own.axis, own.link),
        target=_over_speed(own.target, time_scale),
        shift=_over_speed(own.shift, time_scale),
        gain=own.gain * time_scale,
        most=own.most,
        learning=own.learning * time_scale,
        desired=None if own.desired is None else own.desired / time_scale,
    )


def _over_speed(knots: Knots, time_scale: float) -> Knots:
    return tuple((speed / time_scale, value) for speed, value in knots)


def _turning(own: TurningFields | None, relatives: Mapping[str, Sides]) -> Turning | None:
    if own is None:
        return None
    relative = _of(relatives, own.perturbation, f"{_WHERE}.turning.perturbation")
    return Turning(relative, own.gain, own.lead, own.most, own.change, own.after)


def _start(own: StartFields, time_scale: float) -> Start:
    ahead, aside = own.velocity
    stance = LEFT if own.stance == "L" else RIGHT
    return Start(stance, own.angles, (ahead / time_scale, aside / time_scale))


def _gains(own: Gains, size: float, time_scale: float) -> dict[str, Gain]:
    return {name: (kp / size, kd / (size * time_scale), limit / size) for name, (kp, kd, limit) in own.items()}


def _of(relatives: Mapping[str, Sides], name: str, where: str) -> Sides:
    if name not in relatives:
        raise DataError(f"{where}: there is no relative graph {name!r}; there are {', '.join(relatives) or 'none'}.")
    return relatives[name]


def start_state(start: Start) -> PoseState:
    """Return the pose of a start as a state of a graph."""
    return PoseState(until="time", dwell=0.0, angles=start.angles)
