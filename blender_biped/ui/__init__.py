"""Blender: the only room that imports bpy and mathutils."""
