"""What people press and type, read: the ids of controls, and the numbers of games.

A control's id says what was pressed, on which board, at which ply. It never says who may press;
that is for the session. discord.py knows nothing of our buttons: every press reaches the desk as
the bare interaction, from a message of any age, before and after a restart, and no view is kept for
it. (A `DynamicItem` would do as much, but it rebuilds the whole view from the message for each
press: a third of the time that answering one takes.)
"""

from __future__ import annotations

import re
from typing import Any, Final

from discord import Interaction

from bot.service.ports import InteractionId
from bot.service.tables import Press
from bot.table.seats import PersonId
from bot.table.session import SessionId
from bot.ui.asking import action_of, chosen

OURS: Final = re.compile(r"p1:(\d{1,18}):(\d{1,9}):([a-z0-9_-]{1,48})")

MOST_DIGITS: Final = 18
"""Longer numbers fit into no database."""


def control_id(session: SessionId, ply: int, action: str) -> str:
    """The id of a control that does `action` on the board of `ply`."""
    return f"p1:{session}:{ply}:{action}"


def pressed(interaction: Interaction[Any]) -> Press | None:
    """What was pressed; None for a control of another version, or of none."""
    found = OURS.fullmatch(action_of(interaction))
    if found is None:
        return None
    session, ply, action = found.groups()
    return Press(
        interaction=InteractionId(interaction.id),
        session=SessionId(int(session)),
        ply=int(ply),
        action=action,
        by=PersonId(interaction.user.id),
        value=chosen(interaction),
    )


def game_number(typed: str | None) -> SessionId | None:
    """The number of a game as it was typed; 0, which is no game's, for what is none."""
    if typed is None:
        return None
    return SessionId(int(typed) if typed.isdecimal() and len(typed) <= MOST_DIGITS else 0)
