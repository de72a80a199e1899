"""Matches of Ludo with the luck of the dice taken out of them: the same mean, a smaller spread.

Before each roll a judge values the position after every face; the value of the face that fell, less
the mean of all six, is luck, and is taken off the result. The mean of all six is exactly that of a
fair die, so the mean over many games stays as it would be without, however wrong the judge
(control variates: Bernard Lavenberg and Peter Welch, "A Perspective on the Use of Control Variables
to Increase the Efficiency of Monte Carlo Simulations", 1981; as for backgammon and poker, Martin
Zinkevich et al., "Optimal Unbiased Estimators for Evaluating Agent Performance", 2006).
"""

from __future__ import annotations

from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from engine.arena import Match
from engine.game import CHANCE, Seat
from engine.games.ludo import LudoPosition
from engine.games.ludo.evaluation.trained import Judge, judge


class Share(NamedTuple):
    """The share of games won by the first agent, with its interval of 95 %."""

    share: float
    low: float
    high: float


def share_without_luck(match: Match, games: int) -> Share:
    """The share of games that the first agent of a match wins."""
    results = [_result(match, number) for number in range(games)]
    # With n seats a win brings 1 and a loss -1 / (n - 1).
    shares = [(1 + result * (match.seats - 1)) / match.seats for result in results]
    mean, reach = fmean(shares), 1.96 * stdev(shares) / games**0.5
    return Share(mean, mean - reach, mean + reach)


def _result(match: Match, number: int) -> float:
    """Play game `number`; the result of the first agent, less its luck."""
    source = Random(f"{match.seed}/{number}")
    line_up = match.line_up(number)
    agents = [match.entrant(index)[0](Random(source.getrandbits(64))) for index in line_up]
    seat = Seat(line_up.index(0))
    state: LudoPosition = match.rules.start(match.seats, match.options)
    judging = judge(state.table)
    luck = 0.0
    while (payoff := state.payoff()) is None:
        if state.turn != CHANCE:
            state = state.play(agents[state.turn].think(state).move)
        elif state.opening:
            state = state.play(source.choice(state.moves()))
        else:
            rolled = [state.play(pips) for pips in state.moves()]
            worths = [_worth(after, judging, seat) for after in rolled]
            fell = source.randrange(len(rolled))
            luck += worths[fell] - fmean(worths)
            state = rolled[fell]
    return payoff[seat] - luck


def _worth(rolled: LudoPosition, judging: Judge, seat: Seat) -> float:
    """The judge's worth of a roll to `seat`, after the best move of the seat to move."""
    if rolled.turn == CHANCE or not rolled.moves():
        return judging.worth(rolled)[seat]
    after = (judging.worth(rolled.play(move)) for move in rolled.moves())
    return max(after, key=lambda worth: worth[rolled.turn])[seat]
