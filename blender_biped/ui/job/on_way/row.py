"""A row of the list of what happens on the way, the walk that it is of, and what a kind of rows has to say."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import bpy
import numpy as np

from ....base.spatial import Array
from ....character.model import Character
from ....control.kind import Can, Kind
from ....preset.preset import Preset
from ...base.frames import stretching
from ...base.reading import ScenePath, frame_rate, metres
from ...base.styles import can, styles
from ...base.units import length_text
from ...settings.fields import kind_chosen
from ..body import known_character
from ..gait_plan import Coming, first_speed, first_style
from ..points_plan import PointsPlan, points_plan


@dataclass(frozen=True, eq=False)
class WalkedCourse:
    """Where a walk is when, as far as one is known: of a preview. times (T,): s; places (T,): m along the path."""

    times: Array
    places: Array

    def place(self, time: float) -> float | None:
        """Return the place, m along the path, at a time, s; None before and after what is known."""
        if not len(self.times) or not self.times[0] - 1e-6 <= time <= self.times[-1] + 1e-6:
            return None
        return float(np.interp(time, self.times, self.places))


@dataclass(frozen=True, eq=False)
class ShownWalk:
    """A character's walk as far as it is known while something is drawn: rows are made from it, and nothing is written.

    way: its path, None while that is not known. refused: why it cannot be baked, "" while it can, or that is not known.
    course: where it is when, None while no walk is known.
    """

    scene: bpy.types.Scene
    view_layer: bpy.types.ViewLayer
    armature: Any
    way: ScenePath | None = None
    refused: str = ""
    course: WalkedCourse | None = None

    @property
    def walk(self) -> Any:
        """Its settings."""
        return self.armature.biped.walk

    @property
    def unit(self) -> float:
        """Metres of one Blender unit."""
        return metres(self.scene)

    @property
    def kind(self) -> Kind | None:
        """Its controller, None for one that is not installed."""
        return kind_chosen(self.walk)

    @property
    def can(self) -> Can:
        """What its controller can do."""
        return can(self.walk.controller_name)

    @property
    def style(self) -> Preset | None:
        """The panel's style, without what is mixed in; None where it is missing."""
        return styles(self.walk.controller_name).get(self.walk.preset_name)

    @property
    def first_frame(self) -> float:
        """The frame of the scene at which it begins."""
        return float(self.walk.frame_start * stretching(self.scene))

    @cached_property
    def character(self) -> Character | None:
        """Who walks, None while that is not known."""
        return known_character(self.armature, self.scene)

    @cached_property
    def plan(self) -> PointsPlan:
        """What the points along its path say."""
        if self.style is None or not self.walk.points:
            return PointsPlan()
        begins = first_style(self.scene, self.armature, self.style)
        length = self.way.path.length if self.way else None
        return points_plan(self.scene, self.armature, begins, self.character, length)

    @cached_property
    def coming(self) -> Coming:
        """When it comes to places, as the order of styles in its job has it."""
        speed = first_speed(self.scene, self.armature, self.style, self.character)
        return Coming(self.walk.start * self.unit, speed, self.plan.along)

    def time(self, frame: float) -> float:
        """Return the time of a frame of the scene, s from the walk's start."""
        return float((frame / stretching(self.scene) - self.walk.frame_start) / frame_rate(self.scene))

    def nearest(self, thing: Any) -> float | None:
        """Return the place of the path, m, that is nearest to the middle of an object; None while it is not known."""
        if self.way is None:
            return None
        corners = np.array(thing.bound_box, dtype=float) if thing.type != "EMPTY" else np.zeros((1, 3))
        middle = np.array(thing.matrix_world, dtype=float) @ np.append(corners.mean(axis=0), 1.0)
        if not np.isfinite(middle).all():
            return None
        return self.way.path.nearest(self.unit * middle[:2], self.walk.start * self.unit)

    def length_text(self, length: float) -> str:
        """Return a length, m, in the scene's units."""
        return length_text(length, self.scene.unit_settings)


@dataclass(frozen=True, eq=False)
class Row:
    """One row. key: which of its kind it is. time: s at which the walk comes to it, about.

    place: m along the path, None where it is not known. frame: of the scene, None where it has none. data: what it is a
    view of, in the file. wrong: what of it cannot be done. counts: whether it does anything. names: by which messages
    call it.
    """

    kind: RowKind
    key: str
    time: float
    place: float | None = None
    frame: int | None = None
    data: Any = None
    wrong: tuple[str, ...] = ()
    counts: bool = True
    names: tuple[str, ...] = ()

    @property
    def called(self) -> str:
        """How a walk keeps which row is the active one."""
        return f"{self.kind.name} {self.key}"


@dataclass(frozen=True)
class Offer:
    """What can be added. operator: that adds it, with its settings. about: what it is. why: it cannot be; "" if it can.

    choice: the operator's property whose items are offered; "" for none.
    """

    text: str
    icon: str
    operator: str
    about: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""
    choice: str = ""


@dataclass(frozen=True)
class Removal:
    """The operator that takes a row away, with its settings."""

    operator: str
    settings: Mapping[str, Any] = field(default_factory=dict)


class RowKind(ABC):
    """A kind of rows: where in the file they are, and what is drawn of them. One is a class, listed in ``kinds``.

    name: as walks keep it, without spaces. color: of its handles in the 3D view, red to blue, 0..1. moves: whether a
    row can change places with its neighbour. handles: whether the 3D view marks where its rows are, if that is known.
    """

    name: ClassVar[str]
    color: ClassVar[tuple[float, float, float]] = (0.75, 0.75, 0.75)
    moves: ClassVar[bool] = False
    handles: ClassVar[bool] = True

    @abstractmethod
    def rows(self, shown: ShownWalk) -> Iterable[Row]:
        """Give the rows that a walk has, in whatever order. Nothing may be written: this is called in drawing."""

    @abstractmethod
    def text(self, shown: ShownWalk, row: Row) -> str:
        """Return in a few words what happens."""

    @abstractmethod
    def icon(self, row: Row) -> str:
        """Return the name of the icon before a row."""

    def draw_place(self, layout: bpy.types.UILayout, shown: ShownWalk, row: Row) -> None:
        """Draw where a row is: its place, or its frame."""
        if row.frame is None:
            layout.label(text=shown.length_text(row.place) if row.place is not None else "", translate=False)
        else:
            texts = [str(row.frame)] if row.place is None else [str(row.frame), f"({shown.length_text(row.place)})"]
            layout.label(text=" ".join(texts), icon="TIME", translate=False)

    def draw(self, column: bpy.types.UILayout, shown: ShownWalk, row: Row) -> None:
        """Draw the settings of the active row: without any there is nothing."""
        return

    def offers(self, shown: ShownWalk) -> Sequence[Offer]:
        """Return what of this kind can be added, and what cannot for this walk."""
        return ()

    def removal(self, row: Row) -> Removal | None:
        """Return what takes a row away; None where nothing does."""
        return None

    def notes(self, shown: ShownWalk) -> Sequence[str]:
        """Return what seems to be meant as a row, and is none."""
        return ()
