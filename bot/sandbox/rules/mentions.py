"""Who is mentioned in a message, and whom Discord notifies of it."""

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
    """Whom a message may mention so that they are notified."""

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
"""What is allowed where a message says nothing of it."""


def mentioned(
    texts: Iterable[str], allowed: AllowedMentions, accounts: Mapping[Snowflake, Account]
) -> tuple[tuple[Account, ...], bool]:
    """Those whom the texts may mention, in the order of the texts, and whether everyone is."""
    plain = _CODE.sub("", "\n".join(texts))
    named = dict.fromkeys(Snowflake(int(digits)) for digits in _USER.findall(plain))
    users = (accounts[user] for user in named if user in accounts and allowed.admits(user))
    everyone = "everyone" in allowed.kinds and _EVERYONE.search(plain) is not None
    return tuple(users), everyone
