"""The role table's own properties: what is typed or picked there goes into the mapping that an armature keeps."""

# Blender reads property definitions from the annotations, so they stay unquoted.

from collections.abc import Sequence
from typing import Any, Literal, get_args

import bpy
from bpy.props import StringProperty

from ...base.errors import RigError
from ...character.conflicts import conflicts
from ...character.conventions import Names
from ...character.mirror import mirrored_bone, mirrored_name
from ...character.model import ROLES, role_words
from ...character.picking import MappingChange, Twin, pick, unpick
from ..base.reading import read_armature
from ..base.status import redraw, remark

Table = Literal["parts", "controls"]
"""What a bone is picked for: to be a body part, or to be keyed in its place."""

TABLES: tuple[Table, ...] = get_args(Table)


def picker(role: str, table: Table, first: bool) -> str:
    """Return the name of the property that picks a role's first bone, or adds a further one."""
    start = {"parts": "", "controls": "control_"}[table] + ("bone_" if first else "also_")
    return start + role.replace(".", "_")


def bones_of(armature: bpy.types.Object, table: Table = "parts") -> dict[str, Names]:
    """Return the bones of each role that has some."""
    kept = {part.name: names_in(part) for part in getattr(armature.biped, table)}
    return {role: kept[role] for role in ROLES if kept.get(role)}


def names_in(part: Any) -> Names:
    """Return the bones that are kept in a part."""
    names = part.own.split("\n") if part.own else [bone.name for bone in part.bones]
    return tuple(filter(None, names))


def put_names(part: Any, names: Names) -> None:
    """Keep bones in a part in place of what it has. What comes from a library stays there, and counts no more."""
    part.bones.clear()
    part.own = ""
    if len(part.bones):
        part.own = "\n".join(names) or "\n"
        return
    for name in names:
        part.bones.add().name = name


def pick_bone(armature: bpy.types.Object, role: str, bone: str, table: Table = "parts", first: bool = True) -> str:
    """Pick a bone for a role, by the name of a bone, mirrored if that is on; return what the user should know.

    Raises RigError, and changes nothing, when the armature has no such bone.
    """
    if bone not in armature.data.bones:
        raise RigError(f"Armature {armature.name!r} has no bone {bone!r}: pick one from the list.")
    return _keep(armature, table, pick(bones_of(armature, table), role, bone, first, _twin(armature)))


def drop_bones(armature: bpy.types.Object, role: str, bone: str = "", table: Table = "parts") -> str:
    """Take one bone from a role, or with no name all of them; return what the user should know."""
    return _keep(armature, table, unpick(bones_of(armature, table), role, bone, _twin(armature)))


def _twin(armature: bpy.types.Object) -> Twin | None:
    """Return what finds the bone on the other side, None where mirrored picking is off."""
    if not armature.biped.mirror:
        return None

    def twin(bone: str) -> str | None:
        try:
            return mirrored_bone(read_armature(armature, 1.0), bone)
        except (RigError, KeyError):  # places cannot be read, as in Edit mode: names can
            return mirrored_name(armature.data.bones.keys(), bone)

    return twin


def _keep(armature: bpy.types.Object, table: Table, change: MappingChange) -> str:
    """Write a change into what the armature keeps; return its notes as one text."""
    kept = getattr(armature.biped, table)
    before = bones_of(armature, table)
    old = _conflicts(armature)
    for role in ROLES:
        bones = change.bones.get(role, ())
        if role not in change.picked and bones == before.get(role, ()):
            continue
        part = kept.get(role)
        if part is None:
            part = kept.add()
            part.name = role
        put_names(part, bones)
        if role in change.picked:
            part.picked, part.reason = True, change.picked[role]
    others = [doubt.text for doubt in armature.biped.doubts if doubt.text and doubt.text not in old]
    keep_doubts(armature.biped.doubts, (*others, *_conflicts(armature)))
    redraw(views=True)
    return "".join(f"{note}. " for note in change.notes).strip()


def _conflicts(armature: bpy.types.Object) -> Sequence[str]:
    """Return what cannot be right in the mapping that an armature keeps."""
    try:
        return conflicts(bones_of(armature), read_armature(armature, 1.0))
    except (RigError, KeyError):  # a bone was deleted, or places cannot be read, as in Edit mode
        return ()


def keep_doubts(kept: Any, doubts: Sequence[str]) -> None:
    """Keep sentences about what in a mapping could be wrong, in place of those that are kept."""
    kept.clear()
    texts = (*doubts, *[""] * (len(kept) - len(doubts)))  # as many as a library has stay
    for i, text in enumerate(texts):
        (kept[i] if i < len(kept) else kept.add()).text = text


def _typed(group: Any, role: str, table: Table, first: bool, bone: str) -> None:
    """Take what was typed or picked in the table."""
    armature = group.id_data
    if armature.type != "ARMATURE":
        return
    own = bones_of(armature, table).get(role, ())
    if bone == (own[0] if own and first else ""):
        return
    try:
        note = pick_bone(armature, role, bone, table, first) if bone else drop_bones(armature, role, "", table)
    except RigError as error:
        remark.make(str(error), "ERROR", armature)
    else:
        remark.make(note, "INFO", armature)


def _property(role: str, table: Table, first: bool) -> Any:
    what = {
        ("parts", True): ("{}", "The bone that is the {}. With Mirror, the other side follows"),
        ("parts", False): ("Also {}", "Add a bone that moves rigidly with the {}, as a twist bone does"),
        ("controls", True): ("{} Control", "The bone to be keyed in place of the one that is the {}"),
        ("controls", False): ("Also {} Control", "Add a further bone to be keyed in place of those of the {}"),
    }
    name, about = what[table, first]
    return StringProperty(
        name=name.format(role_words(role)),
        description=about.format(role_words(role).lower()),
        get=lambda self: bones_of(self.id_data, table).get(role, ("",))[0] if first else "",
        set=lambda self, bone: _typed(self, role, table, first, bone),
    )


BIPED_PG_pickers = type(
    "BIPED_PG_pickers",
    (bpy.types.PropertyGroup,),
    {
        "__doc__": "One text for each cell of the role table. They keep nothing: they read and write the parts.",
        "__module__": __name__,
        "__annotations__": {
            picker(role, table, first): _property(role, table, first)
            for role in ROLES
            for table in TABLES
            for first in (True, False)
        },
    },
)
