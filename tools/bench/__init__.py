# SPDX-License-Identifier: GPL-3.0-or-later
"""What a walk costs: one module a part."""
