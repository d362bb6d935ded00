""".blend files for tests."""

from __future__ import annotations

from pathlib import Path


def blend(tmp_path: Path, **armatures: bool) -> Path:
    """Return a .blend with armatures by name: Rigify's human where true, else a single bone; and a curve "Way"."""
    import addon_utils
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)  # what was opened before is not to be in it
    addon_utils.enable("rigify", default_set=True)
    for name, human in armatures.items():
        if human:
            bpy.ops.object.armature_human_metarig_add()
        else:
            bpy.ops.object.armature_add()
        bpy.context.object.name = name
    bpy.ops.curve.primitive_bezier_curve_add(radius=3.0)
    bpy.context.object.name = "Way"
    file = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    return file
