# SPDX-License-Identifier: GPL-3.0-or-later
"""Biped Locomotion: walks by physics, baked as keyframes."""


def register() -> None:
    """Register the extension with Blender."""
    from .ui import registration  # the worker imports this package without Blender

    registration.register()


def unregister() -> None:
    """Remove the extension from Blender."""
    from .ui import registration

    registration.unregister()
