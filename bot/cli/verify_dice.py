"""`parlour verify-dice`: is the secret the one promised, and are the rolls those it gives?

A commitment of the newest version begins with its number; its rolls need two more words.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from bot.table.dice import NEWEST, PLAIN, Dice, NotRolls, rolls_in, shown
from bot.table.word import NotWords, Word, words_in

PLIES: Final = 100
"""How many plies are rolled where no rolls are given, ten to a line."""

Roll: TypeAlias = Callable[[int], int]
"""What a die shows at a ply."""

_HEX: Final = re.compile(r"[0-9a-f]{64}")
_NUMBER: Final = re.compile(r"[0-9]{1,19}")


def add(parser: argparse.ArgumentParser) -> None:
    """Says which words follow."""
    parser.add_argument(
        "--secret", required=True, metavar="HEX", type=_secret, help="shown when the game was over"
    )
    parser.add_argument(
        "--session", required=True, metavar="N", type=_number, help="the number of the game"
    )
    parser.add_argument(
        "--commitment",
        required=True,
        metavar="[2:]HEX",
        type=_commitment,
        help="shown from the start on",
    )
    parser.add_argument(
        "--message",
        metavar="ID",
        type=_number,
        help="of the first message of the table, if the commitment begins with 2",
    )
    parser.add_argument(
        "--words",
        metavar="WORD,...",
        type=_words,
        help="of the players, one a seat or nothing, if the commitment begins with 2",
    )
    parser.add_argument(
        "--rolls",
        metavar='"PLY=PIPS ..."',
        type=_rolls,
        help=f"shown when the game was over; without them the first {PLIES} plies are rolled",
    )
    parser.epilog = (
        "Exit code: 0 if everything fits, 1 if something does not, 2 if a word is wrong."
    )


def run(arguments: argparse.Namespace) -> int:
    """Prints what fits and what does not; the exit code says whether all does."""
    version, digest = arguments.commitment
    dice = Dice(arguments.secret, version, board=arguments.message)
    if not dice.ready or (dice.take_words and arguments.words is None):
        print("A commitment that begins with 2 needs --message and --words.", file=sys.stderr)
        return 2
    words: Sequence[Word | None] = arguments.words or ()

    def roll(ply: int) -> int:
        return dice.pips(arguments.session, ply, words)

    fits = _keeps(dice, digest)
    if arguments.rolls is None:
        _roll(roll)
    else:
        fits = _rolled(roll, arguments.rolls) and fits
    return 0 if fits else 1


def _keeps(dice: Dice, promise: str) -> bool:
    """Whether the secret is the one of the commitment."""
    if dice.digest == promise:
        print("The secret fits the commitment.")
        return True
    print(f"The secret does not fit the commitment: its SHA-256 is {dice.digest}.")
    return False


def _roll(roll: Roll) -> None:
    """Prints what the first plies roll."""
    print(f"What the secret rolls at the first {PLIES} plies, wherever a die is rolled:")
    for first in range(0, PLIES, 10):
        print(shown((ply, roll(ply)) for ply in range(first, first + 10)))


def _rolled(roll: Roll, rolls: Sequence[tuple[int, int]]) -> bool:
    """Whether all rolls are those of the secret."""
    wrong = 0
    for ply, pips in rolls:
        due = roll(ply)
        wrong += pips != due
        verdict = "as the secret says" if pips == due else f"but the secret says {due}"
        print(f"ply {ply}: {pips}, {verdict}")
    print(f"{wrong} of {len(rolls)} rolls do not fit." if wrong else "The rolls fit the secret.")
    return not wrong


def _secret(text: str) -> bytes:
    return bytes.fromhex(_hexadecimal(text, "secret"))


def _commitment(text: str) -> tuple[int, str]:
    """The version and the hash of a commitment."""
    version, parted, digest = text.rpartition(":")
    if parted and version != str(NEWEST):
        raise argparse.ArgumentTypeError(f"{text!r} is of a version that is not known here.")
    return NEWEST if parted else PLAIN, _hexadecimal(digest, "commitment")


def _words(text: str) -> tuple[Word | None, ...]:
    try:
        return words_in(text)
    except NotWords as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _hexadecimal(text: str, what: str) -> str:
    if not _HEX.fullmatch(text.lower()):
        raise argparse.ArgumentTypeError(f"a {what} has 64 hexadecimal digits, {text!r} has not.")
    return text.lower()


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not the number of a game.")
    return int(text)


def _rolls(text: str) -> tuple[tuple[int, int], ...]:
    try:
        rolls = rolls_in(text)
    except NotRolls as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if not rolls:
        raise argparse.ArgumentTypeError("no rolls are given.")
    return rolls
