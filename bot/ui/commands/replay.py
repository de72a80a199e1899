"""`/replay` and its controls: finished games, turn by turn and as files."""

from __future__ import annotations

from io import BytesIO

from discord import File
from discord.ui import LayoutView

from bot.message.text import text
from bot.screens.history import HistoryControl
from bot.screens.replay import Replay, as_json, as_text, offer
from bot.screens.table_views import ended_choice
from bot.service.tables import Press, TableService
from bot.storage.choices import Form, People
from bot.table.actions import Action, parsed
from bot.table.session import SessionId
from bot.ui.commands.board import BoardCommand
from bot.ui.commands.slash import Slash, SlashCommands
from bot.ui.custom_ids import game_number
from bot.ui.handlers import Context, answers, shares
from bot.ui.render import board_view


class ReplayCommand:
    """Shows finished games to one reader each."""

    def __init__(self, tables: TableService, people: People, board: BoardCommand) -> None:
        self._tables = tables
        self._people = people
        self._board = board

    def command(self, slash: SlashCommands) -> Slash:
        """The command."""
        return slash.command("replay", self.show, suggest={"game": self.suggested})

    async def show(self, ctx: Context, *, game: str | None = None) -> None:
        """Shows a game, or the latest there is, before its first move.

        Raises:
            Refusal: As in `Archive.game`.
        """
        await self.begin(ctx, game_number(game))

    @answers(HistoryControl)
    async def picked(self, ctx: Context, _: HistoryControl) -> None:
        """Shows a game that was picked from a history."""
        await self.begin(ctx, SessionId(int(ctx.chosen)))

    async def suggested(self, ctx: Context) -> list[tuple[str, str]]:
        """The games that may be replayed, by name and number."""
        ended, words = await self._tables.archive.offered(ctx.place.channel, ctx.by), ctx.words
        return [(words.of(ended_choice(game)), str(game.id)) for game in ended]

    @answers(Action.FIRST, Action.PREVIOUS, Action.NEXT, Action.LAST, Action.GO_TO)
    async def _step(self, ctx: Context, press: Press) -> None:
        replay = Replay(ctx.admit(press.table))
        stop = replay.led(press.action, press.ply, press.value)
        await ctx.response.show(self._view(ctx, replay, stop))

    @answers(Action.SHOW)
    async def _jump(self, ctx: Context, press: Press) -> None:
        ply = min(parsed(press.action)[1], press.table.session.ply)
        replay = Replay(ctx.admit(press.table), ply)
        await ctx.response.say(self._view(ctx, replay, replay.stop_at(ply)))

    @answers(Action.REPLAY)
    async def _replay(self, ctx: Context, press: Press) -> None:
        await ctx.response.say(self._view(ctx, Replay(ctx.admit(press.table)), 0))

    @answers(Action.SHARE_REPLAY)
    async def _offer(self, ctx: Context, press: Press) -> None:
        replay = Replay(ctx.admit(press.table))
        board = replay.board(replay.stop_at(press.ply))
        await ctx.response.say(board_view(offer(board.session), board, ctx.words))

    @answers(Action.SHARE_STOP)
    @shares
    async def _share(self, ctx: Context, press: Press) -> None:
        replay = Replay(ctx.admit(press.table))
        await self._board.share(ctx, replay.board(replay.stop_at(press.ply)))

    @answers(Action.AS_FILES)
    async def _send_files(self, ctx: Context, press: Press) -> None:
        table = ctx.admit(press.table)
        written = {"txt": as_text(table), "json": as_json(table)}
        files = [_file(content, f"game-{table.id}.{kind}") for kind, content in written.items()]
        await ctx.tell(text("replay.files"), files=files)

    async def begin(self, ctx: Context, number: SessionId | None) -> None:
        """Shows the game of that number before its first move.

        Raises:
            Refusal: As in `Archive.game`.
        """
        table = await self._tables.archive.game(number, channel=ctx.place.channel, by=ctx.by)
        await ctx.response.say(self._view(ctx, Replay(table), 0))

    def _view(self, ctx: Context, replay: Replay, stop: int) -> LayoutView:
        in_words = self._people.of(ctx.by).form is Form.WORDS
        shown = replay.screen(stop, in_words=in_words)
        return board_view(shown, replay.board(stop), ctx.words)


def _file(content: str, name: str) -> File:
    return File(BytesIO(content.encode()), filename=name)
