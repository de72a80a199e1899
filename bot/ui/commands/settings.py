"""`/settings`: a server's settings, as those who manage it change them."""

from __future__ import annotations

from discord import Permissions
from discord.app_commands import AppCommandContext, AppInstallationType

from bot.message.blocks import Screen
from bot.message.text import Text, text
from bot.screens.settings import GuildSetting, settings
from bot.service.tables import Service
from bot.storage.guild_settings import FEWEST_GAMES, MOST_CHANNELS, MOST_GAMES, GuildId, Guilds
from bot.table.preferences import BoardLook
from bot.table.refusals import Refusal
from bot.table.session import SessionId
from bot.ui.boards import Boards
from bot.ui.commands.slash import Slash, SlashCommands
from bot.ui.context import Context
from bot.ui.custom_ids import game_number
from bot.ui.panel import Panel, changed, chosen, chosen_language


class SettingsCommand:
    """Shows a guild's settings in one panel, where they are changed.

    Discord offers the command to those who may manage the server, but servers can offer it to
    others too; so who may use it is asked here once more, and at each press.
    """

    def __init__(self, guilds: Guilds, tables: Service, boards: Boards) -> None:
        self._guilds = guilds
        self._tables = tables
        self._boards = boards
        self._locales: list[str] = []

    def command(self, slash: SlashCommands) -> Slash:
        """The command, and the controls of its panel."""
        self._locales = slash.locales
        panel = Panel(
            self._drawn,
            {
                GuildSetting.CHANNELS: self._list_channels,
                GuildSetting.GAMES: self._limit_games,
                GuildSetting.LANGUAGE: self._choose_language,
                GuildSetting.BOARDS: self._choose_board,
                GuildSetting.CLOSE: self._close,
            },
        )
        slash.router.route(GuildSetting, panel.change)
        command = slash.command("settings", panel.open)
        command.allowed_contexts = AppCommandContext(
            guild=True, dm_channel=False, private_channel=False
        )
        command.allowed_installs = AppInstallationType(guild=True, user=False)
        command.default_permissions = Permissions(manage_guild=True)
        return command

    async def _drawn(self, ctx: Context) -> Screen:
        guild = _managed(ctx)
        held = self._guilds.settings_of(guild)
        here = await self._tables.boards(ctx.place.channel)
        closable = [table for table in here if not table.session.concerns(ctx.by)]
        return settings(held, self._gone(ctx, guild), self._locales, closable)

    def _gone(self, ctx: Context, guild: GuildId) -> set[int]:
        """The listed channels that the guild does not have any more, as far as is known."""
        known = ctx.interaction.client.get_guild(guild)
        listed = self._guilds.settings_of(guild).channels
        return set() if known is None else {each for each in listed if not known.get_channel(each)}

    async def _list_channels(self, ctx: Context) -> None:
        guild = _managed(ctx)
        listed, delisted = changed(ctx)
        delisted |= self._gone(ctx, guild)
        held = self._guilds.settings_of(guild).channels
        if len(held.difference(delisted).union(listed)) > MOST_CHANNELS:
            raise Refusal("too_many_channels", count=MOST_CHANNELS)
        await self._guilds.list_channels(guild, listed=listed, delisted=delisted)

    async def _limit_games(self, ctx: Context) -> None:
        guild, limit = _managed(ctx), ctx.chosen
        if not limit.isdecimal() or not FEWEST_GAMES <= int(limit) <= MOST_GAMES:
            raise Refusal("not_offered")
        await self._guilds.choose(guild, games=int(limit))

    async def _choose_language(self, ctx: Context) -> None:
        guild = _managed(ctx)
        await self._guilds.choose(guild, language=chosen_language(ctx, self._locales))

    async def _choose_board(self, ctx: Context) -> None:
        await self._guilds.choose(_managed(ctx), board=chosen(ctx, BoardLook))

    async def _close(self, ctx: Context) -> Text:
        """Close a game of the guild without a result, unless the person plays in it."""
        guild, number = _managed(ctx), game_number(ctx.chosen)
        table = await self._tables.close(number or SessionId(0), guild, ctx.by)
        await self._boards.refresh(table)
        return text("settings.closed", number=str(table.id))


def _managed(ctx: Context) -> GuildId:
    """The server that the person who asks may manage.

    Raises:
        Refusal: They may not.
    """
    may = ctx.interaction.permissions
    if ctx.place.home is None or not (may.manage_guild or may.administrator):
        raise Refusal("not_manager")
    return GuildId(ctx.place.home)
