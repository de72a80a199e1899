"""Every button of every board, from a message of any age, before and after a restart.

A button's id says what was pressed: version, session, ply, action. Who may press it is for the
session to say. Ids that are not ours, or of a version that is gone, are answered too: Discord would
show "This interaction failed" where nobody answers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Self

from discord import Interaction, ui

from bot.seats import PersonId
from bot.service import Press
from bot.session import SessionId
from bot.store import InteractionId

if TYPE_CHECKING:
    from bot.ui.client import ParlourClient
    from bot.ui.desk import Desk

OURS: Final = r"p1:(?P<session>\d{1,18}):(?P<ply>\d{1,9}):(?P<action>[a-z0-9]{1,32})\Z"


def control_id(session: SessionId, ply: int, action: str) -> str:
    """The id of a button that does `action` on the board of `ply`."""
    return f"p1:{session}:{ply}:{action}"


class BoardButton(ui.DynamicItem[ui.Button[Any]], template=OURS):
    """A button of a board."""

    @classmethod
    async def from_custom_id(
        cls,
        interaction: Interaction[Any],  # noqa: ARG003
        item: ui.Item[Any],
        match: re.Match[str],  # noqa: ARG003
    ) -> Self:
        """The button that was pressed."""
        return cls(item)  # type: ignore[arg-type]  # the pattern is of buttons alone

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Carries the press out."""
        found = re.fullmatch(OURS, self.custom_id)
        assert found is not None, "the pattern has matched to get here"  # noqa: S101
        press = Press(
            interaction=InteractionId(interaction.id),
            session=SessionId(int(found["session"])),
            ply=int(found["ply"]),
            action=found["action"],
            by=PersonId(interaction.user.id),
        )
        await _desk(interaction).pressed(interaction, press)


class ForeignControl(ui.DynamicItem[ui.Item[Any]], template=rf"(?!{OURS})(?s:.*)\Z"):
    """A control that no version of Parlour answers to any more."""

    @classmethod
    async def from_custom_id(
        cls,
        interaction: Interaction[Any],  # noqa: ARG003
        item: ui.Item[Any],
        match: re.Match[str],  # noqa: ARG003
    ) -> Self:
        """The control that was used."""
        return cls(item)

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Says that nothing answers to it."""
        await _desk(interaction).unknown(interaction)


def _desk(interaction: Interaction[Any]) -> Desk:
    client: ParlourClient = interaction.client
    return client.desk
