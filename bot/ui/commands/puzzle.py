"""`/puzzle`: the position of the day, for the reader alone; they may share how they did."""

from __future__ import annotations

from bot.screens.puzzle import SOLVE, Attempt, answered, question, shared
from bot.service.explanations import Puzzles
from bot.storage.people import Form, People
from bot.table.actions import Action, parsed
from bot.table.refusals import Refusal
from bot.ui.commands.slash import Slash, SlashCommands
from bot.ui.context import Context
from bot.ui.custom_ids import PuzzleControl
from bot.ui.handlers import answers
from bot.ui.render import Drawing, puzzle_view
from bot.ui.response import NOBODY
from engine.game import Move
from engine.review import Puzzle


class PuzzleCommand:
    """Asks the puzzle, tells the answer, and shares the result."""

    def __init__(self, puzzles: Puzzles, people: People) -> None:
        self._puzzles = puzzles
        self._people = people

    def command(self, slash: SlashCommands) -> Slash:
        """The command."""
        return slash.command("puzzle", self.show)

    async def show(self, ctx: Context) -> None:
        """Shows today's puzzle, or its answer to those who have answered it.

        Raises:
            Refusal: It could not be made in time.
        """
        await self._ask(ctx, await self._puzzles.of(self._puzzles.today))

    @answers(PuzzleControl)
    async def pressed(self, ctx: Context, control: PuzzleControl) -> None:
        """Asks a puzzle in private, takes an answer to it, gives a hint, or shares the result.

        Raises:
            Refusal, IllegalMove: As in `Puzzles`.
        """
        puzzle = await self._puzzles.of(control.day, ctx.place.home)
        action, number = parsed(control.action)
        if action == SOLVE:
            await self._ask(ctx, puzzle)
            return
        if action == Action.SHARE:
            attempt = await self._attempt(ctx, puzzle)
            if attempt is None or attempt.answer.is_open:
                raise Refusal("puzzle_not_answered")
            view = puzzle_view(shared(puzzle, ctx.by, attempt), puzzle.day, ctx.words)
            await ctx.response.post(view, NOBODY)
            return
        if action == Action.MOVE:
            await self._puzzles.answer(ctx.by, puzzle, Move(number))
        view = await self._view(ctx, puzzle, hinted=action == Action.HINT)
        await ctx.response.show(view)

    async def _ask(self, ctx: Context, puzzle: Puzzle) -> None:
        """Show a puzzle, whose answer counts in the server from now on."""
        await self._puzzles.count(ctx.by, puzzle, ctx.place.home)
        await ctx.response.say(await self._view(ctx, puzzle))

    async def _view(self, ctx: Context, puzzle: Puzzle, *, hinted: bool = False) -> Drawing:
        """The question as long as a person has a try left, then the answer."""
        attempt = await self._attempt(ctx, puzzle)
        in_words = self._people.choices(ctx.by).form is Form.WORDS
        if attempt is None or attempt.answer.is_open:
            wrong = None if attempt is None else attempt.answer.tried[0]
            screen = question(puzzle, ctx.by, wrong=wrong, hinted=hinted, in_words=in_words)
        else:
            screen = answered(puzzle, ctx.by, attempt, in_words=in_words)
        return puzzle_view(screen, puzzle.day, ctx.words)

    async def _attempt(self, ctx: Context, puzzle: Puzzle) -> Attempt | None:
        record = await self._puzzles.record(ctx.by)
        answer = record.answers.get(puzzle.day)
        return None if answer is None else Attempt(answer, record)
