"""`/me` and `/settings`: a person's own choices, and those of whoever manages a server."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from discord import Interaction, Permissions
from discord.app_commands import AppCommandContext, Choice, Group

from bot.command import Field, Kind
from bot.locales import ENGLISH, Language
from bot.servers import FEWEST_GAMES, MOST_GAMES
from bot.ui.commands import FORM
from bot.ui.own_data import OwnData
from bot.ui.preferences import AUTOMATIC, OFF, ON, Preferences
from bot.ui.server_settings import NO, YES, ServerSettings
from bot.ui.slash import CONTEXTS, INSTALLS, slash, written

if TYPE_CHECKING:
    from bot.ui.client import ParlourClient

LANGUAGE: Final = Field("language", Kind.LANGUAGE, choices=(AUTOMATIC,), required=True)
ACCEPT: Final = Field("accept", Kind.CHOICE, choices=(ON, OFF), required=True)
USER: Final = Field("user", Kind.PERSON, required=True)
CHANNEL: Final = Field("channel", Kind.CHANNEL, required=True)
ALLOWED: Final = Field("allowed", Kind.CHOICE, choices=(YES, NO), required=True)
LIMIT: Final = Field("limit", Kind.NUMBER, least=FEWEST_GAMES, most=MOST_GAMES, required=True)


FIELDS: Final = (LANGUAGE, ACCEPT, USER, CHANNEL, ALLOWED, LIMIT)

Carrying: TypeAlias = "Callable[..., Coroutine[Any, Any, None]]"


def settings_commands(languages: Mapping[str, Language]) -> list[Group]:
    """The two groups of commands, offering some languages."""
    english = languages[ENGLISH]
    spoken = [
        Choice(name=language.name, value=locale) for locale, language in sorted(languages.items())
    ]
    return [_me(english, spoken), _settings(english, spoken)]


def _me(english: Language, spoken: list[Choice[str]]) -> Group:
    group = Group(
        name=written(english, "command.me"),
        description=written(english, "command.me.description"),
        allowed_contexts=CONTEXTS,
        allowed_installs=INSTALLS,
    )

    def add(name: str, carry_out: Carrying, *fields: Field) -> None:
        async def callback(interaction: Interaction[ParlourClient], **options: Any) -> None:  # noqa: ANN401
            await carry_out(interaction.client.desk.preferences, interaction, **options)

        group.add_command(slash(f"command.me.{name}", callback, fields, english, spoken))

    def add_own(name: str, carry_out: Carrying) -> None:
        async def callback(interaction: Interaction[ParlourClient]) -> None:
            await carry_out(interaction.client.desk.own_data, interaction)

        group.add_command(slash(f"command.me.{name}", callback, (), english))

    add("board", Preferences.choose_form, replace(FORM, required=True))
    add("language", Preferences.choose_language, LANGUAGE)
    add("challenges", Preferences.take_challenges, ACCEPT)
    add("block", Preferences.block, USER)
    add("unblock", Preferences.unblock, USER)
    add_own("export", OwnData.export)
    add_own("forget", OwnData.ask)
    return group


def _settings(english: Language, spoken: list[Choice[str]]) -> Group:
    group = Group(
        name=written(english, "command.settings"),
        description=written(english, "command.settings.description"),
        default_permissions=Permissions(manage_guild=True),
        allowed_contexts=AppCommandContext(guild=True),
        allowed_installs=INSTALLS,
    )

    def add(name: str, carry_out: Carrying, *fields: Field) -> None:
        async def callback(interaction: Interaction[ParlourClient], **options: Any) -> None:  # noqa: ANN401
            await carry_out(interaction.client.desk.server_settings, interaction, **options)

        group.add_command(slash(f"command.settings.{name}", callback, fields, english, spoken))

    add("show", ServerSettings.show)
    add("channels", ServerSettings.list_channel, CHANNEL, ALLOWED)
    add("limit", ServerSettings.limit_games, LIMIT)
    add("language", ServerSettings.choose_language, LANGUAGE)
    return group
