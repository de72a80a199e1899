"""The kinds of messages, told by the ids of their controls: a table's board, a panel, a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

import discord

from bot.screens.table_panel import BEHIND_MORE, LOOKING_BACK
from bot.table.actions import Action, parsed
from bot.table.session import SessionId
from bot.ui.custom_ids import BoardControl, read

LOOKED_THROUGH: Final = 50
"""The messages that may have come to a channel since a new table's."""

Control: TypeAlias = discord.Button | discord.SelectMenu


def is_board(message: discord.Message, session: SessionId) -> bool:
    """Whether a message is the board of a table: it has a control that stands on boards alone."""
    found = board_controls(message)
    return any(ids.session == session and _stands_on_boards(ids) for ids in found)


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
    found = (read(each.custom_id) for each in controls(message) if each.custom_id is not None)
    return [ids for ids in found if isinstance(ids, BoardControl)]


def board_places(message: discord.Message) -> dict[str, tuple[int, int]]:
    """The controls of a table that are on, by their words: the row and the place of each."""
    found: dict[str, tuple[int, int]] = {}
    for row, line in enumerate(_rows(message.components)):
        for place, each in enumerate(line.children):
            if isinstance(each, Control) and each.custom_id is not None and not each.disabled:
                ids = read(each.custom_id)
                if isinstance(ids, BoardControl):
                    found[ids.action] = row, place
    return found


def _rows(components: Iterable[object]) -> Iterator[discord.ActionRow]:
    for each in components:
        if isinstance(each, discord.ActionRow):
            yield each
        else:
            yield from _rows(getattr(each, "children", ()))


def _stands_on_boards(ids: BoardControl) -> bool:
    """Whether a control stands on boards alone, and on no message for one reader."""
    action, _ = parsed(ids.action)
    return action is None or action.button.private is False


def control_on(message: discord.Message, custom_id: str) -> Control | None:
    """The button or menu of a message that has an id."""
    return next((each for each in controls(message) if each.custom_id == custom_id), None)


def custom_ids(message: discord.Message) -> list[str]:
    """The ids of a message's controls."""
    return [each.custom_id for each in controls(message) if each.custom_id is not None]


def controls(message: discord.Message) -> list[Control]:
    """The buttons and menus of a message."""
    found: list[Control] = []
    ahead: list[object] = [*message.components]
    while ahead:
        component = ahead.pop()
        if isinstance(component, Control):
            found.append(component)
        ahead += getattr(component, "children", ())
    return found


async def found_by(channel: discord.PartialMessageable, begin: str) -> int | None:
    """One of the latest messages of a channel, by the first parts of an id of its controls."""
    async for message in channel.history(limit=LOOKED_THROUGH):
        if any(f"{each}:".startswith(f"{begin}:") for each in custom_ids(message)):
            return message.id
    return None
