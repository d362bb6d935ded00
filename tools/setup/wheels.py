# SPDX-License-Identifier: GPL-3.0-or-later
"""Wheels of PyBullet with nothing but the module, for every system: downloaded by name, checked, slimmed, then kept.

A wheel on the index is 70 to 100 MB of sample data and debug symbols around a module of 3 MB. The slim one is what the
extension ships, and what the tests run with. Which wheels these are, with their sha256, is in pybullet-wheels.txt.
Standard library only, and the same on every system.
"""

from __future__ import annotations

import base64
import hashlib
import platform
import re
import struct
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from tools.setup.steps import SetupError, pip, run

PROJECT = "pybullet"  # the module; the name on the index begins with it
LOCK = Path(__file__).with_name("pybullet-wheels.txt")
CACHE = Path(__file__).resolve().parents[2] / ".cache" / "wheels"
# By the systems' names in Blender's manifests and Python's version: the platform in the wheel's name. Python 3.11 is
# that of Blender 4.2 to 5.0, 3.13 that of 5.1 on, which no longer runs on Intel Macs.
PLATFORMS: Mapping[str, Mapping[str, str]] = {
    "windows-x64": {"3.11": "win_amd64", "3.13": "win_amd64"},
    "macos-arm64": {"3.11": "macosx_10_9_universal2", "3.13": "macosx_14_0_arm64"},
    "macos-x64": {"3.11": "macosx_10_9_universal2"},
    "linux-x64": {"3.11": "manylinux_2_28_x86_64", "3.13": "manylinux_2_28_x86_64"},
}
# Of modules for both kinds of Mac the part for one is kept: its number in mach/machine.h, and the platform of a wheel
# with that part alone.
_PARTS = {"macos-arm64": (0x0100000C, "macosx_11_0_arm64"), "macos-x64": (0x01000007, "macosx_10_9_x86_64")}
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the oldest time a zip can say: the same content gives the same file
_MODULE = re.compile(r"pybullet(\.[\w-]+)?\.(so|pyd)")
_ABOUT = re.compile(r"[^/]+\.dist-info/(METADATA|WHEEL|(licenses/)?(LICENSE|AUTHORS)[^/]*)")


def requirement(lock: Path = LOCK) -> str:
    """Return the name on the index with the version that is locked, as pip takes it."""
    found = re.search(r"(?m)^[\w.-]+==[\w.]+", lock.read_text(encoding="utf-8"))
    assert found, "the file of locked wheels names its project"
    return found.group()


def slim_wheel(pip_python: Path, on: str, version: str, cache: Path = CACHE, lock: Path = LOCK) -> Path:
    """Return the slim wheel for a system and a Python version ("3.11"): kept, else downloaded and checked.

    pip_python: a Python that has pip; it may run on another system. on: a name of PLATFORMS. lock: what pip reads, with
    the sha256 of every wheel that may be taken. Raises SetupError when there is none, when it cannot be had, and when
    it is not what was locked.
    """
    if version not in PLATFORMS.get(on, {}):
        there = "; ".join(f"{name} with Python {' and '.join(found)}" for name, found in PLATFORMS.items())
        raise SetupError(f"There is no wheel of PyBullet for {on} with Python {version}. There are: {there}.")
    pin, tag = requirement(lock), "cp" + version.replace(".", "")
    kept = cache / f"{pin.replace('-', '_').replace('==', '-')}-{tag}-{tag}-{slim_platform(on, version)}.whl"
    if kept.exists():
        return kept
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        run(
            pip(
                pip_python, "download", "--no-deps", "--only-binary=:all:", "--require-hashes", "--python-version",
                version, "--implementation", "cp", "--abi", tag, "--platform", PLATFORMS[on][version],
                "-d", folder, "-r", lock,
            ),
            cache / f"download-{on}-{tag}.log",
            f"Downloading PyBullet for {on}, Python {version} ({pin}, up to 100 MB)",
        )  # fmt: skip
        slim = slimmed(next(Path(folder).glob("*.whl")), cache, on)
    assert slim == kept, f"{slim.name} is named {kept.name}"
    return kept


def slim_platform(on: str, version: str) -> str:
    """Return the platform in the name of the slim wheel for a system, by its name, and a Python version."""
    return _own_part(PLATFORMS[on][version], on)


def slimmed(wheel: Path, folder: Path, on: str) -> Path:
    """Write a wheel with the module and what describes it, without symbols, into ``folder``; return its path.

    on: the system that it is for, by its name.
    """
    with zipfile.ZipFile(wheel) as source:
        names = source.namelist()
        content = {name: source.read(name) for name in names if _MODULE.fullmatch(name) or _ABOUT.fullmatch(name)}
    about = next(name.partition("/")[0] for name in content if name.endswith(".dist-info/WHEEL"))
    *project, python, abi, platforms = wheel.stem.split("-")
    # One tag: the plainest name that every reader understands.
    tags = f"{python}-{abi}-{_own_part(platforms.split('.')[-1], on)}"
    for name in list(content):
        if _MODULE.fullmatch(name):
            content[name] = loaded_part(own_part(content[name], on))
    content[f"{about}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: biped\nRoot-Is-Purelib: false\nTag: {tags}\n".encode()
    content[f"{about}/top_level.txt"] = f"{PROJECT}\n".encode()
    content[f"{about}/RECORD"] = record(content, f"{about}/RECORD").encode()
    result = folder / f"{'-'.join(project)}-{tags}.whl"
    write_zip(result, content)
    return result


def _own_part(tag: str, on: str) -> str:
    """Return a platform without what it says of other processors."""
    return _PARTS[on][1] if tag.endswith("_universal2") else tag


def own_part(module: bytes, on: str) -> bytes:
    """Return the part of a universal Mach-O module for a system; others as they are.

    Each part is a module with a signature of its own, which stays (mach-o/fat.h; ``lipo -thin`` does the same).
    """
    if module[:4] != b"\xca\xfe\xba\xbe" or on not in _PARTS:
        return module
    (count,) = struct.unpack_from(">I", module, 4)
    parts = [struct.unpack_from(">IIIII", module, 8 + 20 * k) for k in range(count)]
    ((offset, size),) = ((offset, size) for kind, _, offset, size, _ in parts if kind == _PARTS[on][0])
    return module[offset : offset + size]


def loaded_part(module: bytes) -> bytes:
    """Return a module up to where the last part ends that a program loads, when it is an ELF one; others as they are.

    Debug symbols and the table of sections, of which a loader reads neither, come last in an ELF file (System V ABI,
    chapter 4). So no tool of the system is needed. A Mach-O module is signed, and a Windows one has its symbols apart.
    """
    if module[:6] != b"\x7fELF\x02\x01":  # 64 bits, least byte first
        return module
    (at,) = struct.unpack_from("<Q", module, 0x20)
    size, count = struct.unpack_from("<HH", module, 0x36)
    entries = [struct.unpack_from("<IIQQQQ", module, at + k * size) for k in range(count)]
    end = max(at + count * size, *(offset + length for _, _, offset, _, _, length in entries))
    header = bytearray(module[:end])
    struct.pack_into("<Q", header, 0x28, 0)  # no table of sections,
    struct.pack_into("<HH", header, 0x3C, 0, 0)  # none in it, and no names of them
    return bytes(header)


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


def this_platform() -> str:
    """Return this system's name as Blender's manifests have it, such as linux-x64."""
    system, machine = platform.system().lower(), platform.machine().lower()
    systems = {"darwin": "macos"}
    machines = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}
    return f"{systems.get(system, system)}-{machines.get(machine, machine)}"
