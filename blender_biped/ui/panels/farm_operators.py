"""Walks that are computed elsewhere: jobs of the scene into a folder, and their motions back."""

# Blender reads property definitions from the annotations, so they stay unquoted.

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty

from ...base.errors import BipedError, DataError
from ...batch.folder import JobOutcome
from ...batch.manifest import Exported, read_manifest, write_export
from ...company import Company
from ...job import Job
from ..base.chosen_file import chosen_file
from ..base.language import translated
from ..base.status import status
from ..job.mapping import character_object, characters
from ..job.runs import Run
from .bake_operators import Bake, read_run, read_runs

MOST = 10_000  # variations
_WELL = ("arrived", "passed")  # how a walk ends that is as it was set


class _InFolder:
    """What both operators share: the folder, which is chosen in a file browser."""

    directory: StringProperty(name="Folder", description="Where the jobs and their motions are", subtype="DIR_PATH")
    filter_folder: BoolProperty(default=True, options={"HIDDEN"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Let a folder be chosen."""
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    @property
    def folder(self) -> Path:
        """The folder that was chosen. Raises DataError."""
        return chosen_file(self.directory)


class BIPED_OT_export_jobs(_InFolder, bpy.types.Operator):
    """Writes the walks of the scene as jobs."""

    bl_idname = "biped.export_jobs"
    bl_label = "Export Jobs"
    bl_description = (
        "Write the walks of the scene as files that other computers can walk, into a folder: nothing of the scene but "
        "bodies, paths, styles and what is around them, and no path of this computer"
    )
    bl_options: ClassVar[set[str]] = {"REGISTER"}

    what: EnumProperty(
        name="Walks",
        description="Which walks are written",
        items=(
            ("ALL", "All Characters", "The walk of each character that has a path, as Bake All computes them"),
            ("VARIATIONS", "Variations", "The walk of the panel's character from starts that differ a little"),
        ),
    )
    count: IntProperty(name="Variations", description="How many of them are written", default=10, min=1, max=MOST)
    first_seed: IntProperty(
        name="First Seed", description="The number that the first one's start comes from; the next has the next one",
        default=1, min=1, max=2**30,
    )  # fmt: skip

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a character with a path."""
        return _ready(cls, context)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw what is chosen beside the folder."""
        self.layout.use_property_split = True
        self.layout.prop(self, "what")
        if self.what == "VARIATIONS":
            self.layout.prop(self, "count")
            self.layout.prop(self, "first_seed")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write them; what cannot be walked is said, and stops nothing."""
        try:
            works, wrong = self._works(context)
            if not works:
                raise DataError(" ".join(wrong))
            made = write_export(self.folder, works)
        except BipedError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        said = " ".join((f"{len(made)} walks written.", *wrong))
        status.end(said, "WARNING" if wrong else "INFO")
        self.report({"WARNING" if wrong else "INFO"}, translated(said))
        return {"FINISHED"}

    def _works(self, context: bpy.types.Context) -> tuple[list[tuple[Job | Company, list[Exported]]], list[str]]:
        """Return what is to be walked, each with its walks, and why some are not. Raises DataError."""
        if self.what == "ALL":
            runs = read_runs(context, characters(context.scene), {})
            return works_of(runs), [f"{run.name}: {run.error}" for run in runs if run.error]
        run = read_run(context, character_object(context))
        if run.request is None:
            raise DataError(run.error)
        job = run.request.job
        return [
            (replace(job, seed=self.first_seed + k), [Exported("", "", run.name, variation=k + 1)])
            for k in range(self.count)
        ], []


class BIPED_OT_import_motions(_InFolder, Bake, bpy.types.Operator):
    """Bakes motions that were computed elsewhere."""

    bl_idname = "biped.import_motions"
    bl_label = "Import Motions"
    bl_description = (
        "Bake the motions that have come back for the jobs of a folder that Export Jobs has written, each to its "
        "character by its name, and say what is missing"
    )

    variation: IntProperty(
        name="Variation",
        description="Which variation of a walk is baked, where there are several; 0 for the first that went well",
        default=0, min=0, max=MOST,
    )  # fmt: skip

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a character with a path."""
        return _ready(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Bake them, or say why there are none."""
        try:
            read_manifest(self.folder)
        except BipedError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        return super().execute(context)

    def queued(self, context: bpy.types.Context) -> list[Run]:
        """Return the walks that were exported, with what has come back. Raises DataError for no export."""
        folder = self.folder
        walks: dict[str, list[Exported]] = {}
        for walk in read_manifest(folder):
            walks.setdefault(walk.character, []).append(walk)
        armatures = {own.name: own for own in characters(context.scene)}
        runs = {run.name: run for run in read_runs(context, [armatures[n] for n in walks if n in armatures], {})}
        for name, several in walks.items():
            run = runs.setdefault(name, Run(name, 0, error="No character of this name has a path in this scene."))
            take(run, several, self.variation, folder)
        return [runs[name] for name in walks]


class BIPED_MT_farm(bpy.types.Menu):
    """What is done with walks that other computers walk."""

    bl_idname = "BIPED_MT_farm"
    bl_label = "Walks on Other Computers"

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw the menu."""
        self.layout.operator_context = "INVOKE_DEFAULT"
        self.layout.operator("biped.export_jobs", icon="EXPORT")
        self.layout.operator("biped.import_motions", icon="IMPORT")


def draw_farm(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    """Draw the menu in a menu of Blender's."""
    menu.layout.menu(BIPED_MT_farm.bl_idname)


def works_of(runs: Sequence[Run]) -> list[tuple[Job | Company, list[Exported]]]:
    """Return the jobs and companies of walks, each with what a manifest says of it; those with an error are left."""
    works: list[tuple[Job | Company, list[Exported]]] = []
    for run in runs:
        if run.request is None or run.error:
            continue
        if run.party is None:
            works.append((run.request.job, [Exported("", "", run.name)]))
        elif run is run.party.runs[0]:
            together = [Exported("", "", own.name, place) for place, own in enumerate(run.party.runs)]
            works.append((run.party.company, together))
    return works


def chosen(folder: Path, walks: Sequence[Exported], variation: int) -> Exported:
    """Return the walk of a character that is to be baked. Raises DataError where there is no such variation.

    variation: its number, where there are several; 0 for the first that went well, else the first that is there.
    """
    if len(walks) == 1:
        return walks[0]
    if variation:
        numbered = next((walk for walk in walks if walk.variation == variation), None)
        if numbered is None:
            raise DataError(f"There is no variation {variation}: there are {len(walks)}.")
        return numbered
    outcomes = [(walk, walk.outcome_in(folder)) for walk in walks]
    there = [(walk, own) for walk, own in outcomes if own.state == "walked"]
    well = [walk for walk, own in there if _went_well(walk, own)]
    return next(iter([*well, *(walk for walk, _ in there), *walks]))


def _went_well(walk: Exported, outcome: JobOutcome) -> bool:
    _, figures = outcome.motions[walk.place or 0]
    return figures.get("outcome") in _WELL and not figures.get("fallback")


def take(run: Run, walks: Sequence[Exported], variation: int, folder: Path) -> None:
    """Give a run the motion of a walk that was exported, with the job that it is of; what is wrong is its error.

    walks: those of its character. variation: see ``chosen``.
    """
    if run.request is None or run.error:
        return
    try:
        walk = chosen(folder, walks, variation)
        job, motion = walk.job_in(folder), walk.motion_in(folder)
        if motion.character != job.character:
            raise DataError("Its motion is of another body: export it again.")
        if not _same(job.character.as_json(), run.request.job.character.as_json()):
            raise DataError("Its body is another one than when it was exported: export it again.")
    except BipedError as error:
        run.error = str(error)
        return
    now = replace(run.request.job, seed=job.seed)
    changed = () if _same(now.as_json(), job.as_json()) else ("It was changed since: this is the walk as exported.",)
    run.request = replace(run.request, job=job, warnings=(*run.request.warnings, *changed))
    run.motion, run.party = motion, None


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return json.dumps(one) == json.dumps(other)


def _ready(cls: Any, context: bpy.types.Context) -> bool:
    """Return whether there is a character with a path; else give Blender the reason."""
    if status.work:
        cls.poll_message_set("A walk is being computed")
    elif not characters(context.scene):
        cls.poll_message_set("No character of the scene has a path: choose a curve, or press New Path")
    else:
        return True
    return False
