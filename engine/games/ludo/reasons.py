"""The reasons for a move of a token, in the words of the game; the strongest comes first.

A hunter of a token is a rival's token that captures it with some roll of one die, were it to roll.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final

from engine.game import CHANCE, Move, Reason, Seat
from engine.games.ludo.board import LAST_ON_RING, YARD
from engine.games.ludo.evaluation.features import exposed
from engine.games.ludo.position import ALL_PIPS, LudoPosition


class TokenReason(StrEnum):
    """A kind of reason."""

    WINS = "wins"
    CAPTURES = "captures"  # one reason for each token captured
    COMES_HOME = "comes home"
    LEAVES_YARD = "leaves yard"
    FLEES = "flees"  # from all the hunters it had
    GETS_SAFE = "gets safe"
    MAKES_BLOCK = "makes block"  # with the token that it joins
    ROLLS_AGAIN = "rolls again"
    HUNTS = "hunts"  # one reason for each token that has a hunter more
    ADVANCES = "advances"  # by steps
    EXPOSES = "exposes"  # one reason for each own token that has more hunters than before


ABOUT: Final[Mapping[StrEnum, tuple[str, ...]]] = {
    TokenReason.CAPTURES: ("seat", "token"),
    TokenReason.FLEES: ("count",),
    TokenReason.MAKES_BLOCK: ("token",),
    TokenReason.HUNTS: ("seat", "token"),
    TokenReason.ADVANCES: ("count",),
    TokenReason.EXPOSES: ("token", "count"),
}
"""The meaning of the numbers in `about`, by the kind of the reason."""


def reasons(position: LudoPosition, move: Move) -> Iterator[Reason]:
    """The reasons for the move of a token, a legal one."""
    after = position.play(move)
    owner, table = position.owner, position.table
    own, moved = position.tokens[owner], after.tokens[owner]
    if not after.moves():
        yield Reason(TokenReason.WINS)
    for victim in position.victims(move):
        yield Reason(TokenReason.CAPTURES, victim)
    if after.is_home(owner, move):
        yield Reason(TokenReason.COMES_HOME)
    elif own[move] == YARD:
        yield Reason(TokenReason.LEAVES_YARD)
    yield from _safer(position, move, after)
    if table.has_blocks and YARD < moved[move] <= LAST_ON_RING and moved[move] in own:
        yield Reason(TokenReason.MAKES_BLOCK, (own.index(moved[move]),))
    if after.moves() and after.turn == CHANCE and after.seat == position.seat:
        yield Reason(TokenReason.ROLLS_AGAIN)
    yield from _hunts(position, move, after)
    if own[move] != YARD and not after.is_home(owner, move):
        yield Reason(TokenReason.ADVANCES, (moved[move] - own[move],))
    for token in range(len(own)):
        found = hunters(after, owner, token)
        if len(found) > len(hunters(position, owner, token)):
            yield Reason(TokenReason.EXPOSES, (token, len(found)))


def _safer(position: LudoPosition, move: Move, after: LudoPosition) -> Iterator[Reason]:
    """The dangers that the moved token has escaped: hunters, or squares that are not safe."""
    owner, table = position.owner, position.table
    own, moved = position.tokens[owner], after.tokens[owner]
    before = len(hunters(position, owner, move))
    if before and not hunters(after, owner, move):
        yield Reason(TokenReason.FLEES, (before,))
    if own[move] in exposed(table, own) and moved[move] not in exposed(table, moved):
        yield Reason(TokenReason.GETS_SAFE)


def _hunts(position: LudoPosition, move: Move, after: LudoPosition) -> Iterator[Reason]:
    owner = position.owner
    for rival in position.table.rivals[owner]:
        for token in range(len(position.tokens[rival])):
            hunts = [(owner, move) in hunters(at, rival, token) for at in (position, after)]
            if hunts == [False, True]:
                yield Reason(TokenReason.HUNTS, (rival, token))


def hunters(position: LudoPosition, seat: Seat, token: int) -> list[tuple[Seat, int]]:
    """The rivals' tokens, seat and number, that capture a token with some roll of one die."""
    found: set[tuple[Seat, int]] = set()
    target = position.tokens[seat][token]
    if target not in exposed(position.table, position.tokens[seat]):
        return []
    for rival in position.table.rivals[seat]:
        if rival in position.placed:
            continue
        for pips in ALL_PIPS:
            rolled = LudoPosition(position.table, position.tokens, rival).play(pips)
            theirs = position.tokens[rival]
            for mover in rolled.moves() if rolled.die else ():
                if (seat, token) in rolled.victims(mover):
                    alike = (n for n, at in enumerate(theirs) if at == theirs[mover])
                    found |= {(rival, other) for other in alike}
    return sorted(found)
