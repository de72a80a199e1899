"""The review of a whole game, of one move, and the hint for a position.

Every position is judged by looking ahead, never by how the game went on. One search values all
faces of a die; the luck of a roll is the value of the face rolled, less their mean. With fair dice
it is 0 on average, for good and bad players alike (Martin Zinkevich et al., "Optimal Unbiased
Estimators for Evaluating Agent Performance", 2006). Play is every other change from the start to
the result, so that luck and play add up exactly.

A game with dice is first reviewed as a whole with little depth, from its last ply to its first, and
then deeper, the plies with the highest stakes first, while the budget lasts. If that ends in the
first pass, the review has only the last plies of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from operator import mul
from typing import Any, NamedTuple, TypeAlias

from engine import roster
from engine.game import CHANCE, Game, Move, Options, seat_at
from engine.review.records import Chances, MoveReview, Review, RollReview, WeighedMove
from engine.review.reviewer import Judge, calibrated, judges, starts, winner_of
from engine.search.agent import UNLIMITED, Budget, OutOfBudget

Reviewed: TypeAlias = str | Game[Any]
"""A game of the roster by its key, or any game."""


def review(
    game: Reviewed, seats: int, options: Options, moves: Sequence[Move], budget: Budget = UNLIMITED
) -> Review:
    """Review a game, finished or not, of legal moves.

    Raises:
        Unknown, InvalidOptions: There is no such game, or no such table of it.
        NotForTwo: The game cannot be reviewed.
        OutOfBudget: The budget is spent before the last position is judged.
    """
    rules = roster.game(game)
    quick, *deeper = judges(rules, seats, options)
    path = rules.path(seats, options, moves)
    kind = calibrated(rules, options), rules.dice
    last = quick.chances(path[-1], budget)
    looks: dict[int, _Look] = {}
    try:
        for ply in reversed(range(len(moves))):
            if budget.spent(0):
                break
            looks[ply] = _look(_Ply(path, ply, moves[ply], *kind), quick, budget, looks)
        for judge in deeper:
            for ply in _most_at_stake(looks):
                looks[ply] = _look(_Ply(path, ply, moves[ply], *kind), judge, budget, looks)
    except OutOfBudget:
        pass
    first = len(moves) - len(looks)
    found = [looks[ply] for ply in range(first, len(moves))]
    plies = tuple([look.review for look in found])
    winner = winner_of(rules)
    won = next((ply for ply, state in enumerate(path) if winner(state) is not None), None)
    return Review(rules.key, first, plies, (*_chances(found), last), won)


def hint(
    game: Reviewed, seats: int, options: Options, moves: Sequence[Move], budget: Budget = UNLIMITED
) -> MoveReview:
    """Find the best move after `moves`; return its review, as if it was played.

    Raises:
        InvalidOptions: The game has no such seats or options.
        OutOfBudget: The budget is spent before every move is weighed.
    """
    rules = roster.game(game)
    judge = judges(rules, seats, options)[-1]
    state = rules.path(seats, options, moves)[-1]
    choices = judge.choices(state, budget)
    best = choices[0].move
    line = (best, *judge.reply(state.play(best), state.turn, budget))
    about = line, line[1:], calibrated(rules, options), rules.dice
    return MoveReview(len(moves), state.turn, best, choices, *about)


def why(
    game: Reviewed, seats: int, options: Options, moves: Sequence[Move], budget: Budget = UNLIMITED
) -> MoveReview:
    """Review the last of `moves`.

    Raises:
        InvalidOptions: The game has no such seats or options.
        IllegalMove: A move is not legal where it stands.
        OutOfBudget: The budget is spent before every move is weighed.
    """
    best = hint(game, seats, options, moves[:-1], budget)
    rules = roster.game(game)
    after = rules.replay(seats, options, moves)
    reply = judges(rules, seats, options)[-1].reply(after, best.seat, budget)
    return replace(best, move=moves[-1], reply=reply)


class _Ply(NamedTuple):
    """A ply of a game along the positions of `path`."""

    path: Sequence[Any]
    number: int
    move: Move
    calibrated: bool
    dice: bool

    @property
    def before(self) -> Any:  # noqa: ANN401 - any game's position
        return self.path[self.number]

    @property
    def after(self) -> Any:  # noqa: ANN401 - any game's position
        return self.path[self.number + 1]


class _Look(NamedTuple):
    """The review of a ply, and the chances before and after it by the same search.

    `stakes` is the seat's winning chance with the best face or move, less that with the worst.
    """

    review: MoveReview | RollReview
    before: Chances
    after: Chances
    stakes: float


def _most_at_stake(looks: Mapping[int, _Look]) -> list[int]:
    """The plies with stakes, the highest first.

    The stakes of a roll do not depend on the face rolled, so that its luck stays unbiased.
    """
    plies = [ply for ply, look in looks.items() if look.stakes]
    return sorted(plies, key=lambda ply: -looks[ply].stakes)


def _chances(looks: Sequence[_Look]) -> Iterator[Chances]:
    """The chances before each ply; before a move, those after its roll."""
    rolled: Chances | None = None
    for look in looks:
        roll = isinstance(look.review, RollReview)
        yield look.before if roll or rolled is None else rolled
        rolled = look.after if roll else None


def _look(ply: _Ply, judge: Judge, budget: Budget, following: Mapping[int, _Look]) -> _Look:
    if ply.before.turn == CHANCE:
        return _roll(ply, judge, budget)
    choices = judge.choices(ply.before, budget)
    seat = ply.before.turn
    line, reply = _expected(ply, choices, judge, budget, following)
    about = line, reply, ply.calibrated, ply.dice
    found = MoveReview(ply.number, seat, ply.move, choices, *about)
    stakes = choices[0].chances[seat] - choices[-1].chances[seat]
    return _Look(found, found.best.chances, found.played.chances, stakes)


def _expected(
    ply: _Ply,
    choices: Sequence[WeighedMove],
    judge: Judge,
    budget: Budget,
    following: Mapping[int, _Look],
) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
    """The expected line from before a ply, and the expected reply to the move played."""
    best, seat = choices[0].move, ply.before.turn
    look = following.get(ply.number + 1)
    if look and isinstance(look.review, MoveReview):
        reply = look.review.line
    else:
        reply = judge.reply(ply.after, seat, budget)
    if best == ply.move:
        return (best, *reply), reply
    return (best, *judge.reply(ply.before.play(best), seat, budget)), reply


def _roll(ply: _Ply, judge: Judge, budget: Budget) -> _Look:
    """The look at a roll; of a roll-off, only the last die has luck, that of all its dice."""
    state = ply.before
    if state.opening:
        faces = starts(ply.path[0])
        odds = [1 / len(faces)] * len(faces)
    else:
        faces = [state.play(roll) for roll in state.moves()]
        odds = state.odds()
    worth = {face: judge.chances(face, budget) for face in faces}
    mean = tuple([sum(map(mul, odds, each)) for each in zip(*map(worth.get, faces), strict=True)])
    after = worth.get(ply.after, mean)
    seat = seat_at(state)
    own = [chances[seat] for chances in worth.values()]
    luck = tuple(map(float.__sub__, after, mean))
    return _Look(RollReview(ply.number, seat, ply.move, luck), mean, after, max(own) - min(own))
