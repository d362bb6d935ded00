"""The row of a keyed mix: between its first and its last key the walk goes from one style to another."""

from __future__ import annotations

from collections.abc import Iterator

import bpy

from ...base.frames import stretching
from ...base.language import translated
from ...settings.fields import mixed_styles
from ..mix_plan import keyed_mix_trouble, keys_of_mix
from .row import Row, RowKind, ShownWalk


class MixKeys(RowKind):
    """What the keys of Mix say."""

    name = "mix"
    color = (0.75, 0.55, 1.0)

    def rows(self, shown: ShownWalk) -> Iterator[Row]:
        """Give the one, at its first key; none where nothing is mixed in, or Mix has but one value."""
        keys = keys_of_mix(shown.armature) if mixed_styles(shown.walk) else None
        if keys is None:
            return
        trouble, frame = keyed_mix_trouble(shown.armature), stretching(shown.scene) * keys[0]
        time = max(shown.time(frame), 0.0)
        yield Row(
            self, "", time, shown.course.place(time) if shown.course and not trouble else None, round(frame),
            wrong=(trouble,) if trouble else (), counts=not trouble,
        )  # fmt: skip

    def text(self, shown: ShownWalk, row: Row) -> str:
        """Return the styles, and until when they are keyed."""
        both, keys = mixed_styles(shown.walk), keys_of_mix(shown.armature)
        if both is None or keys is None:
            return ""
        own, other = (translated(style.label) for style in both)
        last = round(stretching(shown.scene) * keys[1])
        return translated(f"{own} and {other} mixed, keyed to frame {last}")

    def icon(self, row: Row) -> str:
        """Return a key."""
        return "KEYFRAME"

    def draw(self, column: bpy.types.UILayout, shown: ShownWalk, row: Row) -> None:
        """Draw the share at the current frame."""
        line = column.row(align=True)
        line.prop(shown.walk, "mix", slider=True)
        line.prop_decorator(shown.walk, "mix")
