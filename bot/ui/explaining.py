"""Why an interaction is refused, with what helps: links to boards, and commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import Interaction

from bot.games.catalogue import BY_KEY, CATALOGUE
from bot.service.tables import Service
from bot.table.refusals import ChannelFull, Refusal, UnknownControl
from bot.table.session import SessionId
from bot.ui.errors import refusal
from bot.ui.speech import Speech
from bot.ui.words import link
from engine.game import IllegalMove

if TYPE_CHECKING:
    from bot.ui.client import ParlourClient


class Explaining:
    """Says to somebody why what they asked for cannot be done."""

    def __init__(self, service: Service, speech: Speech) -> None:
        self._service = service
        self._speech = speech

    async def sentence(
        self,
        interaction: Interaction[ParlourClient],
        error: Refusal | IllegalMove,
        session: SessionId | None,
    ) -> str:
        """The sentence, about a table if it was at one that something was refused."""
        words = self._speech.to(interaction)
        game, where = _typed(interaction), ""
        if session is not None and not isinstance(error, UnknownControl):
            table = await self._service.table(session)
            game = BY_KEY[table.session.game.key].command.name
            where = link(table.place)
        unfinished = error.games if isinstance(error, ChannelFull) else ()
        games = [await self._service.table(SessionId(number)) for number in unfinished]
        return words.of(
            refusal(
                error,
                link=where,
                command=words.command(game),
                unblock=words.command("me unblock"),
                games=[link(table.place) for table in games],
            )
        )


def _typed(interaction: Interaction[ParlourClient]) -> str:
    """The command of the game that somebody typed, or else of the first in the catalogue."""
    games = [entry.command.name for entry in CATALOGUE]
    typed = interaction.command
    return typed.name if typed is not None and typed.name in games else games[0]
