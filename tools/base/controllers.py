# SPDX-License-Identifier: GPL-3.0-or-later
"""What tools must know of controllers, read from the registry in one place."""

from __future__ import annotations

from blender_biped.control import registry
from blender_biped.control.simbicon.kind import SIMBICON
from blender_biped.control.simbicon.settings import read_gait
from blender_biped.preset.preset import Preset

USUAL = registry.DEFAULT.name
"""Who walks where no controller is named: in the demo, for rigs, in the quick subset of the grid, in the bench."""
PREVIEWED = registry.PREVIEW.name
"""Whose walk is previewed as it is changed: no engine is needed for it."""


def by_physics() -> list[str]:
    """Return the names of the controllers whose walks need an engine, the usual one first."""
    return [kind.name for kind in registry.kinds() if kind.controller]


def in_space() -> list[str]:
    """Return the names of the controllers whose bodies turn, the usual one first."""
    return sorted((k.name for k in registry.kinds() if not k.can.plane), key=lambda name: name != USUAL)


def in_plane(controller: str) -> bool:
    """Return whether a controller's bodies move in the sagittal plane only. Raises DataError for an unknown one."""
    return registry.kind_of(controller).can.plane


def on_both_feet(style: Preset) -> bool:
    """Return whether a gait lands on both feet at once. Raises DataError when it cannot be read."""
    return style.controller == SIMBICON.name and read_gait(style.values).on_both_feet
