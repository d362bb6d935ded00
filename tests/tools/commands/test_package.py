# SPDX-License-Identifier: GPL-3.0-or-later
"""The zip that Blender installs."""

from __future__ import annotations

import functools
import hashlib
import json
import re
import shutil
import threading
import tomllib
import zipfile
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest.mock import ANY

import pytest

from tests.tools.setup.test_wheels import assert_valid_wheel
from tools.base.command_table import ROOT
from tools.commands import package
from tools.setup import wheels
from tools.setup.steps import SetupError

NAMES = [
    "pybullet_arm64-3.2.8-cp313-cp313-win_amd64.whl",
    "pybullet_arm64-3.2.8-cp311-cp311-win_amd64.whl",
]
SUFFIXES = {"windows-x64": ".pyd", "macos-arm64": "-darwin.so", "macos-x64": "-darwin.so", "linux-x64": "-linux-gnu.so"}


def own_manifest() -> str:
    return (package.PACKAGE / package.MANIFEST).read_text(encoding="utf-8")


@pytest.fixture(scope="module", params=wheels.PLATFORMS)
def on(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def kept(on: str) -> list[Path]:
    """Return a system's wheels, which packaging left, and setting up this one's."""
    there = {path.name for path in wheels.CACHE.glob("pybullet*.whl")}
    tags = {f"-cp{v.replace('.', '')}-{wheels.slim_platform(on, v)}.whl" for v in wheels.PLATFORMS[on]}
    if not all(any(name.endswith(tag) for name in there) for tag in tags):
        pytest.skip(f"no wheels for {on} in {wheels.CACHE.name}: 'python3 build.py package' puts them there")
    return package.collected(on)


@pytest.fixture(scope="module")
def zipped(on: str, kept: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return package.packed(tmp_path_factory.mktemp("dist"), on, kept)


def test_the_manifest_is_filled_in() -> None:
    before = tomllib.loads(own_manifest())
    after = tomllib.loads(package.filled_manifest(own_manifest(), "linux-x64", NAMES))
    assert after.pop("platforms") == ["linux-x64"]
    assert after.pop("wheels") == [f"./wheels/{name}" for name in sorted(NAMES)]
    assert after == before


def test_the_manifest_names_the_licences_of_all_that_is_in_the_zip() -> None:
    named = {name.removeprefix("SPDX:") for name in tomllib.loads(own_manifest())["license"]}
    assert named == {"GPL-3.0-or-later", "Zlib", "CC-BY-SA-4.0"}  # PyBullet's, and that of the table below
    table = ROOT / "blender_biped" / "motion" / "adult_gait.csv"
    assert "CC-BY-SA-4.0" in table.read_text(encoding="utf-8")


def test_a_manifest_without_tables_is_filled_in() -> None:
    assert tomllib.loads(package.filled_manifest('id = "x"\n', "linux-x64", [])) == {
        "id": "x", "platforms": ["linux-x64"], "wheels": [],
    }  # fmt: skip


def test_the_extension_and_the_project_have_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert tomllib.loads(own_manifest())["version"] == project["version"]


def test_the_zip_has_what_the_extension_needs_and_nothing_else(zipped: Path, on: str, kept: list[Path]) -> None:
    with zipfile.ZipFile(zipped) as archive:
        names = set(archive.namelist())
        assert archive.read("LICENSE").decode().split()[:3] == ["GNU", "GENERAL", "PUBLIC"]
        assert tomllib.loads(archive.read(package.MANIFEST).decode())["platforms"] == [on]
    assert {
        "__init__.py",
        "simulate.py",
        "worker_entry.py",
        "presets/generalized/default.json",
        "presets/transitions.json",
    } <= names
    assert {name for name in names if name.startswith("wheels/")} == {f"wheels/{wheel.name}" for wheel in kept}
    package_files = {f.relative_to(package.PACKAGE).as_posix() for f in package.PACKAGE.rglob("*.py")}
    assert {name for name in names if name.endswith(".py")} == package_files
    assert not [name for name in names if "test" in name.lower() or "__pycache__" in name or name.endswith(".pyc")]
    top = {name.partition("/")[0] for name in names if "/" in name}
    assert top == {folder.name for folder in package.PACKAGE.iterdir() if folder.is_dir()} - {"__pycache__"} | {
        "presets", "wheels", "docs",
    }  # fmt: skip
    assert {"docs/guide/index.md", "ui/translations/de_DE.json"} <= names
    assert zipped.name.endswith(f"-{on}.zip")
    assert zipped.stat().st_size < 10_000_000


def test_the_table_of_transitions_comes_with_the_presets() -> None:
    found = package.sources(ROOT / "presets", "presets/")
    assert {"presets/transitions.json", "presets/simbicon/walk.json"} <= set(found)


def test_its_wheels_are_valid(zipped: Path, kept: list[Path], tmp_path: Path) -> None:
    with zipfile.ZipFile(zipped) as archive:
        for wheel in kept:
            assert_valid_wheel(Path(archive.extract(f"wheels/{wheel.name}", tmp_path)))


def test_each_wheel_has_the_module_of_its_python_and_what_describes_it(on: str, kept: list[Path]) -> None:
    for version, wheel in zip(wheels.PLATFORMS[on], kept, strict=True):
        with zipfile.ZipFile(wheel) as archive:
            names = set(archive.namelist())
        (module,) = (name for name in names if "/" not in name)
        assert module.startswith("pybullet.")
        assert version.replace(".", "") in module
        assert module.endswith(SUFFIXES[on])
        assert {name.partition(".dist-info/")[2] for name in names - {module}} == {
            "METADATA", "RECORD", "WHEEL", "licenses/AUTHORS.txt", "licenses/LICENSE.txt", "top_level.txt",
        }  # fmt: skip


def test_blender_accepts_it(zipped: Path) -> None:
    package.validate(zipped)


def test_blender_refuses_a_manifest_that_breaks_its_rules(zipped: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(zipped) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    content[package.MANIFEST] = re.sub(rb'(?m)^version = ".*"', b'version = "first"', content[package.MANIFEST])
    wheels.write_zip(tmp_path / zipped.name, content)
    with pytest.raises(SetupError, match="version"):
        package.validate(tmp_path / zipped.name)


def test_the_same_sources_give_the_same_zip(zipped: Path, on: str, kept: list[Path], tmp_path: Path) -> None:
    assert package.packed(tmp_path, on, kept).read_bytes() == zipped.read_bytes()


def test_a_zip_that_is_too_big_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "MAX_SIZE", 1000)
    with pytest.raises(SetupError, match="must stay under"):
        package.packed(tmp_path, "linux-x64", [])


def test_one_systems_zip_can_be_had_alone(
    kept: list[Path], on: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert package.main(["--platform", on, "--out", str(tmp_path)]) == 0
    (path,) = tmp_path.glob("*.zip")
    said = capsys.readouterr().out
    assert f"{path} (" in said
    assert all(wheel.name in said for wheel in kept)
    with zipfile.ZipFile(path) as archive:
        named = sum(int(number) for number in re.findall(r"(\d+) (?:files|of presets|pages)", said))
        assert len(archive.namelist()) == named + len(kept) + len(["LICENSE"])
    (listed,) = json.loads((tmp_path / "index.json").read_text(encoding="utf-8"))["data"]
    assert (listed["platforms"], listed["python_versions"]) == ([on], list(wheels.PLATFORMS[on]))
    assert listed["archive_url"] == f"./{path.name}"
    assert listed["archive_hash"] == f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"


def test_two_versions_make_no_repository(zipped: Path, tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        shutil.copy(zipped, tmp_path / name)
    with pytest.raises(SetupError, match="other versions"):
        package.write_listing(tmp_path)


class Releases(SimpleHTTPRequestHandler):
    """Files as GitHub has them at releases: an address of the newest one leads on to that of its version."""

    def do_GET(self) -> None:
        if self.path.startswith("/latest/download/"):
            self.send_response(302)
            self.send_header("Location", self.path.replace("/latest/download/", "/download/v1/"))
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Return a folder that is offered as a release, and the address of the newest release's list."""
    folder = tmp_path / "server" / "download" / "v1"
    folder.mkdir(parents=True)
    handler = functools.partial(Releases, directory=str(tmp_path / "server"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield folder, f"http://127.0.0.1:{server.server_port}/latest/download/index.json"
        server.shutdown()


@pytest.mark.parametrize(("blender", "python"), [("4.2.0", "3.11.7"), ("5.2.0", "3.13.1")])
def test_blender_installs_it_from_the_address_of_the_newest_release(
    on: str, zipped: Path, address: tuple[Path, str], tmp_path: Path, blender: str, python: str
) -> None:
    if on != wheels.this_platform():
        pytest.skip("Blender takes its own system's")
    folder, url = address
    shutil.copy(zipped, folder)
    package.write_listing(folder)
    local = tmp_path / "repository"
    common = ["--remote-url", url, "--local-dir", str(local), "--timeout", "10"]
    assert package.extension_tool("sync", *common) == (0, ANY)
    versions = ["--blender-version", blender, "--python-version", python]
    code, said = package.extension_tool("install", *common, *versions, "biped_locomotion")
    assert code == 0, said
    manifest = tomllib.loads((local / "biped_locomotion" / package.MANIFEST).read_text(encoding="utf-8"))
    assert manifest["platforms"] == [on]
    assert all((local / "biped_locomotion" / wheel).is_file() for wheel in manifest["wheels"])


def test_all_systems_are_usual(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    wanted: list[str] = []

    def packed(out: Path, on: str, found: list[Path]) -> Path:
        wanted.append(on)
        (tmp_path / on).touch()
        return tmp_path / on

    monkeypatch.setattr(package, "collected", lambda on: [])
    monkeypatch.setattr(package, "packed", packed)
    monkeypatch.setattr(package, "validate", lambda path: None)
    monkeypatch.setattr(package, "write_listing", lambda folder: folder / "index.json")
    assert package.main([]) == 0
    assert wanted == list(wheels.PLATFORMS)


def test_a_wheel_that_is_refused_ends_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(on: str) -> list[Path]:
        raise SetupError("not what was locked")

    monkeypatch.setattr(package, "collected", refuse)
    assert package.main([]) == 1
    assert "package: not what was locked" in capsys.readouterr().err
