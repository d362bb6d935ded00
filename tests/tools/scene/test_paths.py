"""Curves to walk along: their shapes, and those of other files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import blender_biped
from tests.tools.blends import blend
from tools.scene import paths

bpy = pytest.importorskip("bpy")


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Start from an empty scene, with the extension registered."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    blender_biped.register()
    yield
    blender_biped.unregister()
    bpy.ops.wm.read_factory_settings(use_empty=True)


@pytest.mark.parametrize(("shape", "length", "closed"), [("s-curve", 12.0, False), ("straight", 10.0, False),
                                                         ("circle", 12.57, True)])  # fmt: skip
def test_shapes_have_their_lengths(shape: str, length: float, closed: bool) -> None:
    from blender_biped.ui.base.reading import read_path

    curve = paths.chosen_path(shape)
    bpy.context.view_layer.update()
    path, _ = read_path(curve, bpy.context.evaluated_depsgraph_get(), 1.0)
    assert path.length == pytest.approx(length, abs=0.5) and path.closed is closed


def test_a_curve_from_another_file(tmp_path: Path) -> None:
    file = blend(tmp_path, Stick=False)
    found = paths.chosen_path(f"{file}:Way")
    assert found.type == "CURVE" and found.name in bpy.context.view_layer.objects
