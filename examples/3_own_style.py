# SPDX-License-Identifier: GPL-3.0-or-later
"""A style of one's own: other numbers than the preset's, and one of them keyed along the walk.

blender --background --python examples/3_own_style.py
"""

import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).parents[1]))  # the package, from a clone

import blender_biped
from blender_biped.ui import api

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.preferences.addon_enable(module="rigify")
blender_biped.register()

bpy.ops.object.armature_human_metarig_add()
human = bpy.context.object
data = bpy.data.curves.new("Way", "CURVE")
data.dimensions = "3D"
data.splines.new("POLY").points.add(1)
data.splines[0].points[1].co = (0, -3, 0, 1)
way = bpy.data.objects.new("Way", data)
bpy.context.scene.collection.objects.link(way)

api.map_bones(human)
api.set_path(human, way)
api.set_style(human, "klaw", "walk", {"attributes.arm_rot_factor": 1.4})  # arms that swing more
api.key_number(human, "attributes.max_knee", {1: 1.0, 60: 1.6})  # radians: knees that bend more and more
action = api.bake(human, speed=1.1, onto="ACTION", frame_start=1)
print(f"{action.name}: {action.biped.outcome} after {action.biped.duration:.1f} s and {action.biped.steps} steps")
