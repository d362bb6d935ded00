# SPDX-License-Identifier: GPL-3.0-or-later
"""One walk: a Rigify human walks along a curve. Run it in Blender's Text editor, or with Blender's Python module.

    blender --background --python examples/1_one_walk.py

From a clone it takes the package beside it; with the extension installed, import it as ``docs/scripting.md`` says.
"""

import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).parents[1]))  # the package, from a clone

import blender_biped
from blender_biped.ui import api

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.preferences.addon_enable(module="rigify")
blender_biped.register()  # what enabling the extension does

bpy.ops.object.armature_human_metarig_add()
human = bpy.context.object
data = bpy.data.curves.new("Way", "CURVE")
data.dimensions = "3D"
points = data.splines.new("POLY").points
points.add(2)
for point, place in zip(points, [(0, 0), (0, -1.2), (0.6, -2.2)], strict=True):
    point.co = (*place, 0, 1)
way = bpy.data.objects.new("Way", data)
bpy.context.scene.collection.objects.link(way)

parts = api.map_bones(human)
api.set_path(human, way)
action = api.bake(human, speed=1.0)
print(f"{len(parts)} parts; {action.name}: {action.biped.outcome} after {action.biped.duration:.1f} s")
