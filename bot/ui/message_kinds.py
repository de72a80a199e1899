"""The kinds of messages, told by the ids of their controls: a table's board, a panel, a page."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from typing import Final

import discord

from bot.screens.buttons import BUTTONS
from bot.screens.more import BEHIND_MORE, LOOKING_BACK
from bot.screens.puzzle import SOLVE
from bot.screens.tournament import TournamentControl
from bot.table.actions import Action, parsed
from bot.table.session import SessionId
from bot.ui.custom_ids import BoardControl, Ids, PuzzleControl, board_id, read

LOOKED_THROUGH: Final = 50
"""The messages that may have come to a channel since a new table's."""

_KIND: Final = re.compile(r"^(?:(p1:\d+)|[sh](1)|(\w))", re.MULTILINE)
"""The part that the ids of one message share: a table, pages, or a kind of question."""


def belongs(
    custom_id: str, ids: Ids, message: discord.Message, *, boards_for_one: bool = False
) -> bool:
    """Whether a control stands on a message of the kind that it is made for.

    Pages and questions are for one reader; boards are for all, unless Discord shows them to one.
    No kind has more controls on the message than the control's own; each table's are a kind.
    """
    private = _is_private(ids)
    for_one = message.flags.ephemeral
    if private not in {None, for_one} and not (boards_for_one and for_one):
        return False
    kinds = Counter(_KIND.findall("\n".join(custom_ids(message))))
    return kinds[_KIND.findall(custom_id)[0]] == max(kinds.values(), default=0)


def is_board(message: discord.Message, session: SessionId) -> bool:
    """Whether a message is the board of a table: it has a control that stands on boards alone."""
    found = board_controls(message)
    return any(ids.session == session and _is_private(ids) is False for ids in found)


def table_on(message: discord.Message) -> SessionId | None:
    """The table that a message's controls are of; None for any other message."""
    return next((ids.session for ids in board_controls(message)), None)


def is_panel(message: discord.Message) -> bool:
    """Whether a message is the panel behind *More*, or one that leads back to it."""
    found = {ids.action for ids in board_controls(message)}
    behind = found <= {*BEHIND_MORE} or found <= {*LOOKING_BACK}
    return Action.BACK_TO_MORE in found or (len(found) > 1 and behind)


def is_in_words(message: discord.Message) -> bool:
    """Whether a message is the board in words for one reader, of a running game."""
    return any(ids.action == Action.IN_WORDS for ids in board_controls(message))


def board_controls(message: discord.Message) -> list[BoardControl]:
    """Read the controls of a table on a message."""
    found = map(read, custom_ids(message))
    return [ids for ids in found if isinstance(ids, BoardControl)]


def _is_private(ids: Ids) -> bool | None:
    """Whether a control stands on a message for one reader; None if it may stand anywhere."""
    if isinstance(ids, TournamentControl):
        return None
    if not isinstance(ids, BoardControl):
        return None if isinstance(ids, PuzzleControl) and ids.action == SOLVE else True
    button = BUTTONS.get(parsed(ids.action)[0])
    return button is not None and button.private


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
    own = board_id(session, 0, "").removesuffix(":0:")
    with suppress(discord.Forbidden):  # then there is no way to know
        return await found_by(channel, own)
    return None


async def found_by(channel: discord.PartialMessageable, begin: str) -> int | None:
    """One of the latest messages of a channel, by the first parts of an id of its controls."""
    async for message in channel.history(limit=LOOKED_THROUGH):
        if any(f"{each}:".startswith(f"{begin}:") for each in custom_ids(message)):
            return message.id
    return None
