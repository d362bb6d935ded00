# SPDX-License-Identifier: GPL-3.0-or-later
"""``python3 build.py thumbnails``: simulates each shipped style and draws a stride of it beside its preset.

    python -m tools.commands.thumbnails --help

Needed after a style was added or changed. The panel's menu shows them; they are packaged with the presets.
With ``--films`` it draws a sheet of each style instead, by which people say which style they see.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from blender_biped.base.errors import BipedError
from tools.base import command_table
from tools.pictures import style_films
from tools.pictures.thumbnails import chosen, drawn


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, or 2 when a style cannot be drawn or a file not written."""
    given = command_table.given("thumbnails", arguments)
    whole = 0
    try:
        for file, size in _pictures(given):
            print(f"{file} ({size / 1e3:.1f} kB)", flush=True)
            whole += size
    except BipedError as error:
        print(f"thumbnails: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"thumbnails: {error}", file=sys.stderr)
        return 2
    print(f"{whole / 1e3:.0f} kB together")
    return 0


def _pictures(given: Any) -> Iterator[tuple[Path, int]]:
    """Draw what is meant; yield each file and its size, bytes."""
    styles = chosen(given.only)
    if given.films is None:
        yield from drawn(styles, given.jobs)
        return
    for file in style_films.filmed(style_films.tasks(styles, given.films, given.key), given.jobs):
        yield file, file.stat().st_size


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
