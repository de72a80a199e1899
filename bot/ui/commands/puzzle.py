"""`/puzzle`: the position of the day, for the reader alone; they may share how they did."""

from __future__ import annotations

from bot.message.blocks import Screen
from bot.screens.puzzle import Attempt, answered, question, shared
from bot.service.explanations import Puzzles
from bot.storage.people import Form, People
from bot.table.actions import Action, parsed
from bot.table.refusals import Refusal
from bot.ui.commands.slash import Slash, SlashCommands
from bot.ui.context import Context
from bot.ui.custom_ids import PuzzleControl
from bot.ui.render import puzzle_view
from bot.ui.response import NOBODY
from engine.game import Move
from engine.review import Puzzle


class PuzzleCommand:
    """Asks the puzzle, tells the answer, and shares the result."""

    def __init__(self, puzzles: Puzzles, people: People) -> None:
        self._puzzles = puzzles
        self._people = people

    def command(self, slash: SlashCommands) -> Slash:
        """The command, and the controls of its puzzle."""
        slash.router.route(PuzzleControl, self.pressed)
        return slash.command("puzzle", self.show)

    async def show(self, ctx: Context) -> None:
        """Shows today's puzzle, or its answer to those who have answered it.

        Raises:
            Refusal: It could not be made in time.
        """
        puzzle = await self._puzzles.of(self._puzzles.today)
        screen = self._screen(ctx, puzzle, await self._attempt(ctx, puzzle))
        await ctx.response.say(puzzle_view(screen, puzzle.day, ctx.words))

    async def pressed(self, ctx: Context, control: PuzzleControl) -> None:
        """Takes an answer, of which a person's first one counts, or shares the result.

        Raises:
            Refusal, IllegalMove: As in `Puzzles`.
        """
        puzzle, (action, number) = await self._puzzles.of(control.day), parsed(control.action)
        move = Move(number) if action == Action.MOVE else None
        if move is not None:
            await self._puzzles.answer(ctx.by, puzzle, move)
        attempt = await self._attempt(ctx, puzzle, move)
        if attempt is None:
            raise Refusal("puzzle_not_answered")
        if move is None:
            view = puzzle_view(shared(puzzle, ctx.by, attempt), puzzle.day, ctx.words)
            await ctx.response.post(view, NOBODY)
        else:
            screen = self._screen(ctx, puzzle, attempt)
            await ctx.response.show(puzzle_view(screen, puzzle.day, ctx.words))

    def _screen(self, ctx: Context, puzzle: Puzzle, attempt: Attempt | None) -> Screen:
        in_words = self._people.choices(ctx.by).form is Form.WORDS
        if attempt is None:
            return question(puzzle, ctx.by, in_words=in_words)
        return answered(puzzle, ctx.by, attempt, in_words=in_words)

    async def _attempt(
        self, ctx: Context, puzzle: Puzzle, move: Move | None = None
    ) -> Attempt | None:
        """A person's answer to a puzzle; a move other than the first one is forgotten."""
        record = await self._puzzles.record(ctx.by)
        solved = record.answers.get(puzzle.day)
        if solved is None:
            return None
        chosen = move if solved is (move == puzzle.answer.move) else None
        return Attempt(solved, chosen, record)
