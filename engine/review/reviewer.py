"""The judges of a review, which weigh every move of a position and expect a reply.

A game names its reviewer in its module `agents`, and as `LOOK` the most positions that the reviewer
may visit for a move; without it there is no limit. `Weigher` uses any agent for two alternating
seats, `Lookahead` uses expectiminimax for a game with dice. The deepest judge's result depends on
the position alone, so that hints, reasons and reviews agree. Each method raises `OutOfBudget` when
the budget is spent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import exp, log
from random import Random
from statistics import fmean
from typing import Any, Final, NamedTuple, TypeAlias

from engine import roster
from engine.game import CHANCE, DiceState, Game, Move, Options, Reason, Seat, State
from engine.games import part
from engine.review.records import Chances, WeighedMove
from engine.search.agent import Budget, OutOfBudget, Thought
from engine.search.depth_first import FADING
from engine.search.expectiminimax import USUAL_DEPTH, Evaluation, Expectiminimax, Worth


class Correction(NamedTuple):
    """The correction of chances among some sides: log odds `x` become `steep x + bend x³`.

    `x` is 0 for an even share, 1 / `sides`; from `STRAIGHT` on the factor of `x` stays the same.
    Both numbers are fitted, by maximum likelihood or to the worst decile, and neither is negative,
    so that what is better for a seat stays better.
    """

    sides: int
    steep: float = 1.0
    bend: float = 0.0

    def of(self, chance: float) -> float:
        """The corrected chance; 0 and 1 stay."""
        if not 0 < chance < 1:
            return chance
        even = log(self.sides - 1)
        odds = log(chance / (1 - chance)) + even
        bent = odds * (self.steep + self.bend * min(odds**2, STRAIGHT**2))
        return 1 / (1 + exp(min(even - bent, SURE)))

    def among(self, told: Chances, seat: Seat) -> Chances:
        """The corrected chances of all seats, with the sum unchanged, for a choice of `seat`.

        The chance of `seat` is corrected exactly; the others also make up for the change of the
        sum, in proportion to chance * (1 - chance), or to the chance where that would go below 0.
        """
        bent = [self.of(chance) for chance in told]
        risks = [chance * (1 - chance) for chance in bent]
        risks[seat] = 0.0
        excess = sum(told) - sum(bent)
        share = excess / (sum(risks) or 1)
        found = [chance + share * risk for chance, risk in zip(bent, risks, strict=True)]
        if min(found) >= 0:
            return tuple(found)
        left = max(0.0, sum(told) - bent[seat])
        scale = left / ((sum(bent) - bent[seat]) or 1)
        scaled = [chance * scale for chance in bent]
        scaled[seat] = bent[seat]
        return tuple(scaled)


STRAIGHT: Final = 4.5
"""The log odds beyond which the factor stays the same: too few games are so one-sided."""

SURE: Final = 700.0
"""The greatest log odds that `exp` takes without overflow, rounded down."""

Fitted: TypeAlias = Callable[[int, Options], tuple[float, float]]
"""Returns `steep` and `bend` of a table, by its number of seats and its options."""


def correction(game: Game[Any], seats: int, options: Options) -> Correction:
    """A table's correction by its game's `review.fitted`; without it, one that changes nothing."""
    fitted: Fitted = part(game, "review.fitted", lambda _seats, _options: (1.0, 0.0))
    return Correction(len(set(game.sides(seats, options))), *fitted(seats, options))


def calibrated(game: Game[Any], options: Options) -> bool:
    """Whether chances at a table are exact, or were checked against games by the same rules."""
    checked: Callable[[Options], bool] = part(game, "review.checked", lambda _: not game.dice)
    return checked(options)


LONGEST_LINE: Final = 8
UNBOUNDED: Final = (-1.0, 1.0)
ROLL_DEPTH: Final = 2
"""The most moves to look ahead after each face."""


Reasons: TypeAlias = Callable[[Any, Move], Iterable[Reason]]
"""Returns a move's reasons, the strongest first."""

Corrected: TypeAlias = Callable[[Any, float], float]
"""Returns the corrected chance of the seat to move, by a position and a search's estimate."""


def reasons_of(game: Game[Any]) -> Reasons:
    """The function that gives a game's reasons, by its `review.reasons`, or else none."""
    return part(game, "review.reasons", lambda _state, _move: ())


def winner_of(game: Game[Any]) -> Winner:
    """The function that tells who has won while the others play on, by a game's `review.winner`."""
    return part(game, "review.winner", lambda _: None)


def _rank(choice: WeighedMove) -> tuple[int, ...]:
    """The rank of a choice among equal ones, by its reasons; the lowest is to recommend."""
    return tuple(list(type(reason.kind)).index(reason.kind) for reason in choice.reasons)


def judges(game: Game[Any], seats: int, options: Options) -> tuple[Judge, ...]:
    """The judges of a table, from the quickest to the deepest."""
    entrant = roster.reviewer(game)
    reasons = reasons_of(game)
    if not game.dice:
        look: float = part(game, "agents.LOOK", math.inf)
        corrected: Corrected = part(game, "review.corrected", lambda _state, chance: chance)
        return (Weigher(entrant, corrected, reasons, look),)
    told, depth = correction(game, seats, options), entrant.setting.depth or USUAL_DEPTH
    winner = winner_of(game)
    return tuple([Lookahead(entrant, told, reasons, each, winner) for each in (1, depth)])


class Weigher:
    """Judges a game of two seats without dice, with what its agent can prove.

    The agent visits at most `nodes` positions to weigh the moves of a position.
    """

    def __init__(
        self,
        entrant: roster.Entrant,
        corrected: Corrected,
        reasons: Reasons,
        nodes: float,
    ) -> None:
        self._entrant = entrant
        self._weighing = entrant.agent(Random(0), weigh_all=True)
        self._corrected = corrected
        self._nodes = nodes
        self.reasons = reasons

    def chances(self, state: State, budget: Budget) -> Chances:
        """The result of a game that is over, or the chances after the best move."""
        payoff = state.payoff()
        if payoff:
            return tuple((share + 1) / 2 for share in payoff)
        return self.choices(state, budget)[0].chances

    def choices(self, state: State, budget: Budget) -> tuple[WeighedMove, ...]:
        """All moves, the best first: by chances, then a sooner win or a later loss.

        So a proven draw comes after estimates above one half, and before all others.
        """
        thought = self._weighing.think(state, budget.at_most(self._nodes))
        values = thought.values
        if len(values) < len(state.moves()) or budget.spent(0):
            raise OutOfBudget
        found = [self._choice(state, thought, move) for move in values]
        order = {
            c.move: (-c.chances[state.turn], -values[c.move], not c.proven, _rank(c)) for c in found
        }
        return tuple(sorted(found, key=lambda choice: order[choice.move]))

    def reply(self, state: State, _seat: Seat, budget: Budget) -> tuple[Move, ...]:
        """The first plies of a best game from a position, as far as the budget lasts."""
        found: list[Move] = []
        playing = self._entrant.agent(Random(0))
        each = budget.at_most(self._nodes / LONGEST_LINE)
        while state.payoff() is None and len(found) < LONGEST_LINE and not each.spent(0):
            found.append(playing.think(state, each).move)
            state = state.play(found[-1])
        return tuple(found)

    def _choice(self, state: State, thought: Thought, move: Move) -> WeighedMove:
        value, proven = thought.values[move], move in thought.proven
        outcome = (value > 0) - (value < 0) if proven else 0
        mine = (1 + outcome) / 2
        if not proven:
            low, high = thought.bounds.get(move, UNBOUNDED)
            told = self._corrected(state, (1 + value) / 2)
            mine = min(max(told, (1 + low) / 2), (1 + high) / 2)
        chances = (mine, 1 - mine) if state.turn == 0 else (1 - mine, mine)
        timed = outcome and move not in thought.untimed
        plies = round((1 - abs(value)) / FADING) if timed else None
        return WeighedMove(move, chances, plies, proven, tuple(self.reasons(state, move)))


Winner: TypeAlias = Callable[[Any], Seat | None]
"""Returns the seat that has already won while the others play on; None if there is none."""


@dataclass(frozen=True, slots=True)
class FirstHome:
    """An evaluation of who wins: once a seat has won, the places behind it do not count."""

    evaluation: Evaluation[Any]
    winner: Winner

    def begin(self, state: Any) -> tuple[Any, Worth[Any]]:  # noqa: ANN401 - any game's position
        """The root of `evaluation`, and its values until somebody has won."""
        root, worth = self.evaluation.begin(state)

        def told(position: Any) -> Sequence[float]:  # noqa: ANN401 - any game's position
            judged, won = worth(position), self.winner(position)
            if won is None:
                return judged
            return [1.0 if seat == won else -1 / (len(judged) - 1) for seat in range(len(judged))]

        return root, told


class Lookahead:
    """Judges a game with dice, looking `depth` moves ahead."""

    def __init__(
        self,
        entrant: roster.Entrant,
        corrected: Correction,
        reasons: Reasons,
        depth: int,
        winner: Winner = lambda _: None,
    ) -> None:
        self._search = Expectiminimax(FirstHome(entrant.setting.evaluation, winner), Random(0))
        self._depth = depth
        self._correction = corrected
        self._known: dict[DiceState, Chances] = {}
        self.reasons = reasons

    def chances(self, state: DiceState, budget: Budget) -> Chances:
        """The chances, looking a few moves ahead; in a roll-off, the mean over its outcomes.

        They are remembered, as both the reply to a move and the roll after it ask for them.
        """
        if state not in self._known:
            self._known[state] = self._looked(state, budget)
        return self._known[state]

    def _looked(self, state: DiceState, budget: Budget) -> Chances:
        if state.opening:
            begun = [self.chances(first, budget) for first in starts(state)]
            return tuple(map(fmean, zip(*begun, strict=True)))
        passed = state.turn == CHANCE  # a roll with which nobody moves counts as a move
        told = self._told(state, min(ROLL_DEPTH, self._depth) - passed, budget)
        return self._correction.among(told, state.seat) if state.moves() else told

    def choices(self, state: State, budget: Budget) -> tuple[WeighedMove, ...]:
        """All moves by their chances in expectiminimax, the best first."""
        seat, reasons = state.turn, self.reasons
        told = {m: self._told(state.play(m), self._depth - 1, budget) for m in state.moves()}
        found = [
            WeighedMove(
                move=move,
                chances=self._correction.among(each, seat),
                plies=None,
                proven=False,
                reasons=tuple(reasons(state, move)),
            )
            for move, each in told.items()
        ]
        found.sort(key=lambda choice: (-choice.chances[seat], _rank(choice)))
        return tuple(found)

    def reply(self, state: DiceState, seat: Seat, budget: Budget) -> tuple[Move, ...]:
        """The roll of another seat that is worst for `seat`, and the move made with it."""
        if not state.moves() or state.seat == seat:
            return ()
        rolled = {roll: state.play(roll) for roll in state.moves()}
        worst = min(rolled, key=lambda roll: self.chances(rolled[roll], budget)[seat])
        after = rolled[worst]
        if after.turn == CHANCE or not after.moves():
            return (worst,)
        answers = {move: self._told(after.play(move), 1, budget) for move in after.moves()}
        return worst, max(answers, key=lambda move: answers[move][after.turn])

    def _told(self, state: State, depth: int, budget: Budget) -> Chances:
        """The value of a position for each seat, as an uncorrected chance in [0, 1]."""
        worth = self._search.worth(state, depth, budget)
        sides = self._correction.sides
        shares = ((each * (sides - 1) + 1) / sides for each in worth)
        return tuple(min(1.0, max(0.0, share)) for share in shares)


def starts(state: DiceState) -> list[DiceState]:
    """The positions after a roll-off; by symmetry all are equally likely when it starts."""
    seen, ahead = {state: None}, [state]
    for each in ahead:  # which grows meanwhile
        after = dict.fromkeys(map(each.play, each.moves())) if each.opening else {}
        ahead += [new for new in after if new not in seen]
        seen |= after
    return [each for each in seen if not each.opening]


Judge: TypeAlias = Weigher | Lookahead
