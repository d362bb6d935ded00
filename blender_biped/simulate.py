"""Job to Motion: one walk simulated, without Blender. ``python -m blender_biped.simulate job.json motion.npz``."""

from __future__ import annotations

import itertools
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from .base.arithmetic import make_reproducible

if __name__ == "__main__":  # as in the worker; before numpy is loaded
    make_reproducible()

from .base.disk_cache import cache_in
from .base.errors import BipedError, DataError
from .base.garbage import no_garbage_collection
from .check import check
from .company import Company, motion_file, read_work
from .control.kind import Kind
from .control.registry import kind_in
from .fallback import attempt_of, failure, instead
from .job import Job
from .motion.motion import RATE, Motion, part_file, read_motion, write_part, write_portions
from .motion.recorded import Recorded
from .motion.stamp import Stamp, figures, write_stamp
from .motion.summary import summarised
from .motion.watch import UNWATCHED, Progress, Watch
from .together import recorded_together
from .walking import Walking, engine_of

_PROGRESS_STEPS = 36
PART_TIME = 0.1  # s on the clock between two parts that are handed over
_SEEN = 60 * int(RATE)  # samples: so much of a walk's end shows how it failed, and how it looked


def simulate(job: Job, watch: Watch = UNWATCHED) -> Motion:
    """Return the motion of a job. watch: who follows it.

    Raises DataError for a job that cannot be walked (see ``check``), and when its preset does not fit its controller.
    """
    return _made(job, watch).since(0)


def simulate_unchecked(job: Job) -> Motion:
    """Return the motion of a job that is simulated, whatever is in its way: for studies of what walks do not see.

    Raises DataError when the job's preset does not fit its controller.
    """
    with no_garbage_collection():
        return _simulated(job, kind_in(job), UNWATCHED, time.process_time()).since(0)


def simulate_into(job: Job, file: Path, watch: Watch = UNWATCHED) -> None:
    """Write the motion of a job; see ``simulate``. Its samples are kept beside the file, wherever ``watch`` wants them.

    Raises DataError as ``simulate`` does, OSError when the disk does not take it.
    """
    write_portions(_made(job, replace(watch, folder=file.parent)).portions, file)


def simulate_company_into(company: Company, file: Path, watch: Watch = UNWATCHED) -> None:
    """Write the motions of a company beside ``file``, see ``motion_file``; otherwise as ``simulate_into``."""
    for place, recorded in enumerate(recorded_together(company, replace(watch, folder=file.parent))):
        write_portions(recorded.portions, motion_file(file, place))


def _made(job: Job, watch: Watch) -> Recorded:
    """Return what comes of a job."""
    rising = _Rising(watch.progress)
    own_watch = replace(watch, progress=rising)

    def attempted(own: Job) -> Recorded:
        rising.again()
        return _attempted(own, own_watch)

    made = attempted(job)
    if job.fall_back and not (job.ragdoll and made.outcome == "fell"):
        return _in_place_of(_end_of(made), job, attempted) or made
    return made


def fallen_back(job: Job, motion: Motion) -> Motion | None:
    """Return the motion that a job falls back on whose own has failed, as ``simulate`` does where the job says so.

    None where the job's own has not failed, or nothing else walks either. Raises DataError as ``simulate`` does.
    """
    made = _in_place_of(motion, job, lambda own: _attempted(own, UNWATCHED))
    return made.since(0) if made else None


def _in_place_of(seen: Motion, job: Job, attempted: Callable[[Job], Recorded]) -> Recorded | None:
    """Return the first attempt that does not fail in place of a job's own walk; None where that has not, or all do.

    seen: the end of that walk. Of KLAW's styles, those that this body cannot walk in are passed over.
    """
    failed = failure(seen, job, job)
    if failed is None:
        return None
    before, began = [failed], time.process_time() - seen.cpu
    for own in instead(job, seen):
        try:
            other = attempted(replace(own, ragdoll=0.0))
        except DataError:
            continue
        failed = failure(_end_of(other), own, job)
        if failed is None:
            other.attempt, other.cpu = attempt_of(own, job, tuple(before)), time.process_time() - began
            return other
        before.append(failed)
    return None


def _end_of(made: Recorded) -> Motion:
    """Return the end of what is recorded of a walk."""
    return made.since(max(0, made.count - _SEEN))


def _attempted(job: Job, watch: Watch) -> Recorded:
    """Return what comes of a job itself; see ``_made``."""
    began = time.process_time()
    with no_garbage_collection():
        kind = check(job).kind
        if kind.walk is not None:
            return kind.walk(job, watch)
        return _simulated(job, kind, watch, began)


def _simulated(job: Job, kind: Kind, watch: Watch, began: float) -> Recorded:
    """Simulate at reference size (see ``similarity``): the motion's samples are whole control steps apart."""
    own = Walking(job, kind, watch.folder)
    recorded = own.recorded
    handed, due = 0, time.perf_counter() + PART_TIME
    with engine_of(own, kind) as engine:
        own.begin(engine)
        for count in itertools.count():
            if not own.sense(count):
                break
            own.decide()
            if own.act():
                break
            if watch.parts and recorded.count > handed and time.perf_counter() > due:
                watch.parts(recorded.since(handed))
                handed, due = recorded.count, time.perf_counter() + PART_TIME
            if count % _PROGRESS_STEPS == 0:
                watch.progress(own.done)
            own.disturb()
            engine.step()
    if not recorded.count:
        raise DataError(
            f"The walk is lost as it begins: the numbers of {job.preset.label!r} do not go together for this body. "
            "Take the style's own numbers (Reset All), or another style."
        )
    recorded.outcome, recorded.cpu = own.outcome, time.process_time() - began
    return recorded


class _Rising:
    """Tells the share that is done, 0..1, of one attempt after the other: it never goes back."""

    def __init__(self, tell: Progress) -> None:
        self._tell, self._before, self._now = tell, 0.0, 0.0

    def __call__(self, share: float) -> None:
        self._now = max(self._now, self._before + (1.0 - self._before) * share)
        self._tell(self._now)

    def again(self) -> None:
        """Begin another attempt."""
        self._before = self._now


def main(arguments: Sequence[str], tables: str = "", stamp: str = "") -> int:
    """Simulate the job file and write the motion file, and its parts into a folder; messages go to stdout as JSON.

    Of a company (see ``company``) each one's motion, motion-1.npz and so on, and no parts. tables: the folder in which
    tables are kept for the next walk (see ``disk_cache``), empty for none. stamp: what the motion is stamped with, with
    its figures (see ``motion.stamp``), empty for none.
    """
    if len(arguments) not in (2, 3):
        _say(type="error", message="Usage: python -m blender_biped.simulate JOB.json MOTION.npz [FOLDER]")
        return 2
    cache_in(tables)
    watch = Watch(_say_progress, _PartWriter(Path(arguments[2])) if len(arguments) > 2 else None)
    try:
        work, file = read_work(Path(arguments[0])), Path(arguments[1])
        if isinstance(work, Company):
            simulate_company_into(work, file, watch)
        else:
            simulate_into(work, file, watch)
        if stamp:
            _stamp(work, file, stamp)
    except BipedError as error:
        _say(type="error", message=str(error), refused=True)
        return 1
    except OSError as error:
        _say(type="error", message=f"The motion could not be written: {error.strerror or error}.")
        return 1
    _say(type="done")
    return 0


def _stamp(work: Job | Company, file: Path, digest: str) -> None:
    """Stamp the motions of a job or a company with its digest and their figures."""
    jobs = [one.job for one in work.companions] if isinstance(work, Company) else [work]
    files = [motion_file(file, k) for k in range(len(jobs))] if isinstance(work, Company) else [file]
    for job, own in zip(jobs, files, strict=True):
        write_stamp(own, Stamp(digest, figures(summarised(read_motion(own), job))))


class _PartWriter:
    """Writes the parts of a motion into a folder as they come, and says so."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._count, self._full = folder, 0, False

    def __call__(self, part: Motion) -> None:
        if self._full:
            return
        try:
            write_part(part, part_file(self._folder, self._count))
        except (OSError, DataError):  # they are to be looked at, no more: the walk is whole without them
            self._full = True
        else:
            _say(type="part", number=self._count)
            self._count += 1


def _say_progress(share: float) -> None:
    _say(type="progress", value=share)


def _say(**message: object) -> None:
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
