# SPDX-License-Identifier: GPL-3.0-or-later
"""Many walks, judged by the same figures: the grid, the pushes, the page."""
