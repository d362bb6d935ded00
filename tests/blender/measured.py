"""A panel's layout as Blender lays it out in a sidebar of its default width: what is cut off, how many controls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import blf
import bpy

from blender_biped.ui import registration
from blender_biped.ui.base.language import translated
from tests.blender.drawn import Drawn

WIDTH = 280.0
"""Of a sidebar in a new Blender, pixels at a user interface scale of 1: measured in 4.3."""
_ROOM = 226.0  # of it, that a panel's rows have: measured there, without margins and tabs
_LABEL = 0.4  # share of a row that a property's name has, where names stand on the left
_ICON = 20.0
_MARGIN = 4.0  # at each end of a label and of a button
_ARROW = 14.0  # of a menu
_VALUE = 48.0  # that a number has in a slider that has its name inside, with what is around both
_POINTS = 11.0  # of the panels' font


def width_of(text: str) -> float:
    """Return the width of a text in the panels' font, pixels."""
    blf.size(0, _POINTS)
    return float(blf.dimensions(0, text)[0])


@dataclass
class Leaf:
    """Something that is drawn. text: its own, in the interface's language. needs: pixels, of a part of the row each.

    control: whether it can be clicked. label: the name of a property that stands on the left.
    """

    text: str
    needs: float
    control: bool = True
    label: str = ""
    number: str = ""


@dataclass
class Measured:
    """A layout. kind: of what lies in it. opened: whether groups are open that Blender shows closed at first.

    folded: whether it is such a group.
    """

    kind: str = "column"
    opened: bool = True
    use_property_split: bool = False
    factor: float = 0.0
    folded: bool = False
    parts: list[Any] = field(default_factory=list)

    def _add(self, kind: str, factor: float = 0.0) -> Measured:
        self.parts.append(Measured(kind, self.opened, self.use_property_split, factor))
        return self.parts[-1]

    def column(self, **_: Any) -> Measured:
        return self._add("column")

    def row(self, **_: Any) -> Measured:
        return self._add("row")

    def split(self, factor: float = 0.0, **_: Any) -> Measured:
        return self._add("split", factor)

    def grid_flow(self, **_: Any) -> Measured:
        return self._add("column")

    def template_icon(self, **_: Any) -> None:
        """Take no width of a text."""

    def box(self) -> Measured:
        return self._add("column")

    def panel(self, _name: str, default_closed: bool = False) -> tuple[Measured, Measured | None]:
        header = self._add("row")
        if default_closed and not self.opened:
            return header, None
        body = self._add("column")
        body.folded = default_closed
        return header, body

    def panel_prop(self, data: Any, name: str) -> tuple[Measured, Measured | None]:
        return self.panel(name, default_closed=not getattr(data, name))

    def label(self, text: str = "", icon: str = "NONE", translate: bool = True) -> None:
        shown = translated(text) if translate else text
        self.parts.append(Leaf(shown, width_of(shown) + _MARGIN + _icon(icon), control=False))

    def progress(self, factor: float, text: str) -> None:
        self.parts.append(Leaf(text, width_of(text) + 2 * _MARGIN))

    def prop(self, data: Any, name: str, text: str | None = None, icon: str = "NONE", **more: Any) -> None:
        own = data.bl_rna.properties[name]
        shown = (
            text
            if text is not None and not more.get("translate", True)
            else translated(own.name if text is None else text)
        )
        number = shown if own.type in ("FLOAT", "INT") else ""
        if more.get("expand") or (own.type == "ENUM" and own.is_enum_flag):
            items = [translated(item.name) for item in own.enum_items]
            needs = sum(width_of(item) + 2 * _MARGIN for item in items)
            self.parts.append(Leaf(" ".join(items), needs, label=shown if self.use_property_split else ""))
        elif own.type == "BOOLEAN":
            side = 1.0 - _LABEL if self.use_property_split else 1.0
            self.parts.append(Leaf(shown, (_ICON + width_of(shown) + _MARGIN if shown else _ICON) / side))
        elif self.use_property_split:
            values = [translated(item.name) for item in own.enum_items] if own.type == "ENUM" else [""]
            longest = max(values, key=width_of, default="")
            needs = width_of(longest) + 2 * _MARGIN + _ARROW if longest else 2 * _ICON
            self.parts.append(Leaf(longest, needs, label=shown, number=number))
        else:
            self.parts.append(Leaf(shown, width_of(shown) + _VALUE if shown else 2 * _ICON, number=number))

    def prop_search(self, _data: Any, _name: str, *_: Any, **__: Any) -> None:
        self.parts.append(Leaf("", 2 * _ICON))

    def prop_decorator(self, _data: Any, _name: str, **_: Any) -> None:
        self.parts.append(Leaf("", _ICON, control=False))

    def template_icon_view(self, _data: Any, _name: str, **_: Any) -> None:
        self.parts.append(Leaf("", _ICON))

    def template_list(self, *_: Any, **__: Any) -> None:
        self.parts.append(Leaf("", _ICON))

    def operator(self, name: str, text: str | None = None, icon: str = "NONE", translate: bool = True, **_: Any) -> Any:
        room, _dot, own = name.partition(".")
        label = getattr(getattr(bpy.ops, room), own).get_rna_type().name if text is None else text
        self._button(translated(label) if translate else label, icon)
        return SimpleNamespace()

    def operator_menu_enum(self, name: str, _of: str, text: str = "", icon: str = "NONE", **_: Any) -> None:
        self.operator(name, text, icon)

    def menu(self, name: str, text: str | None = None, icon: str = "NONE", **_: Any) -> None:
        self._button(translated(getattr(bpy.types, name).bl_label if text is None else text), icon)

    def separator(self, **_: Any) -> None:
        """Take no width."""

    def _button(self, text: str, icon: str) -> None:
        self.parts.append(Leaf(text, (width_of(text) + 2 * _MARGIN if text else 0.0) + _icon(icon)))

    def leaves(self) -> Iterator[Leaf]:
        """Give all that is drawn, in its order."""
        for part in self.parts:
            if isinstance(part, Leaf):
                yield part
            else:
                yield from part.leaves()

    @property
    def clicks(self) -> int:
        """How many groups must be opened to see all of it, one in the other."""
        return self.folded + max((part.clicks for part in self.parts if isinstance(part, Measured)), default=0)

    @property
    def needs(self) -> float:
        """The pixels that it needs for all its texts."""
        each = [
            part.needs + (width_of(part.label) if isinstance(part, Leaf) and part.label else 0.0) for part in self.parts
        ]
        return sum(each) if self.kind in ("row", "split") else max(each, default=0.0)

    def cut(self, room: float = _ROOM) -> Iterator[str]:
        """Give the texts that are cut off where it has so many pixels."""
        if self.kind == "split" and self.factor:
            shares = [self.factor] + [(1.0 - self.factor) / max(len(self.parts) - 1, 1)] * (len(self.parts) - 1)
            for part, share in zip(self.parts, shares, strict=False):
                yield from _cut(part, share * room)
        elif self.kind in ("row", "split") and len(self.parts) > 1:
            for part in self.parts:
                others = sum(other.needs for other in self.parts if other is not part)
                yield from _cut(part, room - others)
        else:
            for part in self.parts:
                yield from _cut(part, room)


def _cut(part: Any, room: float) -> Iterator[str]:
    if isinstance(part, Measured):
        yield from part.cut(room)
        return
    if part.label and width_of(part.label) > _LABEL * room:
        yield f"{part.label}: {width_of(part.label):.0f} of {_LABEL * room:.0f}"
    if part.text and part.needs > (1.0 - _LABEL if part.label else 1.0) * room:
        yield f"{part.text}: {part.needs:.0f} of {room:.0f}"


def _icon(name: str) -> float:
    return 0.0 if name == "NONE" else _ICON


class DefaultContext:
    """Blender's context in a sidebar of the default width."""

    region = SimpleNamespace(width=WIDTH)
    preferences = SimpleNamespace(
        system=SimpleNamespace(ui_scale=1.0), ui_styles=[SimpleNamespace(widget=SimpleNamespace(points=_POINTS))]
    )

    def __getattr__(self, name: str) -> Any:
        return getattr(bpy.context, name)


def tab_panels() -> list[Any]:
    """Return the panels of the tab, in their order."""
    return [cls for cls in registration.CLASSES if getattr(cls, "bl_category", "") == "Biped"]


def drawn_panels(opened: bool) -> dict[str, Measured]:
    """Return the layouts of the tab's panels by their labels: of all, or of those that are open at first."""
    named = {cls.__name__: cls for cls in tab_panels()}
    found = {}
    for cls in tab_panels():
        above: Any = cls
        closed = False
        while above is not None:
            closed |= "DEFAULT_CLOSED" in getattr(above, "bl_options", ())
            above = named.get(getattr(above, "bl_parent_id", ""))
        poll = getattr(cls, "poll", None)
        if (opened or not closed) and (poll is None or poll(bpy.context)):
            layout = Measured(opened=opened)
            cls.draw(Drawn(cls, layout), DefaultContext())
            found[cls.bl_label] = layout
    return found


def controls(layouts: dict[str, Measured]) -> int:
    """Return how many things can be clicked in layouts."""
    return sum(leaf.control for layout in layouts.values() for leaf in layout.leaves())
