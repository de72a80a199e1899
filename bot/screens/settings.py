"""The panel of `/settings`: where and how a server plays."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Final

from bot.message.blocks import Block, Choice, Entities, Menu, Picker, Prose, Screen, Tone
from bot.message.text import text
from bot.screens.look_closer import choice_of
from bot.screens.panel import chosen_one, labelled, languages
from bot.storage.guild_settings import FEWEST_GAMES, MOST_GAMES, USUAL_GAMES, GuildSettings
from bot.table.preferences import BoardLook
from bot.table.table import Table


class GuildSetting(StrEnum):
    """The controls of the panel."""

    CHANNELS = "channels"
    GAMES = "games"
    LANGUAGE = "language"
    BOARDS = "boards"
    CLOSE = "close"


LIMITS: Final = (FEWEST_GAMES, 2, 3, 4, USUAL_GAMES, 6, 8, 10, 15, 20, 30, MOST_GAMES)
"""The numbers of games at once that the panel offers."""

MOST_CLOSABLE: Final = 25
"""The most games that a menu can list."""


def settings(
    guild: GuildSettings,
    gone: Collection[int],
    locales: Sequence[str],
    closable: Sequence[Table],
) -> Screen:
    """The settings of a guild, each in a menu, and the games that may be closed.

    Listed channels that are `gone` are left out: no menu of Discord's could show them.
    """
    blocks = (
        Prose((text("settings.title"),)),
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
        *chosen_one(
            GuildSetting.BOARDS,
            text("settings.boards"),
            (
                Choice(each, text(f"settings.boards.{each}"), chosen=each is guild.board)
                for each in BoardLook
            ),
        ),
        *_closing(closable),
    )
    return Screen(blocks, Tone.WAITING)


def _closing(closable: Sequence[Table]) -> tuple[Block, ...]:
    offered = tuple(Choice(str(table.id), choice_of(table)) for table in closable[:MOST_CLOSABLE])
    return (Menu(GuildSetting.CLOSE, text("settings.close"), offered),) if offered else ()
