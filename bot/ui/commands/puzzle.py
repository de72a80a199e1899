"""`/puzzle`: the position of the day, for the reader alone; they may share how they did."""

from __future__ import annotations

from dataclasses import dataclass
from string import digits

from bot.screens.puzzle import Attempt, PuzzleAction, answered, question, shared
from bot.service.explanations import Puzzles
from bot.storage.choices import Form, People
from bot.table.refusals import Refusal
from bot.ui.commands.slash import Slash, SlashCommands
from bot.ui.custom_ids import PuzzleControl
from bot.ui.handlers import Context, Handlers, answers, shares
from bot.ui.render import Drawing, puzzle_view
from engine.game import Move
from engine.review import Puzzle


@dataclass(frozen=True, slots=True)
class PuzzlePress:
    """A press at a puzzle; `number` is the end of its action, such as "3" of `m3`."""

    puzzle: Puzzle
    number: str


class PuzzleCommand:
    """Asks the puzzle, tells the answer, and shares the result."""

    def __init__(self, puzzles: Puzzles, people: People, handlers: Handlers) -> None:
        self._puzzles = puzzles
        self._handlers = handlers
        self._people = people

    def command(self, slash: SlashCommands) -> Slash:
        """The command."""
        return slash.command("puzzle", self.show)

    async def show(self, ctx: Context) -> None:
        """Shows today's puzzle, or its answer to those who have answered it.

        Raises:
            Refusal: It could not be made in time.
        """
        await self._ask(ctx, await self._puzzles.made(self._puzzles.today))

    @answers(PuzzleControl)
    async def pressed(self, ctx: Context, control: PuzzleControl) -> None:
        """Answer a control of a puzzle.

        Raises:
            Refusal, IllegalMove: As in `Puzzles`.
        """
        puzzle = await self._puzzles.of(control.day, ctx.by, ctx.place.home)
        word = control.action.rstrip(digits)
        press = PuzzlePress(puzzle, control.action.removeprefix(word))
        await self._handlers[PuzzleAction(word)](ctx, press)

    @answers(PuzzleAction.SOLVE)
    async def _solve(self, ctx: Context, press: PuzzlePress) -> None:
        await self._ask(ctx, press.puzzle)

    @answers(PuzzleAction.SHARE)
    @shares
    async def _share(self, ctx: Context, press: PuzzlePress) -> None:
        attempt = await self._attempt(ctx, press.puzzle)
        if attempt is None or attempt.answer.is_open:
            raise Refusal("puzzle_not_answered")
        screen = shared(press.puzzle, ctx.by, attempt)
        await ctx.share(puzzle_view(screen, press.puzzle.day, ctx.words_for_all))

    @answers(PuzzleAction.ANSWER)
    async def _answer(self, ctx: Context, press: PuzzlePress) -> None:
        await self._puzzles.answer(ctx.by, press.puzzle, Move(int(press.number)))
        await ctx.response.show(await self._view(ctx, press.puzzle))

    @answers(PuzzleAction.HINT)
    async def _hint(self, ctx: Context, press: PuzzlePress) -> None:
        await ctx.response.show(await self._view(ctx, press.puzzle, hinted=True))

    async def _ask(self, ctx: Context, puzzle: Puzzle) -> None:
        """Show a puzzle, and count the person's answer in the server from now on."""
        await self._puzzles.count(ctx.by, puzzle, ctx.place.home)
        await ctx.response.say(await self._view(ctx, puzzle))

    async def _view(self, ctx: Context, puzzle: Puzzle, *, hinted: bool = False) -> Drawing:
        """The question as long as a person has a try left, then the answer."""
        attempt = await self._attempt(ctx, puzzle)
        in_words = self._people.of(ctx.by).form is Form.WORDS
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
