"""What just happened, in words: one line a turn, since the last whole turn of a person.

So whoever comes back reads what every computer has done since. Turns that would make the message
too long are left out, the oldest first, and a line says so.
"""

from __future__ import annotations

from itertools import groupby
from typing import Final

from bot.games.ludo.game_log import GameLog, Played
from bot.games.ludo.words.events import of_roll_off, of_turn
from bot.message.text import Text, text
from bot.table.seats import Human
from bot.table.session import Phase, Session
from engine.game import Seat
from engine.games.ludo import OpeningRoll, Roll

THROWS_TOLD: Final = 16
"""So many throws of the die are told at most, each in about 50 characters."""

TURNS_TOLD: Final = 10
"""So many turns, each with a name in about 45 characters."""


def story(session: Session, record: GameLog) -> tuple[Text, ...]:
    """The lines, the oldest turn first; none before the first roll."""
    lines: list[Text] = []
    throws = THROWS_TOLD
    for seat, latest in groupby(record.latest_first(), key=_turn_of):
        plies = tuple(latest)[::-1]
        if seat is None:
            return of_roll_off(session, plies), *reversed(lines)
        told = _last_throws(plies, throws) if len(lines) < TURNS_TOLD else ()
        if told:
            lines.append(of_turn(session, told))
        if len(told) < len(plies):
            return text("ludo.story.cut"), *reversed(lines)
        if isinstance(session.seats[seat], Human) and not _under_way(session, plies[-1]):
            break
        throws -= _throws(plies)
    return tuple(reversed(lines))


def _turn_of(played: Played) -> Seat | None:
    """Whose turn a ply belongs to; None in the roll-off. Nobody has two turns in a row."""
    return None if isinstance(played.event, OpeningRoll) else played.event.seat


def _under_way(session: Session, latest: Played) -> bool:
    """Whether the turn goes on after this ply."""
    running = session.phase is Phase.RUNNING and session.position == latest.after
    return running and latest.after.seat == latest.before.seat


def _throws(plies: tuple[Played, ...]) -> int:
    return sum(isinstance(played.event, Roll) for played in plies)


def _last_throws(plies: tuple[Played, ...], number: int) -> tuple[Played, ...]:
    """The plies from so many throws before the end of a turn; all if it has no more."""
    starts = [ply for ply, played in enumerate(plies) if isinstance(played.event, Roll)]
    return plies[starts[-number] :] if 0 < number < len(starts) else plies if number > 0 else ()
