"""What has been played at a table, told ply by ply."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from bot.games.ludo.board.spots import Spot, spot
from bot.table.session import Session
from engine.game import Move
from engine.games.ludo import Event, Position, Step, told


@dataclass(frozen=True, slots=True)
class Played:
    """One ply: what happened, between two positions."""

    before: Position
    event: Event
    after: Position


@dataclass(frozen=True, slots=True)
class LastMove:
    """Where the token that moved last came from, and where it stands now."""

    origin: Spot
    destination: Spot


class GameLog:
    """The plies of a session that has begun."""

    def __init__(self, session: Session) -> None:
        first: Position = session.game.start(len(session.seats), session.options)
        self._moves = session.moves
        self._positions = list(accumulate(session.moves, _after, initial=first))

    @property
    def position(self) -> Position:
        """How it stands now."""
        return self._positions[-1]

    def latest_first(self) -> Iterator[Played]:
        """Every ply, from the last one back to the first."""
        for ply in range(len(self._moves) - 1, -1, -1):
            before, after = self._positions[ply], self._positions[ply + 1]
            yield Played(before, told(before, self._moves[ply]), after)

    def last_move(self) -> LastMove | None:
        """The last move of a token; None before there is one, or if that token was sent back."""
        for played in self.latest_first():
            step = played.event
            if not isinstance(step, Step):
                continue
            if self.position.tokens[step.owner][step.token] != step.after:
                return None
            corner = self.position.table.corners[step.owner]
            number = step.token + 1
            return LastMove(spot(corner, number, step.before), spot(corner, number, step.after))
        return None


def _after(position: Position, move: Move) -> Position:
    return position.play(move)
