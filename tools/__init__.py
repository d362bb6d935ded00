# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs for developers, run by build.py: nothing of it is shipped. Rooms import downwards (pyproject.toml)."""
