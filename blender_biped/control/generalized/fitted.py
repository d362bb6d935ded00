"""A style on a body of another build than people's: what its balance needs beyond size (see ``similarity``).

Where physics says by how much, a number follows it; the exponents of the others were searched on random builds
(``tools.trials.builds``). For a body built as people are nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...character.build import PEOPLE, Build, build_of
from ...character.model import SIDES, Character
from ...preset.keyed import Keyed
from ...preset.preset import Track
from ..shared.legs import legs_of
from ..shared.spline import Knots
from .settings import Settings, read_settings
from .swing import CLEARANCE

USUAL_HIPS = 0.12  # of the leg: half the breadth of hips that the preset's torques are for
FEET = 0.19  # of the leg: distance of standing feet that the preset's is for
WIDER = 0.5  # steps under wide hips: the wider, the more their sway may differ from the planned one
NARROW_SOLES = 2.0  # and over narrow soles, whose ankles correct less of it
QUICKER = 0.3  # steps under wide hips, so that the body sways less between them
QUICKER_SOLES = 0.4  # and over short soles
TALL, QUICKER_TALL = 1.03, 0.6  # and under a mass that is higher over its legs than people's, by this at most
SOONER_CAUGHT = 1.0  # a stop, where steps are wider: each further step on the spot would sway it more
PITCHING = ("swing_foot_pitch", "trail_foot_pitch")
LISTING = "pelvis_roll"
SLOWER_BENDS = 0.5  # under wide hips, which a bend throws outwards, and over narrow soles, which it turns on the ground


class Fit:
    """How the settings of a walk change with the build of the body that walks."""

    def __init__(self, character: Character) -> None:
        """character: of reference size."""
        build = build_of(character)
        origins, _ = character.standing()
        left, right = (float(origins[character.index(f"foot.{side}"), 1]) for side in SIDES)
        self._stand_width = max((left - right) / character.leg_length / FEET, 1.0)
        self._width = max(build.wide**WIDER * build.narrow**-NARROW_SOLES, build.broad)
        self.caught = self._width**-SOONER_CAUGHT
        """Share of what an adult wants of a stop, and shifts its weight before the first step, 1 or less.

        Who sways farther than people stands as soon as it can, and has swayed enough for a step the sooner.
        """
        self.wide = build.wide
        """How much wider hips are than people's widest, 1 or more."""
        self.unlike_people = build.tall > TALL or replace(build, tall=1.0) != PEOPLE
        """Whether the build differs from people's in anything that balance depends on."""
        self._apart, self._pitch, self._list = build.broad, 1.0 / build.long, 1.0 / build.wide
        self.clearance = build.long * CLEARANCE
        """Of the sole in mid-swing, m: a foot that pitches amiss dips its tip the deeper the longer it is."""
        # The stance hip carries the body, which is the farther from it the wider the hips are.
        hips = max(abs(float(character.offsets[leg.thigh][1])) for leg in legs_of(character))
        self.hips_farther = max(hips - USUAL_HIPS * character.leg_length, 0.0)
        """How much farther from the middle hips are than those that the preset's torques are for, m."""
        self.hips_wide = min(self.hips_farther / (USUAL_HIPS * character.leg_length), 1.0)
        """The same as a share of those, 1 at most."""
        self._bends = build.wide**-SLOWER_BENDS * build.narrow**SLOWER_BENDS
        self._tempo = _tempo(build)

    def step_time(self, settings: Settings, speed: float) -> float:
        """Return the time of a step, s, at a speed, m/s."""
        return self._tempo * settings.step_time(speed)

    def fitted(self, settings: Settings) -> Settings:
        """Return a style's settings as this body needs them."""
        steering = settings.steering  # soles that are broad pass each other, long ones clear the ground
        return replace(
            settings,
            style={name: self._turned(name, knots) for name, knots in settings.style.items()},
            width=self._width * settings.width,
            clearance=self._apart * settings.clearance,
            stand_width=self._stand_width * settings.stand_width,
            steering=replace(
                steering, sideways=self._bends * steering.sideways, swivel=self._bends * steering.swivel
            ),
        )  # fmt: skip

    def _turned(self, name: str, knots: Knots) -> Knots:
        """Return a trajectory of angles of a style on this body.

        Feet pitch less the longer they are: their tips go no deeper than others'. The pelvis lists less the wider its
        hips are: one hip is no lower beside the other than people's, and no foot lands before its step is over.
        """
        share = self._pitch if name in PITCHING else self._list if name == LISTING else 1.0
        return knots if share == 1.0 else tuple((phase, share * angle) for phase, angle in knots)


def _tempo(build: Build) -> float:
    high = max(build.tall / TALL, 1.0)
    quicker = min(build.wide**-QUICKER, high**-QUICKER_TALL)  # both for the same sway: a leg swings only so fast
    return quicker * build.short**QUICKER_SOLES


class FittedSettings:
    """The settings of one walk, as its body needs them; some of them may change along it."""

    def __init__(self, values: Mapping[str, Any], keyed: Mapping[str, Track], fit: Fit) -> None:
        """Take a preset's values, and the numbers that change. Raises DataError naming a wrong field."""
        self._keyed = Keyed(read_settings(values), keyed)
        self.fit = fit
        """How they change with the build of the body."""
        self._style = self._keyed.at(0.0)
        self.now = fit.fitted(self._style)
        """Those that hold."""

    def follow(self, time: float) -> bool:
        """Take those of ``time``, s; return whether any has changed."""
        style = self._keyed.at(time)
        if style is self._style:
            return False
        self._style, self.now = style, self.fit.fitted(style)
        return True
