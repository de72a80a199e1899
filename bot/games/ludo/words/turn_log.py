"""Recent turns in words, a line each, since the previous turn of the person to move.

Where nobody is to move it goes back to the last whole turn of a person. Turns before the last ten
are left out, and a line says so; the board's message has room for the last of them alone.
"""

from __future__ import annotations

from itertools import groupby
from typing import Final

from bot.games.ludo.game_log import GameLog, Played, turn_of
from bot.games.ludo.words.turns import of_last_round, of_roll_off, of_turn
from bot.message.text import Text, text
from bot.table.seats import Human
from bot.table.session import Phase, Session
from engine.games.ludo.events import Roll, RollOutcome, Step

THROWS_TOLD: Final = 6
"""Throws told of one turn, the last ones."""
FIT_A_LINE: Final = 4
"""Things that fit a line on a phone: throws, moves, captures, a turn that goes on."""

TURNS_TOLD: Final = 10


def story(session: Session, record: GameLog, *, brief: bool = False) -> tuple[Text, ...]:
    """The lines, oldest turn first; none before the first roll. Brief lines do not wrap."""
    reader = session.turn if isinstance(session.mover, Human) else None
    lines: list[Text] = []
    for seat, latest in groupby(record.latest_first(), key=turn_of):
        plies = tuple(latest)[::-1]
        if seat is None:
            first = of_last_round(plies) if brief else of_roll_off(session, plies)
            return first, *reversed(lines)
        if seat == reader and lines:
            break
        if len(lines) == TURNS_TOLD:
            return text("ludo.story.cut"), *reversed(lines)
        told = _in_brief(plies) if brief else _last_throws(plies, THROWS_TOLD)
        lines.append(of_turn(session, told, cut=len(told) < len(plies)))
        person = isinstance(session.seats[seat], Human)
        if reader is None and person and not _under_way(session, plies[-1]):
            break
    return tuple(reversed(lines))


def _under_way(session: Session, latest: Played) -> bool:
    running = session.phase is Phase.RUNNING and session.position == latest.after
    return running and latest.after.seat == latest.before.seat


def _last_throws(plies: tuple[Played, ...], number: int) -> tuple[Played, ...]:
    starts = [ply for ply, played in enumerate(plies) if isinstance(played.event, Roll)]
    return plies[starts[max(0, len(starts) - number)] :]


def _in_brief(plies: tuple[Played, ...]) -> tuple[Played, ...]:
    two = _last_throws(plies, 2)
    last = two[-1].event
    goes_on = isinstance(last, Step) and bool(last.again)
    return two if sum(map(_things, two)) + goes_on <= FIT_A_LINE else _last_throws(plies, 1)


def _things(played: Played) -> int:
    """The number of things to tell of a ply; a third 6 counts several times."""
    match played.event:
        case Step(captured=captured, owner=owner, seat=seat):
            return 1 + len(captured) + (owner != seat)
        case Roll(outcome=RollOutcome.THIRD_SIX):
            return FIT_A_LINE
        case _:
            return 1
