"""Runs inside a real Blender with a window: two characters baked by a click, cancelled by a click, and by Esc."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import bpy
from in_hands import (
    Steps,
    command_under_pointer,
    extension,
    height,
    inside,
    mouse,
    photograph,
    scroll,
    settled,
    show_tab,
    sidebar,
    until,
    window,
)

status = extension("ui.base.status").status
mapping = extension("ui.job.mapping")
LENGTH = 60.0  # m of path: long enough to look at it
FIRST = "metarig"
result: dict[str, Any] = {"messages": [], "written": {}}


def steps() -> Steps:
    """Cancel by a click and by Esc, play meanwhile, and bake to the end."""
    second_character()
    yield from show_tab()
    _, high = yield from right_button_of("biped.bake_walk")  # where Cancel will be
    place = yield from right_button_of("biped.bake_all")
    yield from begun(place)
    yield from until(lambda: status.progress > 0.02)
    result["text"], result["button"] = status.text, ""
    photograph("9-bake-all")
    for far in (44, 40, 34, 48, 28, 52):  # pixels from the sidebar's edge, where its tabs are
        beside = (sidebar().x + sidebar().width - far, high)
        mouse("mousemove", beside[0] - 3, beside[1])
        yield 0.2  # not until Blender has no more to do: the simulation would be at its end
        mouse("mousemove", *beside)
        yield 0.3
        result["button"] = command_under_pointer()
        if result["button"].startswith("bpy.ops.biped.cancel("):
            break
    mouse("click", 1)
    yield from ended("click")

    place = yield from right_button_of("biped.bake_all")  # the message has moved it
    yield from begun(place)
    mouse("mousemove", 500, 450)
    yield 0.3
    mouse("key", "Escape")  # over the 3D view
    yield 0.5
    result["esc_over_view"] = status.work is not None
    bpy.ops.screen.animation_play()
    yield 0.5
    mouse("mousemove", place[0], place[1] + 150, "key", "Escape")  # over the sidebar, but it plays
    yield from until(lambda: not window().screen.is_animation_playing, 5.0)
    result["esc_while_playing"] = status.work is not None and not window().screen.is_animation_playing
    photograph("9-esc-while-playing")
    mouse("mousemove", place[0], place[1] + 160)
    yield 0.3
    mouse("key", "Escape")
    yield from ended("esc")
    result["actions"] = len(bpy.data.actions)

    for armature in mapping.characters(bpy.context.scene):
        armature.biped.walk.path.scale = (0.2, 0.2, 0.2)
    place = yield from right_button_of("biped.bake_all")
    yield from begun(place)
    yield from until(lambda: status.work is None or status.work.exclusive)
    photograph("9-writing")
    yield from ended("baked")
    photograph("9-all-baked")
    for armature in mapping.characters(bpy.context.scene):
        data = armature.animation_data
        result["written"][armature.name] = len(data.action.fcurves) if data and data.action else 0
    inside(next(a for a in window().screen.areas if a.type == "VIEW_3D"), lambda: bpy.ops.ed.undo())
    yield 0.7
    result["undone"] = not bpy.data.actions and not status.message
    photograph("9-undone")


def second_character() -> None:
    """Stretch the path, and give another character one beside it."""
    first = bpy.data.objects[FIRST]
    first.biped.walk.path = straight("One", 0.0)
    second = first.copy()
    second.data = first.data.copy()
    second.name = "Second"
    second.location.y += 3.0
    bpy.context.scene.collection.objects.link(second)
    second.biped.walk.path = straight("Two", 3.0)
    bpy.context.view_layer.objects.active = first
    bpy.ops.ed.undo_push(message="Two characters")


def straight(name: str, aside: float) -> Any:
    """Return a straight curve."""
    data = bpy.data.curves.new(name, "CURVE")
    spline = data.splines.new("POLY")
    spline.points.add(1)
    for point, x in zip(spline.points, (0.0, LENGTH), strict=True):
        point.co = (x, aside, 0.0, 1.0)
    curve = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(curve)
    return curve


def right_button_of(operator: str) -> Generator[float, None, tuple[int, int]]:
    """Move the pointer down the right half of the sidebar over an operator's button; return a place on it."""
    region = sidebar()
    x, top = region.x + round(0.75 * region.width), height() - (region.y + region.height)
    for far in (0, 20, -40):  # where it is, at the end, or on top
        if far:
            yield from scroll(far)
        for y in range(top + region.height - 10, top + 10, -10):
            mouse("mousemove", x, y)
            yield from settled(0.05)
            if command_under_pointer().startswith(f"bpy.ops.{operator}("):
                return x, y - 5
    raise AssertionError(f"{operator} is not in the sidebar")


def begun(place: tuple[int, int]) -> Steps:
    """Click Bake All, and wait until it runs."""
    mouse("mousemove", place[0] - 3, place[1])
    yield from settled(0.3)
    mouse("mousemove", *place)
    yield from settled(0.3)
    mouse("click", 1)
    yield from until(lambda: status.work is not None, 10.0)


def ended(way: str) -> Steps:
    """Wait until nothing is computed any more; note the message."""
    yield from until(lambda: status.work is None)
    yield 0.5
    photograph(f"9-{way}")
    result["messages"].append([way, status.message])
