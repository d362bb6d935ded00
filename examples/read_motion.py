# SPDX-License-Identifier: GPL-3.0-or-later
"""Read a Motion: its arrays, its foot contact events, its measures, and a BVH file for other programs.

    python examples/read_motion.py [FOLDER]

Reads job.json and motion.npz of the folder (out/examples), as ``walk_a_job.py`` writes them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # the package, from a clone

from blender_biped.job import read_job
from blender_biped.motion.bvh import write_bvh
from blender_biped.motion.measures import flexion, report
from blender_biped.motion.motion import read_motion

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples")
job, motion = read_job(folder / "job.json"), read_motion(folder / "motion.npz")

# Arrays: time first, then link, then component; SI units, world axes, z up. Links are in the character's order.
head = motion.character.index("head")
print(f"{len(motion.times)} samples of {len(motion.character.links)} links")
print(f"the mid-hip goes from {motion.root[0].round(2)} to {motion.root[-1].round(2)} m")
print(f"the head is {motion.origins[:, head, 2].min():.2f} to {motion.origins[:, head, 2].max():.2f} m high")
print(f"the left knee bends by up to {flexion(motion, 'knee', 0).max():.0f} degrees")
for time, foot in motion.strikes:
    print(f"{time:6.2f} s  foot strike, {'left' if foot == 0 else 'right'}")

figures = report(motion, job)  # every measure by its name; None where one does not apply
for name in ("fell", "arrival_m", "path_deviation_mean_m", "foot_slip_median_mm", "penetration_mm"):
    print(f"{name}: {figures[name]}")
write_bvh(motion, folder / "motion.bvh", rate=30.0)
