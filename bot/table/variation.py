"""Another way that a finished game might have gone on, as a short line of characters.

The line has the ply where it leaves the game, the number of plies since, a seed from which all its
dice follow, and the choices that were made: a number in mixed radix whose digits are the indices of
the chosen moves among the legal ones. A forced move takes no room, a choice of four two bits. Each
character is one of 16,384 ideographs, 14 bits, so a whole game of Ludo fits the id of a button: the
longest of 48 at tables of four took 56; in letters and digits it would have been 131.
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
"""The first of the characters, and the bits that each stands for."""


@dataclass(frozen=True, slots=True)
class Variation:
    """A line that leaves a finished game before a `ply` and has come `plies` further."""

    ply: int
    plies: int
    seed: int
    choices: int

    @classmethod
    def of(cls, session: Session, ply: int, seed: int) -> Self:
        """The line that leaves a finished game before `ply`, read from a session that plays it on.

        The first `ply` moves of the session are those of the game, the others its own.
        """
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
        """The variation of a written line, as an id carries it."""
        packed = sum(ord(each) - FIRST << BITS * at for at, each in enumerate(line))
        packed, ply = divmod(packed, 1 << PLY_BITS)
        packed, plies = divmod(packed, 1 << PLY_BITS)
        choices, seed = divmod(packed, 1 << SEED_BITS)
        return cls(ply, plies, seed, choices)

    @property
    def line(self) -> str:
        """The variation in at least one character."""
        packed = (self.choices << SEED_BITS | self.seed) << PLY_BITS | self.plies
        packed = packed << PLY_BITS | self.ply
        length = max(1, -(-packed.bit_length() // BITS))
        digits = (packed >> BITS * at & (1 << BITS) - 1 for at in range(length))
        return "".join(chr(FIRST + digit) for digit in digits)

    def pips(self, ply: int) -> Move:
        """The pips of its dice at a ply."""
        secret = hashlib.sha256(self.seed.to_bytes(SEED_BITS // 8, "big")).digest()
        return Move(Dice(secret, PLAIN).pips(0, ply))

    def played(self, begun: Session) -> Session:
        """The session where the line has come to, `begun` where it leaves the game.

        Raises:
            Refusal: The game is over there, or the line is not of this game.
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
    """The last ply before `ply` at which a seat had a choice; with `computers`, one of theirs."""
    found, state = None, session.game.start(len(session.seats), session.options)
    for at, move in enumerate(session.moves[:ply]):
        if state.turn != CHANCE and len(state.moves()) > 1:
            by_computer = not isinstance(session.seats[state.turn], Human)
            found = at if by_computer or not computers else found
        state = state.play(move)
    return found


def explained_choice(session: Session, ply: int) -> int | None:
    """The choice of a finished game that its board of a ply leads to, if there is one.

    Where the board shows a die it is the choice that was made with it; else the last one before.
    """
    rolled = session.game.dice and ply < session.ply and session.at(ply).position.turn != CHANCE
    return last_choice(session, ply + rolled, computers=False)
