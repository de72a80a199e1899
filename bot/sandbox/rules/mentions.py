"""The people whom a message mentions, and notifies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Final, Self

from pydantic import Field, PlainValidator, StrictBool, model_validator

from bot.sandbox.model.accounts import Account
from bot.sandbox.model.forms import Id, JsonForm, fault, sized
from bot.sandbox.payload import is_array
from bot.sandbox.snowflakes import Snowflake

_CODE: Final = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_USER: Final = re.compile(r"<@!?(\d+)>")
_EVERYONE: Final = re.compile(r"@(everyone|here)\b")
_KINDS: Final = frozenset({"users", "roles", "everyone"})


def _kinds(value: object) -> frozenset[object]:
    if not is_array(value) or not all(isinstance(kind, str) for kind in value):
        raise fault("BASE_TYPE_BAD_STRING", "Must be a string.")
    if not set(value) <= _KINDS:
        raise fault("BASE_TYPE_CHOICES", "Value must be one of {'everyone', 'roles', 'users'}.")
    return frozenset(value)


class AllowedMentions(JsonForm):
    """The mentions that notify."""

    kinds: Annotated[frozenset[object], PlainValidator(_kinds), Field(alias="parse")] = frozenset()
    users: Annotated[tuple[Id, ...], sized(0, 100)] = ()
    roles: Annotated[tuple[Id, ...], sized(0, 100)] = ()
    replied_user: StrictBool = False

    @model_validator(mode="after")
    def _users_are_named_or_not(self) -> Self:
        if self.users and "users" in self.kinds:
            code = "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"
            raise fault(code, 'parse:["users"] and users: [ids...] are mutually exclusive.')
        return self

    def admits(self, user: Snowflake) -> bool:
        """Whether the user may be mentioned."""
        return "users" in self.kinds or user in self.users


EVERYBODY: Final = AllowedMentions.model_validate({"parse": ["users", "roles", "everyone"]})
"""The allowed mentions of a message that names none."""


def mentioned(
    texts: Iterable[str], allowed: AllowedMentions, accounts: Mapping[Snowflake, Account]
) -> tuple[tuple[Account, ...], bool]:
    """The accounts that the texts may mention, in order, and whether everyone is mentioned."""
    plain = _CODE.sub("", "\n".join(texts))
    named = dict.fromkeys(Snowflake(int(digits)) for digits in _USER.findall(plain))
    users = (accounts[user] for user in named if user in accounts and allowed.admits(user))
    everyone = "everyone" in allowed.kinds and _EVERYONE.search(plain) is not None
    return tuple(users), everyone
