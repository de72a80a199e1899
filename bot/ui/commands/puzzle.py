"""`/puzzle`: the position of the day, for the reader alone; they may share how they did."""

from __future__ import annotations

from bot.screens.puzzle import Attempt, answered, question, shared
from bot.service.lessons import Puzzles
from bot.table.actions import played_move
from bot.table.refusals import PuzzleNotAnswered
from bot.ui.commands.slash import Slash, SlashCommands
from bot.ui.context import Context
from bot.ui.custom_ids import PuzzleControl
from bot.ui.render import puzzle_view
from bot.ui.response import NOBODY
from engine.game import Move
from engine.review import Puzzle


class PuzzleCommand:
    """Asks the puzzle, tells the answer, and shares the result."""

    def __init__(self, puzzles: Puzzles) -> None:
        self._puzzles = puzzles

    def command(self, slash: SlashCommands) -> Slash:
        """The command, and the controls of its puzzle."""
        slash.router.route(PuzzleControl, self.pressed)
        return slash.command("puzzle", self.show)

    async def show(self, ctx: Context) -> None:
        """Shows today's puzzle, or its answer to those who have answered it.

        Raises:
            NotExplained: It could not be made in time.
        """
        puzzle = await self._puzzles.of(self._puzzles.today)
        attempt = await self._attempt(ctx, puzzle)
        screen = answered(puzzle, ctx.by, attempt) if attempt else question(puzzle, ctx.by)
        await ctx.response.say(puzzle_view(screen, puzzle.day, ctx.words))

    async def pressed(self, ctx: Context, control: PuzzleControl) -> None:
        """Takes an answer, of which a person's first one counts, or shares the result.

        Raises:
            Refusal, IllegalMove: As in `Puzzles`.
        """
        puzzle, move = await self._puzzles.of(control.day), played_move(control.action)
        if move is not None:
            await self._puzzles.answer(ctx.by, puzzle, move)
        attempt = await self._attempt(ctx, puzzle, move)
        if attempt is None:
            raise PuzzleNotAnswered
        if move is None:
            view = puzzle_view(shared(puzzle, ctx.by, attempt), puzzle.day, ctx.words)
            await ctx.response.post(view, NOBODY)
        else:
            view = puzzle_view(answered(puzzle, ctx.by, attempt), puzzle.day, ctx.words)
            await ctx.response.show(view)

    async def _attempt(
        self, ctx: Context, puzzle: Puzzle, move: Move | None = None
    ) -> Attempt | None:
        """What a person has made of a puzzle; another move than their first one is forgotten."""
        record = await self._puzzles.record(ctx.by)
        solved = record.answers.get(puzzle.day)
        if solved is None:
            return None
        chosen = move if solved is (move == puzzle.answer.move) else None
        return Attempt(solved, chosen, record)
