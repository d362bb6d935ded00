# SPDX-License-Identifier: GPL-3.0-or-later
"""What the worker process runs: loads the package from its folder, waits for a job, and simulates it.

``python -I worker_entry.py FOLDER... JOB MOTION``. As soon as a line comes on standard input (see ``worker``) it does
what the command line of ``simulate`` does, and where the line says so once more at the next one. Standard input stays
open as long as somebody waits for the motion: at its end the process ends, too, and the folder that the line names goes
with it. Isolated mode ignores PYTHONPATH, so the folders that hold PyBullet come as arguments. The package is loaded
under its plain name whatever its folder is called: installed as an extension it is ``biped_locomotion``, and its
neighbours there must not become importable.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import select
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Any, NoReturn

NAME = "blender_biped"
OWNER = "owner"  # see base.temporary
OLDEST_PYTHON = (3, 11)
LIBRARIES = ("numpy", "pybullet")
_LOOK = 0.5  # s between two looks whether somebody still waits for the motion
_PATIENCE = 5.0  # s in which files that are open are closed: Windows removes none that is
_BROKEN_PIPE = 109  # ERROR_BROKEN_PIPE of Windows


def fail(message: str) -> NoReturn:
    """Say what is wrong in the worker's protocol and end."""
    print(json.dumps({"type": "error", "message": message}), flush=True)
    raise SystemExit(1)


def load_package(folder: Path) -> None:
    """Make the package in ``folder`` importable as NAME."""
    spec = importlib.util.spec_from_file_location(
        NAME, str(folder / "__init__.py"), submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None:
        fail(f"The extension's folder {folder} is not complete: install the extension again.")
    package = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = package
    spec.loader.exec_module(package)


def find_libraries(folders: list[str]) -> None:
    """Look for libraries in folders, too; on a Windows without the runtime of C++ also for that."""
    sys.path += folders
    if sys.platform == "win32" and not has_cpp_runtime():  # where there is one it may be newer
        for folder in folders:
            with contextlib.suppress(OSError):  # one that is not there
                os.add_dll_directory(folder)


def has_cpp_runtime() -> bool:
    """Return whether Windows finds the runtime of C++ that PyBullet's module loads; True elsewhere."""
    if sys.platform == "win32":
        import ctypes

        try:
            ctypes.WinDLL("msvcp140.dll")
        except OSError:
            return False
    return True


def load_numpy(arguments: list[str]) -> None:
    """Load numpy so that it counts alike on many processors. Starts this script again, with ``arguments``, if need be.

    Some Linux systems build numpy for the processor at hand: with AVX-512 everywhere, it refuses to do without,
    and then it cannot be loaded again in the same process.
    """
    arithmetic = importlib.import_module(NAME + ".base.arithmetic")
    arithmetic.make_reproducible()
    try:
        importlib.import_module("numpy")
    except RuntimeError:
        if os.name != "posix" or not os.environ.get(arithmetic.DISABLED):
            raise
        os.environ[arithmetic.DISABLED] = ""
        os.execv(sys.executable, [sys.executable, "-I", __file__, *arguments])


def order() -> dict[str, Any] | None:
    """Wait for the line that says that the job is there, and return it; None when there will be no job."""
    line = sys.stdin.buffer.readline()
    found: dict[str, Any] | None = json.loads(line) if line else None
    return found


def versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries by their names, as their packages say."""
    import importlib.metadata as metadata

    found = {"python": sys.version.split()[0]}
    packages = metadata.packages_distributions()  # PyBullet's module has no version, and its package several names
    for library in LIBRARIES:
        own = getattr(sys.modules.get(library), "__version__", "")
        names = packages.get(library)
        found[library] = own or (metadata.version(names[0]) if names else "")
    return found


class InputWatch(threading.Thread):
    """Ends this process when standard input has come to its end, and removes a folder ("" for none)."""

    def __init__(self, folder: str) -> None:
        super().__init__(daemon=True)
        self._folder = folder
        self._over = threading.Event()

    def run(self) -> None:
        """Look until ``stop``."""
        while not self._over.wait(_LOOK):
            if input_has_ended():
                remove(self._folder)
                os._exit(1)

    def stop(self) -> None:
        """Look for the last time: the end of the other process may be why this one's walk has ended."""
        self._over.set()
        self.join()
        if input_has_ended():
            remove(self._folder)


def input_has_ended() -> bool:
    """Return whether nobody holds the other end of standard input any more. Does not wait."""
    if sys.platform == "win32":
        import ctypes
        import msvcrt

        system = ctypes.WinDLL("kernel32", use_last_error=True)
        pipe = ctypes.c_void_p(msvcrt.get_osfhandle(0))
        looked = system.PeekNamedPipe(pipe, None, 0, None, None, None)
        return not looked and ctypes.get_last_error() == _BROKEN_PIPE
    return bool(select.select([0], [], [], 0.0)[0]) and not os.read(0, 1)


def remove(folder: str) -> None:
    """Remove a folder with what is in it, as soon as nothing in it is open; nothing for ""."""
    until = time.monotonic() + _PATIENCE
    while folder and os.path.isdir(folder) and time.monotonic() < until:
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(0.02)


def leave(folder: str) -> None:
    """Remove a temporary folder in which nothing was written, but the file that its maker held; no other one."""
    with contextlib.suppress(OSError):  # where there is more in it, or it is gone
        if os.listdir(folder) == [OWNER]:
            os.unlink(os.path.join(folder, OWNER))
        os.rmdir(folder)


def walk(simulation: Any, ordered: dict[str, Any], files: list[str]) -> int:
    """Simulate the job in ``files`` as a line has ordered it; return the exit code."""
    if ordered["versions"]:
        print(json.dumps({"type": "versions", **versions()}), flush=True)
    own = [str(Path(files[1]).parent)] if ordered["parts"] else []
    watch = InputWatch(ordered["folder"])
    watch.start()
    try:
        code: int = simulation.main([*files, *own], ordered["tables"], ordered["work"])
    finally:
        watch.stop()
    return code


def main(folders: list[str], files: list[str]) -> int:
    """Simulate the job in ``files``; return the exit code. folders: of libraries that Python itself has not."""
    if sys.version_info < OLDEST_PYTHON:
        fail(
            "The simulation needs Python {}.{} or newer; {} is {}.{}.".format(
                *OLDEST_PYTHON, sys.executable, *sys.version_info[:2]
            )
        )
    find_libraries(folders)
    load_package(Path(__file__).resolve().parent)
    try:
        load_numpy(folders + files)
        simulation = importlib.import_module(NAME + ".simulate")
        ordered = order()
        if ordered is None:
            leave(os.path.dirname(files[1]))
            return 0
        code = walk(simulation, ordered, files)
        while ordered["kept"]:
            print(json.dumps({"type": "ready"}), flush=True)
            following = order()
            if following is None:
                remove(ordered["folder"])
                break
            ordered = following
            code = walk(simulation, ordered, files)
    except ImportError as error:
        library = (error.name or "").partition(".")[0]
        if library not in LIBRARIES:
            raise
        why = str(error).rstrip(".")  # Windows' own words end with one
        fail(
            f"{sys.executable} (Python {sys.version_info[0]}.{sys.version_info[1]}) cannot load {library}: {why}. "
            "Install it there, or choose another Python for the worker in the extension's preferences."
        )
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:-2], sys.argv[-2:]))
