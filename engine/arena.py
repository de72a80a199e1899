"""Matches: an agent's wins, draws and losses against others, with their uncertainty.

The seats are taken in turn, so that nobody profits from moving first. Every game has a random
source of its own, made from the match's seed and the game's number: a match comes out the same on
one core, on many, or on a cluster, as long as the agents do not play against the clock.

An agent of one's own is not trusted: it plays in a process of its own (`isolation`), with a clock
for each move and for the game, and memory of its own. Its random source is seeded with a hash of
the match's seed, from which the dice cannot be worked out; yet a small seed can be guessed, by
trying all that explain the rolls so far. If it does anything but choose a legal move in time, that
is a foul: it loses the game, the score lists the foul, and the match goes on. Agents of the roster
keep to their budget, and play in the process of the match.

In a game with dice, luck can be taken out of the results: the mean keeps its expected value, and
its interval gets narrower. At each roll the position after every face is judged; the value of the
face rolled, less the mean over all faces, is luck and is subtracted from the result. Fair dice
make it 0 on average, so no judge biases the result (control variates: Bernard Lavenberg and
Peter Welch, "A Perspective on the Use of Control Variables to Increase the Efficiency of Monte
Carlo Simulations", 1981; as for backgammon and poker, Martin Zinkevich et al., "Optimal Unbiased
Estimators for Evaluating Agent Performance", 2006).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from hashlib import sha256
from itertools import count
from operator import add, mul
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from engine import roster
from engine.game import CHANCE, Game, Move, Options, Seat, State
from engine.games import part
from engine.isolation import Foul, Isolated, PlayedTable
from engine.search.agent import Agent, Budget
from engine.search.expectiminimax import Expectiminimax

Clock: TypeAlias = Callable[[], float]
"""Returns seconds, counted from an arbitrary moment, as `time.perf_counter` does."""

Contestant: TypeAlias = str | Callable[[Random], Agent[Any]]
"""An agent by its name, or a callable that makes one from a random source, such as its class."""


class WrongNumberOfAgents(ValueError):
    """There are fewer than two agents, or more than seats."""


class FoulPlay(NamedTuple):
    """A game that an agent lost by a foul, at a ply counted from 0."""

    game: int
    agent: str
    ply: int
    reason: str

    def __str__(self) -> str:
        """The foul as a sentence."""
        return f"{self.agent} lost game {self.game} at ply {self.ply}: it {self.reason}"


class NoLuck(ValueError):
    """The game has no dice, no evaluation of its positions, or is played for places."""


@dataclass(frozen=True, slots=True)
class Match:
    """A game and its agents, of which the first is measured against the others.

    A game of the roster is given by its key, any other by its record; an agent of the roster by its
    name, any other by a callable that makes one. A match over several processes has to be
    picklable: then a callable is a class or a function of a module that the processes can import,
    or a `partial` of one, but no lambda; so are the rules of a game of one's own.

    With fewer agents than seats, the last agent takes all remaining seats. `seconds` and `nodes`
    limit each move, unless the agent's name sets its own seconds. `longest` is an agent's time for
    all its moves of a game, in seconds; `memory` is for an agent that is not of the roster, in MB.
    `without_luck` asks for results without luck beside those played.
    """

    game: str | Game[Any]
    agents: tuple[Contestant, ...]
    seats: int = 2
    options: Options = field(default_factory=dict)
    seed: int = 0
    seconds: float = math.inf
    nodes: float = math.inf
    longest: float = math.inf
    memory: float = 1024
    without_luck: bool = False

    def checked(self) -> Match:
        """This match, after a check of its game, agents, seats and options.

        Raises:
            NoLuck: Luck cannot be taken out of the results.
            Unknown: There is no such game or agent.
            InvalidOptions: The options or the seats do not fit the game.
            WrongNumberOfAgents: There are more agents than seats, or fewer than two.
        """
        self.rules.start(self.seats, self.options)
        if self.without_luck:
            judge(self.rules)
            placed: Callable[[Options], bool] = part(self.rules, "review.placed", lambda _: False)
            if self.seats > 2 and placed(self.rules.settled(self.options)):
                why = "it needs games that one side wins"
                raise NoLuck(f"no luck can be taken out of {self.rules.key} for places: {why}")
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
        return roster.game(self.game)

    def entrant(self, index: int) -> tuple[Callable[[Random], Agent[Any]], float]:
        """The callable that makes agent `index`, and the agent's seconds for a move."""
        agent = self.agents[index]
        if not isinstance(agent, str):
            return agent, self.seconds
        named = roster.entrant(self.rules, agent)
        return named.agent, named.seconds or self.seconds

    @property
    def trusted(self) -> bool:
        """Whether all agents are of the roster: none needs a process of its own."""
        return all(isinstance(agent, str) for agent in self.agents)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each agent, or else of the callable that makes it."""
        return tuple(
            agent if isinstance(agent, str) else getattr(agent, "__name__", str(agent))
            for agent in self.agents
        )

    def isolated(self, index: int) -> Isolated | None:
        """A process for agent `index`; None for an agent of the roster."""
        agent = self.agents[index]
        if isinstance(agent, str):
            return None
        rules = partial(roster.game, self.game) if isinstance(self.game, str) else self.game
        return Isolated(PlayedTable(rules, self.seats, self.options), agent, self.memory)

    def line_up(self, number: int) -> list[int]:
        """The index of the agent on each seat in game `number`."""
        filled = [min(index, len(self.agents) - 1) for index in range(self.seats)]
        turned = number % self.seats
        return filled[-turned:] + filled[:-turned] if turned else filled


class WonShare(NamedTuple):
    """The share of games won by the first agent, with its interval of 95 %."""

    share: float
    low: float
    high: float


class Score(NamedTuple):
    """The outcome of one game, or several, for the first agent, and the time of its moves.

    `share` and `squares` are sums over the games: of the first agent's share of the win without
    luck, and of its square. `seconds` is the time of its `moves`, `slowest` that of the slowest.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    plies: int = 0
    moves: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    share: float = 0.0
    squares: float = 0.0
    fouls: tuple[FoulPlay, ...] = ()

    @property
    def games(self) -> int:
        """The number of games played."""
        return self.won + self.drawn + self.lost

    def joined(self, other: Score) -> Score:
        """The sum of both scores."""
        slowest = max(self.slowest, other.slowest)
        return Score(*map(add, self, other))._replace(slowest=slowest)

    def without_luck(self) -> WonShare:
        """The first agent's share of the games without luck, with its interval of 95 %."""
        mean = self.share / self.games
        spread = max(0.0, self.squares / self.games - mean * mean) / max(1, self.games - 1)
        reach = Z * math.sqrt(spread)
        return WonShare(mean, mean - reach, mean + reach)


Z: Final = 1.959964
"""An interval of 95 % reaches this many standard deviations to either side."""


def wilson(hits: int, tries: int) -> tuple[float, float]:
    """The 95 % interval of a frequency: Edwin Wilson, "Probable Inference", 1927."""
    if not tries:
        return 0.0, 1.0
    share, spread = hits / tries, Z * Z / tries
    middle = share + spread / 2
    reach = Z * math.sqrt(share * (1 - share) / tries + spread / (4 * tries))
    return max(0.0, (middle - reach) / (1 + spread)), min(1.0, (middle + reach) / (1 + spread))


def play(match: Match, number: int, clock: Clock) -> Score:
    """Play game `number` of the match; return the first agent's score."""
    return play_all(match, (number,), clock)


def play_all(match: Match, numbers: Iterable[int], clock: Clock) -> Score:
    """Play the games of these numbers; return the first agent's score."""
    (score,) = play_parts(match, (numbers,), clock)
    return score


def play_parts(
    match: Match, parts: Iterable[Iterable[int]], clock: Clock
) -> Generator[Score, None, None]:
    """Play the games of these numbers, part by part; yield the score of each part."""
    processes = _Processes(match)
    try:
        for numbers in parts:
            games = (_Game(match, number, clock, processes) for number in numbers)
            yield reduce(Score.joined, (game.played() for game in games))
    finally:
        processes.close()


class _Processes:
    """The processes of a match's own agents, which last from game to game."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._known: dict[tuple[int, int], Isolated | None] = {}

    def of(self, line_up: Sequence[int]) -> list[Isolated | None]:
        """A process for each seat whose agent is not of the roster."""
        found = []
        for seat, index in enumerate(line_up):
            key = index, line_up[:seat].count(index)
            if key not in self._known:
                self._known[key] = self._match.isolated(index)
            found.append(self._known[key])
        return found

    def close(self) -> None:
        """End all processes."""
        for process in self._known.values():
            if process is not None:
                process.close()


class _Game:
    """One game of a match while it is played."""

    def __init__(self, match: Match, number: int, clock: Clock, processes: _Processes) -> None:
        self._match, self._number, self._clock = match, number, clock
        self._source = Random(f"{match.seed}/{number}")
        self._line_up = match.line_up(number)
        self._entrants = [match.entrant(index) for index in self._line_up]
        self._seeds = [self._source.getrandbits(64) for _ in self._line_up]
        self._isolated = processes.of(self._line_up)
        for seat, process in enumerate(self._isolated):
            if process is not None:
                self._seeds[seat] = _secret(f"{match.seed}/{number}/agent {seat}")
        self._agents = [
            None if apart else make(Random(seed))
            for apart, (make, _), seed in zip(
                self._isolated, self._entrants, self._seeds, strict=True
            )
        ]
        self._measured = Seat(self._line_up.index(0))
        self._judge = judge(match.rules) if match.without_luck else None
        self._took: list[list[float]] = [[] for _ in self._line_up]
        self._luck = 0.0
        self._moves: list[Move] = []
        self._state: Any = match.rules.start(match.seats, match.options)

    def played(self) -> Score:
        """Play the game until its end or a foul; return its score."""
        seat = Seat(0)
        try:
            for seat, process in zip(map(Seat, count()), self._isolated, strict=False):
                if process is not None:
                    process.begin(self._seeds[seat])
            while (payoff := self._state.payoff()) is None:
                seat = self._state.turn
                move = self._rolled() if seat == CHANCE else self._chosen(seat)
                self._state = self._state.play(move)
                self._moves.append(move)
        except Foul as foul:
            agent = self._match.names[self._line_up[seat]]
            told = FoulPlay(self._number, agent, len(self._moves), str(foul))
            return self.score(self._forfeit(seat))._replace(fouls=(told,))
        return self.score(payoff)

    def _rolled(self) -> Move:
        moves, odds = self._state.moves(), self._state.odds()
        fell: Move = self._source.choices(moves, odds)[0]
        if self._judge is not None and not self._state.opening:
            worth = [self._judge(self._state.play(move))[self._measured] for move in moves]
            self._luck += worth[moves.index(fell)] - sum(map(mul, odds, worth))
        return fell

    def _chosen(self, seat: Seat) -> Move:
        """The move of a seat.

        Raises:
            Foul: The agent chose no legal move in time.
        """
        began, seconds, nodes = self._clock(), self._entrants[seat][1], self._match.nodes
        left = self._match.longest - sum(self._took[seat])
        process, agent = self._isolated[seat], self._agents[seat]
        if process is not None:
            move = process.choice(self._moves, seconds=seconds, nodes=nodes, left=left)
        else:
            assert agent is not None
            budget = Budget.within(min(seconds, left), self._clock, nodes=nodes)
            move = agent.think(self._state, budget).move
        self._took[seat].append(self._clock() - began)
        if move not in self._state.moves():
            legal = ", ".join(map(str, self._state.moves()))
            raise Foul(f"chose {move}, where only {legal} are legal")
        return Move(move)

    def _forfeit(self, loser: Seat) -> Sequence[float]:
        """The payoff when `loser` and its partner lose, and all other seats share the win."""
        match = self._match
        sides = match.rules.sides(match.seats, match.options)
        lost = [side == sides[loser] for side in sides]
        loss = 1.0 if sum(lost) > 1 else 1 / (match.seats - 1)
        gain = loss * sum(lost) / (match.seats - sum(lost))
        return [-loss if own else gain for own in lost]

    def score(self, payoff: Sequence[float]) -> Score:
        """The first agent's score of this game, which ended with `payoff`."""
        own = payoff[self._measured]
        sides = len(set(self._match.rules.sides(self._match.seats, self._match.options)))
        share = (1 + (own - self._luck) * (sides - 1)) / sides
        even = min(payoff) == max(payoff)
        took = self._took[self._measured]
        return Score(
            won=int(own == max(payoff) and not even),
            drawn=int(even),
            lost=int(own < max(payoff)),
            plies=len(self._moves),
            moves=len(took),
            seconds=sum(took),
            slowest=max(took, default=0.0),
            share=share,
            squares=share * share,
        )


def _secret(words: str) -> int:
    """A seed from a hash of `words`, which reveals neither them nor the dice."""
    return int.from_bytes(sha256(words.encode()).digest()[:8])


def judge(game: Game[Any]) -> Callable[[State], Sequence[float]]:
    """A function from a position after a roll to each seat's value, after the best move.

    Raises:
        NoLuck: The game has no dice, or nothing judges its positions.
    """
    known = [*roster.evaluations(game).values()]
    if not game.dice or not known:
        raise NoLuck(f"no luck can be taken out of {game.key}: it needs dice and an evaluation")
    search = Expectiminimax(known[0], Random(0))
    return lambda state: search.worth(state, int(bool(state.moves()) and state.turn != CHANCE))


ERROR: Final = 0.05
BOUND: Final = math.log((1 - ERROR) / ERROR)
"""The log likelihood ratio, positive or negative, at which the test ends."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """The sequential test of whether the first agent of two is `higher` or `lower` Elo stronger.

    A match ends as soon as the test has decided for one of them. Abraham Wald, "Sequential Tests of
    Statistical Hypotheses", 1945, for results with draws after Michel Van den Bergh, "A Practical
    Introduction to the GSPRT", 2020: the log likelihood ratio of two mean scores, with the variance
    that the games have shown. Either error has a chance of `ERROR`.
    """

    lower: float
    higher: float

    def __post_init__(self) -> None:
        if not self.lower < self.higher:
            raise ValueError("of the two Elo the first has to be the lower one")

    def ratio(self, score: Score) -> float:
        """The log likelihood ratio of `higher` to `lower` after these games."""
        if not score.games:
            return 0.0
        counts = {1.0: score.won, 0.5: score.drawn, 0.0: score.lost}
        # Half a game is added to each result, so that none counts as impossible.
        seen = {points: count + 0.5 for points, count in counts.items()}
        games = sum(seen.values())
        mean = sum(points * count for points, count in seen.items()) / games
        variance = sum(count * (points - mean) ** 2 for points, count in seen.items()) / games
        low, high = expected(self.lower), expected(self.higher)
        return games * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, score: Score) -> float | None:
        """The Elo that the test decided for, `lower` or `higher`; None while it goes on."""
        ratio = self.ratio(score)
        if ratio >= BOUND:
            return self.higher
        return self.lower if ratio <= -BOUND else None


def expected(elo: float) -> float:
    """The mean score of an agent that is stronger by `elo`: 0.5 for 0, about 0.64 for 100."""
    return 1 / (1 + 10 ** (-elo / 400))
