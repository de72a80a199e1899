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
from bot.table.dice import PLAIN, Dice, rolls_in, shown
from bot.table.word import Word, shown_words, words_in
from tests.bot.process import ROOT, environment

DICE = Dice(bytes(range(32)), PLAIN)
SESSION = 17
GIVEN = ["--session", str(SESSION), "--commitment", DICE.commitment]
GAME = [(ply, DICE.pips(SESSION, ply)) for ply in (0, 1, 2, 4, 7, 8, 10)]


OLD_PROOF = (
    "parlour verify-dice --session 17 "
    "--commitment 5b4b14208bc4cc2609f72c49b5e43338fe7c5d44168635b46d72d6dcaf978369 "
    "--secret dcff568183735e2358401f33952e2f9da5bb81994e5ff51b0096f03d9a288397 "
    '--rolls "0=3 1=5 2=4 3=6 5=2 6=4 7=4 9=2"'
)
"""A proof of the first version, as it was given to players."""

WORDS = (Word.of("apple"), None, Word.of("it's 5 o'clock, #1!"))
BOUND = Dice(bytes(range(32)), board=1234567890123456789)
PROOF = (
    *("--session", str(SESSION), "--message", str(BOUND.board), f"--words={shown_words(WORDS)}"),
    *("--commitment", BOUND.commitment, "--secret", BOUND.secret.hex()),
)
BOUND_GAME = [(ply, BOUND.pips(SESSION, ply, WORDS)) for ply in (0, 1, 2, 4, 7, 8, 10, 300)]


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
    other = Dice(bytes(32), PLAIN)
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
        (ply, Dice(secret, PLAIN).pips(SESSION, ply)) for ply in range(100)
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
        ("--commitment", f"3:{DICE.commitment}", "is of a version that is not known here."),
        ("--words", "two words", "'two words' is not a word"),
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


def test_an_old_proof_still_verifies(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(OLD_PROOF)[1:]) == 0
    assert capsys.readouterr().out.endswith("The rolls fit the secret.\n")


def test_the_rolls_of_bound_dice_fit(capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(*PROOF, "--rolls", shown(BOUND_GAME)) == 0
    assert capsys.readouterr().out.endswith("The rolls fit the secret.\n")
    assert verify(*PROOF) == 0
    *_, ten_lines = capsys.readouterr().out.partition("rolled:\n")
    assert dict(BOUND_GAME[:-1]).items() <= dict(rolls_in(ten_lines)).items()


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--message", "1234567890123456788"),
        ("--words", ",,"),
        ("--words", "apple,pear,"),
        ("--session", "18"),
        ("--commitment", DICE.commitment),
        ("--secret", "00" * 32),
    ],
)
def test_another_message_word_session_version_or_secret_is_found(option: str, value: str) -> None:
    assert verify(*PROOF, f"{option}={value}", "--rolls", shown(BOUND_GAME)) == 1


def test_a_forgotten_word_is_as_good_as_the_word(capsys: pytest.CaptureFixture[str]) -> None:
    forgotten = shown_words(word and Word(word.digest) for word in WORDS)
    assert "apple" not in forgotten
    assert verify(*PROOF, f"--words={forgotten}", "--rolls", shown(BOUND_GAME)) == 0
    assert "fit the secret" in capsys.readouterr().out


@pytest.mark.parametrize("lacking", ["--message", "--words"])
def test_bound_dice_need_all_that_they_are_bound_to(
    lacking: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = {
        "--message": ("--message", str(BOUND.board)),
        "--words": (f"--words={shown_words(WORDS)}",),
    }
    del given[lacking]
    words = [word for each in given.values() for word in each]
    fixed = ["--session", "17", "--commitment", BOUND.commitment, "--secret", BOUND.secret.hex()]
    assert verify(*fixed, *words) == 2
    assert "needs --message and --words" in capsys.readouterr().err


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
    dice, session = Dice(secret, board=names["message"]), names["session"]
    words, plies = words_in(names["words"]), range(5000)
    assert [names["roll"](ply) for ply in plies] == [
        dice.pips(session, ply, words) for ply in plies
    ]


def test_the_command_in_the_readme_finds_its_example_fair(
    capsys: pytest.CaptureFixture[str],
) -> None:
    parlour, *words = shlex.split(block("sh").replace("\\\n", ""))
    assert parlour == "parlour"
    assert main(words) == 0
    assert capsys.readouterr().out.endswith("The rolls fit the secret.\n")
