"""The program on the page of the games, which checks the dice of a game."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from bot.table.dice import Dice
from bot.table.seats import Word
from tests.bot.process import ROOT

SECRET = bytes(range(32))


def program() -> str:
    """The program in the page's section on the dice."""
    page = (ROOT / "bot/games/README.md").read_text("utf-8")
    section = page.partition("\n## Checking the dice\n")[2].partition("\n## ")[0]
    [code] = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    return str(code)


def run(code: str, folder: Path) -> dict[str, Any]:
    """Run a program and return its names."""
    file = folder / "check.py"
    file.write_text(code, "utf-8")
    return runpy.run_path(str(file))


def test_the_printed_program_finds_its_example_fair(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rolls = run(program(), tmp_path)["rolls"]
    lines = [f"{roll.replace('=', ' ')} True" for roll in rolls.split()]
    assert capsys.readouterr().out.splitlines() == ["secret True", *lines]


def test_the_printed_program_finds_an_altered_roll_and_another_secret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = run(program(), tmp_path)
    other = names["rolls"][:-1] + str(int(names["rolls"][-1]) % 6 + 1)
    capsys.readouterr()
    run(program().replace(names["rolls"], other), tmp_path)
    *fitting, last = capsys.readouterr().out.splitlines()
    assert all(line.endswith("True") for line in fitting)
    assert last.endswith("False")
    run(program().replace(names["secret"].hex(), "00" * 32), tmp_path)
    assert capsys.readouterr().out.startswith("secret False")


def test_the_printed_program_checks_dice_of_the_second_version_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = run(program(), tmp_path)
    old = program().replace('"3:', '"2:').replace("plum,", ",")
    rolls = "0=6 1=1 2=2 3=3 5=4 6=1 7=5 9=4"
    capsys.readouterr()
    run(old.replace(names["rolls"], rolls), tmp_path)
    assert "False" not in capsys.readouterr().out


@pytest.mark.parametrize("secret", [None, SECRET, bytes(32)])
def test_the_printed_program_rolls_what_dice_roll(secret: bytes | None, tmp_path: Path) -> None:
    """In 5,000 rolls some 80 skip a byte."""
    code = program()
    shown_secret = run(code, tmp_path)["secret"]
    secret = secret or shown_secret
    names = run(code.replace(shown_secret.hex(), secret.hex()), tmp_path)
    dice, session = Dice(secret, board=names["message"]), names["session"]
    assert names["words"] == "plum,caf%C3%A9"
    words, plies = (None, Word.of("café"), Word.of("plum")), range(5000)
    assert [names["roll"](ply) for ply in plies] == [
        dice.pips(session, ply, words) for ply in plies
    ]
