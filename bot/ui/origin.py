"""Where a control comes from: the controls of a message, and the message of a table's controls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

import discord

from bot.screens.pager import Page, Shared
from bot.screens.replay import STEPS
from bot.table.actions import Action, is_rule
from bot.table.session import SessionId
from bot.ui.custom_ids import BoardControl, Ids, board_id, read

PRIVATE: Final = frozenset({*STEPS, Action.RESIGN, Action.SHARE_REPLAY})
"""The actions of a table whose controls stand on a message for one reader, as those of rules do."""

ANYWHERE: Final = frozenset(
    {
        *(Action.SHARE, Action.VIEW, Action.HOW_TO, Action.RULES, Action.PROOF),
        *(Action.REPLAY, Action.AS_TEXT, Action.AS_JSON),
    }
)
"""The actions of a table that answer with a message of their own, wherever they are pressed."""

LOOKED_THROUGH: Final = 50
"""How many messages of a channel may have come since that of a new table."""


def belongs(ids: Ids, message: discord.Message) -> bool:
    """Whether a control stands on a message of the kind that it is made for.

    Pages and questions are for one reader, boards for all; and a control stands among others of its
    kind, those of one table together, unless it stands alone.
    """
    hidden = message.flags.ephemeral
    if isinstance(ids, BoardControl):
        if ids.action not in ANYWHERE and hidden is not (
            ids.action in PRIVATE or is_rule(ids.action)
        ):
            return False
    elif not hidden:
        return False
    kinds = Counter(_kind(known) for each in custom_ids(message) if (known := read(each)))
    return not kinds or kinds[_kind(ids)] == max(kinds.values())


def _kind(ids: Ids) -> object:
    """What the controls of one message have in common."""
    match ids:
        case BoardControl(session):
            return session
        case Shared() | Action():
            return Page
        case _:
            return type(ids)


def custom_ids(message: discord.Message) -> Iterator[str]:
    """The ids of a message's controls, from the top."""
    return _ids(message.components)


def _ids(components: Iterable[object]) -> Iterator[str]:
    for component in components:
        custom_id = getattr(component, "custom_id", None)
        if custom_id is not None:
            yield custom_id
        yield from _ids(getattr(component, "children", ()))


async def found(channel: discord.PartialMessageable, session: SessionId) -> int | None:
    """The message of a table, if Discord has taken it without being able to say so."""
    own = board_id(session, 0, "").removesuffix("0:")
    try:
        async for message in channel.history(limit=LOOKED_THROUGH):
            if any(custom_id.startswith(own) for custom_id in custom_ids(message)):
                return message.id
    except discord.Forbidden:  # then there is no way to know
        return None
    return None
