"""Matches: an agent's wins, draws and losses against others, with their uncertainty.

The seats are taken in turn, so that nobody profits from moving first. Every game has a random
source of its own, made from the match's seed and the game's number: a match comes out the same on
one core, on many, or on a cluster, as long as the agents do not play against the clock.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import add
from random import Random
from typing import Any, NamedTuple, TypeAlias

from engine import roster
from engine.game import CHANCE, Game, Options, Seat
from engine.search.agent import Agent
from engine.search.budget import Budget

Clock: TypeAlias = Callable[[], float]
"""Seconds from any moment."""

Contestant: TypeAlias = str | Callable[[Random], Agent[Any]]
"""An agent by its name, or a callable that makes one from a random source, such as its class."""


class WrongNumberOfAgents(ValueError):
    """A match is between at least two agents, and at most as many as there are seats."""


@dataclass(frozen=True, slots=True)
class Match:
    """A game and its agents, of which the first is measured against the others.

    A game is one of the roster by its key, or any other by its record; an agent is one of the
    roster by its name, or any callable that makes one. A match over several processes has to be
    picklable: then a callable is a class or a function of a module that the processes can import,
    or a `partial` of one, and no lambda; a game of its own needs rules of the same kind.

    With fewer agents than seats the last one takes all seats that are left over. `seconds` and
    `nodes` bound every single move; an agent asked for with seconds of its own has those.
    """

    game: str | Game[Any]
    agents: tuple[Contestant, ...]
    seats: int = 2
    options: Options = field(default_factory=dict)
    seed: int = 0
    seconds: float = math.inf
    nodes: float = math.inf

    def checked(self) -> Match:
        """This match, after a check that everything asked for exists.

        Raises:
            Unknown: There is no such game or agent.
            InvalidOptions: The options or the seats do not fit the game.
            WrongNumberOfAgents: There are more agents than seats, or fewer than two.
        """
        self.rules.start(self.seats, self.options)
        for index in range(len(self.agents)):
            self.entrant(index)
        if not 2 <= len(self.agents) <= self.seats:
            raise WrongNumberOfAgents(
                f"{self.seats} seats are for 2 to {self.seats} agents, not {len(self.agents)}"
            )
        return self

    @property
    def rules(self) -> Game[Any]:
        """The game that is played; `Unknown` if there is none of that key."""
        return roster.game(self.game) if isinstance(self.game, str) else self.game

    def entrant(self, index: int) -> tuple[Callable[[Random], Agent[Any]], float]:
        """The maker of the agent of that index, and the seconds it has for a move."""
        agent = self.agents[index]
        if not isinstance(agent, str):
            return agent, self.seconds
        named = roster.entrant(self.rules, agent)
        return named.agent, named.seconds or self.seconds

    def line_up(self, number: int) -> list[int]:
        """The index of the agent on each seat in game `number`."""
        filled = [min(index, len(self.agents) - 1) for index in range(self.seats)]
        turned = number % self.seats
        return filled[-turned:] + filled[:-turned] if turned else filled


class Score(NamedTuple):
    """The outcome of one game, or several, for the first agent, and the time of its moves."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    plies: int = 0
    moves: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    @property
    def games(self) -> int:
        """The number of games played."""
        return self.won + self.drawn + self.lost

    def joined(self, other: Score) -> Score:
        """The sum of both scores."""
        slowest = max(self.slowest, other.slowest)
        return Score(*map(add, self, other))._replace(slowest=slowest)


def wilson(hits: int, tries: int) -> tuple[float, float]:
    """The 95 % interval of a frequency: Edwin Wilson, "Probable Inference", 1927."""
    if not tries:
        return 0.0, 1.0
    z = 1.959964
    share, spread = hits / tries, z * z / tries
    middle = share + spread / 2
    reach = z * math.sqrt(share * (1 - share) / tries + spread / (4 * tries))
    return max(0.0, (middle - reach) / (1 + spread)), min(1.0, (middle + reach) / (1 + spread))


def play(match: Match, number: int, clock: Clock) -> Score:
    """Play game `number` of the match; the score of the first agent."""
    source = Random(f"{match.seed}/{number}")
    line_up = match.line_up(number)
    entrants = [match.entrant(index) for index in line_up]
    agents = [make(Random(source.getrandbits(64))) for make, _ in entrants]
    measured, took, plies = Seat(line_up.index(0)), list[float](), 0
    state = match.rules.start(match.seats, match.options)
    while (payoff := state.payoff()) is None:
        if state.turn == CHANCE:
            move = source.choices(state.moves(), state.odds())[0]
        else:
            began, seconds = clock(), entrants[state.turn][1]
            budget = Budget.within(seconds, clock, nodes=match.nodes)
            move = agents[state.turn].think(state, budget).move
            if state.turn == measured:
                took.append(clock() - began)
        state = state.play(move)
        plies += 1
    return _score(payoff, measured)._replace(
        plies=plies, moves=len(took), seconds=sum(took), slowest=max(took, default=0.0)
    )


def _score(payoff: Sequence[float], seat: Seat) -> Score:
    if min(payoff) == max(payoff):
        return Score(drawn=1)
    return Score(won=1) if payoff[seat] == max(payoff) else Score(lost=1)
