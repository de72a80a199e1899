"""The course of a table: what follows a change by itself, and what the table is like then.

Dice roll, the only legal move is played, and computers answer that need no time for it, until a
person has to decide or a search begins. All of it is saved together with the change.

A table that waits for a person reminds them: with a minute left in a live game, in a
correspondence game after an hour, and once more 12 hours before the end. When time is up the
people who may claim are told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import Final

from bot.service.ports import Clock, InteractionId, Thinker
from bot.table.dice import Dice
from bot.table.seats import Pace, PersonId
from bot.table.session import Phase, Session, SessionId
from bot.table.table import Place, Table, made_at
from engine.game import Move

LAST_MINUTE: Final = timedelta(minutes=1)
WAITED_LONG: Final = timedelta(hours=1)
LAST_HOURS: Final = timedelta(hours=12)


class Turns:
    """Works out the table that follows a change."""

    def __init__(self, thinker: Thinker, clock: Clock, rng: Random) -> None:
        self._thinker = thinker
        self._clock = clock
        self._rng = rng

    def begun(
        self, session: Session, place: Place, locale: str, interaction: InteractionId
    ) -> Table:
        """The table of a new session, which has no number yet: its dice wait until it has."""
        now = self._clock.now()
        if not session.game.dice:
            session = self._gone_on(session, pips=_undiced)
        due = None if session.patience is None else now + session.patience
        return Table(
            id=SessionId(0),
            revision=1,
            session=session,
            place=place,
            locale=locale,
            moved_at=now,
            due=due,
            remind_at=reminder_time(session, due),
            dice=self._dice(session),
            opened_at=min(now, made_at(interaction)),
        )

    def after(self, table: Table, session: Session) -> Table:
        """The table after a change of its session, and after what follows by itself."""
        now = self._clock.now()
        before = table.session
        dice = table.dice or self._dice(session)
        session = self._gone_on(session, pips=partial(_rolled, table.id, dice))
        moved = (session.phase, session.ply) != (before.phase, before.ply)
        due, remind_at = table.due, table.remind_at
        if moved or _waiting(session) != _waiting(before):
            due = None if session.patience is None else now + session.patience
            remind_at = reminder_time(session, due)
        return replace(
            table,
            revision=table.revision + 1,
            session=session,
            moved_at=now if moved else table.moved_at,
            due=due,
            remind_at=remind_at,
            nudge=_challenger(before, session) or table.nudge,
            dice=dice,
        )

    def _gone_on(self, session: Session, pips: Callable[[int], Move]) -> Session:
        """The session after the plies that no person decides, up to a search that takes time.

        `pips` is what the dice show at a ply.
        """
        while True:
            move = session.forced
            if session.rolls_by_itself:
                move = pips(session.ply)
            elif move is None and session.thinking:
                move = self._thinker.quick(session)
            if move is None:
                return session
            session = session.go_on(move)

    def _dice(self, session: Session) -> Dice | None:
        needed = session.game.dice and session.phase is Phase.RUNNING
        return Dice.drawn(self._rng) if needed else None


def reminder_time(
    session: Session, due: datetime | None, *, after: datetime | None = None
) -> datetime | None:
    """When the next reminder of the present state is due, if there is one after a time.

    `due` is when the session's patience runs out.
    """
    if due is None or session.patience is None:
        return None
    since = due - session.patience
    times = _times(session, since=since, due=due)
    return next((time for time in times if after is None or time > after), None)


def _times(session: Session, *, since: datetime, due: datetime) -> Iterator[datetime]:
    if session.lapsed:
        yield since
    elif session.turn_limit is None:
        return
    elif session.pace is Pace.LIVE:
        yield due - LAST_MINUTE
    else:
        yield since + WAITED_LONG
        yield due - LAST_HOURS


def next_roll(table: Table) -> Move:
    """What the dice show if they roll next; 0, which is no roll, where there are none."""
    return _rolled(table.id, table.dice, table.session.ply) if table.dice else Move(0)


def _rolled(session: SessionId, dice: Dice | None, ply: int) -> Move:
    assert dice is not None, "a game with dice that runs has drawn them"
    return Move(dice.pips(session, ply))


def _undiced(ply: int) -> Move:
    raise AssertionError(f"no dice roll at ply {ply} of a game without dice")


def _waiting(session: Session) -> object:
    """Whom a table waits for, and for how long."""
    return session.lapsed, session.patience, session.mover


def _challenger(before: Session, after: Session) -> PersonId | None:
    """The person whose challenge has just been accepted."""
    accepted = before.phase is Phase.LOBBY and after.phase is Phase.RUNNING
    return before.host if accepted and not before.gathers else None
