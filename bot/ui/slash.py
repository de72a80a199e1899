"""Slash commands made from plain data.

discord.py reads a command's options from the signature of its function. Ours are data, so each
command gets a function whose signature is written from that data.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, Final

from discord import (
    AppCommandOptionType,
    ChannelType,
    Interaction,
    Member,
    User,
    app_commands,
)
from discord.app_commands import AppCommandChannel, Choice, locale_str

from bot.games.command import Field, Kind
from bot.locales import Language


class Gathering(app_commands.Transformer):
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


ANNOTATIONS: Final[Mapping[Kind, Any]] = {
    Kind.PERSON: User | Member,
    Kind.FLAG: bool,
    Kind.CHOICE: str,
    Kind.TABLE: str,
    Kind.LANGUAGE: str,
    Kind.CHANNEL: app_commands.Transform[AppCommandChannel, Gathering],
}

CONTEXTS: Final = app_commands.AppCommandContext(guild=True, dm_channel=True)
INSTALLS: Final = app_commands.AppInstallationType(guild=True)

Slash = app_commands.Command[Any, ..., None]
Callback = Callable[..., Coroutine[Any, Any, None]]


def slash(
    key: str,
    callback: Callback,
    fields: tuple[Field, ...],
    english: Language,
    languages: Sequence[Choice[str]] = (),
) -> Slash:
    """A slash command whose texts have keys that begin with `key`.

    `languages` are what a field offers that takes one, besides its own choices.
    """
    callback.__signature__ = _signature(fields)  # type: ignore[attr-defined]  # PEP 362
    described = app_commands.describe(
        **{field.key: written(english, f"field.{field.key}.description") for field in fields}
    )(callback)
    renamed = app_commands.rename(
        **{field.key: written(english, f"field.{field.key}") for field in fields}
    )(described)
    further = {Kind.CHOICE: (), Kind.LANGUAGE: languages}
    chosen = app_commands.choices(
        **{
            field.key: [*_choices(field, english), *further[field.kind]]
            for field in fields
            if field.kind in further
        }
    )(renamed)
    return app_commands.Command(
        name=written(english, key),
        description=written(english, f"{key}.description"),
        callback=chosen,
        allowed_contexts=CONTEXTS,
        allowed_installs=INSTALLS,
    )


def _signature(fields: tuple[Field, ...]) -> inspect.Signature:
    interaction = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    options = (
        inspect.Parameter(
            field.key,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.required else None,
            annotation=_annotation(field),
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
        Choice(name=written(english, f"choice.{field.key}.{value}"), value=value)
        for value in field.choices
    ]


def written(english: Language, key: str) -> locale_str:
    """A text in English, with the key of its translations."""
    return locale_str(english.template(key), key=key)
