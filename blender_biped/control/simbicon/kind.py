"""SIMBICON, in space and in the sagittal plane, as it is known to all others."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ...base.errors import DataError
from ...character.planar import planar
from ...character.reference import GRAVITY
from ...job import Job
from ...preset.preset import RESEARCH, Preset, preset
from ...preset.transitions import RESTS
from ..kind import Can, Kind, Pauses
from ..shared.cues import GaitCue
from .settings import Gait, read_gait
from .stabilising import Stabilising
from .walk import Simbicon

STRAIGHT = 0.02  # m that the path of a planar walk may leave the line of its start, at reference size
_PAPER = "KangKang Yin, Kevin Loken, Michiel van de Panne: SIMBICON: Simple Biped Locomotion Control. SIGGRAPH 2007"


def _controller(job: Job, step: float) -> Simbicon:
    first, *others = _gaits(job)
    cues = [GaitCue(0.0, first, first.passes)]
    if first.passes:  # what is done once is followed by a walk, if nothing else
        usual = preset(job.preset.controller, RESTS)
        cues.append(GaitCue(0.0, read_gait(usual.values), 0, job.speed))
    lasting = cues[-1]
    for cue, gait in zip(job.cues, others, strict=False):
        cues.append(GaitCue(cue.time, gait, max(cue.steps, gait.passes), cue.speed, cue.place))
        if gait.passes:  # it walks on as before
            cues.append(GaitCue(cue.time, lasting.gait, 0, lasting.speed, cue.place))
        else:
            lasting = cues[-1]
    ending = others[len(job.cues) :]
    return Simbicon(job.character, cues, ending, GRAVITY, step, job.ground, job.facing, job.step_width)


def _gaits(job: Job) -> list[Gait]:
    """Return the gaits of a job: of its preset, its cues, its ending; the same one for equal presets.

    To go on in the same gait is no change.
    """
    known: list[tuple[Preset, Gait]] = []
    gaits = []
    for style in (job.preset, *(cue.preset for cue in job.cues), *job.ending):
        gait = next((gait for other, gait in known if other == style), None)
        if gait is None:
            gait = read_gait(style.values, style.keyed)
            known.append((style, gait))
        gaits.append(gait)
    return gaits


def in_plane(job: Job) -> Job:
    """Return a job at reference size for the planar version of its character.

    Raises DataError when it needs what leaves the plane: a bent path, or to face otherwise than along it.
    """
    path = job.path
    along = path.heading(job.start, 0.1)
    beside = (path.points - path.position(job.start)) @ (-np.sin(along), np.cos(along))
    if path.closed or float(np.abs(beside).max()) > STRAIGHT:
        raise DataError(
            "A planar gait cannot turn, and the path bends: choose a straight path, or a gait of another controller."
        )
    ways = {math.cos(gait.direction + job.facing) for gait in _gaits(job)}
    if max(ways) - min(ways) > 1e-6 or abs(abs(max(ways)) - 1.0) > 1e-6:
        raise DataError(
            "A planar body cannot turn: choose gaits that all go forward, or all backward, and face along the path."
        )
    return replace(job, character=planar(job.character))


SIMBICON = Kind(
    name="simbicon",
    label="SIMBICON",
    description="Moves from pose to pose and balances by foot placement: many gaits, with transitions between them "
    "(Yin, Loken and van de Panne 2007)",
    paper=_PAPER,
    settings=Gait,
    rate=240.0,
    can=Can(change=True, face_aside=True, wait=True),
    controller=_controller,
    stabilising=Stabilising,
    pauses=Pauses(off=0.8, rest=0.7),
)

PLANAR = Kind(
    name="planar",
    label="SIMBICON in 2D",
    description="The published gaits in a plane, for straight paths seen from the side: nothing sways or turns "
    "(Yin, Loken and van de Panne 2007, Table 1)",
    paper=_PAPER,
    settings=Gait,
    can=Can(change=True, plane=True, wait=True),
    controller=_controller,
    prepared=in_plane,
    shelf=RESEARCH,
)
