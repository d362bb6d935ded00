"""The list of all styles, as it opens from the tab: groups, a search, a picture and a star for each."""

# Blender reads property definitions from the annotations, so they stay unquoted.

from collections.abc import Sequence
from typing import Any

import bpy
from bpy.props import StringProperty

from ...base.errors import DataError
from ..base.favourites import favourites, mark
from ..base.language import CONTEXT, translated
from ..base.status import redraw
from ..base.style_list import ListedStyle, groups, listed, of_group, searched
from ..job import pictures
from ..job.mapping import walk_of
from ..settings import menus
from ..settings.walk_properties import choose_style, chosen_key
from ..settings.window_properties import STARRED
from .mapping_operators import walk_ready

COLUMNS = 5
WIDTH = 42  # of the list, in Blender's widget units
GROUPS = 0.22  # share of the width that the groups have
_PICTURE = 3.0  # height of a picture, rows
_MOST = 24  # styles that a search shows


class BIPED_PT_style_list(bpy.types.Panel):
    """All styles, to choose one."""

    bl_label = "Styles"
    bl_description = "Choose a style, whatever method walks it: by its picture, by its name, from your favourites"
    bl_space_type = "VIEW_3D"
    bl_region_type = "HEADER"  # of no tab: it opens from a button
    bl_options = {"INSTANCED"}
    bl_ui_units_x = WIDTH
    bl_translation_context = CONTEXT

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the list."""
        walk = walk_of(context)
        if walk is None:
            self.layout.label(text="Select an armature", icon="INFO")
            return
        window = context.window_manager.biped
        for controller in {own.controller for own in listed().values()}:
            pictures.request(controller)
        self.layout.prop(window, "search", text="", icon="VIEWZOOM")
        split = self.layout.split(factor=GROUPS)
        side = split.column(align=True)
        side.active = not window.search
        side.prop(window, "group", expand=True)
        shown = shown_styles(window)
        if shown:
            self._styles(split.column(), shown[:_MOST] if window.search else shown, chosen_key(walk), window)
        if not shown or (window.search and len(shown) > _MOST):
            (self.layout if shown else split.column()).label(text=translated(why(window)), icon="INFO", translate=False)

    def _styles(self, column: bpy.types.UILayout, shown: Sequence[ListedStyle], chosen: str, window: Any) -> None:
        """Draw a picture with a name and a star for each style."""
        grid = column.grid_flow(row_major=True, columns=COLUMNS, even_columns=True, even_rows=True)
        for style in shown:
            cell = grid.column(align=True)
            cell.template_icon(icon_value=menus.icon_of(style), scale=_PICTURE)
            row = cell.row(align=True)
            mixed = window.search or window.group == STARRED
            text = style.full_title if mixed else translated(style.title)
            button = row.operator("biped.choose_style", text=text, depress=style.key == chosen, translate=False)
            button.style = style.key
            draw_star(row, style.key)


def shown_styles(window: Any) -> Sequence[ListedStyle]:
    """Return the styles that the list shows: those that are searched for, else those of the group."""
    if window.search.strip():
        return searched(window.search)
    if window.group == STARRED:
        return [own for key, own in listed().items() if key in favourites()]
    return of_group(window.group)


def why(window: Any) -> str:
    """Return why there is no style to show, or not all."""
    if window.search.strip():
        found = len(searched(window.search))
        return f"{found} styles are found: type more of the name." if found else "No style has these words."
    return "No style has a star yet: click the star beside a name."


def chosen_title(walk: Any) -> str:
    """Return what the list calls the chosen style, its name where it is not installed; in the interface's language."""
    own = listed().get(chosen_key(walk))
    return own.full_title if own else translated(f"{walk.preset_name} (missing)")


def draw_star(row: bpy.types.UILayout, key: str) -> None:
    """Draw the star of a style."""
    starred = key in favourites()
    row.operator("biped.favourite_style", text="", icon="SOLO_ON" if starred else "SOLO_OFF").style = key


def _tooltip(properties: Any) -> str:
    own = listed().get(properties.style)
    return own.tooltip if own else ""


class BIPED_OT_show_styles(bpy.types.Operator):
    """Opens the list of all styles."""

    bl_idname = "biped.show_styles"
    bl_label = "Styles"
    bl_description = "Choose a style, whatever method walks it: by its picture, by its name, from your favourites"
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a character that can be set."""
        return walk_ready(cls, context)

    @classmethod
    def description(cls, context: bpy.types.Context, _properties: Any) -> str:
        """Return how the chosen style looks, and that there are others."""
        own = listed().get(chosen_key(walk_of(context)))
        return " ".join(filter(None, (f"{own.tooltip}." if own else "", translated(cls.bl_description))))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Let the list show the group of the chosen style, and open it where there is a window."""
        own, window = listed().get(chosen_key(walk_of(context))), context.window_manager.biped
        window.search = ""
        window.group = own.group if own else groups()[0].name
        if not bpy.app.background:
            bpy.ops.wm.call_panel(name=BIPED_PT_style_list.__name__, keep_open=True)
        return {"FINISHED"}


class BIPED_OT_choose_style(bpy.types.Operator):
    """Chooses a style of any controller."""

    bl_idname = "biped.choose_style"
    bl_label = "Choose Style"
    bl_description = "Let the character walk in this style, by the method that has it"
    bl_options = {"UNDO", "INTERNAL"}

    style: StringProperty(name="Style", description="Controller and name of the style, such as natural/jog")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a character that can be set."""
        return walk_ready(cls, context)

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: Any) -> str:
        """Return how the style looks, and which method walks it."""
        return _tooltip(properties) or translated(cls.bl_description)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Choose it."""
        if self.style not in listed():
            self.report({"ERROR"}, translated(f"There is no style {self.style!r}: choose one from the list."))
            return {"CANCELLED"}
        choose_style(walk_of(context), self.style)
        redraw(views=True)
        return {"FINISHED"}


class BIPED_OT_favourite_style(bpy.types.Operator):
    """Gives a style a star, or takes it away."""

    bl_idname = "biped.favourite_style"
    bl_label = "Favourite"
    bl_description = "Put the style among your favourites, or take it from them. They are the same in all files"
    bl_options = {"INTERNAL"}

    style: StringProperty(name="Style", description="Controller and name of the style, such as natural/jog")

    def execute(self, _context: bpy.types.Context) -> set[str]:
        """Keep it."""
        try:
            mark(self.style, self.style not in favourites())
        except (DataError, OSError) as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        redraw()
        return {"FINISHED"}
