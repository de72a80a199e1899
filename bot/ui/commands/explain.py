"""Explanations by the computer for one reader, and variations of finished games.

The buttons are *Hint*, *Why?*, *Review*, *Tree*, *What if?* and *Play on from here*; *Explain this
board* in the menu of a message is why, review or replay, by the state of its table.
"""

from __future__ import annotations

import asyncio
from io import BytesIO

from discord import File, Message
from discord.app_commands import ContextMenu

from bot.games.catalogue import CATALOGUE
from bot.screens import replay, share, tree
from bot.screens.history import HistoryControl
from bot.screens.lesson import first_hint, hint, trial, what_if, why, why_this
from bot.screens.review import PICTURE, ReviewForm, of_file, review, review_picture
from bot.service.explanations import Explanations
from bot.service.tables import Press, TableService
from bot.service.variations import Trial
from bot.storage.choices import Form, People
from bot.table.actions import Action, parsed
from bot.table.refusals import Refusal, UnknownControl
from bot.table.session import Phase
from bot.table.table import Table
from bot.ui.boards import Boards
from bot.ui.commands.replay import ReplayCommand
from bot.ui.commands.slash import SlashCommands
from bot.ui.custom_ids import VariationControl, table_on
from bot.ui.emojis import as_is, handed_in
from bot.ui.handlers import Context, answers, shares
from bot.ui.render import FormModal, board_view, page_view, picture_file, variation_view
from engine.files import text as game_text
from engine.files.record import NotARecord, Record
from engine.game import Move


class LessonPresses:
    """Answers the buttons that ask for an explanation."""

    def __init__(self, lessons: Explanations, boards: Boards) -> None:
        self._lessons = lessons
        self._boards = boards

    @answers(Action.HINT)
    async def _ask_for_hint(self, ctx: Context, press: Press) -> None:
        """Give a hint; before the first, ask, as the game is then marked as played with help."""
        if press.table.session.hints:
            await self._hint(ctx, press)
        else:
            await ctx.present(first_hint(), press.table)

    @answers(Action.SHOW_HINT)
    async def _hint(self, ctx: Context, press: Press) -> None:
        lesson = await self._lessons.hint(press.table, ctx.by)
        asked = press.action == Action.SHOW_HINT
        await ctx.present(hint(lesson), lesson.table, instead=asked)
        await self._boards.refresh(lesson.table)

    @answers(Action.WHY)
    async def _why(self, ctx: Context, press: Press) -> None:
        await self.why(ctx, press.table, press.ply)

    @answers(Action.WHY_THIS)
    async def _why_this(self, ctx: Context, press: Press) -> None:
        lesson = await self._lessons.why_this(press.table, ctx.by, press.ply, press.line)
        await ctx.response.say(board_view(why_this(lesson), press.table, ctx.words))

    async def why(self, ctx: Context, table: Table, ply: int) -> None:
        """Give the reasons for the last choice before a ply.

        Raises:
            Refusal: As in `Explanations.why`.
        """
        lesson = await self._lessons.why(table, ctx.by, ply)
        await ctx.present(why(lesson), table)

    async def review(self, ctx: Context, table: Table, *, shared: bool = False) -> None:
        """Show the review of a game, to all in the channel if `shared`.

        Raises:
            Refusal: As in `Archive.admit` and `Explanations.review`.
        """
        ctx.admit(table)
        found = await self._lessons.review(table, ctx.by)
        words = ctx.words_about(table) if shared else ctx.words
        view = board_view(review(table, found, None if shared else ctx.by), table, words)
        picture = await picture_file(PICTURE, review_picture, table, found, words)
        if shared:
            await ctx.share(view, picture)
        else:
            await ctx.response.say(view, picture)

    @answers(Action.REVIEW)
    async def _review(self, ctx: Context, press: Press) -> None:
        await self.review(ctx, press.table)

    @answers(HistoryControl.REVIEW)
    async def _ask_for_file(self, ctx: Context, _: HistoryControl) -> None:
        await ctx.response.ask(FormModal(ReviewForm().form(), ctx.words))

    @answers(ReviewForm)
    async def _review_file(self, ctx: Context, _: ReviewForm) -> None:
        """Review the game of a submitted file.

        Raises:
            Refusal: The file contains no game, or as in `Explanations.review_file`.
        """
        (file,), (game,) = ctx.filled["file"], ctx.filled["game"]
        written = await handed_in(ctx.interaction, file)
        table = of_file(await asyncio.to_thread(_record, written, game), ctx.words.language.locale)
        found = await self._lessons.review_file(table.session, ctx.by)
        picture = await picture_file(PICTURE, review_picture, table, found, ctx.words)
        await ctx.response.say(page_view(review(table, found, ctx.by), ctx.words), picture)

    @answers(Action.SHARE_REVIEW)
    @shares
    async def _share_review(self, ctx: Context, press: Press) -> None:
        await self.review(ctx, press.table, shared=True)

    @answers(Action.SHARE_GAME)
    @shares
    async def _share_game(self, ctx: Context, press: Press) -> None:
        """Show a finished game to everybody, in the language of its channel."""
        table, channel = ctx.admit(press.table), ctx.place.channel
        found = await self._lessons.review(table, ctx.by)
        words = ctx.words_about(table)
        picture = await picture_file(share.PICTURE, share.game_picture, table, found, words)
        view = board_view(share.shared_game(table, found, channel), table, words)
        await ctx.share(view, picture)

    @answers(Action.ANIMATE)
    @shares
    async def _animate(self, ctx: Context, press: Press) -> None:
        """Show a finished game to everybody in motion, in the language of its channel."""
        table, channel = ctx.admit(press.table), ctx.place.channel
        session = table.session
        found = await self._lessons.review(table, ctx.by) if session.game.dice else None
        words = ctx.words_about(table)
        frames = replay.frames(session, found, words)
        gif = await self._lessons.paint(ctx.by, replay.painted, session, frames)
        view = board_view(replay.shared_animation(table, found, channel), table, words)
        await ctx.share(view, File(BytesIO(gif), replay.FILE))

    @answers(Action.WHAT_IF, Action.TRY)
    async def _what_if(self, ctx: Context, press: Press) -> None:
        ctx.admit(press.table)
        tried = press.action == Action.TRY
        instead = Move(int(press.value)) if tried and press.value.isdecimal() else None
        lesson = await self._lessons.what_if(press.table, ctx.by, press.ply, instead)
        await ctx.present(what_if(lesson, ctx.by, instead), lesson.table, instead=tried)

    @answers(Action.TREE)
    async def _tree(self, ctx: Context, press: Press) -> None:
        table = ctx.admit(press.table)
        shown = await asyncio.to_thread(tree.last_moves, table.session)
        if shown is None:
            raise Refusal("nothing_to_explain")
        picture = await picture_file(tree.PICTURE, tree.picture, shown, ctx.words)
        await ctx.response.say(board_view(tree.screen(table, shown), table, ctx.words), picture)


def _record(written: str, game: str) -> Record:
    """The game of a file; `game` is its kind if the file names none.

    Raises:
        Refusal: The file contains no game that can be reviewed.
    """
    try:
        record = game_text.read(written, CATALOGUE[game].game)
        entry = CATALOGUE.get(record.game.key)
        if entry is None or entry.explainer is None:
            raise NotARecord("no such game", key="game", about=record.game.key).at(1)
    except NotARecord as error:
        raise Refusal(f"file.{error.fault}", line=error.line, what=as_is(error.about)) from None
    return record


class VariationPresses:
    """Answers the controls of variations of finished games, on ephemeral messages."""

    def __init__(self, tables: TableService, lessons: Explanations, people: People) -> None:
        self._tables = tables
        self._lessons = lessons
        self._people = people

    @answers(VariationControl)
    async def pressed(self, ctx: Context, control: VariationControl) -> None:
        """Play on in a variation, or go back to the choice where it began.

        Raises:
            Refusal, IllegalMove: As in `Archive.admit` and `Variations.press`.
        """
        table = ctx.admit(await self._tables.shown_by(ctx.message, control.session))
        line = control.variation
        if control.action == Action.WHAT_IF:
            lesson = await self._lessons.what_if(table, ctx.by, line.ply + 1)
            await ctx.present(what_if(lesson, ctx.by, None), lesson.table, instead=True)
            return
        tried = await self._tables.variations.press(table, ctx.by, line, control.action)
        await self._show(ctx, tried)

    @answers(Action.PLAY_ON)
    async def _begin(self, ctx: Context, press: Press) -> None:
        table = ctx.admit(press.table)
        _, number = parsed(press.action)
        first = None if number < 0 else Move(number)
        tried = await self._tables.variations.begin(table, ctx.by, press.ply, first)
        await self._show(ctx, tried)

    async def _show(self, ctx: Context, tried: Trial) -> None:
        in_words = self._people.of(ctx.by).form is Form.WORDS
        await ctx.response.show(variation_view(trial(tried, in_words=in_words), tried, ctx.words))


class ExplainCommand:
    """Explains the table on a message to one reader."""

    def __init__(self, tables: TableService, lessons: LessonPresses, replay: ReplayCommand) -> None:
        self._tables = tables
        self._lessons = lessons
        self._replay = replay

    def command(self, slash: SlashCommands) -> ContextMenu:
        """The command."""
        return slash.on_message("explain", self.explain)

    async def explain(self, ctx: Context, *, message: Message) -> None:
        """Shows why the last move of a running game was made, or the review of a finished one.

        A game that the computer cannot explain is replayed.

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
