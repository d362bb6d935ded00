# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks that stay the same, bit for bit, while the code that walks them is moved."""
