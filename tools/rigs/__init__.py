# SPDX-License-Identifier: GPL-3.0-or-later
"""Every rig of a folder mapped, walked, baked and measured."""
