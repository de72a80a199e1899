"""A variation of a finished game, encoded in a short text.

The text has the ply where it leaves the game, the number of plies since, a seed for all its dice,
and the choices made: a number in mixed radix whose digits are the indices of the chosen moves among
the legal ones. A forced move takes no room, a choice of four moves two bits. Each character is one
of 16,384 ideographs (14 bits), so that a whole game of Ludo fits into the id of a button: the
longest of 48 games of four took 56 characters; letters and digits would have needed 131.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Final, Self

from bot.table.dice import PLAIN, Dice
from bot.table.refusals import Refusal
from bot.table.seats import Human
from bot.table.session import Session
from engine.game import CHANCE, Move

SEED_BITS: Final = 32

PLY_BITS: Final = 16

FIRST: Final = 0x4E00
BITS: Final = 14
"""The first of the characters, and the number of bits in each."""


@dataclass(frozen=True, slots=True)
class Variation:
    """A line that leaves a finished game before `ply`, and is `plies` long."""

    ply: int
    plies: int
    seed: int
    choices: int

    @classmethod
    def of(cls, session: Session, ply: int, seed: int) -> Self:
        """The line of a session whose first `ply` moves are the game's, and the others its own."""
        seats, since = len(session.seats), session.moves[ply:]
        path = session.game.path(seats, session.options, session.moves)
        choices = 0
        for state, move in zip(reversed(path[ply:-1]), reversed(since), strict=True):
            if state.turn != CHANCE:
                legal = state.moves()
                choices = choices * len(legal) + legal.index(move)
        return cls(ply, len(since), seed, choices)

    @classmethod
    def read(cls, line: str) -> Self:
        """The variation encoded in a text by `line`."""
        packed = sum(ord(each) - FIRST << BITS * at for at, each in enumerate(line))
        packed, ply = divmod(packed, 1 << PLY_BITS)
        packed, plies = divmod(packed, 1 << PLY_BITS)
        choices, seed = divmod(packed, 1 << SEED_BITS)
        return cls(ply, plies, seed, choices)

    @property
    def line(self) -> str:
        """The variation encoded in one character or more."""
        packed = (self.choices << SEED_BITS | self.seed) << PLY_BITS | self.plies
        packed = packed << PLY_BITS | self.ply
        length = max(1, -(-packed.bit_length() // BITS))
        digits = (packed >> BITS * at & (1 << BITS) - 1 for at in range(length))
        return "".join(chr(FIRST + digit) for digit in digits)

    def pips(self, ply: int) -> Move:
        """The roll of its dice at a ply."""
        secret = hashlib.sha256(self.seed.to_bytes(SEED_BITS // 8, "big")).digest()
        return Move(Dice(secret, PLAIN).pips(0, ply))

    def played(self, begun: Session) -> Session:
        """The session at the end of the line; `begun` is that where it leaves the game.

        Raises:
            Refusal: The game is over at the end of the line.
        """
        state, moves, left = begun.position, [*begun.moves], self.choices
        for _ in range(self.plies):
            legal = state.moves()
            if not legal:
                break
            if state.turn == CHANCE:
                move = self.pips(len(moves))
            else:
                left, index = divmod(left, len(legal))
                move = legal[index]
            moves.append(move)
            state = state.play(move)
        if state.payoff() is not None:
            raise Refusal("variation_over")
        return replace(begun, moves=tuple(moves), position=state)


def last_choice(session: Session, ply: int, *, computers: bool) -> int | None:
    """The last ply before `ply` at which a seat, or with `computers` a computer, had a choice."""
    found, state = None, session.game.start(len(session.seats), session.options)
    for at, move in enumerate(session.moves[:ply]):
        if state.turn != CHANCE and len(state.moves()) > 1:
            by_computer = not isinstance(session.seats[state.turn], Human)
            found = at if by_computer or not computers else found
        state = state.play(move)
    return found


def explained_choice(session: Session, ply: int) -> int | None:
    """The ply of the choice that the board of a finished game at `ply` asks about, if any.

    If the board shows a roll, it is the choice made with it, else the last one before.
    """
    rolled = session.game.dice and ply < session.ply and session.at(ply).position.turn != CHANCE
    return last_choice(session, ply + rolled, computers=False)
