"""*Explain this board* in the menu of a message: why, review or replay, by its table's state."""

from __future__ import annotations

from discord import Message
from discord.app_commands import ContextMenu

from bot.games.catalogue import CATALOGUE
from bot.service.tables import Service
from bot.table.refusals import Refusal, UnknownControl
from bot.table.session import Phase
from bot.table.table import Table
from bot.ui.commands.lessons import LessonPresses
from bot.ui.commands.replay import ReplayCommand
from bot.ui.commands.slash import SlashCommands
from bot.ui.context import Context
from bot.ui.message_kinds import table_on


class ExplainCommand:
    """Explains the table on a message to one reader."""

    def __init__(self, tables: Service, lessons: LessonPresses, replay: ReplayCommand) -> None:
        self._tables = tables
        self._lessons = lessons
        self._replay = replay

    def command(self, slash: SlashCommands) -> ContextMenu:
        """The command."""
        return slash.on_message("explain", self.explain)

    async def explain(self, ctx: Context, *, message: Message) -> None:
        """Gives the reasons for the last move of a running game, or looks back at one that is over.

        Raises:
            Refusal: It is no board, the game has not begun, or it is not for this reader.
        """
        ctx.table = table = await self._shown_on(message, bot=ctx.interaction.application_id)
        phase, ply = table.session.phase, table.session.ply
        explained = CATALOGUE[table.session.game.key].explainer is not None
        if phase is Phase.LOBBY:
            raise Refusal("not_begun")
        if phase is Phase.RUNNING and explained:
            await self._lessons.why(ctx, table, ply)
        elif phase is Phase.FINISHED and explained:
            await self._lessons.review(ctx, table)
        else:
            await self._replay.begin(ctx, table.id)

    async def _shown_on(self, message: Message, *, bot: int) -> Table:
        session = table_on(message) if message.author.id == bot else None
        if session is None:
            raise Refusal("no_board")
        try:
            return await self._tables.table(session)
        except UnknownControl:
            raise Refusal("no_board") from None
