"""The user's own characters."""

from __future__ import annotations

from tools.scene.characters import free_name


def test_names_of_own_characters_fit_files_and_differ() -> None:
    assert free_name("My Rig/1", ()) == "My-Rig-1"
    assert free_name("heavy", ("heavy", "heavy-2")) == "heavy-3"
    assert free_name("../..", ()) == "character"
