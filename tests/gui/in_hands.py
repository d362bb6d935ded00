"""Hands, eyes and a clock inside a real Blender with a window, for the scripts that try it as a person does.

What a script does is a generator that a timer drives, so that Blender's own event loop runs between its steps.
"""

from __future__ import annotations

import importlib
import json
import math
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import bpy

OUT, MODULE = Path(sys.argv[-2]), sys.argv[-1]
SCALE = 0.85  # of the user interface: the whole tab in view

HEADING = 1.4  # rows that a heading and the line below it take

EVEN_COLUMNS = 20  # items from which Blender gives a menu one more column
WIDEST = 8  # rows that a menu reaches beyond the sidebar at most

LONG = 120.0  # s, until what was begun has ended
SECTIONS = ("Style", "Path and Points", "Takes", "Scene", "Baking")  # below the switch of the preview, in their order

SIGHTS, FARTHER = 4, 6
"""How often a button is looked for, and notches that the wheel is turned by in between."""

SHARES = (0.5, 0.25, 0.82, 0.87, 0.9)
"""Where across the sidebar a button is: a wide one, one of two, or a small one at the end of a row."""

Steps = Generator[float, None, None]
"""Yields seconds to wait."""

_found: dict[tuple[int, str, int], int] = {}  # pixel at which a menu's column was clicked
_seen: dict[str, tuple[int, int]] = {}  # where a button was when it was last looked for


def extension(module: str) -> Any:
    """Return a module of the installed extension, by its name within that."""
    return importlib.import_module(f"{MODULE}.{module}")


def drive(steps: Steps, result: dict[str, Any], name: str) -> None:
    """Do the steps; write the result as ``name``.json and quit after the last one."""

    def step() -> float | None:
        try:
            return next(steps)
        except StopIteration:
            (OUT / f"{name}.json").write_text(json.dumps(result, indent=2), encoding="utf-8")
        except BaseException:
            traceback.print_exc()
            photograph("0-failed")
        sys.stdout.flush()
        bpy.ops.wm.quit_blender()
        return None

    bpy.app.timers.register(step, first_interval=1.0, persistent=True)


def click(x: int, y: int) -> Steps:
    """Click at a place of the screen, after a move: Blender highlights what the pointer moves onto."""
    mouse("mousemove", x - 3, y)
    yield from settled(0.25)
    mouse("mousemove", x, y)
    yield from settled(0.35)
    mouse("click", 1)
    yield from settled(0.5)


def type_number(place: tuple[int, int], number: float) -> Steps:
    """Double-click a number at a place of the screen, and type another one."""
    x, y = place
    mouse("mousemove", x - 3, y)
    yield from settled(0.25)
    mouse("mousemove", x, y)
    yield from settled(0.35)
    mouse("click", "--repeat", 2, "--delay", 60, 1)
    yield from settled(0.5)
    mouse("key", "ctrl+a", "type", "--delay", 30, f"{number:g}")
    yield from settled(0.5)
    mouse("key", "Return")
    yield from settled(0.5)


def drag(x: int, y: int, far: int) -> Steps:
    """Drag what is at a place to the right, pixels."""
    mouse("mousemove", x - 3, y)
    yield from settled(0.25)
    mouse("mousemove", x, y)
    yield from settled(0.35)
    mouse("mousedown", 1)
    for _ in range(8):
        yield from settled(0.05)
        mouse("mousemove_relative", "--", far // 8, 0)  # Blender brings the pointer back to where it was while it drags
    yield from settled(0.2)
    mouse("mouseup", 1)
    yield from settled(0.5)


def choose(place: tuple[int, int], items: Any, name: str, chosen: Callable[[], str], picture: str = "") -> Steps:
    """Open the menu at a place and click its item of a name; photograph it before, where there is a name for that.

    items: of the menu, headings among them. chosen: what is chosen. How wide a column is only the eye knows: the
    pointer clicks its way from the right until the item is chosen, the first time.
    """
    columns = columns_of(items)
    k = next(i for i, column in enumerate(columns) if name in column)
    heading = HEADING * row() if any(not item[0] for item in items) else 0.0
    yield from click(*place)
    if picture:
        photograph(picture)
    y = round(place[1] + heading + (columns[k].index(name) + 1) * row())
    if k == 0:
        yield from click(place[0], y)
        return
    column = (place[0], str(columns), k)
    x = _found.get(column, sidebar().x + sidebar().width + WIDEST * row())
    while chosen() != name:
        yield from click(x, y)
        if chosen() != name:
            mouse("key", "Escape")  # if the menu is still open
            yield from settled(0.3)
            x -= 2 * row()
            assert x > place[0], f"{name} is not in the menu"
            yield from click(*place)
    _found[column] = x


def columns_of(items: Any) -> list[list[str]]:
    """Return the names of a menu's items by column: a heading begins one; without headings Blender makes even ones."""
    names = [item[0] for item in items if item[0]]
    if all(item[0] for item in items):
        rows = math.ceil(len(names) / (len(names) // EVEN_COLUMNS + 1))
        return [names[i : i + rows] for i in range(0, len(names), rows)]
    columns: list[list[str]] = [[]]
    for item in items:
        if not item[0]:
            columns.append([])
        else:
            columns[-1].append(item[0])
    return [column for column in columns if column]


def row() -> int:
    """Return the pixels from one item of a menu to the next: Blender's widget unit, and a gap."""
    system = bpy.context.preferences.system
    return round(18.0 * system.ui_scale) + 3 * int(system.pixel_size)


def scroll(notches: int) -> Steps:
    """Turn the wheel over the sidebar, down, or up for less than 0."""
    region = sidebar()
    place = (region.x + 40, height() - (region.y + region.height // 2))
    mouse("mousemove", *place, "click", "--repeat", abs(notches), 5 if notches > 0 else 4)
    yield from settled(0.5)
    mouse("mousemove", 700, 450)
    yield from settled(0.5)


def settled(seconds: float) -> Steps:
    """Wait, and then until Blender has no more to do: until it calls several times at the time that it was given."""
    yield seconds
    on_time = 0
    while on_time < 3:
        asleep = time.monotonic()
        yield 0.03
        on_time = on_time + 1 if time.monotonic() - asleep < 0.1 else 0


def until(done: Callable[[], bool], seconds: float = LONG, pause: float = 0.05) -> Steps:
    """Wait for something, for so many seconds at most. pause: s between two looks."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, f"waited too long; the panel says {extension('ui.base.status').status.message!r}"
        yield pause


def done_with_work(seconds: float = LONG, begins: float = 1.0) -> Steps:
    """Wait until nothing is simulated or written any more. begins: s until what was pressed has begun."""
    status = extension("ui.base.status").status
    yield begins
    yield from until(lambda: not status.work, seconds, 0.1)


def run_queue_times() -> dict[str, float]:
    """Return how long each thread of Blender has waited for a processor since it began, seconds, by its number."""
    found = {}
    for file in Path("/proc/self/task").glob("*/schedstat"):
        try:
            found[file.parent.name] = 1e-9 * float(file.read_text(encoding="ascii").split()[1])
        except OSError:  # a thread that has ended meanwhile
            continue
    return found


def longest_wait(before: dict[str, float], after: dict[str, float]) -> float:
    """Return the longest time that a thread waited for a processor between two looks at ``run_queue_times``, seconds.

    A thread that sleeps, or waits for another process, does not wait for a processor.
    """
    return max((time - before[thread] for thread, time in after.items() if thread in before), default=0.0)


def place_of(name: str, below: int = 0) -> Generator[float, None, tuple[int, int]]:
    """Move the pointer down the sidebar over the button of a property; return that button's middle.

    What is not in sight is looked for farther down. below: where on the screen to begin with, pixels from above.
    """
    for _ in range(SIGHTS):
        place = yield from _seen_place(name, below)
        if place:
            return place
        yield from scroll(FARTHER)
    raise AssertionError(f"{name} is not in the sidebar")


def place_of_menu(name: str, items: Any, below: int = 0) -> Generator[float, None, tuple[int, int]]:
    """Return the middle of a menu's button as ``place_of`` does, after the menu's items have room below it.

    Where they have none, Blender opens the menu upwards.
    """
    place = yield from place_of(name, below)
    if place[1] + (max(len(column) for column in columns_of(items)) + HEADING + 2) * row() > height():
        yield from scroll(FARTHER)
        place = yield from place_of(name)
    return place


def _seen_place(name: str, below: int) -> Generator[float, None, tuple[int, int] | None]:
    """Return the middle of the button of a property that is in sight, None where none is.

    It is looked for where it was before, and then in the whole sidebar.
    """
    region = sidebar()
    x, top = region.x + round(0.75 * region.width), height() - (region.y + region.height)
    mouse("mousemove", 700, 450)  # away from what was clicked last
    yield from settled(0.5)
    begin, end = max(top + 10, below), top + region.height - 10
    for first, last in (*_around(name, begin, end), (begin, end)):
        place = yield from _between(name, x, first, last)
        if place:
            _seen[name] = place
            return place
    return None


def _around(name: str, begin: int, end: int) -> list[tuple[int, int]]:
    """Return from where to where a button is to be looked for first, which was seen before: as far as lines move it."""
    if name not in _seen or not begin <= _seen[name][1] < end:
        return []
    y = _seen[name][1]
    return [(max(begin, y - row()), min(end, y + 2 * row()))]


def _between(name: str, x: int, first: int, last: int) -> Generator[float, None, tuple[int, int] | None]:
    """Return the middle of the button of a property that begins between two places, None where none does."""
    over: list[int] = []
    y = first
    while y < last or over:
        mouse("mousemove", x, y)
        yield from settled(0.05)
        if hovered() == name:
            over.append(y)
        elif over:
            return x, (over[0] + over[-1]) // 2
        y += 3 if over else 8  # a button is more than 8 high
    return None


def toggle_section(label: str) -> Steps:
    """Click the header of one of the panels below Walk, while all above it are closed: it opens, or closes again.

    The preview, which draws more between its switch and the headers, is off meanwhile.
    """
    kept = bpy.context.scene.biped
    shown, kept.show_preview = kept.show_preview, False
    yield from settled(0.5)
    x, y = yield from place_of("show_preview")
    yield from click(x, y + round((1.5 + 1.2 * SECTIONS.index(label)) * row()))
    kept.show_preview = shown
    yield from settled(0.5)


def button_of(operator: str) -> Generator[float, None, tuple[int, int]]:
    """Move the pointer down the sidebar over the button of an operator; return that button's middle."""
    region = sidebar()
    top = height() - (region.y + region.height)
    mouse("mousemove", 700, 450)
    yield from settled(0.5)
    whole = range(top + 10, top + region.height - 10, 6)
    looks = [(region.x + round(share * region.width), whole) for share in SHARES]
    if operator in _seen:
        x, y = _seen[operator]
        looks.insert(0, (x, range(max(top + 10, y - row()), min(top + region.height - 10, y + row()), 6)))
    for x, down in looks:
        for y in down:
            mouse("mousemove", x, y)
            yield from settled(0.05)
            if command_under_pointer().startswith(f"bpy.ops.{operator}("):
                _seen[operator] = x, y + 4
                return x, y + 4
    raise AssertionError(f"{operator} is not in the sidebar")


def command_under_pointer() -> str:
    """Return the call of the operator whose button is under the pointer in the sidebar, "" for none."""
    manager = bpy.context.window_manager
    with bpy.context.temp_override(window=window(), area=view(), region=sidebar()):
        if not bpy.ops.ui.copy_python_command_button.poll():
            return ""
        manager.clipboard = ""
        try:
            bpy.ops.ui.copy_python_command_button()
        except RuntimeError:
            return ""
    return str(manager.clipboard)


def hovered() -> str:
    """Return the name of the property whose button is under the pointer in the sidebar, "" for none."""
    with bpy.context.temp_override(window=window(), area=view(), region=sidebar()):
        found = bpy.context.property
    return found[1].rpartition(".")[2] if found else ""


def window() -> Any:
    """Return the window."""
    return bpy.context.window_manager.windows[0]


def height() -> int:
    """Return the window's height: Blender counts pixels from below, the pointer from above."""
    return int(window().height)


def sidebar() -> Any:
    """Return the 3D view's sidebar."""
    return next(r for r in view().regions if r.type == "UI")


def view() -> Any:
    """Return the 3D view."""
    return next(a for a in window().screen.areas if a.type == "VIEW_3D")


def show_tab() -> Steps:
    """Open the sidebar, make it wide enough to read, and turn its tabs with Ctrl and the wheel to the extension's."""
    bpy.context.preferences.view.ui_scale = SCALE
    yield 2.0
    area = view()
    area.spaces.active.show_region_ui = True
    view_all()
    yield 1.0
    region = sidebar()
    edge, middle = region.x, height() - (region.y + region.height // 2)
    mouse("mousemove", edge, middle, "mousedown", 1)
    for left in range(20, 161, 20):
        mouse("mousemove", edge - left, middle)
        yield 0.1
    mouse("mouseup", 1)
    yield 0.5
    for _ in range(10):
        if region.active_panel_category == "Biped":
            break
        mouse("mousemove", region.x + region.width - 10, middle, "keydown", "ctrl", "click", 5, "keyup", "ctrl")
        yield 0.3
    assert region.active_panel_category == "Biped", region.active_panel_category
    mouse("mousemove", 700, 450)
    yield 1.0


def mouse(*what: Any) -> None:
    """Move and press as a hand does."""
    subprocess.run(["xdotool", *map(str, what)], check=True)


def inside(area: Any, operator: Callable[[], Any]) -> None:
    """Call an operator as if the mouse were in the middle of an area."""
    region = next(r for r in area.regions if r.type == "WINDOW")
    with bpy.context.temp_override(window=window(), area=area, region=region):
        operator()


def view_all() -> None:
    """Bring everything into view."""
    inside(view(), bpy.ops.view3d.view_all)


def photograph(name: str) -> None:
    """Take a picture of the screen."""
    subprocess.run(["import", "-window", "root", str(OUT / f"{name}.png")], check=True)
