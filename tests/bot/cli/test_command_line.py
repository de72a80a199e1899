"""Commands of `parlour`, known and unknown."""

from __future__ import annotations

import pytest

from bot.cli import COMMANDS, main


def test_a_command_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["chekc"])
    out, errors = capsys.readouterr()
    assert ended.value.code == 2
    assert not out
    assert "'chekc'" in errors.splitlines()[-1]
    assert "'check'" in errors.splitlines()[-1]


def test_help_names_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert all(f"    {command}" in shown for command in COMMANDS)
