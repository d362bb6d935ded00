"""Which styles a user has marked with a star: a file beside the styles of one's own, the same for all scenes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from ...base.errors import DataError
from ...base.fields import Fields, load_json
from ...base.files import write_whole
from .styles import own_folder

_FILE = "favourites.json"
_VERSION = 1
NO_FOLDER = "Favourites can be kept only where Biped Locomotion is installed as an extension."


@cache
def favourites() -> frozenset[str]:
    """Return the keys of the styles that have a star, such as "natural/jog". A file that cannot be read has none."""
    file = _file()
    if file is None or not file.is_file():
        return frozenset()
    try:
        f = Fields(load_json(file), _FILE)
        f.version(_VERSION)
        return frozenset(own for own in f.items("styles", ()) if isinstance(own, str))
    except DataError as error:
        print(f"Biped Locomotion: {error}")
        return frozenset()


def mark(key: str, star: bool) -> None:
    """Give a style a star, or take it away. Raises DataError where that cannot be kept, OSError for the file."""
    file = _file()
    if file is None:
        raise DataError(NO_FOLDER)
    found = favourites() | {key} if star else favourites() - {key}
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, json.dumps({"version": _VERSION, "styles": sorted(found)}, indent=1).encode())
    favourites.cache_clear()


def forget() -> None:
    """Read them anew when they are needed next: another Blender may have written them."""
    favourites.cache_clear()


def _file() -> Path | None:
    folder = own_folder()
    return folder / _FILE if folder else None
