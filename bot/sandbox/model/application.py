"""The bot's application: what its owner sets in the developer portal, and some of it the bot."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.sandbox.payload import Payload


@dataclass(eq=False, slots=True)
class Application:
    """The settings of an application; `installs` are those of Discord's own install link."""

    flags: int = 0
    """Which privileged intents are on, among others."""
    requires_code_grant: bool = False
    endpoint: str | None = None
    """A web address that gets the interactions in place of the gateway."""
    installs: dict[str, Payload] = field(default_factory=dict)
    """What it asks for, by kind: "0" into a server, "1" for a user."""

    def payload(self) -> Payload:
        """What Discord says of the settings."""
        return {
            "flags": self.flags,
            "flags_new": str(self.flags),
            "bot_require_code_grant": self.requires_code_grant,
            "interactions_endpoint_url": self.endpoint,
            "integration_types_config": {
                kind: {"oauth2_install_params": params} for kind, params in self.installs.items()
            },
        }
