"""The installed extension in a real Blender with a window. Pictures of it go to out/gui: look at them."""

from __future__ import annotations

import pytest

from tests.gui import real_blender


@pytest.mark.gui
def test_the_zip_works_in_a_real_blender() -> None:
    if not real_blender.TOOL.exists():
        pytest.skip(f"there is no {real_blender.TOOL}")
    zip_file = real_blender.newest_zip()
    if zip_file is None:
        pytest.skip("there is no zip in dist/: python3 build.py package")
    out = real_blender.ROOT / "out" / "gui"
    assert real_blender.wrongs(real_blender.try_out(zip_file, out), out) == []
