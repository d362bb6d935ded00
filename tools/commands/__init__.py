# SPDX-License-Identifier: GPL-3.0-or-later
"""One module a command of build.py: its command line, and no more."""
