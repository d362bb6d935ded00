# SPDX-License-Identifier: GPL-3.0-or-later
"""What a command needs before it runs: Pythons, environments, wheels. Standard library only."""
