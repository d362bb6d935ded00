"""From the scene to a Job: what the panel's settings describe."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import bpy
import numpy as np

from ...base.errors import DataError
from ...character.armature import Armature
from ...character.body import build_character
from ...character.carrying import carried_since
from ...character.clearance import clearance_of
from ...character.mapping import UNSURE, RigMap
from ...character.model import Character
from ...control.registry import kind_of
from ...job import MAX_RAGDOLL, MAX_SPEED, Job
from ...motion.similarity import similarity
from ...strides import even, take_of
from ...world.doubled import doubled_back
from ...world.path import Path
from ..base.frames import check_frames
from ..base.reading import metres, read_armature, read_path, sole_height, stretch_of
from ..base.units import length_text
from ..settings.kept_mapping import rig_map_of
from ..settings.path_points import too_many
from ..settings.trying import tried
from .body_doubts import standing_doubts
from .fields_plan import with_fields
from .gait_plan import GaitPlan, first_style, planned
from .mapping import character_object, kept_doubts, loose_notes, mapping, skin_notes
from .mass import chosen_mass
from .mix_plan import MixPlan, mix_plan
from .pace import paced, within
from .path_state import path_trouble
from .points_plan import PointsPlan, cues_on_path, on_path, points_plan
from .prints_plan import desired_footholds
from .short_path import short_path
from .surroundings import in_scene

_TURNS = 5  # of a path that are named
_AHEAD = 20.0  # m that an adult without a path walks ahead
_RAGDOLL = 10.0  # s of an adult's fall after which a body is taken as it is, lying still or not


@dataclass(frozen=True)
class Request:
    """A job, and what the user should know about how the scene was read. warnings: what may not come as it is desired.

    found: the mapping, where the armature keeps none yet. settings: those of the walk that it was read with in place of
    the armature's own, by their names. Both are to be kept once the walk is written.
    """

    job: Job
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    found: RigMap | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


def read_request(
    context: bpy.types.Context,
    armature: bpy.types.Object | None = None,
    settings: Mapping[str, Any] = MappingProxyType({}),
    ahead: bool = False,
) -> Request:
    """Return the job that an armature's walk describes, by default the panel's.

    settings: of the walk, by their names, that count in place of the armature's own; these stay as they are.
    ahead: whether one without a path to be had walks straight ahead, and meets nothing.
    Raises DataError or RigError that says what is missing or unusable.
    """
    context.view_layer.update()
    armature = armature or character_object(context)
    if armature is None:
        raise DataError("There is no character: select an armature.")
    ahead = ahead and bool(path_trouble(armature, context.scene, context.view_layer))
    if not ahead:
        _path_object(context, armature)  # what is missing is reported first, before the bones are looked at
    unit = metres(context.scene)
    rig = read_armature(armature, unit)
    rig_map = mapping(armature, unit)
    character = build_character(rig, rig_map, chosen_mass(armature, unit))
    with tried(armature.biped.walk, settings):
        request = _ahead(context, armature, rig, character) if ahead else request_of(context, armature, rig, character)
    kept = rig_map_of(armature)
    carried = skin_notes(carried_since(kept.bones, rig_map.bones)) if kept else []
    loose = [*loose_notes(rig.skin)] if rig.skin else []
    doubts = kept_doubts(armature)
    hangs = standing_doubts(clearance_of(rig, rig_map, character), context.scene.unit_settings)
    unsure = kept is not None and kept.confidence < UNSURE
    return replace(
        request,
        notes=(*request.notes, *carried, *(() if unsure else doubts)),
        warnings=(*request.warnings, *hangs, *loose, *(doubts if unsure else ())),
        found=None if kept else rig_map,
        settings=settings,
    )


def request_of(context: bpy.types.Context, armature: bpy.types.Object, rig: Armature, character: Character) -> Request:
    """Return the job that the scene describes for a character that is known. Raises as ``read_request`` does."""
    bare, notes = bare_job(context, armature, rig, character)
    job, around = in_scene(context, bare, armature)
    left = job.path.length - job.start
    units = context.scene.unit_settings
    short = short_path(job.preset, job.speed, character, left, job.stop, job.gravity, units)
    turns, stuck = turns_text(job, units)
    return Request(job, tuple(filter(None, (*notes, *around, turns))), tuple(filter(None, (short, stuck))))


def _ahead(context: bpy.types.Context, armature: bpy.types.Object, rig: Armature, character: Character) -> Request:
    """Return the job of a character without a path: straight ahead, where there is nothing else."""
    return Request(*bare_job(context, armature, rig, character, Path([[0.0, 0.0], [_AHEAD * character.size, 0.0]])))


def turns_text(job: Job, units: bpy.types.UnitSettings) -> tuple[str, str]:
    """Return where a job's path doubles back within a step and it turns there, and where it cannot, and what to do.

    "" for nowhere.
    """
    kind = kind_of(job.preset.controller)
    if kind.controller is None:
        return "", ""
    turns = kind.turns_back(job)
    stuck = [place for place in doubled_back(job.path, job.start, job.character.size) if place not in turns]
    there, where = _places_text(turns, units), _places_text(stuck, units)
    return (
        f"The path doubles back {there} along it: the character stops there and turns." if turns else "",
        f"The path doubles back within a step, {where} along it: make the turn wider, or let the walk end there."
        if stuck
        else "",
    )


def _places_text(places: Sequence[float], units: bpy.types.UnitSettings) -> str:
    return ", ".join(length_text(place, units) for place in places[:_TURNS])


def bare_job(
    context: bpy.types.Context,
    armature: bpy.types.Object,
    rig: Armature,
    character: Character,
    way: Path | None = None,
) -> tuple[Job, tuple[str, ...]]:
    """Return the job that a character's settings describe, in an empty world, and notes. Raises as ``read_request``.

    way: in place of its curve.
    """
    scene = context.scene
    settings, unit = armature.biped.walk, metres(scene)
    check_frames(settings.frame_start, settings.frame_start)
    _check_finite(settings)
    if not 0.0 < settings.speed_mps <= MAX_SPEED:
        raise DataError(f"The speed is {settings.speed_mps:.4g} m/s; set one above 0, up to {MAX_SPEED:g}.")
    if wrong := too_many(settings.points):
        raise DataError(wrong)
    mix = mix_plan(scene, armature)
    style = mix.style
    drawn, notes = (way, []) if way is not None else _drawn(context, armature)
    points = points_plan(scene, armature, first_style(scene, armature, style), character, drawn.length)
    plan = _plan(scene, armature, mix, character, points)
    start = settings.start * unit if way is None else 0.0
    if start >= drawn.length:
        raise DataError(
            f"The start offset ({start:.2f} m) is not before the path's end ({drawn.length:.2f} m): make it smaller."
        )
    path = _without_stretch(drawn, armature)
    path.check_length(character.size)
    share = path.length / drawn.length
    along, cues = on_path(points.along, share), cues_on_path(plan.cues, share, points.sets_speeds)
    footholds, lost = desired_footholds(armature, scene, share, path.length) if way is None else ((), [])
    job = Job(
        character=character,
        path=path,
        preset=plan.first,
        speed=plan.speed,
        speeds=plan.speeds,
        start=share * start,
        stop=settings.stop,
        ground=sole_height(rig, character),
        duration=plan.duration,
        gravity=paced(armature.biped.pace, settings.speed_mps, character)[1],
        cues=cues,
        along=along,
        ending=plan.ending if settings.stop else (),
        facing=_facing(armature, settings) if kind_of(style.controller).can.face_aside else 0.0,
        step_width=settings.step_width_m if kind_of(style.controller).can.face_aside else 0.0,
        fall_back=settings.fall_back,
        footholds=footholds,
    )
    job = take_of(job, settings.take)
    if armature.biped.one_stride:
        job = even(job)
    if settings.ragdoll and kind_of(style.controller).controller is not None:
        job = with_ragdoll(job)
    return job, (*notes, *plan.notes, *points.notes(settings.points, scene), *lost)


def _drawn(context: bpy.types.Context, armature: bpy.types.Object) -> tuple[Path, list[str]]:
    """Return the path of a character's curve, and notes. Raises DataError."""
    settings, unit = armature.biped.walk, metres(context.scene)
    curve = _path_object(context, armature)
    return read_path(curve, context.evaluated_depsgraph_get(), unit, settings.reverse, settings.laps)


def with_ragdoll(job: Job) -> Job:
    """Return a job whose body, where it falls, is simulated on until it lies still."""
    return replace(job, ragdoll=min(_RAGDOLL * similarity(job).time, MAX_RAGDOLL))


def _check_finite(settings: bpy.types.PropertyGroup) -> None:
    """Raise DataError for a setting that is no number, as keys at no place make it."""
    for name in ("start", "facing", "step_width_m"):
        if not math.isfinite(getattr(settings, name)):
            label = settings.bl_rna.properties[name].name
            raise DataError(f"{label} is not a finite number: take its keys away, and set it again.")


def _path_object(context: bpy.types.Context, armature: bpy.types.Object) -> bpy.types.Object:
    """Return the curve to walk along. Raises DataError when none is chosen, or it is not to be had."""
    wrong = path_trouble(armature, context.scene, context.view_layer)
    if wrong:
        raise DataError(f"{wrong}.")
    curve: bpy.types.Object = armature.biped.walk.path
    return curve


def _plan(
    scene: bpy.types.Scene, armature: bpy.types.Object, mix: MixPlan, character: Character, points: PointsPlan
) -> GaitPlan:
    """Return the gaits and speeds of the walk. mix: the panel's style. points: what those along its path say.

    Raises DataError for a speed that is too high.
    """
    style = mix.style
    if kind_of(style.controller).can.change:
        plan = planned(scene, armature, style, character, points.cues, points.along)
    else:
        plan = GaitPlan(style, within(paced(armature.biped.pace, armature.biped.walk.speed_mps, character)[0]))
    return with_fields(plan, mix, scene, armature, character)


def _facing(armature: bpy.types.Object, settings: bpy.types.PropertyGroup) -> float:
    """Return where the character looks, rad to the left of where it goes, as it is simulated."""
    mirrored = np.linalg.det(stretch_of(armature)) < 0.0  # then it is shown the other way round
    return -settings.facing if mirrored else settings.facing


def _without_stretch(path: Path, armature: bpy.types.Object) -> Path:
    """Return a path as the character finds it in the world without its object's stretch."""
    stretch = stretch_of(armature)
    if np.array_equal(stretch, np.eye(3)):
        return path
    return Path(path.source @ np.linalg.inv(stretch[:2, :2]).T, path.closed, path.laps)
