"""`/settings`: a server's settings, as those who manage it change them."""

from __future__ import annotations

from enum import StrEnum

from discord import AppCommandOptionType, ChannelType, Interaction, Permissions
from discord.app_commands import (
    AppCommandChannel,
    AppCommandContext,
    AppInstallationType,
    Group,
    Range,
    Transform,
    Transformer,
)

from bot.locales import own_name
from bot.message.text import ChannelMention, Text, joined, text
from bot.service.tables import Service
from bot.storage.guild_settings import (
    FEWEST_GAMES,
    MOST_CHANNELS,
    MOST_GAMES,
    GuildId,
    Guilds,
    GuildSettings,
)
from bot.table.preferences import BoardLook
from bot.table.refusals import Refusal
from bot.table.session import SessionId
from bot.ui.boards import Boards
from bot.ui.commands.slash import AUTOMATIC, Handler, SlashCommands, Suggest
from bot.ui.context import Context
from bot.ui.custom_ids import game_number


class YesNo(StrEnum):
    """Whether something is so."""

    YES = "yes"
    NO = "no"


class Gathering(Transformer):
    """A channel where people can type commands, or whose threads are such places."""

    @property
    def type(self) -> AppCommandOptionType:
        """A channel."""
        return AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[ChannelType]:
        """All but categories, where nobody is, and threads, which go with their channel."""
        return [
            ChannelType.text,
            ChannelType.news,
            ChannelType.voice,
            ChannelType.stage_voice,
            ChannelType.forum,
        ]

    async def transform(
        self,
        interaction: Interaction,  # noqa: ARG002
        value: AppCommandChannel,
        /,
    ) -> AppCommandChannel:
        """The channel as Discord describes it, whether this bot can see it or not."""
        return value


class SettingsCommand:
    """Changes a guild's settings, and answers with the new ones.

    Discord offers the commands to those who may manage the server, but servers can offer them to
    others too; so who may use them is asked here once more. `suggest` finds a channel's games.
    """

    def __init__(self, guilds: Guilds, tables: Service, boards: Boards, suggest: Suggest) -> None:
        self._guilds = guilds
        self._tables = tables
        self._boards = boards
        self._suggest = suggest

    def command(self, slash: SlashCommands) -> Group:
        """The command with its subcommands."""
        handlers: dict[str, Handler] = {
            "show": self.show,
            "channels": self.list_channel,
            "limit": self.limit_games,
            "language": self.choose_language,
            "board": self.choose_board,
            "close": self.close,
        }
        return slash.group(
            "settings",
            handlers,
            {"language": slash.languages("language")},
            {"closing": self._suggest},
            allowed_contexts=AppCommandContext(guild=True, dm_channel=False, private_channel=False),
            allowed_installs=AppInstallationType(guild=True, user=False),
            default_permissions=Permissions(manage_guild=True),
        )

    async def show(self, ctx: Context) -> None:
        """Show the settings."""
        await ctx.tell(*held(self._guilds.settings_of(_managed(ctx))))

    async def list_channel(
        self, ctx: Context, *, channel: Transform[AppCommandChannel, Gathering], allowed: YesNo
    ) -> None:
        """Allow or forbid games in a channel."""
        guild = _managed(ctx)
        if allowed is YesNo.NO:
            await self._guilds.list_channels(guild, delisted={channel.id})
        else:
            if len(self._guilds.settings_of(guild).channels | {channel.id}) > MOST_CHANNELS:
                raise Refusal("too_many_channels", count=MOST_CHANNELS)
            await self._guilds.list_channels(guild, listed={channel.id})
        await self.show(ctx)

    async def limit_games(
        self, ctx: Context, *, limit: Range[int, FEWEST_GAMES, MOST_GAMES]
    ) -> None:
        """Choose the most games at once in a channel."""
        await self._guilds.choose(_managed(ctx), games=limit)
        await self.show(ctx)

    async def choose_language(self, ctx: Context, *, language: str) -> None:
        """Choose the language of the guild's boards."""
        chosen = None if language == AUTOMATIC else language
        await self._guilds.choose(_managed(ctx), language=chosen)
        await self.show(ctx)

    async def choose_board(self, ctx: Context, *, look: BoardLook) -> None:
        """Choose the look of boards, unless a table chooses."""
        await self._guilds.choose(_managed(ctx), board=look)
        await self.show(ctx)

    async def close(self, ctx: Context, *, closing: str) -> None:
        """Close a game of the guild without a result."""
        guild = _managed(ctx)
        table = await self._tables.close(game_number(closing) or SessionId(0), guild)
        await ctx.tell(text("settings.closed", number=str(table.id)))
        await self._boards.refresh(table)


def held(guild: GuildSettings) -> tuple[Text, ...]:
    """The settings of a guild in words."""
    where = text("settings.everywhere")
    if guild.channels:
        where = text(
            "settings.channels", channels=joined(map(ChannelMention, sorted(guild.channels)))
        )
    spoken = text("settings.automatic")
    if guild.language is not None:
        spoken = text("settings.language", language=own_name(guild.language))
    limit, look = text("settings.limit", games=guild.games), text(f"settings.board.{guild.board}")
    return (text("settings.title"), where, limit, spoken, look)


def _managed(ctx: Context) -> GuildId:
    """The server that the person who asks may manage.

    Raises:
        Refusal: They may not.
    """
    may = ctx.interaction.permissions
    if ctx.place.home is None or not (may.manage_guild or may.administrator):
        raise Refusal("not_manager")
    return GuildId(ctx.place.home)
