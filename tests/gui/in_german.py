"""Runs inside a real Blender with a window: shows the tab in German, photographs it, and writes what it says."""

from __future__ import annotations

from typing import Any

import bpy
from in_hands import (
    Steps,
    extension,
    photograph,
    scroll,
    show_tab,
)

language = extension("ui.base.language")
result: dict[str, Any] = {}


def steps() -> Steps:
    """Turn Blender's language to German, look at the whole tab, and press a button that cannot be pressed."""
    view = bpy.context.preferences.view
    view.language, view.use_translate_interface, view.use_translate_tooltips = "de_DE", True, True
    yield 1.0
    yield from show_tab()
    photograph("7-german")
    yield from scroll(12)
    photograph("8-german-below")
    result["button"] = bpy.app.translations.pgettext_iface("Bake Walk", "Operator")
    result["message"] = language.translated("Frame 7: 'Jog' is no gait; did you mean 'Run'?")
    try:
        bpy.ops.biped.cancel()
    except RuntimeError as error:
        result["poll"] = str(error)
