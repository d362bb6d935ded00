"""What is hidden, evaluated all the same: Blender leaves it as it was when it was last shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import bpy


@contextmanager
def evaluated(armature: bpy.types.Object) -> Iterator[None]:
    """Let Blender evaluate an armature, with its pose, though it may be hidden: something shown hangs on it meanwhile.

    What that is leaves the scene with the context. Nothing is done for an armature that is shown.
    """
    if armature.visible_get():
        yield
        return
    line = bpy.data.curves.new("Follower", "CURVE")  # without a point: there is nothing to be seen
    follower = bpy.data.objects.new(line.name, line)
    try:
        follower.modifiers.new("Armature", "ARMATURE").object = armature  # a constraint would ask for one bone alone
        with suppress(RuntimeError):  # the scene is linked from another file
            bpy.context.scene.collection.objects.link(follower)
        bpy.context.view_layer.update()
        yield
    finally:
        with suppress(ReferenceError):  # another file was opened meanwhile
            bpy.data.objects.remove(follower)
            bpy.data.curves.remove(line)
