"""Finished games that a person may look at: their own, and those of the channel."""

from __future__ import annotations

from collections.abc import Sequence

from bot.storage.errors import UnknownTable
from bot.storage.tables import Tables
from bot.table.refusals import Refusal
from bot.table.seats import PersonId
from bot.table.session import Phase, SessionId
from bot.table.table import EndedTable, Table


class Archive:
    """Finished games, for the people who may see them.

    People who see a channel see its games; players see theirs anywhere.
    """

    def __init__(self, stored: Tables) -> None:
        self._stored = stored

    async def offered(self, channel: int, by: PersonId) -> Sequence[EndedTable]:
        """The latest finished games of a channel and of a person, the latest first."""
        return await self._stored.finished(channel, by)

    async def game(self, number: SessionId | None, *, channel: int, by: PersonId) -> Table:
        """The finished game of that number; without one the person's latest, or the channel's.

        Raises:
            Refusal: There is none that the person may look at in this channel, or it is not over.
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
