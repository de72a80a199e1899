"""Slash commands made of handlers, with their texts from the catalogues.

The options of a command are the parameters of its handler after the context. Their texts have the
keys `field.<parameter>`.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from enum import StrEnum
from typing import Any, Final, TypeAlias, get_args

from discord import Interaction, Locale, Member, Message, User, app_commands
from discord.app_commands import Choice, Command, ContextMenu, TranslationContext, locale_str

from bot.locales import ENGLISH, Language
from bot.ui.discord_internals import set_options
from bot.ui.errors import UNDELIVERED
from bot.ui.handlers import Context
from bot.ui.router import COMMAND, Router

log = logging.getLogger(__name__)

Handler: TypeAlias = Callable[..., Coroutine[Any, Any, None]]
Slash: TypeAlias = Command[Any, ..., None]
Choices: TypeAlias = Mapping[str, list[Choice[str]]]
Suggest: TypeAlias = Callable[[Context], Awaitable[Iterable[tuple[str, str]]]]
"""Finds the suggestions for an option: pairs of a name to show and a value."""

MOST_CHOICES: Final = 25
"""The most choices or suggestions of an option."""

MOST_OF_A_NAME: Final = 100
"""The most characters of a suggestion; with a longer one Discord refuses all of them."""

SUGGESTED_WITHIN: Final = 2.5
"""Seconds after which Discord no longer waits for suggestions."""


class Translator(app_commands.Translator):
    """Gives discord.py the key of each name and description as its American English translation.

    `translated` then replaces the keys by texts in all languages, as discord.py lacks Arabic.
    """

    async def translate(
        self,
        string: locale_str,
        locale: Locale,
        context: TranslationContext[Any, Any],  # noqa: ARG002
    ) -> str | None:
        """The key of a text."""
        key: str | None = string.extras.get("key")
        return key if locale is Locale.american_english else None


def translated(payload: Any, languages: Mapping[str, Language]) -> Any:  # noqa: ANN401
    """A copy of the payload with its texts in all languages; only one is in memory at a time."""
    copied = deepcopy(payload)
    places = [(each, each.pop(ENGLISH)) for each in _localizations(copied)]
    for locale, language in languages.items():
        texts = {key: language.template(key) for key in {key for _, key in places}}
        for each, key in places:
            each[locale] = texts[key]
    return copied


def _localizations(payload: Any) -> Iterator[dict[str, str]]:  # noqa: ANN401
    """The dictionaries of a payload that map languages to texts."""
    items = payload.items() if isinstance(payload, dict) else ()
    for name, value in items:
        if name.endswith("_localizations") and value:
            yield value
        else:
            yield from _localizations(value)
    if isinstance(payload, list):
        for item in payload:
            yield from _localizations(item)


async def nothing_more(_: Context) -> None:
    """Say nothing beside the answer."""


class SlashCommands:
    """Makes the slash commands, whose handlers get a context from the router.

    `afterwards` is called after the answer to each, to tell more if needed.
    """

    def __init__(self, router: Router, languages: Mapping[str, Language]) -> None:
        self.router = router
        self.afterwards: Callable[[Context], Awaitable[None]] = nothing_more
        self._languages = languages

    def command(
        self,
        name: str,
        handler: Handler,
        choices: Choices | None = None,
        suggest: Mapping[str, Suggest] | None = None,
        *,
        options: Sequence[inspect.Parameter] | None = None,
        described: Mapping[str, str] | None = None,
        public: bool = False,
    ) -> Slash:
        """A slash command.

        Its `options` are by default the parameters of its handler. Options of a `StrEnum` offer its
        members; `choices` are those of other options. `described` has keys of descriptions that are
        not `field.<option>.description`. The answer to a `public` command is visible to all.

        Raises:
            MissingText: The catalogues lack one of its texts.
        """
        key = f"command.{name}"
        if options is None:
            _, *options = inspect.signature(handler, eval_str=True).parameters.values()
        callback = self._callback(handler, public=public)
        set_options(callback, options)
        self._describe(callback, options, choices or {}, described or {})
        command: Slash = Command(
            name=self._written(key),
            description=self._written(f"{key}.description"),
            callback=callback,
        )
        for option, found in (suggest or {}).items():
            if option in {parameter.name for parameter in options}:
                command.autocomplete(option)(self._suggesting(option, found))
        return command

    def on_person(self, name: str, handler: Handler, *, public: bool = False) -> ContextMenu:
        """A user command (in a person's menu); its handler gets the person as `user`.

        Raises:
            MissingText: The catalogues lack its name.
        """

        async def callback(interaction: Interaction[Any], user: User | Member) -> None:
            async with self.router.answering(interaction, public=public) as ctx:
                ctx.charge(COMMAND)
                await handler(ctx, user=user)
                await self.afterwards(ctx)

        callback.__annotations__ |= {"interaction": Interaction[Any], "user": User | Member}
        return ContextMenu(name=self._written(f"menu.person.{name}"), callback=callback)

    def on_message(self, name: str, handler: Handler) -> ContextMenu:
        """A message command (in a message's menu); its handler gets the message as `message`.

        Raises:
            MissingText: The catalogues lack its name.
        """

        async def callback(interaction: Interaction[Any], message: Message) -> None:
            async with self.router.answering(interaction) as ctx:
                ctx.charge(COMMAND)
                await handler(ctx, message=message)

        callback.__annotations__ |= {"interaction": Interaction[Any], "message": Message}
        return ContextMenu(name=self._written(f"menu.message.{name}"), callback=callback)

    def choices(self, keys: Mapping[str, str]) -> list[Choice[str]]:
        """The choices of an option from a mapping of values to keys of their texts."""
        return [Choice(name=self._written(key), value=value) for value, key in keys.items()]

    @property
    def locales(self) -> list[str]:
        """The locales that have a catalogue, as Discord names them."""
        return sorted(self._languages)

    def _callback(self, handler: Handler, *, public: bool) -> Handler:
        async def callback(interaction: Interaction[Any], **options: Any) -> None:  # noqa: ANN401
            async with self.router.answering(interaction, public=public) as ctx:
                ctx.charge(COMMAND)
                await handler(ctx, **options)
                await self.afterwards(ctx)

        return callback

    def _describe(
        self,
        callback: Handler,
        options: Sequence[inspect.Parameter],
        choices: Choices,
        keys: Mapping[str, str],
    ) -> None:
        names = {option.name for option in options}
        offered = {name: values for name, values in choices.items() if name in names}
        for option in options:
            for kind in (option.annotation, *get_args(option.annotation)):
                if isinstance(kind, type) and issubclass(kind, StrEnum):
                    offered[option.name] = self.choices(choice_keys(option.name, kind))
        usual = {name: f"field.{name}.description" for name in names}
        described = {name: self._written(key) for name, key in {**usual, **keys}.items()}
        app_commands.describe(**described)(callback)
        app_commands.rename(**{name: self._written(f"field.{name}") for name in names})(callback)
        app_commands.choices(**offered)(callback)

    def _suggesting(
        self, option: str, suggest: Suggest
    ) -> Callable[[Interaction[Any], str], Coroutine[Any, Any, list[Choice[str]]]]:
        async def suggested(interaction: Interaction[Any], typed: str) -> list[Choice[str]]:
            try:
                async with asyncio.timeout(SUGGESTED_WITHIN):
                    found = await suggest(self.router.context(interaction))
                    await interaction.response.autocomplete(_matching(found, typed))
            except UNDELIVERED as error:
                log.info("suggestions lost option=%s error=%r", option, error)
                # Else discord.py would answer once more, and log a traceback.
                raise asyncio.CancelledError from None
            return []

        return suggested

    def _written(self, key: str) -> locale_str:
        return locale_str(self._languages[ENGLISH].template(key), key=key)


def choice_keys(option: str, values: Iterable[str]) -> Mapping[str, str]:
    """The keys of the texts of an option's values, by value."""
    return {value: f"choice.{option}.{value}" for value in values}


def _matching(found: Iterable[tuple[str, str]], typed: str) -> list[Choice[str]]:
    return [
        Choice(name=_short(name), value=value)
        for name, value in found
        if typed.casefold() in name.casefold()
    ][:MOST_CHOICES]


def _short(name: str) -> str:
    return name if len(name) <= MOST_OF_A_NAME else f"{name[: MOST_OF_A_NAME - 1]}…"
