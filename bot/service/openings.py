"""Opening tables, by a command or as a rematch, and the conditions for that.

Guilds choose where games are played and how many; people choose whom they block. A blocked person
is told that the game is not possible, but not who blocked them.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from bot.games.command import BOARD, Request
from bot.games.entry import Entry
from bot.message.text import ChannelMention, Mention, joined
from bot.service.search_pool import SearchQueue
from bot.service.updates import Turns, Updates
from bot.storage.choices import GuildId, Guilds, GuildSettings, People
from bot.storage.errors import Conflict, Crowded, Repeated
from bot.storage.tables import Tables
from bot.table import lobby
from bot.table.refusals import ChannelFull, Refusal, TooManyAlone
from bot.table.rights import untouched
from bot.table.seats import Invited, PersonId
from bot.table.session import Phase, Session, SessionId
from bot.table.table import InteractionId, Place, Table

MOST_ALONE: Final = 2
"""The most games against computers alone that a person may have at once in a channel."""


class Admission:
    """The conditions to open a table or sit down at one."""

    def __init__(self, people: People, guilds: Guilds) -> None:
        self._people = people
        self._guilds = guilds

    async def refresh(self, session: Session, *others: PersonId) -> None:
        """Reload the choices of all who sit at a table, are invited to it, or are in `others`."""
        invited = (seat.person for seat in session.seats if isinstance(seat, Invited))
        await self._people.refresh({session.host, *session.people, *invited, *others})

    def settings(self, place: Place) -> GuildSettings:
        """The settings of a place's guild; the defaults where the bot is no member."""
        home = place.home
        return GuildSettings() if home is None else self._guilds.of(GuildId(home))

    def open(self, session: Session, place: Place, *, parent: int | None) -> None:
        """Check whether a new table may be opened; `parent` is the channel of a thread.

        Raises:
            Refusal: The guild has its games in other channels; or an invited person wants no
                challenges, blocks the host, or is blocked by them.
        """
        self.allow(place, parent=parent)
        invited = [seat.person for seat in session.seats if isinstance(seat, Invited)]
        for person in invited:
            if not self._people.of(person).challenges:
                raise Refusal("challenges_off", person=Mention(person))
            if person in self._people.of(session.host).blocked:
                raise Refusal("opponent_blocked", person=Mention(person))
        self._welcome(session.host, invited)

    def allow(self, place: Place, *, parent: int | None) -> None:
        """Check whether games may be played in a place; `parent` is the channel of a thread.

        Raises:
            Refusal: The guild has its games in other channels.
        """
        allowed = self.settings(place).channels
        if allowed and allowed.isdisjoint({place.channel, parent}):
            raise Refusal("games_elsewhere", channels=joined(map(ChannelMention, sorted(allowed))))

    def join(self, before: Session, after: Session, by: PersonId) -> None:
        """Check whether a person may sit down at a waiting table, if that is the change.

        Raises:
            Refusal: The host or a player blocks the person.
        """
        if by in after.people and by not in before.people:
            self._welcome(by, {before.host, *before.people})

    def _welcome(self, person: PersonId, others: Iterable[PersonId]) -> None:
        if any(person in self._people.of(other).blocked for other in others):
            raise Refusal("not_together")


log = logging.getLogger(__name__)

TO_FINISH: Final = 3
"""The most games named in a refusal, one of which could be finished to make room."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """The table of a rematch; if `new`, its message is still to be sent."""

    table: Table
    new: bool


class Openings:
    """Opens tables if there is room and the people may play together."""

    def __init__(
        self,
        updates: Updates,
        stored: Tables,
        admission: Admission,
        queue: SearchQueue,
        turns: Turns,
        *,
        rng: Random,
    ) -> None:
        self._updates = updates
        self._stored = stored
        self._admission = admission
        self._queue = queue
        self._turns = turns
        self._rng = rng

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
        """Open the table that a slash command asks for.

        `parent` is the channel that the place is a thread of, if it is one; `locale` is the
        asker's language, which the board speaks unless the guild has chosen one.

        Raises:
            Refusal: The game, the guild or the people are against the request.
        """
        session = entry.command.propose(request, self._rng)
        if BOARD.key not in request.values:
            look = self._admission.settings(place).board or entry.look
            session = replace(session, preferences=replace(session.preferences, board=look))
        table = await self._open(session, place, locale, interaction, parent=parent)
        return await self._updates.answered(table)

    async def rematch(
        self,
        finished: Table,
        by: PersonId,
        interaction: InteractionId,
        place: Place,
        *,
        parent: int | None,
    ) -> Rematch:
        """Open the table of a rematch, or return the one that is open already.

        Raises:
            Refusal: The session, the guild or the people are against it.
        """
        session = lobby.rematch(finished.session, by)
        if finished.rematch is not None:
            following = await self._updates.table(finished.rematch)
            if following.session.phase is not Phase.ABANDONED:
                return Rematch(following, new=False)
        try:
            table = await self._open(
                session, place, finished.locale, interaction, parent=parent, follows=finished
            )
        except Conflict:
            finished = await self._updates.table(finished.id)
            return await self.rematch(finished, by, interaction, place, parent=parent)
        return Rematch(table, new=table.place.message is None)

    async def alone(self, table: Table, by: PersonId) -> Sequence[SessionId]:
        """A person's running games against computers in the channel, if `table` would be another.

        Games in which the person has not moved come first, then the oldest. Empty if `table` has
        more people.
        """
        if len(table.session.people) > 1:
            return []
        here = await self._stored.those(await self._stored.unfinished(table.place.channel))
        return _to_close(
            [
                table
                for table in here
                if table.session.phase is Phase.RUNNING
                and table.session.solo
                and by in table.session.people
            ]
        )

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
        table = self._turns.opened(session, place, settings.language or locale, interaction)
        room = None if place.direct else MOST_ALONE if session.solo else settings.games
        try:
            table = await self._stored.open(table, interaction, follows=follows, room=room)
        except Repeated as repeated:
            return await self._stored.table(repeated.table)
        except Crowded as crowded:
            here = await self._stored.those(crowded.unfinished)
            if session.solo and here:
                raise TooManyAlone(_to_close(here)[0]) from None
            raise _full(here, session.host) from None
        log.debug("table opened session=%s game=%s", table.id, session.game.key)
        return await self._updates.answered(table)


def _full(here: Sequence[Table], by: PersonId) -> ChannelFull:
    """The refusal, naming tables that could be finished: the person's own, or the oldest."""
    own = [table for table in here if by in table.session.people]
    return ChannelFull([table.id for table in (own or here)[:TO_FINISH]])


def _to_close(tables: Sequence[Table]) -> list[SessionId]:
    """A person's games in the order in which they should make room for another."""
    return [table.id for table in sorted(tables, key=lambda table: not untouched(table.session))]
