from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Any

import pytest

if importlib.util.find_spec("bpy") is None:
    collect_ignore_glob = ["test_*.py"]  # these need Blender as a module


@pytest.fixture(autouse=True)
def scene() -> Iterator[Any]:
    """An empty scene with the extension registered."""
    import bpy

    import blender_biped

    bpy.ops.wm.read_factory_settings(use_empty=True)
    blender_biped.register()
    yield bpy.context.scene
    blender_biped.unregister()
    bpy.ops.wm.read_factory_settings(use_empty=True)
