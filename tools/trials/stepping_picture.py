# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of natural walking over and under what is across its way: poses where they are, from the side.

    python -m tools.trials.stepping_picture docs/stepping.png

A development program: needs matplotlib, not Blender. The walks are those of ``build.py trials --only stepping``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.trials.obstacles_picture import draw
from tools.trials.scene_picture import written
from tools.trials.stepping import SCENES, job_of

SHOWN = ("over 0.45 m", "over a row to 0.45 m", "over and under, 0.5 m")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    return written("tools.trials.stepping_picture", __doc__, SCENES, SHOWN, job_of, draw, 3.9, arguments)


if __name__ == "__main__":
    sys.exit(main())
