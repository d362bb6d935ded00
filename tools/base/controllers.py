# SPDX-License-Identifier: GPL-3.0-or-later
"""What tools must know of controllers, in one place."""

from __future__ import annotations

from blender_biped.control.simbicon.settings import read_gait
from blender_biped.klaw.walk import NAME as KLAW
from blender_biped.preset.preset import Preset, controllers
from blender_biped.simulate import PLANAR, SIMBICON

USUAL = "generalized"
"""Who walks where no controller is named: in the demo, for rigs, in the quick subset of the grid, in the bench."""
PREVIEWED = KLAW
"""Whose walk is previewed as it is changed: no engine is needed for it."""


def by_physics() -> list[str]:
    """Return the names of the controllers whose walks need an engine, the usual one first."""
    return sorted((name for name in controllers() if name != KLAW), key=lambda name: (name != USUAL, name))


def in_plane(controller: str) -> bool:
    """Return whether a controller's bodies move in the sagittal plane only."""
    return controller == PLANAR


def on_both_feet(style: Preset) -> bool:
    """Return whether a gait lands on both feet at once. Raises DataError when it cannot be read."""
    return style.controller == SIMBICON and read_gait(style.values).on_both_feet
