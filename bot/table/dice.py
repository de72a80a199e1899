"""Dice that players can check, and that nobody can choose.

All rolls of a game follow from a secret, and from what is not known yet when that is drawn: when
a table opens. The secret's SHA-256, the commitment, is shown at once. Roll n is the ply of the
roll: its index, from 0, in the game's list of moves. With s sides it follows from
HMAC-SHA256(secret, label), numbers in decimal:

- the label is "SESSION:MESSAGE:WORDS:n": MESSAGE is Discord's id of the first message that showed
  the table, WORDS are the SHA-256 of the players' words in hexadecimal, ascending, with commas
  between, so that it makes no difference who sits where, and beside how many computers;
- take the first byte of the digest's 32 that is below the largest multiple of s up to 256 (252 for
  six sides) and divide it by s; the remainder plus 1 is the roll, each as likely as any other;
- where the digest has no such byte, go on with that of "LABEL:1", then "LABEL:2" …

That is version 3, and its commitments begin with "3:". In version 2 WORDS are by seat, with nothing
for one without a word. In version 1 the label is "SESSION:n".

When the game is over the secret is shown, and anybody can roll again.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Final, NoReturn, Self

from bot.table.seats import Word, by_digest, digests

SECRET_BYTES: Final = 32

VERSIONS: Final = range(1, 4)
PLAIN: Final = VERSIONS[0]
"""The version whose rolls follow from the secret, the session and the ply alone."""
BY_SEAT: Final = VERSIONS[1]
"""The version that takes the words in the order of the seats."""
NEWEST: Final = VERSIONS[-1]

SIDES: Final = 6


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice of one game: its secret, and what follows from it.

    `board` is the id of the first message that showed the table: once known it stays, whatever
    becomes of that message. `promise` is that of the message that has the commitment for all and is
    never edited, if a player has asked for one.

    They show their secret to nobody who prints or logs them, and cannot be pickled, so that they
    never reach a process where a computer searches.
    """

    secret: bytes
    version: int = NEWEST
    board: int | None = None
    promise: int | None = None

    def __post_init__(self) -> None:
        if len(self.secret) != SECRET_BYTES:
            raise ValueError(f"The secret of dice has {SECRET_BYTES} bytes.")
        if self.version not in VERSIONS:
            raise ValueError(f"There are no dice of version {self.version}.")

    def __repr__(self) -> str:
        return f"Dice(commitment={self.commitment!r})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("Dice stay in the process that rolls them.")

    @classmethod
    def drawn(cls, rng: Random) -> Self:
        """Fresh dice; `rng` is the operating system's randomness outside tests."""
        return cls(rng.randbytes(SECRET_BYTES))

    @property
    def digest(self) -> str:
        """The secret's SHA-256 in hexadecimal: it binds the dice and tells nothing of the rolls."""
        return hashlib.sha256(self.secret).hexdigest()

    @property
    def commitment(self) -> str:
        """The digest with the version, unless that is the first."""
        return f"{self.version}:{self.digest}" if self.take_words else self.digest

    @property
    def take_words(self) -> bool:
        """Whether rolls follow from the first message and from the players' words too."""
        return self.version != PLAIN

    @property
    def ready(self) -> bool:
        """Whether all is known that rolls follow from."""
        return not self.take_words or self.board is not None

    def taken(self, words: Iterable[Word | None]) -> Sequence[Word | None]:
        """The words of the seats as the dice take them: since version 3 in their own order."""
        return [*words] if self.version == BY_SEAT else by_digest(words)

    def pips(
        self, session: int, ply: int, words: Iterable[Word | None] = (), sides: int = SIDES
    ) -> int:
        """The roll of a ply, from 1 to `sides`, which are 256 at most; always the same.

        `words` are those of the seats.
        """
        assert 1 <= sides <= 256, "a byte chooses the face"
        assert self.ready, "the first message is not known yet"
        fair = 256 - 256 % sides
        label = f"{session}:{ply}"
        if self.take_words:
            label = f"{session}:{self.board}:{digests(self.taken(words))}:{ply}"
        return next(byte % sides + 1 for byte in self._bytes(label) if byte < fair)

    def _bytes(self, label: str) -> Iterator[int]:
        """The bytes that a roll may use, without end."""
        yield from hmac.digest(self.secret, label.encode(), "sha256")
        for further in count(1):
            yield from hmac.digest(self.secret, f"{label}:{further}".encode(), "sha256")


def shown(rolls: Iterable[tuple[int, int]]) -> str:
    """Rolls, each a ply and its pips, as players see them: `0=4 1=2 7=6`."""
    return " ".join(f"{ply}={pips}" for ply, pips in rolls)
