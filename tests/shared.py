"""Files of ../shared: what others made and may not be handed on with the project. Tests that want them do without."""

from __future__ import annotations

from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "shared"
MISSING = "needs ../shared/"  # how the reason of a skip begins, before the folder in it


def shared(name: str) -> Path:
    """Return a file or folder, told from ../shared on; skip the test where it is missing."""
    if not (FOLDER / name).exists():
        pytest.skip(MISSING + name)
    return FOLDER / name


def rig_file(name: str) -> Path:
    """Return a file of one of the folders of rigs; skip the test where it is missing."""
    folder = "more-rigs" if (FOLDER / "more-rigs" / name).is_file() else "rigs"
    return shared(f"{folder}/{name}")
