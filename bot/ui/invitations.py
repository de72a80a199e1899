"""How Parlour comes into servers and people's own accounts: what it asks for, and the links."""

from __future__ import annotations

from typing import Final

from discord import Permissions
from discord.utils import oauth_url

PERMISSIONS: Final = Permissions(
    view_channel=True,
    send_messages=True,
    create_public_threads=True,
    send_messages_in_threads=True,
)
"""The permissions of the bot in a server."""

SCOPES: Final = ("applications.commands", "bot")
"""The scopes of the bot in a server."""

OF_ACCOUNT: Final = ("applications.commands",)
"""The scopes of the bot in a person's own account."""


def to_server(application: int) -> str:
    """The link that brings the bot of an application into a server."""
    return oauth_url(application, permissions=PERMISSIONS, scopes=SCOPES)


def to_account(application: int) -> str:
    """The link that adds it to one's own account."""
    return f"{oauth_url(application, scopes=OF_ACCOUNT)}&integration_type=1"
