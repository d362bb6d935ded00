"""What the windows keep while Blender runs (``WindowManager.biped``): what the list of styles shows."""

# Blender reads property definitions from the annotations, so they stay unquoted.

from functools import cache

import bpy
from bpy.props import EnumProperty, StringProperty

from ..base.language import CONTEXT, locale, translated
from ..base.status import redraw
from ..base.style_list import groups

STARRED = "starred"
"""Beside the names of the groups: that of the favourites."""


@cache  # also keeps the strings alive, which Blender itself does not
def _group_items(_language: str) -> list[tuple[str, str, str, str, int]]:
    own = [(group.name, translated(group.label), translated(group.description), "NONE") for group in groups()]
    starred = (STARRED, translated("Favourites"), translated("The styles that you have given a star"), "SOLO_ON")
    return [(*item, i) for i, item in enumerate((*own, starred))]


def forget() -> None:
    """Read the groups anew when they are needed next."""
    _group_items.cache_clear()


class BIPED_PG_window(bpy.types.PropertyGroup):
    """What the list of styles shows. Of no file: it is as it was left until Blender ends."""

    search: StringProperty(
        name="Search",
        description="Show the styles of all groups that have these words in name, description or method",
        options={"TEXTEDIT_UPDATE", "SKIP_SAVE"},
        update=lambda _self, _context: redraw(),
        translation_context=CONTEXT,
    )
    group: EnumProperty(
        name="Group",
        description="Which styles are shown",
        items=lambda _self, _context: _group_items(locale()),
        options={"SKIP_SAVE"},
        translation_context=CONTEXT,
    )
