"""What hands can do, and the room that they need: lengths for legs of 0.9 m, where nothing else is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ....character.model import Character
from ....character.reference import REFERENCE_MASS
from ....world.path_points import FACED
from ....world.targets import Hands
from ...shared.arms import Arm, arms_of


@dataclass(frozen=True)
class Strength:
    """What a body can do."""

    one_hand: float = 5.0
    """kg that a body of the reference mass carries with one hand."""
    both_hands: float = 25.0
    """kg that it carries with both."""
    rounded: float = 1e-6
    """Share of a mass that Blender rounds off."""
    most_spread: float = 0.35
    """m that hands are farther apart than the shoulders at most."""
    wide: float = 0.16
    """m from which a thing takes both hands."""
    heavy: float = 4.0
    """kg from which it does, for a body of the reference mass."""
    hardest: float = 0.26
    """Of the body's weight: what moving a thing over the ground may take."""
    farthest_back: float = 0.397
    """Of the leg's length, by how high hips are of shoulders: how far back a body counts as it pulls."""
    leant: float = 0.484
    """Of how high shoulders are above hips: likewise, for it is the trunk that leans."""
    tips: float = 0.65
    """Of what would tip a thing over about its far edge: what hands push with where friction alone resists."""


@dataclass(frozen=True)
class Room:
    """The room that hands, feet and trunk need."""

    farthest: float = 0.62
    """m ahead of the hips that a body reaches."""
    feet: float = 0.08
    """m between toes and what stands on the ground before them."""
    trunk: float = 0.14
    """m before the hips' middle that the trunk takes."""
    palm: float = 0.03
    """m from the middle of a hand to what it holds."""
    lowest: float = 0.11
    """m above the ground that palms stay: fingers reach farther down."""
    rim: float = 0.06
    """m between hands and the rims of what is pushed."""
    off: float = 0.04
    """m that a body may stand otherwise than planned, ahead and aside."""
    beside: float = 0.25
    """m beside the path that what is set down is at least."""
    edges: float = 0.6
    """m from edges of the ground that a body stands at least."""
    level: float = 0.02
    """m that the ground's level is even to there."""
    ground: float = 0.03
    """m above the ground up to which a thing stands on it."""
    below: float = 0.01
    """m below the ground from which a target is below it."""


@dataclass(frozen=True)
class Places:
    """Where along the path a body stands for its hands."""

    grid: float = 0.02
    """m of path between the places that are looked at."""
    span: float = FACED
    """m of path over which its direction is taken."""
    once: float = 0.3
    """m of path within which it stands once for two targets."""
    before: float = 1.0
    """m of path before the first place: the body must have walked to stand."""
    apart: float = 0.8
    """m of path between two places."""


STRENGTH, ROOM, PLACES = Strength(), Room(), Places()


class Reacher:
    """A body as far as it matters to what its hands can do. size: 1 for legs of 0.9 m. strength: for 70.4 kg."""

    def __init__(self, character: Character) -> None:
        self.character = character
        self.size = character.size
        self.strength = character.mass / REFERENCE_MASS
        self.arms: Mapping[int, Arm] = {arm.side: arm for arm in arms_of(character) if arm}
        """Those that it has, by their sides."""

    def sides(self, hands: Hands, aside: float, both: bool) -> tuple[int, ...]:
        """Return which hands it takes, of those that there are; () where it has not those that it takes.

        hands: as the target has it. aside: m to the left where they go. both: whether one would not do.
        """
        own = list(self.arms)
        if hands in ("left", "right"):
            side = 0 if hands == "left" else 1
            return (side,) if side in own else ()
        if hands == "both" or both:
            return tuple(own) if len(own) > 1 else ()
        nearer = 0 if aside > 0.0 else 1
        return (nearer if nearer in own else own[0],)
