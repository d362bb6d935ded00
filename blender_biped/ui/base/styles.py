"""The installed controllers and their styles, read once: panels need them whenever they are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ...base.errors import DataError
from ...preset.preset import Preset, controllers, presets, speeds_of

_CONTROLLERS = {
    "generalized": (
        "Generalized Walking",
        "Plans where each foot goes and which joint torques take it there: one natural walk at any speed "
        "(Coros, Beaudoin and van de Panne 2010)",
    ),
    "klaw": (
        "KLAW",
        "Walks at once, with exactly the speed and the steps that are set: a small dynamic model of the legs, and what "
        "is known of human gait. Not a simulation of the whole body (Bruderlin 1988)",
    ),
    "limit_cycle": (
        "Limit-Cycle Control",
        "Tries each step before taking it, and adjusts a cycle of poses so that the character stays upright: balances "
        "any cycle (Laszlo, van de Panne and Fiume 1996)",
    ),
    "planar": (
        "SIMBICON in 2D",
        "The published gaits in a plane, for straight paths seen from the side: nothing sways or turns "
        "(Yin, Loken and van de Panne 2007, Table 1)",
    ),
    "simbicon": (
        "SIMBICON",
        "Moves from pose to pose and balances by foot placement: many gaits, with transitions between them "
        "(Yin, Loken and van de Panne 2007)",
    ),
}


@cache
def controller_texts() -> Mapping[str, tuple[str, str]]:
    """Return label and description of each controller that has presets, by name; nothing where there is no folder."""
    try:
        names = controllers()
    except OSError:
        return {}
    return {
        name: _CONTROLLERS.get(name) or (name.replace("_", " ").title(), "A controller of its own") for name in names
    }


@cache
def styles(controller: str) -> Mapping[str, Preset]:
    """Return the presets of a controller by name, in their order; none of an unknown one, or where one is unusable."""
    if controller not in controller_texts():
        return {}
    try:
        found = presets(controller)
        for style in found:
            speeds_of(style)
        return {style.name: style for style in found}
    except DataError as error:  # the bake says the same where it matters; a panel cannot
        print(f"Biped Locomotion: {error}")
        return {}


@cache  # also keeps the strings alive, which Blender itself does not
def gait_items(controller: str) -> list[tuple[str, str, str]]:
    """Return the styles of a controller for an enumeration."""
    return [(style.name, style.label, style.description) for style in styles(controller).values()]
