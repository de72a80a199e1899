"""Turns in words, a line each, from the reader's last decision on."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from bot.games.ludo.game_log import GameLog, Played, turn_of
from bot.games.ludo.words.turns import of_roll_off, of_turn
from bot.message.text import Text, text
from bot.table.reader import reader, unread
from bot.table.session import Session
from engine.games.ludo.events import Roll

THROWS_TOLD: Final = 6
"""Throws told of one turn, the last ones."""

TURNS_TOLD: Final = 40
"""Turns told, the last ones; a line says so."""


def story(session: Session, record: GameLog) -> tuple[Text, ...]:
    """The lines, oldest turn first, one at least; none before the first roll."""
    first = unread(session, reader(session))
    lines: list[Text] = []
    for seat, latest in groupby(record.latest_first(), key=turn_of):
        plies = tuple(latest)[::-1]
        if lines and plies[-1].ply < first:
            break
        if seat is None:
            return of_roll_off(session, plies), *reversed(lines)
        if len(lines) == TURNS_TOLD:
            return text("ludo.story.cut"), *reversed(lines)
        told = _last_throws(plies)
        lines.append(of_turn(session, told, cut=len(told) < len(plies)))
    return tuple(reversed(lines))


def _last_throws(plies: tuple[Played, ...]) -> tuple[Played, ...]:
    starts = [ply for ply, played in enumerate(plies) if isinstance(played.event, Roll)]
    return plies[starts[max(0, len(starts) - THROWS_TOLD)] :]
