"""The page and the picture of the architecture against the contract and the tree."""

from __future__ import annotations

from pathlib import Path

from tests.docs.pages import ROOT
from tools.pictures.architecture import WHAT, draw, layers

LAYERS = layers((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ROOMS = {room for layer in LAYERS for room in layer}


def test_the_layers_are_the_contracts() -> None:
    assert LAYERS[0] == ["ui"] and LAYERS[-1] == ["base"]
    package = ROOT / "blender_biped"
    assert {p.stem for p in package.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()} - ROOMS == {
        "__init__"
    }


def test_the_picture_and_the_page_name_every_room() -> None:
    assert set(WHAT) == ROOMS
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for room in ROOMS:
        assert f"`blender_biped/{room}/`" in page or f"`blender_biped/{room}.py`" in page, room


def test_the_page_names_what_is_inside_control_and_tools() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for room in ("blender_biped/control", "tools"):
        parts = [p for p in (ROOT / room).iterdir() if p.name != "__init__.py"]
        inside = [f"{room}/{p.name}" if p.suffix == ".py" else f"{room}/{p.name}/" for p in parts if _is_code(p)]
        assert len(inside) > 4
        for part in inside:
            assert f"`{part}`" in page, part


def _is_code(path: Path) -> bool:
    return path.suffix == ".py" or (path / "__init__.py").exists()


def test_the_picture_is_drawn(tmp_path: Path) -> None:
    draw(LAYERS, tmp_path / "rooms.png")
    assert (tmp_path / "rooms.png").read_bytes().startswith(b"\x89PNG")
