"""The worker process: its result comes back, however it ends it is said how, and nothing is left behind."""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path as FilePath
from textwrap import indent

import numpy as np
import pytest

from blender_biped import worker
from blender_biped.base import arithmetic
from blender_biped.base.errors import DataError, WorkerError
from blender_biped.base.limits import MAX_MESSAGE
from blender_biped.character.standard import standard_character
from blender_biped.job import Job, Push, write_job
from blender_biped.motion.motion import Motion, joined, write_motion
from blender_biped.preset.preset import Preset, preset
from blender_biped.simulate import simulate
from blender_biped.worker import CancelledError, Worker, library_folders, run
from blender_biped.world.path import Path
from blender_biped.world.winds import Wind
from blender_biped.world.world import World
from tests.motion.synthetic import walked

posix = pytest.mark.skipif(os.name != "posix", reason="needs signals")
STRAIGHT = Path([[0.0, 0.0], [2.0, 0.0]])

Fake = Callable[[str], None]


@pytest.fixture
def job() -> Job:
    return Job(standard_character(), STRAIGHT, Preset("default", "generalized", "Default", "", {}))


def children() -> set[str]:
    """Return the numbers of this process' children, those that nobody has waited for among them."""
    lists = FilePath("/proc/self/task").glob("*/children")
    return {number for tasks in lists for number in tasks.read_text(encoding="ascii").split()}


@pytest.fixture(autouse=True)
def leftovers(tmp_path: FilePath, monkeypatch: pytest.MonkeyPatch) -> Iterator[FilePath]:
    """Temporary files go into a folder of the test's own; it must be empty afterwards, and no process left."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    before = children()
    yield folder
    assert list(folder.iterdir()) == []
    assert children() <= before  # others are there where tests before this used processes of their own
    assert not [t for t in threading.enumerate() if t.name.startswith(worker.READER)]


@pytest.fixture
def fake(tmp_path: FilePath, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Return a function that puts other code in the place of what the package's simulate module does with a job."""
    package = tmp_path / "some_folder"
    (package / "base").mkdir(parents=True)
    for name in ("__init__.py", "base/__init__.py", "base/arithmetic.py", "worker_entry.py"):
        (package / name).write_bytes((FilePath(worker.__file__).parent / name).read_bytes())
    monkeypatch.setattr(worker, "ENTRY", package / "worker_entry.py")

    def put(code: str) -> None:
        body = indent(f"sys.argv[1:] = arguments\n{code}\nreturn 0\n", "    ")
        (package / "simulate.py").write_text(
            f"import json, os, sys, time\n\ndef main(arguments, tables, stamp):\n{body}", encoding="utf-8"
        )

    return put


SLEEP = "print(json.dumps({'type': 'progress', 'value': 0.25}), flush=True)\ntime.sleep(60)\n"


def until(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.01)


def failure(job: Job, python: str = "") -> str:
    with pytest.raises(WorkerError) as caught:
        run(job, python)
    return str(caught.value)


# --- a result --------------------------------------------------------------------------------------------------------


def test_the_real_simulation_runs_in_the_process() -> None:
    pytest.importorskip("pybullet")
    real = Job(standard_character(), STRAIGHT, preset("generalized", "default"), duration=0.5)
    said: list[float] = []
    motion = run(real, folders=library_folders(), progress=said.append)
    assert motion.character == real.character
    assert motion.duration == pytest.approx(0.5, abs=0.02)
    assert said == sorted(said) and said[-1] == 1.0 and len(said) > 1
    again = simulate(real)
    assert np.array_equal(motion.rotations, again.rotations) and np.array_equal(motion.root, again.root)


_LOCKED = ("unshare", "--map-root-user", "--mount", "sh", "-c",
           'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"', "sh")  # fmt: skip
_WALK = """
import sys, tempfile
from pathlib import Path
from blender_biped import job, worker
try:
    (Path(worker.__file__).parent / "more").touch()
    sys.exit("It can be written.")
except OSError:
    motion = worker.run(job.read_job(Path(sys.argv[1])), folders=worker.library_folders())
print(len(motion.times))
"""


@pytest.mark.long
def test_a_blender_that_cannot_be_written_to_simulates(tmp_path: FilePath) -> None:
    """It may be started from an image, from somebody else's folder, or where macOS moves what was just unpacked."""
    pytest.importorskip("pybullet")
    root = tmp_path / "installed"
    shutil.copytree(FilePath(worker.__file__).parent, root / "blender_biped")
    locked = [*_LOCKED, str(root)]
    if not shutil.which(locked[0]) or subprocess.run([*locked, "true"], capture_output=True, check=False).returncode:
        pytest.skip("needs a mount of its own")
    real = Job(standard_character(), STRAIGHT, preset("generalized", "default"), duration=0.5)
    write_job(real, tmp_path / "job.json")
    done = subprocess.run(
        [*locked, sys.executable, "-P", "-c", _WALK, str(tmp_path / "job.json")],
        env={**os.environ, "PYTHONPATH": str(root)}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[-1]) > 10


def test_the_motion_and_the_progress_come_back(job: Job, fake: Fake, tmp_path: FilePath) -> None:
    motion, _ = walked(STRAIGHT)
    write_motion(motion, tmp_path / "made.npz")
    fake(f"""
import shutil
for value in (0.1, 0.5, 0.4, 7.0):
    print(json.dumps({{"type": "progress", "value": value}}), flush=True)
    time.sleep(0.1)
print("a library's own words")
print('{{"type": "new"}}')
assert json.load(open(sys.argv[1]))["speed"] == 1.2
shutil.copy({str(tmp_path / "made.npz")!r}, sys.argv[2])
""")
    said: list[float] = []
    came = run(job, progress=said.append)
    assert np.array_equal(came.rotations, motion.rotations)
    assert said == [0.1, 0.5, 1.0]


def test_polling_never_waits(job: Job, fake: Fake) -> None:
    fake(SLEEP)
    handle = Worker.start(job)
    try:
        until(lambda: handle.poll().progress == 0.25)
        began = time.monotonic()
        assert all(handle.poll().state == "running" for _ in range(100))
        assert time.monotonic() - began < 0.1
        with pytest.raises(RuntimeError, match="still running"):
            handle.result()
    finally:
        handle.cancel()


def test_the_package_is_found_by_its_folder_and_its_neighbours_are_not(
    job: Job, fake: Fake, tmp_path: FilePath
) -> None:
    (tmp_path / "neighbour.py").touch()
    fake("""
import importlib.util
found = [__name__, __package__, importlib.util.find_spec("neighbour"), os.environ.get("PYTHONPATH") in sys.path]
print(json.dumps({"type": "error", "message": repr(found)}))
sys.exit(1)
""")
    assert failure(job) == "['blender_biped.simulate', 'blender_biped', None, False]"


NAMES = (*arithmetic.THREADS, *arithmetic.AVX2)
SAY_HOW_IT_COUNTS = f"""
import numpy
print(json.dumps({{"type": "error", "message": json.dumps([os.environ.get(name) for name in {NAMES!r}])}}))
sys.exit(1)
"""


def test_it_counts_alike_on_many_processors(job: Job, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    fake(SAY_HOW_IT_COUNTS)
    own = arithmetic.AVX2.values() if arithmetic.has_avx2() else [None, None]
    assert json.loads(failure(job)) == ["1", "1", "1", *own]


def test_how_it_counts_can_be_chosen(job: Job, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    own = ["3", "4", "5", "Nehalem", "" if os.name == "posix" else "AVX512F"]  # on Windows no variable is empty
    for name, value in zip(NAMES, own, strict=True):
        monkeypatch.setenv(name, value)
    fake(SAY_HOW_IT_COUNTS)
    assert json.loads(failure(job)) == own


@posix
def test_a_numpy_that_was_built_for_one_processor_counts_as_it_was_built(
    job: Job, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is part of its baseline cannot be switched off: SSE2 stands for AVX-512 here."""
    monkeypatch.setenv(arithmetic.DISABLED, "SSE2 X86_V2")
    fake(SAY_HOW_IT_COUNTS)
    assert json.loads(failure(job))[-1] == ("" if platform.machine() == "x86_64" else "SSE2 X86_V2")


# --- a start ahead, and a motion in parts ----------------------------------------------------------------------------


def test_a_process_that_is_ready_waits_for_its_job(job: Job, fake: Fake, tmp_path: FilePath) -> None:
    motion, _ = walked(STRAIGHT)
    write_motion(motion, tmp_path / "made.npz")
    fake(f"import shutil; shutil.copy({str(tmp_path / 'made.npz')!r}, arguments[1]); assert len(arguments) == 2")
    handle = Worker.ready()
    try:
        time.sleep(0.5)
        assert handle.poll().state == "running"
        handle.begin(job)
        until(lambda: handle.poll().state != "running")
        came = handle.result()
        assert np.array_equal(came.rotations, motion.rotations) and handle.result() is came
    finally:
        handle.cancel()


def test_a_process_that_is_ready_and_not_needed_leaves_nothing(fake: Fake) -> None:
    fake("")
    Worker.ready().cancel()
    handles = [Worker.ready()]
    handles.clear()


@posix
@pytest.mark.parametrize("busy", [False, True], ids=["ready", "busy"])
def test_a_process_ends_with_the_python_that_started_it_and_leaves_no_folder(
    job: Job, fake: Fake, leftovers: FilePath, tmp_path: FilePath, busy: bool
) -> None:
    """Even where that had no time to say so, and the process says nothing that nobody could hear."""
    fake("open(arguments[0] + '.part', 'w').close(); time.sleep(60)")
    write_job(job, tmp_path / "job.json")
    code = f"""
import os, signal, sys, tempfile, time
sys.path.insert(0, {str(FilePath(worker.__file__).parents[1])!r})
from pathlib import Path
from blender_biped import job, worker
tempfile.tempdir = {str(leftovers)!r}
worker.ENTRY = Path({str(worker.ENTRY)!r})
handle = worker.Worker.ready()
print(handle.process_id, flush=True)
if {busy}:
    handle.begin(job.read_job(Path({str(tmp_path / "job.json")!r})))
    while not list(Path(tempfile.tempdir).glob("*/*.part")):
        time.sleep(0.01)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, timeout=20, check=False)
    number = int(done.stdout)

    def runs() -> bool:  # its number may stay for a while where nobody waits for orphans
        status = FilePath(f"/proc/{number}/stat")
        return status.exists() and status.read_text(encoding="ascii").rpartition(")")[2].split()[0] not in "ZX"

    until(lambda: not runs())
    assert list(leftovers.iterdir()) == []


def test_a_process_whose_parent_is_gone_when_its_walk_ends_leaves_no_folder(job: Job, fake: Fake) -> None:
    """What it says at its end nobody hears; that is an error, and not the last thing that it does."""
    fake("time.sleep(0.3); print('x' * 10**6, flush=True)")
    handle = Worker.start(job)
    process = handle.process
    assert process.stdin
    process.stdin.close()
    until(lambda: process.poll() is not None)
    assert not handle.folder.exists()
    handle.cancel()


def test_a_process_that_could_not_get_ready_says_so(job: Job, fake: Fake) -> None:
    fake("")
    (worker.ENTRY.with_name("simulate.py")).write_text("import numpy.no_such_part", encoding="utf-8")
    handle = Worker.ready()
    until(lambda: handle.poll().state == "failed")
    handle.begin(job)
    with pytest.raises(WorkerError, match=r"cannot load numpy: .*preferences"):
        handle.result()


@pytest.mark.long
def test_a_motion_comes_in_parts_that_are_the_motion(leftovers: FilePath) -> None:
    pytest.importorskip("pybullet")
    real = Job(standard_character(), Path([[0.0, 0.0], [9.0, 0.0]]), preset("generalized", "default"))
    handle = Worker.ready(folders=library_folders())
    parts: list[Motion] = []
    try:
        handle.begin(real, parts=True)
        while not parts:
            parts += handle.parts()
        assert handle.poll().state == "running"  # the first one comes long before the end
        while handle.poll().state == "running":
            parts += handle.parts()
        parts += handle.parts()
        assert [f.name for folder in leftovers.iterdir() for f in folder.glob("part*")] == []
        motion = handle.result()
    finally:
        handle.cancel()
    begun = joined(parts)
    count = len(begun.times)
    assert len(parts) > 1 and 0.5 * len(motion.times) < count <= len(motion.times)  # swift machines send few
    assert begun.character == real.character
    for name in ("times", "root", "loads", "command", "rotations"):
        assert np.array_equal(getattr(begun, name), getattr(motion, name)[:count]), name
    for name in ("strikes", "lifts"):
        until_then = getattr(motion, name)[: len(getattr(begun, name))]
        assert len(until_then) and np.array_equal(getattr(begun, name), until_then), name
    assert np.array_equal(motion.rotations, run(real, folders=library_folders()).rotations)  # parts change nothing


@pytest.mark.long
def test_a_walk_that_falls_is_walked_otherwise_in_the_same_process() -> None:
    pytest.importorskip("pybullet")
    floored = (Push("chest", 0.5, 0.3, (0.0, 3000.0, 0.0)),)
    real = Job(standard_character(), STRAIGHT, preset("generalized", "default"), pushes=floored, fall_back=True)
    told: list[float] = []
    motion = run(real, folders=library_folders(), progress=told.append)
    assert motion.attempt and motion.attempt.kind == "kinematic" and len(motion.attempt.before) == 3
    assert told == sorted(told) and told[-1] == 1.0


def test_parts_that_cannot_be_used_are_passed_over(job: Job, fake: Fake, tmp_path: FilePath) -> None:
    motion, _ = walked(STRAIGHT)
    write_motion(motion, tmp_path / "made.npz")
    fake(f"""
import shutil
open(os.path.join(arguments[2], "part-0.npz"), "wb").write(b"PK")
for number in ("0", "1", "{{}}", "1e999"):
    print('{{"type": "part", "number": ' + number + "}}", flush=True)
shutil.copy({str(tmp_path / "made.npz")!r}, arguments[1])
""")
    handle = Worker.ready()
    try:
        handle.begin(job, parts=True)
        until(lambda: handle.poll().state != "running")
        assert handle.parts() == [] and handle.parts() == []
        assert np.array_equal(handle.result().root, motion.root)
    finally:
        handle.cancel()


# --- an end without a result -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("stubborn", [False, True])
def test_cancel_ends_it_within_half_a_second(job: Job, fake: Fake, stubborn: bool) -> None:
    fake(("import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" if stubborn else "") + SLEEP)
    handle = Worker.start(job)
    until(lambda: handle.poll().progress == 0.25)
    began = time.monotonic()
    handle.cancel()
    assert time.monotonic() - began < 0.5
    assert handle.poll().state == "cancelled"
    with pytest.raises(CancelledError, match="cancelled; nothing was changed"):
        handle.result()
    handle.cancel()


@posix
def test_a_killed_process_is_named(job: Job, fake: Fake) -> None:
    fake(SLEEP)
    handle = Worker.start(job)
    until(lambda: handle.poll().progress == 0.25)
    os.kill(handle.process_id, signal.SIGKILL)
    until(lambda: handle.poll().state == "failed")
    with pytest.raises(WorkerError, match=r"ended by the system \(signal 9, SIGKILL\).*memory"):
        handle.result()


@posix
def test_a_crash_is_named(job: Job, fake: Fake) -> None:
    fake("os.kill(os.getpid(), 11)")
    assert "signal 11, SIGSEGV" in failure(job)


@pytest.mark.parametrize(("code", "by_hand", "how"), [
    pytest.param(-9, False, "signal 9, SIGKILL", marks=posix),
    (-77, False, "signal 77"), (0xC0000005, False, "error 0xC0000005"),
    (1, True, "exit code 1"), (15, True, "exit code 15"), (1, False, ""), (120, False, ""),
])  # fmt: skip
def test_what_ended_a_process_is_known_by_its_exit_code(code: int, by_hand: bool, how: str) -> None:
    """Windows has no signals: a crash is an error's number, and who ends a process chooses its exit code."""
    assert worker.ended_from_outside(code, by_hand) == how


def test_what_the_simulation_refuses_is_passed_on_word_for_word(job: Job, fake: Fake) -> None:
    fake('print(json.dumps({"type": "error", "message": "job.speed: 99 is out of range."})); sys.exit(1)')
    assert failure(job) == "job.speed: 99 is out of range."


def test_what_the_real_simulation_refuses_is_passed_on(job: Job) -> None:
    pytest.importorskip("pybullet")
    with pytest.raises(WorkerError, match=r"job\.speed: 101\.0 is out of range"):
        run(replace(job, speed=101.0), folders=library_folders())


def test_an_exception_is_told_with_its_last_lines(job: Job, fake: Fake) -> None:
    fake("raise OSError(28, 'No space left on device')")
    text = failure(job)
    assert "exit code 1" in text and "[Errno 28] No space left on device" in text and sys.executable in text


def test_an_end_without_a_motion_is_told(job: Job, fake: Fake) -> None:
    fake("")
    assert "its result cannot be used. Cannot read the motion motion.npz" in failure(job)


def test_a_damaged_motion_is_told(job: Job, fake: Fake) -> None:
    fake('open(sys.argv[2], "wb").write(b"PK\\x03\\x04 but not for long")')
    assert "its result cannot be used" in failure(job)


def test_much_output_does_not_stop_it(job: Job, fake: Fake) -> None:
    fake('print("x" * 10**6); print("y" * 10**6, file=sys.stderr); print("the end", file=sys.stderr); sys.exit(3)')
    text = failure(job)
    assert "exit code 3" in text and text.endswith("the end")


@pytest.mark.parametrize("odd", ["NaN", "Infinity", "-Infinity"])
def test_a_progress_that_is_no_number_is_passed_over(job: Job, fake: Fake, odd: str) -> None:
    fake(f"""
for value in ("0.5", "{odd}", "0.25"):
    print('{{"type": "progress", "value": ' + value + "}}", flush=True)
print(json.dumps({{"type": "error", "message": "over"}}), flush=True)
sys.exit(1)
""")
    handle = Worker.start(job)
    until(lambda: handle.poll().state == "failed")
    assert handle.poll().progress == 0.5
    handle.cancel()


def test_odd_lines_do_not_stop_the_reading(job: Job, fake: Fake) -> None:
    fake("""
for odd in ("9" * 400, "[" * 100_000, "null", "x" * 10**7, chr(0)):
    print('{"type": "progress", "value": ' + odd + "}", flush=True)
print(json.dumps({"type": "error", "message": "said after all"}), flush=True)
sys.exit(1)
""")
    assert failure(job) == "said after all"


def test_a_line_without_end_is_not_kept(job: Job, fake: Fake) -> None:
    fake('print("y" * 10**7, end="", file=sys.stderr); sys.exit(3)')
    assert len(failure(job)) <= MAX_MESSAGE


def test_an_interrupted_run_leaves_no_process(job: Job, fake: Fake) -> None:
    fake(SLEEP)

    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(job, progress=interrupt)


def test_a_forgotten_worker_leaves_nothing(job: Job, fake: Fake) -> None:
    fake(SLEEP)
    handles = [Worker.start(job)]
    until(lambda: handles[0].poll().progress == 0.25)
    handles.clear()


def test_a_python_that_ends_takes_its_worker_along(job: Job, fake: Fake, tmp_path: FilePath) -> None:
    fake(SLEEP)
    code = f"""
import sys, tempfile
sys.path.insert(0, {str(FilePath(worker.__file__).parents[1])!r})
from pathlib import Path
from blender_biped import job, worker
tempfile.tempdir = {tempfile.gettempdir()!r}
worker.ENTRY = Path({str(worker.ENTRY)!r})
handle = worker.Worker.start(job.read_job(Path({str(tmp_path / "job.json")!r})))
print(handle.process_id)
"""
    write_job(job, tmp_path / "job.json")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20, check=True)
    if os.name == "posix":
        with pytest.raises(ProcessLookupError):
            os.kill(int(done.stdout), 0)


def test_on_windows_no_console_window_opens(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blender has none, so a program of the console would get one of its own, on top of everything."""
    given: dict[str, object] = {}

    def popen(_: object, **named: object) -> None:
        given.update(named)
        raise OSError(2, "No such file")

    monkeypatch.setattr(subprocess, "CREATE_NO_WINDOW", 0x08000000, raising=False)
    monkeypatch.setattr(subprocess, "Popen", popen)
    with pytest.raises(WorkerError):
        Worker.start(job)
    assert given["creationflags"] == 0x08000000


@pytest.mark.parametrize("own", [False, True], ids=["none", "its own"])
def test_a_windows_without_the_runtime_of_cpp_is_given_blenders(own: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blender has it in a folder of its own, of which its Python does not know; Windows' own may be newer."""
    given: list[str] = []

    def add(folder: str) -> None:
        given.append(folder)
        if "none" in folder:
            raise FileNotFoundError(folder)

    spec = importlib.util.spec_from_file_location("entry", FilePath(worker.__file__).with_name("worker_entry.py"))
    assert spec and spec.loader
    entry = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(entry)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(os, "add_dll_directory", add, raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(entry, "has_cpp_runtime", lambda: own)
    folders = ["/none", "/blender.crt"]
    entry.find_libraries(folders)
    assert given == ([] if own else folders) and sys.path[-2:] == folders


# --- a start that fails ----------------------------------------------------------------------------------------------


def test_a_python_that_is_not_there_is_named(job: Job) -> None:
    text = failure(job, "/nowhere/python")
    assert "Cannot start the Python /nowhere/python: " in text and "preferences" in text


@pytest.mark.parametrize("python", ["python3", "./python3", "//python3", "tools/python3", "/bin/py\0thon"])
def test_a_python_of_no_whole_path_is_refused_before_anything_is_made(job: Job, python: str) -> None:
    assert "is not a whole path" in failure(job, python)


@posix
def test_a_python_that_is_no_python_is_named(job: Job, tmp_path: FilePath) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\necho I am no Python >&2\nexit 7\n", encoding="utf-8")
    program.chmod(0o755)
    text = failure(job, str(program))
    assert "exit code 7" in text and "I am no Python" in text


@pytest.mark.parametrize("library", ["numpy", "pybullet"])
def test_a_python_without_a_library_is_told_which(job: Job, fake: Fake, library: str) -> None:
    fake(f"sys.modules[{library!r}] = None\nimport {library}.part")
    text = failure(job)
    assert f"{sys.executable} (Python 3." in text and f"cannot load {library}" in text and "preferences" in text


def test_a_fault_of_our_own_is_not_blamed_on_python(job: Job, fake: Fake) -> None:
    fake("import no_such_module")
    text = failure(job)
    assert "preferences" not in text and "No module named 'no_such_module'" in text


def test_an_old_python_is_told(job: Job, fake: Fake) -> None:
    fake("")
    text = worker.ENTRY.read_text(encoding="utf-8")
    worker.ENTRY.write_text(text.replace("OLDEST_PYTHON = (3, 11)", "OLDEST_PYTHON = (4, 0)"), encoding="utf-8")
    assert failure(job).startswith(f"The simulation needs Python 4.0 or newer; {sys.executable} is 3.")


@pytest.mark.skipif(not FilePath("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "write_work", lambda *_: FilePath("/dev/full").write_text("x", encoding="utf-8"))
    text = failure(job)
    assert "Cannot write the job into" in text and "No space left on device" in text and "Free some space" in text


def test_no_temporary_folder_is_told(job: Job, monkeypatch: pytest.MonkeyPatch, tmp_path: FilePath) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    assert re.match(r"Cannot make a temporary folder: \w.+\.$", failure(job))  # the system's own words


def test_a_job_with_a_value_that_is_no_number_is_refused(job: Job) -> None:
    assert "not a finite number: job.ground. Set it again." in failure(replace(job, ground=float("nan")))
    wind = Wind("Fan", "wind", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), ((0.0, 1.0),), power=float("inf"))
    said = failure(replace(job, world=World(winds=(wind,))))
    assert "not a finite number: job.world.winds[0].power (of 'Fan'). Set it again." in said


def test_libraries_are_found_without_importing_them() -> None:
    code = "import sys; from blender_biped.worker import library_folders as f; print(f(), 'pybullet' in sys.modules)"
    root = FilePath(worker.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("False")
    folders = library_folders()
    if folders:
        assert list(FilePath(folders[0]).glob("pybullet*"))
    else:
        pytest.skip("no PyBullet here")


def test_the_errors_are_the_users_own_kind() -> None:
    assert issubclass(CancelledError, WorkerError) and not issubclass(WorkerError, DataError)
