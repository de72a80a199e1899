"""The making of the puzzle book: positions from games of careless players, proven and graded.

Where two seats take turns without dice the answer is proven: the only move that wins, or the only
one that draws where no threat of the rival gives it away. In Ludo the best move has a chance higher
by `MARGIN` than the second best at every depth in `DEPTHS`, has a gain that that one lacks, and
wins more often when both are played to the end `ROLLOUTS` times by `LudoRules` with the same dice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from random import Random
from statistics import fmean
from typing import Any, Final

from engine import roster
from engine.game import CHANCE, Game, Move, Options
from engine.games import part
from engine.games.ludo import LudoPosition
from engine.games.ludo.agents import LudoRules
from engine.games.ludo.review import TokenReason, against
from engine.review.game import hint
from engine.review.puzzles import Difficulty, PuzzleEntry, PuzzleKind, Task
from engine.review.records import MoveReview
from engine.review.reviewer import Lookahead, correction, judges, reasons_of
from engine.search.agent import UNLIMITED, Budget, OutOfBudget
from engine.search.depth_first import FADING

MARGIN: Final = 0.05
DEPTHS: Final = (2, 3, 4)
NODES: Final = 2_500
"""The most positions that a proof may visit: a puzzle that needs more is skipped."""

ROLLOUTS: Final = 3_000
SURE: Final = 2.0
"""The standard errors by which the best move has to be ahead in rollouts."""

FIRST_LOOK: Final = 500
"""The rollouts after which a position is skipped if its best move is not ahead."""

SEEDS: Final = 5
"""The tries of a level at a new puzzle; it misses the answer if it fails in most of them."""

TRIES: Final = 20
"""The tries of a level at a puzzle of the book, to measure how hard it is."""


def made(kind: PuzzleKind, difficulty: Difficulty, rng: Random) -> Iterator[PuzzleEntry]:
    """Yield puzzles of a kind and difficulty, endlessly."""
    game = roster.game(kind.game)
    fits: Callable[[Any], bool] = part(game, "review.fits", lambda _: True)
    while True:
        for state, moves in _careless(game, kind.options, rng):
            if len(state.moves()) < 3 or not fits(state):
                continue
            found = _proven(kind, difficulty, state, moves)
            if found is not None:
                yield PuzzleEntry(*kind[:3], moves, found.move)


def canonical(entry: PuzzleEntry) -> object:
    """A key of a puzzle's position, the same for its rotations and mirror images."""
    found: Callable[[Any], object] = part(roster.game(entry.game), "review.canonical", repr)
    return found(entry.position)


def graded(entry: PuzzleEntry, answer: MoveReview) -> Difficulty:
    """The difficulty, by the plies of the proof and the number of levels that miss the answer."""
    plies = [choice.plies or 0 for choice in answer.choices[1:]]
    longest = {Task.WIN: answer.best.plies or 0, Task.HOLD: max(plies), Task.BEST: 0}[entry.task]
    missed = sum(share < 0.5 for share in _shares(entry, SEEDS))
    points = max(0, longest - 3) // 2 + missed
    return (Difficulty.EASY, Difficulty.MEDIUM, Difficulty.HARD)[min(points, 2)]


def solved(entry: PuzzleEntry) -> tuple[float, ...]:
    """The shares of tries in which a random move, and each of the levels, is the answer."""
    return 1 / len(entry.position.moves()), *_shares(entry, TRIES)


def _shares(entry: PuzzleEntry, tries: int) -> Iterator[float]:
    """The share of tries in which each level finds the answer."""
    game, state = roster.game(entry.game), entry.position
    levels: tuple[str, ...] = part(game, "review.LEVELS", ())
    for level in levels:
        agents = (roster.entrant(game, level).agent(Random(seed)) for seed in range(tries))
        yield fmean(agent.think(state).move == entry.answer for agent in agents)


def in_order(book: Sequence[Sequence[PuzzleEntry]], weeks: range) -> list[list[int]]:
    """The numbers of a book's puzzles for each day of the week, the easiest on the first.

    Each day's puzzles come in the order in which the book would show them after `weeks`; those that
    were shown in `weeks` come last.
    """
    length = len(book[0])
    fresh = length - len(weeks)
    shares = [fmean(solved(entry)) for day in book for entry in day]
    due = [(number - weeks.stop) % length for number in range(len(shares))]
    days: list[list[int]] = [[] for _ in book]
    for span in (range(fresh), range(fresh, length)):
        easiest_first = sorted(
            (number for number in range(len(shares)) if due[number] in span),
            key=lambda number: (-shares[number], due[number]),
        )
        for weekday in range(len(days)):
            some = easiest_first[weekday * len(span) : (weekday + 1) * len(span)]
            days[weekday] += sorted(some, key=due.__getitem__)
    return days


def rollouts(
    state: LudoPosition, moves: Sequence[Move], count: int, *, first: int = 0
) -> tuple[list[int], float]:
    """The games won after each of two moves, and the first's lead in standard errors.

    The dice of the games are seeded with `first`, `first` + 1 and so on.
    """
    seat, won, apart = state.seat, [0, 0], 0
    for number in range(first, first + count):
        results = [_played_out(state.play(move), seat, Random(number)) for move in moves]
        won = [so_far + result for so_far, result in zip(won, results, strict=True)]
        apart += results[0] != results[1]
    return won, (won[0] - won[1]) / math.sqrt(max(1, apart))


def _played_out(state: Any, seat: int, rng: Random) -> bool:  # noqa: ANN401 - as fast as it goes
    rules = LudoRules(rng)
    while moves := state.moves():
        if state.turn == CHANCE or len(moves) == 1:
            state = state.play(moves[int(rng.random() * len(moves))])
        else:
            state = state.play(rules.choices(state)[0])
    return bool(state.payoff()[seat] > 0)


def _careless(
    rules: Game[Any], options: Options, rng: Random
) -> Iterator[tuple[Any, tuple[Move, ...]]]:
    """Play a game, some of its moves at random; yield each position with the moves before it."""
    player = roster.entrant(rules, part(rules, "review.CARELESS", "random")).agent(rng)
    state, moves = rules.start(2, rules.settled(options)), list[Move]()
    while state.moves():
        if state.turn == CHANCE or rng.random() < 0.4:
            moves.append(rng.choice(state.moves()))
        else:
            moves.append(player.think(state).move)
        state = state.play(moves[-1])
        if state.moves() and state.turn != CHANCE:
            yield state, tuple(moves)


def _proven(
    kind: PuzzleKind,
    difficulty: Difficulty,
    state: Any,  # noqa: ANN401 - any game's
    moves: tuple[Move, ...],
) -> MoveReview | None:
    """The review of the best move if the position is a puzzle of that kind, else None."""
    if kind.task is Task.BEST:
        answer = _searched(difficulty, state)
        if answer is None:
            return None
        found = hint(kind.game, 2, kind.options, moves)
        others = [choice.move for choice in found.choices if choice.move != answer]
        wins = [_ahead(state, (answer, other)) for other in others[:1]]
        return found if found.best.move == answer and all(wins) else None
    if not _promising(kind, state):
        return None
    try:
        judge = judges(roster.game(kind.game), 2, kind.options)[-1]
        choices = judge.choices(state, Budget(nodes=NODES))
    except OutOfBudget:
        return None
    found = MoveReview(len(moves), state.turn, choices[0].move, choices, line=(), reply=())
    rest = found.choices[1:]
    if not found.exact:
        return None
    if kind.task is Task.WIN:
        sole = not any(other.chances[found.seat] == 1 for other in rest)
        takes = found.best.moves or 0 if found.best.chances[found.seat] == 1 else 0
        fits = sole and takes > 1 and kind.marks in {0, takes}
    else:
        fits = found.best.plies is None and all((other.plies or 0) > 2 for other in rest)
    entry = PuzzleEntry(*kind[:3], moves, found.move)
    return found if fits and graded(entry, found) is difficulty else None


def _promising(kind: PuzzleKind, state: Any) -> bool:  # noqa: ANN401 - any game's position
    """Whether a quick search for the best move alone finds a win or draw that may fit `kind`."""
    game = roster.game(kind.game)
    thought = roster.reviewer(game).agent(Random(0)).think(state, Budget(nodes=NODES))
    value = thought.values.get(thought.move, 0.0)
    if kind.task is Task.HOLD:
        return value == 0
    plies = round((1 - value) / FADING)
    return 0 < value < 1 - FADING and kind.marks in {0, (plies + 1) // 2}


def _searched(difficulty: Difficulty, state: LudoPosition) -> Move | None:
    """The move that is clearly best at every depth, has a gain, and is as hard as asked, if any."""
    rules = roster.game("ludo")
    shallow = roster.entrant(rules, "expectiminimax:1").agent(Random(0)).think(state).move
    obvious = LudoRules(Random(0)).choices(state)
    entrant, corrected = roster.entrant(rules, "expectiminimax"), correction(rules, 2, {})
    answers = set[Move]()
    for depth in DEPTHS:
        judge = Lookahead(entrant, corrected, reasons_of(rules), depth)
        best, second, *_ = judge.choices(state, UNLIMITED)
        points = (best.move not in obvious) + (best.move != shallow)
        if best.chances[state.seat] < second.chances[state.seat] + MARGIN:
            return None
        if points != [*Difficulty].index(difficulty):
            return None
        gains = {reason.kind for reason in against(state, best.move, second.move)}
        if not gains - {TokenReason.RISKS}:
            return None
        answers.add(best.move)
    return answers.pop() if len(answers) == 1 else None


def _ahead(state: LudoPosition, moves: Sequence[Move]) -> bool:
    """Whether the first of two moves wins significantly more often in rollouts."""
    return rollouts(state, moves, FIRST_LOOK)[1] > 0 and rollouts(state, moves, ROLLOUTS)[1] > SURE
