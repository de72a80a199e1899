"""`parlour verify-dice`: is the secret the one promised, and are the rolls those it gives?"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import Final

from bot.table.dice import Dice, NotRolls, rolls_in, shown

PLIES: Final = 100
"""How many plies are rolled where no rolls are given, ten to a line."""

_HEX: Final = re.compile(r"[0-9a-f]{64}")
_NUMBER: Final = re.compile(r"[0-9]{1,18}")


def add(parser: argparse.ArgumentParser) -> None:
    """Says which words follow."""
    parser.add_argument(
        "--secret", required=True, metavar="HEX", type=_dice, help="shown when the game was over"
    )
    parser.add_argument(
        "--session", required=True, metavar="N", type=_number, help="the number of the game"
    )
    parser.add_argument(
        "--commitment", required=True, metavar="HEX", type=_hash, help="shown from the start on"
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
    dice: Dice = arguments.secret
    fits = _keeps(dice, arguments.commitment)
    if arguments.rolls is None:
        _roll(dice, arguments.session)
    else:
        fits = _rolled(dice, arguments.session, arguments.rolls) and fits
    return 0 if fits else 1


def _keeps(dice: Dice, promise: str) -> bool:
    """Whether the secret is the one of the commitment."""
    if dice.commitment == promise:
        print("The secret fits the commitment.")
        return True
    print(f"The secret does not fit the commitment: its SHA-256 is {dice.commitment}.")
    return False


def _roll(dice: Dice, session: int) -> None:
    """Prints what the first plies roll."""
    print(f"What the secret rolls at the first {PLIES} plies, wherever a die is rolled:")
    for first in range(0, PLIES, 10):
        print(shown((ply, dice.pips(session, ply)) for ply in range(first, first + 10)))


def _rolled(dice: Dice, session: int, rolls: Sequence[tuple[int, int]]) -> bool:
    """Whether all rolls are those of the secret."""
    wrong = 0
    for ply, pips in rolls:
        due = dice.pips(session, ply)
        wrong += pips != due
        verdict = "as the secret says" if pips == due else f"but the secret says {due}"
        print(f"ply {ply}: {pips}, {verdict}")
    print(f"{wrong} of {len(rolls)} rolls do not fit." if wrong else "The rolls fit the secret.")
    return not wrong


def _dice(text: str) -> Dice:
    return Dice(bytes.fromhex(_hexadecimal(text, "secret")))


def _hash(text: str) -> str:
    return _hexadecimal(text, "commitment")


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
