# SPDX-License-Identifier: GPL-3.0-or-later
"""``python3 build.py docs``: makes a site of the pages, and checks it.

    python -m tools.commands.docs --help

It needs no network and no server: open out/site/index.html. Films of the styles that were made once are shown again.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from blender_biped.base.errors import BipedError
from tools.base import command_table
from tools.docs import built, site
from tools.pictures.thumbnails import chosen, filmed

FILMS = command_table.ROOT / "out" / "films"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, or 2 when the site cannot be made or a link leads nowhere."""
    given = command_table.given("docs", arguments)
    try:
        if given.films:
            for film in filmed(chosen(()), FILMS, given.jobs):
                print(film, flush=True)
        site.build(given.out, FILMS)
    except (BipedError, site.SiteError, OSError) as error:
        print(f"docs: {error}", file=sys.stderr)
        return 2
    wrong = built.faults(given.out.resolve())
    print("\n".join(wrong), file=sys.stderr)
    pages = sum(1 for _ in given.out.rglob("*.html"))
    print(f"{pages} pages: {given.out / 'index.html'}" if not wrong else f"docs: {len(wrong)} links are wrong")
    return 2 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
