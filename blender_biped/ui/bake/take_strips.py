"""Takes that are not kept, as NLA strips in muted tracks of their own: they wait there, and change nothing."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import bpy

from ...job import Job
from ...motion.motion import Motion
from ...motion.summary import Summary
from ..settings.kept_result import keep_summary
from .choices import shown
from .keyframes import bake_steps
from .layers import lay_muted
from .result import fall_frame
from .way_back import WayBack
from .writing import choices_for


def strip_steps(
    armature: Any, name: str, job: Job, motion: Motion, summary: Summary, back: WayBack
) -> Generator[float, None, None]:
    """Bake a walk to a muted NLA strip in small portions; yield the share that is done.

    name: of its action and track. What the armature plays stays as it is. back: notes how it is taken away again.
    Raises RigError or DataError as ``bake_steps`` and ``shown`` do.
    """
    own, start = WayBack(), armature.biped.walk.frame_start
    choices = replace(choices_for(armature, job), onto="ACTION")
    walk = shown(armature, motion, job, choices)
    with own.taken():
        baked = yield from bake_steps(armature, walk.motion, start, walk.root, choices, armature.biped.limbs, own)
        action = baked.action.copy()
    own.take()  # all as it was, but for the copy
    back.note(lambda: bpy.data.actions.remove(action))
    action.name = name
    keep_summary(action, summary, None if walk.cycle else fall_frame(summary, start, bpy.context.scene))
    lay_muted(armature, action, start, back)
