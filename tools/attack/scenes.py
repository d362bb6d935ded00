# SPDX-License-Identifier: GPL-3.0-or-later
"""Attacks in Blender: crafted values and odd scenes, with all buttons pressed; mischief while a walk is computed.

Needs bpy. A button that refuses must say why in a message, and leave the scene as it was.
"""

from __future__ import annotations

import math
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import bpy

import blender_biped
from blender_biped.base.errors import WorkerError
from blender_biped.job import Job
from blender_biped.motion.motion import Motion, joined
from blender_biped.motion.watch import Watch
from blender_biped.simulate import simulate
from blender_biped.ui.base.status import status
from blender_biped.ui.panels import bake_operators
from blender_biped.ui.settings.preferences import worker_python
from blender_biped.ui.view import preview
from blender_biped.worker import Status, Worker
from tools.attack.readers import WALKED, broken
from tools.attack.verdict import TRACE, Rng, demand
from tools.base.quiet import quiet
from tools.scene.actions import curves_of, keys
from tools.scene.contents import contents
from tools.scene.files import chosen_armature
from tools.scene.paths import chosen_path

Act = Callable[[Any, Rng], None]
_ODD_NUMBERS = (0.0, -1.0, 1e-6, 1e6, 1e30, math.nan, math.inf, 0.5)
_ODD_FRAMES = (-(2**31), -1_048_574, -1, 0, 1, 24, 250, 1_048_574, 2**31 - 1)
_MOST_CRAFTS = 4
_POLLS = 40  # looks at a worker until something happens
_PATIENCE = 6.0  # s that a walk with mischief may take
_EXACT = ("bake_walk", "map_bones", "bake_all")  # that must change nothing where they refuse


@cache
def _file(folder: str) -> str:
    """Return a file with a rig and a path of some metres, chosen and mapped."""
    armature = chosen_armature("", print)
    curve = chosen_path("s-curve")
    curve.scale = (0.2, 0.2, 0.2)
    blender_biped.register()
    armature.biped.walk.path = curve
    armature.biped.walk.controller = "klaw"
    bpy.context.view_layer.objects.active = armature
    bpy.context.view_layer.update()
    bpy.ops.biped.map_bones()
    blender_biped.unregister()
    name = os.path.join(folder, "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=name, check_existing=False)
    return name


@contextmanager
def opened(folder: Path) -> Iterator[Any]:
    """Open the file in Blender, with the extension; yield the rig."""
    with quiet():
        bpy.ops.wm.open_mainfile(filepath=_file(str(folder.parent)), load_ui=False)
    blender_biped.register()
    try:
        armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
        bpy.context.view_layer.objects.active = armature
        bpy.context.view_layer.update()
        status.end("", "INFO")
        yield armature
    finally:
        preview.stop()
        blender_biped.unregister()


# --- crafted scenes --------------------------------------------------------------------------------------------------


def attack_scene(rng: Rng, folder: Path) -> str:
    """Make a scene odd in some ways and press buttons; return how many did something."""
    with opened(folder) as armature, begun_by(Direct):
        for _ in range(int(rng.integers(1, _MOST_CRAFTS + 1))):
            craft = _CRAFTS[int(rng.integers(len(_CRAFTS)))]
            with suppress(TypeError, ValueError, RuntimeError, OverflowError, AttributeError, KeyError, StopIteration):
                craft(armature, rng)  # Blender itself refuses some
        bpy.context.view_layer.update()
        done = 0
        for name in ("map_bones", "bake_walk", *rng.choice(_BUTTONS, 3).tolist()):
            done += pressed(name, rng, folder)
        if bpy.context.scene:
            bpy.context.scene.biped.show_preview = True
            preview.update(bpy.context)
            text = preview.message(bpy.context).text
            demand(TRACE not in text and len(text) <= 1000, f"the preview says {text[:200]!r}")
    return "pressed" if done else "nothing to be done"


_BUTTONS = (
    "bake_walk", "bake_all", "try_calmer", "use_klaw", "trim_fall", "keep_fall", "go_to_fall", "use_path", "add_path",
    "add_path_point", "remove_path_point", "move_path_point", "add_gait_marker", "remove_gait_marker", "reset_fields",
    "clear_bones", "assign_active_bone", "save_mapping", "load_mapping", "map_bones",
)  # fmt: skip


def pressed(name: str, rng: Rng, folder: Path) -> int:
    """Press a button; return 1 where it did something. Raises FaultError for one that fails, or refuses and changes."""
    operator = getattr(bpy.ops.biped, name)
    with suppress(RuntimeError, AttributeError):
        if not operator.poll():
            return 0
    options = {}
    if name.endswith("_mapping") or name == "export_style":
        options["filepath"] = str(folder / "mapping.json")
        if name == "load_mapping" and rng.random() < 0.7:
            (folder / "mapping.json").write_bytes(broken({"version": 1, "bones": {"pelvis": ["spine"]}}, rng))
    before = repr(contents()) if name in _EXACT else ""
    try:
        with quiet():
            found: set[str] = operator(**options)
    except RuntimeError as error:
        _judge(name, str(error), before)
        return 0
    except TypeError as error:  # an option that must be given, and was not
        if "required" in str(error) or "keyword" in str(error):
            return 0
        raise
    for action in bpy.data.actions:
        if name in _EXACT and action.get("biped"):
            own = [points for (path, _), points in keys(action).items() if not path.startswith("biped.")]
            values = [v for points in own for point in points for v in point]
            demand(all(map(math.isfinite, values)), f"{name} has written keys that are no numbers")
    return int(found == {"FINISHED"})


def _judge(name: str, text: str, before: str) -> None:
    """Raise FaultError for a refusal that people cannot use, or that has changed the scene."""
    said = text.removeprefix("Error: ").strip()
    demand(TRACE not in said, f"{name}: {said[-300:]}")
    demand("see the console" not in said, f"{name}: {said[:300]}")
    demand(12 <= len(said) <= 1100, f"{name}: a message of {len(said)} characters: {said[:100]!r}")
    if before and status.work is None:
        demand(repr(contents()) == before, f"{name} refuses ({said[:100]}) and changes the scene")


def _groups(armature: Any) -> list[Any]:
    own = armature.biped
    found = [own, own.walk, bpy.context.scene.biped]
    fields = [name for name in type(own.walk).__annotations__ if name.startswith("fields_")]
    found += [getattr(own.walk, name) for name in fields if hasattr(own.walk, name)]
    found += [*own.walk.points, *list(own.parts)[:3]]
    return [group for group in found if hasattr(group, "bl_rna")]


def some(items: Sequence[Any], rng: Rng) -> Any:
    """Return one of some items."""
    return items[int(rng.integers(len(items)))]


def _raw_value(armature: Any, rng: Rng) -> None:
    """Put a value into a property as a crafted file has it, past what the property itself lets in."""
    group = some(_groups(armature), rng)
    names = [p.identifier for p in group.bl_rna.properties if p.identifier not in ("rna_type", "name")]
    group[some(names, rng)] = some((*_ODD_NUMBERS, -7, 0, 2**31 - 1, -(2**31), "text", ""), rng)


def _set_value(armature: Any, rng: Rng) -> None:
    """Set a property to an end of its range, or to one of its choices."""
    group = some(_groups(armature), rng)
    own = [p for p in group.bl_rna.properties if p.identifier != "rna_type" and not p.is_readonly]
    kind = some(own, rng)
    if kind.type in ("FLOAT", "INT"):
        value: Any = some((kind.hard_min, kind.hard_max, kind.soft_min, kind.soft_max, kind.default), rng)
        if kind.is_array:
            value = [value] * kind.array_length
    elif kind.type == "BOOLEAN":
        value = [bool(rng.integers(2))] * kind.array_length if kind.is_array else bool(rng.integers(2))
    elif kind.type == "ENUM":
        names = [item.identifier for item in kind.enum_items] or ["DEFAULT"]
        value = set(names[: int(rng.integers(len(names) + 1))]) if kind.is_enum_flag else some(names, rng)
    elif kind.type == "STRING":
        value = some(("", "x" * 2000, "klaw", "default", "simbicon", "../..", 'a"]["b', "走る", "\x01"), rng)
    else:
        value = None
    setattr(group, kind.identifier, value)


def _style(armature: Any, rng: Rng) -> None:
    walk = armature.biped.walk
    walk.controller = some(("klaw", "klaw", "klaw", "generalized", "simbicon", "limit_cycle", "planar"), rng)
    names = [item[0] for item in _styles(walk)]
    walk.preset = some(names, rng)


def _styles(walk: Any) -> Sequence[Any]:
    from blender_biped.ui.settings.menus import preset_menu

    return preset_menu(walk.controller_name)


def _scene(armature: Any, rng: Rng) -> None:
    scene = bpy.context.scene
    scene.unit_settings.system = some(("METRIC", "IMPERIAL", "NONE"), rng)
    scene.unit_settings.scale_length = float(rng.choice((1e-9, 1e-6, 0.01, 0.3048, 1.0, 1000.0)))
    scene.render.fps = int(rng.choice((1, 24, 60, 1000, 24_000, 32_767)))
    scene.render.fps_base = float(rng.choice((1e-5, 0.1, 1.0, 1.001, 1e6)))
    scene.frame_start, scene.frame_end = int(rng.integers(0, 1_048_574)), int(rng.integers(0, 1_048_574))
    scene.frame_set(int(rng.choice((0, 1, -1000, 1_000_000))), subframe=float(rng.random()))


def _curve(armature: Any, rng: Rng) -> None:
    curve = next((o for o in bpy.data.objects if o.type == "CURVE" and o.data.splines), None)
    if curve is None:  # an earlier change took it
        return
    spline, way = curve.data.splines[0], int(rng.integers(12))
    odd = float(rng.choice(_ODD_NUMBERS))
    if way == 0:
        some(spline.bezier_points, rng).co.x = odd
    elif way == 1:
        curve.data.splines.remove(spline)
    elif way == 2:
        curve.scale = [float(rng.choice((0.0, -1.0, 1e-6, 1e6, odd))) for _ in range(3)]
    elif way == 3:
        spline.use_cyclic_u, armature.biped.walk.laps = True, int(rng.integers(1, 20))
    elif way == 4:
        curve.hide_viewport = True
    elif way == 5:
        bpy.context.scene.collection.objects.unlink(curve)
    elif way == 6:
        bpy.data.objects.remove(curve)
    elif way == 7:
        curve.location.x = odd
    elif way == 8:
        bpy.data.curves.remove(curve.data)
    elif way == 9:
        made = curve.data.splines.new("POLY")
        made.points.add(int(rng.choice((0, 1, 3000))))
        for point in made.points:
            point.co = (*rng.normal(size=3).tolist(), 1.0)
    elif way == 10:
        spline.resolution_u, spline.tilt_interpolation = int(rng.choice((1, 1024))), "BSPLINE"
    else:
        curve.parent = armature


def _armature(armature: Any, rng: Rng) -> None:
    way, odd = int(rng.integers(14)), float(rng.choice(_ODD_NUMBERS))
    bone = some(armature.pose.bones, rng)
    if way == 0:
        armature.scale = [float(rng.choice((0.0, -1.0, 0.01, 100.0, 1.0, odd))) for _ in range(3)]
    elif way == 1:
        armature.location.y = odd
    elif way == 2:
        armature.hide_viewport = True
    elif way == 3:
        bpy.ops.object.mode_set(mode=some(("EDIT", "POSE"), rng))
    elif way == 4:
        armature.data.pose_position = "REST"
    elif way == 5:
        bone.name = some(("x" * 63, 'a"b', "a]b", "走る", "\n", "."), rng)
    elif way == 6:
        bone.location.x = odd
    elif way == 7:
        constraint = bone.constraints.new(some(("IK", "COPY_ROTATION", "CHILD_OF", "LIMIT_ROTATION"), rng))
        with suppress(AttributeError):
            constraint.target, constraint.subtarget = armature, some(armature.pose.bones, rng).name
    elif way == 8:
        armature.rotation_euler = rng.normal(scale=3.0, size=3).tolist()
    elif way == 9:
        bpy.ops.object.mode_set(mode="EDIT")
        armature.data.edit_bones.remove(some(armature.data.edit_bones, rng))
        bpy.ops.object.mode_set(mode="OBJECT")
    elif way == 10:
        bone.rotation_mode = some(("XYZ", "AXIS_ANGLE", "QUATERNION"), rng)
        bone.lock_rotation = bone.lock_location = (True, True, False)
    elif way == 11:
        armature.keyframe_insert("location", frame=float(rng.choice((1, 10, -5))))
        data = armature.animation_data
        data.nla_tracks.new().strips.new("Old", 1, data.action)
        data.action = None if rng.random() < 0.5 else data.action
    elif way == 12:
        armature.name = some(("x" * 63, 'a"b', "走る", "a:b"), rng)
    else:
        armature.delta_location.x = armature.delta_scale.x = odd


def _markers(armature: Any, rng: Rng) -> None:
    names = (
        "run",
        "Walk 1.2",
        "walk 99999",
        f"{armature.name}: march",
        "nobody: walk",
        "9" * 60,
        "walk -1 m/s",
        "march",
    )
    for _ in range(int(rng.integers(1, 12))):
        bpy.context.scene.timeline_markers.new(some(names, rng), frame=int(rng.choice(_ODD_FRAMES)))


def _keyed(armature: Any, rng: Rng) -> None:
    """Key a number along the walk, with keys at odd places."""
    walk = armature.biped.walk
    group = some([walk, getattr(walk, f"fields_{walk.controller_name}")], rng)
    numbers = [
        p.identifier for p in group.bl_rna.properties if p.type == "FLOAT" and p.is_animatable and not p.is_array
    ]
    name = some(numbers, rng)
    for frame in (1.0, 40.0):
        group.keyframe_insert(name, frame=frame)
    for curve in curves_of(armature.animation_data.action):
        point = some(curve.keyframe_points, rng)
        point.co = some((*_ODD_FRAMES, math.nan, math.inf, 20.5), rng), float(rng.choice(_ODD_NUMBERS))


def _points(armature: Any, rng: Rng) -> None:
    """Add points along the path with odd values."""
    for _ in range(int(rng.choice((1, 2, 30)))):
        point = armature.biped.walk.points.add()
        for kind in point.bl_rna.properties:
            if kind.type in ("FLOAT", "INT") and not kind.is_readonly and rng.random() < 0.5:
                with suppress(TypeError, ValueError):
                    point[kind.identifier] = float(rng.choice(_ODD_NUMBERS))
                    setattr(point, kind.identifier, type(kind.default)(rng.uniform(0, 50)))


_CRAFTS: tuple[Act, ...] = (
    _raw_value, _raw_value, _raw_value, _set_value, _set_value, _set_value, _style, _scene, _scene, _curve, _curve,
    _armature, _armature, _armature, _markers, _keyed, _keyed, _points,
)  # fmt: skip


# --- what a walk comes from ------------------------------------------------------------------------------------------


class Direct:
    """Simulates in this process, for a while; a walk that is longer ends there."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def poll(self) -> Status:
        """Return that it is done."""
        return Status("done", 1.0)

    def cancel(self) -> None:
        """Do nothing."""

    def result(self) -> Motion:
        """Return the motion. Raises WorkerError for a long one without parts."""
        parts: list[Motion] = []
        until = time.monotonic() + WALKED

        def progress(_share: float) -> None:
            if time.monotonic() > until:
                raise TimeoutError

        try:
            return simulate(self._job, Watch(progress, parts.append))
        except TimeoutError:
            if parts:
                return joined(parts)
            raise WorkerError("The walk takes longer than it is looked at here.") from None


@contextmanager
def begun_by(source: Callable[[Job], Any]) -> Iterator[None]:
    """Let walks come from something else while the context lasts."""
    kept = bake_operators.begun
    setattr(bake_operators, "begun", source)  # noqa: B010 (mypy takes a function for more than its type)
    try:
        yield
    finally:
        bake_operators.begun = kept


# --- mischief while a walk is computed -------------------------------------------------------------------------------


def attack_meanwhile(rng: Rng, folder: Path) -> str:
    """Bake with something happening meanwhile; return what came of it."""
    acts = [some(_MEANWHILE, rng) for _ in range(int(rng.integers(1, 3)))]
    made: list[_Disturbed] = []

    def begun(job: Job) -> _Disturbed:
        made.append(_Disturbed(Worker.start(job, *worker_python(bpy.context)), acts, rng, folder))
        return made[-1]

    with opened(folder) as armature, begun_by(begun):
        armature.biped.walk.controller = some(("klaw", "generalized", "simbicon"), rng)
        before = len(bpy.data.actions)
        try:
            with quiet():
                bpy.ops.biped.bake_walk()
            came = "baked"
        except RuntimeError as error:
            _judge("bake_walk", str(error), "")
            demand(len(bpy.data.actions) <= before + 1, "a refused bake leaves actions")
            came = "refused"
        demand(status.work is None, "the panel says that a walk is computed")
        for one in made:
            demand(not one.lives(), "a process is left")
            demand(not one.folder.exists(), "a folder is left")
    return came


class _Disturbed:
    """A worker during which something happens."""

    def __init__(self, own: Worker, acts: Sequence[Act], rng: Rng, folder: Path) -> None:
        self._own, self._acts, self._rng = own, acts, rng
        self._left = int(rng.integers(_POLLS))
        self._until = time.monotonic() + _PATIENCE
        self.folder = own.folder

    def poll(self) -> Status:
        self._left -= 1
        if self._left == 0:
            for act in self._acts:
                with suppress(ReferenceError, StopIteration, AttributeError, KeyError, TypeError, ValueError):
                    act(self, self._rng)
        if time.monotonic() > self._until:
            self._own.cancel()
        return self._own.poll()

    def cancel(self) -> None:
        self._own.cancel()

    def result(self) -> Motion:
        return self._own.result()

    def lives(self) -> bool:
        from tools.attack.workers import alive

        return alive(self._own.process_id)

    def send(self, number: int) -> None:
        """Send a signal to the process."""
        if self.lives():
            os.kill(self._own.process_id, number)


def _rig() -> Any:
    return next(o for o in bpy.data.objects if o.type == "ARMATURE")


def _path() -> Any:
    return next(o for o in bpy.data.objects if o.type == "CURVE")


def _another_scene(_own: Any, rng: Rng) -> None:
    before = bpy.context.scene
    made = bpy.data.scenes.new("Other")
    bpy.context.window.scene = made
    if rng.random() < 0.3:
        bpy.data.scenes.remove(before)


def _bone_removed(_own: Any, rng: Rng) -> None:
    bpy.context.view_layer.objects.active = _rig()
    bpy.ops.object.mode_set(mode="EDIT")
    _rig().data.edit_bones.remove(some(_rig().data.edit_bones, rng))
    if rng.random() < 0.7:
        bpy.ops.object.mode_set(mode="OBJECT")


def _renamed(_own: Any, rng: Rng) -> None:
    _rig().name = "Other"
    some(_rig().pose.bones, rng).name = "another"


def _held_up(own: Any, rng: Rng) -> None:
    own.send(signal.SIGSTOP)
    time.sleep(float(rng.uniform(0.0, 0.5)))
    own.send(signal.SIGCONT)


def _cancel(_own: Any, _rng: Rng) -> None:
    if status.work:
        status.work.cancel()


_MEANWHILE: tuple[Act, ...] = (
    lambda own, rng: bpy.data.objects.remove(_rig()),
    lambda own, rng: bpy.data.armatures.remove(_rig().data),
    lambda own, rng: bpy.data.objects.remove(_path()),
    lambda own, rng: bpy.context.scene.collection.objects.unlink(_rig()),
    lambda own, rng: setattr(_rig(), "hide_viewport", True),
    lambda own, rng: setattr(_rig(), "scale", (2.0, 2.0, 2.0)),
    lambda own, rng: setattr(bpy.context.scene.render, "fps", int(rng.choice((1, 24, 1000)))),
    lambda own, rng: bpy.context.scene.frame_set(1000),
    lambda own, rng: _set_value(_rig(), rng),
    lambda own, rng: _raw_value(_rig(), rng),
    lambda own, rng: _armature(_rig(), rng),
    lambda own, rng: bpy.ops.wm.save_as_mainfile(filepath=str(own.folder.parent / "saved.blend"), copy=True),
    lambda own, rng: bpy.ops.ed.undo_push(message="something"),
    lambda own, rng: bpy.data.orphans_purge(),
    lambda own, rng: own.send(signal.SIGKILL),
    lambda own, rng: own.send(signal.SIGSEGV),
    lambda own, rng: own.send(signal.SIGSTOP),
    _held_up, _another_scene, _bone_removed, _renamed, _cancel,
)  # fmt: skip
