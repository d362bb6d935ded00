# SPDX-License-Identifier: GPL-3.0-or-later
"""What the papers show, walked again, one module a paper; and random builds."""
