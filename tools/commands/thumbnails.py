# SPDX-License-Identifier: GPL-3.0-or-later
"""``python3 build.py thumbnails``: simulates each shipped style and draws a stride of it beside its preset.

    python -m tools.commands.thumbnails --help

Needed after a style was added or changed. The panel's menu shows them; they are packaged with the presets.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from blender_biped.base.errors import BipedError
from tools.base import command_table
from tools.pictures.thumbnails import chosen, drawn


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, or 2 when a style cannot be drawn or a file not written."""
    given = command_table.given("thumbnails", arguments)
    whole = 0
    try:
        for file, size in drawn(chosen(given.only), given.jobs):
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
