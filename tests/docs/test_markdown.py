"""What is read out of pages of Markdown."""

from __future__ import annotations

from tools.docs.markdown import anchors, links, relinked, rows

PAGE = """# One `thing`, two

[a
link](b.md#c) and ![d](e.png), not `[f](g.md)`

```
[h](i.md)
```

## One `thing`, two
"""


def test_links_are_moved_and_code_is_left() -> None:
    moved = relinked(PAGE, lambda link: f"x/{link}")
    assert links(moved) == ["x/b.md#c", "x/e.png"]
    assert "`[f](g.md)`" in moved and "[h](i.md)" in moved
    assert relinked(PAGE, lambda link: link) == PAGE


def test_headings_of_one_text_have_anchors_of_their_own() -> None:
    assert anchors(PAGE) == ["one-thing-two", "one-thing-two-1"]


def test_rows_are_read_by_their_heads() -> None:
    text = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | |\n\n| c |\n|---|\n| 4 |\n"
    assert rows(text) == [{"a": "1", "b": "2"}, {"a": "3", "b": ""}, {"c": "4"}]
