"""`parlour verify-dice`, from the words of the command line to the exit code."""

from __future__ import annotations

import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.cli import main
from bot.table.dice import Dice, rolls_in, shown
from tests.bot.process import ROOT, environment

DICE = Dice(bytes(range(32)))
SESSION = 17
GIVEN = ["--session", str(SESSION), "--commitment", DICE.commitment]
GAME = [(ply, DICE.pips(SESSION, ply)) for ply in (0, 1, 2, 4, 7, 8, 10)]


def verify(*words: str) -> int:
    return main(["verify-dice", *words])


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What is said of words that cannot be used, in the last line."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    out, errors = capsys.readouterr()
    assert ended.value.code == 2
    assert not out
    return errors.splitlines()[-1]


def test_the_rolls_of_a_fair_game_fit(capsys: pytest.CaptureFixture[str]) -> None:
    assert verify("--secret", DICE.secret.hex(), *GIVEN, "--rolls", shown(GAME)) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "The secret fits the commitment."
    assert said[1:-1] == [f"ply {ply}: {pips}, as the secret says" for ply, pips in GAME]
    assert said[-1] == "The rolls fit the secret."


def test_digits_may_be_capitals(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--secret", DICE.secret.hex().upper(), "--commitment", DICE.commitment.upper()]
    assert verify(*words, "--session", str(SESSION)) == 0
    assert "does not" not in capsys.readouterr().out


@pytest.mark.parametrize("altered", range(len(GAME)))
def test_an_altered_roll_is_found(altered: int, capsys: pytest.CaptureFixture[str]) -> None:
    ply, due = GAME[altered]
    rolls = [*GAME[:altered], (ply, due % 6 + 1), *GAME[altered + 1 :]]
    assert verify("--secret", DICE.secret.hex(), *GIVEN, "--rolls", shown(rolls)) == 1
    said = capsys.readouterr().out.splitlines()
    assert f"ply {ply}: {due % 6 + 1}, but the secret says {due}" in said
    assert said[-1] == f"1 of {len(GAME)} rolls do not fit."


def test_another_secret_is_found_even_if_it_rolls_the_same(
    capsys: pytest.CaptureFixture[str],
) -> None:
    other = Dice(bytes(32))
    rolls = shown((ply, other.pips(SESSION, ply)) for ply in range(20))
    assert verify("--secret", other.secret.hex(), *GIVEN, "--rolls", rolls) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0] == (
        f"The secret does not fit the commitment: its SHA-256 is {other.commitment}."
    )
    assert said[-1] == "The rolls fit the secret."


def test_the_rolls_of_another_game_do_not_fit(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--secret", DICE.secret.hex(), "--commitment", DICE.commitment, "--session", "18"]
    assert verify(*words, "--rolls", shown(GAME)) == 1
    assert "do not fit" in capsys.readouterr().out


@pytest.mark.parametrize(("secret", "code"), [(DICE.secret, 0), (bytes(32), 1)])
def test_without_rolls_the_first_100_plies_are_rolled(
    secret: bytes, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify("--secret", secret.hex(), *GIVEN) == code
    *_, ten_lines = capsys.readouterr().out.partition("rolled:\n")
    assert rolls_in(ten_lines) == tuple(
        (ply, Dice(secret).pips(SESSION, ply)) for ply in range(100)
    )


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("--secret", "abc", "a secret has 64 hexadecimal digits, 'abc' has not."),
        ("--secret", "g" * 64, "a secret has 64 hexadecimal digits"),
        ("--secret", DICE.secret.hex(" "), "a secret has 64 hexadecimal digits"),
        ("--commitment", DICE.commitment[1:], "a commitment has 64 hexadecimal digits"),
        ("--session", "seventeen", "'seventeen' is not the number of a game."),
        ("--session", "-1", "--session"),
        ("--rolls", "0=4 1:2", "'1:2' is not a roll; a roll is PLY=PIPS, such as 7=6."),
        ("--rolls", "0=9", "a die shows 1 to 6."),
        ("--rolls", "", "no rolls are given."),
    ],
)
def test_what_cannot_be_checked_is_explained(
    option: str, value: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = {
        "--secret": DICE.secret.hex(),
        "--session": str(SESSION),
        "--commitment": DICE.commitment,
        option: value,
    }
    said = refusal(capsys, "verify-dice", *(word for pair in words.items() for word in pair))
    assert said.startswith("parlour verify-dice: error: ")
    assert option in said
    assert why in said


def test_what_is_missing_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    said = refusal(capsys, "verify-dice", "--secret", DICE.secret.hex())
    assert "--session" in said
    assert "--commitment" in said


def test_a_command_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    said = refusal(capsys, "verify-die")
    assert "'verify-die'" in said
    assert "'verify-dice'" in said


def test_help_names_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert "verify-dice" in capsys.readouterr().out


@pytest.mark.parametrize(("altered", "code"), [(0, 0), (1, 1)])
def test_the_process_ends_with_the_exit_code(altered: int, code: int, tmp_path: Path) -> None:
    rolls = shown((ply, (pips - 1 + altered) % 6 + 1) for ply, pips in GAME)
    secret = ["--secret", DICE.secret.hex()]
    process = subprocess.run(
        [sys.executable, "-m", "bot", "verify-dice", *secret, *GIVEN, "--rolls", rolls],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == code
    assert not process.stderr
    assert not list(tmp_path.iterdir()), "nothing is opened to check dice"


def block(language: str) -> str:
    """The block of code in the section on the dice, on the page of the games."""
    section = (
        (ROOT / "bot/games/README.md").read_text("utf-8").partition("\n## Checking the dice\n")[2]
    )
    blocks = re.findall(rf"```{language}\n(.*?)```", section.partition("\n## ")[0], re.DOTALL)
    assert len(blocks) == 1
    code: str = blocks[0]
    return code


def run(code: str, folder: Path) -> dict[str, Any]:
    """The names that a program leaves behind."""
    file = folder / "check.py"
    file.write_text(code, "utf-8")
    return runpy.run_path(str(file))


def test_the_program_in_the_readme_finds_its_example_fair(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rolls = run(block("python"), tmp_path)["rolls"]
    lines = [f"{ply} {pips} True" for ply, pips in rolls_in(rolls)]
    assert capsys.readouterr().out.splitlines() == ["secret True", *lines]


def test_the_program_in_the_readme_finds_an_altered_roll_and_another_secret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = run(block("python"), tmp_path)
    other = names["rolls"][:-1] + str(int(names["rolls"][-1]) % 6 + 1)
    capsys.readouterr()
    run(block("python").replace(names["rolls"], other), tmp_path)
    *fitting, last = capsys.readouterr().out.splitlines()
    assert all(line.endswith("True") for line in fitting)
    assert last.endswith("False")
    run(block("python").replace(names["secret"].hex(), "00" * 32), tmp_path)
    assert capsys.readouterr().out.startswith("secret False")


@pytest.mark.parametrize("secret", [None, DICE.secret, bytes(32)])
def test_the_program_in_the_readme_rolls_what_dice_roll(
    secret: bytes | None, tmp_path: Path
) -> None:
    """In 5,000 rolls some 80 pass a byte over."""
    code = block("python")
    shown_secret = run(code, tmp_path)["secret"]
    secret = secret or shown_secret
    names = run(code.replace(shown_secret.hex(), secret.hex()), tmp_path)
    dice, session = Dice(secret), names["session"]
    plies = range(5000)
    assert [names["roll"](ply) for ply in plies] == [dice.pips(session, ply) for ply in plies]


def test_the_command_in_the_readme_finds_its_example_fair(
    capsys: pytest.CaptureFixture[str],
) -> None:
    parlour, *words = shlex.split(block("sh").replace("\\\n", ""))
    assert parlour == "parlour"
    assert main(words) == 0
    assert capsys.readouterr().out.endswith("The rolls fit the secret.\n")
