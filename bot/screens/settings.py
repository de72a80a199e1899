"""The panel of `/settings`: where and how a server plays."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from bot.games.variants import duels
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
    id_kind,
)
from bot.message.text import (
    ChannelMention,
    CommandMention,
    Moment,
    RoleMention,
    Text,
    Weekday,
    text,
)
from bot.screens.lobby import variant_named
from bot.screens.panel import (
    AUTOMATIC,
    FewValues,
    OnOff,
    PanelControl,
    Unchosen,
    choices,
    chosen_one,
    labelled,
    languages,
)
from bot.screens.table_views import choice_of
from bot.service.weekly_arenas import SIGN_UP_AHEAD
from bot.storage.choices import (
    ARENA_MINUTES,
    DAYS,
    FEWEST_GAMES,
    MOST_GAMES,
    USUAL_GAMES,
    GuildSettings,
)
from bot.table.seat_log import BoardLook
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
            {each: text(f"settings.boards.{each}") for each in (*Unchosen, *BoardLook)},
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
    ARENA = "arena"
    ARENA_CHANNEL = "arena_channel"
    ARENA_GAME = "arena_game"
    ARENA_DAY = "arena_day"
    ARENA_HOUR = "arena_hour"
    ARENA_MINUTES = "arena_minutes"


SECOND_PAGE: Final = (GuildSetting.MORE, GuildSetting.THREADS, GuildSetting.ROLE)
"""The controls that lead to the second page, or stay there."""

OF_ARENA: Final = (
    *(GuildSetting.ARENA, GuildSetting.ARENA_CHANNEL, GuildSetting.ARENA_GAME),
    *(GuildSetting.ARENA_DAY, GuildSetting.ARENA_HOUR, GuildSetting.ARENA_MINUTES),
)
"""The controls that lead to the page of the weekly arena, or stay there."""

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

    Listed channels that are `gone` are left out, as Discord's menus could not show them. `news_at`
    is the time of today's news.
    """
    where, channels = text("settings.where"), tuple(sorted(guild.channels.difference(gone)))
    title = where if channels else text("settings.where.all")
    blocks = (
        *labelled(where, Picker(GuildSetting.CHANNELS, title, Entities.CHANNELS, channels)),
        *chosen_one(
            GuildSetting.GAMES,
            text("settings.games"),
            {
                str(each): text("settings.games.most", games=each)
                for each in sorted({*LIMITS, guild.games})
            },
            str(guild.games),
        ),
        *chosen_one(
            GuildSetting.LANGUAGE,
            text("settings.spoken"),
            languages(locales, text("settings.spoken.players")),
            guild.language or AUTOMATIC,
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
            {
                NO_ROLE: text("settings.role.none"),
                **{str(each): text("settings.role.one", role=roles[each]) for each in roles},
            },
            NO_ROLE if chosen is None else str(chosen),
        ),
        Prose(tuple(lines)),
        Row(
            (
                Control(GuildSetting.ARENA, text("settings.arena")),
                Control(GuildSetting.BACK, text("control.back_to_more")),
            )
        ),
    )
    return Screen(blocks, Tone.WAITING)


def arena_settings(guild: GuildSettings, gone: Collection[int], game: str) -> Screen:
    """The page of a guild's weekly arena, whose `game` is a word of `duels`."""
    chosen = tuple({guild.arena_channel or 0}.difference({0}, gone))
    none = text("settings.arena.none")
    picker = Picker(GuildSetting.ARENA_CHANNEL, none, Entities.ONE_CHANNEL, chosen)
    blocks: list[Block] = [
        Prose((text("settings.arena.about", ahead=SIGN_UP_AHEAD),)),
        *labelled(text("settings.arena.channel"), picker),
    ]
    if guild.arena_channel:
        blocks += _of_arena(guild, game)
        if guild.arena_next is not None:
            next_one = text("settings.arena.next", at=Moment(guild.arena_next, dated=True))
            blocks.append(Prose((next_one,)))
    blocks.append(Row((Control(GuildSetting.MORE, text("control.back_to_more")),)))
    return Screen(tuple(blocks), Tone.WAITING)


def _of_arena(guild: GuildSettings, game: str) -> Iterator[Block]:
    """The menus of a weekly arena: its game, its day, its hour of UTC, its length."""
    yield from chosen_one(
        GuildSetting.ARENA_GAME,
        text("tournament.panel.game"),
        {word: variant_named(*duel) for word, duel in duels().items()},
        game,
    )
    yield from chosen_one(
        GuildSetting.ARENA_DAY,
        text("settings.arena.day"),
        {str(day): text("settings.arena.on", day=Weekday(day)) for day in range(DAYS)},
        str(guild.arena_day),
    )
    yield from chosen_one(
        GuildSetting.ARENA_HOUR, text("settings.arena.hour"), _hours(), str(guild.arena_hour)
    )
    yield from chosen_one(
        GuildSetting.ARENA_MINUTES,
        text("settings.arena.length"),
        {
            str(each): text("settings.arena.minutes", time=timedelta(minutes=each))
            for each in ARENA_MINUTES
        },
        str(guild.arena_minutes),
    )


def _hours() -> dict[str, Text]:
    return {str(hour): text("settings.hour.utc", time=f"{hour:02}:00") for hour in range(24)}


def lost(guild: GuildSettings, *, elsewhere: bool = False) -> tuple[Text, ...]:
    """Notices that news or weekly arenas have ended, for the settings.

    Those for `elsewhere` lead to the settings, and leave out what was told before.
    """
    quiet, gone = ("settings.arena.quiet", "arena.quiet"), ("settings.arena.lost", "arena.lost")
    ended = (
        (guild.news_lost, guild.news_told, "settings.news.lost", "news.lost"),
        (guild.arena_lost, guild.arena_told, *(quiet if guild.quiet else gone)),
    )
    way = CommandMention("settings")
    return tuple(
        text(there if elsewhere else here, channel=ChannelMention(channel), settings=way)
        for channel, told, here, there in ended
        if channel and not (elsewhere and told)
    )


def _news(guild: GuildSettings, gone: Collection[int], news_at: datetime) -> Iterator[Block]:
    """The channel for the news; then the hour of UTC, told by the reader's clock."""
    chosen = tuple({guild.news_channel or 0}.difference({0}, gone))
    at = Moment(news_at, of_day=True)
    where, hour = text("settings.news"), text("settings.hour", at=at)
    title = where if chosen else text("settings.news.none")
    picker = Picker(GuildSetting.NEWS, title, Entities.ONE_CHANNEL, chosen)
    yield from labelled(hour if guild.news_channel else where, picker)
    if guild.news_channel:
        yield Menu(GuildSetting.HOUR, hour, choices(_hours(), str(guild.news_hour)))


def _closing(closable: Sequence[Table]) -> tuple[Block, ...]:
    offered = tuple(Choice(str(table.id), choice_of(table)) for table in closable[:MOST_CLOSABLE])
    return (Menu(GuildSetting.CLOSE, text("settings.close"), offered),) if offered else ()
