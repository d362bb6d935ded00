# SPDX-License-Identifier: GPL-3.0-or-later
"""Armatures from files: opened as Blender opens them, and chosen among several. Needs bpy."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from blender_biped.base.errors import BipedError
from tools.base.quiet import quiet

ARMATURE_FILES = (".blend", ".glb", ".gltf", ".vrm", ".fbx", ".bvh")


def split_object(text: str) -> tuple[Path, str]:
    """Return the file and the object's name, or "", of FILE[:OBJECT]. Raises BipedError when there is no such file."""
    if Path(text).is_file():
        return Path(text), ""
    file, colon, name = text.rpartition(":")
    if colon and Path(file).is_file():
        return Path(file), name
    raise BipedError(f"There is no file {text if len(file) < 2 else file}.")


def chosen_armature(text: str, say: Callable[[str], None]) -> Any:
    """Return the armature object to walk: from a file, which it opens, else Rigify's human metarig.

    Raises BipedError when the file cannot be read, has no armature, or has several that could be meant.
    """
    import addon_utils
    import bpy

    if not text:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        with quiet():
            addon_utils.enable("rigify", default_set=True)
            bpy.ops.object.armature_human_metarig_add()
        return bpy.context.object
    file, name = split_object(text)
    open_file(file)
    found = [o for o in bpy.context.scene.objects if o.type == "ARMATURE"]
    names = ", ".join(repr(o.name) for o in found)
    if not found:
        raise BipedError(f"{file.name} has no armature.")
    if name:
        named = [o for o in found if o.name == name]
        if not named:
            raise BipedError(f"{file.name} has no armature {name!r}; it has {names}.")
        return named[0]
    if len(found) == 1:
        return found[0]
    walkers = [o for o in found if _is_biped(o)]
    if len(walkers) != 1:
        raise BipedError(f"{file.name} has several armatures: say which one with {file}:OBJECT ({names}).")
    say(f"{file.name} has several armatures ({names}); {walkers[0].name!r} is the one with legs, so it walks.")
    return walkers[0]


def _is_biped(armature: Any) -> bool:
    import bpy

    from blender_biped.character.roles import map_bones
    from blender_biped.ui.base.reading import metres, read_armature

    try:
        map_bones(read_armature(armature, metres(bpy.context.scene)))
    except BipedError:
        return False
    return True


def open_file(file: Path) -> None:
    """Open a scene or a model file as the current scene, in Object mode. Raises BipedError when it cannot be read."""
    import bpy

    kind = file.suffix.lower()
    if kind not in ARMATURE_FILES:
        raise BipedError(f"{file.name}: a character comes from one of {', '.join(ARMATURE_FILES)}.")
    name = str(file.resolve())
    try:
        with quiet():
            if kind == ".blend":
                bpy.ops.wm.open_mainfile(filepath=name, load_ui=False, use_scripts=False)
                if bpy.context.mode.startswith("EDIT"):  # as it was saved; the file stays so
                    bpy.ops.object.mode_set(mode="OBJECT")
                return
            bpy.ops.wm.read_factory_settings(use_empty=True)
            if kind == ".fbx":
                bpy.ops.import_scene.fbx(filepath=name)
            elif kind == ".bvh":
                bpy.ops.import_anim.bvh(filepath=name, update_scene_fps=False)
            elif kind == ".vrm":  # a .glb under another name
                with tempfile.TemporaryDirectory() as folder:
                    copy = Path(folder) / f"{file.stem}.glb"
                    shutil.copyfile(file, copy)
                    bpy.ops.import_scene.gltf(filepath=str(copy))
            else:
                bpy.ops.import_scene.gltf(filepath=name)
    except RuntimeError as error:
        raise BipedError(f"Blender cannot read {file.name}: {reason_of(str(error))}") from error


def reason_of(said: str) -> str:
    """Return the line of an operator's error that says what it is: the last one but for the place in Blender's code."""
    lines = [line.strip() for line in said.removeprefix("Error: ").splitlines()]
    return next((line for line in reversed(lines) if line and not line.startswith("Location: ")), "no reason given")
