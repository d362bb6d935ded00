"""Runs inside a real Blender with a window: adjusts styles by the pointer and the keyboard in Adjust Style."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import bpy
from in_hands import (
    Steps,
    button_of,
    choose,
    click,
    drag,
    extension,
    hovered,
    mouse,
    photograph,
    place_of,
    row,
    scroll,
    settled,
    show_tab,
    sidebar,
    toggle_section,
    type_number,
)

fields = extension("ui.settings.fields")
walk_of = extension("ui.job.mapping").walk_of
menus = extension("ui.settings.menus")

DRAGGED = "gait_width"  # generalized walking's; the first of its first group
TYPED = "manner_slouch"  # KLAW's, an angle; in its first group
ANGLE = 45.0  # degrees, typed
result: dict[str, Any] = {}


def steps() -> Steps:
    """Open the panel, drag, key, reset, type, reset all, and choose another preset."""
    yield from show_tab()
    yield from open_panel()
    yield from drag_key_and_reset()
    yield from look_at("simbicon")
    yield from look_at("klaw")
    yield from type_and_reset_all()
    yield from choose_another()


def open_panel() -> Steps:
    """Click the header of Style, with generalized walking: Adjust Style is open in it."""
    settings().controller = "generalized"
    yield from settled(1.0)
    yield from toggle_section("Style")
    yield from settled(1.0)
    yield from scroll(8)
    photograph("9-fields-generalized")


def drag_key_and_reset() -> Steps:
    """Drag a slider of generalized walking, press I over it, and click the button beside it."""
    place = yield from place_of(DRAGGED)
    result["dragged"] = {"before": scene_holds(DRAGGED)}
    yield from drag(*place, 60)
    result["dragged"] |= {"after": scene_holds(DRAGGED), "changed": fields.changed_numbers(settings())}
    place = yield from place_of(DRAGGED)  # the line that counts the changes has moved it
    mouse("mousemove", place[0] - 3, place[1])
    yield from settled(0.3)
    mouse("mousemove", *place)
    yield from settled(0.3)
    mouse("key", "i")
    yield from settled(0.5)
    result["keyed"] = keys()
    photograph("9-fields-keyed")
    yield from click(*(yield from beside(DRAGGED, place)))
    result["reset"] = {"after": scene_holds(DRAGGED), "changed": fields.changed_numbers(settings())}


def look_at(controller: str) -> Steps:
    """Choose a controller and photograph its sliders."""
    settings().controller = controller
    yield from settled(1.0)
    photograph(f"9-fields-{controller}")


def type_and_reset_all() -> Steps:
    """Double-click one of KLAW's sliders, type a number, and click Reset All."""
    place = yield from place_of(TYPED)
    result["typed"] = {"number": ANGLE, "before": scene_holds(TYPED)}
    yield from type_number(place, ANGLE)
    result["typed"] |= {"after": scene_holds(TYPED), "changed": fields.changed_numbers(settings())}
    photograph("9-fields-typed")
    yield from click(*(yield from button_of("biped.reset_fields")))
    result["reset_all"] = {"after": scene_holds(TYPED), "changed": fields.changed_numbers(settings())}


def choose_another() -> Steps:
    """Choose KLAW's last preset by clicks in the menu: the sliders follow."""
    items = menus.preset_menu("klaw")
    names = [item[0] for item in items if item[0]]
    yield from scroll(-30)
    place = yield from place_of("preset")
    yield from choose(place, items, names[-1], lambda: str(settings().preset_name))
    kind = fields.kind_chosen(settings())
    values = extension("control.registry").preset("klaw", names[-1]).values
    result["preset"] = {
        "clicked": names[-1],
        "chosen": settings().preset_name,
        "numbers": kind.numbers(values),
        "sliders": {s.path: fields.from_slider(s, scene_holds(fields.slider_name(s))) for s in kind.sliders},
    }
    yield from scroll(8)
    photograph("9-fields-preset")


def beside(name: str, place: tuple[int, int]) -> Generator[float, None, tuple[int, int]]:
    """Return the middle of the small button that stands right of a property's own."""
    x, y = place
    while hovered() == name:
        assert x < sidebar().x + sidebar().width, f"there is no button beside {name}"
        x += 2
        mouse("mousemove", x, y)
        yield from settled(0.05)
    return x + row() // 2, y


def settings() -> Any:
    """Return what the panel sets."""
    return walk_of(bpy.context)


def scene_holds(name: str) -> float:
    """Return the value of a slider of the chosen controller."""
    value: float = getattr(getattr(settings(), f"fields_{settings().controller_name}"), name)
    return value


def keys() -> dict[str, list[list[float]]]:
    """Return the character's keyframes, frame and value, by data path."""
    data = bpy.context.object.animation_data
    action = data and data.action
    return {curve.data_path: [list(p.co) for p in curve.keyframe_points] for curve in action.fcurves} if action else {}
