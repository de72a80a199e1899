"""`/settings`: a server's settings, as those who manage it change them."""

from __future__ import annotations

from discord import Guild, Permissions
from discord.app_commands import AppCommandContext, AppInstallationType

from bot.clock import Clock
from bot.message.blocks import Screen
from bot.message.text import ChannelMention, text
from bot.screens.settings import (
    MOST_ROLES,
    NO_ROLE,
    OF_ARENA,
    SECOND_PAGE,
    GuildSetting,
    arena_settings,
    lost,
    more_settings,
    settings,
)
from bot.service.news import news_at
from bot.service.tables import TableService
from bot.service.tournaments import Tournaments
from bot.service.weekly_arenas import WeeklyArenas, game_of
from bot.storage.choices import MOST_CHANNELS, GuildId, Guilds
from bot.table.refusals import Refusal
from bot.table.session import SessionId
from bot.ui.boards import Boards
from bot.ui.commands.slash import Slash, SlashCommands
from bot.ui.handlers import Context, answers
from bot.ui.panel import Panel, changed, chosen_language
from bot.ui.winner_roles import choosable_roles


class SettingsCommand:
    """Shows a guild's settings in one panel, where they are changed.

    Discord offers the command to those who may manage the server, but servers can offer it to
    others too; so the permission is checked here, at each press.
    """

    def __init__(
        self,
        guilds: Guilds,
        arenas: WeeklyArenas,
        tables: TableService,
        boards: Boards,
        clock: Clock,
        *,
        tournaments: Tournaments,
    ) -> None:
        self._guilds = guilds
        self._arenas = arenas
        self._tables = tables
        self._boards = boards
        self._clock = clock
        self._tournaments = tournaments
        self._locales: list[str] = []
        self._panel = Panel(self._drawn)
        self._second_page = Panel(self._more_drawn)
        self._arena_page = Panel(self._arena_drawn)

    def command(self, slash: SlashCommands) -> Slash:
        """The command."""
        self._locales = slash.locales
        slash.afterwards = self.tell_of_loss
        command = slash.command("settings", self.open)
        command.allowed_contexts = AppCommandContext(
            guild=True, dm_channel=False, private_channel=False
        )
        command.allowed_installs = AppInstallationType(guild=True, user=False)
        command.default_permissions = Permissions(manage_guild=True)
        return command

    async def open(self, ctx: Context) -> None:
        """Show the panel; the first time, also what ended because its channel was lost."""
        guild = _managed(ctx)
        held = self._guilds.of(guild)
        told = lost(held)
        await self._panel.tell(ctx, *told)
        if told:
            await self._guilds.note_told(guild, held, in_settings=True)

    async def tell_of_loss(self, ctx: Context) -> None:
        """Tell a manager of the guild once, after the answer to another command, what has ended."""
        held = self._guilds.of(GuildId(ctx.place.home or 0))
        told = lost(held, elsewhere=True)
        if told and ctx.manages:
            for each in told:
                await ctx.tell(each)
            await self._guilds.note_told(_managed(ctx), held, in_settings=False)

    async def _drawn(self, ctx: Context) -> Screen:
        guild = _managed(ctx)
        held = self._guilds.of(guild)
        here = await self._tables.boards(ctx.place.channel)
        closable = [table for table in here if not table.session.concerns(ctx.by)]
        at = news_at(guild, held.news_hour, self._clock.now().date())
        return settings(held, self._gone(ctx, guild), at, self._locales, closable)

    async def _more_drawn(self, ctx: Context) -> Screen:
        guild = _managed(ctx)
        return more_settings(self._guilds.of(guild), _roles(ctx, guild))

    async def _arena_drawn(self, ctx: Context) -> Screen:
        guild = _managed(ctx)
        held = self._guilds.of(guild)
        return arena_settings(held, self._gone(ctx, guild), game_of(held))

    def _gone(self, ctx: Context, guild: GuildId) -> set[int]:
        """The channels in the settings that the guild is known to have no longer."""
        known = ctx.interaction.client.get_guild(guild)
        listed = self._guilds.of(guild).named_channels
        return set() if known is None else {each for each in listed if not known.get_channel(each)}

    @answers(GuildSetting)
    async def _choose(self, ctx: Context, setting: GuildSetting) -> None:
        """Save one of a few values, or turn to another page."""
        page = self._second_page if setting in SECOND_PAGE else self._panel
        page = self._arena_page if setting in OF_ARENA else page
        async with page.changing(ctx):
            if setting.values is not None:
                await self._guilds.choose(_managed(ctx), **setting.values.stored(ctx.chosen))

    @answers(GuildSetting.CHANNELS)
    async def _list_channels(self, ctx: Context, _: GuildSetting) -> None:
        async with self._panel.changing(ctx):
            guild = _managed(ctx)
            listed, delisted = changed(ctx)
            delisted |= self._gone(ctx, guild)
            held = self._guilds.of(guild).channels
            if len(held.difference(delisted).union(listed)) > MOST_CHANNELS:
                raise Refusal("too_many_channels", count=MOST_CHANNELS)
            await self._guilds.list_channels(guild, listed=listed, delisted=delisted)

    @answers(GuildSetting.GAMES)
    async def _limit_games(self, ctx: Context, _: GuildSetting) -> None:
        async with self._panel.changing(ctx):
            await self._guilds.choose(_managed(ctx), games=int(ctx.chosen))

    @answers(GuildSetting.LANGUAGE)
    async def _choose_language(self, ctx: Context, _: GuildSetting) -> None:
        async with self._panel.changing(ctx):
            guild = _managed(ctx)
            await self._guilds.choose(guild, language=chosen_language(ctx, self._locales))

    @answers(GuildSetting.ROLE)
    async def _choose_role(self, ctx: Context, _: GuildSetting) -> None:
        """Choose the role that winners of tournaments get, or none.

        Raises:
            Refusal: The person may not give this role, or the bot does not.
        """
        async with self._second_page.changing(ctx):
            guild, none = _managed(ctx), {NO_ROLE: None}
            offered = none | {str(role): role for role in _roles(ctx, guild)}
            if ctx.chosen not in offered:
                raise Refusal("role_not_given")
            await self._guilds.choose(guild, winner_role=offered[ctx.chosen])

    @answers(GuildSetting.NEWS)
    async def _choose_news(self, ctx: Context, _: GuildSetting) -> None:
        """Choose the channel for news, or none.

        Raises:
            Refusal: The bot may not write there.
        """
        async with self._panel.changing(ctx):
            guild, now = _managed(ctx), self._clock.now()
            channel = _writable(ctx, guild)
            await self._guilds.choose(guild, news_channel=channel, news_since=now, news_lost=None)

    @answers(GuildSetting.HOUR)
    async def _choose_hour(self, ctx: Context, _: GuildSetting) -> None:
        async with self._panel.changing(ctx):
            hour, now = int(ctx.chosen), self._clock.now()
            await self._guilds.choose(_managed(ctx), news_hour=hour, news_since=now)

    @answers(GuildSetting.ARENA_CHANNEL)
    async def _choose_arena(self, ctx: Context, _: GuildSetting) -> None:
        """Choose the channel for weekly arenas, or none.

        Raises:
            Refusal: The bot may not write there.
        """
        async with self._arena_page.changing(ctx):
            guild = _managed(ctx)
            channel = _writable(ctx, guild)
            await self._arenas.choose(guild, arena_channel=channel, arena_lost=None)

    @answers(
        GuildSetting.ARENA_GAME,
        GuildSetting.ARENA_DAY,
        GuildSetting.ARENA_HOUR,
        GuildSetting.ARENA_MINUTES,
    )
    async def _set_arena(self, ctx: Context, setting: GuildSetting) -> None:
        """Choose the game, the day, the hour or the length of the weekly arena."""
        async with self._arena_page.changing(ctx):
            game = setting is GuildSetting.ARENA_GAME
            chosen = ctx.chosen if game else int(ctx.chosen)
            await self._arenas.choose(_managed(ctx), **{setting.value: chosen})

    @answers(GuildSetting.CLOSE)
    async def _close(self, ctx: Context, _: GuildSetting) -> None:
        """Close a game of the guild without a result, unless the person has a stake in it."""
        async with self._panel.changing(ctx) as told:
            guild, number = _managed(ctx), SessionId(int(ctx.chosen))
            await self._tournaments.allow_closing(number, ctx.by)
            table = await self._tables.close(number, guild, ctx.by)
            await self._boards.refresh(table)
            told.append(text("settings.closed", number=str(table.id)))


def _roles(ctx: Context, guild: GuildId) -> dict[int, str]:
    """The names of the roles that the person may choose for winners, the highest first."""
    known: Guild | None = ctx.interaction.client.get_guild(guild)
    found = () if known is None else choosable_roles(known, ctx.interaction.user)
    return {role.id: role.name for role in found[:MOST_ROLES]}


def _writable(ctx: Context, guild: GuildId) -> int | None:
    """The channel that was chosen; None if none was.

    Raises:
        Refusal: The bot may not write there.
    """
    channel = int(ctx.chosen) if ctx.values else None
    if channel is not None and not _may_write(ctx, guild, channel):
        raise Refusal("not_writable", channel=ChannelMention(channel))
    return channel


def _may_write(ctx: Context, guild: GuildId, number: int) -> bool:
    """Whether the bot sees a channel of a guild and may send messages there."""
    known: Guild | None = ctx.interaction.client.get_guild(guild)
    channel = None if known is None else known.get_channel(number)
    if known is None or channel is None:
        return False
    may = channel.permissions_for(known.me)
    return may.view_channel and may.send_messages


def _managed(ctx: Context) -> GuildId:
    """The server that the person who asks manages.

    Raises:
        Refusal: They may not manage it.
    """
    if ctx.place.home is None or not ctx.manages:
        raise Refusal("not_manager")
    return GuildId(ctx.place.home)
