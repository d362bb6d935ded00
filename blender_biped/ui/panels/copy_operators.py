"""Copy Walk: what a character walks like, onto another path or other characters, as what is selected says."""

# Blender reads property definitions from the annotations, so they stay unquoted.

from dataclasses import dataclass
from typing import Any

import bpy
from bpy.props import EnumProperty

from ...base.errors import BipedError
from ..base.changes import changed
from ..base.language import translated
from ..base.reading import metres, read_path
from ..base.status import redraw
from ..job.mapping import character_object
from ..settings.copied_walk import copy_points, copy_walk
from .mapping_operators import walk_ready

_FITS = (
    (
        "DISTANCE",
        "Same Distances",
        "Points keep their distance from the path's begin, those beyond its end go",
    ),
    ("SHARE", "Same Shares", "Points keep their share of the path's length, on a longer or shorter one"),
)


@dataclass(frozen=True)
class _Meant:
    """What is selected beside the character: others that are to walk like it, and a curve that is to be walked."""

    others: tuple[Any, ...]
    path: Any


class BIPED_OT_copy_walk(bpy.types.Operator):
    """Copies the character's walk to what else is selected."""

    bl_idname = "biped.copy_walk"
    bl_label = "Copy Walk to Selected"
    bl_description = (
        "Give the walk of the active character to the other selected armatures: style, sliders, speed, points, pace, "
        "and their keys. Each keeps its own path, or gets the curve that is selected, too, or else this one's path. "
        "With a curve alone, the character itself goes over to that path, with its points as far as they fit"
    )
    bl_options = {"REGISTER", "UNDO"}

    fit: EnumProperty(
        name="Points", description="Where the points along the path come to lie on another path", items=_FITS
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether something is selected that can get the walk."""
        if not walk_ready(cls, context):
            return False
        meant = _meant(context)
        if character_object(context).biped.walk.path is None:
            cls.poll_message_set("Choose a curve to walk along, or press New Path")
        elif context.mode not in ("OBJECT", "POSE"):
            cls.poll_message_set("Leave Edit mode first")
        elif not meant.others and meant.path is None:
            cls.poll_message_set("Select another armature or one other curve, too, the character last")
        else:
            return True
        return False

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Copy it; what cannot be read leaves everything as it was."""
        source, meant = character_object(context), _meant(context)
        targets = [own for own in meant.others if own.is_editable]
        linked = [own.name for own in meant.others if not own.is_editable]
        if meant.others and not targets:
            self.report({"ERROR"}, translated(f"Linked from another file, and not changed: {', '.join(linked)}."))
            return {"CANCELLED"}
        walk = source.biped.walk
        receivers = targets or [source]
        paths = {own: meant.path or own.biped.walk.path or walk.path for own in receivers}
        try:
            before = _length(context, walk, walk.path)
            lengths = {own: (before, _length(context, walk, path)) for own, path in paths.items()}
        except BipedError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        left = 0
        for own in receivers:
            if own != source:
                copy_walk(source, own)
            left += copy_points(walk, own.biped.walk, lengths[own], self.fit)
            own.biped.walk.path = paths[own]
        changed()
        redraw(views=True)
        self._tell(receivers, left, linked)
        return {"FINISHED"}

    def _tell(self, receivers: list[Any], left: int, linked: list[str]) -> None:
        """Say who got it, and what was left out."""
        said = [f"Walk copied to {len(receivers)}." if len(receivers) > 1 else f"{receivers[0].name} has the walk now."]
        if left:
            said.append(f"Points beyond the path's end, left out: {left}.")
        if linked:
            said.append(f"Linked from another file, and not changed: {', '.join(linked)}.")
        self.report({"WARNING" if left or linked else "INFO"}, translated(" ".join(said)))


def _meant(context: bpy.types.Context) -> _Meant:
    """Return what is selected beside the panel's character and its path."""
    source = character_object(context)
    selected = [own for own in context.view_layer.objects.selected if own != source]
    curves = [own for own in selected if own.type == "CURVE" and own != source.biped.walk.path]
    others = tuple(own for own in selected if own.type == "ARMATURE")
    return _Meant(others, curves[0] if len(curves) == 1 else None)


def _length(context: bpy.types.Context, walk: Any, curve: Any) -> float:
    """Return the length of a curve, walked as a walk says, in the scene's units. Raises DataError."""
    unit = metres(context.scene)
    return read_path(curve, context.evaluated_depsgraph_get(), unit, walk.reverse, walk.laps)[0].length / unit


def draw_copy(menu: Any, _context: bpy.types.Context) -> None:
    """Draw the item in Object > Link/Transfer Data."""
    menu.layout.separator()
    menu.layout.operator("biped.copy_walk", icon="DUPLICATE")
