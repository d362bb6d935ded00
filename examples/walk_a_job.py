# SPDX-License-Identifier: GPL-3.0-or-later
"""Walk a Job: the standard adult goes two metres round a bend and stands. Nothing of Blender is needed.

    python examples/walk_a_job.py [FOLDER]

Writes job.json and motion.npz to the folder (out/examples). ``python -m blender_biped.simulate job.json motion.npz``
makes the same motion of that job again, bit for bit.
"""

import os
import sys
from pathlib import Path as FilePath

sys.path.insert(0, str(FilePath(__file__).parents[1]))  # the package, from a clone
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: quicker here

from blender_biped.character.standard import standard_character
from blender_biped.job import Job, write_job
from blender_biped.motion.motion import write_motion
from blender_biped.motion.watch import Watch
from blender_biped.preset.preset import preset
from blender_biped.simulate import simulate
from blender_biped.world.path import Path

folder = FilePath(sys.argv[1] if len(sys.argv) > 1 else "out/examples")
folder.mkdir(parents=True, exist_ok=True)

path = Path([(0.0, 0.0), (1.0, 0.0), (1.9, 0.4)])  # metres; a polyline as dense as the bend wants it
job = Job(standard_character(), path, preset("generalized", "default"), speed=0.9)  # metres a second
motion = simulate(job, Watch(lambda share: print(f"{share:4.0%}", end="\r")))

write_job(job, folder / "job.json")
write_motion(motion, folder / "motion.npz")
print(f"{motion.outcome} after {motion.duration:.1f} s and {len(motion.strikes)} foot strikes: see {folder}")
