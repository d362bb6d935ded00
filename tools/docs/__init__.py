# SPDX-License-Identifier: GPL-3.0-or-later
"""What of the pages in docs/ is made from the code."""
