# SPDX-License-Identifier: GPL-3.0-or-later
"""What is attacked, with the share that each kind has of all attacks."""

from __future__ import annotations

import importlib

from tools.attack.verdict import Attack

SHARES = {
    "job": 0.4, "preset": 0.3, "mapping": 0.1, "motion": 0.12, "marker": 0.05, "worker": 0.005, "scene": 0.02,
    "mischief": 0.005, "places": 0.05, "crafted": 0.02, "preferences": 0.005, "world": 0.05, "reading": 0.02,
}  # fmt: skip
"""By the names of the command line's table."""
LIMITS = {
    **dict.fromkeys(SHARES, 10.0), "worker": 40.0, "scene": 20.0, "mischief": 30.0, "crafted": 20.0,
    "preferences": 20.0, "world": 20.0, "reading": 20.0,
}  # fmt: skip
"""s after which an attack of a kind has not come to its end."""
_PLACES = {
    "job": ("readers", "attack_job"),
    "preset": ("readers", "attack_preset"),
    "mapping": ("readers", "attack_mapping"),
    "motion": ("readers", "attack_motion"),
    "marker": ("readers", "attack_markers"),
    "worker": ("workers", "attack_worker"),
    "scene": ("scenes", "attack_scene"),
    "mischief": ("scenes", "attack_meanwhile"),
    "places": ("places", "attack_places"),
    "crafted": ("crafted", "attack_crafted"),
    "preferences": ("crafted", "attack_preferences"),
    "world": ("worlds", "attack_world"),
    "reading": ("reading", "attack_reading"),
}


def attack_of(kind: str) -> Attack:
    """Return an attack by its name; what it needs is loaded here and not before."""
    module, name = _PLACES[kind]
    attack: Attack = getattr(importlib.import_module(f"tools.attack.{module}"), name)
    return attack
