"""The review of a whole game, of one move, and the hint for a position.

A game is reviewed from its last ply back to its first, so that every position is judged with the
rest of the game in it: the chances before a ply are those after it, less what the ply changed. So
they add up exactly, and what is thought of a position never contradicts what comes of it. The
values of a move's choices are those that could be known then. The chances of a game that goes on,
and what the rolls that did not fall would have brought, are judged by looking ahead. When the
budget is spent, the plies reviewed until then stand: the last ones of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import mul
from typing import Any, NamedTuple

from engine import roster
from engine.game import CHANCE, Move, Options, seat_at
from engine.review.records import Chances, MoveReview, PlyReview, Review, RollReview, WeighedMove
from engine.review.reviewer import Lookahead, Prover, reviewer, starts
from engine.search.budget import UNLIMITED, Budget, OutOfBudget


def review(
    game: str, seats: int, options: Options, moves: Sequence[Move], budget: Budget = UNLIMITED
) -> Review:
    """Review a game, finished or not, of legal moves.

    Raises:
        Unknown, InvalidOptions: There is no such game, or no such table of it.
        NotTakingTurns: The game is none that can be reviewed.
        OutOfBudget: The budget does not suffice for the future of a game that goes on.
    """
    rules = roster.game(game)
    judge = reviewer(rules, seats, options)
    path = rules.path(seats, options, moves)
    chances = [judge.chances(path[-1], budget)]
    plies: list[PlyReview] = []
    try:
        for ply in reversed(range(len(moves))):
            if budget.spent(0):
                break
            step = _Step(path[0], ply, path[ply], moves[ply], path[ply + 1], chances[-1])
            plies.append(_reviewed(step, judge, budget, plies[-1] if plies else None))
            chances.append(tuple(map(float.__sub__, chances[-1], plies[-1].change)))
    except OutOfBudget:
        pass
    first = len(moves) - len(plies)
    return Review(game, first, tuple(reversed(plies)), tuple(reversed(chances)))


def hint(
    game: str, seats: int, options: Options, moves: Sequence[Move], budget: Budget = UNLIMITED
) -> MoveReview:
    """Find the best move after `moves`; the review of that move.

    Raises:
        OutOfBudget: The budget is spent before every move is weighed.
    """
    rules = roster.game(game)
    judge = reviewer(rules, seats, options)
    state = rules.path(seats, options, moves)[-1]
    choices = judge.choices(state, budget)
    best = choices[0].move
    line = (best, *judge.reply(state.play(best), state.turn, budget))
    return MoveReview(len(moves), state.turn, best, choices, judge.exact, line, line[1:])


def why(
    game: str, seats: int, options: Options, moves: Sequence[Move], budget: Budget = UNLIMITED
) -> MoveReview:
    """Review the last of `moves`.

    Raises:
        OutOfBudget: The budget is spent before every move is weighed.
    """
    best = hint(game, seats, options, moves[:-1], budget)
    rules = roster.game(game)
    after = rules.replay(seats, options, moves)
    reply = reviewer(rules, seats, options).reply(after, best.seat, budget)
    return replace(best, move=moves[-1], reply=reply)


class _Step(NamedTuple):
    """A ply to be reviewed, of a game that began with `first`; the chances are those after it."""

    first: Any
    ply: int
    before: Any
    move: Move
    after: Any
    chances: Chances


def _reviewed(
    step: _Step, judge: Prover | Lookahead, budget: Budget, following: PlyReview | None
) -> PlyReview:
    state, seat = step.before, seat_at(step.before)
    if state.turn == CHANCE:
        return RollReview(step.ply, seat, step.move, _luck(step, judge, budget))
    if len(state.moves()) == 1:
        reasons = tuple(judge.reasons(state, step.move))
        only = WeighedMove(step.move, step.chances, None, reasons)
        return MoveReview(step.ply, seat, step.move, (only,), judge.exact, (step.move,), ())
    choices = judge.choices(state, budget)
    best = choices[0].move
    line = judge.reply(state.play(best), seat, budget)
    if best == step.move:
        reply = line
    elif judge.exact:
        reply = following.line if isinstance(following, MoveReview) else ()
    else:
        reply = judge.reply(step.after, seat, budget)
    return MoveReview(step.ply, seat, step.move, choices, judge.exact, (best, *line), reply)


def _luck(step: _Step, judge: Prover | Lookahead, budget: Budget) -> Chances:
    """The chance the roll brought each seat, beyond the mean of all possible rolls."""
    state, after = step.before, step.chances
    if not state.opening:
        rolled = [
            after if roll == step.move else judge.chances(state.play(roll), budget)
            for roll in state.moves()
        ]
        odds = state.odds()
    elif step.after.opening:
        return (0.0,) * len(after)
    else:
        begun = starts(step.first)
        rolled = [after if s == step.after else judge.chances(s, budget) for s in begun]
        odds = (1 / len(begun),) * len(begun)
    means = (sum(map(mul, odds, each)) for each in zip(*rolled, strict=True))
    return tuple(map(float.__sub__, after, means))
