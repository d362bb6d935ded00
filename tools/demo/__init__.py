# SPDX-License-Identifier: GPL-3.0-or-later
"""The main job: a rig, a curve, a walk, its bake and its report."""
