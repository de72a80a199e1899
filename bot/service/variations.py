"""Variations of finished games: a player tries another move, in private, against computers.

Nothing is stored or counted. The line of moves is in the ids of the message's buttons, so that a
try outlives a restart of the bot, and disappears with its message.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from bot.games.catalogue import CATALOGUE
from bot.service.search_pool import SearchQueue
from bot.service.updates import Turns
from bot.table.actions import Action, parsed
from bot.table.refusals import Refusal
from bot.table.seat_log import BoardLook
from bot.table.seats import Computer, Human, Level, Occupant, Pace, PersonId, player_of
from bot.table.session import Phase, Session
from bot.table.table import Table
from bot.table.variation import SEED_BITS, Variation, explained_choice
from engine.game import Move


@dataclass(frozen=True, slots=True)
class Trial:
    """A try at a finished game: its `table`, the line so far, and the session after it."""

    table: Table
    line: Variation
    session: Session


class Variations:
    """Tries at finished games, each played by one of their players."""

    def __init__(self, queue: SearchQueue, turns: Turns, rng: Random) -> None:
        self._queue = queue
        self._turns = turns
        self._rng = rng

    async def begin(self, table: Table, by: PersonId, ply: int, first: Move | None) -> Trial:
        """A try with new dice from the choice that a ply's board shows, after `first` if given.

        Raises:
            Refusal: There was no choice yet, or it was not this person's.
            IllegalMove: `first` is not legal there.
        """
        chosen = explained_choice(table.session, ply)
        if chosen is None:
            raise Refusal("nothing_to_explain")
        begun = _begun(table.session, by, chosen)
        begun.require_turn(by, chosen, rolling=False)
        line = Variation.of(begun, chosen, self._rng.getrandbits(SEED_BITS))
        if first is None:
            return Trial(table, line, begun)
        return await self._gone_on(table, line, begun.go_on(first))

    async def press(self, table: Table, by: PersonId, line: Variation, action: str) -> Trial:
        """A try after a move or a roll of its player, and after the computers' answers.

        Raises:
            Refusal: It is not the person's turn, the try is over, or they did not play this game.
            IllegalMove: The rules do not allow the move.
        """
        session = line.played(_begun(table.session, by, line.ply))
        rolls, (_, number) = action == Action.ROLL, parsed(action)
        session.require_turn(by, session.ply, rolling=rolls)
        move = line.pips(session.ply) if rolls else Move(number)
        return await self._gone_on(table, line, session.go_on(move))

    async def _gone_on(self, table: Table, line: Variation, session: Session) -> Trial:
        """The try after the plies that no person decides."""
        self._queue.admit(session)
        session = self._turns.gone_on(session, line.pips)
        while session.thinking:
            session = session.go_on(await self._queue.move(session))
            session = self._turns.gone_on(session, line.pips)
        return Trial(table, Variation.of(session, line.ply, line.seed), session)


def _begun(played: Session, by: PersonId, ply: int) -> Session:
    """A finished game before a ply, running again, with computers on all other seats.

    Raises:
        Refusal: The person did not play in it, or it had ended at that ply.
    """
    if by not in map(player_of, played.seats):
        raise Refusal("not_at_table")
    if ply >= played.ply:
        raise Refusal("variation_over")
    look = replace(played.preferences, board=BoardLook.EMOJI)
    return replace(
        played.at(ply),
        phase=Phase.RUNNING,
        ending=None,
        payoff=None,
        pace=Pace.RELAXED,
        host=by,
        seats=(*_seats(played, by),),
        preferences=look,
    )


def _seats(played: Session, by: PersonId) -> Iterator[Occupant]:
    """The person on their own seat, and computers of the table's level, or hard, on the others."""
    known = CATALOGUE[played.game.key].levels
    usual = Level.HARD if Level.HARD in known else Level.MEDIUM
    levels = [seat.level for seat in played.seats if isinstance(seat, Computer)]
    for seat in played.seats:
        if player_of(seat) == by:
            yield Human(by)
        else:
            own = seat.level if isinstance(seat, Computer) else next(iter(levels), usual)
            yield Computer(own)
