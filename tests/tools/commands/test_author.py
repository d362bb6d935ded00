"""The command that makes gaits: what it refuses."""

from tools.commands import author


def test_the_command_says_what_is_wrong(capsys, tmp_path):
    assert author.main([str(tmp_path / "none.json")]) == 2
    assert "none.json" in capsys.readouterr().err
