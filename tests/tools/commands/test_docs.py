"""build.py docs: what it says of a site that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.commands import docs
from tools.docs import site


def test_a_wrong_link_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def build(out: Path, films: Path) -> None:
        out.mkdir()
        (out / "index.html").write_text('<a href="gone.html">', encoding="utf-8")

    monkeypatch.setattr(site, "build", build)
    assert docs.main(["--out", str(tmp_path / "site")]) == 2
    said = capsys.readouterr()
    assert "index.html: gone.html leads nowhere" in said.err and "1 links are wrong" in said.out


def test_a_site_that_cannot_be_made_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def build(out: Path, films: Path) -> None:
        raise site.SiteError("a page is in no list")

    monkeypatch.setattr(site, "build", build)
    assert docs.main(["--out", str(tmp_path / "site")]) == 2
    assert "docs: a page is in no list" in capsys.readouterr().err
