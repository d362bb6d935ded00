# SPDX-License-Identifier: GPL-3.0-or-later
"""Attacks on the extension: wrong, odd and hostile input, and mischief while a walk is computed, by seeds."""
