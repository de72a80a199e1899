"""A table's game, ply by ply."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, groupby
from typing import Final

from bot.cache import KB, Memo
from bot.games.entry import Thrown
from bot.games.ludo.board.spots import Spot, spot
from bot.games.ludo.board.tiles import die_face
from bot.table.seats import Human
from bot.table.session import Session
from engine.game import Move, Seat
from engine.games.ludo import GAME, LudoPosition
from engine.games.ludo.events import Event, OpeningRoll, Roll, RollOutcome, Step, event_of


@dataclass(frozen=True, slots=True)
class Played:
    """One ply, with the positions before and after it."""

    ply: int
    before: LudoPosition
    event: Event
    after: LudoPosition

    @property
    def throw(self) -> int:
        """The ply of the roll that a ply belongs to."""
        return self.ply - 1 if isinstance(self.event, Step) else self.ply


@dataclass(frozen=True, slots=True)
class LastMove:
    """A token's move: where it began, and where the token stands now."""

    corner: int
    origin: Spot
    destination: Spot


class GameLog:
    """The plies of a session that has begun."""

    def __init__(self, session: Session) -> None:
        options = tuple(session.options.items())
        self._moves = session.moves
        self._positions = _positions(len(session.seats), options, session.moves)

    @property
    def position(self) -> LudoPosition:
        """The position now."""
        return self._positions[-1]

    def latest_first(self) -> Iterator[Played]:
        """Every ply, from the last one back to the first."""
        return map(self._played, range(len(self._moves) - 1, -1, -1))

    def since(self, ply: int) -> Sequence[Played]:
        """The plies from `ply` on."""
        return tuple(map(self._played, range(ply, len(self._moves))))

    def last_moves(self, session: Session) -> tuple[LastMove, ...]:
        """The last move of each seat since the previous turn of the person to move.

        Without seats that could not move, and without moves of tokens sent back since.
        """
        reader = session.turn if isinstance(session.mover, Human) else None
        found: dict[Seat, LastMove | None] = {}
        for seat, plies in groupby(self.latest_first(), key=turn_of):
            if seat is None or seat in found or (seat == reader and found):
                break
            steps = (ply.event for ply in plies if isinstance(ply.event, Step))
            found[seat] = next(map(self._shown, steps), None)
        return tuple(filter(None, found.values()))

    def thrown(self, session: Session) -> Thrown | None:
        """The roll that the person to move plays, or their latest one if it moved nothing."""
        if not isinstance(session.mover, Human) or self.position.opening:
            return None
        if self.position.die:
            return Thrown(die_face(self.position.die), playable=True)
        own = (each.event for each in self.latest_first() if turn_of(each) == session.turn)
        match next(own, None):
            case Roll(outcome=RollOutcome.NO_LEGAL_MOVE, pips=pips):
                return Thrown(die_face(pips), playable=False)
        return None

    def _played(self, ply: int) -> Played:
        before, after = self._positions[ply], self._positions[ply + 1]
        return Played(ply, before, event_of(before, self._moves[ply]), after)

    def _shown(self, step: Step) -> LastMove | None:
        if self.position.tokens[step.owner][step.token] != step.after:
            return None
        corner, number = self.position.table.corners[step.owner], step.token + 1
        origin, destination = (spot(corner, number, at) for at in (step.before, step.after))
        return LastMove(corner, origin, destination)


def turn_of(played: Played) -> Seat | None:
    """The seat whose turn a ply belongs to; None in the roll-off."""
    return None if isinstance(played.event, OpeningRoll) else played.event.seat


@lru_cache(maxsize=8)
def _positions(
    seats: int,
    options: tuple[tuple[str, str | int], ...],
    moves: tuple[Move, ...],
) -> tuple[LudoPosition, ...]:
    return tuple(accumulate(moves, _after, initial=GAME.start(seats, dict(options))))


def _after(position: LudoPosition, move: Move) -> LudoPosition:
    return position.play(move)


CACHES: Final = (Memo("ludo_logs", _positions, each=512 * KB),)
