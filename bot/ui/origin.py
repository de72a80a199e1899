"""Where a control comes from: the controls of a message, and the message of a table's controls."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

import discord

from bot.screens.replay import STEPS
from bot.table.actions import Action, is_rule, shown_ply
from bot.table.session import SessionId
from bot.ui.custom_ids import BoardControl, Ids, board_id, page_id

PRIVATE: Final = frozenset(
    {*STEPS, Action.RESIGN, Action.SHARE_REPLAY, Action.SHARE_REVIEW, Action.TREE}
)
"""The actions of a table whose controls stand on a message for one reader, as those of rules do."""

ANYWHERE: Final = frozenset(
    {
        *(Action.SHARE, Action.VIEW, Action.HOW_TO, Action.RULES, Action.PROOF),
        *(Action.REPLAY, Action.AS_TEXT, Action.AS_JSON, Action.WHY, Action.REVIEW),
    }
)
"""The actions of a table that answer with a message of their own, wherever they are pressed."""

_KIND: Final = re.compile(r"^(?:(p1:\d+)|[sh](1)|(\w))", re.MULTILINE)
"""What the ids of one message's controls have in common: a table, pages, or a kind of question."""

LOOKED_THROUGH: Final = 50
"""How many messages of a channel may have come since that of a new table."""


def belongs(ids: Ids, message: discord.Message) -> bool:
    """Whether a control stands on a message of the kind that it is made for.

    Pages and questions are for one reader, boards for all; and a control stands among others of its
    kind, those of one table together, unless it stands alone.
    """
    if isinstance(ids, BoardControl):
        own, private = board_id(ids.session, ids.ply, ids.action), _is_private(ids.action)
    else:
        own, private = page_id(ids), True
    if private not in {None, message.flags.ephemeral}:
        return False
    kinds = Counter(_KIND.findall("\n".join(custom_ids(message))))
    return kinds[_KIND.findall(own)[0]] == max(kinds.values(), default=0)


def _is_private(action: str) -> bool | None:
    """Whether a table's action is for one reader; None if it may stand anywhere."""
    if action in ANYWHERE:
        return None
    return action in PRIVATE or is_rule(action) or shown_ply(action) is not None


def custom_ids(message: discord.Message) -> list[str]:
    """The ids of a message's controls."""
    found: list[str] = []
    ahead: list[object] = [*message.components]
    while ahead:
        component = ahead.pop()
        custom_id = getattr(component, "custom_id", None)
        if custom_id is not None:
            found.append(custom_id)
        ahead += getattr(component, "children", ())
    return found


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
