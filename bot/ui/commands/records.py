"""`/stats`, `/leaderboard`, `/history` and their pages.

All of it is for the reader alone. A page is made anew from the records whenever it is turned to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from discord import File, Member, User

from bot.clock import Clock
from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Menu, Row, Screen
from bot.records.rating import season_of
from bot.screens.history import history
from bot.screens.leaderboard import leaderboard
from bot.screens.pager import (
    PUZZLE,
    RecordKind,
    RecordsPage,
    Scope,
    SharedRecords,
    When,
    games_of,
    with_game,
)
from bot.screens.stats import PICTURE, is_lettered, on_page, stats, stats_picture
from bot.service.explanations import Puzzles
from bot.storage.records.queries import Records
from bot.table.refusals import Refusal
from bot.table.seats import PersonId
from bot.ui.commands.slash import Handler, Slash, SlashCommands
from bot.ui.handlers import Context, answers, shares
from bot.ui.render import page_view, picture_file
from bot.ui.words import Words

EVERYBODY: Final = PersonId(0)
"""The reader of a page for all: nobody in particular."""


DESCRIBED: Final[Mapping[RecordKind, Mapping[str, str]]] = {
    RecordKind.HISTORY: {"which": "field.which.history.description"}
}
"""Keys of descriptions of options whose default differs from that of other commands."""


class RecordsCommands:
    """Shows statistics, leaderboards and histories.

    The defaults are the reader, this server, and the game they played last; for a history all
    games, and for a leaderboard this season once it has begun.
    """

    def __init__(self, records: Records, puzzles: Puzzles, clock: Clock) -> None:
        self._records = records
        self._puzzles = puzzles
        self._clock = clock

    def commands(self, slash: SlashCommands) -> list[Slash]:
        """The three commands, and the controls of their pages."""
        handlers: Mapping[RecordKind, Handler] = {
            RecordKind.STATS: self.stats,
            RecordKind.LEADERBOARD: self.leaderboard,
            RecordKind.HISTORY: self.history,
        }
        return [
            slash.command(
                kind,
                handler,
                {"which": slash.choices({key: f"game.{key}" for key in games_of(kind)})},
                described=DESCRIBED.get(kind),
            )
            for kind, handler in handlers.items()
        ]

    async def stats(
        self, ctx: Context, *, whose: User | Member | None = None, which: str | None = None
    ) -> None:
        """Shows how a person has played a game."""
        person = _person(whose or ctx.interaction.user)
        game = which or await self._last_played(person, ctx.place.home)
        await self._open(ctx, RecordsPage(RecordKind.STATS, game, _usual(ctx), person))

    async def leaderboard(
        self,
        ctx: Context,
        *,
        which: str | None = None,
        scope: Scope | None = None,
        when: When | None = None,
    ) -> None:
        """Shows the best of a game."""
        game = which or await self._last_played(ctx.by, ctx.place.home)
        where = _usual(ctx) if ctx.place.home is None else scope or _usual(ctx)
        page = RecordsPage(RecordKind.LEADERBOARD, game, where, ctx.by, when=when)
        await self._open(ctx, page)

    async def history(
        self, ctx: Context, *, whose: User | Member | None = None, which: str | None = None
    ) -> None:
        """Shows a person's finished games."""
        person = _person(whose or ctx.interaction.user)
        await self._open(ctx, RecordsPage(RecordKind.HISTORY, which, _usual(ctx), person))

    @answers(RecordsPage)
    async def turn(self, ctx: Context, page: RecordsPage) -> None:
        """Shows another page in place of the one before."""
        if ctx.chosen:
            page = with_game(page, ctx.chosen)
        screen, picture = await self._read(ctx, page, ctx.by, ctx.words)
        files = [] if picture is None else [picture]
        await ctx.response.show(page_view(screen, ctx.words), files)

    @answers(SharedRecords)
    @shares
    async def share(self, ctx: Context, shared: SharedRecords) -> None:
        """Posts a page for all in the channel, without its controls.

        Opponents from other servers are left out, as they have not agreed to be named.
        """
        words = ctx.words_for_all
        screen, picture = await self._read(ctx, shared, EVERYBODY, words)
        read = tuple(block for block in screen.blocks if not isinstance(block, Row | Menu))
        await ctx.share(page_view(replace(screen, blocks=read), words), picture)

    async def on_person(self, ctx: Context, *, user: User | Member) -> None:
        """Shows how a person has played, from the menu of that person."""
        await self.stats(ctx, whose=user)

    async def _open(self, ctx: Context, page: RecordsPage) -> None:
        screen, picture = await self._read(ctx, page, ctx.by, ctx.words)
        await ctx.response.say(page_view(screen, ctx.words), *filter(None, [picture]))

    async def _read(
        self, ctx: Context, page: RecordsPage, reader: PersonId, words: Words
    ) -> tuple[Screen, File | None]:
        here = ctx.place.home
        guild = here if page.scope is Scope.HERE else None
        if page.game is None or page.what is RecordKind.HISTORY:
            past = await self._records.history(page.person, page.game, guild, page=page.number)
            return history(past, page, reader=reader, place=ctx.place), None
        if page.what is RecordKind.LEADERBOARD:
            return await self._best(page, page.game, ctx.by, here), None
        record = await self._records.stats(page.person, page.game, guild)
        puzzles = await self._puzzles.record(page.person)
        shown = on_page(record, page.number)
        screen = stats(
            record,
            puzzles,
            page,
            reader=reader,
            private=here is None,
            lettered=is_lettered(shown, words),
        )
        if not shown.can_be_drawn:
            return screen, None
        return screen, await picture_file(PICTURE, stats_picture, shown, words)

    async def _best(
        self, page: RecordsPage, game: str, reader: PersonId, here: int | None
    ) -> Screen:
        guild, now = here if page.scope is Scope.HERE else None, self._clock.now()
        if page.when is None:
            begun = game == PUZZLE or await self._records.has_begun(game, guild, season_of(now))
            page = replace(page, when=When.SEASON if begun else When.EVER)
        season = (page.when or When.EVER).season(now)
        league, board = self._records.puzzle_league, partial(self._records.leaderboard, game)
        asked = league if game == PUZZLE else board
        best = await asked(guild, season, asking=reader, page=page.number)
        return leaderboard(best, page, season, reader=reader, private=here is None)

    async def _last_played(self, person: PersonId, guild: int | None) -> str:
        for where in (guild, None):
            past = await self._records.history(person, guild=where)
            if past.entries:
                return past.entries[0].finished.game
        return next(iter(CATALOGUE))


def _usual(ctx: Context) -> Scope:
    return Scope.EVERYWHERE if ctx.place.home is None else Scope.HERE


def _person(user: User | Member) -> PersonId:
    """The person to look up.

    Raises:
        Refusal: It is not a person.
    """
    if user.bot:
        raise Refusal("bots_have_no_records")
    return PersonId(user.id)
