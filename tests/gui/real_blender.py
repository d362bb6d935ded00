"""Tries the extension's zip in a real Blender, as a user would, and photographs it. Standard library only.

    python3 tests/gui/real_blender.py [ZIP] [OUT]

In a Blender with factory settings: installs the zip (the newest of dist/) from the command line, bakes a walk in
background mode, chooses controllers and presets in a window by clicks in their menus, adjusts styles there by pointer
and keyboard, saves some as styles of one's own, chooses them in another Blender by their pictures, makes styles of an
action and of poses, which another character walks, bakes the same walk by the button, tries Esc, Cancel and a killed
worker, cancels, kills and undoes bakes in an order by chance, looks at what of a scene is met, and makes a whole shot
of a character with a skin. OUT (out/gui) gets the pictures, the keyframes, and what each script has found, such as
``menus.json``. Ends with 0 when all is well.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TOOL = ROOT.parent / "shared" / "tools" / "real-blender"
SHOT = ROOT / "tools" / "scene" / "shot_scene.py"
CHARACTER = TOOL.parents[1] / "rigs" / "m2mvar_human-male.glb"  # who walks it
SEEN_INSIDE = (
    "/tmp"  # the tool shows this folder inside wherever it is called from; others may be shown as they once were
)
MODULE = "bl_ext.user_default.biped_locomotion"
MINUTES = 20
PANELS = [
    "Adjust Style", "Baking", "Body", "Bones", "Character", "Controls", "Footsteps and Background", "On the Way",
    "Path and Points", "Result", "Scene", "Style", "Takes", "Walk",
]  # fmt: skip
ROUNDS = "5"  # in which bakes are cancelled, killed and undone, each; BIPED_ROUNDS=100 tries more
CLICKS = 10  # at most, from two objects in a new Blender to a walk that plays
PRESETS = 92  # of all controllers; some of each are chosen by a click, all with BIPED_ALL=1
WIDTH, KEYED = "gait.width", "biped.walk.fields_generalized.gait_width"  # dragged and keyed
SLOUCH = "manner.slouch"  # typed
MAKING = bool(os.environ.get("BIPED_ALL") or os.environ.get("BIPED_MAKING"))  # styles of actions and poses, too
MADE_OF = "Zombie Arms"  # the action of which a style is made
STYLE_SLIDERS = 5  # that are changed before a style is saved
FIRST_PICTURE = 1.5  # s from the last change, of a simulated preview; less what other programs of the machine took
BAR, STAIRS = 2.2, 5  # m along the path, and how many steps: what ``in_scene`` puts there
SHOT_ROWS = ["Sad", "Happy", "Jog", "Natural", "Crate: Pick It Up", "Target: Set Down Here"]
JOGS = (7.0, 21.0)  # m along the path: from where it is to jog to where it walks again at the latest
RESPONSIVE = 1.0  # s, the longest time that Blender may not react while it simulates; it draws in software here

# One shell command, so that everything runs in one fresh home: $1 zip, $2 out, $3 this folder, $4 module, $5 seconds,
# $6 what takes minutes and is tried on request.
_INSIDE = """
set -e
mkdir "$2/fresh"
BLENDER_USER_RESOURCES="$2/fresh" timeout "$5" \
  blender --window-geometry 0 0 1600 900 --python "$3/in_blender.py" -- first_walk "$2" "$4"
rm -r "$2/fresh"
blender --command extension install-file -r user_default -e "$1"
blender --background --python-exit-code 1 --python "$3/in_background.py" -- "$2" "$4"
for tried in points prints preview menus tab fields bake runs scene shot styles styles_again $6 \\
  window mischief german; do
  echo "=== $tried (after $SECONDS s)"
  timeout "$5" blender --window-geometry 0 0 1600 900 "$2/scene.blend" --python "$3/in_blender.py" -- "$tried" "$2" "$4"
done
"""


def newest_zip() -> Path | None:
    """Return the zip that was packaged last, or None."""
    found = sorted((ROOT / "dist").glob("biped_locomotion-*-linux-x64.zip"), key=lambda p: p.stat().st_mtime)
    return found[-1] if found else None


def try_out(zip_file: Path, out: Path) -> dict[str, Any]:
    """Run everything and return what was found: see ``wrongs``. Raises RuntimeError when Blender does not end well."""
    out.mkdir(parents=True, exist_ok=True)
    for old in out.iterdir():
        if old.suffix in (".json", ".png", ".blend"):
            old.unlink()
    with tempfile.TemporaryDirectory(dir=SEEN_INSIDE, prefix="biped-gui-") as folder:
        code = _run_inside(zip_file, Path(folder), out / "log.txt")
        shutil.copytree(Path(folder) / "out", out, dirs_exist_ok=True)
    found = out / "window.json"
    if code or not found.exists():
        lines = (out / "log.txt").read_text(encoding="utf-8", errors="replace").splitlines()
        raise RuntimeError(f"Blender ended with {code}; {out / 'log.txt'} ends:\n" + "\n".join(lines[-25:]))
    result: dict[str, Any] = json.loads(found.read_text(encoding="utf-8"))
    for name in (
        "first_walk",
        "menus",
        "tab",
        "fields",
        "bake",
        "runs",
        "scene",
        "shot",
        "points",
        "prints",
        "styles",
        "styles_again",
        *(["make_style"] if MAKING else []),
        "preview",
        "mischief",
        "german",
    ):
        result[name] = json.loads((out / f"{name}.json").read_text(encoding="utf-8"))
    return result


def _run_inside(zip_file: Path, folder: Path, log_file: Path) -> int:
    """Run everything in ``folder``, which gets copies of what is needed and ``out``; return Blender's exit code."""
    for file in (zip_file, *HERE.glob("in_*.py"), SHOT, CHARACTER):
        shutil.copy(file, folder)
    (folder / "out").mkdir()
    (folder / "out" / "rounds.txt").write_text(os.environ.get("BIPED_ROUNDS", ROUNDS), encoding="ascii")
    if os.environ.get("BIPED_ALL"):
        (folder / "out" / "all.txt").touch()
    arguments = [str(folder / zip_file.name), str(folder / "out"), str(folder), MODULE, str(60 * MINUTES)]
    arguments.append("make_style" if MAKING else "")
    with log_file.open("w", encoding="utf-8") as log:
        command = [str(TOOL), "sh", "bash", "-c", _INSIDE, "inside", *arguments]
        return subprocess.run(command, cwd=folder, stdout=log, stderr=subprocess.STDOUT, check=False).returncode


def wrongs(result: dict[str, Any], out: Path) -> list[str]:
    """Return what is not as it must be, in words."""
    one, other = (json.loads((out / f"{n}.json").read_text(encoding="utf-8")) for n in ("background", "window_keys"))
    checks = {
        "the panel is not in the sidebar": result["panels"] == PANELS,
        "the walk was not baked by the button": result["baked"] and bool(other),
        "the button's keyframes differ from the background run's": one == other,
        "the baked bones are off the simulated walk": result["bake_error_mm"] < 1.0 and result["bake_error_deg"] < 0.1,
        f"the panel tells {result['told']}": result["told"][0].startswith("Reached the end: "),
        f"{result['footprints']} footprints": result["footprints"] == len(result["markers"]) + 2,  # it begins on two
        f"markers {result['markers']}": len(result["markers"]) > 10 and set(result["markers"]) == {"L", "R"},
        f"Blender did not react for {result['stall_s']:.2f} s": result["stall_s"] < RESPONSIVE,
        "no progress was shown": 0.0 < result["progress"] < 1.0,
    }
    for way in ("esc", "cancel"):
        soonest = _soonest(result[way])
        checks[f"{way}: ended after {soonest:.2f} s, at best"] = soonest < result["end_within_s"]
        for ended in result[way]:
            checks[f"{way}: {ended['message']!r}"] = ended["message"].startswith("The walk was cancelled")
    for ended in result["kill"]:
        checks[f"kill: {ended['message']!r}"] = "SIGKILL" in ended["message"]
    for way in ("esc", "cancel", "kill"):
        checks[f"{way}: the scene has changed"] = all(ended["unchanged"] for ended in result[way])
        checks[f"{way}: the process is still there"] = all(ended["gone"] for ended in result[way])
    for what, seen in result["menus"].items():
        checks[f"clicks in the {what} menu on {seen['clicked']} chose {seen['chosen']}"] = (
            seen["clicked"] != [] and seen["chosen"] == seen["clicked"]
        )
    menus = [seen for what, seen in result["menus"].items() if what.startswith("preset of")]
    offered, clicked = (sum(counts) for counts in zip(*((m["offered"], len(m["clicked"])) for m in menus), strict=True))
    checks[f"{offered} presets are offered"] = offered == PRESETS
    checks[f"{clicked} presets were clicked"] = clicked >= (PRESETS if os.environ.get("BIPED_ALL") else PRESETS // 4)
    checks[f"in German it says {result['german']}"] = (
        result["german"]["button"] == "Gang backen"
        and result["german"]["message"] == "Frame 7: 'Jog' ist keine Gangart; ist 'Run' gemeint?"
        and "Es wird kein Gang berechnet" in result["german"]["poll"]
    )
    checks["undo does not take the walk back"] = result["undone"]
    checks |= _fields_checks(result["fields"])
    checks |= _first_walk_checks(result["first_walk"])
    checks |= _tab_checks(result["tab"])
    checks |= _runs_checks(result["runs"])
    checks |= _scene_checks(result["scene"])
    checks |= _shot_checks(result["shot"])
    checks |= _bake_checks(result["bake"])
    checks |= _points_checks(result["points"])
    checks |= _prints_checks(result["prints"])
    checks |= _styles_checks(result["styles"], result["styles_again"])
    if MAKING:
        checks |= _make_style_checks(result["make_style"])
    checks |= _preview_checks(result["preview"])
    checks |= _mischief_checks(result["mischief"])
    return [what for what, right in checks.items() if not right]


def _first_walk_checks(seen: dict[str, Any]) -> dict[str, bool]:
    """Return whether a new Blender comes to a walk, by what is wrong otherwise."""
    return {
        f"the first walk takes {len(seen['clicks'])} clicks: {seen['clicks']}": len(seen["clicks"]) <= CLICKS,
        "the zip cannot be installed in a running Blender": seen["installed"],
        f"the first walk's objects are {seen['objects']}": seen["objects"] == ["ARMATURE", "CURVE"],
        "the button does not take the curve as the path": seen["path"],
        f"the first walk is not baked: {seen['message']}": seen["baked"],
        "Space does not play the first walk": seen["plays"],
    }


def _tab_checks(seen: dict[str, Any]) -> dict[str, bool]:
    """Return whether the buttons of the tab, the menus and the search did what they should, by what is wrong."""
    checks = {
        f"{controller}: the button Bake Walk is at {place}, out of sight": place["seen"]
        for controller, place in seen["bake"].items()
    }
    for click in seen["clicked"]:
        checks[f"{click['button']} ended with {click['wrong']}"] = not click["wrong"]
    return checks | {
        f"only {len(seen['clicked'])} buttons were found to click": len(seen["clicked"]) > 12,
        f"Try Three Strides left {seen['strides']}": "three strides" in seen["strides"]["message"]
        and not seen["strides"]["keyed"],
        f"the search for Bake Walk left {seen['search']}": seen["search"]["baked"],
        f"Add > Curve > Ground Path left {seen['added']}": seen["added"]["path"] == seen["added"]["active"] != "",
        f"New Path, taken back, left {seen['undone']}": seen["undone"],
        f"Speed, dragged to its ends, shows {seen['dragged']}": seen["dragged"]["ends"] == seen["dragged"]["range"],
        f"a click on Add Gait Marker left {seen['markers']}": len(seen["markers"]) == 1,
    }


def _fields_checks(seen: dict[str, Any]) -> dict[str, bool]:
    """Return whether what was done in Adjust Style did what it should, by what is wrong otherwise."""
    dragged, typed, chosen = seen["dragged"], seen["typed"], seen["preset"]
    off = [path for path, value in chosen["numbers"].items() if abs(chosen["sliders"][path] - value) > _single(value)]
    return {
        f"a drag changed {dragged}": dragged["before"] < dragged["after"] < 1.0 and list(dragged["changed"]) == [WIDTH],
        f"I over the slider keyed {seen['keyed']}": seen["keyed"] == {KEYED: [[1.0, dragged["after"]]]},
        f"the button beside it left {seen['reset']}": seen["reset"] == {"after": dragged["before"], "changed": {}},
        f"a number typed changed {typed}": list(typed["changed"]) == [SLOUCH]
        and abs(typed["changed"][SLOUCH] - typed["number"]) <= _single(typed["number"]),
        f"Reset All left {seen['reset_all']}": seen["reset_all"] == {"after": typed["before"], "changed": {}},
        f"a click on {chosen['clicked']} chose {chosen['chosen']}": chosen["chosen"] == chosen["clicked"],
        f"the sliders do not follow the preset: {off}": bool(chosen["numbers"]) and not off,
    }


def _bake_checks(seen: dict[str, Any]) -> dict[str, bool]:
    """Return whether the choices at baking did what they should, by what is wrong otherwise."""
    checks = {
        f"clicks in the {what} menu on {seen[what]['clicked']} chose {seen[what]['chosen']}": (
            seen[what]["clicked"] == seen[what]["chosen"]
        )
        for what in ("onto", "keying")
    }
    first, second = seen["bakes"][:2]
    return checks | {
        f"clicks on Relax Hands: {seen['relax_hands']}": seen["relax_hands"] == [True, False, True],
        f"two bakes left {second['actions']}": first["actions"] == second["actions"] and len(second["actions"]) == 1,
        f"Result says of the skins {seen['skin']}": seen["skin"][0][1:] == ["Holds together"]
        and seen["skin"][1][0] == "Reached the end, but the skin is torn"
        and seen["skin"][1][1].startswith("Torn: 1 edge"),
        f"the scene ends at {first['end']}, then {second['end']}": first["end"]
        == first["last"]
        > second["last"]
        == second["end"],
        f"keys at {second['keys']} frames of {second['last']}": second["keys"] < second["last"],
        f"{second['fingers']} joints of fingers have keys": second["fingers"] > 8,
        f"the bake says {second['message']}": "replaces the last walk" in second["message"],
    }


def _scene_checks(seen: dict[str, Any]) -> dict[str, bool]:
    """Return whether what is met was drawn, footholds were planned, and two walks bumped, by what is wrong."""
    bar, stairs, cast = seen["bar"], seen["stairs"], (seen["metarig"], seen["Second"])
    return {
        f"what is met is drawn as {seen['drawn']}": set(seen["drawn"])
        == {"over", "under", "refused", "beside", "prop", "push", "wind"},
        f"with the wall aside it is drawn as {seen['moved']}": set(seen["moved"])
        == {"over", "under", "beside", "prop", "push", "wind"},
        "a second click on Draw in View leaves it on": seen["off"],
        f"the crate is a target: {seen['target']}, {seen['taking']}; undone: {seen['not_taken']}": seen["target"]
        and seen["taking"] == "PULL"
        and seen["not_taken"],
        f"over the bar {bar} is planned": bar["heights"] == [0.0]
        and bar["off"]
        and min(bar["places"]) < BAR < max(bar["places"]),
        f"on the stairs {stairs} is planned": len(stairs["heights"]) == STAIRS + 1 and stairs["off"],
        f"Bump Into Each Other is {seen['bump']}": seen["bump"],
        f"Bake All of two that bump says {seen['message']}": seen["message"].startswith("2 of 2 walks baked")
        and "in one world with" in seen["message"]
        and all(own["keyed"] for own in cast),
    }


def _shot_checks(seen: dict[str, Any]) -> dict[str, bool]:
    """Return whether a whole shot was made by clicks and baked at once, by what is wrong otherwise."""
    begin, end = JOGS
    jogs = [place for place in seen["flights"] if begin < place < end]
    return {
        f"the list has the rows {seen['rows']}": len(seen["rows"]) == len(SHOT_ROWS)
        and all(said in text for said, (text, _) in zip(SHOT_ROWS, seen["rows"], strict=True)),
        f"the list says {seen['wrong']}": not seen["wrong"],
        f"the shot's ground is {seen['ground']}": seen["ground"] == "Stairs",
        f"the shot ends with {seen['outcome']}: {seen['message']}": seen["outcome"] == "arrived"
        and seen["fallback"] in (None, "calmer"),
        f"the shot's styles are {seen['gaits']}": seen["gaits"] == "Sad, Happy, Jog, Natural",
        f"{seen['keys']} keys at {seen['frames']}, the scene ends at {seen['scene_end']}": seen["keys"] > 10_000
        and seen["frames"][1] == seen["scene_end"],
        f"flights are at {seen['flights']}": len(jogs) > 8 and seen["flights"][0] > begin,
        f"the crate is carried: {seen['carried']}, {seen['left_off_m']:.3f} m off": seen["carried"]
        and seen["left_off_m"] < 0.03,
        f"feet slide by {seen['slip_m']}": seen["slip_m"][0] < 0.003,
        f"one undo leaves walk {seen['undone']}, crate {seen['crate_back']}": seen["undone"] and seen["crate_back"],
    }


def _prints_checks(seen: dict[str, Any]) -> dict[str, bool]:
    """Return whether a footprint that was dragged became a foothold, by what is wrong otherwise."""
    return {
        f"{seen['prints']} footprints have handles": seen["prints"] > 10,
        f"a footprint was dragged to {seen['dragged']}": len(seen["dragged"]) == 1,
        f"the dragged footprint is {seen['states']}": seen["states"][0][0] == "HELD",
        f"undo left {seen['undone']} edited footprints, redo {seen['redone']}, Reset All {seen['reset']}": (
            seen["undone"], seen["redone"], seen["reset"],
        ) == (0, 1, 0),
    }  # fmt: skip


def _points_checks(seen: dict[str, Any]) -> dict[str, bool]:
    """Return whether what was done with points along the path did what it should, by what is wrong otherwise."""
    before, during, dragged, moved = seen["before"], seen["while_dragged"], seen["dragged"], seen["moved"]
    return {
        f"the plus added points at {seen['added']}": len(seen["added"]) == 2 and seen["added"][0] < seen["added"][1],
        f"a handle that was dragged is at {dragged}": abs(dragged["place"] - dragged["to"]) < 0.1
        and dragged["active"] == 0,
        f"the preview did not move with it: {before}, {during}": during["duration"] > before["duration"] + 1.0,
        f"undo and redo of a drag: {seen['undone']}, {seen['redone']}": seen["undone"] == before["place"]
        and seen["redone"] == dragged["place"],
        f"the arrow let points change places: {moved}": moved["after"] == moved["before"][::-1],
        f"the minus left {seen['left']} points, undo {seen['back']}": (seen["left"], seen["back"]) == (1, 2),
    }


def _styles_checks(saved: dict[str, Any], again: dict[str, Any]) -> dict[str, bool]:
    """Return whether styles of one's own were kept, and chosen in another Blender, by what is wrong otherwise."""
    checks = {"styles of three controllers": set(saved) == set(again) == {"generalized", "simbicon", "klaw"}}
    for controller, style in saved.items():
        kept = style["numbers"]
        off = [path for path, value in style["wanted"].items() if abs(kept[path] - value) > 1e-5 * max(1.0, abs(value))]
        checks[f"{controller}: saved as {style['label']!r}"] = style["own"] and style["label"] == f"My {controller}"
        checks[f"{controller}: other numbers were kept than the sliders showed: {off}"] = (
            len(style["wanted"]) == STYLE_SLIDERS and not off
        )
        checks[f"{controller}: no picture of the style was drawn"] = style["pictured"]
        found = again.get(controller, {})
        checks[f"{controller}: in the next Blender {found}"] = (
            found.get("chosen") == style["name"] and found.get("outcome") == "arrived" and bool(found.get("exported"))
        )
    return checks


def _make_style_checks(seen: dict[str, Any]) -> dict[str, bool]:
    """Return whether an action and poses became styles, and another character walked the first, by what is wrong."""
    action, poses, other = seen["action"], seen["poses"], seen["other"]
    return {
        f"the action is keyed at {seen['frames']}": seen["frames"][1] - seen["frames"][0] == 2,
        f"Make Style from Action left {action}": action["own"]
        and action["label"] == MADE_OF
        and action["description"].startswith(f"Made from {MADE_OF}, ")
        and action["action_kept"],
        f"Stabilise left {poses}": poses["own"]
        and poses["description"].startswith(f"Made from 3 poses of {MADE_OF}")
        and poses["action_kept"],
        f"another character walked it: {other}": other["chosen"] and other["outcome"] == "arrived",
    }


def _preview_checks(seen: dict[str, Any]) -> dict[str, bool]:
    """Return whether the preview showed, and its buttons did, what they should, by what is wrong otherwise."""
    begun, dragged, accepted, undone = seen["begun"], seen["dragged"], seen["accepted"], seen["undone"]
    x = [place[0] for place in seen["scrubbed"]]
    return {
        f"the preview begins with {seen['ghost']!r}": seen["ghost"].startswith("KLAW's steps"),
        f"it goes on with {begun}": begun["said"].startswith("Simulated to frame") and 0.0 < begun["progress"] < 1.0,
        f"it ends with {seen['whole']!r}": seen["whole"].startswith("Arrives at frame "),
        f"while the curve is dragged it says {dragged}": dragged["changed"]
        and dragged["said"].startswith("KLAW's steps"),
        f"the first picture comes after {dragged['first_picture_s']:.2f} s": dragged["first_picture_s"] < FIRST_PICTURE,
        f"the dragged one ends with {dragged['whole']!r}": dragged["whole"].startswith("Arrives at frame "),
        f"at other frames the body is at {x}": x == sorted(x) and x[-1] - x[0] > 1.0,
        f"Accept: {accepted}": accepted["keyed"]
        and accepted["more_processes"] == 0
        and not accepted["shown"]
        and accepted["off_mm"] < 1.0
        and accepted["off_deg"] < 0.1,
        f"one undo after Accept leaves {undone}": undone == {"keyed": False, "shown": True},
        f"Discard leaves {seen['discarded']}": not any(seen["discarded"].values()),
        f"without its armature it is {seen['deleted']}": not seen["deleted"]["drawn"] and not seen["deleted"]["runs"],
        f"in another file it is {seen['other_file']}": not any(seen["other_file"].values()),
        f"processes {seen['left']} are left": not seen["left"],
    }


def _mischief_checks(seen: dict[str, Any]) -> dict[str, bool]:
    """Return whether what was cancelled, killed and undone left the scene as it was, by what is wrong otherwise."""
    said = dict(seen["tested"])
    return {
        f"cancelled, killed, undone: {seen['wrong'][:5]}": not seen["wrong"],
        f"rounds: {seen['rounds']}": min(seen["rounds"].values()) > 0,
        f"Test, good: {said['good']}": "it works. It walks a second in" in said["good"],
        f"Test, without PyBullet: {said['without PyBullet']}": "cannot load pybullet" in said["without PyBullet"],
        f"Test, nothing: {said['nothing']}": "Cannot start the Python /nowhere/python" in said["nothing"],
    }


def _runs_checks(seen: dict[str, Any]) -> dict[str, bool]:
    """Return whether characters were baked, and a bake cancelled, as it should be, by what is wrong otherwise."""
    said = dict(seen["messages"])
    return {
        f"Bake All: {said['baked']!r}": said["baked"].startswith("2 of 2 walks baked."),
        f"Bake All wrote {seen['written']}": len(seen["written"]) == 2 and all(seen["written"].values()),
        f"the progress is {seen['text']!r}": seen["text"].startswith("Simulating 2 Characters: "),
        f"the cancel button is {seen['button']!r}": seen["button"].startswith("bpy.ops.biped.cancel("),
        f"a click on it: {said['click']!r}": said["click"].startswith("The walks were cancelled"),
        f"Esc over the sidebar: {said['esc']!r}": said["esc"].startswith("The walks were cancelled"),
        "Esc over the 3D view cancelled": seen["esc_over_view"],
        "Esc while playing cancelled, or did not stop playing": seen["esc_while_playing"],
        f"{seen['actions']} actions after what was cancelled": seen["actions"] == 0,
        "undo does not take all walks back at once": seen["undone"],
    }


def _single(value: float) -> float:
    """Return what Blender may be off a number, which it keeps in single precision."""
    return 1e-6 * max(1.0, abs(value))


def _soonest(tries: list[dict[str, Any]]) -> float:
    """Return the shortest time that an end took, seconds."""
    return min(float(ended["seconds"]) for ended in tries)


def main(arguments: Sequence[str]) -> int:
    """Run the command line; return 0, 1 when something is wrong, 2 when it cannot be tried."""
    zip_file = Path(arguments[0]) if arguments else newest_zip()
    out = Path(arguments[1]) if len(arguments) > 1 else ROOT / "out" / "gui"
    if not TOOL.exists() or zip_file is None or not zip_file.exists():
        print(f"Needs {TOOL} and a zip: python3 build.py package", file=sys.stderr)
        return 2
    try:
        result = try_out(zip_file, out)
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1
    found = wrongs(result, out)
    for what in found:
        print(f"WRONG: {what}")
    print(
        f"{result['blender']}: {result['keys']} keyframes; Esc {_soonest(result['esc']):.2f} s, "
        f"Cancel {_soonest(result['cancel']):.2f} s, longest stall {result['stall_s']:.2f} s of its own, "
        f"{result['passed_s']:.2f} s with what other programs took; pictures in {out}"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
