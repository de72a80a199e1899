"""Refusals in words: the one place that says to a player why something cannot be done."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from bot.message.lists import enumerated
from bot.message.text import Mention, Room, Text, TextValue, text
from bot.table.refusals import (
    ChallengesOff,
    ChannelFull,
    GamesElsewhere,
    OpponentBlocked,
    OptionRefused,
    Refusal,
    TooManyChannels,
)
from bot.table.seats import PersonId
from engine.game import IllegalMove


def refusal_key(kind: type[Refusal | IllegalMove]) -> str:
    """The key of a refusal's message: its class's name, in small letters with underscores."""
    return "refusal." + re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def refusal(
    error: Refusal | IllegalMove, *, games: Sequence[str] = (), **values: TextValue
) -> Text:
    """What a refusal says.

    `values` are the link to the board and commands that help; `games` are links to those that
    could be finished.
    """
    key = refusal_key(type(error))
    match error:
        case OptionRefused():
            key = f"{key}.{error.game}.{error.option}"
        case GamesElsewhere():
            values["channels"] = rooms(error.channels)
        case ChannelFull():
            values["games"] = enumerated([text("link", link=game) for game in games])
        case ChallengesOff() | OpponentBlocked():
            values["person"] = Mention(PersonId(error.person))
        case TooManyChannels():
            values["most"] = error.most
        case _:
            pass
    return text(key, **values)


def rooms(channels: Collection[int]) -> Text:
    """At least one channel, as a list."""
    return enumerated([text("channel", channel=Room(channel)) for channel in sorted(channels)])
