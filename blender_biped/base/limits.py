"""How much a file may hold: what is beyond is a mistake or an attack, and is refused before it costs time or memory."""

from __future__ import annotations

MAX_BYTES = 64 * 2**20
"""Of a JSON file: a job with a path and tracks of the most rows takes a third of that."""

MAX_MOTION_BYTES = 2**31
"""Of a motion's file, unpacked: an hour's walk of an adult takes a fifth of that."""

MAX_CLIP_BYTES = 2**28
"""Of a BVH file: an hour of capture with sixty joints takes about so much."""

MAX_ROWS = 100_000
"""Of a list of plain values or rows of numbers, such as a path's points."""

MAX_FIELDS = 1_000
"""Of an object."""

MAX_OBJECTS = 100
"""Of a list of objects, such as links, or the states of a gait. There are lists of these in lists of others."""

MAX_EVENTS = 1_000
"""Of what happens along a walk: pushes, changes of gait."""

MAX_DURATION = 3600.0
"""Of a walk, s, and of what changes along it: from then on nothing changes any more."""

MAX_QUOTED = 60
"""Characters of a wrong value that a message quotes."""

MAX_NAME = 120
"""Characters of a name that a message quotes: Blender's own have up to 63, and longer ones in its newest versions."""

MAX_MESSAGE = 1_000
"""Characters of a message: more cannot be read in a status bar or a panel."""

MAX_COMPANIONS = 8
"""Of characters in one world."""
