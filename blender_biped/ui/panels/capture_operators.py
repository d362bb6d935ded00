"""Make Style from Action, and Stabilise: walks are tried in processes of their own until one is as it shall be."""

# Blender reads property definitions from the annotations, so they stay unquoted.

import time
from typing import Any, ClassVar

import bpy
from bpy.props import StringProperty

from ...base.errors import BipedError
from ...character.reference import GRAVITY
from ...control.kind import Kind, Making
from ...control.registry import CAPTURING, POSING
from ...pool import cores
from ...preset.own import MAX_LABEL, checked_label, free_label
from ...worker import Worker
from ..bake.writing import find_armature
from ..base.language import translated
from ..base.status import Level, redraw, status
from ..base.styles import own_folder, styles
from ..job.captured import action_motion, action_of, posed_motion
from ..job.making import StyleWork
from ..job.mapping import character_object
from ..settings import menus
from ..settings.fields import load_sliders
from ..settings.preferences import worker_python
from ..settings.speed_rule import begin_style
from .following import Following
from .mapping_operators import armature_ready
from .style_operators import NO_FOLDER, kept_style

_LOOK = 0.1  # s between two looks at what is computed
_WAIT = 0.05  # s between two looks without a window


class MakingStyle(Following):
    """What the operators share that make a style: of what, and by which controller, is their own."""

    label: StringProperty(
        name="Name", description="The style's name; by default the action's", maxlen=MAX_LABEL, options={"SKIP_SAVE"}
    )

    _kind: ClassVar[Kind]
    _title: ClassVar[str]
    _missing: ClassVar[str]
    _work: StyleWork
    _label: str
    _armature: int
    _scene: int

    @classmethod
    def poll(cls: Any, context: bpy.types.Context) -> bool:
        """Return whether there is an armature with an action."""
        if not armature_ready(cls, context):
            return False
        if action_of(character_object(context)) is None:
            cls.poll_message_set(cls._missing)
            return False
        return True

    def _making(self, context: bpy.types.Context, armature: bpy.types.Object, name: str) -> Making:
        """Return what tries the walks. name: of the action. Raises BipedError that says what is missing."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Try the walks to the end, without a window or from a script."""
        if not self._begin(context):
            return {"CANCELLED"}
        manager = context.window_manager
        manager.progress_begin(0.0, 1.0)
        try:
            while not self._work.settled:
                self._work.advance()
                manager.progress_update(self._work.progress)
                time.sleep(_WAIT)
        finally:
            manager.progress_end()
            self._work.stop()
        return self._told(context)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Try the walks while Blender stays responsive."""
        if bpy.app.background:
            return self.execute(context)
        if not self._begin(context):
            return {"CANCELLED"}
        return self._follow(context, self._work, _LOOK)

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Look at the walks that are tried."""
        escaped = self._escaped(context, event)
        if escaped:
            self._work.cancel()
        elif event.type != "TIMER":
            return {"PASS_THROUGH"}
        try:
            self._work.advance()
            if self._work.settled:
                self._stop(context)
                return self._told(context)
        except Exception as error:  # else the panel would go on saying that a style is being made
            self._stop(context)
            status.end(f"The style could not be made ({error}). Nothing was changed; see the console.", "ERROR")
            raise
        return self._looked(escaped)

    def _begin(self, context: bpy.types.Context) -> bool:
        """Read the action and ask for the first walks; return whether that could be done, else say why not."""
        armature = character_object(context)
        self._timer, self._armature, self._scene = None, armature.session_uid, context.scene.session_uid
        action = action_of(armature)
        try:
            if own_folder() is None:
                raise BipedError(NO_FOLDER)
            name = action.name if action else ""
            self._label = free_label(checked_label(self.label or name.replace(":", " ")), self._known())
            making = self._making(context, armature, name)
        except BipedError as error:
            status.end(str(error), "ERROR", [armature.session_uid])
            self.report({"ERROR"}, translated(str(error)))
            return False
        python = worker_python(context)
        self._work = StyleWork(
            making, name, lambda job: Worker.start(job, *python), cores(), self._title.format(name=name)
        )
        return True

    def _stop(self, context: bpy.types.Context) -> None:
        """Leave no timer and no process."""
        super()._stop(context)
        self._work.stop()

    def _told(self, context: bpy.types.Context) -> set[str]:
        """Keep the style and choose it, or say why there is none."""
        level: Level = "INFO"
        made = False
        if self._work.cancelled:
            message = "The style was cancelled; nothing was changed."
        elif self._work.error:
            message, level = self._work.error, "ERROR"
        else:
            try:
                message, made = self._kept(context), True
            except (BipedError, OSError) as error:
                message, level = str(error), "ERROR"
        status.end(message, level, [self._armature])
        self.report({level}, translated(message))
        redraw()
        return {"FINISHED" if made else "CANCELLED"}

    def _kept(self, context: bpy.types.Context) -> str:
        """Write the style, choose it for the character, and return what there is to say of it. Raises BipedError."""
        armature = find_armature(context, self._armature, self._scene)
        style = kept_style(self._work.style(), free_label(self._label, self._known()))
        menus.forget()
        walk = armature.biped.walk
        walk.mix_with_name = ""
        walk.controller_name, walk.preset_name = style.controller, style.name
        load_sliders(walk)
        begin_style(walk)
        return f"Made the style {style.label}. {style.description}"

    def _known(self) -> list[Any]:
        return list(styles(self._kind.name).values())


class BIPED_OT_make_style(MakingStyle, bpy.types.Operator):
    """Makes a style of what the armature's action shows."""

    bl_idname = "biped.make_style"
    bl_label = "Make Style from Action"
    bl_description = (
        "Make a style of your own from the walk or run in the active action: two strides or more, or one "
        "cycle. Physics tries walks until one stays near it, for some minutes. Any character can walk "
        "the style"
    )
    bl_options: ClassVar[set[str]] = {"REGISTER", "UNDO"}

    _kind = CAPTURING
    _title = "Making a Style from {name}"
    _missing = "The armature has no action: choose one with a walk"

    def _making(self, context: bpy.types.Context, armature: bpy.types.Object, name: str) -> Making:
        motion = action_motion(context, armature)
        assert CAPTURING.making is not None
        return CAPTURING.making(motion, self._label, name, motion.character, GRAVITY)


class BIPED_OT_stabilise(MakingStyle, bpy.types.Operator):
    """Makes a style of the poses in the armature's action."""

    bl_idname = "biped.stabilise"
    bl_label = "Stabilise"
    bl_description = (
        "Make a style of your own from poses: the action's pose markers, or else its keyed frames, from "
        "one foot strike to the next. Physics tries walks until the poses keep their balance, for some "
        "minutes. The action stays"
    )
    bl_options: ClassVar[set[str]] = {"REGISTER", "UNDO"}

    _kind = POSING
    _title = "Stabilising {name}"
    _missing = "The armature has no action: key two poses of a step at least"

    def _making(self, context: bpy.types.Context, armature: bpy.types.Object, name: str) -> Making:
        motion = posed_motion(context, armature)
        assert POSING.stabilising is not None
        return POSING.stabilising(motion, self._label, name, motion.character, GRAVITY)
