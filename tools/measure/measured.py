# SPDX-License-Identifier: GPL-3.0-or-later
"""One case of the grid, in a process of its own: a job is simulated and measured.

    python -m tools.measure.measured TASK.json RESULT.json

The task: ``{"fingerprint", "path", "job"}``. The result: ``{"version", "fingerprint", "figures", "raw"}``, where the
figures are the flat report and the raw material is what pictures of many walks are made of.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from blender_biped.job import Job, job_from_json
from blender_biped.motion import measures
from blender_biped.motion.measures.foot_contact import slips
from blender_biped.motion.measures.motion_view import MotionView
from blender_biped.motion.measures.norm_comparison import cycles
from blender_biped.motion.measures.path_following import deviations
from blender_biped.motion.motion import Motion
from blender_biped.motion.norm import JOINTS
from blender_biped.motion.summary import ended
from blender_biped.simulate import simulate
from tools.base.processes import VERSION, child

_EVERY = 0.1  # s between samples of the deviation


def measured(task: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a task. Raises BipedError when the job cannot be read or simulated."""
    job = job_from_json(task["job"])
    motion = simulate(job)
    return {
        "version": VERSION,
        "fingerprint": task["fingerprint"],
        "figures": figures(motion, job, task["path"]),
        "raw": raw(motion, job),
    }


def figures(motion: Motion, job: Job, path_name: str) -> dict[str, Any]:
    """Return the flat report of a walk, with its seed and outcome."""
    report = measures.report(motion, job, path_name)
    return report | {"seed": job.seed, "outcome": ended(motion, job), "error": None}


def raw(motion: Motion, job: Job) -> dict[str, Any]:
    """Return what pictures of many walks are made of, as JSON data.

    slips: [time s, slip mm] of each stance. deviations: [time s, m] every 0.1 s. cycles: by joint, the mean flexion
    (101) over steady strides, degrees, empty when there is none. Lengths are for a leg of 0.9 m.
    """
    view = MotionView(motion, job)
    times, away = deviations(view)
    every = np.arange(times[0], times[-1], _EVERY) if len(times) else times
    means = {joint: cycles(view, joint) for joint in JOINTS}
    return {
        "slips": [[0.5 * (s.start + s.end), 1000.0 * view.scale * slip] for s, slip in slips(view)],
        "deviations": np.stack((every, np.interp(every, times, away)), axis=1).tolist() if len(times) else [],
        "cycles": {joint: c.mean(axis=0).tolist() if len(c) else [] for joint, c in means.items()},
    }


if __name__ == "__main__":
    sys.exit(child([Path(a) for a in sys.argv[1:]], measured))
