# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits that are made here: numbers searched, speeds settled, changes from one to another tried."""
