"""The use cases of tables, whatever the interface.

A press travels one way: the table is read, the session says what follows, `Updates` saves the
result, and the saved table is returned to be shown.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from random import Random

from bot.clock import Clock
from bot.service.openings import MOST_ALONE, Admission, Openings, Rematch
from bot.service.search_pool import SearchQueue
from bot.service.updates import Turns, Updates, next_roll
from bot.service.variations import Variations
from bot.storage.errors import UnknownTable
from bot.storage.tables import Tables
from bot.table import actions, ending
from bot.table.actions import Action
from bot.table.refusals import Outdated, Refusal, TooManyAlone, UnknownControl, Unseen
from bot.table.rights import untouched
from bot.table.seats import PersonId
from bot.table.session import Phase, Session, SessionId
from bot.table.table import EndedTable, InteractionId, Place, Table
from engine.game import Move

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Press:
    """A button pressed by a person on a board that was drawn at a ply.

    `table` was read for this press and may be at a later ply; `value` is a menu's choice, and
    `line` as in `actions.press`.
    """

    interaction: InteractionId
    table: Table
    ply: int
    action: str
    by: PersonId
    value: str = ""
    line: str = ""


class TableService:
    """The use cases of tables. One instance serves a process."""

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
        self.turns = Turns(queue, clock, rng)
        self.updates = Updates(stored, self.turns, queue, clock)
        self.table = self.updates.table
        self.variations = Variations(queue, self.turns, rng)
        self.openings = Openings(self.updates, stored, admission, queue, self.turns, rng=rng)

    async def shown_by(self, message: int | None, session: SessionId) -> Table:
        """The table of a control on a message; None stands for any message.

        Raises:
            UnknownControl: There is no such table, or the message is older than it.
        """
        table = await self.table(session)
        if message is None or message == table.place.message or table.opened_before(message):
            return table
        raise UnknownControl

    async def boards(self, channel: int, parent: int | None = None) -> Sequence[Table]:
        """The unfinished tables of a channel, the latest first.

        If it is a thread in the channel `parent`, also the table to which the thread belongs.
        """
        own = await self._stored.those(reversed(await self._stored.unfinished(channel)))
        if parent is None:
            return own
        beside = await self.boards(parent)
        return [*own, *(table for table in beside if table.place.thread == channel)]

    async def board(
        self, channel: int, number: SessionId | None, by: PersonId, *, parent: int | None = None
    ) -> Table:
        """The unfinished table of that number in a channel; None stands for the best guess.

        The guess prefers running games to waiting ones, then the person's own, then the latest.

        Raises:
            Refusal: The channel has no such table.
        """
        here = await self.boards(channel, parent)
        wanted = [table for table in here if number in {None, table.id}]
        if not wanted:
            raise Refusal("no_games_here" if number is None else "no_game_here")
        return min(wanted, key=lambda table: _waits_for_others(table, by))

    async def own(self, person: PersonId) -> Sequence[Table]:
        """The unfinished tables where a person has a seat."""
        return await self._stored.those(await self._stored.unfinished_of(person))

    async def press(self, press: Press) -> Table:
        """The table after a press, with the answers of the computers that follow it.

        Raises:
            Refusal: The session refuses it.
            IllegalMove: The rules do not allow the move.
        """
        starts = press.action == Action.START
        alone = await self.openings.alone(press.table, press.by) if starts else []
        if press.action in {Action.ACCEPT, Action.JOIN}:
            await self._admission.refresh(press.table.session, press.by)

        def change(table: Table) -> Session:
            after = actions.press(
                table.session,
                press.action,
                press.by,
                ply=press.ply,
                line=press.line,
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

        return await self.updates.answered(
            await self.updates.change(press.table, press.interaction, change)
        )

    async def give_hint(self, table: Table, by: PersonId, move: Move) -> Table:
        """The table after a hint of `move`, on the board as it was read.

        Raises:
            Refusal: As `actions.give_hint`.
        """
        if table.session.hint == move:
            return table
        asked = table.session

        def change(latest: Table) -> Session:
            if latest.session.moves != asked.moves:  # after taking back, plies repeat
                raise Outdated("stale_control")
            return actions.give_hint(latest.session, by, move, ply=asked.ply)

        return await self.updates.change(table, None, change)

    async def depart(self, session: SessionId, by: PersonId) -> Table:
        """The table after a person has left it for good, without the answers of computers.

        Raises:
            Refusal: As `actions.leave_for_good`.
        """
        return await self.updates.change(
            await self.table(session), None, lambda table: actions.leave_for_good(table.session, by)
        )

    async def forfeit(self, table: Table, *, both: bool) -> Table:
        """End an overdue match of a tournament; with `both`, neither player came.

        Raises:
            Refusal: The table has ended, or a player has made a move since.
        """

        def change(latest: Table) -> Session:
            if latest.session.ply != table.session.ply:
                raise Outdated("stale_control")
            return ending.forfeit(latest.session, both=both)

        return await self.updates.change(table, None, change)

    async def close(self, session: SessionId, guild: int, by: PersonId | None = None) -> Table:
        """Close a table of a guild without a result; `by` is the manager who asked, if any.

        Raises:
            Refusal: No such table is unfinished in the guild, or the manager takes part in it.
        """

        def change(table: Table) -> Session:
            if by is not None and table.session.concerns(by):
                raise Refusal("own_game")
            return ending.close(table.session)

        table = await self.table(session)
        if table.place.guild != guild:
            raise Refusal("no_game_here")
        return await self.updates.change(table, None, change)

    @asynccontextmanager
    async def close_if_unseen(self, session: SessionId) -> AsyncIterator[None]:
        """Close a table if the block, which sends its message, finds that only its host sees it.

        Raises:
            Unseen: Only the host sees the message.
        """
        try:
            yield
        except Unseen:
            await self.updates.change(await self.table(session), None, _closed)
            raise

    async def close_alone(self, session: SessionId, by: PersonId | None = None) -> Table:
        """End a running game of one person (`by`, if given) against computers; return the table.

        It counts as lost once both sides have made two moves. Any other table stays as it is.
        """

        def change(table: Table) -> Session:
            running = table.session.phase is Phase.RUNNING and table.session.solo
            if not running or by not in {None, *table.session.people}:
                raise Outdated("not_running")
            return ending.close_alone(table.session)

        try:
            return await self.updates.change(await self.table(session), None, change)
        except Outdated:
            return await self.table(session)

    async def make_room(self, refused: TooManyAlone, by: PersonId) -> Table:
        """The game that `refused` another one for lack of room, closed if the person never moved.

        If it still runs, there is no room yet.
        """
        oldest = await self.table(SessionId(refused.oldest))
        return await self.close_alone(oldest.id, by) if untouched(oldest.session) else oldest

    async def rematch(self, press: Press, place: Place, *, parent: int | None = None) -> Rematch:
        """The table of a rematch after a finished game; `parent` as in `Openings`.

        If another player has already asked, this person joins the table or accepts the challenge.

        Raises:
            Refusal: The session, the guild or the people are against it.
        """
        rematch = await self.openings.rematch(
            press.table, press.by, press.interaction, place, parent=parent
        )
        following = rematch.table
        session = following.session
        if rematch.new or session.phase is not Phase.LOBBY or press.by in session.people:
            return rematch
        action = Action.JOIN if session.has_lobby else Action.ACCEPT
        following = await self.press(replace(press, table=following, ply=0, action=action))
        return Rematch(following, new=False)

    async def time_out(self, session: SessionId) -> Table:
        """The table after its time limit, unchanged if that has not passed."""
        table = await self.updates.change(
            await self.table(session),
            None,
            lambda table: ending.time_out(table.session),
            only_if_due=True,
        )
        return await self.updates.answered(table)

    async def go_on(self, session: SessionId) -> Table:
        """The table after the plies that no person decides, as `Updates.answered`."""
        return await self.updates.answered(await self.table(session))


def _waits_for_others(table: Table, by: PersonId) -> tuple[bool, bool]:
    return table.session.phase is not Phase.RUNNING, not table.session.concerns(by)


def _closed(table: Table) -> Session:
    return ending.close(table.session)


class Archive:
    """Finished games, for the people who may see them.

    People who see a channel see its games; players see theirs anywhere.
    """

    def __init__(self, stored: Tables) -> None:
        self._stored = stored

    async def offered(self, channel: int, by: PersonId) -> Sequence[EndedTable]:
        """The latest finished games of a channel, and those of a person, the latest first."""
        return await self._stored.finished(channel, by)

    async def game(self, number: SessionId | None, *, channel: int, by: PersonId) -> Table:
        """The finished game of that number; None stands for the person's latest, or the channel's.

        Raises:
            Refusal: It is not over, or there is none that the person may look at in this channel.
        """
        if number is None:
            offered = await self.offered(channel, by)
            own = [ended for ended in offered if ended.own]
            if not offered:
                raise Refusal("nothing_to_replay")
            number = (own or offered)[0].id
        try:
            table = await self._stored.table(number)
        except UnknownTable as error:
            raise Refusal("nothing_to_replay") from error
        return self.admit(table, channel=channel, by=by)

    @staticmethod
    def admit(table: Table, *, channel: int, by: PersonId) -> Table:
        """The table itself, if the person may look at its finished game in this channel.

        Raises:
            Refusal: As in `game`.
        """
        if table.place.channel != channel and not table.session.concerns(by):
            raise Refusal("nothing_to_replay")
        if table.session.phase in {Phase.LOBBY, Phase.RUNNING}:
            raise Refusal("not_over")
        if table.session.phase is Phase.ABANDONED:
            raise Refusal("nothing_to_replay")
        return table
