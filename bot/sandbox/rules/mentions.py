"""Who is mentioned in a message, and whom Discord notifies of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from bot.sandbox.model.accounts import Account
from bot.sandbox.rules.forms import JsonForm
from bot.sandbox.snowflakes import Snowflake

_CODE: Final = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_USER: Final = re.compile(r"<@!?(\d+)>")
_EVERYONE: Final = re.compile(r"@(everyone|here)\b")
_KINDS: Final = frozenset({"users", "roles", "everyone"})


@dataclass(frozen=True, slots=True)
class AllowedMentions:
    """Whom a message may mention so that they are notified."""

    kinds: frozenset[str] = _KINDS
    users: frozenset[Snowflake] = frozenset()

    def admits(self, user: Snowflake) -> bool:
        """Whether the user may be mentioned."""
        return "users" in self.kinds or user in self.users


def read_allowed(form: JsonForm) -> AllowedMentions:
    """What the request allows; everybody where it says nothing."""
    part = form.part("allowed_mentions")
    if part is None:
        return AllowedMentions()
    kinds = frozenset(part.texts("parse", most=3)) if part.given("parse") else frozenset[str]()
    if not kinds <= _KINDS:
        words = "Value must be one of {'everyone', 'roles', 'users'}."
        part.fail("parse", "BASE_TYPE_CHOICES", words)
    users = frozenset(part.snowflakes("users", most=100))
    if users and "users" in kinds:
        code = "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"
        part.fail("", code, 'parse:["users"] and users: [ids...] are mutually exclusive.')
    part.snowflakes("roles", most=100)
    part.flag("replied_user")
    return AllowedMentions(kinds, users)


@dataclass(frozen=True, slots=True)
class Mentions:
    """Who is mentioned."""

    users: tuple[Account, ...]
    everyone: bool


def mentioned(
    texts: Iterable[str], allowed: AllowedMentions, accounts: Mapping[Snowflake, Account]
) -> Mentions:
    """Those whom the texts mention and who may be mentioned, in the order of the texts."""
    plain = _CODE.sub("", "\n".join(texts))
    named = dict.fromkeys(Snowflake(int(digits)) for digits in _USER.findall(plain))
    users = (accounts[user] for user in named if user in accounts and allowed.admits(user))
    everyone = "everyone" in allowed.kinds and _EVERYONE.search(plain) is not None
    return Mentions(tuple(users), everyone)
