"""What a SIMBICON preset says: a gait as pose graphs over speed, gains, and how it is led; every field declared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from ...base.errors import DataError
from ...base.fields import Fields
from ...preset.declared import Advanced, angle, flag, integer, item, names, number, part, parts, read, table
from ...preset.preset import COMMON, Speeds, Track, read_speeds
from ..shared.gains import Gains, joint_names, read_gain
from ..shared.legs import LEFT
from ..shared.pose_graph import Graph, PoseState, mixed, read_state
from ..shared.steering import SteeringSettings

LEVELS = 16  # graphs that a range of speeds is divided into
_STAND, _SOFT = "Standing", "Softness"
_BALANCE, _LEAD, _SOFTLY = Advanced("Standing"), Advanced("Speed and Contacts"), Advanced("Softness")
_PATH = Advanced("Steering")
USUAL_RATE = 0.1  # of learning, the paper's, where a gait is soft and says none


@dataclass(frozen=True, kw_only=True)
class StandingSettings:
    """How a body stands still on both feet, sets off and stops."""

    knee: float = angle(5.0, 0.0, 90.0, "Standing Knees", "How far the knees are bent while it stands", _STAND)
    elbow: float = angle(10.0, 0.0, 120.0, "Standing Elbows", "How far the elbows are bent while it stands", _STAND)
    gain: float = number(
        40.0, 0.0, 500.0, "1/s2", "Standing Gain", "How hard a standing body is kept over its feet", _BALANCE,
        keyed=True,
    )  # fmt: skip
    damping: float = number(
        14.0, 0.0, 200.0, "1/s", "Standing Damping", "How hard the sway of a standing body is braked", _BALANCE,
        keyed=True,
    )  # fmt: skip
    settle: float = number(0.5, 0.0, 10.0, "s", "Standing First", "How long it stands before it begins to walk", _STAND)
    shift: float = number(
        0.15, 0.0, 1.0, "", "Weight Shifted", "Share of the way to the first stance foot at which the step begins",
        _BALANCE,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Leading:
    """How speed is led by feedback on the states' angles (section 7.2), and what counts as a contact."""

    learning: float = number(
        0.05, 0.0, 2.0, "rad s/m", "Speed Learning",
        "Angle of the swing hip that each step learns for a m/s of error of a stride's speed", _LEAD, keyed=True,
    )  # fmt: skip
    most: float = number(
        0.2, 0.0, 1.0, "rad", "Speed Learnt at Most", "How far learning and answer turn the swing hip at most", _LEAD,
        keyed=True,
    )  # fmt: skip
    answer: float = number(
        0.1, 0.0, 2.0, "rad s/m", "Speed Answer", "Angle of the swing hip for a m/s of error of the last stride alone",
        _LEAD, keyed=True,
    )  # fmt: skip
    foresight: float = number(
        0.3, 0.0, 2.0, "s", "Foresight in Bends", "How far ahead in a turn the velocity is led", _LEAD, keyed=True,
    )  # fmt: skip
    earliest: float = number(
        0.5, 0.0, 1.0, "", "Earliest Strike", "Share of a step before which a touch of the foot is a scuff", _LEAD,
        keyed=True,
    )  # fmt: skip
    contact: float = number(
        0.03, 0.0, 1.0, "", "Contact", "Share of the weight under a foot that counts as a contact", _LEAD, keyed=True,
    )  # fmt: skip
    sharing: float = number(
        1.0, 0.0, 1.0, "", "Sharing", "How much of the pelvis' torque a loaded swing leg takes by its load", _LEAD,
        keyed=True,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Softness:
    """How soft pelvis and upper body are, for they know what each step will need (section 6)."""

    softness: float = number(
        0.0, 0.0, 0.9, "", "Softness",
        "How much less hard trunk and arms are held, once they have learnt what each step needs; a push stiffens them",
        _SOFT, keyed=True,
    )  # fmt: skip
    learning: float = number(
        0.0, 0.0, 1.0, "", "Anticipation",
        "Share of what trunk and arms react with that each step learns to give beforehand; 0.1 where 0, but soft",
        _SOFTLY, keyed=True,
    )  # fmt: skip
    reaction: float = number(
        0.15, 0.0, 1.0, "s", "Reaction Time", "How long after a push soft trunk and arms stiffen", _SOFTLY, keyed=True,
    )  # fmt: skip
    bin: float = number(0.005, 0.0002, 0.1, "s", "Bin", "Time for which one torque is learnt")

    @property
    def rate(self) -> float:
        """How fast it learns, alpha of equation 2."""
        return self.learning or USUAL_RATE


@dataclass(frozen=True, kw_only=True)
class Key:
    """The pose graph at one speed, m/s.

    right: that of a right stance where both steps differ, as a limp's do, written for a left stance like the other;
    empty where the left one's mirror image follows.
    """

    speed: float = number(0.0, -10.0, 10.0, "m/s", "Speed", "Speed that these states are for")
    states: Graph = parts(PoseState, "States", "What it does, one state after another")
    right: Graph = item(
        lambda f, name: tuple(read_state(row) for row in f.objects(name)) if name in f.data else (), "Right States",
        "What it does on the right leg, where that is another step", (),
    )  # fmt: skip


def _read_keys(f: Fields, name: str) -> tuple[tuple[float, Graph, Graph], ...]:
    """Return the speeds, m/s, rising, with the graphs of a left and a right stance at each. Raises DataError."""
    where = f"{f.where}.{name}"
    keys = [read(Key, row) for row in f.objects(name)]
    for i, key in enumerate(keys):
        for side, graph in (("states", key.states), ("right", key.right or key.states)):
            if not any(state.until == "contact" or state.dwell > 0.0 for state in graph):
                raise DataError(f"{where}[{i}].{side}: a gait needs a state that takes time.")
    if not keys or any(b.speed <= a.speed for a, b in pairwise(keys)):
        raise DataError(f"{where}: expected at least one, with rising speeds.")
    return tuple((key.speed, key.states, key.right or key.states) for key in keys)


@dataclass(frozen=True, kw_only=True)
class Gait:
    """One gait. keys: speeds, m/s, rising, with the graphs of a left and a right stance; between them they are mixed.

    lean: power of the build with which the pelvis leans, see ``physique.lean_of``; 0 for none.
    posed: whether its angles are those of a body that was posed, and stay as they are on bodies of any build.
    speeds: of the reference body. direction: of travel from where it faces, rad, to the left. level: links whose angles
    are desired in the heading frame, beside pelvis and swing thigh. tracks: numbers that change along a walk, by path.
    """

    keys: tuple[tuple[float, Graph, Graph], ...] = item(
        _read_keys, "Keys", "Pose graphs over the speed, m/s; mixed between them"
    )
    speeds: Speeds = item(lambda f, _name: read_speeds(f), "Speeds", "Slowest and fastest, m/s")
    level: frozenset[str] = names("Level", "Links whose angles are in the heading frame, beside pelvis and swing thigh")
    gains: Gains = table(
        read_gain, "Gains", "Of each joint: stiffness, N m/rad, damping, N m s/rad, and the most torque, N m",
        joint_names,
    )  # fmt: skip
    standing: StandingSettings = part(StandingSettings, "Standing", "How it stands, sets off and stops", key="stand")
    leading: Leading = part(Leading, "Leading", "How its speed is led, and what is a contact", key="lead")
    soft: Softness = part(Softness, "Softness", "How soft trunk and arms are")
    steering: SteeringSettings = part(SteeringSettings, "Steering", "How it follows its path")
    passes: int = integer(
        0, 0, 100, "", "Passes", "How often its states are gone through before the gait before goes on; 0 for ever"
    )  # fmt: skip
    direction: float = angle(0.0, -180.0, 180.0, "Direction", "Where it goes, to the left of where it faces", _PATH)
    lean: float = number(
        0.0, 0.0, 5.0, "", "Lean by Build",
        "Power of a body's build with which its pelvis leans farther than people's; 0 for the same lean on each body",
    )  # fmt: skip
    posed: bool = flag(False, "Posed", "Whether its poses stay as they are, whatever the build of the body")
    tracks: Mapping[str, Track] = field(default_factory=dict)

    @property
    def slowest(self) -> float:
        """The lowest speed, m/s."""
        return self.speeds.slowest

    @property
    def fastest(self) -> float:
        """The highest speed, m/s."""
        return self.speeds.fastest

    @property
    def usual(self) -> float:
        """The speed that it has by itself, m/s."""
        return self.speeds.usual

    @property
    def anticipates(self) -> bool:
        """Whether it learns torques to give beforehand, now or later in the walk."""
        keyed = any(path.startswith("soft.") for path in self.tracks)
        return keyed or self.soft.softness > 0.0 or self.soft.learning > 0.0

    @property
    def on_both_feet(self) -> bool:
        """Whether it begins with both legs bearing the body, as a hop does."""
        return self.keys[0][1][0].support != "stance"

    @property
    def levels(self) -> int:
        """How many graphs the range of speeds is divided into."""
        return LEVELS + 1 if len(self.keys) > 1 else 1

    def level_of(self, speed: float) -> int:
        """Return the level of a speed, m/s."""
        low, high = self.keys[0][0], self.keys[-1][0]
        return round((min(max(speed, low), high) - low) / max(high - low, 1e-9) * (self.levels - 1))

    def graph(self, level: int, stance: int = LEFT) -> Graph:
        """Return the graph of a level of speed on a stance leg: mixed from those of the nearest keys."""
        speeds = [key[0] for key in self.keys]
        at = speeds[0] + level / LEVELS * (speeds[-1] - speeds[0])
        i = min(int(np.searchsorted(speeds, at, side="right")) - 1, len(speeds) - 2)
        if i < 0:
            return self.keys[0][1:][stance]
        (a, *first), (b, *second) = self.keys[i : i + 2]
        return mixed(first[stance], second[stance], (at - a) / (b - a))


def read_gait(values: Mapping[str, Any], keyed: Mapping[str, Track] | None = None) -> Gait:
    """Return the gait in a preset's values, with its keyed numbers. Raises DataError naming the wrong field."""
    return replace(read(Gait, Fields(values, "preset.values"), COMMON), tracks=keyed or {})
