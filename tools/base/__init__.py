# SPDX-License-Identifier: GPL-3.0-or-later
"""What all rooms share: processes, results that are kept, the columns of reports, the command lines."""
