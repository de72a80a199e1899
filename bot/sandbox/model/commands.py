"""The bot's registered commands with their options, as Discord stores them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Annotated, Final, Self

from pydantic import Field, PlainSerializer, RootModel, model_validator

from bot.sandbox.model.accounts import BOT, Account, Permission
from bot.sandbox.model.components import SPARSE, Id, JsonForm
from bot.sandbox.payload import Mint, Payload, Snowflake, is_array, is_object

# fmt: off
LOCALES: Final = frozenset({
    "ar", "bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "he", "hi",
    "hr", "hu", "id", "it", "ja", "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th",
    "tr", "uk", "vi", "zh-CN", "zh-TW",
})
# fmt: on
"""The languages of Discord's clients."""

_NOWHERE: Final = Snowflake(0)
_BOUND: Final = Field(exclude_if=lambda value: value is None)


class OptionType(IntEnum):
    """Discord's types of command options, as far as the sandbox knows them."""

    SUBCOMMAND = 1
    GROUP = 2
    STRING = 3
    INTEGER = 4
    BOOLEAN = 5
    USER = 6
    CHANNEL = 7


INNER: Final = frozenset({OptionType.SUBCOMMAND, OptionType.GROUP})
"""The types of options that have options of their own."""


class OptionChoice(JsonForm):
    """A value to choose, and what it is called: of an option, or suggested by the bot."""

    name: str
    name_localizations: dict[str, str] | None = None
    value: str | int

    def translated(self, locale: str) -> OptionChoice:
        """The choice as people with that language read it."""
        name = (self.name_localizations or {}).get(locale, self.name)
        return OptionChoice(name=name, value=self.value)


class CommandOption(JsonForm):
    """An option of a command; a subcommand or group has `options` of its own."""

    type: OptionType
    name: str
    name_localizations: dict[str, str] | None = None
    description: str
    description_localizations: dict[str, str] | None = None
    required: bool = False
    autocomplete: Annotated[bool, SPARSE] = False
    choices: Annotated[tuple[OptionChoice, ...], SPARSE] = ()
    options: Annotated[tuple[CommandOption, ...], SPARSE] = ()
    min_length: Annotated[int | None, _BOUND] = None
    max_length: Annotated[int | None, _BOUND] = None
    min_value: Annotated[int | None, _BOUND] = None
    max_value: Annotated[int | None, _BOUND] = None
    channel_types: Annotated[tuple[int, ...], SPARSE] = ()

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The least and the most characters of a string, or the bounds of a number."""
        if self.type is OptionType.STRING:
            return self.min_length, self.max_length
        return self.min_value, self.max_value


class CommandType(IntEnum):
    """Discord's types of commands, as far as the sandbox knows them."""

    SLASH = 1
    USER = 2
    """In the context menu of a person."""
    MESSAGE = 3
    """In the context menu of a message."""


class RegisteredCommand(JsonForm):
    """A command for every server, its people, and direct messages."""

    id: Id = _NOWHERE
    version: Id = _NOWHERE
    type: CommandType = CommandType.SLASH
    name: str
    name_localizations: dict[str, str] | None = None
    description: str = ""
    description_localizations: dict[str, str] | None = None
    options: Annotated[tuple[CommandOption, ...], SPARSE] = ()
    default_member_permissions: Annotated[int, PlainSerializer(str)] | None = None
    """The permissions needed in a server: None for nothing, zero for administrators alone."""
    dm_permission: bool = True
    contexts: tuple[int, ...] | None = None
    """Where it can be used: 0 in servers, 1 in direct messages with the bot; None everywhere."""
    integration_types: tuple[int, ...] = (0,)
    nsfw: bool = False

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.contexts is None and not self.dm_permission:
            self.contexts = (0,)
        self.dm_permission = self.contexts is None or 1 in self.contexts
        return self

    def payload(self, *, translated: bool = True) -> Payload:
        """The command as Discord sends it."""
        told = self.model_dump(mode="json") | {"application_id": str(BOT)}
        return told if translated else _untranslated(told)

    def allowed_to(self, account: Account) -> bool:
        """Whether the account may use it in a server."""
        needed = self.default_member_permissions
        return needed is None or account.may(Permission(needed) or Permission.ADMINISTRATOR)

    def same_place(self, other: RegisteredCommand) -> bool:
        """Whether only one of the two can be registered."""
        return (self.type, self.name) == (other.type, other.name)


def _untranslated(told: Payload) -> Payload:
    return {
        key: [_untranslated(each) if is_object(each) else each for each in value]
        if is_array(value)
        else value
        for key, value in told.items()
        if not key.endswith("_localizations")
    }


class CommandList(RootModel[tuple[RegisteredCommand, ...]]):
    """All commands of the application, as it sends them."""


class RegisteredCommands(list[RegisteredCommand]):
    """All commands that the bot has registered."""

    def __init__(self, mint: Mint) -> None:
        super().__init__()
        self._mint = mint

    def named(self, name: str, kind: CommandType) -> RegisteredCommand | None:
        """The command of that name and kind."""
        found = (each for each in self if each.name == name and each.type is kind)
        return next(found, None)

    def replace(self, commands: Sequence[RegisteredCommand]) -> list[RegisteredCommand]:
        """The commands as stored, with all others gone; a known name keeps its id."""
        self[:] = [self._numbered(command) for command in commands]
        return self

    def _numbered(self, command: RegisteredCommand) -> RegisteredCommand:
        old = self.named(command.name, command.type)
        if old is None:
            return command.model_copy(update={"id": self._mint(), "version": self._mint()})
        same = command.model_copy(update={"id": old.id, "version": old.version})
        return old if same == old else same.model_copy(update={"version": self._mint()})
