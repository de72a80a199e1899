"""Commands as a bot registers them."""

from __future__ import annotations

from bot.sandbox import Payload


def option(kind: int, name: str, **more: object) -> Payload:
    return {"type": kind, "name": name, "description": f"The {name}.", **more}


def command(name: str, *options: Payload, **more: object) -> Payload:
    return {"name": name, "description": f"Do {name}.", "type": 1, "options": [*options], **more}


PLAY = command(
    "play",
    option(6, "opponent", required=True),
    option(4, "size", min_value=3, max_value=5),
    option(3, "level", choices=[{"name": "Easy", "value": "easy"}, {"name": "Hard", "value": "h"}]),
    option(5, "anyone"),
    option(3, "note", min_length=2, max_length=4),
    option(7, "where", channel_types=[0]),
    option(3, "game", autocomplete=True),
)
SETTINGS = command(
    "settings",
    option(1, "show"),
    option(2, "games", options=[option(1, "limit", options=[option(4, "count", required=True)])]),
    default_member_permissions=1 << 5,
    contexts=[0],
)
