"""The conditions on which people open tables and sit down together.

Guilds say where and how many, people whom they do not want to meet. A blocked person is told that a
game is not possible, and neither by whom nor why.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.message.text import ChannelMention, Mention, joined
from bot.storage.choices import GuildId, Guilds, GuildSettings, People
from bot.table.refusals import Refusal
from bot.table.seats import Invited, PersonId
from bot.table.session import Session
from bot.table.table import Place

MOST_ALONE: Final = 2
"""The most games against computers alone of a person in a channel."""


class Admission:
    """The conditions to open a table or sit down at one."""

    def __init__(self, people: People, guilds: Guilds) -> None:
        self._people = people
        self._guilds = guilds

    async def refresh(self, session: Session, *others: PersonId) -> None:
        """Read the choices of all who sit at a table or are to sit there."""
        invited = (seat.person for seat in session.seats if isinstance(seat, Invited))
        await self._people.refresh({session.host, *session.people, *invited, *others})

    def settings(self, place: Place) -> GuildSettings:
        """The settings of a place's guild; the defaults where the bot is no member."""
        home = place.home
        return GuildSettings() if home is None else self._guilds.of(GuildId(home))

    def open(self, session: Session, place: Place, *, parent: int | None) -> None:
        """Let a new table through; `parent` is the channel of a thread.

        Raises:
            Refusal: The guild has its games in other channels, a person invited does not want
                to be, or has blocked the host or been blocked.
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
        """Let games be played in a place; `parent` is the channel of a thread.

        Raises:
            Refusal: The guild has its games in other channels.
        """
        allowed = self.settings(place).channels
        if allowed and allowed.isdisjoint({place.channel, parent}):
            raise Refusal("games_elsewhere", channels=joined(map(ChannelMention, sorted(allowed))))

    def join(self, before: Session, after: Session, by: PersonId) -> None:
        """Let a person sit down at a table that waits.

        Raises:
            Refusal: A player at the table has blocked the person.
        """
        if by in after.people and by not in before.people:
            self._welcome(by, {before.host, *before.people})

    def _welcome(self, person: PersonId, others: Iterable[PersonId]) -> None:
        if any(person in self._people.of(other).blocked for other in others):
            raise Refusal("not_together")
