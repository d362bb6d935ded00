"""Every field of every controller says what it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from blender_biped.control.kind import Kind
from blender_biped.control.limit_cycle.settings import DimensionFields, TurningFields
from blender_biped.control.registry import kinds
from blender_biped.control.shared.pose_graph import PoseState, StateChange
from blender_biped.control.simbicon.settings import Key
from blender_biped.preset.declared import Declared, declared_fields

IN_LISTS = (DimensionFields, TurningFields, PoseState, StateChange, Key)
"""Declared classes that stand in lists, tables and optional parts of presets."""


def all_fields(declared_class: type[Any], place: str = "") -> Iterator[tuple[str, Declared]]:
    for name, field in declared_fields(declared_class).items():
        where = ".".join(filter(None, (place, field.at, field.key or name)))
        yield where, field
        if field.inner is not None:
            yield from all_fields(field.inner, where)


@pytest.mark.parametrize("declared_class", [*(kind.settings for kind in kinds()), *IN_LISTS], ids=lambda c: c.__name__)
def test_every_field_has_a_label_and_a_text(declared_class: type[Any]) -> None:
    for where, field in all_fields(declared_class):
        label, text = field.words
        assert label and label[0].isupper() and len(label) <= 30, where
        assert text and text[0].isupper() and not text.endswith("."), where


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.name)
def test_every_slider_has_a_range_and_a_default_within(kind: Kind) -> None:
    for slider in kind.sliders:
        own = slider.number
        assert own.low <= slider.default <= own.high and own.low < own.high, slider.path
        assert own.unit or own.high <= 1000.0, slider.path
