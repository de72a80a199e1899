"""The bot's application with all that its owner sets, a token, and a count of its starts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import bot.sandbox.model.accounts
from bot.sandbox.payload import Payload
from bot.sandbox.sandbox import TOKEN

_A_DAY: Final = 86_400.0


@dataclass(eq=False, slots=True)
class Application(bot.sandbox.model.accounts.Application):
    """The settings of an application; `installs` are those of Discord's own install link."""

    token: str = TOKEN
    """The bot's token."""
    flags: int = 0
    """Which privileged intents are on, among others."""
    requires_code_grant: bool = False
    endpoint: str | None = None
    """A web address that gets the interactions in place of the gateway."""
    listing: Payload = field(default_factory=dict)
    """The description, icon and tags that present it, and the addresses of its texts."""
    starts_a_day: int = 1000
    max_concurrency: int = 1
    """The number of shards that may identify themselves in 5 s."""
    starts: list[tuple[float, int]] = field(default_factory=list)
    """When a shard identified itself, and which."""

    def start_limit(self, now: float) -> Payload:
        recent = [moment for moment, _ in self.starts if now - moment < _A_DAY]
        wait = _A_DAY - (now - recent[0]) if recent else 0.0
        return {
            "total": self.starts_a_day,
            "remaining": max(0, self.starts_a_day - len(recent)),
            "reset_after": int(wait * 1000),
            "max_concurrency": self.max_concurrency,
        }

    def payload(self) -> Payload:
        return {
            # Without `super`, which classes with slots that a decorator makes anew do not have.
            **bot.sandbox.model.accounts.Application.payload(self),
            "flags": self.flags,
            "flags_new": str(self.flags),
            "bot_require_code_grant": self.requires_code_grant,
            "interactions_endpoint_url": self.endpoint,
            **self.listing,
        }
