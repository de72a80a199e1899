"""What people can do at Parlour's tables, whatever interface they use.

A press travels one way: the table is read, the session says what follows, the result is saved (see
`bot.service.updates`), and the saved table is returned to be shown.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from random import Random
from typing import Final

from bot.clock import Clock
from bot.games.command import BOARD, Request
from bot.games.entry import Entry
from bot.service.admission import MOST_ALONE, Admission
from bot.service.archive import Archive
from bot.service.search_queue import SearchQueue
from bot.service.updates import Turns, Updates, next_roll
from bot.storage.errors import Conflict, Crowded, Repeated, Unavailable
from bot.storage.tables import Tables
from bot.table import buttons, ending, lobby
from bot.table.actions import Action
from bot.table.refusals import ChannelFull, Outdated, Refusal, TooManyAlone, UnknownControl, Unseen
from bot.table.seats import PersonId
from bot.table.session import Phase, Session, SessionId
from bot.table.table import InteractionId, Place, Table

log = logging.getLogger(__name__)

REPEATS_END: Final = timedelta(hours=1)

TO_FINISH: Final = 3
"""How many games are shown that could be finished to make room."""

Show = Callable[[Table], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Press:
    """A control used: on which board, at which ply it was drawn, by whom.

    `value` is what was chosen, if it was a menu.
    """

    interaction: InteractionId
    session: SessionId
    ply: int
    action: str
    by: PersonId
    value: str = ""


@dataclass(frozen=True, slots=True)
class Rematch:
    """What asking for a rematch led to; `new` says that its message is still to be sent."""

    table: Table
    new: bool


class Service:
    """The use cases. One instance serves a process."""

    def __init__(
        self,
        stored: Tables,
        admission: Admission,
        queue: SearchQueue,
        clock: Clock,
        rng: Random,
    ) -> None:
        self.archive = Archive(stored)
        self._stored = stored
        self._admission = admission
        self._queue = queue
        self._turns = Turns(queue, clock, rng)
        self._updates = Updates(stored, self._turns, queue, clock)
        self._clock = clock
        self._rng = rng
        self._swept = clock.now()

    async def table(self, session: SessionId) -> Table:
        """A table.

        Raises:
            UnknownControl: There is no such table.
        """
        return await self._updates.table(session)

    async def shown_by(self, message: int | None, session: SessionId) -> Table:
        """A table, for a control of a message.

        Raises:
            UnknownControl: There is no such table, or the message is older than it.
        """
        table = await self.table(session)
        if message is None or message == table.place.message or table.opened_before(message):
            return table
        raise UnknownControl

    async def boards(self, channel: int) -> Sequence[Table]:
        """The tables of a channel that wait or run, the latest first."""
        found = reversed(await self._stored.unfinished(channel))
        return await self._read(found)

    async def board(self, channel: int, number: SessionId | None, by: PersonId) -> Table:
        """The table of that number; without one the person's own, or else the latest.

        Raises:
            Refusal: There is none in the channel.
        """
        here = await self.boards(channel)
        wanted = [table for table in here if number in {None, table.id}]
        own = [table for table in wanted if table.session.concerns(by)]
        if not wanted:
            raise Refusal("no_game_here")
        return (own or wanted)[0]

    async def propose(
        self,
        entry: Entry,
        request: Request,
        *,
        place: Place,
        parent: int | None = None,
        locale: str,
        interaction: InteractionId,
    ) -> Table:
        """The table that a slash command asks for.

        `parent` is the channel that the place is a thread of, if it is one; `locale` is the
        language of who asks, in which the board speaks unless the server has chosen one.

        Raises:
            Refusal: What the game, the server or the people say against the request.
        """
        session = entry.command.propose(request, self._rng)
        if BOARD in entry.command.fields and BOARD.key not in request.values:
            look = self._admission.settings(place).board
            session = replace(session, preferences=replace(session.preferences, board=look))
        return await self._open(session, place, locale, interaction, parent=parent)

    async def press(self, press: Press, table: Table | None = None) -> Table:
        """The table after a press, with the answers of the computers that follow it.

        `table` is the one pressed, if it has been read.

        Raises:
            Refusal: What the session says against it.
            IllegalMove: The rules do not allow the move.
        """
        table = table or await self.table(press.session)
        alone = await self._alone(table, press.by) if press.action == Action.START else []
        if press.action in {Action.ACCEPT, Action.JOIN}:
            await self._admission.refresh(table.session, press.by)

        def change(table: Table) -> Session:
            after = buttons.press(
                table.session,
                press.action,
                press.by,
                ply=press.ply,
                value=press.value,
                pips=next_roll(table),
            )
            if table.session.phase is Phase.LOBBY:
                self._admission.join(table.session, after, press.by)
            if after.solo and len(alone) >= MOST_ALONE and not table.place.direct:
                raise TooManyAlone(alone[0])
            if len(after.people) < len(after.seats):
                self._queue.admit(after)
            return after

        table = await self._updates.change(table, press.interaction, change)
        return await self.answered(table)

    async def hinted(self, table: Table, by: PersonId) -> Table:
        """The table of which a person gets a hint, marked for it.

        Raises:
            Refusal: As `buttons.mark_hint`.
        """
        if buttons.mark_hint(table.session, by) is table.session:
            return table
        return await self._updates.change(
            table, None, lambda table: buttons.mark_hint(table.session, by)
        )

    async def depart(self, session: SessionId, by: PersonId) -> Table:
        """The table after a person has left it for good, without the answers of computers.

        Raises:
            Refusal: As `buttons.leave_for_good`.
        """
        return await self._updates.change(
            await self.table(session), None, lambda table: buttons.leave_for_good(table.session, by)
        )

    async def close(self, session: SessionId, guild: int) -> Table:
        """The table closed by those who manage the server that it is in.

        Raises:
            Refusal: No such table waits or runs in the server.
        """
        with suppress(Refusal):
            table = await self.table(session)
            if table.place.guild == guild:
                return await self._updates.change(table, None, _closed)
        raise Refusal("no_game_here")

    @asynccontextmanager
    async def called_off_unseen(self, session: SessionId) -> AsyncIterator[None]:
        """Closes a table if it turns out meanwhile that its host alone can see it.

        Raises:
            Unseen: So it did.
        """
        try:
            yield
        except Unseen:
            await self._updates.change(await self.table(session), None, _closed)
            raise

    async def close_alone(self, session: SessionId, by: PersonId | None = None) -> Table:
        """The table closed where one person plays against computers alone: `by`, if it says so.

        Any other table stays as it is.
        """

        def change(table: Table) -> Session:
            running = table.session.phase is Phase.RUNNING and table.session.solo
            if not running or by not in {None, *table.session.people}:
                raise Outdated("not_running")
            return ending.close(table.session)

        try:
            return await self._updates.change(await self.table(session), None, change)
        except Outdated:
            return await self.table(session)

    async def rematch(
        self,
        press: Press,
        place: Place,
        *,
        parent: int | None = None,
        finished: Table | None = None,
    ) -> Rematch:
        """The table where the players of a finished one play again; `parent` as in `propose`.

        Asking for what the other side has asked for already takes up their challenge.

        Raises:
            Refusal: What the session, the server or the people say against it.
        """
        finished = finished or await self.table(press.session)
        session = lobby.rematch(finished.session, press.by)
        following = await self._following(finished)
        if following is None:
            try:
                table = await self._open(
                    session,
                    place,
                    finished.locale,
                    press.interaction,
                    parent=parent,
                    follows=finished,
                )
            except Conflict:
                return await self.rematch(press, place, parent=parent)
            return Rematch(table, new=table.place.message is None)
        if following.session.phase is Phase.LOBBY and press.by not in following.session.people:
            action = Action.JOIN if following.session.has_lobby else Action.ACCEPT
            accept = replace(press, session=following.id, ply=0, action=action)
            following = await self.press(accept, following)
        return Rematch(following, new=False)

    async def _following(self, finished: Table) -> Table | None:
        if finished.rematch is None:
            return None
        following = await self.table(finished.rematch)
        return None if following.session.phase is Phase.ABANDONED else following

    async def answered(self, table: Table) -> Table:
        """The table after everything that no person decides: dice, forced moves, computers."""
        return await self._updates.answered(table)

    async def go_on(self, session: SessionId) -> Table:
        """The table after what no person decides; a new one begins once its message is known."""
        return await self.answered(await self.table(session))

    async def tend(self, show: Show) -> None:
        """Does what is due by itself, and shows each table as soon as it has changed.

        Tables whose time is up are told so; computers that owe a move make it. What goes wrong at
        one table holds no other up.
        """
        now = self._clock.now()
        due = [self._timed_out(session) for session in await self._stored.due(now)]
        owed = [self.go_on(session) for session in await self._stored.unattended()]
        await asyncio.gather(*(_apart(change, show) for change in (*due, *owed)))
        if now - self._swept > REPEATS_END:
            await self._stored.forget_interactions(now - REPEATS_END)
            self._swept = now

    async def _timed_out(self, session: SessionId) -> Table:
        table = await self._updates.change(
            await self.table(session),
            None,
            lambda table: ending.time_out(table.session),
            only_if_due=True,
        )
        return await self.answered(table)

    async def _open(
        self,
        session: Session,
        place: Place,
        locale: str,
        interaction: InteractionId,
        *,
        parent: int | None,
        follows: Table | None = None,
    ) -> Table:
        await self._admission.refresh(session)
        self._admission.open(session, place, parent=parent)
        self._queue.admit(session)
        settings = self._admission.settings(place)
        table = self._turns.begun(session, place, settings.language or locale, interaction)
        room = None if place.direct else MOST_ALONE if session.solo else settings.games
        try:
            table = await self._stored.open(table, interaction, follows=follows, room=room)
        except Repeated as repeated:
            return await self._stored.table(repeated.table)
        except Crowded as crowded:
            if session.solo:
                raise TooManyAlone(crowded.unfinished[0]) from None
            raise await self._full(crowded, session.host) from None
        log.debug("table opened session=%s game=%s", table.id, session.game.key)
        return await self.answered(table)

    async def _read(self, numbers: Iterable[SessionId]) -> Sequence[Table]:
        return [await self._stored.table(number) for number in numbers]

    async def _alone(self, table: Table, by: PersonId) -> Sequence[SessionId]:
        """The games against computers alone of a person who starts another, the oldest first."""
        if len(table.session.people) > 1:
            return []
        unfinished = await self._stored.unfinished(table.place.channel)
        here = await self._read(unfinished)
        return [
            table.id
            for table in here
            if table.session.phase is Phase.RUNNING
            and table.session.solo
            and by in table.session.people
        ]

    async def _full(self, crowded: Crowded, by: PersonId) -> ChannelFull:
        """That no more tables fit, with some to finish: the person's own, or the oldest."""
        here = await self._read(crowded.unfinished)
        own = [table for table in here if by in table.session.people]
        return ChannelFull([table.id for table in (own or here)[:TO_FINISH]])


def _closed(table: Table) -> Session:
    return ending.close(table.session)


async def _apart(change: Awaitable[Table], show: Show) -> None:
    """Shows the outcome of a change; what goes wrong is logged, and tried again next time."""
    try:
        await show(await change)
    except UnknownControl:
        log.debug("table of an unknown game left alone")
    except Unavailable:
        log.debug("table left for the next round")
    except Exception:
        log.exception("table not tended")
