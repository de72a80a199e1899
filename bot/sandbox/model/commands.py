"""The bot's registered commands, as Discord stores them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Annotated, Final, Self

from pydantic import (
    Field,
    PlainSerializer,
    StrictBool,
    ValidationInfo,
    field_validator,
    model_validator,
)

from bot.sandbox.model.accounts import BOT, Account, Permission
from bot.sandbox.model.command_options import (
    Locale,
    Name,
    Options,
    Text,
    check_command_name,
    longest,
)
from bot.sandbox.model.forms import Id, JsonForm, Number, fault, length_fault, some_of
from bot.sandbox.payload import Payload, is_array, is_object
from bot.sandbox.snowflakes import Mint, Snowflake

_MOST_CHARACTERS: Final = 8000
_NOWHERE: Final = Snowflake(0)


class CommandType(IntEnum):
    """Discord's types of commands, as far as the sandbox knows them."""

    SLASH = 1
    USER = 2
    """In the context menu of a person."""
    MESSAGE = 3
    """In the context menu of a message."""


Permissions = Annotated[Number, PlainSerializer(str)]


class RegisteredCommand(JsonForm):
    """A command for every server, its people, and direct messages."""

    id: Id = _NOWHERE
    version: Id = _NOWHERE
    type: CommandType = CommandType.SLASH
    name: Name
    name_localizations: dict[Locale, Name] | None = None
    description: Annotated[str, Field(validate_default=True)] = ""
    description_localizations: dict[Locale, Text] | None = None
    options: Options = ()
    default_member_permissions: Permissions | None = None
    """The permissions needed in a server: None for nothing, zero for administrators alone."""
    dm_permission: StrictBool = True
    contexts: Annotated[tuple[int, ...], some_of(0, 1, 2)] | None = None
    """Where it can be used: 0 in servers, 1 in direct messages with the bot; None everywhere."""
    integration_types: Annotated[tuple[int, ...], some_of(0, 1)] = (0,)
    nsfw: StrictBool = False

    @field_validator("description")
    @classmethod
    def _described(cls, text: str, info: ValidationInfo) -> str:
        in_menu = info.data.get("type") in {CommandType.USER, CommandType.MESSAGE}
        if in_menu and text:
            words = "Context menu commands cannot have description"
            raise fault("APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION", words)
        if not in_menu and not 1 <= len(text) <= 100:
            raise length_fault(1, 100)
        return text

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.type is CommandType.SLASH:
            check_command_name(self.name, at="name")
            for locale, name in (self.name_localizations or {}).items():
                check_command_name(name, at=f"name_localizations.{locale}")
        if self.contexts is None and not self.dm_permission:
            self.contexts = (0,)
        self.dm_permission = self.contexts is None or 1 in self.contexts
        names = longest(self.name, self.name_localizations)
        described = longest(self.description, self.description_localizations)
        if names + described + sum(option.size() for option in self.options) > _MOST_CHARACTERS:
            words = f"Command exceeds maximum size ({_MOST_CHARACTERS})"
            raise fault("APPLICATION_COMMAND_TOO_LARGE", words)
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
