# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in the file that is open, as data to be compared. Needs bpy."""

from __future__ import annotations

from typing import Any

import bpy

from tools.scene.actions import keys


def contents() -> dict[str, Any]:
    """Return what must not change when something is refused: data blocks, transforms, poses, actions, frames."""
    scene = bpy.context.scene
    return {
        "blocks": {
            kind: sorted(block.name for block in getattr(bpy.data, kind))
            for kind in ("objects", "actions", "armatures", "curves", "meshes", "collections", "texts", "images")
        },
        "objects": {o.name: _object(o) for o in bpy.data.objects},
        "actions": {a.name: (a.use_fake_user, keys(a)) for a in bpy.data.actions},
        "scene": (scene.frame_start, scene.frame_end, scene.frame_current, scene.render.fps),
        "linked": sorted(o.name for o in scene.objects),
    }


def _object(thing: Any) -> dict[str, Any]:
    data = thing.animation_data
    return {
        "matrix": [tuple(row) for row in thing.matrix_basis],
        "mode": thing.mode,
        "action": data.action.name if data and data.action else None,
        "tracks": [t.name for t in data.nla_tracks] if data else [],
        "pose": {b.name: (b.rotation_mode, *(tuple(r) for r in b.matrix_basis)) for b in thing.pose.bones}
        if thing.pose
        else {},
    }
