"""The slash commands, made from the catalogue's plain description of them.

discord.py reads a command's options from the signature of its function. Ours are data, so each
command gets a function whose signature is written from that data.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Final

from discord import Interaction, Locale, Member, User, app_commands
from discord.app_commands import Choice, TranslationContext, locale_str

from bot.catalogue import CATALOGUE
from bot.command import Field, Filled, Kind, Named, Request
from bot.locales import Language
from bot.presenter import Entry
from bot.seats import PersonId

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.ui.client import ParlourClient

ANNOTATIONS: Final[Mapping[Kind, Any]] = {
    Kind.PERSON: User | Member,
    Kind.FLAG: bool,
    Kind.CHOICE: str,
}

Slash = app_commands.Command[Any, ..., None]


class Translator(app_commands.Translator):
    """Gives Discord each name and description in every language there is a catalogue for."""

    def __init__(self, languages: Mapping[str, Language]) -> None:
        self._languages = languages

    async def translate(
        self,
        string: locale_str,
        locale: Locale,
        context: TranslationContext[Any, Any],  # noqa: ARG002
    ) -> str | None:
        """The text of a key in one language; None where there is no catalogue of it."""
        language = self._languages.get(locale.value)
        key = string.extras.get("key")
        return None if language is None or key is None else language.template(key)


def slash_commands(english: Language) -> list[Slash]:
    """Every slash command, with English names and the keys of the translations."""
    return [*(_game_command(entry, english) for entry in CATALOGUE), _help_command(english)]


def _game_command(entry: Entry, english: Language) -> Slash:
    fields = entry.command.fields

    async def callback(interaction: Interaction[ParlourClient], **options: Any) -> None:  # noqa: ANN401
        await interaction.client.desk.proposed(interaction, entry, _request(interaction, options))

    callback.__signature__ = _signature(fields)  # type: ignore[attr-defined]  # PEP 362
    described = app_commands.describe(
        **{field.key: _text(english, f"field.{field.key}.description") for field in fields}
    )(callback)
    renamed = app_commands.rename(
        **{field.key: _text(english, f"field.{field.key}") for field in fields}
    )(described)
    chosen = app_commands.choices(
        **{field.key: _choices(field, english) for field in fields if field.kind is Kind.CHOICE}
    )(renamed)
    return _command(f"command.{entry.command.name}", chosen, english)


def _help_command(english: Language) -> Slash:
    async def callback(interaction: Interaction[ParlourClient]) -> None:
        await interaction.client.desk.helped(interaction)

    return _command("command.help", callback, english)


def _command(key: str, callback: Any, english: Language) -> Slash:  # noqa: ANN401
    return app_commands.Command(
        name=_text(english, key),
        description=_text(english, f"{key}.description"),
        callback=callback,
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
        allowed_installs=app_commands.AppInstallationType(guild=True),
    )


def _signature(fields: tuple[Field, ...]) -> inspect.Signature:
    interaction = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    options = (
        inspect.Parameter(
            field.key, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_annotation(field)
        )
        for field in fields
    )
    return inspect.Signature([interaction, *options])


def _annotation(field: Field) -> Any:  # noqa: ANN401
    if field.kind is Kind.NUMBER:
        return app_commands.Range[int, field.least, field.most]
    return ANNOTATIONS[field.kind]


def _choices(field: Field, english: Language) -> list[Choice[str]]:
    return [
        Choice(name=_text(english, f"choice.{field.key}.{value}"), value=value)
        for value in field.choices
    ]


def _request(interaction: Interaction[ParlourClient], options: Mapping[str, Any]) -> Request:
    bot = interaction.client.user
    assert bot is not None, "commands come to a bot that is logged in"
    values = {key: _filled(value, bot.id) for key, value in options.items() if value is not None}
    private = interaction.guild_id is None
    return Request(PersonId(interaction.user.id), PersonId(bot.id), values, private=private)


def _filled(value: Any, own: int) -> Filled:  # noqa: ANN401
    if isinstance(value, User | Member):
        return Named(PersonId(value.id), robot=value.bot and value.id != own)
    filled: Filled = value
    return filled


def _text(english: Language, key: str) -> locale_str:
    return locale_str(english.template(key), key=key)
