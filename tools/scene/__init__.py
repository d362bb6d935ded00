# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters and curves in Blender's scene. Needs bpy."""
