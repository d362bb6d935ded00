"""Right-click > Online Manual leads to a page that is there, for each of our buttons and settings."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator
from typing import Any
from urllib.request import url2pathname

import pytest

from blender_biped.ui import manual, registration
from tests.blender.scenes import registered


@pytest.fixture(autouse=True, scope="module")
def scene(factory_settings: None) -> Iterator[Any]:
    """One scene for all of these tests: they change nothing in it."""
    yield from registered()


def found(name: str) -> str:
    """Return the page that Blender finds for a name."""
    return next((page for pattern, page in manual.pages()[1] if fnmatch.fnmatchcase(name.lower(), pattern)), "")


@pytest.mark.parametrize("cls", registration.CLASSES, ids=lambda cls: cls.__name__)
def test_everything_of_ours_has_a_page(cls: Any) -> None:
    own = f"bpy.ops.{cls.bl_idname}" if "_OT_" in cls.__name__ else f"bpy.types.{cls.__name__}"
    assert found(own)


@pytest.mark.parametrize("page", sorted({page for _, page in manual.pages()[1]}))
def test_the_pages_are_there(page: str) -> None:
    prefix, _ = manual.pages()
    assert prefix.startswith("file://") and prefix.endswith("/docs/")
    assert (manual.folder() / page).is_file()
    assert url2pathname(prefix.removeprefix("file://")).rstrip("/") == str(manual.folder())


def test_the_first_pattern_that_fits_counts() -> None:
    assert found("bpy.ops.biped.map_bones") == "rigs.md"
    assert found("bpy.types.BIPED_PG_fields_klaw.attributes_lean") == "controllers/klaw.md"
    assert found("bpy.types.BIPED_PG_walk.speed_mps") == "guide/index.md"
    assert found("bpy.ops.biped.make_style") == "guide/style-from-an-action.md"
    assert found("bpy.ops.biped.add_target") == "guide/carry.md"
    assert found("bpy.types.BIPED_PG_character.shoulders") == "guide/spine-and-shoulders.md"
