# SPDX-License-Identifier: GPL-3.0-or-later
"""The development programs. All of them count alike: this runs before any of them loads numpy."""

from blender_biped.base.arithmetic import make_reproducible

make_reproducible()
