"""Games for two without dice: their command, and what all of them show and tell alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from random import Random
from typing import Any, Final, Protocol

from bot.games.command import (
    ANYONE,
    OPPONENT,
    PACE,
    Command,
    Field,
    Request,
    invitable,
    level_field,
)
from bot.games.entry import Happening, Presenter, Thrown
from bot.message.blocks import Control
from bot.message.canvas import Canvas, Paint, Point
from bot.message.text import Cell, Separator, Text, TextList, TextValue, joined, text
from bot.table.refusals import Refusal, Unseen, fitting
from bot.table.seats import Computer, Human, Invited, Level, Occupant, Pace, Vacant
from bot.table.session import Ending, Session
from engine.game import Game, Move, Reason, Seat
from engine.review import WeighedMove

RANDOM: Final = "random"


def duel(
    game: Game[Any], levels: Iterable[Level], options: tuple[Field, ...], side: Field
) -> Command:
    """The command of a game for two, with fields for some of its options.

    The field `side` offers the side that moves first, the other one, and RANDOM. Against the
    computer a person moves first unless they choose.
    """
    fields = (OPPONENT, ANYONE, level_field(*levels), *options, side, PACE)
    return Command(game.key, fields, partial(_against_one, game, side))


def _against_one(game: Game[Any], side: Field, request: Request, rng: Random) -> Session:
    """The session that a request for a duel asks for.

    Raises:
        Refusal: The options contradict each other.
        Refusal, Unseen: As in `_sides`.
    """
    asker, other = _sides(request)
    first, second, _ = side.choices
    usual = first if isinstance(other, Computer) else RANDOM
    own = request.choice(side.key, usual)
    if own == RANDOM:
        own = rng.choice((first, second))
    values = {option.key: request.values.get(option.key) for option in game.options}
    with fitting(game):
        options = game.settled({key: v for key, v in values.items() if isinstance(v, int | str)})
    return Session(
        game=game,
        options=options,
        pace=Pace(request.choice(PACE.key, Pace.LIVE)),
        host=request.by,
        seats=(asker, other) if own == first else (other, asker),
    ).start()


def _sides(request: Request) -> tuple[Human, Occupant]:
    """The two sides that a request with OPPONENT, ANYONE and a level asks for, the asker first.

    Raises:
        Refusal: An opponent and an open table are asked for, or the opponent is not `invitable`.
        Unseen: A person is asked for where nobody else can see the table.
    """
    opponent, anyone = request.named(OPPONENT.key), request.values.get(ANYONE.key) is True
    asker = Human(request.by)
    if opponent is not None and anyone:
        raise Refusal("opponent_and_anyone")
    if not anyone and (opponent is None or opponent.person == request.bot):
        return asker, Computer(Level(request.choice("level", Level.MEDIUM)))
    if request.private:
        raise Unseen("nobody_else_here")
    if opponent is None:
        return asker, Vacant()
    return asker, Invited(invitable(request, opponent))


@dataclass(frozen=True, slots=True)
class DuelSide:
    """A side of a game for two: its name, its emblem, and its colour on dark ground."""

    name: Text
    emblem: Cell
    paint: Paint


class DuelPresenter(Presenter, Protocol):
    """Draws a game for two whose moves are all buttons of its board."""

    sides: Sequence[DuelSide]

    def told(self, session: Session, ply: int) -> Text:
        """A ply in a few words."""

    def lines(self, session: Session) -> Iterable[Text]:
        """The board in words, line by line."""

    def won(self, session: Session) -> Sequence[Text]:
        """The names of the cells of the line that won; none where there is no such line."""

    def emblem(self, seats: int, seat: Seat) -> Cell:  # noqa: ARG002 - there are always two
        """The emblem of a side."""
        return self.sides[seat].emblem

    def rules_in_brief(self, session: Session) -> Text:
        """The same as the rules, which are brief."""
        return self.rules(session)

    def choices(self, session: Session) -> tuple[Control, ...]:  # noqa: ARG002 - the board has them
        """None: every move is a button of the board."""
        return ()

    def thrown(self, session: Session) -> Thrown | None:  # noqa: ARG002 - as in `choices`
        """None: there are no dice."""
        return None

    def story(self, session: Session) -> tuple[Text, ...]:  # noqa: ARG002 - as in `choices`
        """Nothing: the board shows it."""
        return ()

    def since(
        self,
        session: Session,
        ply: int,
        reader: Seat | None,  # noqa: ARG002 - both sides are named by their emblems
    ) -> Sequence[Happening]:
        """The plies from one on, the last one first."""
        plies = range(session.ply - 1, ply - 1, -1)
        return [Happening(self.told(session, at), frozenset((at,))) for at in plies]

    def sentence(self, session: Session) -> Text | None:
        """The number of moves that the winner made, as a sentence; None without a win."""
        payoff = session.payoff or ()
        if session.ending is not Ending.PLAYED or not any(payoff):
            return None
        return text("sentence.moves", count=session.seat_logs[payoff.index(max(payoff))].plies)

    def words(self, session: Session) -> tuple[Text, ...]:
        """The side to move or that the game is over, the board, and the line that won."""
        turn, end, won = text("board.words.over"), list[Text](), self.won(session)
        if session.turn is not None:
            turn = text("board.words.turn", side=self.sides[session.turn].name)
        if won:
            winner = self.sides[1 - session.position.turn].name
            end = [text("board.words.won", side=winner, cells=_each_once(won))]
        return turn, *self.lines(session), *end


@dataclass(frozen=True, slots=True)
class DuelExplainer:
    """Tells the moves of a game for two.

    `cell` names the cells that a reason is about; `costs`, `move` and `draw` are an `Explainer`'s.
    """

    sides: Sequence[DuelSide]
    costs: frozenset[StrEnum]
    move: Callable[[Any, Move], Text]
    cell: Callable[[Any, int], Text]
    draw: Callable[[int, Seat, Canvas, Point, float], None]

    def reasons(
        self,
        position: object,  # noqa: ARG002 - the same beside all others
        choice: WeighedMove,
        other: Move,  # noqa: ARG002 - the same beside all others
    ) -> Iterable[Reason]:
        """The effect of a move."""
        return choice.reasons

    def reason(self, position: object, reason: Reason) -> Text:
        """A reason, with the cells that it is about."""
        key = f"reason.{reason.kind.value.replace(' ', '_')}"
        if not reason.about:
            return text(key)
        return text(key, cells=_each_once([self.cell(position, cell) for cell in reason.about]))

    def rolled(self, session: Session, ply: int, *, yours: bool, **told: TextValue) -> Text:  # noqa: ARG002
        """A roll by its pips alone: no game for two has dice."""
        return text("review.rolled", pips=session.moves[ply], **told)

    def victims(self, position: object, move: Move) -> list[Seat]:  # noqa: ARG002
        """Nobody: nothing is ever taken."""
        return []

    def name(self, seats: int, seat: Seat) -> Text:  # noqa: ARG002 - there are always two
        """The name of a side."""
        return self.sides[seat].name

    def paint(self, seats: int, seat: Seat) -> Paint:  # noqa: ARG002 - there are always two
        """The colour of a side."""
        return self.sides[seat].paint


def _each_once(names: Sequence[Text]) -> TextList:
    """The names of cells, each once: several cells may share one."""
    once = [name for place, name in enumerate(names) if name not in names[:place]]
    return joined(once, Separator.AND)
