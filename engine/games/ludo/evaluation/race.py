"""The race table: the turns a seat still needs, on average, if nobody interferes.

Solved exactly for play that wants to finish soonest, by going back from the end: a step only ever
brings a token nearer home, so what it leads to is solved already, and a turn in which nothing can
move is one unknown in one equation. Tokens are alike, so a table's index is the rank of a seat's
progress, ascending, among all multisets of as many tokens (the combinatorial number system,
D. H. Lehmer, 1964). One departure: a third 6 that sends a token back only ends the turn here.

For one or two tokens a table is solved in 0.02 s when it is first asked for. For four tokens that
takes 6-9 s, so the tables of the presets are shipped, to 1/256 turn, and read in 0.02 s; four
tokens under other rules get the shipped table of the rules they are most like. They are made by
`python -m engine race PRESET`.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate, combinations_with_replacement, islice, pairwise
from math import comb
from operator import ne
from typing import Final, NamedTuple, TypeAlias

from engine.games.ludo.board import HOME
from engine.games.ludo.rules import PRESETS, Rules, ThirdSix, rules, settle
from engine.games.ludo.table import PIPS, LudoTable, table

STEPS_A_TURN: Final = 256
SHIPPED: Final = ("classic", "damascus")
QUICKLY_SOLVED: Final = 2
"""The largest number of tokens that needs no shipped table."""

Tokens: TypeAlias = tuple[int, ...]

RANKS: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(comb(progress + token, token + 1) for progress in range(HOME + 1)) for token in range(4)
)
"""`RANKS[token][progress]`: the share of one token, counted from the last, in the rank of all."""


class Race(NamedTuple):
    """Expected turns to finish, by rank; `home_from` is the progress from which a token is home."""

    turns: Sequence[float]
    home_from: int

    def expected(self, tokens: Tokens) -> float:
        """The turns that a seat with `tokens` needs on average if nobody interferes."""
        home_from = self.home_from
        return self.turns[_rank(sorted([min(progress, home_from) for progress in tokens]))]


def race(house: Rules) -> Race:
    """The table for these rules, or for the most similar that have one."""
    if house.tokens <= QUICKLY_SOLVED:
        return _solved(house)
    return _shipped(nearest(house, SHIPPED))


def nearest(house: Rules, presets: Sequence[str]) -> str:
    """The preset that differs in the fewest rules; the number of tokens and the lane count most."""

    def distance(preset: str) -> int:
        other = rules(settle(PRESETS[preset]))
        weighty = abs(house.tokens - other.tokens) + (house.lane != other.lane)
        differing = list(map(ne, astuple(house), astuple(other))).count(True)
        return 100 * weighty + differing

    return min(presets, key=distance)


def solve(house: Rules, last: int | None = None) -> Race:
    """The exact table for these rules, or of its `last` ranks alone, with 0 for all before."""
    solver = _Solver(table(2, house))
    solver.run(last)
    return Race(solver.turns, solver.table.home_from)


def packed(solved: Race) -> bytes:
    """A table as it is shipped: the differences of its steps, compressed."""
    steps = [round(turns * STEPS_A_TURN) for turns in solved.turns]
    differences = [steps[0], *(after - before for before, after in pairwise(steps))]
    return zlib.compress(array("h", differences).tobytes(), 9)


_solved = lru_cache(maxsize=8)(solve)


@lru_cache(maxsize=8)
def _shipped(preset: str) -> Race:
    """The shipped table of a preset, in the byte order of nearly every machine, little."""
    differences = array("h")
    file = files("engine.games.ludo.evaluation") / "data" / f"race-{preset}.z"
    differences.frombytes(zlib.decompress(file.read_bytes()))
    turns = array("f", [step / STEPS_A_TURN for step in accumulate(differences)])
    return Race(turns, table(2, rules(settle(PRESETS[preset]))).home_from)


def _rank(own: Sequence[int]) -> int:
    return sum([ranks[progress] for ranks, progress in zip(RANKS, own, strict=False)])


class _Solver:
    """The tables while they fill up from the end.

    `turns` at the start of a turn; `within[sixes]` the turns after this one, when the seat is about
    to roll after that number of 6 in a row.
    """

    def __init__(self, kind: LudoTable) -> None:
        self.table = kind
        size = comb(kind.home_from + kind.rules.tokens, kind.rules.tokens)
        self.turns = [0.0] * size
        self.within = [[0.0] * size for _ in range(3)]
        self.counted = kind.rules.third_six is not ThirdSix.ALLOWED

    def run(self, last: int | None) -> None:
        home_from, count = self.table.home_from, self.table.rules.tokens
        everything = combinations_with_replacement(range(home_from, -1, -1), count)
        ranked = zip(reversed(range(len(self.turns))), everything, strict=True)
        for place, tokens in islice(ranked, last):
            if tokens[-1] < home_from:
                self._solve(place, tokens[::-1])

    def _solve(self, place: int, own: Tokens) -> None:
        passes, low = 0, 0.0
        for die in PIPS[:5]:
            ahead = [self._worth(step, again=home, sixes=0) for step, home in self._steps(own, die)]
            passes += not ahead
            low += min(ahead, default=0.0)
        sixes = list(self._steps(own, 6))
        high = [self._after_six(sixes, before) for before in range(3)]
        if high[0] is None:
            expected = (6 + low) / (5 - passes)
        else:
            expected = (6 + low + high[0]) / (6 - passes)
        self.turns[place] = expected
        for before, six in enumerate(high):
            last = expected if six is None else six
            self.within[before][place] = (low + passes * expected + last) / 6

    def _steps(self, own: Tokens, die: int) -> Iterator[tuple[int, bool]]:
        """Each different step with `die`: the rank it leads to, and whether it earns a roll."""
        home_from = self.table.home_from
        steps = self.table.steps[own.count(home_from)][die]
        for token, progress in enumerate(own):
            target = min(steps[progress], home_from)
            if target and (not token or own[token - 1] != progress):
                after = _rank(sorted((*own[:token], target, *own[token + 1 :])))
                yield after, self.table.rules.extra_home and target == home_from

    def _after_six(self, steps: list[tuple[int, bool]], before: int) -> float | None:
        """The turns after the best step with a 6; None if there is none or the 6 is not played."""
        sixes = before + 1 if self.counted else 0
        if sixes == 3 or not steps:
            return None
        extra = self.table.rules.extra_six
        return min(self._worth(step, again=extra or home, sixes=sixes) for step, home in steps)

    def _worth(self, place: int, *, again: bool, sixes: int) -> float:
        return self.within[sixes][place] if again else self.turns[place]
