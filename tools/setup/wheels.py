# SPDX-License-Identifier: GPL-3.0-or-later
"""Wheels of PyBullet with nothing but the module: found on the package index or built from source, then kept.

The wheel on the index is 100 MB of sample data and debug symbols around a module of 3 MB. The slim one is what the
extension ships, and what the tests run with. Standard library only.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from tools.setup.steps import SetupError, make_environment, pip, run

PROJECT = "pybullet"
CACHE = Path(__file__).resolve().parents[2] / ".cache" / "wheels"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the oldest time a zip can say: the same content gives the same file
_MODULE = re.compile(r"pybullet(\.[\w-]+)?\.(so|pyd)")
_ABOUT = re.compile(r"[^/]+\.dist-info/(METADATA|WHEEL|(licenses/)?(LICENSE|AUTHORS)[^/]*)")


def found(pip_python: Path, version: str, pins: Iterable[str], cache: Path = CACHE) -> Path | None:
    """Return the slim wheel for a Python version ("3.11") on this platform: kept, or from where pip looks; else None.

    pip_python: a Python that has pip. pins: PyBullet's own among them.
    """
    pin = _pin(pins)
    tag = "cp" + version.replace(".", "")
    kept = sorted(cache.glob(f"{pin.replace('==', '-')}-{tag}-{tag}-*.whl"))
    if kept:
        return kept[0]
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        try:
            run(
                pip(
                    pip_python, "download", "--no-deps", "--only-binary=:all:",
                    "--python-version", version, "--implementation", "cp", "--abi", tag,
                    *(f"--platform={name}" for name in platform_tags()), "-d", folder, pin,
                ),
                cache / f"download-{tag}.log",
                f"Looking for a wheel of {pin} for Python {version}",
            )  # fmt: skip
        except SetupError as error:
            if "No matching distribution found" not in str(error):
                raise
            return None
        return slimmed(next(Path(folder).glob("*.whl")), cache)


def built(python: str, version: str, pins: Iterable[str], cache: Path = CACHE) -> Path:
    """Return a slim wheel built from the source package with an interpreter of that version; keep it in ``cache``.

    Raises SetupError when there is no compiler, or the build fails.
    """
    pin = _pin(pins)
    _check_compiler(python, version)
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pip_python = make_environment(folder / "builder", python)
        # No debug symbols: they take time and nobody reads them. Where flags are given, setuptools leaves out Python's
        # own, optimisation with them: such a build simulates three times slower.
        flags = {name: f"{os.environ.get(name, '')} -O3 -DNDEBUG -g0".strip() for name in ("CFLAGS", "CXXFLAGS")}
        run(
            pip(pip_python, "wheel", "--no-deps", f"--no-binary={PROJECT}", "--verbose", "-w", folder, pin),
            cache / f"build-{version}.log",
            f"There is none: building {pin} for Python {version} from source, about 5 minutes on 2 cores, once",
            {**os.environ, **(flags if os.name == "posix" else {})},
        )
        return slimmed(next(folder.glob("*.whl")), cache)


def slimmed(wheel: Path, folder: Path) -> Path:
    """Write a wheel with the module and what describes it, without symbols, into ``folder``; return its path."""
    with zipfile.ZipFile(wheel) as source:
        names = source.namelist()
        content = {name: source.read(name) for name in names if _MODULE.fullmatch(name) or _ABOUT.fullmatch(name)}
    about = next(name.partition("/")[0] for name in content if name.endswith(".dist-info/WHEEL"))
    *project, python, abi, platforms = wheel.stem.split("-")
    tags = f"{python}-{abi}-{platforms.split('.')[-1]}"  # one tag: the plainest name that every reader understands
    for name in list(content):
        if _MODULE.fullmatch(name):
            content[name] = _stripped(content[name], Path(name).suffix)
    content[f"{about}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: biped\nRoot-Is-Purelib: false\nTag: {tags}\n".encode()
    content[f"{about}/top_level.txt"] = f"{PROJECT}\n".encode()
    content[f"{about}/RECORD"] = record(content, f"{about}/RECORD").encode()
    result = folder / f"{'-'.join(project)}-{tags}.whl"
    write_zip(result, content)
    return result


def record(content: Mapping[str, bytes], itself: str) -> str:
    """Return the RECORD of a wheel with this content: each file's path, hash and size; its own without the latter."""
    rows = []
    for name, data in sorted(content.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(data)}\n")
    return "".join(rows) + f"{itself},,\n"


def write_zip(path: Path, content: Mapping[str, bytes]) -> None:
    """Write a zip that depends on its content only; ``path`` changes when it is complete."""
    part = path.with_name(path.name + ".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for name, data in sorted(content.items()):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.endswith((".so", ".pyd")) else 0o644) << 16
            entry.create_system = 3  # Unix, whatever this one is
            target.writestr(entry, data)
    part.replace(path)


def platform_tags() -> list[str]:
    """Return the platform tags of wheels that fit this system, as pip takes them."""
    own = re.sub(r"[-.]", "_", sysconfig.get_platform())
    kind, _, machine = own.partition("_")
    many = [f"manylinux_2_28_{machine}", f"manylinux_2_17_{machine}", f"manylinux2014_{machine}"]
    return [*many, own] if kind == "linux" else [own]


def _pin(pins: Iterable[str]) -> str:
    return next(pin for pin in pins if pin.startswith(f"{PROJECT}=="))


def _stripped(module: bytes, suffix: str) -> bytes:
    """Return a module without debug symbols; as it is where there is no tool for that."""
    strip = shutil.which("strip")
    if suffix != ".so" or not strip:
        print(f"    No strip (binutils) for {suffix}: {PROJECT} stays as big as it is.", flush=True)
        return module
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "module.so"
        file.write_bytes(module)
        subprocess.run([strip, "-x" if sys.platform == "darwin" else "--strip-unneeded", str(file)], check=True)
        return file.read_bytes()


def _check_compiler(python: str, version: str) -> None:
    """Raise SetupError when this system cannot build a module for ``python``."""
    if os.name != "posix":
        return  # the build itself says what of Visual Studio is missing
    header = "import os, sysconfig; print(os.path.exists(os.path.join(sysconfig.get_path('include'), 'Python.h')))"
    has_header = subprocess.run([python, "-I", "-c", header], capture_output=True, text=True).stdout.strip() == "True"
    if shutil.which("c++") and has_header:
        return
    raise SetupError(
        f"There is no wheel of {PROJECT} for Python {version} here, and building it needs a C++ compiler and Python's "
        f"headers. Debian, Ubuntu: sudo apt install build-essential python{version}-dev; "
        f"Fedora: sudo dnf install gcc-c++ python{version}-devel; macOS: xcode-select --install."
    )
