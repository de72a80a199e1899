"""`/me` and `/settings`: a person's own choices, and those of whoever manages a server."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from discord import Interaction, Permissions
from discord.app_commands import AppCommandContext, Choice, Group

from bot.games.command import Field, Kind
from bot.locales import ENGLISH, Language
from bot.service.guild_settings import FEWEST_GAMES, MOST_GAMES
from bot.ui.commands import FORM
from bot.ui.preferences import AUTOMATIC, OFF, ON
from bot.ui.server_settings import YES
from bot.ui.slash import CONTEXTS, INSTALLS, Callback, slash, written
from engine.games.ludo.rules import NO

if TYPE_CHECKING:
    from bot.ui.client import ParlourClient
    from bot.ui.desk import Desk

LANGUAGE: Final = Field("language", Kind.LANGUAGE, choices=(AUTOMATIC,), required=True)
ACCEPT: Final = Field("accept", Kind.CHOICE, choices=(ON, OFF), required=True)
USER: Final = Field("user", Kind.PERSON, required=True)
CHANNEL: Final = Field("channel", Kind.CHANNEL, required=True)
ALLOWED: Final = Field("allowed", Kind.CHOICE, choices=(YES, NO), required=True)
LIMIT: Final = Field("limit", Kind.NUMBER, least=FEWEST_GAMES, most=MOST_GAMES, required=True)


FIELDS: Final = (LANGUAGE, ACCEPT, USER, CHANNEL, ALLOWED, LIMIT)

CarriedOut: TypeAlias = "Callable[[Desk], Callable[..., Coroutine[Any, Any, None]]]"
"""The method, of what is on the desk, that carries a command out."""

ME: Final[Mapping[str, tuple[CarriedOut, tuple[Field, ...]]]] = {
    "board": (lambda desk: desk.preferences.choose_form, (replace(FORM, required=True),)),
    "language": (lambda desk: desk.preferences.choose_language, (LANGUAGE,)),
    "challenges": (lambda desk: desk.preferences.take_challenges, (ACCEPT,)),
    "block": (lambda desk: desk.preferences.block, (USER,)),
    "unblock": (lambda desk: desk.preferences.unblock, (USER,)),
    "export": (lambda desk: desk.own_data.export, ()),
    "forget": (lambda desk: desk.own_data.ask, ()),
}
SETTINGS: Final[Mapping[str, tuple[CarriedOut, tuple[Field, ...]]]] = {
    "show": (lambda desk: desk.server_settings.show, ()),
    "channels": (lambda desk: desk.server_settings.list_channel, (CHANNEL, ALLOWED)),
    "limit": (lambda desk: desk.server_settings.limit_games, (LIMIT,)),
    "language": (lambda desk: desk.server_settings.choose_language, (LANGUAGE,)),
}


def settings_commands(languages: Mapping[str, Language]) -> list[Group]:
    """The two groups of commands, offering some languages."""
    english = languages[ENGLISH]
    me = Group(
        name=written(english, "command.me"),
        description=written(english, "command.me.description"),
        allowed_contexts=CONTEXTS,
        allowed_installs=INSTALLS,
    )
    settings = Group(
        name=written(english, "command.settings"),
        description=written(english, "command.settings.description"),
        default_permissions=Permissions(manage_guild=True),
        allowed_contexts=AppCommandContext(guild=True),
        allowed_installs=INSTALLS,
    )
    spoken = [
        Choice(name=language.name, value=locale) for locale, language in sorted(languages.items())
    ]
    for group, key, commands in (
        (me, "command.me", ME),
        (settings, "command.settings", SETTINGS),
    ):
        for name, (carried_out, fields) in commands.items():
            callback = _callback(carried_out)
            group.add_command(slash(f"{key}.{name}", callback, fields, english, spoken))
    return [me, settings]


def _callback(carried_out: CarriedOut) -> Callback:
    async def callback(interaction: Interaction[ParlourClient], **options: Any) -> None:  # noqa: ANN401
        await carried_out(interaction.client.desk)(interaction, **options)

    return callback
