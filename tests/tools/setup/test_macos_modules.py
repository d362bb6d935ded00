# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules in macOS' zips, by their headers: machines, signature, and what they take from the system."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.tools.setup.macho import Slice, slices
from tools.commands import package
from tools.setup import wheels

MACHINES = {"macos-arm64": "arm64", "macos-x64": "x86_64"}
FRAMEWORKS = "/System/Library/Frameworks/"
# Those that it links itself: the C and C++ libraries, Cocoa and OpenGL.
OWN = {
    "/usr/lib/libSystem.B.dylib",
    "/usr/lib/libc++.1.dylib",
    f"{FRAMEWORKS}Cocoa.framework/Versions/A/Cocoa",
    f"{FRAMEWORKS}OpenGL.framework/Versions/A/OpenGL",
}
# What Cocoa is made of: the linker names the parts that symbols are from.
COCOA = {
    "/usr/lib/libobjc.A.dylib",
    f"{FRAMEWORKS}AppKit.framework/Versions/C/AppKit",
    f"{FRAMEWORKS}ApplicationServices.framework/Versions/A/ApplicationServices",
    f"{FRAMEWORKS}CoreFoundation.framework/Versions/A/CoreFoundation",
    f"{FRAMEWORKS}CoreGraphics.framework/Versions/A/CoreGraphics",
    f"{FRAMEWORKS}Foundation.framework/Versions/C/Foundation",
}
CASES = [(on, version) for on in MACHINES for version in wheels.PLATFORMS[on]]


@pytest.fixture(scope="module")
def zips(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return macOS' zips, made from the wheels that packaging left."""
    names = {wheels.slim_platform(on, version) for on, version in CASES}
    kept = [wheel for wheel in wheels.CACHE.glob("pybullet*.whl") if any(name in wheel.name for name in names)]
    if len(kept) < len(names):
        pytest.skip(f"no wheels for macOS in {wheels.CACHE.name}: 'python3 build.py package' puts them there")
    folder = tmp_path_factory.mktemp("dist")
    return {on: package.packed(folder, on, package.collected(on)) for on in MACHINES}


def module(zips: dict[str, Path], on: str, version: str) -> bytes:
    """Return the file of PyBullet in a system's zip for a Python."""
    with zipfile.ZipFile(zips[on]) as outer:
        name = next(name for name in outer.namelist() if f"-cp{version.replace('.', '')}-" in name)
        with outer.open(name) as file, zipfile.ZipFile(file) as wheel:
            return wheel.read(next(name for name in wheel.namelist() if name.endswith(".so")))


def own_slice(zips: dict[str, Path], on: str, version: str) -> Slice:
    return slices(module(zips, on, version))[MACHINES[on]]


@pytest.mark.parametrize(("on", "version"), CASES)
def test_it_has_the_slice_of_its_machine_alone(zips: dict[str, Path], on: str, version: str) -> None:
    assert set(slices(module(zips, on, version))) == {MACHINES[on]}


@pytest.mark.parametrize("version", wheels.PLATFORMS["macos-arm64"])
def test_its_signature_is_kept_and_holds(zips: dict[str, Path], version: str) -> None:
    """Macs with arm64 refuse a module without; Intel ones do not ask for it."""
    signed = own_slice(zips, "macos-arm64", version)
    assert signed.is_intact()
    middle = len(signed.data) // 2
    changed = signed.data[:middle] + bytes([signed.data[middle] ^ 1]) + signed.data[middle + 1 :]
    assert not slices(changed)["arm64"].is_intact()


@pytest.mark.parametrize(("on", "version"), CASES)
def test_it_takes_from_outside_what_every_macos_has(zips: dict[str, Path], on: str, version: str) -> None:
    one = own_slice(zips, on, version)
    assert set(one.libraries) >= OWN
    assert set(one.libraries) <= OWN | COCOA
    assert set(one.undefined.values()) <= {*one.libraries, ""}
    assert len(one.undefined) > 300


@pytest.mark.parametrize(("on", "version"), CASES)
def test_what_no_library_is_named_for_is_pythons(zips: dict[str, Path], on: str, version: str) -> None:
    """One is not: the call of Objective-C's methods, of a library that is loaded."""
    loose = {name for name, library in own_slice(zips, on, version).undefined.items() if not library}
    assert {name for name in loose if not name.startswith(("_Py", "__Py"))} <= {"_objc_msgSend"}
    assert "_PyModule_Create2" in loose
