"""What people ask about finished games: `/stats`, `/leaderboard`, `/history` and their pages.

All of it is for whoever asks alone. A page is made anew from the records whenever it is turned to.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from io import BytesIO

from discord import File, Member, User

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Screen
from bot.records.queries import Stats
from bot.screens.history import history
from bot.screens.leaderboard import leaderboard
from bot.screens.pager import Page, Scope, What
from bot.screens.stats import PICTURE, stats
from bot.screens.stats_picture import stats_picture
from bot.service.ports import Records
from bot.table.refusals import BotsHaveNoRecords
from bot.table.seats import PersonId
from bot.ui.asking import Answering, Asked, Speaking
from bot.ui.view import page_view


class RecordBook:
    """Shows what is remembered of finished games to one reader each."""

    def __init__(self, records: Records, answering: Answering, words: Speaking) -> None:
        self._records = records
        self._answering = answering
        self._words = words

    async def open(
        self,
        interaction: Asked,
        what: What,
        *,
        whose: User | Member | None = None,
        which: str | None = None,
        scope: str | None = None,
    ) -> None:
        """One of the commands was typed: its first page.

        What is left out is the asker, the games of this server, and the game last played; the
        history is of all games.
        """
        async with self._answering(interaction) as answer:
            person = _person(whose or interaction.user)
            where = Scope.EVERYWHERE if interaction.guild_id is None else Scope(scope or Scope.HERE)
            page = Page(what, which, where, person)
            if which is None and what is not What.HISTORY:
                page = replace(page, game=await self._last_played(person, interaction.guild_id))
            screen, picture = await self._read(interaction, page)
            await answer.say(page_view(screen, self._words(interaction)), picture)

    async def turn(self, interaction: Asked, page: Page) -> None:
        """A control was pressed that leads to a page, which takes the place of the one before."""
        async with self._answering(interaction) as answer:
            screen, picture = await self._read(interaction, page)
            files = [] if picture is None else [picture]
            await answer.show(page_view(screen, self._words(interaction)), files)

    async def _read(self, interaction: Asked, page: Page) -> tuple[Screen, File | None]:
        """A page as it is by now, with its picture if it has one."""
        reader, private = PersonId(interaction.user.id), interaction.guild_id is None
        guild = interaction.guild_id if page.scope is Scope.HERE else None
        if page.game is None or page.what is What.HISTORY:
            past = await self._records.history(page.person, page.game, guild, page=page.number)
            return history(past, page, reader=reader, here=interaction.guild_id), None
        if page.what is What.LEADERBOARD:
            board = await self._records.leaderboard(
                page.game, guild, asking=reader, page=page.number
            )
            return leaderboard(board, page, reader=reader, private=private), None
        record = await self._records.stats(page.person, page.game, guild)
        screen = stats(record, page, reader=reader, private=private)
        return screen, await _picture(record)

    async def _last_played(self, person: PersonId, guild: int | None) -> str:
        """The game that somebody played last, here if they have, or else anywhere."""
        for where in (guild, None):
            past = await self._records.history(person, guild=where)
            if past.entries:
                return past.entries[0].finished.game
        return CATALOGUE[0].game.key


def _person(user: User | Member) -> PersonId:
    """Whom to look up.

    Raises:
        BotsHaveNoRecords: It is not a person.
    """
    if user.bot:
        raise BotsHaveNoRecords
    return PersonId(user.id)


async def _picture(record: Stats) -> File | None:
    if record.empty:
        return None
    return File(BytesIO(await asyncio.to_thread(stats_picture, record)), PICTURE)
