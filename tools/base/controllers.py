# SPDX-License-Identifier: GPL-3.0-or-later
"""What tools must know of controllers, in one place."""

from __future__ import annotations

from blender_biped.klaw.walk import NAME as KLAW
from blender_biped.preset.preset import controllers
from blender_biped.simulate import PLANAR

USUAL = "generalized"
"""Who walks where no controller is named: in the demo, for rigs, in the quick subset of the grid, in the bench."""


def by_physics() -> list[str]:
    """Return the names of the controllers whose walks need an engine, the usual one first."""
    return sorted((name for name in controllers() if name != KLAW), key=lambda name: (name != USUAL, name))


def in_plane(controller: str) -> bool:
    """Return whether a controller's bodies move in the sagittal plane only."""
    return controller == PLANAR
