"""Ratings that friends and second accounts give one of them, beside those of honest players.

    python -m tests.benchmarks.farming [--seeds N] [--search STEPS]

Each course of games is entered into the records, once in one season and once in each of twelve, for
the ratings of all time; beside it the points that it gave while every rated game counted in full.
Honest players are one of twelve, who play 40 games a month against the others at random and win
their share of them: the median of so many seeds, and the lowest of ten. *Settled* is a rating that
is not provisional any more. With `--search` courses of sixty games between four are changed at
random for so many steps, and the best that was found is added.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import combinations
from random import Random
from statistics import median
from typing import Final, NamedTuple, TypeAlias

from bot.records.rating import ALL_TIME, NEWCOMER, Rating, Season, rated, season_of
from bot.records.results import AmongPeople, judged
from bot.records.standings import EVERYWHERE, Pair, Standing, StandingKey, entered
from bot.table.seats import Human, PersonId


class Course(NamedTuple):
    """A game: its people from the first place to the last, or drawn; it may be given up early."""

    people: tuple[int, ...]
    drawn: bool = False
    short: bool = False


Courses: TypeAlias = Callable[[Random], Iterable[Course]]

ANN, BEN, CLEO, DAN = range(1, 5)
SMURFS: Final = range(101, 121)
MONTHS: Final = 12
"""The months of a year."""
TWELVE: Final = 12
"""The people of an honest circle."""
A_MONTH: Final = 40
"""The games of an honest player in a month."""
LONGEST: Final = 60
"""The most games of a course that is searched for."""


def season(month: int) -> Season:
    """The season of a month of the year, counted from 0."""
    return season_of(datetime(2026, 1 + month, 15, tzinfo=UTC))


class Book:
    """The standings of people whose games are entered one after the other."""

    def __init__(self) -> None:
        self.standings: dict[StandingKey, Standing] = {}
        self.met: dict[Pair, int] = {}
        self.in_full: dict[int, Rating] = {}

    def enter(self, course: Course, month: int) -> None:
        """Enter a game that ends in a month, counted from 0."""
        count = len(course.people)
        payoff = [0.0] * count if course.drawn else [1 - 2 * i / (count - 1) for i in range(count)]
        people = [Human(PersonId(person)) for person in course.people]
        result = judged(people, range(count), payoff, short=course.short)
        assert isinstance(result, AmongPeople)
        entry = entered(result, None, season(month), self.standings, self.met)
        self.standings.update(entry.standings)
        self.met.update(entry.met)
        if not course.short:
            self._enter_in_full(course)

    def _enter_in_full(self, course: Course) -> None:
        sides = [[self.in_full.get(person, NEWCOMER)] for person in course.people]
        ranks = [0] * len(sides) if course.drawn else range(len(sides))
        for person, (after,) in zip(course.people, rated(sides, ranks), strict=True):
            self.in_full[person] = after

    def standing(self, person: int, month: int | None = None) -> Standing:
        """A person's standing in a month, or of all time."""
        when = ALL_TIME if month is None else season(month)
        return self.standings.get(StandingKey(PersonId(person), EVERYWHERE, when), Standing())


class Outcome(NamedTuple):
    """Ann's points after a month and a year, with all games in full and as they are weighed."""

    before: int
    now: int
    settled: bool
    year_before: int
    year: int


def outcome(courses: Courses, rng: Random, months: int = MONTHS) -> Outcome:
    """The outcome of a course that is repeated in each of some months."""
    book, in_full = Book(), []
    for month in range(months):
        for course in courses(rng):
            book.enter(course, month)
        in_full.append(book.in_full.get(ANN, NEWCOMER).points)
    first, all_time = book.standing(ANN, 0), book.standing(ANN)
    settled = not first.provisional(season(0))
    return Outcome(in_full[0], first.rating.points, settled, in_full[-1], all_time.rating.points)


def beats(others: Iterable[int], times: int, *, drawn: bool = False) -> Iterator[Course]:
    """Ann wins against each of some, in turn, or draws."""
    for other in [*others] * times:
        yield Course((ANN, other), drawn=drawn)


def given_up(_: Random) -> Iterator[Course]:
    """Two; one gives up before both have moved twice."""
    yield from [Course((ANN, BEN), short=True)] * 100


def in_turn(_: Random) -> Iterator[Course]:
    """Two, who win in turn."""
    yield from [Course((ANN, BEN)), Course((BEN, ANN))] * 50


def lifted(_: Random) -> Iterator[Course]:
    """Four: two are lifted by the third, and then lose."""
    yield from [Course((BEN, DAN)), Course((CLEO, DAN)), Course((BEN, CLEO), drawn=True)] * 8
    yield from beats((DAN, CLEO, BEN), 12)


def round_and_round(_: Random) -> Iterator[Course]:
    """Four, who draw all games."""
    yield from [Course(two, drawn=True) for two in combinations((ANN, BEN, CLEO, DAN), 2)] * 10


def at_tables(_: Random) -> Iterator[Course]:
    """Twenty who lose to one at tables of four."""
    for first in [*range(0, len(SMURFS) - 2, 3)] * 3:
        yield Course((ANN, *SMURFS[first : first + 3]))


CHEATS: Final[dict[str, Courses]] = {
    "two: twelve games of four plies": lambda _: beats((BEN,), 12),
    "two: a hundred wins": lambda _: beats((BEN,), 100),
    "two: a hundred draws": lambda _: beats((BEN,), 100, drawn=True),
    "two: a hundred wins in turn": in_turn,
    "two: a hundred games given up at once": given_up,
    "four: one beats three, 25 times each": lambda _: beats((BEN, CLEO, DAN), 25),
    "four: two are lifted by the third, then lose": lifted,
    "four: sixty draws": round_and_round,
    "four: fifty tables of four": lambda _: [Course((ANN, BEN, CLEO, DAN))] * 50,
    "twenty smurfs: three losses each": lambda _: beats(SMURFS, 3),
    "twenty smurfs: at tables of four": at_tables,
}
"""Courses of accounts that play for Ann."""


def honest(share: float) -> Courses:
    """Games of twelve, of whom Ann wins a share of hers and all others half."""

    def games(rng: Random) -> Iterator[Course]:
        people, played = range(ANN, ANN + TWELVE), 0
        while played < A_MONTH:
            one, other = sorted(rng.sample(people, 2))
            played += one == ANN
            won = rng.random() < (share if one == ANN else 0.5)
            yield Course((one, other) if won else (other, one))

    return games


HONEST: Final = (0.5, 0.6, 0.75)
"""The shares that honest players win."""


def circle(_: Random) -> Iterator[Course]:
    """Twenty smurfs who play one another as honest people do, and lose to one."""
    for apart in range(1, 4):
        for index, smurf in enumerate(SMURFS):
            yield Course((smurf, SMURFS[(index + apart) % len(SMURFS)]), drawn=True)
    yield from beats(SMURFS, 3)


def searched(steps: int, rng: Random) -> Sequence[Course]:
    """The course of games between four that is best for Ann, of those tried."""

    def game() -> Course:
        one, other = rng.sample((ANN, BEN, CLEO, DAN), 2)
        return Course((one, other), drawn=rng.random() < 0.2)

    def points(games: Sequence[Course]) -> int:
        book = Book()
        for each in games:
            book.enter(each, 0)
        return book.standing(ANN, 0).rating.points

    best = [game() for _ in range(LONGEST)]
    most = points(best)
    for _ in range(steps):
        tried = [*best]
        one, other = rng.randrange(LONGEST), rng.randrange(LONGEST)
        if rng.random() < 0.5:
            tried[one] = game()
        else:
            tried[one], tried[other] = tried[other], tried[one]
        if (found := points(tried)) >= most:
            best, most = tried, found
    return best


def told(what: str, found: Outcome, lowest: str = "") -> None:
    """Prints a line of the table."""
    settled = "yes" if found.settled else "no"
    print(
        f"| {what} | {found.before} | {found.now}{lowest} | {settled} "
        f"| {found.year_before} | {found.year} |",
        flush=True,
    )


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description="Ratings that are farmed, and honest ones.")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--search", type=int, default=0, help="steps of the search for a course")
    arguments = parser.parse_args()
    print("| course of a month | in full | now | settled | a year in full | a year now |")
    print("|---|---|---|---|---|---|")
    for what, courses in CHEATS.items():
        told(what, outcome(courses, Random(1)))
    if arguments.search:
        found = searched(arguments.search, Random(1))
        told("four: the best that a search found", outcome(lambda _: found, Random(1)))
    for share in HONEST:
        runs = [outcome(honest(share), Random(seed)) for seed in range(arguments.seeds)]
        whole = Outcome(*(round(median(column)) for column in zip(*runs, strict=True)))
        lowest = sorted(run.now for run in runs)[len(runs) // 10]
        told(f"honest: {share:.0%} of twelve", whole, f" ({lowest})")
    told("a circle of twenty-one", outcome(circle, Random(1)))


if __name__ == "__main__":
    main()
