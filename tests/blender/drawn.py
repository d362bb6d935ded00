"""What a panel draws, as text: labels, <properties>, [operators] and {progress}."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy

from blender_biped.ui.base.units import SPACE


class Layout:
    """Notes what a panel draws into it, and that every property and operator is one that there is."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def _within(self, **_: Any) -> Layout:
        return self

    column = row = split = box = grid_flow = _within

    def panel(self, _name: str, default_closed: bool = False) -> tuple[Layout, Layout]:
        """Return the header and the body of a group, open."""
        return self, self

    def panel_prop(self, data: Any, name: str) -> tuple[Layout, Layout]:
        """Return the header and the body of a group that a property opens, open."""
        assert name in data.bl_rna.properties
        return self, self

    def label(self, text: str = "", icon: str = "NONE", translate: bool = True) -> None:
        self.said.append(text)

    def progress(self, factor: float, text: str) -> None:
        assert 0.0 <= factor <= 1.0
        self.said.append(f"{{{text}}}")

    def prop(self, data: Any, name: str, **_: Any) -> None:
        self.said.append(f"<{data.bl_rna.properties[name].name}>")

    def prop_decorator(self, data: Any, name: str, **_: Any) -> None:
        assert data.bl_rna.properties[name].is_animatable

    def template_icon_view(self, data: Any, name: str, **_: Any) -> None:
        self.said.append(f"<{data.bl_rna.properties[name].name}>")

    def template_icon(self, icon_value: int, scale: float) -> None:
        """Note nothing."""

    def menu(self, name: str, **_: Any) -> None:
        assert hasattr(bpy.types, name)

    def operator(self, name: str, text: str = "", **_: Any) -> SimpleNamespace:
        self.said.append(text if name in ("biped.choose_row", "biped.choose_style") else f"[{_operator(name).name}]")
        return SimpleNamespace()

    def separator(self, **_: Any) -> None:
        """Note nothing."""

    def template_list(self, kind: str, _id: str, data: Any, name: str, active: Any, active_name: str, **_: Any) -> None:
        assert hasattr(bpy.types, kind) and active_name in active.bl_rna.properties
        self.said.append(f"<{data.bl_rna.properties[name].name}>")

    def operator_menu_enum(self, name: str, of: str, **_: Any) -> None:
        assert of in _operator(name).properties
        self.said.append(f"[{_operator(name).name}]")


def _operator(name: str) -> Any:
    room, _, own = name.partition(".")
    return getattr(getattr(bpy.ops, room), own).get_rna_type()


class Drawn:
    """Stands in for a panel that Blender draws."""

    def __init__(self, panel: Any, layout: Any) -> None:
        self._panel, self.layout = panel, layout

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._panel, name)
        return found.__get__(self) if callable(found) else found


class Context:
    """Blender's context in a sidebar that is wide enough for every line."""

    region = SimpleNamespace(width=10_000)

    def __getattr__(self, name: str) -> Any:
        return getattr(bpy.context, name)


def shown(panel: Any, layout: Layout | None = None) -> list[str]:
    """Return what a panel draws. layout: notes it, a new one when None."""
    drawn = Drawn(panel, layout or Layout())
    panel.draw(drawn, Context())
    return [text.replace(SPACE, " ") for text in drawn.layout.said if text]
