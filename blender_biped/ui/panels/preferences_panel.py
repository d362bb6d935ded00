"""The extension's preferences: the Python that runs the simulation, and a button that tries it."""

# Blender reads property definitions from the annotations, so they stay unquoted.

import time
from typing import Any

import bpy
from bpy.props import StringProperty

from ...base.errors import WorkerError
from ...character.standard import standard_character
from ...control.registry import DEFAULT, presets
from ...job import Job
from ...worker import Worker, library_folders
from ...world.path import Path
from ..base.language import translated
from ..base.status import Level
from ..settings.preferences import PACKAGE, worker_python
from .layout import paragraph

_WALK = 1.0  # s that are walked
_LOOK = 0.1  # s between two looks at it
PATIENCE = 60.0  # s until a program that is no such Python is given up


class _Trial:
    """A walk of a second with the chosen Python. Nothing of it is saved or undone."""

    def __init__(self) -> None:
        self.worker: Worker | None = None
        self.message = ""
        self.level: Level = "INFO"
        self._began = 0.0

    def begin(self, context: bpy.types.Context) -> None:
        """Start it."""
        self.message, self.level, self._began = "", "INFO", time.monotonic()
        job = Job(standard_character(), Path([[0.0, 0.0], [3.0, 0.0]]), presets(DEFAULT.name)[0], duration=_WALK)
        try:
            self.worker = Worker.ready(*worker_python(context))
            self.worker.begin(job, versions=True)
        except WorkerError as error:
            self._end(str(error), "ERROR")

    def advance(self) -> bool:
        """Look at it; return whether it goes on."""
        if self.worker is None:
            return False
        seconds = time.monotonic() - self._began
        if self.worker.poll().state == "running":
            if seconds > PATIENCE:
                self._end(f"It has not walked a second within {seconds:.0f} s: choose another Python.", "ERROR")
            return self.worker is not None
        try:
            motion = self.worker.result()
        except WorkerError as error:
            self._end(str(error), "ERROR")
            return False
        own = self.worker.versions
        names = [f"{label} {own[name]}" for label, name in _NAMES if own.get(name)]
        self._end(
            f"{', '.join(names)}: it works. It walks a second in {motion.cpu:.2f} s, and takes "
            f"{max(seconds - motion.cpu, 0.0):.1f} s to start.",
            "INFO",
        )
        return False

    def stop(self) -> None:
        """Leave no process."""
        if self.worker:
            self.worker.cancel()
        self.worker = None

    def forget(self) -> None:
        """Say nothing: another Python was chosen."""
        self.stop()
        self.message = ""

    def _end(self, message: str, level: Level) -> None:
        self.stop()
        self.message, self.level = message, level


_NAMES = (("Python", "python"), ("NumPy", "numpy"), ("PyBullet", "pybullet"))
trial = _Trial()


class BIPED_OT_test_python(bpy.types.Operator):
    """Walks for a second with the chosen Python."""

    bl_idname = "biped.test_python"
    bl_label = "Test"
    bl_description = (
        "Walk for a second with this Python, and show its version, those of NumPy and PyBullet, and the time"
    )
    bl_options = {"INTERNAL"}
    _timer: Any = None

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether none is being tried."""
        cls.poll_message_set("A Python is being tested")
        return trial.worker is None

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Try it to its end, without a window or from a script."""
        trial.begin(context)
        while trial.advance():
            time.sleep(_LOOK)
        return self._told()

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Try it while Blender stays responsive."""
        if bpy.app.background:
            return self.execute(context)
        trial.begin(context)
        if not trial.advance():
            return self._told()
        self._timer = context.window_manager.event_timer_add(_LOOK, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Look at it."""
        if event.type == "TIMER" and not trial.advance():
            self.cancel(context)
            return self._told()
        return {"PASS_THROUGH"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Leave no timer and no process, also when Blender ends the operator."""
        trial.stop()
        if self._timer:
            context.window_manager.event_timer_remove(self._timer)
        self._timer = None

    def _told(self) -> set[str]:
        for window in bpy.context.window_manager.windows:
            for area in window.screen.areas:
                if area.type == "PREFERENCES":
                    area.tag_redraw()
        wrong = trial.level == "ERROR"
        self.report({"WARNING" if wrong else "INFO"}, translated(trial.message))  # the preferences show it, too
        return {"CANCELLED" if wrong else "FINISHED"}


class BIPED_AP_preferences(bpy.types.AddonPreferences):
    """Preferences of the extension."""

    bl_idname = PACKAGE

    python: StringProperty(
        name="Python for the Worker",
        description="The Python interpreter that runs the simulation, with NumPy and PyBullet. "
        "Empty takes Blender's own with the PyBullet that comes with the extension",
        subtype="FILE_PATH",
        update=lambda _self, _context: trial.forget(),
    )

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the preferences."""
        layout = self.layout
        layout.use_property_split = True
        row = layout.row()
        row.prop(self, "python")
        row.operator("biped.test_python")
        if trial.message:
            icon = "ERROR" if trial.level == "ERROR" else "CHECKMARK"
            paragraph(layout.column(), context, trial.message, icon)
        elif self.python:
            layout.label(text="This Python needs NumPy and PyBullet installed", icon="INFO")
        elif not library_folders():
            layout.label(text="Blender's own Python has no PyBullet: choose one that has it", icon="ERROR")
