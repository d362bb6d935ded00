from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

if importlib.util.find_spec("bpy") is None:
    collect_ignore_glob = ["test_*.py"]  # these need Blender as a module


@pytest.fixture(autouse=True, scope="module")
def factory_settings() -> Iterator[None]:
    """Blender as it comes, for each file of tests: each test then has a new scene, which is a fifth of the work."""
    import bpy

    from tests.blender.scenes import unregistered

    bpy.ops.wm.read_factory_settings(use_empty=True)
    yield
    unregistered()


@pytest.fixture(autouse=True)
def scene(factory_settings: None) -> Iterator[Any]:
    """An empty scene with the extension registered."""
    from tests.blender.scenes import registered

    yield from registered()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the styles of one's own."""
    from tests.blender.scripted import styles_in

    styles_in(tmp_path / "styles", monkeypatch)
    return tmp_path / "styles"
