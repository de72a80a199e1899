"""The panel of `/settings`: where and how a server plays."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from bot.message.blocks import (
    Block,
    Choice,
    Control,
    Entities,
    Menu,
    Picker,
    Prose,
    Row,
    Screen,
    Tone,
)
from bot.message.ids import id_kind
from bot.message.text import ChannelMention, CommandMention, Moment, RoleMention, Text, text
from bot.screens.panel import FewValues, OnOff, PanelControl, chosen_one, labelled, languages
from bot.screens.table_views import choice_of
from bot.storage.guild_settings import FEWEST_GAMES, MOST_GAMES, USUAL_GAMES, GuildSettings
from bot.table.preferences import BoardLook
from bot.table.table import Table


@id_kind("k1")
class GuildSetting(PanelControl):
    """The controls of the panel."""

    CHANNELS = "channels"
    GAMES = "games"
    LANGUAGE = "language"
    BOARDS = (
        "boards",
        FewValues(
            "board",
            text("settings.boards"),
            {each: text(f"settings.boards.{each}") for each in BoardLook},
        ),
    )
    NEWS = "news"
    HOUR = "hour"
    CLOSE = "close"
    MORE = "more"
    THREADS = (
        "threads",
        FewValues(
            "threads",
            text("settings.threads"),
            {each: text(f"settings.threads.{each}") for each in OnOff},
        ),
    )
    ROLE = "role"
    BACK = "back"


SECOND_PAGE: Final = (GuildSetting.MORE, GuildSetting.THREADS, GuildSetting.ROLE)
"""The controls after which the second page is shown."""

LIMITS: Final = (FEWEST_GAMES, 2, 3, 4, USUAL_GAMES, 6, 8, 10, 15, 20, 30, MOST_GAMES)
"""The numbers of games at once that the panel offers."""

NO_ROLE: Final = "none"
MOST_ROLES: Final = 24
"""The most roles that a menu can list, beside none."""

MOST_CLOSABLE: Final = 25
"""The most games that a menu can list."""


def settings(
    guild: GuildSettings,
    gone: Collection[int],
    news_at: datetime,
    locales: Sequence[str],
    closable: Sequence[Table],
) -> Screen:
    """The settings of a guild, each in a menu, and the games that may be closed.

    Listed channels that are `gone` are left out: no menu of Discord's could show them. `news_at` is
    when today's news come, if any do.
    """
    blocks = (
        *labelled(
            text("settings.where"),
            Picker(
                GuildSetting.CHANNELS,
                text("settings.where.all"),
                Entities.CHANNELS,
                tuple(sorted(guild.channels.difference(gone))),
            ),
        ),
        *chosen_one(
            GuildSetting.GAMES,
            text("settings.games"),
            (
                Choice(
                    str(each), text("settings.games.most", games=each), chosen=each == guild.games
                )
                for each in sorted({*LIMITS, guild.games})
            ),
        ),
        *chosen_one(
            GuildSetting.LANGUAGE,
            text("settings.spoken"),
            languages(locales, guild.language, text("settings.spoken.players")),
        ),
        *GuildSetting.BOARDS.menu(guild),
        *_news(guild, gone, news_at),
        *_closing(closable),
        Row((Control(GuildSetting.MORE, text("settings.more")),)),
    )
    return Screen(blocks, Tone.WAITING)


def more_settings(guild: GuildSettings, roles: Mapping[int, str]) -> Screen:
    """The second page of a guild's settings; `roles` names those that the reader may choose."""
    chosen = guild.winner_role
    lines = [text("refusal.role_not_given")]
    if chosen is not None and chosen not in roles:
        lines.insert(0, text("settings.role.held", role=RoleMention(chosen)))
    blocks = (
        *GuildSetting.THREADS.menu(guild),
        *chosen_one(
            GuildSetting.ROLE,
            text("settings.role"),
            (
                Choice(NO_ROLE, text("settings.role.none"), chosen=chosen is None),
                *(
                    Choice(str(role), text("settings.role.one", role=name), chosen=role == chosen)
                    for role, name in roles.items()
                ),
            ),
        ),
        Prose(tuple(lines)),
        Row((Control(GuildSetting.BACK, text("control.back_to_more")),)),
    )
    return Screen(blocks, Tone.WAITING)


def news_lost(channel: int) -> Text:
    """The end of the news, since their channel is out of reach."""
    return text("settings.news.lost", channel=ChannelMention(channel))


def news_lost_elsewhere(channel: int) -> Text:
    """The same beside another answer, with the way to the settings."""
    return text("news.lost", channel=ChannelMention(channel), settings=CommandMention("settings"))


def _news(guild: GuildSettings, gone: Collection[int], news_at: datetime) -> Iterator[Block]:
    """The channel for the news; then the hour of UTC, told by the reader's clock."""
    chosen = tuple({guild.news_channel or 0}.difference({0}, gone))
    at = Moment(news_at, of_day=True)
    label = text("settings.hour", at=at) if guild.news_channel else text("settings.news")
    none = text("settings.news.none")
    yield from labelled(label, Picker(GuildSetting.NEWS, none, Entities.ONE_CHANNEL, chosen))
    if guild.news_channel:
        offered = (
            Choice(
                str(hour),
                text("settings.hour.utc", time=f"{hour:02}:00"),
                chosen=hour == guild.news_hour,
            )
            for hour in range(24)
        )
        yield Menu(GuildSetting.HOUR, text("settings.news"), tuple(offered))


def _closing(closable: Sequence[Table]) -> tuple[Block, ...]:
    offered = tuple(Choice(str(table.id), choice_of(table)) for table in closable[:MOST_CLOSABLE])
    return (Menu(GuildSetting.CLOSE, text("settings.close"), offered),) if offered else ()
