"""The main job from one command: an armature and a curve in, a walk baked as keyframes out, with its report.

A development program: needs bpy (Blender as a Python module) and matplotlib. It uses the extension as it is in
the source tree: the scene's settings, its reading of armatures and curves, its worker process and its bake.

    python -m tools.commands.demo [--armature FILE[:OBJECT]] [--path s-curve|straight|circle|FILE:OBJECT] ...
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blender_biped.base.errors import BipedError, DataError
from blender_biped.job import MAX_SPEED, Job, write_job
from blender_biped.motion.bvh import write_bvh
from blender_biped.motion.measures import report
from blender_biped.motion.motion import Motion, write_motion
from blender_biped.motion.summary import summarised
from blender_biped.preset.preset import preset, presets, speeds_of
from tools.base.quiet import quiet
from tools.measure.grid import MIN_SPEED, RADIUS, STRAIGHT
from tools.pictures.filmstrip import angles_picture, walk_picture

FRAME_RATE = 30
SPEED = 1.2  # m/s, of a style without a usual speed of its own
ARMATURE_FILES = (".blend", ".glb", ".gltf", ".vrm", ".fbx", ".bvh")
SHAPES = ("s-curve", "straight", "circle")
_S_CURVE = ((0.0, 0.0), (2.8, 1.25), (8.2, -1.25), (11.0, 0.0))  # m; 12 m along the curve, two bends


@dataclass(frozen=True)
class Options:
    """What was asked for on the command line. armature, path: as given; armature "" for Rigify's human."""

    armature: str
    path: str
    controller: str
    preset: str
    speed: float
    out: Path


@dataclass(frozen=True)
class Result:
    """A walk that was simulated and baked. write_s: how long the keyframes took to write, s. keys: their number."""

    job: Job
    motion: Motion
    figures: dict[str, Any]
    notes: tuple[str, ...]
    write_s: float
    frames: int
    keys: int


def options(arguments: Sequence[str] | None = None) -> Options:
    """Return what the command line asks for. Ends the program with a message when it cannot be understood."""
    parser = argparse.ArgumentParser(
        prog="demo", description="Walk a character along a curve and bake the walk, without opening Blender."
    )
    parser.add_argument(
        "--armature", default="", metavar="FILE[:OBJECT]",
        help=f"who walks: {', '.join(ARMATURE_FILES)}; without it, the human metarig that Rigify makes",
    )  # fmt: skip
    parser.add_argument(
        "--path", default=SHAPES[0], metavar="PATH",
        help=f"where: {', '.join(SHAPES)}, or FILE:OBJECT, a curve in a .blend file (default: {SHAPES[0]})",
    )  # fmt: skip
    parser.add_argument("--controller", default="generalized", metavar="NAME", help="default: generalized")
    parser.add_argument("--preset", default="", metavar="NAME", help="style of the walk (default: the first one)")
    parser.add_argument(
        "--speed", default=None, type=float, metavar="M_PER_S", help=f"default: {SPEED}, or the gait's usual one"
    )
    parser.add_argument("--out", default=Path("out/demo"), type=Path, metavar="DIR", help="default: out/demo")
    given = parser.parse_args(arguments)
    given.preset, usual = usual_style(given.controller, given.preset)
    given.speed = usual if given.speed is None else given.speed
    if not MIN_SPEED <= given.speed <= MAX_SPEED:
        parser.error(f"--speed {given.speed:g}: give a speed from {MIN_SPEED:g} to {MAX_SPEED:g} m/s")
    return Options(**vars(given))


def usual_style(controller: str, asked: str) -> tuple[str, float]:
    """Return the name of the preset that is asked for, "" for the first one, and the speed that it has by itself, m/s.

    What is unknown or unusable is told when it is to be walked.
    """
    try:
        known = {style.name: style for style in presets(controller)}
        name = asked or next(iter(known), "default")
        own = speeds_of(known[name]) if name in known else None
    except DataError:
        return asked or "default", SPEED
    return name, max(own.usual, MIN_SPEED) if own else SPEED


def split_object(text: str) -> tuple[Path, str]:
    """Return the file and the object's name, or "", of FILE[:OBJECT]. Raises BipedError when there is no such file."""
    if Path(text).is_file():
        return Path(text), ""
    file, colon, name = text.rpartition(":")
    if colon and Path(file).is_file():
        return Path(file), name
    raise BipedError(f"There is no file {text if len(file) < 2 else file}.")


# --- the scene ---------------------------------------------------------------------------------------------------


def chosen_armature(asked: str, say: Callable[[str], None]) -> Any:
    """Return the armature object to walk: from a file, which it opens, else Rigify's human metarig.

    Raises BipedError when the file cannot be read, has no armature, or has several that could be meant.
    """
    import addon_utils
    import bpy

    if not asked:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        with quiet():
            addon_utils.enable("rigify", default_set=True)
            bpy.ops.object.armature_human_metarig_add()
        return bpy.context.object
    file, name = split_object(asked)
    open_file(file)
    found = [o for o in bpy.context.scene.objects if o.type == "ARMATURE"]
    names = ", ".join(repr(o.name) for o in found)
    if not found:
        raise BipedError(f"{file.name} has no armature.")
    if name:
        named = [o for o in found if o.name == name]
        if not named:
            raise BipedError(f"{file.name} has no armature {name!r}; it has {names}.")
        return named[0]
    if len(found) == 1:
        return found[0]
    walkers = [o for o in found if _is_biped(o)]
    if len(walkers) != 1:
        raise BipedError(f"{file.name} has several armatures: say which one with {file}:OBJECT ({names}).")
    say(f"{file.name} has several armatures ({names}); {walkers[0].name!r} is the one with legs, so it walks.")
    return walkers[0]


def _is_biped(armature: Any) -> bool:
    import bpy

    from blender_biped.character.roles import map_bones
    from blender_biped.ui.base.reading import metres, read_armature

    try:
        map_bones(read_armature(armature, metres(bpy.context.scene)))
    except BipedError:
        return False
    return True


def open_file(file: Path) -> None:
    """Open a scene or a model file as the current scene. Raises BipedError when it cannot be read."""
    import bpy

    kind = file.suffix.lower()
    if kind not in ARMATURE_FILES:
        raise BipedError(f"{file.name}: a character comes from one of {', '.join(ARMATURE_FILES)}.")
    name = str(file.resolve())
    try:
        with quiet():
            if kind == ".blend":
                bpy.ops.wm.open_mainfile(filepath=name, load_ui=False, use_scripts=False)
                return
            bpy.ops.wm.read_factory_settings(use_empty=True)
            if kind == ".fbx":
                bpy.ops.import_scene.fbx(filepath=name)
            elif kind == ".bvh":
                bpy.ops.import_anim.bvh(filepath=name, update_scene_fps=False)
            elif kind == ".vrm":  # a .glb under another name
                with tempfile.TemporaryDirectory() as folder:
                    copy = Path(folder) / f"{file.stem}.glb"
                    shutil.copyfile(file, copy)
                    bpy.ops.import_scene.gltf(filepath=str(copy))
            else:
                bpy.ops.import_scene.gltf(filepath=name)
    except RuntimeError as error:
        reason = str(error).removeprefix("Error: ").strip().splitlines()
        raise BipedError(f"Blender cannot read {file.name}: {reason[-1] if reason else 'no reason given'}") from error


def chosen_path(asked: str) -> Any:
    """Return the curve object to walk along, in the current scene. Raises BipedError when there is no such curve."""
    import bpy

    if asked in SHAPES:
        curve = bpy.data.objects.new("Path", _curve(asked))
        bpy.context.scene.collection.objects.link(curve)
        return curve
    if ":" not in asked and not Path(asked).exists():
        raise BipedError(f"There is no path {asked!r}; choose {', '.join(SHAPES)}, or give FILE:OBJECT.")
    file, name = split_object(asked)
    if not name:
        raise BipedError(f"Say which curve of {file.name} to walk along: {asked}:OBJECT.")
    if bpy.data.filepath and Path(bpy.data.filepath).resolve() == file.resolve():
        found = bpy.data.objects.get(name)
    else:
        found = _appended(file, name)
    if found is None:
        raise BipedError(f"{file.name} has no object {name!r}.")
    if found.type != "CURVE":
        raise BipedError(f"{name!r} in {file.name} is not a curve, but of the kind {found.type.lower()}.")
    return found


def _appended(file: Path, name: str) -> Any:
    import bpy

    if file.suffix.lower() != ".blend":
        raise BipedError(f"{file.name}: a path comes from a .blend file.")
    try:
        with quiet(), bpy.data.libraries.load(str(file.resolve())) as (there, here):
            here.objects = [n for n in there.objects if n == name]
    except OSError as error:
        raise BipedError(f"Blender cannot read {file.name}: {error}") from error
    for found in here.objects:
        bpy.context.scene.collection.objects.link(found)
        bpy.context.view_layer.update()
        return found
    return None


def _curve(shape: str) -> Any:
    """Return curve data of one of SHAPES, on the ground, m."""
    import bpy

    data = bpy.data.curves.new(shape, "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    if shape == "circle":
        places = [(RADIUS, 0.0), (2.0 * RADIUS, RADIUS), (RADIUS, 2.0 * RADIUS), (0.0, RADIUS)]
        spline.use_cyclic_u = True
    else:
        places = list(_S_CURVE) if shape == "s-curve" else [(0.0, 0.0), (STRAIGHT, 0.0)]
    spline.bezier_points.add(len(places) - 1)
    spline.resolution_u = 24
    for point, (x, y) in zip(spline.bezier_points, places, strict=True):
        point.co = (x, y, 0.0)
        point.handle_left_type = point.handle_right_type = "AUTO"
    return data


# --- the walk ----------------------------------------------------------------------------------------------------


def bake_walk(asked: Options, say: Callable[[str], None]) -> Result:
    """Make the scene, simulate and bake, and return the result. Raises BipedError that says what is wrong."""
    import bpy

    from blender_biped import worker
    from blender_biped.ui.bake.accuracy import bake_error
    from blender_biped.ui.bake.keyframes import bake
    from blender_biped.ui.bake.result import fall_frame
    from blender_biped.ui.job.gait_plan import gait_names
    from blender_biped.ui.job.request import read_request
    from blender_biped.ui.settings.kept_result import keep_summary

    preset(asked.controller, asked.preset)  # an unknown name is told before anything slow is done
    armature = chosen_armature(asked.armature, say)
    curve = chosen_path(asked.path)
    scene = bpy.context.scene
    if not bpy.data.filepath:
        scene.render.fps, scene.render.fps_base = FRAME_RATE, 1.0
    settings = scene.biped
    settings.armature, settings.path = armature, curve
    settings.controller_name, settings.preset_name = asked.controller, asked.preset
    settings.speed_mps = asked.speed
    armature.biped.pace = "EXACT"
    _press_map_bones()
    request = read_request(bpy.context)
    say(f"{armature.name} walks {request.job.path.length:.1f} m at {asked.speed:g} m/s ...")
    motion = worker.run(request.job, folders=worker.library_folders())
    began = time.perf_counter()
    baked = bake(armature, motion, settings.frame_start, armature.biped.root)
    write_s = time.perf_counter() - began
    summary = summarised(motion, request.job)
    keep_summary(baked.action, summary, fall_frame(summary, settings.frame_start, scene), gait_names(request.job))
    scene.frame_start, scene.frame_end = int(baked.frames[0]), int(baked.frames[-1])
    scene.frame_set(scene.frame_start)
    figures = report(motion, request.job, Path(asked.path.partition(":")[0]).stem)
    figures["bake_error_mm"], figures["bake_error_deg"] = bake_error(armature, motion, baked.frames.tolist())
    return Result(request.job, motion, figures, (*request.notes, *baked.notes), write_s, len(baked.frames),
                  sum(len(c.keyframe_points) for c in curves_of(baked.action)))  # fmt: skip


def _press_map_bones() -> None:
    """Let the extension's own operator find the character among the bones. Raises BipedError with its message."""
    import bpy

    try:
        with quiet():
            bpy.ops.biped.map_bones()
    except RuntimeError as error:
        raise BipedError(str(error).removeprefix("Error: ").strip()) from error


def curves_of(action: Any) -> list[Any]:
    """Return the curves of an action, with slots or without."""
    layers = getattr(action, "layers", None)
    bags = [b for k in layers for s in k.strips for b in s.channelbags] if layers else [action]
    return [curve for bag in bags for curve in bag.fcurves]


def write_files(result: Result, folder: Path) -> list[tuple[str, str]]:
    """Write everything into ``folder`` and return (file name, what it is). Raises OSError."""
    import bpy

    folder.mkdir(parents=True, exist_ok=True)
    with quiet():
        bpy.ops.wm.save_as_mainfile(filepath=str((folder / "walk.blend").resolve()), compress=True)
    walk_picture(result.motion, result.job, folder / "walk.png")
    angles_picture(result.motion, result.job, folder / "angles.png")
    (folder / "report.json").write_text(json.dumps(result.figures, indent=2, allow_nan=False) + "\n", encoding="utf-8")
    write_job(result.job, folder / "job.json")
    write_motion(result.motion, folder / "motion.npz")
    write_bvh(result.motion, folder / "motion.bvh")
    return [
        ("walk.blend", "the scene with the baked action"),
        ("walk.png", "the walk as film strips, and the path from above"),
        ("angles.png", "hip, knee and ankle against adults' walks"),
        ("report.json", "all measures"),
        ("job.json", "what was simulated"),
        ("motion.npz", "the simulated motion"),
        ("motion.bvh", "the same for other programs"),
    ]


# --- the report --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Line:
    """One figure for people: words, its name in the report, digits, unit, and its limit, if it has one."""

    words: str
    name: str
    digits: int
    unit: str
    limit: float | None = None


_LINES = (
    _Line("distance from the path's end when standing", "arrival_m", 2, "m", 0.3),
    _Line("off the path, on average", "path_deviation_mean_m", 3, "m", 0.10),
    _Line("off the path, at worst", "path_deviation_worst_m", 3, "m", 0.30),
    _Line("speed error in steady walking", "speed_error_percent", 1, "%", 5.0),
    _Line("feet slide in a typical step", "foot_slip_median_mm", 1, "mm", 3.0),
    _Line("feet slide in the worst step", "foot_slip_worst_mm", 1, "mm", 15.0),
    _Line("soles below the ground, at worst", "penetration_mm", 1, "mm", 5.0),
    _Line("baked bones off the simulation, at worst", "bake_error_mm", 3, "mm", 1.0),
    _Line("baked bones turned off it, at worst", "bake_error_deg", 4, "degrees", 0.1),
    _Line("CPU time for a second of walk", "cpu_s_per_s", 3, "s", 0.12),
    _Line("steps a minute", "cadence_steps_per_min", 0, ""),
    _Line("step length", "step_length_m", 2, "m"),
    _Line("hip, knee, ankle like adults' (1 is the same)", "hip_r", 2, ""),
)
_WRITE_LIMIT = 0.2  # s for a thousand frames of sixty bones with a rotation each
_WRITE_KEYS = 1000 * 60 * 4


def report_lines(result: Result) -> list[str]:
    """Return the report for people, line by line: figures in plain words, with their limits where they have one."""
    f = result.figures
    end = f"fell after {f['fell_at_s']:.1f} s" if f["fell"] else _END[result.motion.outcome]
    end += " and to rest" if result.motion.outcome == "arrived" and f["stop_s"] is not None else ""
    lines = [f"{f['character']}, {f['controller']}/{f['preset']}: {f['duration_s']:.1f} s, {end}.", ""]
    for line in _LINES:
        names = ["hip_r", "knee_r", "ankle_r"] if line.name == "hip_r" else [line.name]
        values = ", ".join("-" if f[n] is None else f"{f[n]:.{line.digits}f}" for n in names)
        lines.append(_limited(line.words, values, line.unit, line.limit, f[line.name]))
    limit = _WRITE_LIMIT * max(1.0, result.keys / _WRITE_KEYS)
    lines.append(_limited(f"writing the action ({result.keys} keys in {result.frames} frames)",
                          f"{result.write_s:.2f}", "s", limit, result.write_s))  # fmt: skip
    return lines + [f"  Note: {note}" for note in result.notes]


_END = {
    "arrived": "came to the end of the path",
    "time": "ran out of time before the end of the path",
    "fell": "fell",
}


def _limited(words: str, values: str, unit: str, limit: float | None, value: float | None) -> str:
    text = f"  {words + ' ':.<50} {values:>8} {unit}"
    if limit is None:
        return text.rstrip()
    verdict = "not measured" if value is None else "ok" if value <= limit else "TOO MUCH"
    return f"{text:<70} (at most {limit:g}: {verdict})"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, 1 when the walk fell or did not arrive, 2 when it could not be made."""
    asked = options(arguments)
    import blender_biped

    blender_biped.register()
    try:
        result = bake_walk(asked, print)
        files = write_files(result, asked.out)
    except BipedError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"demo: cannot write into {asked.out}: {error.strerror or error}.", file=sys.stderr)
        return 2
    finally:
        blender_biped.unregister()
    print("\n".join(["", *report_lines(result), ""]))
    width = max(len(str(asked.out / name)) for name, _ in files)
    for name, what in files:
        print(f"  {asked.out / name!s:<{width}}  {what}")
    return 0 if result.motion.outcome == "arrived" and not result.figures["fell"] else 1


if __name__ == "__main__":
    sys.exit(main())
