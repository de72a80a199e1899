"""News as posts in the channels of servers, and warnings as direct messages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from io import BytesIO
from itertools import chain
from typing import Final

import discord
from discord import ui

from bot.records.puzzles import Edition
from bot.screens.leaderboard import PICTURE, podium_picture
from bot.screens.puzzle import ANSWER, POSITION, PuzzleAction, news, puzzle_pictures, warning
from bot.service.news import DailyNews, Publication, StreakWarning
from bot.service.use_cases import UseCases
from bot.storage.choices import GuildId
from bot.storage.news import UNREADABLE, Shown
from bot.table.seats import PersonId
from bot.ui.custom_ids import NoHistory, found_by, puzzle_id
from bot.ui.errors import OUT_OF_REACH, refuses_files
from bot.ui.permissions import permissions_in
from bot.ui.postman import Letter, Post, PostKind, Postman, give_up, nothing
from bot.ui.profiles import profiles_of
from bot.ui.render import puzzle_view
from bot.ui.retries import Retries
from bot.ui.words import Speech, Words
from engine.review import Puzzle

log = logging.getLogger(__name__)

UNPICTURED_KEPT: Final = timedelta(days=7)
"""How long the process remembers that news were sent without pictures."""

MOST_A_ROUND: Final = 15
"""The most messages of a round, or three a second."""


class NewsMessages:
    """Sends news silently, in the language of the server, and edits them; sends warnings."""

    def __init__(
        self, client: discord.Client, speech: Speech, postman: Postman, use_cases: UseCases
    ) -> None:
        self._client = client
        self._speech = speech
        self._postman = postman
        self._people = use_cases.stores.people
        self._guilds = use_cases.stores.guilds
        self._stored = use_cases.stores.news
        self._news = DailyNews(
            self._stored,
            use_cases.stores.guilds,
            use_cases.puzzles,
            self._sees,
            use_cases.clock,
            absences=use_cases.absences,
            share=use_cases.stores.share,
        )
        self._retries = Retries()
        self._kind = PostKind("news", self._draw)
        self._warnings = PostKind("warning", self._draw_warning)
        self._stale: dict[tuple[GuildId, date], Shown] = {}
        self._in_danger: Mapping[PersonId, StreakWarning] = {}
        self._boards: dict[date, tuple[bytes, bytes]] = {}
        self._unpictured: set[tuple[GuildId, date]] = set()
        """The news that were sent without pictures."""
        self._untaken: dict[tuple[GuildId, date], Publication] = {}
        """The news whose pictures Discord has just refused."""

    async def run_due(self) -> None:
        """Send up to `MOST_A_ROUND` of the news and warnings that are due."""
        due = await self._news.due()
        self._in_danger = await self._news.in_danger(MOST_A_ROUND)
        published = (Post(self._kind, each) for each in due)
        warned = (Post(self._warnings, person) for person in self._in_danger)
        await self._postman.go_round(chain(published, warned), most=MOST_A_ROUND)

    async def edit_due(self) -> None:
        """Edit up to `MOST_A_ROUND` of the news that are out of date."""
        self._stale = {(each.guild, each.day): each for each in await self._news.stale()}
        posts = [Post(self._kind, each) for each in self._stale]  # drawing takes them out
        await self._postman.go_round(posts, most=MOST_A_ROUND)

    def _sees(self, guild: GuildId) -> bool:
        """Whether the bot is in the guild, and there is no outage."""
        known = self._client.get_guild(guild)
        return known is not None and not known.unavailable

    async def _draw(self, owner: tuple[GuildId, date]) -> Letter | None:
        """The letter that edits a guild's news of a day, or sends them; None if not needed."""
        shown = self._stale.pop(owner, None)
        if shown is not None:
            told = await self._news.again(shown)
            return None if told is None else await self._edit(told, shown)
        guild, day = owner
        told = self._untaken.pop(owner, None) or await self._begun(guild, day)
        channel = self._guilds.of(guild).news_channel
        if told is None or channel is None:
            return None
        plain = not self._may_attach(guild, channel) or owner in self._unpictured
        if plain:
            self._do_without_pictures(guild, day)
        return Letter(
            channel=channel,
            guild=guild,
            there=lambda message, _: self._news.sent(told, (channel, message)),
            refused=partial(self._refused, told, channel),
            unpictured=partial(self._send_without_pictures, told),
            view=self._view(told, plain=plain),
            files=() if plain else await self._painted(guild, told.edition, told.before),
            once=True,
            marked=("news", day.isoformat()),
            silent=True,
            drawn_once=True,
        )

    async def _begun(self, guild: GuildId, day: date) -> Publication | None:
        """The news to send; None if they were sent, switched off, or claimed by another process."""
        for unheard in await self._stored.unheard(guild, day):
            # With revision 0, so that its message is edited: it may be out of date.
            await self._stored.finish(guild, unheard, await self._sent(guild, unheard))
        told = await self._news.begin(guild, day)
        if told is None:
            return None
        there = await self._sent(guild, day) if told.perhaps_sent else None
        if there is None and self._guilds.of(guild).news_channel is not None:
            return told
        await self._news.sent(told, there)
        return None

    async def _edit(self, told: Publication, shown: Shown) -> Letter:
        painted = shown.redrawn and self._may_attach(told.guild, shown.channel)
        plain = (told.guild, told.day) in self._unpictured or (shown.redrawn and not painted)
        edited = partial(self._news.edited, told)
        files: Sequence[discord.File] = ()
        if painted and not plain:
            files = await self._painted(told.guild, told.edition, told.before)
        return Letter(
            channel=shown.channel,
            guild=told.guild,
            message=shown.message,
            files=files,  # if there are none, the message keeps its pictures
            there=lambda _, sure: edited() if sure else nothing(),
            gone=edited,  # the next news find out whether the channel is lost
            refused=partial(self._edit_refused, told, plain=plain),
            view=self._view(told, plain=plain),
        )

    def _view(self, told: Publication, *, plain: bool) -> ui.LayoutView:
        screen = news(told.puzzle, told.edition, told.before)
        shown = screen.unpictured if plain else screen
        return puzzle_view(shown, told.day, self._words(told.guild))

    def _may_attach(self, guild: GuildId, channel: int) -> bool:
        return permissions_in(self._client.get_guild(guild), channel).attach_files

    def _do_without_pictures(self, guild: GuildId, day: date) -> None:
        log.info("news without pictures server=%s day=%s", guild, day)
        recent = {each for each in self._unpictured if each[1] > day - UNPICTURED_KEPT}
        self._unpictured = recent | {(guild, day)}

    def _send_without_pictures(self, told: Publication) -> None:
        """Have news drawn again without the pictures that Discord refused, under the same claim."""
        self._do_without_pictures(told.guild, told.day)
        self._untaken[told.guild, told.day] = told

    async def _edit_refused(
        self, told: Publication, error: discord.HTTPException, *, plain: bool
    ) -> None:
        """Have news edited without pictures if those may be the reason; else leave them as is.

        Raises:
            HTTPException: They are out of reach, and to be edited later.
        """
        if plain or not refuses_files(error):
            await give_up(partial(self._news.edited, told), error)
        else:
            self._do_without_pictures(told.guild, told.day)

    async def _refused(self, told: Publication, channel: int, error: discord.HTTPException) -> None:
        if error.code in OUT_OF_REACH:
            await self._news.lose(told, channel)
        else:
            await self._news.sent(told, None)

    async def _sent(self, guild: GuildId, day: date) -> tuple[int, int] | None:
        """The (channel, message) of a day's news that may have been sent; None if not found.

        The message is `UNREADABLE` if the bot may not read the channel.

        Raises:
            Unreachable: Discord has trouble.
        """
        number = self._guilds.of(guild).news_channel
        if number is None:  # switched off meanwhile
            return None
        channel, solve = (
            self._client.get_partial_messageable(number, guild_id=guild),
            puzzle_id(day, PuzzleAction.SOLVE),
        )
        try:
            found = await self._retries.send_briefly(partial(found_by, channel, solve))
        except (discord.Forbidden, NoHistory):  # they may have been sent
            return number, UNREADABLE
        except discord.HTTPException:
            return None
        return None if found is None else (number, found)

    async def _draw_warning(self, person: PersonId) -> Letter | None:
        """The letter that warns a person once; None if already warned, or out of reach."""
        if not await self._news.warn(person):
            return None
        puzzle, streak, guild = self._in_danger[person]
        words = self._words(guild, self._people.of(person).language)
        create = partial(self._client.create_dm, discord.Object(person))
        try:
            channel = await self._retries.send_briefly(create)
        except discord.HTTPException as error:
            log.info("warning not delivered error=%r", error)
            return None
        return Letter(
            channel=channel.id,
            refused=nothing,
            view=puzzle_view(warning(puzzle, streak), puzzle.day, words),
            once=True,
            marked=("streak", puzzle.day.isoformat(), person),
            drawn_once=True,
        )

    async def _painted(
        self, guild: GuildId, edition: Edition, before: Puzzle
    ) -> Sequence[discord.File]:
        """The pictures that go with news."""
        painted = dict[str, bytes]()
        if edition.last is not None:
            if before.day not in self._boards:
                self._boards = {before.day: await asyncio.to_thread(puzzle_pictures, before)}
            painted |= zip((POSITION, ANSWER), self._boards[before.day], strict=True)
        if edition.podiums:
            best = {each.person for lines in edition.podiums.values() for each in lines}
            known = await profiles_of(self._client, guild, best)
            about = edition.podiums, self._words(guild), known
            painted[PICTURE] = await asyncio.to_thread(podium_picture, *about)
        return [discord.File(BytesIO(png), name) for name, png in painted.items()]

    def _words(self, guild: GuildId | None, own: str | None = None) -> Words:
        """Words in a person's `own` choice of a language, or else in that of a guild."""
        if guild is None:
            return self._speech.words(own)
        known = self._client.get_guild(guild)
        locale = None if known is None else known.preferred_locale.value
        return self._speech.words(own, self._guilds.of(guild).language, locale)
