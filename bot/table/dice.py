"""Dice that players can verify, and that nobody can choose.

All rolls of a game follow from a secret, which is drawn when the table opens, and from data that is
not known yet at that time. The secret's SHA-256, the commitment, is shown at once. A roll is
numbered by its ply n: its index, from 0, in the game's list of moves. With s sides it follows from
HMAC-SHA256(secret, label), numbers in decimal:

- the label is "SESSION:MESSAGE:WORDS:n": MESSAGE is Discord's id of the first message that showed
  the table, WORDS are the SHA-256 of the players' words in hexadecimal, ascending, with commas
  between, so that it makes no difference who sits where, and beside how many computers;
- take the first byte of the digest's 32 that is below the largest multiple of s up to 256 (252 for
  six sides) and divide it by s; the remainder plus 1 is the roll, each as likely as any other;
- where the digest has no such byte, go on with that of "LABEL:1", then "LABEL:2" …

That is version 3, and its commitments begin with "3:". In version 2 WORDS are in the order of the
seats, empty for one without a word. In version 1 the label is "SESSION:n".

When the game is over the secret is shown, so that anybody can repeat the rolls.
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
"""The version whose rolls only depend on the secret, the session and the ply."""
BY_SEAT: Final = VERSIONS[1]
"""The version that takes the words in the order of the seats."""
NEWEST: Final = VERSIONS[-1]

SIDES: Final = 6


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice of one game: its secret, and what follows from it.

    `board` is the id of the first message that showed the table; it never changes, even if that
    message is deleted. `promise` is the id of the message that publishes the commitment (the seal)
    and is never edited, if a player has asked for one.

    The secret is not in the `repr`, so that it cannot be logged. Dice cannot be pickled, so that
    they never reach a process in which a computer searches.
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
        """New dice; outside of tests, `rng` is the operating system's randomness."""
        return cls(rng.randbytes(SECRET_BYTES))

    @property
    def digest(self) -> str:
        """The secret's SHA-256 in hexadecimal, which fixes the rolls without revealing them."""
        return hashlib.sha256(self.secret).hexdigest()

    @property
    def commitment(self) -> str:
        """The digest with the version as prefix, such as `3:`; without in version 1."""
        return f"{self.version}:{self.digest}" if self.take_words else self.digest

    @property
    def take_words(self) -> bool:
        """Whether rolls also depend on the first message and the players' words."""
        return self.version != PLAIN

    @property
    def ready(self) -> bool:
        """Whether the dice can roll: the first message's id is known, or not needed."""
        return not self.take_words or self.board is not None

    def taken(self, words: Iterable[Word | None]) -> Sequence[Word | None]:
        """The seats' words in the order in which they are hashed: by digest since version 3."""
        return [*words] if self.version == BY_SEAT else by_digest(words)

    def pips(
        self, session: int, ply: int, words: Iterable[Word | None] = (), sides: int = SIDES
    ) -> int:
        """The roll of a ply, from 1 to `sides` (at most 256); always the same.

        `words` are those of the seats, in order.
        """
        assert 1 <= sides <= 256, "a byte chooses the face"
        assert self.ready, "the first message is not known yet"
        fair = 256 - 256 % sides
        label = f"{session}:{ply}"
        if self.take_words:
            label = f"{session}:{self.board}:{digests(self.taken(words))}:{ply}"
        return next(byte % sides + 1 for byte in self._bytes(label) if byte < fair)

    def _bytes(self, label: str) -> Iterator[int]:
        """The endless bytes for a roll: a digest, then the digests of `LABEL:1`, `LABEL:2` …."""
        yield from hmac.digest(self.secret, label.encode(), "sha256")
        for further in count(1):
            yield from hmac.digest(self.secret, f"{label}:{further}".encode(), "sha256")


def shown(rolls: Iterable[tuple[int, int]]) -> str:
    """Rolls, each a ply and its pips, as players see them: `0=4 1=2 7=6`."""
    return " ".join(f"{ply}={pips}" for ply, pips in rolls)
