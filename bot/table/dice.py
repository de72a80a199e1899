"""Dice that players can check: one secret a game, from which every roll follows.

The secret is drawn when a game starts, and its SHA-256, the commitment, is shown at once. Roll n
is the ply of the roll: its index, from 0, in the game's list of moves. With s sides it follows from
HMAC-SHA256(secret, "SESSION:n"), numbers in decimal:

- take the first byte of the digest's 32 that is below the largest multiple of s up to 256 (252 for
  six sides) and divide it by s; the remainder plus 1 is the roll, each as likely as any other;
- where the digest has no such byte, go on with that of "SESSION:n:1", then "SESSION:n:2" …

When the game is over the secret is shown, and anybody can roll again.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Final, NoReturn, Self

SECRET_BYTES: Final = 32

SIDES: Final = 6

_ROLL: Final = re.compile(r"(\d{1,9})=(\d{1,3})", re.ASCII)


class NotRolls(ValueError):
    """A text is not one of rolls; the message is a sentence that says where."""


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice of one game: its secret, and what follows from it.

    They show their secret to nobody who prints or logs them, and cannot be pickled, so that they
    never reach a process where a computer searches.
    """

    secret: bytes

    def __post_init__(self) -> None:
        if len(self.secret) != SECRET_BYTES:
            raise ValueError(f"The secret of dice has {SECRET_BYTES} bytes.")

    def __repr__(self) -> str:
        return f"Dice(commitment={self.commitment!r})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("Dice stay in the process that rolls them.")

    @classmethod
    def drawn(cls, rng: Random) -> Self:
        """Fresh dice; `rng` is the operating system's randomness outside tests."""
        return cls(rng.randbytes(SECRET_BYTES))

    @property
    def commitment(self) -> str:
        """The secret's SHA-256 in hexadecimal: it binds the dice and tells nothing of the rolls."""
        return hashlib.sha256(self.secret).hexdigest()

    def pips(self, session: int, ply: int, sides: int = SIDES) -> int:
        """The roll of a ply, from 1 to `sides`, which are 256 at most; always the same."""
        assert 1 <= sides <= 256, "a byte chooses the face"
        fair = 256 - 256 % sides
        return next(byte % sides + 1 for byte in self._bytes(f"{session}:{ply}") if byte < fair)

    def _bytes(self, roll: str) -> Iterator[int]:
        """The bytes that a roll may use, without end."""
        yield from hmac.digest(self.secret, roll.encode(), "sha256")
        for further in count(1):
            yield from hmac.digest(self.secret, f"{roll}:{further}".encode(), "sha256")


def shown(rolls: Iterable[tuple[int, int]]) -> str:
    """Rolls, each a ply and its pips, as players see them: `0=4 1=2 7=6`."""
    return " ".join(f"{ply}={pips}" for ply, pips in rolls)


def rolls_in(text: str) -> tuple[tuple[int, int], ...]:
    """The rolls of a text that `shown` made; any white space may part them.

    Raises:
        NotRolls: A word is not PLY=PIPS with six sides, or a ply is there twice.
    """
    rolls: dict[int, int] = {}
    for word in text.split():
        match = _ROLL.fullmatch(word)
        if match is None:
            raise NotRolls(f"{word!r} is not a roll; a roll is PLY=PIPS, such as 7=6.")
        ply, pips = int(match[1]), int(match[2])
        if not 1 <= pips <= SIDES:
            raise NotRolls(f"{word!r} is not a roll; a die shows 1 to {SIDES}.")
        if ply in rolls:
            raise NotRolls(f"Ply {ply} is there twice; it has one roll.")
        rolls[ply] = pips
    return tuple(rolls.items())
