"""Games for two without dice: their command, and what all of them show and tell alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, Final

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
from bot.games.entry import Happening, Thrown
from bot.message.blocks import Control
from bot.message.text import Separator, Text, TextList, TextValue, joined, text
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


def choices(session: Session) -> tuple[Control, ...]:  # noqa: ARG001 - the board has them
    """None: every move is a button of the board."""
    return ()


def thrown(session: Session) -> Thrown | None:  # noqa: ARG001 - as in `choices`
    """None: there are no dice."""
    return None


def story(session: Session) -> tuple[Text, ...]:  # noqa: ARG001 - as in `choices`
    """Nothing: the board shows it."""
    return ()


def since(session: Session, ply: int, told: Callable[[int], Text]) -> Sequence[Happening]:
    """The plies from one on, the last one first, as `told`."""
    return [Happening(told(at), frozenset((at,))) for at in range(session.ply - 1, ply - 1, -1)]


def sentence(session: Session) -> Text | None:
    """The own moves that a win took; None of any other end."""
    payoff = session.payoff or ()
    if session.ending is not Ending.PLAYED or not any(payoff):
        return None
    return text("sentence.moves", count=session.seat_logs[payoff.index(max(payoff))].plies)


def turn_in_words(session: Session, side: Callable[[Seat], Text]) -> Text:
    """The side to move, or that the game is over."""
    if session.turn is None:
        return text("board.words.over")
    return text("board.words.turn", side=side(session.turn))


def line_in_words(line: Sequence[int], cell: Callable[[int], Text], winner: Text) -> Iterator[Text]:
    """The line that won; nothing where there is none."""
    if line:
        yield text("board.words.won", side=winner, cells=_each_once(line, cell))


def reasons(
    position: object,  # noqa: ARG001 - the same beside all others
    choice: WeighedMove,
    other: Move,  # noqa: ARG001 - the same beside all others
) -> Iterable[Reason]:
    """The effect of a move."""
    return choice.reasons


def rolled(session: Session, ply: int, *, yours: bool, **told: TextValue) -> Text:  # noqa: ARG001
    """A roll by its pips alone: no game for two has dice."""
    return text("review.rolled", pips=session.moves[ply], **told)


def victims(position: object, move: Move) -> list[Seat]:  # noqa: ARG001
    """Nobody: nothing is ever taken."""
    return []


def reason(given: Reason, cell: Callable[[int], Text]) -> Text:
    """A reason, with the cells that it is about."""
    key = f"reason.{given.kind.value.replace(' ', '_')}"
    if not given.about:
        return text(key)
    return text(key, cells=_each_once(given.about, cell))


def _each_once(cells: Sequence[int], cell: Callable[[int], Text]) -> TextList:
    """The names of cells, of which several may have the same."""
    names = [*map(cell, cells)]
    once = [name for place, name in enumerate(names) if name not in names[:place]]
    return joined(once, Separator.AND)
