"""What Blender can be told on its command line, without a window or a file: to walk a folder of jobs, as farms do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy

from ...batch import command
from ..settings.preferences import worker_python

NAME = "biped_batch"
_registered: list[Any] = []


def walk_folder(arguments: Sequence[str]) -> int:
    """Walk the jobs of a folder in processes of the Python that the preferences have; return the exit code."""
    place = command.Place(*worker_python(bpy.context))
    try:
        return command.main(arguments, place, program=" ".join(("blender", "--background", "--command", NAME)))
    except SystemExit as end:  # of a command line that is not understood, or asks for help
        return int(end.code or 0)


def start() -> None:
    """Let Blender know the command."""
    _registered.append(bpy.utils.register_cli_command(NAME, walk_folder))


def stop() -> None:
    """Let Blender forget the command."""
    while _registered:
        bpy.utils.unregister_cli_command(_registered.pop())
