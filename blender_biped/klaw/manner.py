"""What an animator would say of a walk, beyond the thesis's attributes: how the body is held, moves, and is uneven.

None of it changes the dynamics: it says which steps there are (``uneven``), and how feet, hips and trunk are carried on
what the dynamics give (``carriage``). Every default adds nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.curves import gently
from ..base.spatial import Array
from ..preset.declared import Advanced, number

POSTURE = "Posture"
ARMS = "Arms"
_MOVEMENT = "Movement"
_UNEVENNESS = "Unevenness"
_POSTURE, _ARMS, _UNEVEN = Advanced("Posture"), Advanced("Arms"), Advanced("Unevenness")

_LIMP = 0.3  # of a step's time, by which the limping leg bears for less at most
_STAGGERED = (0.22, 0.12)  # of a step's length and time, when it staggers most
_ASTRAY, _DRIFT = 0.19, 3  # m, and steps from one drift to the next
_GLANCE, _TURNING = 2.2, 1.2  # s from one glance to the next, and of it in which the head turns
_FARTHER = (0.4, 0.6)  # shares of its amount that a glance has at least, and by chance
_LOOKS = 8  # what it looks at is by chance of its own, each take otherwise


@dataclass(frozen=True)
class Manner:
    """The words of an animator. Angles in degrees, lengths, m, those of a body of 1.8 m; they scale with the body.

    Lean, stride width, arm swing and elbows are attributes of the thesis (``Attributes``).
    """

    crouch: float = number(
        0.0, 0.0, 0.4, "", "Crouch", "How much lower the hips are carried, as a share of the legs' length", POSTURE,
        keyed=True,
    )  # fmt: skip
    slouch: float = number(
        0.0, -20.0, 60.0, "degrees", "Slouch",
        "How far the upper back is bent forward. Below 0 the chest is lifted. The arms hang straight down", POSTURE,
        keyed=True,
    )  # fmt: skip
    head: float = number(
        0.0, -40.0, 60.0, "degrees", "Head Carriage", "How far the head is bowed. Below 0 the chin is up",
        POSTURE, keyed=True,
    )  # fmt: skip
    head_tilt: float = number(
        0.0, -40.0, 40.0, "degrees", "Head Tilt",
        "How far the head is tilted to the left shoulder. Below 0 to the right one", _POSTURE, keyed=True,
    )  # fmt: skip
    tiptoe: float = number(
        0.0, 0.0, 45.0, "degrees", "Tiptoe", "How far the soles stay tilted while they stand, with the heels up",
        POSTURE, keyed=True,
    )  # fmt: skip
    toe_out: float = number(
        0.0, -30.0, 60.0, "degrees", "Toe-Out", "How far the feet are turned outwards. Below 0 they point inwards",
        POSTURE, keyed=True,
    )  # fmt: skip
    arms_forward: float = number(
        0.0, -40.0, 120.0, "degrees", "Arms Forward", "How far the arms are raised to the front", ARMS, keyed=True,
    )  # fmt: skip
    arms_out: float = number(
        0.0, -5.0, 100.0, "degrees", "Arms Out",
        "How far the arms are raised to the sides, from where they hang clear of hips and thighs", ARMS, keyed=True,
    )  # fmt: skip
    arms_in: float = number(
        0.0, -60.0, 90.0, "degrees", "Forearms In",
        "How far the arms are turned inwards, so that bent elbows bring the hands together. Below 0 they go apart",
        _ARMS, keyed=True,
    )  # fmt: skip
    tempo: float = number(
        1.0, 0.8, 1.5, "", "Tempo",
        "How quick the steps are for their speed: 1 is what people choose, more is quicker and shorter", _MOVEMENT,
        keyed=True,
    )  # fmt: skip
    bounce: float = number(
        0.0, -1.0, 2.0, "", "Bounce", "How much more the body goes up and down. Below 0 it glides", _MOVEMENT,
        keyed=True,
    )  # fmt: skip
    heaviness: float = number(
        0.0, 0.0, 1.0, "", "Heaviness", "How far the body sinks into each step, as if it carried a load", _MOVEMENT,
        keyed=True,
    )  # fmt: skip
    looseness: float = number(
        0.0, 0.0, 1.0, "", "Looseness", "How much arms, chest and head dangle behind the rest of the body", _MOVEMENT,
        keyed=True,
    )  # fmt: skip
    hip_sway: float = number(
        0.0, 0.0, 0.12, "m", "Hip Sway",
        "How much further the hips swing out to the side of the standing leg, and tilt, for a body of 1.8 m",
        _MOVEMENT, keyed=True,
    )  # fmt: skip
    shoulder_roll: float = number(
        0.0, -25.0, 25.0, "degrees", "Shoulder Roll", "How far the shoulder above the standing leg dips", _MOVEMENT,
        keyed=True,
    )  # fmt: skip
    lurch: float = number(
        0.0, 0.0, 25.0, "degrees", "Lurch",
        "How far trunk and head sway over the standing leg, as one; where it limps, over the limping one alone",
        _MOVEMENT, keyed=True,
    )  # fmt: skip
    look_about: float = number(
        0.0, 0.0, 70.0, "degrees", "Look About",
        "How far the head turns slowly to the left and to the right, now and then, while it walks", _MOVEMENT,
        keyed=True,
    )  # fmt: skip
    knee_lift: float = number(
        0.0, 0.0, 0.4, "m", "Knee Lift",
        "How much higher knee and foot are lifted in a swing, for a body of 1.8 m", _MOVEMENT, keyed=True,
    )  # fmt: skip
    drag: float = number(
        0.0, 0.0, 1.0, "", "Drag",
        "How much the feet trail along the ground in place of being lifted; where it limps, the limping one alone",
        _MOVEMENT, keyed=True,
    )  # fmt: skip
    limp: float = number(
        0.0, -1.0, 1.0, "", "Limp",
        "How much it spares one leg: less time on it, and the body sinks over it. Above 0 the left one, below 0 the "
        "right one", _UNEVENNESS, keyed=True,
    )  # fmt: skip
    uneven_steps: float = number(
        0.0, -0.4, 0.4, "", "Uneven Steps",
        "How much longer the left foot's steps are, and the right one's shorter, as a share. Below 0 the other way "
        "round", _UNEVEN, keyed=True,
    )  # fmt: skip
    stagger: float = number(
        0.0, 0.0, 1.0, "", "Stagger",
        "How irregular the steps are in place, length and time, and how the body reels with them", _UNEVENNESS,
        keyed=True,
    )  # fmt: skip

    def drag_of(self, side: int) -> float:
        """Return how much a foot drags, 0..1. side: 0 left, 1 right."""
        return 0.0 if self.limp and (self.limp > 0.0) != (side == 0) else self.drag


PLAIN = Manner()
"""What adds nothing."""


def uneven(manner: Manner, step: int, stance: int) -> tuple[float, float]:
    """Return how a step differs from an even one: factors of its length and of its time.

    step: its number in the walk. stance: its side, 0 left, 1 right.
    """
    left = 1.0 if stance == 0 else -1.0
    length, time = 1.0 - left * manner.uneven_steps, 1.0 - left * _LIMP * manner.limp
    if manner.stagger:
        longer, later = (0.7 * (chance(step, which) - chance(step - 1, which)) for which in (0, 1))  # none on average
        length *= 1.0 + _STAGGERED[0] * manner.stagger * longer
        time *= 1.0 + _STAGGERED[1] * manner.stagger * later
    return length, time


def chance(step: int, which: int) -> float:
    """Return a number, -1..1, that looks like chance and is always the same for a step and a purpose, both from 0.

    (The mixing function of splitmix64: Steele, Lea and Flood 2014.)
    """
    mask = 0xFFFFFFFFFFFFFFFF
    z = ((step + 1) * 0x9E3779B97F4A7C15 + (which + 1) * 0xD1B54A32D192ED03) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return float((z ^ (z >> 31)) / mask * 2.0 - 1.0)


def astray(manner: Manner, step: int) -> float:
    """Return how far to the left of where it should be a step sets its foot down, m: a drift, and chance."""
    if not manner.stagger:
        return 0.0
    begin, share = divmod(step, _DRIFT)
    drift = chance(begin, 3) + share / _DRIFT * (chance(begin + 1, 3) - chance(begin, 3))
    return _ASTRAY * manner.stagger * 0.5 * (drift + chance(step, 2))


def looking(times: Array, take: int = 0) -> Array:
    """Return where a head that looks about is turned at ``times`` (K,), s: -1 to 1, the left above 0.

    It begins straight ahead, turns to one side, stays there, and turns to the other one. take: another one is another
    course of it.
    """
    glance, since = np.divmod(np.maximum(times, 0.0), _GLANCE)
    share = gently(np.minimum(since / _TURNING, 1.0))
    numbers, which = np.unique(glance.astype(int), return_inverse=True)
    before = np.array([_glance(int(k), take) for k in numbers])[which]
    aim = np.array([_glance(int(k) + 1, take) for k in numbers])[which]
    return np.asarray(before + share * (aim - before))


def _glance(number: int, take: int) -> float:
    """Return where the head is turned after a number of glances."""
    if not number:
        return 0.0
    first = 1.0 if chance(0, _LOOKS + take) > 0.0 else -1.0
    farther = abs(chance(number, _LOOKS + take))
    return (first if number % 2 else -first) * (_FARTHER[0] + _FARTHER[1] * farther)
