"""Walks that are simulated in one world, where their bodies touch: which of the scene's they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ...base.errors import BipedError
from ...company import Companion, Company, can_bump, check_company
from ...control.registry import kind_in
from ..base.reading import frame_rate, stretch_of
from ..settings.fields import kind_chosen
from .mapping import characters
from .request import with_ragdoll
from .runs import Party, Run


def bumps(armature: Any) -> bool:
    """Return whether an armature's walks can be simulated with others'."""
    kind = kind_chosen(armature.biped.walk)
    return kind is not None and can_bump(kind)


def companions_of(scene: bpy.types.Scene, armature: Any) -> list[Any]:
    """Return all characters whose walks are simulated with that of an armature, and this; none where it walks alone."""
    if armature is None or not (scene.biped.bump and bumps(armature)):
        return []
    return [own for own in characters(scene) if bumps(own)]


def joined(scene: bpy.types.Scene, runs: Sequence[Run]) -> None:
    """Let walks that can bump into each other, two or more, be simulated together, where the scene says so.

    Each says with whom it is, or that it walks alone; who falls lies as a ragdoll. What makes it impossible is the
    error of all of them.
    """
    if not scene.biped.bump or len(runs) < 2:
        return
    able = []
    for run in runs:
        if run.request is None:
            continue
        kind = kind_in(run.request.job)
        if can_bump(kind):
            able.append(run)
        else:
            _say(run, f"It bumps into nobody: {kind.label} is not simulated in space.")
    if len(able) < 2:
        return
    armatures = {own.session_uid: own for own in characters(scene)}
    for run in able:
        assert run.request
        run.request = replace(run.request, job=with_ragdoll(run.request.job))
        _say(run, f"It was simulated in one world with {', '.join(own.name for own in able if own is not run)}.")
    party = Party(tuple(able), _company(scene, able, armatures))
    wrong = _wrong(party.company, [armatures[run.armature] for run in able])
    for run in able:
        if wrong:
            run.error = wrong
        else:
            run.party = party


def _company(scene: bpy.types.Scene, runs: Sequence[Run], armatures: dict[int, Any]) -> Company:
    """Return walks as a company, whose time 0 is the first one's start frame."""
    frames = [armatures[run.armature].biped.walk.frame_start for run in runs]
    rate, first = frame_rate(scene), min(frames)
    return Company(
        tuple(
            Companion(run.request.job, (frame - first) / rate)
            for run, frame in zip(runs, frames, strict=True)
            if run.request
        )
    )


def _wrong(company: Company, armatures: Sequence[Any]) -> str:
    """Return why walks cannot be simulated together, "" where they can."""
    for own in armatures:
        if not np.array_equal(stretch_of(own), np.eye(3)):
            return (
                f"{own.name!r} is scaled unevenly or mirrored, and cannot bump into others: apply its scale in Object "
                "mode (Ctrl A, Scale)."
            )
    try:
        check_company(company)
    except BipedError as error:
        return str(error)
    return ""


def _say(run: Run, note: str) -> None:
    assert run.request
    run.request = replace(run.request, notes=(*run.request.notes, note))
