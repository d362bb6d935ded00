# SPDX-License-Identifier: GPL-3.0-or-later
"""One moment of a walk as a picture, in a process of its own: a job is simulated again and drawn.

    python -m tools.pictures.moment TASK.json PICTURE.png

The task: ``{"job", "when", "at"}``: when is one of ``filmstrip.When``, "at" its time, s.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, get_args

from blender_biped.base.fields import Fields
from blender_biped.job import job_from_json
from blender_biped.simulate import simulate
from tools.base.processes import drawing_child
from tools.pictures.filmstrip import When, moment_picture


def draw(task: dict[str, Any], file: Path) -> None:
    """Draw a task's picture. Raises BipedError when the task cannot be read or simulated, OSError for the file."""
    f = Fields(task, "task")
    when: When = f.text("when", choices=get_args(When))  # type: ignore[assignment]
    job = job_from_json(task["job"])
    moment_picture(simulate(job), job, when, f.number("at", default=0.0), file)


if __name__ == "__main__":
    sys.exit(drawing_child([Path(a) for a in sys.argv[1:]], draw))
